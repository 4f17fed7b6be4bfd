// @ts-check
// Walks the document once and keeps what an agent can read or use: the tree behind a snapshot.

const {
  tag, attribute, hasAttribute, attributeNames, nodeType, data, firstChild, nextSibling,
  hasChildNodes, firstElement, nextElement, elementsByTag, textContent, assignedNodes, query, checkVisibility,
  documentElement, box,
} = tabmux.dom;

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./names.js").Naming} Naming */

/**
 * An element on the walk.
 * @typedef {object} Stop
 * @property {Element} element
 * @property {string} name its tag
 * @property {string} role
 * @property {boolean} control whether it is there to be used
 * @property {string[]} attributes
 * @property {CSSStyleDeclaration | null} style null until it is asked for
 * @property {string} cursor
 * @property {boolean} shut whether its content is not rendered
 * @property {boolean} clickable whether clicks start to matter here
 * @property {boolean} plain whether it has no attribute that could tell anything
 * @property {number} flags what is known from above
 */

const {CONTROLS, KEPT, KEPT_IF_NAMED, STRUCTURE, SEALED, NAMED_LEAVES, TOLD_ROLES} = tabmux.kinds;

const LEAF_TAGS = new Set((
  "input textarea img iframe frame video audio progress meter embed"
).split(" "));

/** What could stand inside a control and still want a line of its own. */
const WANTED =
  "a[href],button,input,select,textarea,summary,iframe,[tabindex],[role],[contenteditable],[onclick]," +
  "article,aside,blockquote,fieldset,figure,form,header,main,nav,output,progress,meter,search,table";

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
/** Whether everything is wanted that somebody could look for. */
let searching = false;
/** @type {Element | null} where the line of text began, when searching */
let source = null;
/** How many elements may still be visited before the clock is looked at. */
let left = 0;
/** When the walk ends, whether or not all was visited. */
let until = 0;
/** Whether something was left out for want of time. */
let cut = false;
/** How many elements are around the one that is visited. */
let depth = 0;
/** How many elements that could not be read may still be looked into. */
let rescues = 0;
/** @type {Element | null} */
let modal = null;
/** @type {Set<Element>} */
let aroundModal = new Set();
/** @type {Element[]} */
let suspects = [];
/** @type {string[]} */
let troubles = [];
/** @type {Set<Element>} elements whose text was printed as the name or description of another */
let quoted = new Set();

/** What stands so deep that the stack of calls would end is walked afterwards, in steps of so many levels. */
const DEEP = 200;

/**
 * The place of an element that is walked afterwards, with what was known when it was met.
 * @typedef {{entry: Entry, element: Element, cursor: string, flags: number, modal: Element | null}} Deferred
 */

/** @type {Deferred[]} */
let deferred = [];

/** So many elements are visited between two looks at the clock. */
const ELEMENTS_AT_ONCE = 1000;

/** So many elements that cannot be read are looked into for what is inside of them. */
const MOST_RESCUES = 20;

/**
 * @typedef {object} Walk
 * @property {Entry[]} entries the tree
 * @property {Element[]} suspects the elements that may hide a closed shadow root
 * @property {string[]} troubles what went wrong with elements that could not be read
 * @property {boolean} cut whether the end is missing for want of time
 */

/**
 * @param {Element} root
 * @param {boolean} whole whether to keep everything that is visible
 * @param {boolean} forSearch whether to keep what is only looked for: every option, where texts stand
 * @param {number} seconds after which the walk ends where it is
 * @returns {Walk}
 */
tabmux.walk = function (root, whole, forSearch, seconds) {
  verbose = whole;
  searching = forSearch;
  tabmux.beginWalk();
  try {
    modal = tabmux.modal();
    walkFrom(root, seconds);
    if (tabmux.modal() !== modal) {
      // A modal dialog has turned up inside a shadow tree: everything before it was inert.
      modal = tabmux.modal();
      walkFrom(root, seconds);
    }
  } finally {
    tabmux.endWalk();
  }
  return {entries: container.children, suspects, troubles, cut};
};

/** As many elements are enough to learn how to walk a document. */
const WARM_UP_ELEMENTS = 150;

/** Walks the beginning of a document for nothing, so that its first snapshot runs warm code. */
tabmux.warmUp = () => void tabmux.walk(documentElement.call(document), false, false, 0);

