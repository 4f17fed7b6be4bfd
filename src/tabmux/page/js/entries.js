// @ts-check
// Which roles get a line in a snapshot, and how lines come into their cheapest form.

/**
 * One line of a snapshot and what stands below it. Text has no role and no element.
 * @typedef {object} Entry
 * @property {string} role
 * @property {string} name
 * @property {Element | null} element
 * @property {boolean} labelled whether the line carries a uid
 * @property {string} details the attributes, ready to print
 * @property {string} address where a link leads
 * @property {Entry[]} children
 */

/** What is there to be used. */
const CONTROLS = new Set((
  "button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio " +
  "scrollbar searchbox slider spinbutton switch tab textbox treeitem ColorWell Date DateTime " +
  "InputTime DisclosureTriangle iframe Video Audio"
).split(" "));

/** Kept with a uid, whether or not they are called anything. */
const KEPT = new Set((
  "alert alertdialog application banner complementary contentinfo dialog document feed form grid " +
  "heading log main marquee menu menubar meter navigation progressbar radiogroup region search " +
  "status table tablist tabpanel timer toolbar tooltip tree treegrid PluginObject EmbeddedObject"
).split(" "));

/** Kept with a uid only when they are called something. */
const KEPT_IF_NAMED = new Set((
  "article figure group img list math note graphics-document graphics-object graphics-symbol " +
  "SvgRoot Canvas"
).split(" "));

/** Kept without a uid: they cost little and say how things belong together. */
const STRUCTURE = new Set((
  "article figure list listitem row cell gridcell columnheader rowheader"
).split(" "));

/** Whose text is never printed below them: it is in their name, or it is their value. */
const SEALED = new Set((
  "button checkbox radio switch option tab menuitemcheckbox menuitemradio textbox searchbox slider " +
  "spinbutton scrollbar"
).split(" "));

/** Which end with their name: below them, only what can be used is printed. */
const NAMED_LEAVES = new Set(["heading", "img", "meter", "progressbar", "math", "tooltip"]);

/** Part of the text, where the text is already told. */
const TOLD_ROLES = new Set((
  "heading img list listitem cell gridcell columnheader rowheader math SvgRoot graphics-symbol " +
  "graphics-object graphics-document"
).split(" "));

/** @typedef {{[kind in "CONTROLS" | "KEPT" | "KEPT_IF_NAMED" | "STRUCTURE" | "SEALED" | "NAMED_LEAVES" | "TOLD_ROLES"]: Set<string>}} Kinds */

/** The role of an entry that only holds what was walked afterwards, in its place. */
tabmux.DEFERRED = "deferred";

tabmux.kinds = {CONTROLS, KEPT, KEPT_IF_NAMED, STRUCTURE, SEALED, NAMED_LEAVES, TOLD_ROLES};

const CELLS = new Set(["cell", "gridcell", "columnheader", "rowheader"]);

/** Worth a line even when they are empty. */
const SOLID = new Set("meter progressbar PluginObject EmbeddedObject application".split(" "));

/**
 * @param {string} role
 * @param {string} name
 * @param {Element | null} element
 * @returns {Entry}
 */
tabmux.entryOf = function (role, name, element) {
  return {role, name, element, labelled: false, details: "", address: "", children: []};
};

/** @returns {boolean} whether a role is that of a cell in a table */
tabmux.isCell = (/** @type {string} */ role) => CELLS.has(role);

/**
 * @param {Entry} entry a structure whose children are complete
 * @param {boolean} stays whether it must be kept for what it is, even without content
 * @returns {Entry | null} what is to be printed for it
 */
tabmux.folded = function (entry, stays) {
  const {role} = entry;
  tabmux.dropRepeatedText(entry);
  if (role === "row") foldRow(entry);
  else if (role === "listitem" || CELLS.has(role)) takeText(entry);
  if (role === "listitem" && isBare(entry) && entry.children.length === 1) return entry.children[0];
  if (stays || SOLID.has(role) || CELLS.has(role)) return entry;
  return entry.name || entry.children.length ? entry : null;
};

/** Nothing but a wrapper. */
function isBare(/** @type {Entry} */ entry) {
  return !entry.labelled && !entry.name && !entry.details;
}

/** Text at the start of an item becomes what the item is called. */
function takeText(/** @type {Entry} */ entry) {
  if (!entry.name && entry.children[0]?.role === "") {
    entry.name = /** @type {Entry} */ (entry.children.shift()).name;
  }
}

/** A row of plain cells is one line; in another, a cell of one thing is that thing. */
function foldRow(/** @type {Entry} */ row) {
  const {children} = row;
  if (!row.name && children.length && children.every(isPlainCell)) {
    row.name = children.map((cell) => cell.name).join(" | ");
    if (children.every((cell) => cell.role === "columnheader")) row.details += " header";
    row.children = [];
    return;
  }
  row.children = children.map((cell) => isCellOfOneThing(cell) ? cell.children[0] : cell);
}

/** A cell that can be used is no more than the control in it, which takes what is done to either. */
function isCellOfOneThing(/** @type {Entry} */ cell) {
  const {children, name, details, labelled} = cell;
  if (!CELLS.has(cell.role) || name || details || children.length !== 1) return false;
  return !labelled || CONTROLS.has(children[0].role);
}

function isPlainCell(/** @type {Entry} */ cell) {
  return CELLS.has(cell.role) && !cell.labelled && !cell.details && !cell.children.length;
}

/** Text that only repeats the name or the value above it goes. */
tabmux.dropRepeatedText = function (/** @type {Entry} */ entry) {
  const [first] = entry.children;
  if (!first || first.role !== "" || first.name.length > tabmux.NAME_LIMIT) return;
  const repeated = first.name === entry.name || entry.details.includes(` value=${tabmux.quoted(first.name)}`);
  if (repeated) entry.children.shift();
};

function isWords(/** @type {Entry} */ entry) {
  return entry.role === "" || (entry.role === "img" && !entry.children.length);
}

/**
 * @param {Entry} entry something that reacts to clicks and has no role
 * @param {(role: string) => boolean} isControl
 * @returns {Entry} the entry, or the control that it merely wraps
 */
tabmux.foldedClickable = function (entry, isControl) {
  const {children} = entry;
  if (children.every(isWords)) {
    entry.name = children.map((child) => child.name).join(" ");
    entry.children = [];
  } else if (children.length === 1 && isControl(children[0].role)) {
    return children[0];
  } else {
    takeText(entry);
  }
  return entry;
};
