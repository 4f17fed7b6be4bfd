// @ts-check
// Walks the document once and keeps what an agent needs: the tree behind a snapshot.

const {
  tag, attribute, hasAttribute, attributeNames, nodeType, data, firstChild, nextSibling,
  assignedNodes, query,
} = tabmux.dom;

/**
 * One line of a snapshot. Text has no role and no element.
 * @typedef {object} Entry
 * @property {string} role
 * @property {string} name
 * @property {Element | null} element
 * @property {boolean} labelled whether the line carries a uid
 * @property {string} details the attributes, ready to print
 * @property {Entry[]} children
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
  "status table tablist tabpanel timer toolbar tooltip tree treegrid Canvas PluginObject EmbeddedObject"
).split(" "));

/** Kept with a uid only when they are called something. */
const KEPT_IF_NAMED = new Set((
  "article figure group img list math note graphics-document graphics-object graphics-symbol " +
  "SvgRoot term definition"
).split(" "));

/** Kept without a uid: they cost little and say how things belong together. */
const STRUCTURE = new Set((
  "article figure list listitem row cell gridcell columnheader rowheader"
).split(" "));

/** Whose text is never printed below them: it is in their name, or it is their value. */
const SEALED = new Set((
  "button checkbox radio switch option tab menuitemcheckbox menuitemradio textbox searchbox slider " +
  "spinbutton progressbar meter scrollbar img heading"
).split(" "));

const CELLS = new Set(["cell", "gridcell", "columnheader", "rowheader"]);
const TEXT_LIMIT = 200;
const OPTION_LIMIT = 50;

/** What could stand inside a control and still want a line of its own. */
const INTERACTIVE =
  "a[href],button,input,select,textarea,summary,iframe,[tabindex],[role],[contenteditable],[onclick]";

// What a walk passes down: whether text is already told, and whether a control is around.
const TOLD = 1;
const INSIDE = 2;
const UNSEEN = 4;

/** @type {Entry} */
let container;
let run = "";
let verbose = false;
/** @type {Element | null} */
let modal = null;
/** @type {Set<Element>} */
let modalPath = new Set();
/** @type {Element[]} */
let suspects = [];

/**
 * @param {Element} root
 * @param {boolean} whole whether to print everything that is visible
 * @returns {{entries: Entry[], suspects: Element[]}}
 */
tabmux.walk = function (root, whole) {
  verbose = whole;
  container = entryOf("", "", null);
  run = "";
  suspects = [];
  tabmux.rememberOwners();
  tabmux.rememberRoles();
  tabmux.rememberStyles();
  try {
    modal = tabmux.modal();
    modalPath = pathOf(modal);
    const parent = tabmux.parentOf(root);
    visit(root, parent ? getComputedStyle(parent).cursor : "auto", 0);
    flush();
  } finally {
    tabmux.forgetOwners();
    tabmux.forgetRoles();
    tabmux.forgetStyles();
  }
  return {entries: container.children, suspects};
};

function pathOf(/** @type {Element | null} */ element) {
  const path = new Set();
  for (let at = element; at; at = tabmux.parentOf(at)) path.add(at);
  return path;
}

/** @returns {Entry} */
function entryOf(/** @type {string} */ role, /** @type {string} */ name, /** @type {Element | null} */ element) {
  return {role, name, element, labelled: false, details: "", children: []};
}

/** Ends the current line of text. */
function flush() {
  if (!run) return;
  const text = tabmux.collapsed(run);
  run = "";
  if (text) container.children.push(entryOf("", text, null));
}

function visitChildren(/** @type {Element} */ element, /** @type {string} */ name, /** @type {string} */ cursor, /** @type {number} */ flags) {
  const root = tabmux.shadowOf(element);
  if (root) tabmux.collectOwners(root);
  addGenerated(element, "::before", flags);
  if (!root && name === "slot") {
    const assigned = assignedNodes.call(element);
    if (assigned.length) {
      for (const node of assigned) visitNode(node, cursor, flags);
      return;
    }
  }
  for (let node = firstChild.call(root ?? element); node; node = nextSibling.call(node)) {
    visitNode(node, cursor, flags);
  }
  if (hasAttribute.call(element, "aria-owns")) {
    for (const owned of tabmux.ownedBy(element)) visit(owned, cursor, flags & ~UNSEEN);
  }
  addGenerated(element, "::after", flags);
}

