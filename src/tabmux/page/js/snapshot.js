// @ts-check
// A document as text: one line for each thing an agent can see or use.

const {attribute, hasAttribute, tag} = tabmux.dom;

const NAME_LIMIT = 200;
const URL_LIMIT = 150;
const INDENT = "  ";
const FRAMES = new Set(["iframe", "frame", "object"]);

/**
 * @typedef {object} Options
 * @property {string} prefix what stands before a label in a uid
 * @property {number} epoch
 * @property {boolean} [verbose] print every visible element
 * @property {number} [root] the label of the element to start from; 0 for the document
 * @property {number} [depth] how deep to print; 0 for all
 */

/** @type {string[]} */
let lines;
/** @type {{frame: string, label: number, line: number, indent: number}[]} */
let frames;
let prefix = "";
let limit = 0;

/**
 * @param {Options} options
 * @returns {{text: string, last: number, frames: object[], opaque: number[]}}
 */
tabmux.snapshot = function ({prefix: given, epoch, verbose = false, root = 0, depth = 0}) {
  tabmux.begin(epoch);
  lines = [];
  frames = [];
  prefix = given;
  limit = depth || Infinity;
  const start = root ? tabmux.elementOf(root) : tabmux.dom.documentElement.call(document);
  const {entries, suspects} = start ? tabmux.walk(start, verbose) : {entries: [], suspects: []};
  if (root) printAll(entries, 0);
  else print(documentEntry(start, entries), 0);
  const opaque = suspects.map(tabmux.labelOf);
  return {text: lines.join("\n"), last: tabmux.lastLabel(), frames, opaque};
};

function documentEntry(/** @type {Element} */ element, /** @type {any[]} */ children) {
  const name = tabmux.collapsed(tabmux.dom.title.call(document));
  const details = ` url=${quoted(tabmux.dom.url.call(document))}`;
  return {role: "RootWebArea", name, element, labelled: true, details, children};
}

function printAll(/** @type {any[]} */ entries, /** @type {number} */ depth) {
  if (depth > limit) {
    const hidden = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
    if (hidden) lines.push(`${INDENT.repeat(depth)}… ${hidden} more`);
    return;
  }
  for (const entry of entries) print(entry, depth);
}

/** How many lines an entry and what is in it would take. */
function sizeOf(/** @type {any} */ entry) {
  return entry.children.reduce((/** @type {number} */ sum, /** @type {any} */ child) => sum + sizeOf(child), 1);
}

function print(/** @type {any} */ entry, /** @type {number} */ depth) {
  const {role, name, element, labelled, children} = entry;
  let line = INDENT.repeat(depth);
  if (role === "") line += `"${escaped(name)}"`;
  else if (role === "…") line += `… ${name}`;
  else {
    const label = labelled ? tabmux.labelOf(element) : 0;
    if (label) line += `uid=${prefix}${label} `;
    line += role;
    if (name) line += ` "${escaped(labelled && role !== "row" ? cut(name, NAME_LIMIT) : name)}"`;
    line += entry.details;
    if (label && FRAMES.has(tag.call(element))) {
      frames.push({frame: tabmux.frameOf(element), label, line: lines.length, indent: 2 * (depth + 1)});
    }
  }
  lines.push(line);
  if (children.length) printAll(children, depth + 1);
}

const SPECIAL = /["\\\n]/;

function escaped(/** @type {string} */ text) {
  return SPECIAL.test(text)
    ? text.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n") : text;
}

function quoted(/** @type {string} */ text) {
  return `"${escaped(text)}"`;
}

function cut(/** @type {string} */ text, /** @type {number} */ most) {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}

const WORDS = ["checked", "pressed", "selected", "expanded", "disabled", "required", "readonly",
  "focused", "modal", "busy", "multiselectable", "invalid"];
const AFTER = ["haspopup", "valuemin", "valuemax", "keyshortcuts", "roledescription", "current", "live"];

/**
 * The attributes of a line, in their fixed order.
 * @param {Element} element
 * @param {string} role
 * @param {{name: string, from: string}} naming
 * @returns {string} with a space before each
 */
tabmux.detailsOf = function (element, role, naming) {
  const states = tabmux.statesOf(element, role);
  let text = "";
  for (const word of WORDS) {
    const state = states[word];
    if (state === undefined) continue;
    if (word === "expanded") text += state ? " expanded" : " collapsed";
    else text += state === true ? ` ${word}` : ` ${word}=${quoted(String(state))}`;
  }
  const value = tabmux.valueOf(element, role);
  if (value !== null && value !== "" && value !== naming.name) text += ` value=${quoted(value)}`;
  if (states.level !== undefined) text += ` level="${states.level}"`;
  if (role === "link") text += urlOf(element);
  const description = tabmux.descriptionOf(element, naming);
  if (description) text += ` description=${quoted(cut(description, NAME_LIMIT))}`;
  const placeholder = attribute.call(element, "placeholder");
  if (placeholder && naming.from !== "placeholder") text += ` placeholder=${quoted(cut(placeholder, NAME_LIMIT))}`;
  for (const key of AFTER) {
    if (states[key] !== undefined) text += ` ${key}=${quoted(String(states[key]))}`;
  }
  return text;
};

function urlOf(/** @type {any} */ element) {
  const written = attribute.call(element, "href");
  if (written === null) return "";
  const url = typeof element.href === "string" ? element.href : written;
  const origin = location.origin;
  const short = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  return ` url=${quoted(cut(short, URL_LIMIT))}`;
}
