// @ts-check
// The report of one element: of what can be used, and of what only holds others.

const {dom} = tabmux;
const {attribute, textContent} = dom;

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
/** As much is told of what a field holds. */
const HELD = 300;
const NAMED = new Set((
  "heading navigation region dialog alertdialog list table grid tablist menu toolbar tree group " +
  "radiogroup feed form search main complementary caption columnheader"
).split(" "));

/**
 * What is told of an element. The keys are short because there are thousands of them.
 * @typedef {object} Report
 * @property {number} r its number
 * @property {string} t its tag
 * @property {string} [o] its role
 * @property {string} [n] its name
 * @property {string} [f] where the name was found
 * @property {string} [i] words of its icon
 * @property {string} [c] id and classes
 * @property {Record<string, string>} [a] attributes
 * @property {string} [s] one letter for each state
 * @property {Choice[]} [p] options
 * @property {number} [w] the number of its form
 * @property {string} [v] what it holds
 * @property {1 | 2} [h] whether it is hidden; 2 if it shows under the mouse
 * @property {1} [b] whether only this is told of it, as it is like others
 * @property {string} [y] what an entry of a long list is known by
 * @property {Part[]} [k] what is in it
 */

/** @typedef {string | Report} Part text or an element */

/**
 * An element that is worth a report.
 * @typedef {object} Met
 * @property {number} ref
 * @property {Field} element
 * @property {string} name its tag
 * @property {string[]} names of its attributes
 * @property {string} role
 * @property {number} kind
 * @property {boolean} hidden
 * @property {boolean} used whether it is there to be used
 * @property {boolean} hand whether the mouse becomes a hand over it
 */

/** @returns {Report} */
tabmux.factUsed = function (/** @type {Met} */ met) {
  const {element, name, names, role, hidden} = met;
  /** @type {Report} */
  const own = {r: met.ref, t: name, o: role};
  setName(own, element, role, hidden);
  setPlace(own, element, names);
  const attributes = tabmux.factAttributes(element, names);
  if (attributes) own.a = attributes;
  const states = tabmux.factStates(element, name);
  if (states) own.s = states;
  if (met.hand) own.s = `${own.s ?? ""}p`;
  if (name !== "a") setField(own, element, name);
  if (!tabmux.factUsable(met, own.f === "content")) own.h = tabmux.factOnHover(element) ? 2 : 1;
  return own;
};

/** Signs of fonts that draw pictures are no words, as arrows and crosses nearly are. */
const SPOKEN = /[^\s\p{Co}]/u;

function setName(/** @type {Report} */ own, /** @type {Element} */ element, /** @type {string} */ role, /** @type {boolean} */ hidden) {
  const naming = tabmux.namingOf(element, role);
  let text = naming.name || (hidden && !CONTROLS.has(own.t) || own.t === "button" ? textContent.call(element) : "");
  if (!text && hidden) text = labelOf(own, element);
  if (!text && role === "generic") text = tabmux.contentOf(element);
  if (!SPOKEN.test(text) && (own.t === "a" || own.t === "button" || role === "button" || role === "link")) text = tabmux.factHint(element) || text;
  const named = saidOnce(tabmux.factText(text, 120));
  const ligatures = CONTROLS.has(own.t) && own.t !== "button" ? "" : tabmux.factLigatures(element);
  if (named) own.n = ligatures ? tabmux.factText(named.replace(ligatures, ""), 120) : named;
  if (naming.from) own.f = naming.from;
  if (["a", "button", "summary"].includes(own.t) || role === "button" || !named) {
    const icon = tabmux.factIcon(element);
    if (icon) own.i = icon;
  }
}

/** @returns {string} a name without its second half if that says the same, as a picture's text and the word beside it */
function saidOnce(/** @type {string} */ name) {
  for (const between of [" ", ": "]) {
    const half = (name.length - between.length) / 2;
    if (half > 1 && name.slice(0, half) + between + name.slice(0, half) === name) return name.slice(0, half);
  }
  return name;
}

/** @returns {string} what the label of a control says that cannot be seen now */
function labelOf(/** @type {Report} */ own, /** @type {Field} */ element) {
  const label = CONTROLS.has(own.t) ? element.labels?.[0] : undefined;
  if (!label) return "";
  own.f = "label";
  const parts = /** @type {Element[]} */ ([...label.childNodes]);
  return parts.filter((each) => !dom.contains.call(each, element))
    .map((each) => textContent.call(each) ?? "").join(" ");
}

/**
 * @param {Report} own
 * @param {Element} element
 * @param {string[]} names of its attributes
 */
function setPlace(own, element, names) {
  const id = names.includes("id") ? attribute.call(element, "id") : "";
  const classes = names.includes("class") ? attribute.call(element, "class") : "";
  if (id || classes) own.c = tabmux.factText(id ? `#${id} ${classes}` : classes, 120);
}

function setField(/** @type {Report} */ own, /** @type {Field} */ element, /** @type {string} */ name) {
  const options = tabmux.factOptions(element);
  if (options) own.p = options;
  const {form} = element;
  if (form instanceof HTMLFormElement) own.w = tabmux.toolRef(form);
  if (!CONTROLS.has(name) && own.o !== "combobox") return;
  const labelled = own.f === "reference" || own.f === "label" || own.f === "native";
  // One of several has a label of its own, and what stands before them all is that of the choice.
  const one = name === "input" && (element.type === "checkbox" || element.type === "radio");
  if ((!labelled || one) && name !== "button") {
    const nearby = tabmux.factNearby(element);
    if (nearby) own.a = {...own.a, nearby};
  }
  if (!CONTROLS.has(name)) return;
  const {type = ""} = element;
  // What is cut could not be recognised as a secret any more.
  if (tabmux.secretFields?.has(/** @type {HTMLInputElement} */ (element))) return;
  if (type !== "password" && !["radio", "checkbox", "file", "submit", "button", "select-one"].includes(type)) {
    const value = tabmux.factText(element.value, HELD);
    if (value && name !== "button") own.v = value;
    // What is told is not to the letter: a copy of it would be another text.
    if (own.v && isInexact(element.value ?? "", value)) own.s = `${own.s ?? ""}w`;
  }
}

/** @returns {boolean} whether what is told of a short text is not the text itself */
const isInexact = (/** @type {string} */ held, /** @type {string} */ told) => held.length <= HELD && held !== told;

/**
 * @param {string} name
 * @param {string} role
 * @param {string[]} names of its attributes
 * @returns {boolean} whether an element that only holds others may tell something of them
 */
tabmux.factIsPlace = (name, role, names) =>
  KEPT.has(role) || KEPT_TAGS.has(name) || names.includes("class") || names.includes("id");

/** @returns {Report} what is to be said of an element that only holds others */
tabmux.factPlace = function (/** @type {Met} */ met) {
  const {element, name, names, role} = met;
  /** @type {Report} */
  const own = {r: met.ref, t: name};
  if (role !== "generic" && role !== "none") own.o = role;
  if (NAMED.has(role) || name === "label") {
    const named = role === "heading" || name === "label" ? tabmux.contentOf(element) : tabmux.nameOf(element);
    if (named) own.n = tabmux.factText(named, 120);
  }
  if (!names.length) return own;
  setPlace(own, element, names);
  const semantic = KEPT.has(role) || KEPT_TAGS.has(name);
  if (semantic || names.includes("itemtype") || names.includes("aria-label")) {
    const attributes = tabmux.factAttributes(element, names);
    if (attributes) own.a = attributes;
  }
  if (name === "form" && tabmux.factDisabled(element)) own.s = "d";
  return own;
};
