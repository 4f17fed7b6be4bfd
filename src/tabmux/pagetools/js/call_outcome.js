// @ts-check
// What carrying out a tool needs to know of its elements, and what the page says afterwards.

const ALERT_ROLES = '[role="alert"], [role="alertdialog"], [aria-live="assertive"]';
const ALERTS = ALERT_ROLES + ', [class*="error" i], [class*="invalid" i], ' +
  '[class*="danger" i], [class*="fail" i], [id*="error" i]';
const NOTES = '[role="status"], [aria-live="polite"], [class*="alert" i], [class*="success" i], [class*="warning" i], ' +
  '[class*="flash" i], [class*="toast" i], [class*="growl" i], [class*="snackbar" i], [class*="notice" i], ' +
  '[class*="notification" i], [class*="message" i], [class*="updated" i], [id*="message" i], [id*="notice" i]';
/** What a class says is wrong is wrong if the word stands at an end of a part of it. */
const BAD = /(^|[\s_-])(errors?|danger|failure|failed|invalid)|(errors?|danger|failure|failed|invalid)([\s_-]|$)|[a-z]Errors?(?![a-z])/i;
const GOOD = /(^|[\s_-])(success|info|notice|ok|valid)([\s_-]|$)/i;
/** What speaks of a message in these is about something else: what can be pressed, or an entry of many. */
const NO_MESSAGES = "a, button, input, select, textarea, option, label, form, tr, td, article, [role=button], [role=row]";
const FIELDS = "input:not([type=hidden]), select, textarea";
/** No message is longer. */
const LONGEST = 1000;
const SAYS = /\p{L}/u;
const CAPTCHA = 'iframe[src*="captcha" i], iframe[src*="challenges.cloudflare.com" i], ' +
  ".g-recaptcha, .h-captcha, .cf-turnstile";
const MOST = 5;
const OPAQUE = {visibilityProperty: true, opacityProperty: true};

function shown(/** @type {Element} */ element) {
  const box = element.getBoundingClientRect();
  return box.width > 1 && box.height > 1 && element.checkVisibility({visibilityProperty: true});
}

function textOf(/** @type {Element | null} */ element) {
  const text = element ? /** @type {HTMLElement} */ (element).innerText ?? "" : "";
  return text.replace(/\s+/g, " ").trim().slice(0, 200);
}

/**
 * @param {Iterable<Element>} elements
 * @param {(element: Element) => boolean} says whether one is there to say something
 * @returns {string[]} the texts of visible elements, each once
 */
function texts(elements, says) {
  const found = new Set();
  for (const element of elements) {
    const text = says(element) && shown(element) ? textOf(element) : "";
    if (SAYS.test(text) && ![...found].some((other) => other.includes(text))) found.add(text);
    if (found.size >= MOST) break;
  }
  return [...found];
}

/** @returns {HTMLFormElement | null} */
function formOf(/** @type {number} */ ref) {
  const element = /** @type {Field | null} */ (tabmux.toolElement(ref));
  if (!element) return null;
  return element instanceof HTMLFormElement ? element : element.form ?? element.closest("form");
}

function complaintOf(/** @type {Field} */ control) {
  const wrong = control.getAttribute("aria-invalid") === "true";
  const ids = `${control.getAttribute("aria-errormessage") ?? ""} ` +
    (wrong ? control.getAttribute("aria-describedby") ?? "" : "");
  const described = ids.split(/\s+/).filter(Boolean)
    .map((id) => textOf(document.getElementById(id))).filter(Boolean).join(" ");
  const name = tabmux.nameOf(control) || control.name || control.localName;
  return `${name}: ${described || control.validationMessage || "is not valid"}`.slice(0, 200);
}

/** @type {Set<string>} what the browser refused to send since the last toolListen() */
const refused = new Set();
let listening = false;

/** Begins to note what the browser refuses to send: a form that is reset looks invalid too. */
tabmux.toolListen = function () {
  refused.clear();
  if (listening) return;
  listening = true;
  document.addEventListener("invalid", (event) => refused.add(complaintOf(/** @type {Element} */ (event.target))), true);
};