function addGenerated(/** @type {Element} */ element, /** @type {"::before" | "::after"} */ which, /** @type {number} */ flags) {
  if (!(flags & (TOLD | UNSEEN))) run += tabmux.generatedText(element, which);
}

function visitNode(/** @type {any} */ node, /** @type {string} */ cursor, /** @type {number} */ flags) {
  const type = nodeType.call(node);
  if (type === 1) {
    if (!tabmux.claimerOf(node)) visit(node, cursor, flags);
  } else if (type === 3 && !(flags & (TOLD | UNSEEN))) {
    run += data.call(node);
  }
}

/** Which attributes matter before anything else is known. */
function isOutOfReach(/** @type {Element} */ element, /** @type {string[]} */ names) {
  let inert = modal !== null;
  for (const name of names) {
    if (name === "aria-hidden") {
      if (attribute.call(element, name) === "true" && !tabmux.holdsFocus(element)) return true;
    } else if (name === "inert") inert = true;
  }
  return inert && !modalPath.has(element);
}

function visit(/** @type {Element} */ element, /** @type {string} */ cursor, /** @type {number} */ flags) {
  const name = tag.call(element);
  if (name === "br") {
    if (!(flags & (TOLD | UNSEEN))) run += " ";
    return;
  }
  if (tabmux.isSilent(name)) return;
  const names = attributeNames.call(element);
  if (modal === null ? names.length && isOutOfReach(element, names) : isOutOfReach(element, names)) return;
  const style = getComputedStyle(element);
  const display = style.display;
  if (display === "none" && name !== "area") return;
  const seen = style.visibility === "visible";
  const outer = modal;
  if (element === modal) modal = null;
  show(element, name, names, style, display, cursor, seen ? flags & ~UNSEEN : flags | UNSEEN);
  modal = outer;
}

function show(/** @type {Element} */ element, /** @type {string} */ name, /** @type {string[]} */ names, /** @type {CSSStyleDeclaration} */ style, /** @type {string} */ display, /** @type {string} */ cursor, /** @type {number} */ flags) {
  const role = tabmux.roleOf(element);
  const pointer = style.cursor;
  const inline = tabmux.isInline(display);
  const skipped = !inline && style.contentVisibility === "hidden";
  if (flags & UNSEEN) {
    if (!skipped) visitChildren(element, name, pointer, flags);
    return;
  }
  if (CONTROLS.has(role)) return showControl(element, name, role, pointer, flags, skipped);
  const clickable = !(flags & INSIDE) && isClickable(element, names, pointer, cursor);
  if (name === "label" && !verbose) return showLabel(element, pointer, flags);
  if (KEPT.has(role) || STRUCTURE.has(role) || KEPT_IF_NAMED.has(role) || verbose) {
    if (showStructure(element, name, role, pointer, flags, clickable, skipped)) return;
  }
  if (clickable) return showClickable(element, name, pointer, flags, skipped);
  suspect(element, name);
  if (!inline) flush();
  if (!skipped) visitChildren(element, name, pointer, flags);
  if (!inline) flush();
}

/** Runs a part of the walk with an entry as its container. */
function within(/** @type {Entry} */ entry, /** @type {() => void} */ walk) {
  flush();
  const outer = container;
  container = entry;
  walk();
  flush();
  container = outer;
}

function showControl(/** @type {Element} */ element, /** @type {string} */ name, /** @type {string} */ role, /** @type {string} */ cursor, /** @type {number} */ flags, /** @type {boolean} */ skipped) {
  const naming = tabmux.namingOf(element, role);
  const entry = printed(element, role, naming);
  flush();
  container.children.push(entry);
  if (name === "select") {
    showOptions(/** @type {HTMLSelectElement} */ (element), entry);
    return;
  }
  if (skipped || isLeaf(element, name)) return;
  const told = SEALED.has(role) || (naming.from === "content" && naming.name.length <= TEXT_LIMIT);
  if (told && !verbose && !mayHoldControls(element)) return;
  within(entry, () => {
    visitChildren(element, name, cursor, flags | INSIDE | (told ? TOLD : 0));
  });
  dropEcho(entry);
}

