// @ts-check
// The attributes of a line in a snapshot, in their fixed order and without noise.

const {hasAttribute, tag} = tabmux.dom;

/** @typedef {import("./names.js").Naming} Naming */

/** How much of a name or a description is printed. */
tabmux.NAME_LIMIT = 200;
/** How much of what a field holds is printed. */
const VALUE_LIMIT = 400;

const WORDS = [
  "checked", "pressed", "selected", "expanded", "disabled", "required", "readonly", "focused",
  "modal", "busy", "multiselectable", "invalid",
];
const LIMITED = new Set(["slider", "spinbutton"]);

/**
 * @param {Element} element
 * @param {string} role
 * @param {Naming} naming
 * @param {boolean} [plain] whether it has no attribute that could tell anything
 * @returns {string} the attributes, with a space before each
 */
tabmux.detailsOf = function (element, role, naming, plain = false) {
  if (plain && tabmux.isWithoutStates(element, role)) return "";
  const states = tabmux.statesOf(element, role, plain);
  const said = plain ? "" : remarks(states, element, naming);
  return words(states, element) + values(states, element, role, naming) + said + rest(states, element, role);
};

function words(/** @type {States} */ states, /** @type {Element} */ element) {
  let text = "";
  for (const word of isEmpty(states) ? [] : WORDS) {
    const state = states[word];
    if (state === undefined) continue;
    if (word !== "expanded") text += state === true ? ` ${word}` : ` ${word}=${tabmux.quoted(state)}`;
    else if (state) text += " expanded";
    else if (tag.call(element) !== "select") text += " collapsed";
  }
  return text;
}

/**
 * @param {States} states
 * @param {Element} element
 * @param {string} role
 * @param {Naming} naming
 */
function values(states, element, role, naming) {
  let text = "";
  const value = tabmux.valueOf(element, role);
  if (value && value !== naming.name) {
    text += ` value=${tabmux.quoted(tabmux.cut(value, VALUE_LIMIT))}`;
    if (value.length > VALUE_LIMIT) text += ` length="${value.length}"`;
  }
  if (states.valuetext && states.valuetext !== value) {
    text += ` valuetext=${tabmux.quoted(states.valuetext)}`;
  }
  if (role === "heading" || hasAttribute.call(element, "aria-level")) text += ` level="${states.level}"`;
  return text;
}

/** What is said about an element besides its name. */
function remarks(/** @type {States} */ states, /** @type {Element} */ element, /** @type {Naming} */ naming) {
  let text = "";
  const description = [tabmux.descriptionOf(element, naming), errorOf(states, element)]
    .filter(Boolean).join(" ");
  if (description) text += ` description=${tabmux.quoted(tabmux.cut(description, tabmux.NAME_LIMIT))}`;
  const placeholder = tabmux.placeholderOf(element);
  if (placeholder && placeholder !== naming.name && placeholder !== description) {
    text += ` placeholder=${tabmux.quoted(tabmux.cut(placeholder, tabmux.NAME_LIMIT))}`;
  }
  return text;
}

/** What is wrong with what a field holds, where the page says so. */
function errorOf(/** @type {States} */ states, /** @type {Element} */ element) {
  return states.invalid ? tabmux.referredTexts(element, "aria-errormessage") : "";
}

function isEmpty(/** @type {object} */ states) {
  for (const _ in states) return false;
  return true;
}

function rest(/** @type {States} */ states, /** @type {Element} */ element, /** @type {string} */ role) {
  if (isEmpty(states)) return "";
  let text = "";
  if (states.haspopup && hasAttribute.call(element, "aria-haspopup")) {
    text += ` haspopup=${tabmux.quoted(states.haspopup)}`;
  }
  if (LIMITED.has(role)) {
    if (states.valuemin !== undefined) text += ` valuemin="${states.valuemin}"`;
    if (states.valuemax !== undefined) text += ` valuemax="${states.valuemax}"`;
  }
  for (const key of ["keyshortcuts", "roledescription", "current"]) {
    if (states[key] !== undefined) text += ` ${key}=${tabmux.quoted(states[key])}`;
  }
  if (states.live && hasAttribute.call(element, "aria-live")) text += ` live=${tabmux.quoted(states.live)}`;
  return text;
}

const SPECIAL = /["\\\n]/;

/** @returns {string} the text in quotes, on one line */
tabmux.quoted = function (/** @type {unknown} */ value) {
  const text = String(value);
  if (!SPECIAL.test(text)) return `"${text}"`;
  return `"${text.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n")}"`;
};

/** @returns {string} the text; of one that is too long, its start and its end */
tabmux.cut = function (/** @type {string} */ text, /** @type {number} */ most) {
  if (text.length <= most) return text;
  const rest = Math.floor(most / 4);
  // Some characters are two: none of them is cut in half.
  const start = text.slice(0, most - rest - 3).replace(/[\ud800-\udbff]$/, "").trimEnd();
  return `${start} … ${text.slice(-rest).replace(/^[\udc00-\udfff]/, "").trimStart()}`;
};