/** @returns {boolean} whether no time is left for further elements */
function isOver() {
  cut ||= performance.now() >= until;
  if (!cut) left = ELEMENTS_AT_ONCE;
  return cut;
}

function walkFrom(/** @type {Element} */ root, /** @type {number} */ seconds) {
  left = seconds > 0 ? ELEMENTS_AT_ONCE : WARM_UP_ELEMENTS;
  until = performance.now() + seconds * 1000;
  cut = false;
  container = tabmux.entryOf("", "", null);
  run = "";
  suspects = [];
  troubles = [];
  quoted = new Set();
  deferred = [];
  depth = 0;
  rescues = MOST_RESCUES;
  aroundModal = pathOf(modal);
  const whole = container, outermost = modal;
  const parent = tabmux.parentOf(root);
  visit(root, parent ? getComputedStyle(parent).cursor : "auto", 0);
  flush();
  for (let next = deferred.pop(); next; next = deferred.pop()) {
    container = next.entry;
    modal = next.modal;
    depth = 0;
    visit(next.element, next.cursor, next.flags);
    flush();
  }
  container = whole;
  modal = outermost;
}

/** Leaves a place for an element that is walked when the stack of calls is short again. */
function defer(/** @type {Element} */ element, /** @type {string} */ cursor, /** @type {number} */ flags) {
  const entry = tabmux.entryOf(tabmux.DEFERRED, "", null);
  deferred.push({entry, element, cursor, flags, modal});
  keep(entry);
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
  if (text) container.children.push(tabmux.entryOf("", text, searching ? source : null));
}

