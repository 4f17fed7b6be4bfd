// @ts-check
// Walks the document once and keeps what an agent can read or use: the tree behind a snapshot.

const {
  tag, attribute, hasAttribute, attributeNames, nodeType, data, firstChild, nextSibling,
  firstElement, nextElement, elementsByTag, assignedNodes, query, checkVisibility,
} = tabmux.dom;

/** @typedef {import("./fold.js").Entry} Entry */

/**
 * An element on the walk.
 * @typedef {object} Stop
 * @property {Element} element
 * @property {string} name its tag
 * @property {string} role
 * @property {string[]} attributes
 * @property {CSSStyleDeclaration} style
 * @property {string} cursor
 * @property {boolean} inline whether the text around it runs on
 * @property {boolean} shut whether its content is not rendered
 * @property {boolean} clickable whether clicks start to matter here
 * @property {number} flags what is known from above
 */

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
  "article figure group img list math note graphics-document graphics-object graphics-symbol SvgRoot Canvas"
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
  "heading img article figure list listitem row cell gridcell columnheader rowheader table math " +
  "SvgRoot graphics-symbol graphics-object graphics-document group note"
).split(" "));

const LEAF_TAGS = new Set((
  "input textarea img iframe frame video audio progress meter embed"
).split(" "));

/** What could stand inside a control and still want a line of its own. */
const INTERACTIVE =
  "a[href],button,input,select,textarea,summary,iframe,[tabindex],[role],[contenteditable],[onclick]";

const NAME_LIMIT = 200;
const OPTION_LIMIT = 50;

// What is known from above: the text is told already, a control is around, it is not visible.
const TOLD = 1;
const INSIDE = 2;
const UNSEEN = 4;
const SILENCED = TOLD | UNSEEN;

/** @type {Entry} */
let container;
/** The line of text that is being read. */
let run = "";
let verbose = false;
/** @type {Element | null} */
let modal = null;
/** @type {Set<Element>} */
let aroundModal = new Set();
/** @type {Element[]} */
let suspects = [];

/**
 * @param {Element} root
 * @param {boolean} whole whether to keep everything that is visible
 * @returns {{entries: Entry[], suspects: Element[]}} the tree, and the elements that may hide
 *   a closed shadow root
 */
tabmux.walk = function (root, whole) {
  verbose = whole;
  container = tabmux.entryOf("", "", null);
  run = "";
  suspects = [];
  remember();
  try {
    modal = tabmux.modal();
    aroundModal = pathOf(modal);
    const parent = tabmux.parentOf(root);
    visit(root, parent ? getComputedStyle(parent).cursor : "auto", 0);
    flush();
  } finally {
    forget();
  }
  return {entries: container.children, suspects};
};

function remember() {
  tabmux.rememberOwners();
  tabmux.rememberRoles();
  tabmux.rememberStyles();
  tabmux.rememberFocus();
}

function forget() {
  tabmux.forgetOwners();
  tabmux.forgetRoles();
  tabmux.forgetStyles();
  tabmux.forgetFocus();
}

/** @returns {Set<Element>} the element and everything around it */
function pathOf(/** @type {Element | null} */ element) {
  const path = new Set();
  for (let at = element; at; at = tabmux.parentOf(at)) path.add(at);
  return path;
}

/** Ends the line of text. */
function flush() {
  if (!run) return;
  const text = tabmux.collapsed(run);
  run = "";
  if (text) container.children.push(tabmux.entryOf("", text, null));
}

/** Runs a part of the walk with an entry as the container of what is found. */
function within(/** @type {Entry} */ entry, /** @type {() => void} */ walk) {
  flush();
  const outer = container;
  container = entry;
  walk();
  flush();
  container = outer;
}

function keep(/** @type {Entry | null} */ entry) {
  flush();
  if (entry) container.children.push(entry);
}

function visit(/** @type {Element} */ element, /** @type {string} */ cursor, /** @type {number} */ flags) {
  const name = tag.call(element);
  if (name === "br") {
    if (!(flags & SILENCED)) run += " ";
    return;
  }
  if (tabmux.isSilent(name)) return;
  const attributes = attributeNames.call(element);
  if (isOutOfReach(element, attributes)) return;
  const style = getComputedStyle(element);
  const {display} = style;
  if (display === "none" && name !== "area") return;
  if (name === "embed" && !checkVisibility.call(element)) return;
  const outer = modal;
  if (element === modal) modal = null;
  show(stopAt(element, name, attributes, style, display, cursor, flags));
  modal = outer;
}

