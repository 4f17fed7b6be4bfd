// @ts-check
/**
 * Finds where a login asks for what, and leaves the fields in `tabmux.login`.
 * @returns what there is, and the label of the button that goes on
 */
function loginForm() {
  const USER = /user|login|e-?mail|account|phone|member|customer|client|benutzer|konto|nick|\bids?\b/i;
  const CODE = /otp|2fa|mfa|one.?time|verif|code|token|pin\b|einmal/i;
  const OTHER = /search|coupon|promo|postal|zip|captcha|country|gift|discount|voucher|gutschein|rabatt|newsletter|subscribe|area.?code|plz/i;
  const GO = /log.?in|sign.?in|continue|next|submit|verify|confirm|anmelden|einloggen|weiter|best(ä|ae)tigen|connexion|entrar|accedi/i;
  const NOT = /sign.?up|register|forgot|reset|create|cancel|back|show|hide|google|apple|facebook|github|microsoft|passkey|sso|registrieren|vergessen/i;
  const KEY = /passkey|security key|passwordless|biometric|face id|touch id|windows hello|schl(ü|ue)ssel/i;
  const NO_KEY = /create|add|regist|set.?up|new|learn|what|manage|remove|delete|without|erstellen|hinzu/i;
  const {dom} = tabmux;

  function isUsable(/** @type {Element} */ element) {
    return element.checkVisibility({visibilityProperty: true}) && !tabmux.isDisabled(element) &&
      [...element.getClientRects()].some((box) => box.width > 2 && box.height > 2);
  }
  function hintsOf(/** @type {HTMLInputElement} */ field) {
    const labels = [...field.labels ?? []].map((each) => dom.textContent.call(each));
    return [
      field.name, field.id, field.autocomplete, field.placeholder, dom.attribute.call(field, "aria-label"), ...labels,
    ].join(" ");
  }
  function inputsIn(/** @type {Tree} */ root) {
    /** @type {HTMLInputElement[]} */
    const found = [];
    for (const element of tabmux.allIn(root, "*")) {
      if (element instanceof HTMLInputElement) found.push(element);
      const inner = tabmux.shadowOf(element);
      if (inner) found.push(...inputsIn(inner));
    }
    return found;
  }

  const inputs = inputsIn(document).filter((each) => isUsable(each) && !each.readOnly);
  const plain = inputs.filter((each) => ["text", "email", "tel", "number"].includes(each.type));
  const secret = inputs.filter((each) => each.type === "password");
  const digits = plain.filter((each) => each.maxLength === 1).length;
  const isCode = (/** @type {HTMLInputElement} */ each) =>
    (digits >= 4 && each.maxLength === 1) || /one-time-code/.test(each.autocomplete) || (CODE.test(hintsOf(each)) && !OTHER.test(hintsOf(each)));
  // Two passwords in one form are a registration or a change.
  const password = secret.find((each) => !isCode(each) && !/new-password/.test(each.autocomplete) &&
    !secret.some((other) => other !== each && other.form === each.form && !isCode(other)));
  const code = plain.find((each) => isCode(each) && !/username|email/.test(each.autocomplete)) ??
    secret.find((each) => each !== password && isCode(each));
  const users = plain.filter((each) => each !== code && !OTHER.test(hintsOf(each)) && each.type !== "number");
  const username = users.find((each) => /username|webauthn/.test(each.autocomplete)) ??
    (password && users.filter((each) => each.form === password.form && follows(each, password)).pop()) ??
    (password ? undefined : users.find((each) => each.type === "email" || USER.test(hintsOf(each))));

  function follows(/** @type {Element} */ before, /** @type {Element} */ after) {
    return Boolean(before.compareDocumentPosition(after) & Node.DOCUMENT_POSITION_FOLLOWING);
  }

  const last = code ?? password ?? username;
  tabmux.login = {username, password, code};
  const root = last && /** @type {Tree} */ (dom.getRootNode.call(last));
  const around = last?.form ?? null;
  const buttons = !root ? [] : /** @type {HTMLElement[]} */ ([...tabmux.allIn(
    root, "button, input[type=submit], input[type=image], [role=button]")]).filter(isUsable);
  const wording = (/** @type {HTMLElement} */ each) =>
    `${each.innerText ?? ""} ${each instanceof HTMLInputElement ? each.value : ""} ${dom.attribute.call(each, "aria-label") ?? ""}`;
  const near = buttons.filter((each) => {
    const form = /** @type {HTMLButtonElement} */ (each).form ?? dom.closest.call(each, "form");
    return around ? form === around : !form && last && follows(last, each);
  }).filter((each) => !NOT.test(wording(each)));
  const submit = near.find((each) => GO.test(wording(each))) ??
    near.find((each) => ["submit", "image"].includes(/** @type {HTMLButtonElement} */ (each).type));
  const passkey = /** @type {HTMLElement[]} */ ([...tabmux.allIn(
    document, "button, a[href], input[type=submit], input[type=button], [role=button]")]).filter(isUsable).find(
    (each) => KEY.test(wording(each)) && !NO_KEY.test(wording(each)));
  const epoch = tabmux.epoch ?? 0;
  tabmux.begin(epoch);
  return {
    username: Boolean(username), password: Boolean(password), code: Boolean(code), epoch,
    submit: submit ? tabmux.labelOf(submit) : 0,
    field: last ? tabmux.labelOf(last) : 0,
    passkey: passkey ? tabmux.labelOf(passkey) : 0, loading: document.readyState === "loading", origin: location.protocol === "file:" ? "file://" : self.origin,
  };
}