/** @returns {boolean} whether an element is there to say something: by its role, or by its classes if little is in it */
function isMessage(/** @type {Element} */ element) {
  if (element.hasAttribute("aria-live") || /^(alert|alertdialog|status)$/.test(element.getAttribute("role") ?? "")) return true;
  if (element.matches(NO_MESSAGES) || element.querySelectorAll(FIELDS).length > 1 || element.querySelector("form")) return false;
  return (element.textContent ?? "").length <= LONGEST;
}

/** @returns {boolean} whether an element says that something is wrong */
function isAlert(/** @type {Element} */ element) {
  const said = `${element.getAttribute("class") ?? ""} ${element.id}`;
  return !GOOD.test(said) && (element.matches(ALERT_ROLES) || BAD.test(said)) && isMessage(element);
}

/** What the page says about what was just done. */
tabmux.toolVerdict = function () {
  const wrong = [...document.querySelectorAll('[aria-invalid="true"]')].filter(shown);
  return {
    invalid: [...refused].slice(0, MOST),
    alerts: [...wrong.slice(0, MOST).map(complaintOf), ...texts(document.querySelectorAll(ALERTS), isAlert)],
    notes: texts(document.querySelectorAll(NOTES), (each) => !each.matches("li") && isMessage(each)),
    captcha: [...document.querySelectorAll(CAPTCHA)].some(shown),
  };
};

const SEEN = 200000;

/** @returns {string} the same for as long as a person who looks at the page sees the same words and values */
tabmux.toolSeen = function () {
  const text = (document.body?.innerText ?? "").slice(0, SEEN);
  const fields = [...document.querySelectorAll("input, select, textarea, [aria-checked], [aria-selected], [aria-expanded], [open]")];
  const held = fields.slice(0, 2000).map((/** @type {Field} */ each) => [
    each.type === "password" || tabmux.secretFields?.has(/** @type {HTMLInputElement} */ (/** @type {Element} */ (each))) ? "" : each.value, each.checked, each.matches(":disabled"), ...["aria-checked", "aria-selected", "aria-expanded", "open"]
      .map((name) => each.getAttribute(name)), each.localName === "input" && each.type === "text" ? shown(each) : ""]);
  let hash = 5381;
  for (const part of [text, JSON.stringify(held)]) {
    for (let at = 0; at < part.length; at++) hash = (hash * 33 ^ part.charCodeAt(at)) | 0;
  }
  return `${text.length} ${hash}`;
};

/** What pages call the fields that they make from a title or a name. */
const MADE = /(^|[^a-z])(slug|permalink|machine_?name|url_?key)([^a-z]|$)/i;

/**
 * What a person sees of a form that is filled, and whether one more field of it is yet to be made.
 * @param {number} ref the number of the form
 * @param {number[]} filled the numbers of the fields that were filled
 * @returns {[seen: string, awaits: boolean]}
 */
tabmux.toolFilled = function (ref, filled) {
  const given = filled.map((each) => tabmux.toolElement(each)).filter((each) => each !== null);
  const empty = [...formOf(ref)?.elements ?? []].filter((each) =>
    each.matches(WRITTEN) && !(/** @type {Field} */ (each).value) && !given.includes(each));
  const awaits = empty.some((each) => MADE.test(`${each.getAttribute("name")} ${each.id}`) ||
    given.some((other) => speaksOf(other, each) || speaksOf(each, other)));
  return [tabmux.toolSeen(), awaits];
};

/** @returns {boolean} whether an attribute of one field names another: one is made from the other */
function speaksOf(/** @type {Element} */ one, /** @type {Element} */ other) {
  const names = [other.id, other.getAttribute("name") ?? ""].filter(Boolean);
  return [...one.attributes].some((each) => each.name.startsWith("data-") &&
    each.value.split(/[^\w-]+/).some((word) => names.includes(word)));
}

