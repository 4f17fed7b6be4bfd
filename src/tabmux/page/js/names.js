// @ts-check
// What an element is called, and what else is said about it: the accessible name and description.

const {
  tag, attribute, hasAttribute, nodeType, data, namespace, firstElement, nextElement, textContent,
  firstChild, nextSibling,
} = tabmux.dom;

/** Roles that are called by what they contain. */
const FROM_CONTENT = new Set((
  "button cell checkbox columnheader gridcell heading link math menuitem menuitemcheckbox " +
  "menuitemradio option radio rowheader switch tab term tooltip treeitem DisclosureTriangle " +
  "doc-backlink doc-biblioref doc-glossref doc-noteref doc-subtitle"
).split(" "));

/** Roles that keep their content to themselves when they are part of something with a name. */
const CLOSED = new Set((
  "alert alertdialog application article banner blockquote combobox comment complementary " +
  "contentinfo dialog document feed figure form grid group img listbox log main marquee menu " +
  "menubar meter navigation note progressbar radiogroup row rowgroup scrollbar search separator " +
  "slider spinbutton status suggestion table tablist tabpanel timer toolbar tree treegrid " +
  "sectionheader iframe PluginObject"
).split(" "));

/** Groups by their tag alone, which are read through. */
const OPEN_GROUPS = new Set(["address", "details"]);

/** @returns {boolean} whether the content of an element is not part of the name around it */
tabmux.isClosed = (/** @type {string} */ role, /** @type {string} */ name) =>
  CLOSED.has(role) && !OPEN_GROUPS.has(name);

/** Roles whose value stands in for them when they are part of another name. */
const VALUES = new Set((
  "textbox searchbox combobox listbox slider spinbutton progressbar meter scrollbar"
).split(" "));

/** Roles that are words of their own, even in the middle of a line. */
const APART = new Set((
  "button checkbox combobox img listbox menuitem menuitemcheckbox menuitemradio meter option " +
  "progressbar radio searchbox slider spinbutton switch tab textbox treeitem"
).split(" "));

/**
 * @typedef {object} Naming
 * @property {string} name
 * @property {"" | "reference" | "label" | "native" | "content" | "title" | "placeholder"} from
 */

/**
 * @typedef {object} Reading one pass over the text inside something
 * @property {Set<Node>} visited what is not to be read again
 * @property {boolean} hidden whether hidden content counts
 * @property {boolean} referred whether a reference led here: then no other is followed
 */

/** Elements whose value is being read: values and names may refer to each other in a circle. */
const underway = new Set();
/** How many values may be read for the sake of each other. */
const MOST_UNDERWAY = 4;
/** How deep the text inside something is read element by element; what is deeper is taken as it is. */
const MOST_LEVELS = 200;
let levels = 0;

/** @type {Reading} */
const AFRESH = {visited: new Set(), hidden: false, referred: false};

/** @returns {Reading} the same, but for some nodes that are left out too */
function without(/** @type {Reading} */ reading, /** @type {Node} */ node, /** @type {Node} */ other = node) {
  const visited = new Set(reading.visited);
  visited.add(node);
  visited.add(other);
  return {visited, hidden: reading.hidden, referred: reading.referred};
}

const NAMELESS = /** @type {Naming} */ ({name: "", from: ""});

/** @returns {string} the accessible name, whitespace collapsed */
tabmux.nameOf = (/** @type {Element} */ element) =>
  tabmux.namingOf(element, tabmux.roleOf(element)).name;

/**
 * @param {Element} element
 * @param {string} role
 * @param {boolean} [plain] whether it has no attribute that could tell anything
 * @returns {Naming} the name, and where it was found
 */
tabmux.namingOf = function (element, role, plain = false) {
  const told = tabmux.semanticsOf(element)?.name;
  if (told) return found(told, "native");
  if (!plain) {
    const referred = referredName(element);
    if (referred) return found(referred, "reference");
    const label = attribute.call(element, "aria-label");
    if (label && label.trim()) return found(label, "label");
  }
  const own = nativeName(element);
  if (own) return found(own, "native");
  if (isNamedByContent(element, role)) {
    const content = collapsed(contentOf(element));
    if (content) return found(content, "content");
  }
  const noted = plain ? NAMELESS : remarked(element, role);
  const label = noted.name || !VALUED.has(role) ? "" : labelOfHost(element);
  return label ? found(label, "native") : noted;
};

/** Fields inside of components, which are called by what labels the component. */
const VALUED = new Set((
  "textbox searchbox combobox listbox slider spinbutton checkbox radio switch"
).split(" "));