/** Goes on with the line of text. */
function read(/** @type {string} */ text, /** @type {Element} */ element) {
  if (searching && !run.trim()) source = element;
  run += text;
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

/**
 * @param {Element} element
 * @param {string} cursor the cursor of what is around
 * @param {number} flags
 */
function visit(element, cursor, flags) {
  if (left-- <= 0 && isOver()) return;
  if (depth > DEEP) return defer(element, cursor, flags);
  const name = tag.call(element);
  if (name === "br") {
    if (!(flags & SILENCED)) run += " ";
    return;
  }
  if (tabmux.isSilent(name)) return;
  const attributes = attributeNames.call(element);
  if (isOutOfReach(element, attributes)) return;
  const style = isBoxed(element, name) ? null : getComputedStyle(element);
  if (style && (name === "embed" || (style.display === "none" && name !== "area"))) return;
  const outerContainer = container, outerModal = modal, outerDepth = depth;
  if (element === modal) modal = null;
  depth += 1;
  try {
    show(stopAt(element, name, attributes, style, cursor, flags));
  } catch (error) {
    // Pages can build elements that no one thought of: one of them must not cost the snapshot.
    troubles.push(`${name}: ${error}`);
    container = outerContainer;
    depth = outerDepth + 1;
    showBare(element, name, flags);
  }
  container = outerContainer;
  modal = outerModal;
  depth = outerDepth;
}

/** What cannot be read is there all the same, and so is what stands in it. */
function showBare(/** @type {Element} */ element, /** @type {string} */ name, /** @type {number} */ flags) {
  const entry = tabmux.entryOf(name, "", element);
  keep(Object.assign(entry, {labelled: true, details: " (could not be read)"}));
  if (rescues-- <= 0) return;
  within(entry, () => {
    for (const node of tabmux.childrenOf(element)) {
      const type = nodeType.call(node);
      if (type === 1) visit(/** @type {Element} */ (node), "auto", flags);
      else if (type === 3) read(data.call(/** @type {Text} */ (node)), element);
    }
  });
}

/** Tags of which the display is asked for in any case. */
const TEXTUAL = new Set(["div", "span", "p", "i", "b", "em", "strong", "section", "small", "label"]);

/** Whether it is known to be rendered; asking this is cheaper than asking for its style. */
function isBoxed(/** @type {Element} */ element, /** @type {string} */ name) {
  return !TEXTUAL.has(name) && checkVisibility.call(element);
}

/** @returns {CSSStyleDeclaration} */
function styleOf(/** @type {Stop} */ stop) {
  return (stop.style ??= getComputedStyle(stop.element));
}

/** Whether the text around it runs on. */
function isInline(/** @type {Stop} */ stop) {
  return tabmux.isInline(styleOf(stop).display);
}

/** @returns {boolean} whether it is hidden from readers, inert, or behind a modal dialog */
function isOutOfReach(/** @type {Element} */ element, /** @type {string[]} */ attributes) {
  let inert = modal !== null;
  for (let i = 0; i < attributes.length; i++) {
    const name = attributes[i];
    if (name === "inert") inert = true;
    else if (name === "aria-hidden" && isHiddenByAria(element)) return true;
  }
  return inert && !aroundModal.has(element);
}

function isHiddenByAria(/** @type {Element} */ element) {
  return attribute.call(element, "aria-hidden") === "true" && !tabmux.holdsFocus(element);
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string[]} attributes
 * @param {CSSStyleDeclaration | null} style
 * @param {string} above the cursor of what is around
 * @param {number} flags
 * @returns {Stop}
 */
function stopAt(element, name, attributes, style, above, flags) {
  const role = tabmux.roleOf(element);
  const control = CONTROLS.has(role);
  const stop = {
    element, name, attributes, style, cursor: above, role, control,
    shut: false, clickable: false, plain: isPlain(attributes), flags: 0,
  };
  const touched = tabmux.isTouched();
  if (!control && !(flags & INSIDE)) {
    stop.cursor = touched ? watched(stop, "cursor") : tabmux.untouched("cursor");
    const starts = stop.cursor === "pointer" && above !== "pointer";
    stop.clickable = starts || tabmux.isUsable(element, name, attributes);
  }
  stop.shut = touched && watched(stop, "contentVisibility") === "hidden" && !isInline(stop);
  stop.flags = flagsAt(stop, flags, touched);
  return stop;
}

/** A property of an element, read only if something may have set it. */
function watched(/** @type {Stop} */ stop, /** @type {import("./stylesheets.js").Watched} */ key) {
  return tabmux.mayBeTouched(key) ? styleOf(stop)[key] : tabmux.untouched(key);
}

const TELLING = new Set(["title", "placeholder"]);

function isPlain(/** @type {string[]} */ attributes) {
  for (let i = 0; i < attributes.length; i++) {
    if (attributes[i].startsWith("aria-") || TELLING.has(attributes[i])) return false;
  }
  return true;
}

/**
 * @param {Stop} stop
 * @param {number} flags
 * @param {boolean} touched whether something sets watched properties
 */
function flagsAt(stop, flags, touched) {
  // A name from content leaves out what keeps its content to itself: that is still to be told.
  const told = flags & TOLD && !tabmux.isClosed(stop.role, stop.name) ? TOLD : 0;
  const unseen = !touched || watched(stop, "visibility") === "visible" ? 0 : UNSEEN;
  return (flags & INSIDE) | told | unseen;
}

function show(/** @type {Stop} */ stop) {
  const {role, flags} = stop;
  if (flags & UNSEEN) visitChildren(stop, flags);
  else if (stop.control || isSplitter(stop)) showControl(stop, role);
  else if (stop.name === "label" && !verbose && role === "LabelText") showLabel(stop);
  else if (isEditable(stop)) showControl(stop, role === "generic" ? "textbox" : role);
  else if (!showStructure(stop)) {
    if (stop.clickable) showClickable(stop);
    else passThrough(stop);
  }
}

function isEditable(/** @type {Stop} */ {element, attributes}) {
  return attributes.includes("contenteditable") && tabmux.isEditingHost(element);
}

/** A separator that takes the focus can be moved. */
function isSplitter(/** @type {Stop} */ {role, attributes}) {
  return role === "separator" && attributes.includes("tabindex");
}

function suspect(/** @type {Stop} */ {element, name, attributes}) {
  if (tabmux.mayHideRoot(element, name)) suspects.push(element);
  if (name.includes("-") && !attributes.includes("role")) tabmux.wonderAbout(element, name);
}

/** What is nothing by itself leaves only its content, on lines of its own unless it is inline. */
function passThrough(/** @type {Stop} */ stop) {
  suspect(stop);
  const told = quoted.size && quoted.has(stop.element) ? TOLD : 0;
  const inline = isInline(stop);
  if (!inline) flush();
  visitChildren(stop, stop.flags | told);
  if (!inline) flush();
}

function visitChildren(/** @type {Stop} */ stop, /** @type {number} */ flags) {
  const {element, attributes} = stop;
  if (stop.shut) return;
  const adorned = !(flags & SILENCED) && tabmux.mayHaveGeneratedText(element);
  if (adorned) read(tabmux.generatedText(element, "::before"), element);
  visitOwn(stop, flags);
  if (attributes.includes("aria-owns")) {
    for (const owned of tabmux.ownedBy(element)) visit(owned, stop.cursor, flags);
  }
  if (adorned) read(tabmux.generatedText(element, "::after"), element);
}

/** Visits what stands in an element: in its shadow tree, in a slot, or its own nodes. */
function visitOwn(/** @type {Stop} */ stop, /** @type {number} */ flags) {
  const {element, name} = stop;
  const root = tabmux.shadowOf(element);
  if (root) tabmux.enter(root);
  else if (name === "details" && !visitDetails(stop, flags)) return;
  else if (name === "slot" && assignedNodes.call(element).length) {
    for (const node of assignedNodes.call(element)) visitNode(node, stop, flags);
    return;
  }
  // Nothing but text, in most elements of most pages: read at once, it needs no node objects.
  if (!root && firstElement.call(element) === null) {
    if (!(flags & SILENCED)) read(tabmux.rendered(textContent.call(element), element, stop.style ?? undefined), element);
    return;
  }
  for (let node = firstChild.call(root ?? element); node && !cut; node = nextSibling.call(node)) {
    visitNode(node, stop, flags);
  }
}

function visitNode(/** @type {Node} */ node, /** @type {Stop} */ parent, /** @type {number} */ flags) {
  const type = nodeType.call(node);
  if (type === 1) {
    const element = /** @type {Element} */ (node);
    if (!tabmux.claimerOf(element)) visit(element, parent.cursor, flags);
  } else if (type === 3 && !(flags & SILENCED)) {
    read(tabmux.rendered(data.call(/** @type {Text} */ (node)), parent.element, parent.style ?? undefined), parent.element);
  }
}

/** @returns {boolean} whether the details are open; if not, only the summary was visited */
function visitDetails(/** @type {Stop} */ stop, /** @type {number} */ flags) {
  const open = stop.attributes.includes("open");
  for (let node = firstElement.call(stop.element); node; node = nextElement.call(node)) {
    if (tag.call(node) !== "summary") continue;
    if (!open) visit(node, stop.cursor, flags);
    return open;
  }
  // Chrome makes up a summary of its own, which stands for the whole element.
  const entry = tabmux.entryOf("DisclosureTriangle", "Details", stop.element);
  keep(Object.assign(entry, {labelled: true, details: open ? " expanded" : " collapsed"}));
  return open;
}

/**
 * An entry that carries a uid.
 * @param {Element} element
 * @param {string} role
 * @param {Naming} naming
 * @param {boolean} [plain] whether it has no attribute that could tell anything
 * @returns {Entry}
 */
function labelled(element, role, naming, plain = false) {
  const entry = tabmux.entryOf(role, naming.name, element);
  entry.labelled = true;
  entry.details = tabmux.detailsOf(element, role, naming, plain);
  if (role === "link") {
    entry.address = tabmux.addressOf(element);
    tabmux.noteLink(naming.name, entry.address);
  }
  if (plain) return entry;
  quote(element, "aria-labelledby");
  quote(element, "aria-describedby");
  if (entry.details.includes(" invalid")) quote(element, "aria-errormessage");
  return entry;
}

/** What stands in a line as a whole need not be said again below it. */
function quote(/** @type {Element} */ element, /** @type {string} */ relation) {
  if (!hasAttribute.call(element, relation)) return;
  const targets = /** @type {Element[]} */ (tabmux.referencesOf(element, relation));
  const length = targets.reduce((sum, target) => sum + textContent.call(target).length, 0);
  if (length < tabmux.NAME_LIMIT) for (const target of targets) quoted.add(target);
}

function showControl(/** @type {Stop} */ stop, /** @type {string} */ role) {
  const {element, flags, plain} = stop;
  const naming = tabmux.namingOf(element, role, plain);
  const entry = labelled(element, role, naming, plain);
  keep(entry);
  suspect(stop);
  if (stop.name === "select") return showOptions(element, entry);
  if (isLeaf(stop)) return;
  const told = !verbose && isTold(naming, SEALED.has(role));
  if (told && !mayHoldMore(element)) return;
  within(entry, () => visitChildren(stop, flags | INSIDE | (told ? TOLD : 0)));
  if (!verbose) tabmux.dropRepeatedText(entry);
}

/**
 * Whether a name says all that there is to read inside.
 * @param {Naming} naming
 * @param {boolean} sealed whether what is inside counts only as far as it is in the name
 */
function isTold(naming, sealed) {
  return naming.from === "content" ? naming.name.length <= tabmux.NAME_LIMIT : sealed;
}

function isLeaf(/** @type {Stop} */ {element, name, shut, attributes}) {
  if (shut || LEAF_TAGS.has(name)) return true;
  return !hasChildNodes.call(element) && !tabmux.shadowOf(element) && !attributes.includes("aria-owns");
}

function mayHoldMore(/** @type {Element} */ element) {
  if (tabmux.shadowOf(element) || hasAttribute.call(element, "aria-owns")) return true;
  if (!firstElement.call(element)) return false;
  if (query.call(element, WANTED)) return true;
  for (const inner of elementsByTag.call(element, "*")) if (tabmux.shadowOf(inner)) return true;
  return false;
}

function showOptions(/** @type {Element} */ select, /** @type {Entry} */ entry) {
  const left = addOptions(select, entry, {seen: 0}).seen - OPTION_LIMIT;
  if (left > 0 && !verbose && !searching) entry.children.push(tabmux.entryOf("…", `${left} more options`, null));
}

/**
 * @param {Element} parent
 * @param {Entry} into
 * @param {{seen: number}} count
 */
function addOptions(parent, into, count) {
  for (let child = firstElement.call(parent); child; child = nextElement.call(child)) {
    const name = tag.call(child);
    if (name === "option") {
      const option = /** @type {HTMLOptionElement} */ (child);
      if (!hasAttribute.call(option, "hidden") && option.style.display !== "none") addOption(option, into, count);
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

/**
 * @param {HTMLOptionElement} option
 * @param {Entry} into
 * @param {{seen: number}} count
 */
function addOption(option, into, count) {
  if (option.selected || count.seen < OPTION_LIMIT || verbose || searching) {
    into.children.push(labelled(option, "option", tabmux.namingOf(option, "option")));
  }
  // One that is selected is shown wherever it stands, and is not among those left out.
  if (!option.selected || count.seen < OPTION_LIMIT) count.seen += 1;
}

/** The text of a label is in the name of its field, or the label stands for a field that is hidden. */
function showLabel(/** @type {Stop} */ stop) {
  const {control} = /** @type {HTMLLabelElement} */ (stop.element);
  if (control && attribute.call(control, "type") !== "hidden" && !tabmux.isVisible(control)) {
    return showStandIn(stop, control);
  }
  const inline = isInline(stop);
  if (!inline) flush();
  visitChildren(stop, control && isToldBy(control, stop.element) ? stop.flags | TOLD : stop.flags);
  if (!inline) flush();
}

/** Whether a component, or a field inside of it, takes the name that its label gives. */
function isCalledByLabel(/** @type {Element} */ component) {
  const root = tabmux.shadowOf(component);
  const field = root && tabmux.dom.queryFragment.call(root, "input,textarea,select");
  return Boolean(field ?? tabmux.semanticsOf(component)?.name);
}

/** Whether the name of a field says all that its label says. */
function isToldBy(/** @type {Element} */ control, /** @type {Element} */ label) {
  if (isNamedOtherwise(control)) return false;
  if (tag.call(control).includes("-") && !isCalledByLabel(control)) return false;
  return textContent.call(label).length < tabmux.NAME_LIMIT || tabmux.contentOf(label).length <= tabmux.NAME_LIMIT;
}

function isNamedOtherwise(/** @type {Element} */ control) {
  return hasAttribute.call(control, "aria-label") || hasAttribute.call(control, "aria-labelledby");
}

function showStandIn(/** @type {Stop} */ stop, /** @type {Element} */ control) {
  const {element} = stop;
  const entry = tabmux.entryOf("clickable", tabmux.contentOf(element) || remarkOn(element), element);
  /** @type {Naming} */
  const naming = {name: entry.name, from: "content"};
  entry.labelled = true;
  entry.details = tabmux.detailsOf(control, tabmux.roleOf(control), naming);
  within(entry, () => visitChildren(stop, stop.flags | INSIDE | TOLD));
  keep(entry);
}

/** What the author says of an element that has neither a role nor text. */
function remarkOn(/** @type {Element} */ element) {
  const {name} = tabmux.namingOf(element, "generic");
  return name || tabmux.collapsed(attribute.call(element, "title") ?? "");
}

/** @returns {boolean} whether the element got a line */
function showStructure(/** @type {Stop} */ stop) {
  const {element, role} = stop;
  if (stop.flags & TOLD && TOLD_ROLES.has(role)) return false;
  const kept = KEPT.has(role) || isLive(stop);
  const structure = STRUCTURE.has(role);
  if (!kept && !structure && !KEPT_IF_NAMED.has(role) && !verbose) return false;
  const naming = tabmux.namingOf(element, role, stop.plain);
  const named = naming.name !== "" && KEPT_IF_NAMED.has(role);
  const usable = stop.clickable || tabmux.isFocusable(element);
  const labels = kept || named || verbose || (usable && (structure || role === "img"));
  if (!labels && !structure) return false;
  const entry = labels ? labelled(element, role, naming) : unlabelled(stop, naming);
  populate(entry, stop, naming);
  keep(verbose ? entry : tabmux.folded(entry, named || usable));
  return true;
}

function isLive(/** @type {Stop} */ {element, attributes}) {
  return attributes.includes("aria-live") && attribute.call(element, "aria-live") !== "off";
}

function unlabelled(/** @type {Stop} */ {element, role, attributes}, /** @type {Naming} */ naming) {
  const entry = tabmux.entryOf(role, "", element);
  if (attributes.some((key) => key.startsWith("aria-"))) {
    entry.details = tabmux.detailsOf(element, role, {name: naming.name, from: ""});
  }
  return entry;
}

/** Walks what is in a structure; text that its name tells already is left out. */
function populate(/** @type {Entry} */ entry, /** @type {Stop} */ stop, /** @type {Naming} */ naming) {
  const {role} = stop;
  const byContent = naming.from === "content";
  if (byContent && (tabmux.isCell(role) || role === "row")) entry.name = "";
  if (verbose) addTag(entry, stop);
  const told = !verbose && NAMED_LEAVES.has(role) && naming.name !== "" && isTold(naming, true);
  within(entry, () => {
    if (!isLeaf(stop)) visitChildren(stop, told ? stop.flags | TOLD : stop.flags);
  });
}

function addTag(/** @type {Entry} */ entry, /** @type {Stop} */ {role, name, clickable}) {
  if (role !== "generic" && role !== "none") return;
  if (clickable) entry.role = "clickable";
  entry.details += ` tag="${name}"`;
}

function isUsed(/** @type {string} */ role) {
  return CONTROLS.has(role) || role === "clickable";
}

function showClickable(/** @type {Stop} */ stop) {
  const {element} = stop;
  const entry = tabmux.entryOf("clickable", "", element);
  entry.labelled = true;
  suspect(stop);
  within(entry, () => visitChildren(stop, stop.flags));
  const folded = tabmux.foldedClickable(entry, isUsed);
  if (folded !== entry) return keep(folded);
  entry.name ||= remarkOn(element);
  if (!entry.name && !entry.children.length && (isHollow(stop) || isSizeless(element))) return;
  entry.details = tabmux.detailsOf(element, "clickable", {name: entry.name, from: "content"});
  if (attribute.call(element, "draggable") === "true") entry.details += " draggable";
  keep(entry);
}

/** How many parts of an element without room are asked whether they have some. */
const MOST_PARTS = 50;

/** Whether there is nothing that could be clicked: what floats gives what it stands in no height. */
function isSizeless(/** @type {Element} */ element) {
  if (hasRoom(element)) return false;
  if (getComputedStyle(element).overflow !== "visible") return true;
  const parts = elementsByTag.call(element, "*");
  for (let i = 0; i < parts.length && i < MOST_PARTS; i++) {
    if (hasRoom(parts[i]) && checkVisibility.call(parts[i], {visibilityProperty: true})) return false;
  }
  return true;
}

function hasRoom(/** @type {Element} */ element) {
  const {width, height} = box.call(element);
  return width > 0 && height > 0;
}

/** Whether a pointer is all there is: what it is for is not visible now. */
function isHollow(/** @type {Stop} */ {element, attributes}) {
  if (tabmux.hasHandler(element, attributes) || !firstElement.call(element)) return false;
  for (let child = firstElement.call(element); child; child = nextElement.call(child)) {
    if (checkVisibility.call(child, {visibilityProperty: true})) return false;
  }
  return true;
}
