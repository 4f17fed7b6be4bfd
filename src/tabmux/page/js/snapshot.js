// @ts-check
// A document as text: one line for each thing an agent can see or use.

const {tag, documentElement, title, url} = tabmux.dom;

/** @typedef {import("./entries.js").Entry} Entry */

/**
 * @typedef {object} Options
 * @property {string} prefix what stands before a label in a uid
 * @property {number} epoch
 * @property {boolean} [verbose] print every visible element
 * @property {number} [root] the label of the element to start from; 0 for the document
 * @property {number} [depth] how deep to print; 0 for all
 */

/**
 * @typedef {object} Snapshot
 * @property {string} text
 * @property {number} last the highest label given so far
 * @property {{frame: string, label: number, line: number, indent: number}[]} frames where the
 *   content of frames belongs: below which line, with how many spaces
 * @property {number[]} opaque labels of what may hide a closed shadow root
 * @property {string[]} troubles what went wrong with elements that had to be left out
 */

const FRAMES = new Set(["iframe", "frame", "object"]);

/** Whose name is their content, so that nothing of it is cut. */
const WORDY = new Set([
  "row", "listitem", "cell", "gridcell", "columnheader", "rowheader", "clickable",
]);

const NOTHING = {entries: [], suspects: [], troubles: []};

/** @type {string[]} */
let lines;
/** @type {Snapshot["frames"]} */
let frames;
let prefix = "";
let limit = 0;

/**
 * @param {Options} options
 * @returns {Snapshot}
 */
tabmux.snapshot = function ({prefix: given, epoch, verbose = false, root = 0, depth = 0}) {
  tabmux.begin(epoch);
  lines = [];
  frames = [];
  prefix = given;
  limit = depth || Infinity;
  const start = root ? tabmux.elementOf(root) : documentElement.call(document);
  const {entries, suspects, troubles} = start ? tabmux.walk(start, verbose) : NOTHING;
  if (start && root) printPart(start, entries);
  else if (start) print(documentEntry(start, entries), 0);
  const opaque = suspects.map(tabmux.labelOf);
  return {text: lines.join("\n"), last: tabmux.lastLabel(), frames, opaque, troubles};
};

function documentEntry(/** @type {Element} */ element, /** @type {Entry[]} */ entries) {
  const same = entries.length === 1 && entries[0].element === element;
  const children = same ? entries[0].children : entries;
  const entry = tabmux.entryOf("RootWebArea", tabmux.collapsed(title.call(document)), element);
  const details = ` url=${tabmux.quoted(url.call(document))}`;
  return Object.assign(entry, {labelled: true, children, details});
}

/** A part starts with the element that was asked for, even one that alone gets no line. */
function printPart(/** @type {Element} */ element, /** @type {Entry[]} */ entries) {
  if (entries.length === 1 && entries[0].element === element) {
    entries[0].labelled = true;
    return print(entries[0], 0);
  }
  const entry = tabmux.entryOf(tabmux.roleOf(element), "", element);
  print(Object.assign(entry, {labelled: true, children: entries}), 0);
}

function print(/** @type {Entry} */ entry, /** @type {number} */ depth) {
  lines.push(indent(depth) + lineOf(entry, depth));
  if (entry.children.length) printAll(entry.children, depth + 1);
}

function printAll(/** @type {Entry[]} */ entries, /** @type {number} */ depth) {
  if (depth > limit) lines.push(`${indent(depth)}… ${sizeOf(entries)} more`);
  else for (const entry of entries) print(entry, depth);
}

/** @type {string[]} */
const indents = [];

function indent(/** @type {number} */ depth) {
  return (indents[depth] ??= " ".repeat(depth));
}

/** How many lines entries and what is in them would take. */
function sizeOf(/** @type {Entry[]} */ entries) {
  let size = entries.length;
  for (const entry of entries) size += sizeOf(entry.children);
  return size;
}

function lineOf(/** @type {Entry} */ entry, /** @type {number} */ depth) {
  const {role, name} = entry;
  if (role === "") return tabmux.quoted(name);
  if (role === "…") return `… ${name}`;
  const uid = entry.labelled ? `uid=${prefix}${labelFor(entry, depth)} ` : "";
  const shown = WORDY.has(role) ? name : tabmux.cut(name, tabmux.NAME_LIMIT);
  const called = shown ? ` ${tabmux.quoted(shown)}` : "";
  return uid + role + called + entry.details;
}

function labelFor(/** @type {Entry} */ entry, /** @type {number} */ depth) {
  const element = /** @type {Element} */ (entry.element);
  const label = tabmux.labelOf(element);
  if (FRAMES.has(tag.call(element))) {
    frames.push({frame: tabmux.frameOf(element), label, line: lines.length, indent: depth + 1});
  }
  return label;
}