function labelOfHost(/** @type {Element} */ element) {
  const root = tabmux.dom.getRootNode.call(element);
  if (!(root instanceof ShadowRoot)) return "";
  const host = /** @type {any} */ (tabmux.dom.host.call(root));
  return labelsText(host, AFRESH) || (attribute.call(host, "aria-label") ?? "");
}

/** @returns {Naming} what an author noted beside the element, for want of a better name */
function remarked(/** @type {Element} */ element, /** @type {string} */ role) {
  const title = attribute.call(element, "title");
  if (title && title.trim() && mayBeTitled(element, role)) return found(title, "title");
  const placeholder = tabmux.placeholderOf(element);
  return placeholder ? found(placeholder, "placeholder") : NAMELESS;
}

/** @returns {Naming} */
function found(/** @type {string} */ text, /** @type {Naming["from"]} */ from) {
  return {name: collapsed(text), from};
}

// Glyphs of icon fonts live in the private use area and say nothing to a reader.
const UNTIDY = /[^\S ]|  |^ | $|[\ue000-\uf8ff]/;

/** @returns {string} the text on one line, with single spaces */
function collapsed(/** @type {string} */ text) {
  if (!UNTIDY.test(text)) return text;
  return text.replace(/[\ue000-\uf8ff]+/g, "").replace(/\s+/g, " ").trim();
}
tabmux.collapsed = collapsed;

function isNamedByContent(/** @type {Element} */ element, /** @type {string} */ role) {
  if (role === "math") return tag.call(element) !== "math";
  return FROM_CONTENT.has(role) || (role === "row" && isGridRow(element));
}

/** A row of a plain table is not called anything; one that can be chosen is. */
function isGridRow(/** @type {Element} */ element) {
  for (let at = tabmux.ownerOf(element); at; at = tabmux.ownerOf(at)) {
    const role = tabmux.roleOf(at);
    if (role === "grid" || role === "treegrid") return true;
    if (role === "table") return false;
  }
  return false;
}

/** On these, which are part of the text, a title is a remark and no name. */
const UNTITLED = new Set((
  "generic none paragraph caption definition mark code emphasis strong deletion insertion " +
  "subscript superscript time suggestion"
).split(" "));

function mayBeTitled(/** @type {Element} */ element, /** @type {string} */ role) {
  if (UNTITLED.has(role)) return tag.call(element) === "table";
  return !isDecorative(element);
}

/** An image with an empty alt asks not to be named. */
function isDecorative(/** @type {Element} */ element) {
  return tag.call(element) === "img" && attribute.call(element, "alt") === "";
}

function referredName(/** @type {Element} */ element) {
  if (!hasAttribute.call(element, "aria-labelledby")) return "";
  return referredTexts(element, "aria-labelledby");
}

function referredTexts(/** @type {Element} */ element, /** @type {string} */ relation) {
  return tabmux.referencesOf(element, relation)
    .map((/** @type {Element} */ target) => referredText(target, element))
    .filter(Boolean).join(" ");
}

tabmux.referredTexts = referredTexts;

/** The text of an element that was pointed at; what is hidden counts if all of it is. */
function referredText(/** @type {Element} */ target, /** @type {Element} */ from) {
  const label = attribute.call(target, "aria-label");
  if (label && label.trim()) return collapsed(label);
  const role = tabmux.roleOf(target);
  const reading = {visited: new Set([target]), hidden: !tabmux.isVisible(target), referred: true};
  const own = nativeName(target, reading);
  if (own) return collapsed(own);
  if (target !== from && VALUES.has(role)) return spokenValue(target, role);
  const content = collapsed(contentOf(target, reading));
  return content || collapsed(attribute.call(target, "title") ?? "");
}

function spokenValue(/** @type {Element} */ element, /** @type {string} */ role) {
  if (underway.has(element) || underway.size >= MOST_UNDERWAY) return "";
  const chosen = role === "listbox" ? chosenText(element) : null;
  const value = chosen ?? attribute.call(element, "aria-valuetext") ?? tabmux.valueOf(element, role);
  return collapsed(value ?? "");
}

function chosenText(/** @type {Element} */ listbox) {
  const chosen = tag.call(listbox) === "select" ? ":checked" : "[aria-selected=true]";
  return [...tabmux.dom.queryAll.call(listbox, chosen)]
    .map((option) => collapsed(textContent.call(option))).join(" ");
}

