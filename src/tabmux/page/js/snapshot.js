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
 * @property {number} [seconds] how long elements may be visited
 * @property {boolean} [search] print all that somebody could look for: every option and address, texts with uids
 */

/**
 * @typedef {object} Snapshot
 * @property {string} text
 * @property {number} last the highest label given so far
 * @property {{frame: string, label: number, line: number, indent: number}[]} frames where the
 *   content of frames belongs: below which line, with how many spaces
 * @property {number[]} opaque labels of what may hide a closed shadow root
 * @property {number[]} questions labels of custom elements that may say of themselves what they are
 * @property {number} unasked how many of these nobody has been asked about; they come first
 * @property {string[]} troubles what went wrong with elements that could not be read
 * @property {boolean} cut whether the end is missing for want of time
 * @property {boolean} [grown] whether elements have come since an action began
 */

/** A page of a million elements takes half as long on a machine that does nothing else. */
const WALK_SECONDS = 5;

const FRAMES = new Set(["iframe", "frame", "object"]);

/** Whose name is their content, so that nothing of it is cut. */
const WORDY = new Set([
  "row", "listitem", "cell", "gridcell", "columnheader", "rowheader", "clickable",
]);

const NOTHING = {entries: [], suspects: [], troubles: [], cut: false};

/** @type {string[]} */
let lines;
/** @type {Snapshot["frames"]} */
let frames;
let prefix = "";
let limit = 0;
/** Whether everything that is printed gets a uid. */
let searching = false;
/** Whether every address is printed. */
let addresses = false;

/**
 * @param {Options} options
 * @returns {Snapshot}
 */
tabmux.snapshot = function ({
  prefix: given, epoch, verbose = false, root = 0, depth = 0, search = false, seconds = WALK_SECONDS,
}) {
  tabmux.begin(epoch);
  // What changes by itself is known then when something is done.
  tabmux.observe();
  lines = [];
  frames = [];
  prefix = given;
  limit = depth || Infinity;
  searching = search;
  addresses = search || verbose || root > 0;
  const start = root ? tabmux.elementOf(root) : documentElement.call(document);
  const {entries, suspects, troubles, cut} = start ? tabmux.walk(start, verbose, search, seconds) : NOTHING;
  if (start && root) printPart(start, entries);
  else if (start) print(documentEntry(start, entries), 0);
  const opaque = suspects.map(tabmux.labelOf), {labels: questions, unasked} = tabmux.questions();
  // Halves of characters, which pages can write, are no JSON.
  const text = /** @type {any} */ (lines.join("\n")).toWellFormed();
  return {text, last: tabmux.lastLabel(), frames, opaque, questions, unasked, troubles, cut};
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

/** Prints an entry and all below it; trees may be deeper than calls can be nested. */
function print(/** @type {Entry} */ top, /** @type {number} */ start) {
  const stack = [{entries: [top], at: 0, depth: start}];
  for (let level = stack[0]; level; level = stack[stack.length - 1]) {
    const {entries, depth} = level;
    if (level.at === entries.length) {
      stack.pop();
    } else if (depth > limit) {
      lines.push(`${indent(depth)}… ${sizeOf(entries)} more`);
      stack.pop();
    } else {
      const entry = entries[level.at++];
      if (isRepeated(entry)) continue;
      const inPlace = entry.role === tabmux.DEFERRED;
      if (!inPlace) lines.push(indent(depth) + lineOf(entry, depth));
      if (entry.children.length) stack.push({entries: entry.children, at: 0, depth: inPlace ? depth : depth + 1});
    }
  }
}

/** Whether a link is only another way to use one that is called something, such as the picture beside a title. */
function isRepeated(/** @type {Entry} */ {role, name, address, details, children}) {
  if (role !== "link" || name || !address || addresses) return false;
  return !details && !children.length && tabmux.isRepeated(address);
}

/** Levels below this one are not moved further to the right: deep pages would be mostly spaces. */
const MOST_INDENT = 50;
const INDENTS = Array.from({length: MOST_INDENT + 1}, (_, depth) => " ".repeat(depth));

function indent(/** @type {number} */ depth) {
  return INDENTS[Math.min(depth, MOST_INDENT)];
}

/** How many lines entries and what is in them would take. */
function sizeOf(/** @type {Entry[]} */ entries) {
  let size = 0;
  const open = [entries];
  for (let some = open.pop(); some; some = open.pop()) {
    for (const {role, children} of some) {
      if (role !== tabmux.DEFERRED) size += 1;
      if (children.length) open.push(children);
    }
  }
  return size;
}

function lineOf(/** @type {Entry} */ entry, /** @type {number} */ depth) {
  const {role, name} = entry;
  const named = entry.labelled || (searching && entry.element);
  const uid = named ? `uid=${prefix}${labelFor(entry, depth)} ` : "";
  if (role === "") return (uid && `${uid}text `) + tabmux.quoted(name);
  if (role === "…") return `… ${name}`;
  const shown = WORDY.has(role) ? name : tabmux.cut(name, tabmux.NAME_LIMIT);
  const called = shown ? ` ${tabmux.quoted(shown)}` : "";
  const address = entry.address && tabmux.printedAddress(name, entry.address, addresses);
  return uid + role + called + entry.details + address;
}

function labelFor(/** @type {Entry} */ entry, /** @type {number} */ depth) {
  const element = /** @type {Element} */ (entry.element);
  const label = tabmux.labelOf(element);
  if (FRAMES.has(tag.call(element))) {
    frames.push({frame: tabmux.frameOf(element), label, line: lines.length, indent: Math.min(depth, MOST_INDENT) + 1});
  }
  return label;
}
