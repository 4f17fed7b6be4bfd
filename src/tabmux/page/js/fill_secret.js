// @ts-check
/**
 * Puts a part of a secret into a field, if the field, its form and its document may have it.
 * What is checked is checked in the same task in which it is typed: no page can be another by then.
 * @param {SecretTarget} target where it goes
 * @param {"username" | "password" | "totp" | "value"} part what it is
 * @param {string[]} origins whose pages may have it
 * @param {string | null | undefined} value null to look only whether it could be typed; what
 *   comes through an extension is undefined then (seen in Chromium 156)
 * @param {boolean} replaces whether it takes the place of what the field holds
 */
function fillSecret(target, part, origins, value, replaces) {
  const TEXT = new Set(["text", "email", "tel", "number", "search", "url"]);
  const USER = /user|login|e-?mail|account|phone|member|customer|client|benutzer|konto|nick|\bids?\b/i;
  const CODE = /otp|2fa|mfa|one.?time|verif|code|token|pin\b|einmal/i;
  const {dom} = tabmux;
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;

  const found = "label" in target ? tabmux.lookUp(target.epoch, target.label)
    : "login" in target ? tabmux.login?.[target.login] ?? null : tabmux.activeElement();
  if (!found) return {trouble: "gone"};
  const element = found instanceof HTMLLabelElement ? found.control ?? found : found;
  if (!(element instanceof HTMLInputElement)) return {refused: "Only input fields take a secret."};

  function originOf(/** @type {string | null} */ address) {
    if (!address) return here();
    try {
      const url = new URL(address, dom.baseUrl.call(document));
      return url.protocol === "file:" ? "file://" : url.origin;
    } catch {
      return "null";
    }
  }
  function here() {
    return location.protocol === "file:" ? "file://" : self.origin;
  }

  /** Why the document may not have it. */
  function documentRefusal() {
    for (const origin of [here(), ...location.ancestorOrigins]) {
      if (!origins.includes(origin)) return `The secret may not be given to ${origin}.`;
    }
    return "";
  }

  /** Why the form may not have it: itself or a button sends it somewhere else. */
  function formRefusal(/** @type {HTMLInputElement} */ field) {
    const form = field.form;
    if (!form) return "";
    const root = /** @type {Tree} */ (dom.getRootNode.call(field));
    const buttons = [...tabmux.allIn(root, "[formaction]")].filter(
      (each) => /** @type {HTMLButtonElement} */ (each).form === form);
    const targets = [
      dom.attribute.call(form, "action"), ...buttons.map((each) => dom.attribute.call(each, "formaction")),
    ];
    const other = targets.map(originOf).find((origin) => !origins.includes(origin));
    return other ? `The form would send the secret to ${other}.` : "";
  }

  function isOfKind(/** @type {HTMLInputElement} */ field) {
    const labels = [...field.labels ?? []].map((each) => dom.textContent.call(each));
    const hints = [
      field.name, field.id, field.autocomplete, field.placeholder, dom.attribute.call(field, "aria-label"), ...labels,
    ].join(" ");
    const secret = field.type === "password" || /-password\b/.test(field.autocomplete);
    const plain = TEXT.has(field.type);
    const code = secret || (plain && (CODE.test(hints) || field.maxLength === 1));
    const beside = field.form && dom.query.call(field.form, "input[type=password]");
    const user = plain && (field.type === "email" || USER.test(hints) || Boolean(beside));
    if (part === "password") return secret;
    return part === "totp" ? code : part === "username" ? user : secret || code || user;
  }

  function refusal(/** @type {HTMLInputElement} */ field) {
    const why = documentRefusal() || formRefusal(field);
    if (why) return {refused: why};
    if (!isOfKind(field)) return {refused: `The field is none for a ${part === "totp" ? "one-time code" : part}.`};
    if (tabmux.isDisabled(field)) return tabmux.complaint(field, "disabled", "is disabled.");
    if (field.readOnly) return tabmux.complaint(field, "readonly", "is read-only.");
    if (!field.checkVisibility({visibilityProperty: true})) {
      return tabmux.complaint(field, "hidden", "is not visible.");
    }
    return null;
  }

  /** The boxes of a code that has one for each digit. */
  function boxes(/** @type {HTMLInputElement} */ first, /** @type {number} */ count) {
    if (part !== "totp" || first.maxLength !== 1) return [first];
    const root = /** @type {Tree} */ (dom.getRootNode.call(first));
    const alike = /** @type {HTMLInputElement[]} */ ([...tabmux.allIn(root, "input")]).filter((each) =>
      each.maxLength === 1 && each.form === first.form && each.checkVisibility({visibilityProperty: true}));
    const place = alike.indexOf(first);
    return alike.length - place < count ? [first] : alike.slice(place, place + count);
  }

  function type(/** @type {HTMLInputElement} */ field, /** @type {string} */ text) {
    field.focus();
    if (replaces) field.select();
    // Handlers of the page have run: look again, right before it is typed.
    const why = refusal(field);
    if (why) return why;
    if (tabmux.activeElement() !== field) return {refused: "The page moved the focus elsewhere."};
    (tabmux.secretFields ??= new Set()).add(field);
    const before = field.value;
    document.execCommand("insertText", false, text);
    if (replaces ? field.value !== text : field.value === before) {
      setValue?.call(field, replaces ? text : before + text);
      field.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
      field.dispatchEvent(new Event("change", {bubbles: true}));
    }
    // For pages that listen to keys; which one it was, they need not know.
    field.dispatchEvent(new KeyboardEvent("keyup", {bubbles: true, composed: true}));
    return null;
  }

  const why = refusal(element);
  if (why || typeof value !== "string") return why ?? {done: false};
  tabmux.watch();
  element.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
  const fields = boxes(element, value.length);
  for (const [place, field] of fields.entries()) {
    const failed = type(field, fields.length > 1 ? value[place] : value);
    if (failed) return failed;
  }
  return {done: true};
}