/** @type {Record<string, (element: any, reading: Reading) => string>} the tag says which element it is */
const NATIVE = {
  input: inputName,
  button: labelsText,
  textarea: labelsText,
  select: labelsText,
  meter: labelsText,
  progress: labelsText,
  output: labelsText,
  img: (element) => attribute.call(element, "alt") ?? "",
  area: (element) => attribute.call(element, "alt") ?? "",
  fieldset: (element, reading) => childText(element, "legend", reading),
  table: (element, reading) =>
    childText(element, "caption", reading) || attribute.call(element, "summary") || "",
  optgroup: (element) => attribute.call(element, "label") ?? "",
  option: (element) => element.label,
};
const native = new Map(Object.entries(NATIVE));

function nativeName(/** @type {Element} */ element, /** @type {Reading} */ reading = AFRESH) {
  const read = native.get(tag.call(element));
  if (read) return read(element, reading);
  return namespace.call(element) === "http://www.w3.org/2000/svg" ? svgText(element, "title") : "";
}

function svgText(/** @type {Element} */ element, /** @type {string} */ name) {
  for (let node = firstElement.call(element); node; node = nextElement.call(node)) {
    if (tag.call(node) === name) return textContent.call(node);
  }
  return "";
}

function inputName(/** @type {HTMLInputElement} */ input, /** @type {Reading} */ reading) {
  const labelled = labelsText(input, reading);
  if (labelled) return labelled;
  switch (input.type) {
    case "submit": return attribute.call(input, "value") ?? "Submit";
    case "reset": return attribute.call(input, "value") ?? "Reset";
    case "button": return attribute.call(input, "value") ?? "";
    case "image": return attribute.call(input, "alt") || attribute.call(input, "value") ||
      attribute.call(input, "title") || "Submit";
    case "file": return input.multiple ? "Choose Files" : "Choose File";
    default: return "";
  }
}

/** @type {Map<Element, Element[]> | null} the labels of each field: asking the field is slow */
let labels = null;

tabmux.duringWalks({
  begin: () => { labels = new Map(); },
  enter: collectLabels,
  end: () => { labels = null; },
});

function collectLabels(/** @type {Document | ShadowRoot} */ root) {
  for (const label of tabmux.allIn(root, "label")) {
    const {control} = /** @type {HTMLLabelElement} */ (label);
    if (!control) continue;
    const known = labels?.get(control);
    if (known) known.push(label);
    else labels?.set(control, [label]);
  }
}

function labelsText(/** @type {HTMLInputElement} */ control, /** @type {Reading} */ reading) {
  const found = labels ? labels.get(control) : control.labels;
  if (!found) return "";
  const texts = [];
  for (const label of found) {
    if (reading.visited.has(label) || !tabmux.isVisible(label)) continue;
    const named = attribute.call(label, "aria-label");
    const content = named || collapsed(contentOf(label, without(reading, control, label)));
    texts.push(collapsed(content || (attribute.call(label, "title") ?? "")));
  }
  return texts.filter(Boolean).join(" ");
}

/**
 * @param {Element} element
 * @param {string} name the tag of the child that is meant
 * @param {Reading} reading
 * @returns {string}
 */
function childText(element, name, reading) {
  for (let node = firstElement.call(element); node; node = nextElement.call(node)) {
    if (tag.call(node) === name) return contentOf(node, without(reading, element, node));
  }
  return "";
}

/** @returns {string} what a field shows as long as it is empty */
tabmux.placeholderOf = function (/** @type {Element} */ element) {
  const name = tag.call(element);
  const own = name === "input" || name === "textarea" ? attribute.call(element, "placeholder") : null;
  return (own ?? attribute.call(element, "aria-placeholder") ?? "").trim();
};

/**
 * The text inside an element, as it would be read.
 * @param {Element} element
 * @param {Reading} [reading]
 * @returns {string}
 */
function contentOf(element, reading = AFRESH) {
  const root = tabmux.shadowOf(element);
  if (root) tabmux.enter(root);
  const adorned = tabmux.mayHaveGeneratedText(element);
  let text = adorned ? tabmux.generatedText(element, "::before") : "";
  if (root || tag.call(element) === "slot") {
    const own = reading === AFRESH ? without(reading, element) : reading;
    for (const node of tabmux.childrenOf(element)) text += partOf(node, element, own);
  } else if (firstElement.call(element) === null) {
    text += tabmux.rendered(textContent.call(element), element);
  } else {
    const own = reading === AFRESH ? without(reading, element) : reading;
    for (let node = firstChild.call(element); node; node = nextSibling.call(node)) {
      text += partOf(node, element, own);
    }
  }
  for (const owned of tabmux.ownedBy(element)) text += partOf(owned, element, without(reading, element));
  return adorned ? text + tabmux.generatedText(element, "::after") : text;
}