/** @returns {boolean} whether the element can be seen, or its label where it cannot itself */
tabmux.toolShown = function (/** @type {number} */ ref) {
  const element = /** @type {Field | null} */ (tabmux.toolElement(ref));
  return element !== null && (shown(element) || [...element.labels ?? []].some(shown));
};

/** @returns {boolean} whether an element can be seen, and has come to rest where it is */
tabmux.toolAtRest = function (/** @type {number} */ ref) {
  const element = /** @type {Field | null} */ (tabmux.toolElement(ref));
  if (!element || !tabmux.toolShown(ref)) return false;
  // A tab is there before it begins to fade in.
  if (![element, ...element.labels ?? []].some((each) => each.checkVisibility(OPAQUE))) return false;
  for (let /** @type {Element | null} */ at = element; at; at = at.parentElement) {
    if (at.getAnimations().some((each) => each.effect?.getComputedTiming().endTime !== Infinity)) return false;
  }
  return true;
};

/** @returns {string} where the form of an element is sent to; empty for none */
tabmux.toolAction = function (/** @type {number} */ ref) {
  const form = formOf(ref);
  return form ? new URL(form.getAttribute("action") || location.href, document.baseURI).href : "";
};

/** Puts the focus on an element, for the key that follows. */
tabmux.toolFocus = function (/** @type {number} */ ref) {
  const element = /** @type {HTMLElement | null} */ (tabmux.toolElement(ref));
  tabmux.watch();
  element?.focus();
};

/** @returns {boolean} whether an element has the focus, so that keys reach it */
tabmux.toolFocused = (/** @type {number} */ ref) => {
  const element = tabmux.toolElement(ref);
  return element !== null && /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement === element;
};

/** @returns {number} the button that submits the form of an element, 0 for none */
tabmux.toolSubmit = function (/** @type {number} */ ref) {
  const controls = [...formOf(ref)?.elements ?? []];
  const button = controls.find((each) => /** @type {Field} */ (each).type === "submit" && shown(each));
  return button ? tabmux.toolRef(button) : 0;
};

/**
 * The options that a combobox shows.
 * @param {number} ref
 * @returns {[number, string][]} each one's number and text
 */
tabmux.toolOptions = function (ref) {
  const field = tabmux.toolElement(ref);
  const ids = ["aria-controls", "aria-owns"]
    .flatMap((name) => (field?.getAttribute(name) ?? "").split(/\s+/)).filter(Boolean);
  const lists = ids.map((id) => document.getElementById(id)).filter((each) => each !== null);
  const scopes = lists.length > 0 ? lists : [...document.querySelectorAll('[role="listbox"]')];
  const options = scopes.filter(shown).flatMap((each) =>
    [...each.querySelectorAll('[role="option"], li')]);
  return options.filter(shown).slice(0, 40).map((each) => [tabmux.toolRef(each), textOf(each)]);
};

const WRITTEN = "textarea, input:not([type]), input[type=text], input[type=number], input[type=email], input[type=url], " +
  "input[type=tel], input[type=search], input[type=date]";

/** @returns {string} what stands in fields, which is no text of the page */
function held(/** @type {Element | null} */ root) {
  const fields = /** @type {HTMLInputElement[]} */ ([...root?.querySelectorAll(WRITTEN) ?? []]);
  return fields.filter((each) => each.value && shown(each) && !tabmux.secretFields?.has(each))
    .map((each) => `${tabmux.nameOf(each) || tabmux.factNearby(each) || each.name || "Field"}: ${each.value}`).join("\n");
}

/** @returns {string} what a person can read on the page, line by line */
tabmux.toolText = function (/** @type {number} */ limit) {
  const root = document.querySelector("dialog:modal, [aria-modal=true]") ??
    document.querySelector("main, [role=main]") ?? document.body;
  const text = /** @type {HTMLElement | null} */ (root)?.innerText ?? "";
  const plain = text.replace(/[ \t]+/g, " ").replace(/\n\s*\n+/g, "\n").trim();
  return `${plain}\n${held(root)}`.trimStart().slice(0, limit);
};