/** @returns {boolean} whether it is hidden from readers, inert, or behind a modal dialog */
function isOutOfReach(/** @type {Element} */ element, /** @type {string[]} */ attributes) {
  let inert = modal !== null;
  for (const name of attributes) {
    if (name === "inert") inert = true;
    else if (name === "aria-hidden" && attribute.call(element, name) === "true" && !tabmux.holdsFocus(element)) return true;
  }
  return inert && !aroundModal.has(element);
}

/** @returns {Stop} */
function stopAt(/** @type {Element} */ element, /** @type {string} */ name, /** @type {string[]} */ attributes, /** @type {CSSStyleDeclaration} */ style, /** @type {string} */ display, /** @type {string} */ above, /** @type {number} */ flags) {
  const inline = tabmux.isInline(display);
  const {cursor} = style;
  return {
    element, name, attributes, style, cursor, inline,
    role: tabmux.roleOf(element),
    shut: !inline && style.contentVisibility === "hidden",
    clickable: !(flags & INSIDE) && (cursor === "pointer" && above !== "pointer" || hasHandler(element, attributes)),
    flags: style.visibility === "visible" ? flags & ~UNSEEN : flags | UNSEEN,
  };
}

function hasHandler(/** @type {Element} */ element, /** @type {string[]} */ attributes) {
  for (const name of attributes) {
    if (name === "onclick") return true;
    if (name === "tabindex" && parseInt(attribute.call(element, name) ?? "", 10) >= 0) return true;
  }
  return false;
}

function show(/** @type {Stop} */ stop) {
  const {role, flags} = stop;
  if (flags & UNSEEN) visitChildren(stop, flags);
  else if (CONTROLS.has(role)) showControl(stop, role);
  else if (stop.name === "label" && !verbose && role === "LabelText") showLabel(stop);
  else if (tabmux.isEditingHost(stop.element)) showControl(stop, role === "generic" ? "textbox" : role);
  else if (!showStructure(stop)) {
    if (stop.clickable) showClickable(stop);
    else passThrough(stop);
  }
}

/** What is nothing by itself leaves only its content, on lines of its own unless it is inline. */
function passThrough(/** @type {Stop} */ stop) {
  suspect(stop);
  if (!stop.inline) flush();
  visitChildren(stop, stop.flags);
  if (!stop.inline) flush();
}

function visitChildren(/** @type {Stop} */ stop, /** @type {number} */ flags) {
  const {element, name, cursor} = stop;
  if (stop.shut) return;
  const root = tabmux.shadowOf(element);
  if (root) {
    tabmux.collectOwners(root);
    tabmux.noteTree(root);
  }
  addGenerated(element, "::before", flags);
  if (name === "details" && !hasAttribute.call(element, "open")) visitSummary(stop, flags);
  else if (!root && name === "slot" && assignedNodes.call(element).length) {
    for (const node of assignedNodes.call(element)) visitNode(node, element, cursor, flags);
  } else {
    for (let node = firstChild.call(root ?? element); node; node = nextSibling.call(node)) {
      visitNode(node, element, cursor, flags);
    }
  }
  for (const owned of tabmux.ownedBy(element)) visit(owned, cursor, flags & ~UNSEEN);
  addGenerated(element, "::after", flags);
}

function visitNode(/** @type {any} */ node, /** @type {Element} */ parent, /** @type {string} */ cursor, /** @type {number} */ flags) {
  const type = nodeType.call(node);
  if (type === 1) {
    if (!tabmux.claimerOf(node)) visit(node, cursor, flags);
  } else if (type === 3 && !(flags & SILENCED)) {
    run += tabmux.rendered(data.call(node), parent);
  }
}

function visitSummary(/** @type {Stop} */ stop, /** @type {number} */ flags) {
  for (let node = firstElement.call(stop.element); node; node = nextElement.call(node)) {
    if (tag.call(node) === "summary") return visit(node, stop.cursor, flags);
  }
}

