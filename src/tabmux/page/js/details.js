// @ts-check
// The attributes of a line in a snapshot, in their fixed order and without noise.

const {attribute, hasAttribute, tag} = tabmux.dom;

const TEXT_LIMIT = 200;
const URL_LIMIT = 150;

const WORDS = [
  "checked", "pressed", "selected", "expanded", "disabled", "required", "readonly", "focused",
  "modal", "busy", "multiselectable", "invalid",
];
const LIMITED = new Set(["slider", "spinbutton"]);

/**
 * @param {Element} element
 * @param {string} role
 * @param {{name: string, from: string}} naming
 * @returns {string} the attributes, with a space before each
 */
tabmux.detailsOf = function (element, role, naming) {
  const states = tabmux.statesOf(element, role);
  return words(states, element) + values(states, element, role, naming) + rest(states, element, role);
};

function words(/** @type {any} */ states, /** @type {Element} */ element) {
  let text = "";
  for (const word of WORDS) {
    const state = states[word];
    if (state === undefined) continue;
    if (word !== "expanded") text += state === true ? ` ${word}` : ` ${word}=${tabmux.quoted(state)}`;
    else if (state) text += " expanded";
    else if (tag.call(element) !== "select") text += " collapsed";
  }
  return text;
}

function values(/** @type {any} */ states, /** @type {Element} */ element, /** @type {string} */ role, /** @type {any} */ naming) {
  let text = "";
  const value = tabmux.valueOf(element, role);
  if (value && value !== naming.name) text += ` value=${tabmux.quoted(value)}`;
  if (states.valuetext && states.valuetext !== value) text += ` valuetext=${tabmux.quoted(states.valuetext)}`;
  if (role === "heading" || hasAttribute.call(element, "aria-level")) text += ` level="${states.level}"`;
  if (role === "link") text += urlOf(element);
  const description = tabmux.descriptionOf(element, naming);
  if (description) text += ` description=${tabmux.quoted(tabmux.cut(description, TEXT_LIMIT))}`;
  const placeholder = tabmux.placeholderOf(element);
  if (placeholder && placeholder !== naming.name && placeholder !== description) {
    text += ` placeholder=${tabmux.quoted(tabmux.cut(placeholder, TEXT_LIMIT))}`;
  }
  return text;
}

function rest(/** @type {any} */ states, /** @type {Element} */ element, /** @type {string} */ role) {
  let text = "";
  if (hasAttribute.call(element, "aria-haspopup") && states.haspopup) text += ` haspopup="${states.haspopup}"`;
  if (LIMITED.has(role)) {
    if (states.valuemin !== undefined) text += ` valuemin="${states.valuemin}"`;
    if (states.valuemax !== undefined) text += ` valuemax="${states.valuemax}"`;
  }
  for (const key of ["keyshortcuts", "roledescription", "current"]) {
    if (states[key] !== undefined) text += ` ${key}=${tabmux.quoted(states[key])}`;
  }
  if (states.live && hasAttribute.call(element, "aria-live")) text += ` live="${states.live}"`;
  return text;
}

function urlOf(/** @type {any} */ element) {
  const written = attribute.call(element, "href");
  if (written === null) return "";
  const url = typeof element.href === "string" ? element.href : written;
  const {origin} = location;
  const short = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  return ` url=${tabmux.quoted(tabmux.cut(short, URL_LIMIT))}`;
}

const SPECIAL = /["\\\n]/;

/** @returns {string} the text in quotes, on one line */
tabmux.quoted = function (/** @type {any} */ value) {
  const text = String(value);
  return SPECIAL.test(text) ? `"${text.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n")}"` : `"${text}"`;
};

/** @returns {string} the text, with an ellipsis where it is too long */
tabmux.cut = function (/** @type {string} */ text, /** @type {number} */ most) {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
};