const LEAVES = new Set(["input", "textarea", "img", "iframe", "frame", "video", "audio", "progress", "meter", "embed"]);

function isLeaf(/** @type {Element} */ element, /** @type {string} */ name) {
  return LEAVES.has(name) || firstChild.call(element) === null && !tabmux.shadowOf(element);
}

function mayHoldControls(/** @type {Element} */ element) {
  if (tabmux.shadowOf(element)) return true;
  if (!element.firstElementChild) return false;
  return query.call(element, INTERACTIVE) !== null || holdsShadow(element);
}

function holdsShadow(/** @type {Element} */ element) {
  for (const inner of element.getElementsByTagName("*")) if (tabmux.shadowOf(inner)) return true;
  return false;
}

/** An entry that carries a uid. */
function printed(/** @type {Element} */ element, /** @type {string} */ role, /** @type {any} */ naming) {
  const entry = entryOf(role, naming.name, element);
  entry.labelled = true;
  entry.details = tabmux.detailsOf(element, role, naming);
  return entry;
}

function showOptions(/** @type {HTMLSelectElement} */ select, /** @type {Entry} */ entry) {
  let count = 0;
  const add = (/** @type {Element} */ parent, /** @type {Entry} */ into) => {
    for (let child = parent.firstElementChild; child; child = child.nextElementSibling) {
      const name = tag.call(child);
      if (name === "optgroup") {
        const group = printed(child, "group", tabmux.namingOf(child, "group"));
        add(child, group);
        if (group.children.length) into.children.push(group);
      } else if (name === "option" && !hasAttribute.call(child, "hidden")) {
        count += 1;
        if (count <= OPTION_LIMIT || /** @type {HTMLOptionElement} */ (child).selected) {
          into.children.push(printed(child, "option", tabmux.namingOf(child, "option")));
        }
      } else if (name !== "option") {
        add(child, into);
      }
    }
  };
  add(select, entry);
  const left = count - OPTION_LIMIT;
  if (left > 0) entry.children.push(entryOf("…", `${left} more options`, null));
}

function showLabel(/** @type {Element} */ element, /** @type {string} */ cursor, /** @type {number} */ flags) {
  const control = /** @type {HTMLLabelElement} */ (element).control;
  if (control && !hasAttribute.call(control, "hidden") && !tabmux.isVisible(control)) {
    const entry = entryOf("clickable", "", element);
    entry.labelled = true;
    entry.details = tabmux.detailsOf(control, tabmux.roleOf(control), {name: "", from: ""});
    flush();
    within(entry, () => visitChildren(element, "label", cursor, flags | INSIDE));
    entry.name = tabmux.contentOf(element);
    entry.children = entry.children.filter((child) => child.labelled);
    container.children.push(entry);
    return;
  }
  const told = control && !hasAttribute.call(control, "aria-label") && !hasAttribute.call(control, "aria-labelledby");
  visitChildren(element, "label", cursor, told ? flags | TOLD : flags);
}

/** @returns {boolean} whether the element got a line */
function showStructure(/** @type {Element} */ element, /** @type {string} */ name, /** @type {string} */ role, /** @type {string} */ cursor, /** @type {number} */ flags, /** @type {boolean} */ clickable, /** @type {boolean} */ skipped) {
  if (flags & TOLD && !verbose) return false;
  const naming = tabmux.namingOf(element, role);
  const labelled = clickable || KEPT.has(role) || (KEPT_IF_NAMED.has(role) && naming.name !== "") ||
    tabmux.isFocusable(element) || verbose;
  if (!labelled && !STRUCTURE.has(role)) return false;
  const cell = CELLS.has(role);
  const entry = labelled ? printed(element, role, naming) : entryOf(role, "", element);
  if (cell) entry.name = "";
  if (verbose && (role === "generic" || role === "none")) entry.details += ` tag="${name}"`;
  const told = role === "heading" || role === "img" ? TOLD : 0;
  within(entry, () => {
    if (!skipped && !isLeaf(element, name)) visitChildren(element, name, cursor, flags | (verbose ? 0 : told));
  });
  settle(entry, naming);
  return true;
}