/** @returns {string} the text inside an element, as it would be read; "" when that is being asked already */
tabmux.contentOf = function (/** @type {Element} */ element) {
  if (underway.has(element)) return "";
  underway.add(element);
  try {
    return collapsed(contentOf(element));
  } finally {
    underway.delete(element);
  }
};

/**
 * What one node adds to the text of its parent.
 * @param {Node} node
 * @param {Element} parent
 * @param {Reading} reading
 * @returns {string}
 */
function partOf(node, parent, reading) {
  const type = nodeType.call(node);
  if (type === 3) return tabmux.rendered(data.call(/** @type {Text} */ (node)), parent);
  if (type !== 1 || reading.visited.has(node)) return "";
  return partOfElement(/** @type {Element} */ (node), reading);
}

/** What one element adds to the text of what is around it. */
function partOfElement(/** @type {Element} */ element, /** @type {Reading} */ reading) {
  const name = tag.call(element);
  if (name === "br" || name === "wbr") return " ";
  if (name === "rt" || name === "rp" || tabmux.isSilent(name)) return "";
  const style = getComputedStyle(element);
  if (!reading.hidden && isLeftOut(element, style)) return "";
  reading.visited.add(element);
  const role = tabmux.roleOf(element);
  const label = (!reading.referred && referredName(element)) || standInFor(element, role, reading);
  const text = label || contentWithin(element, role, reading);
  const apart = label || reading.hidden || style.display !== "inline" || APART.has(role);
  return apart ? ` ${text} ` : text;
}

function isLeftOut(/** @type {Element} */ element, /** @type {CSSStyleDeclaration} */ style) {
  if (style.display === "none" || style.visibility !== "visible") return true;
  if (hasAttribute.call(element, "inert")) return true;
  return attribute.call(element, "aria-hidden") === "true" && !tabmux.holdsFocus(element);
}

/**
 * What stands for an element inside another's name, in place of its content.
 * @param {Element} element
 * @param {string} role
 * @param {Reading} reading
 * @returns {string}
 */
function standInFor(element, role, reading) {
  if (VALUES.has(role)) {
    const value = spokenValue(element, role);
    if (value) return value;
  }
  const label = attribute.call(element, "aria-label");
  return label && label.trim() ? label : nativeName(element, reading);
}

/**
 * @param {Element} element
 * @param {string} role
 * @param {Reading} reading
 * @returns {string}
 */
function contentWithin(element, role, reading) {
  const name = tag.call(element);
  if (name === "details" && !hasAttribute.call(element, "open")) return summaryText(element, reading);
  if (name === "math" || VALUES.has(role)) return "";
  const closed = tabmux.isClosed(role, name) && !reading.referred;
  const content = closed ? "" : contentBelow(element, reading);
  const titled = reading.referred || FROM_CONTENT.has(role) || role === "iframe" || role === "img";
  if (!titled || content.trim() || isDecorative(element)) return content;
  return attribute.call(element, "title") ?? "";
}

/** The text inside an element that is part of what is read already. */
function contentBelow(/** @type {Element} */ element, /** @type {Reading} */ reading) {
  if (levels >= MOST_LEVELS) return textContent.call(element);
  levels += 1;
  try {
    return contentOf(element, reading);
  } finally {
    levels -= 1;
  }
}

function summaryText(/** @type {Element} */ details, /** @type {Reading} */ reading) {
  return childText(details, "summary", reading) || "Details";
}

/**
 * @param {Element} element
 * @param {Naming} naming
 * @returns {string} what else is said about the element
 */
tabmux.descriptionOf = function (element, naming) {
  const text = writtenDescription(element) || impliedDescription(element, naming);
  return text === naming.name ? "" : text;
};

function writtenDescription(/** @type {Element} */ element) {
  const described = hasAttribute.call(element, "aria-describedby");
  const referred = described ? referredTexts(element, "aria-describedby") : "";
  return referred || collapsed(attribute.call(element, "aria-description") ?? "");
}

const BUTTONS = /^(submit|reset|button)$/;

function impliedDescription(/** @type {Element} */ element, /** @type {Naming} */ naming) {
  const name = tag.call(element);
  if (name === "summary" && naming.from !== "content") return tabmux.contentOf(element);
  if (name === "input" && naming.from !== "native" && BUTTONS.test(/** @type {HTMLInputElement} */ (element).type)) {
    return collapsed(attribute.call(element, "value") ?? "");
  }
  if (name === "svg") return collapsed(svgText(element, "desc"));
  if (name === "ruby") return collapsed(childText(element, "rt", AFRESH));
  if (naming.from === "title") return "";
  return collapsed(attribute.call(element, "title") ?? "");
}
