// @ts-check
// The report of one element: of what can be used, and of what only holds others.

const {dom} = tabmux;
const {attribute, hasAttribute, textContent} = dom;

const CONTROLS = new Set(["input", "select", "textarea", "button"]);
const KEPT = new Set((
  "form search navigation banner contentinfo complementary main region dialog alertdialog heading " +
  "list listitem table grid treegrid row rowgroup tablist tabpanel menu menubar toolbar tree group " +
  "radiogroup feed article caption columnheader DescriptionList"
).split(" "));
const KEPT_TAGS = new Set((
  "form fieldset legend nav header footer main aside section article ul ol table thead tbody tr th " +
  "dialog details label h1 h2 h3 h4 h5 h6 caption dl"
).split(" "));
const NAMED = new Set((
  "heading navigation region dialog alertdialog list table grid tablist menu toolbar tree group " +
  "radiogroup feed form search main complementary caption columnheader"
).split(" "));

/** @typedef {{r: number, t: string, k?: any[], [key: string]: any}} Report */

/**
 * @param {number} ref
 * @param {any} element
 * @param {string} name
 * @param {string} role
 * @param {boolean} hidden
 * @returns {Report}
 */
tabmux.factUsed = function (ref, element, name, role, hidden) {
  /** @type {Report} */
  const own = {r: ref, t: name, o: role};
  setName(own, element, role, hidden);
  setPlace(own, element);
  const attributes = tabmux.factAttributes(element);
  if (attributes) own.a = attributes;
  const states = tabmux.factStates(element);
  if (states) own.s = states;
  if (name !== "a") setField(own, element, name);
  if (!tabmux.factUsable(element, !hidden)) own.h = tabmux.factOnHover(element) ? 2 : 1;
  return own;
};

function setName(/** @type {Report} */ own, /** @type {Element} */ element, /** @type {string} */ role, /** @type {boolean} */ hidden) {
  const naming = tabmux.namingOf(element, role);
  let text = naming.name || (hidden && !CONTROLS.has(own.t) || own.t === "button" ? textContent.call(element) : "");
  if (!text && role === "generic") text = tabmux.contentOf(element);
  const named = tabmux.factText(text, 120);
  const ligatures = own.t === "a" || own.t === "button" || role === "button" ? tabmux.factLigatures(element) : "";
  if (named) own.n = ligatures ? tabmux.factText(named.replace(ligatures, ""), 120) : named;
  if (naming.from) own.f = naming.from;
  if (["a", "button", "summary"].includes(own.t) || role === "button" || !named) {
    const icon = tabmux.factIcon(element);
    if (icon) own.i = icon;
  }
}

function setPlace(/** @type {Report} */ own, /** @type {Element} */ element) {
  const id = attribute.call(element, "id");
  const classes = `${id ? `#${id} ` : ""}${attribute.call(element, "class") ?? ""}`;
  if (classes) own.c = tabmux.factText(classes, 120);
}

function setField(/** @type {Report} */ own, /** @type {any} */ element, /** @type {string} */ name) {
  const options = tabmux.factOptions(element);
  if (options) own.p = options;
  const {form} = element;
  if (form instanceof HTMLFormElement) own.w = tabmux.toolRef(form);
  if (!CONTROLS.has(name)) return;
  const labelled = own.f === "reference" || own.f === "label" || own.f === "native";
  if (!labelled && name !== "button") {
    const nearby = tabmux.factNearby(element);
    if (nearby) own.a = {...own.a, nearby};
  }
  const {type} = element;
  if (type !== "password" && !["radio", "checkbox", "file", "submit", "button", "select-one"].includes(type)) {
    const value = tabmux.factText(element.value, 60);
    if (value && name !== "button") own.v = value;
  }
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string} role
 * @param {boolean} plain whether it has no attributes
 * @returns {boolean} whether an element that only holds others may tell something of them
 */
tabmux.factIsPlace = function (element, name, role, plain) {
  if (KEPT.has(role) || KEPT_TAGS.has(name)) return true;
  return !plain && (hasAttribute.call(element, "class") || hasAttribute.call(element, "id"));
};

/**
 * @param {number} ref
 * @param {Element} element
 * @param {string} name
 * @param {string} role
 * @returns {Report} what is to be said of an element that only holds others
 */
tabmux.factPlace = function (ref, element, name, role) {
  /** @type {Report} */
  const own = {r: ref, t: name};
  if (role !== "generic" && role !== "none") own.o = role;
  setPlace(own, element);
  if (NAMED.has(role) || name === "label") {
    const named = role === "heading" || name === "label" ? tabmux.contentOf(element) : tabmux.nameOf(element);
    if (named) own.n = tabmux.factText(named, 120);
  }
  const semantic = KEPT.has(role) || KEPT_TAGS.has(name);
  if (semantic || hasAttribute.call(element, "itemtype") || hasAttribute.call(element, "aria-label")) {
    const attributes = tabmux.factAttributes(element);
    if (attributes) own.a = attributes;
  }
  if (name === "form" && tabmux.isDisabled(element)) own.s = "d";
  return own;
};