function addGenerated(/** @type {Element} */ element, /** @type {"::before" | "::after"} */ which, /** @type {number} */ flags) {
  if (!(flags & SILENCED)) run += tabmux.generatedText(element, which);
}

/** An entry that carries a uid. */
function labelled(/** @type {Element} */ element, /** @type {string} */ role, /** @type {any} */ naming) {
  const entry = tabmux.entryOf(role, naming.name, element);
  entry.labelled = true;
  entry.details = tabmux.detailsOf(element, role, naming);
  return entry;
}

function showControl(/** @type {Stop} */ stop, /** @type {string} */ role) {
  const {element, flags} = stop;
  const naming = tabmux.namingOf(element, role);
  const entry = labelled(element, role, naming);
  keep(entry);
  suspect(stop);
  if (stop.name === "select") return showOptions(element, entry);
  if (isLeaf(stop)) return;
  const told = SEALED.has(role) || (naming.from === "content" && naming.name.length <= NAME_LIMIT);
  if (told && !verbose && !mayHoldControls(element)) return;
  within(entry, () => visitChildren(stop, flags | INSIDE | (told && !verbose ? TOLD : 0)));
  if (!verbose) tabmux.dropEcho(entry);
}

function isLeaf(/** @type {Stop} */ {element, name, shut}) {
  return shut || LEAF_TAGS.has(name) ||
    (firstChild.call(element) === null && !tabmux.shadowOf(element) && !hasAttribute.call(element, "aria-owns"));
}

function mayHoldControls(/** @type {Element} */ element) {
  if (tabmux.shadowOf(element)) return true;
  if (!firstElement.call(element)) return false;
  if (query.call(element, INTERACTIVE)) return true;
  for (const inner of elementsByTag.call(element, "*")) if (tabmux.shadowOf(inner)) return true;
  return false;
}

function showOptions(/** @type {Element} */ select, /** @type {Entry} */ entry) {
  const left = addOptions(select, entry, {seen: 0}).seen - OPTION_LIMIT;
  if (left > 0 && !verbose) entry.children.push(tabmux.entryOf("…", `${left} more options`, null));
}

function addOptions(/** @type {Element} */ parent, /** @type {Entry} */ into, /** @type {{seen: number}} */ count) {
  for (let child = firstElement.call(parent); child; child = nextElement.call(child)) {
    const name = tag.call(child);
    if (name === "option") {
      if (getComputedStyle(child).display !== "none") addOption(child, into, count);
    } else if (name === "optgroup") {
      const group = labelled(child, "group", tabmux.namingOf(child, "group"));
      addOptions(child, group, count);
      if (group.children.length) into.children.push(group);
    } else {
      addOptions(child, into, count);
    }
  }
  return count;
}

function addOption(/** @type {any} */ option, /** @type {Entry} */ into, /** @type {{seen: number}} */ count) {
  if (option.selected || count.seen < OPTION_LIMIT || verbose) {
    into.children.push(labelled(option, "option", tabmux.namingOf(option, "option")));
  }
  // One that is selected is shown wherever it stands, and is not among those left out.
  if (!option.selected || count.seen < OPTION_LIMIT) count.seen += 1;
}

/** The text of a label is in the name of its field; if that cannot be seen, the label stands for it. */
function showLabel(/** @type {Stop} */ stop) {
  const label = /** @type {HTMLLabelElement} */ (stop.element);
  const {control} = label;
  if (control && attribute.call(control, "type") !== "hidden" && !tabmux.isVisible(control)) return showStandIn(stop, control);
  const told = control !== null && !hasAttribute.call(control, "aria-label") && !hasAttribute.call(control, "aria-labelledby");
  if (!stop.inline) flush();
  visitChildren(stop, told ? stop.flags | TOLD : stop.flags);
  if (!stop.inline) flush();
}

function showStandIn(/** @type {Stop} */ stop, /** @type {Element} */ control) {
  const entry = tabmux.entryOf("clickable", tabmux.contentOf(stop.element), stop.element);
  entry.labelled = true;
  entry.details = tabmux.detailsOf(control, tabmux.roleOf(control), {name: entry.name, from: "content"});
  within(entry, () => visitChildren(stop, stop.flags | INSIDE | TOLD));
  keep(entry);
}