/** Brings a finished structure into its cheapest form and hands it to its container. */
function settle(/** @type {Entry} */ entry, /** @type {any} */ naming) {
  flush();
  const {role, children} = entry;
  if (verbose) {
    container.children.push(entry);
    return;
  }
  dropEcho(entry);
  if (role === "row") return settleRow(entry);
  if ((role === "listitem" || CELLS.has(role)) && !entry.name && children[0]?.role === "" ) {
    entry.name = /** @type {Entry} */ (children.shift()).name;
  }
  if (role === "listitem" && !entry.labelled && !entry.name) {
    if (children.length === 0) return;
    if (children.length === 1) {
      container.children.push(children[0]);
      return;
    }
  }
  if (!entry.labelled && !entry.name && children.length === 0 && !CELLS.has(role)) return;
  container.children.push(entry);
}

function settleRow(/** @type {Entry} */ entry) {
  const {children} = entry;
  if (children.length && children.every((cell) => CELLS.has(cell.role) && !cell.labelled && !cell.children.length)) {
    entry.name = children.map((cell) => cell.name).join(" | ");
    if (children.every((cell) => cell.role === "columnheader")) entry.details += " header";
    entry.children = [];
  } else {
    entry.children = children.map((cell) => CELLS.has(cell.role) && !cell.labelled && !cell.name && cell.children.length === 1 ? cell.children[0] : cell);
  }
  if (entry.labelled || entry.name || entry.children.length) container.children.push(entry);
}

/** Text that only repeats the name above it goes. */
function dropEcho(/** @type {Entry} */ entry) {
  if (verbose || !entry.name || entry.children.length !== 1) return;
  if (entry.children[0].role === "" && entry.children[0].name === entry.name) entry.children = [];
}

function isClickable(/** @type {Element} */ element, /** @type {string[]} */ names, /** @type {string} */ pointer, /** @type {string} */ cursor) {
  if (pointer === "pointer" && cursor !== "pointer") return true;
  for (const name of names) {
    if (name === "onclick") return true;
    if (name === "tabindex" && parseInt(attribute.call(element, name) ?? "", 10) >= 0) return true;
    if (name === "contenteditable" && tabmux.isEditingHost(element)) return true;
  }
  return false;
}

function showClickable(/** @type {Element} */ element, /** @type {string} */ name, /** @type {string} */ cursor, /** @type {number} */ flags, /** @type {boolean} */ skipped) {
  const entry = entryOf("clickable", "", element);
  entry.labelled = true;
  within(entry, () => {
    if (!skipped) visitChildren(element, name, cursor, flags);
  });
  const {children} = entry;
  const texts = children.filter((child) => child.role === "" || child.role === "img");
  if (texts.length === children.length) {
    entry.name = children.map((child) => child.name).join(" ");
    entry.children = [];
  } else if (!texts.length && children.length === 1 && CONTROLS.has(children[0].role)) {
    container.children.push(children[0]);
    return;
  } else if (children[0].role === "") {
    entry.name = /** @type {Entry} */ (children.shift()).name;
  }
  const naming = {name: entry.name, from: "content"};
  const own = attribute.call(element, "aria-label") || attribute.call(element, "title");
  if (!entry.name && own) entry.name = naming.name = tabmux.collapsed(own);
  entry.details = tabmux.detailsOf(element, "generic", naming);
  container.children.push(entry);
}

const HOSTS = new Set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));

/** Notes an element that may hide a closed shadow root. */
function suspect(/** @type {Element} */ element, /** @type {string} */ name) {
  if (!name.includes("-")) return;
  if (!tabmux.shadowOf(element) && !tabmux.isExamined(element)) suspects.push(element);
}