/** @returns {boolean} whether the element got a line */
function showStructure(/** @type {Stop} */ stop) {
  const {element, role, flags} = stop;
  if (flags & TOLD && TOLD_ROLES.has(role)) return false;
  const kept = KEPT.has(role) || isLive(stop);
  if (!kept && !STRUCTURE.has(role) && !KEPT_IF_NAMED.has(role) && !verbose) return false;
  const naming = tabmux.namingOf(element, role);
  const named = naming.name !== "" && KEPT_IF_NAMED.has(role);
  const usable = stop.clickable || stop.attributes.includes("tabindex");
  const labels = kept || named || verbose || (usable && STRUCTURE.has(role)) || (stop.clickable && role === "img");
  if (!labels && !STRUCTURE.has(role)) return false;
  const entry = labels ? labelled(element, role, naming) : tabmux.entryOf(role, "", element);
  fill(entry, stop, naming);
  keep(verbose ? entry : tabmux.folded(entry, named || usable));
  return true;
}

function isLive(/** @type {Stop} */ {element, attributes}) {
  return attributes.includes("aria-live") && attribute.call(element, "aria-live") !== "off";
}

function fill(/** @type {Entry} */ entry, /** @type {Stop} */ stop, /** @type {any} */ naming) {
  const {element, role, name, attributes} = stop;
  const byContent = naming.from === "content";
  if (byContent && (tabmux.isCell(role) || role === "row")) entry.name = "";
  if (!entry.labelled && attributes.some((key) => key.startsWith("aria-"))) {
    entry.details = tabmux.detailsOf(element, role, {name: naming.name, from: ""});
  }
  if (verbose && (role === "generic" || role === "none")) entry.details += ` tag="${name}"`;
  const told = NAMED_LEAVES.has(role) && naming.name !== "" && !verbose &&
    (!byContent || naming.name.length <= NAME_LIMIT);
  const flags = stop.flags | (told ? TOLD : 0) | (stop.clickable ? INSIDE : 0);
  within(entry, () => {
    if (!isLeaf(stop)) visitChildren(stop, flags);
  });
}

function showClickable(/** @type {Stop} */ stop) {
  const {element} = stop;
  const entry = tabmux.entryOf("clickable", "", element);
  entry.labelled = true;
  suspect(stop);
  within(entry, () => visitChildren(stop, stop.flags));
  const folded = tabmux.foldedClickable(entry, (/** @type {string} */ role) => CONTROLS.has(role));
  if (folded === entry) {
    const naming = tabmux.namingOf(element, "generic");
    entry.name ||= naming.name;
    entry.details = tabmux.detailsOf(element, "generic", {name: entry.name, from: "content"});
  }
  keep(folded);
}

/** Elements that may be given a shadow root, besides custom ones. */
const HOSTS = new Set((
  "article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span"
).split(" "));

/** Notes an element that may hide a closed shadow root. */
function suspect(/** @type {Stop} */ stop) {
  const {element, name} = stop;
  const custom = name.includes("-");
  if (!custom && !(HOSTS.has(name) && firstChild.call(element) === null)) return;
  if (tabmux.isExamined(element) || tabmux.shadowOf(element)) return;
  if (custom || isFilled(/** @type {HTMLElement} */ (element), stop.style)) suspects.push(element);
}

/** Whether something without children takes up room that its style does not give it. */
function isFilled(/** @type {HTMLElement} */ element, /** @type {CSSStyleDeclaration} */ style) {
  if (!element.offsetWidth || !element.offsetHeight) return false;
  if (style.display === "inline") return element.offsetWidth > edges(style, "Left", "Right");
  const declared = element.computedStyleMap();
  const free = ["height", "min-height", "aspect-ratio"].every((key) => /^(auto|0px|none)$/.test(String(declared.get(key))));
  return free && style.position !== "absolute" && style.position !== "fixed" &&
    element.offsetHeight > edges(style, "Top", "Bottom");
}

function edges(/** @type {any} */ style, /** @type {string} */ start, /** @type {string} */ end) {
  return [`padding${start}`, `padding${end}`, `border${start}Width`, `border${end}Width`]
    .reduce((sum, key) => sum + (parseFloat(style[key]) || 0), 0);
}
