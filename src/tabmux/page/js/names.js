// @ts-check
// What an element is called, and what else is said about it: the accessible name and description.

const {
  tag, attribute, hasAttribute, nodeType, data, firstChild, nextSibling, namespace, firstElement,
  nextElement, textContent,
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

/** @type {Set<Node>} */
const NOTHING = new Set();

const NAMELESS = /** @type {Naming} */ ({name: "", from: ""});

/** @returns {string} the accessible name, whitespace collapsed */
tabmux.nameOf = (/** @type {Element} */ element) =>
  tabmux.namingOf(element, tabmux.roleOf(element)).name;

/**
 * @param {Element} element
 * @param {string} role
 * @returns {Naming} the name, and where it was found
 */
tabmux.namingOf = function (element, role) {
  const referred = referredName(element);
  if (referred) return found(referred, "reference");
  const label = attribute.call(element, "aria-label");
  if (label && label.trim()) return found(label, "label");
  const own = nativeName(element);
  if (own) return found(own, "native");
  if (isNamedByContent(element, role)) {
    const content = collapsed(contentOf(element));
    if (content) return found(content, "content");
  }
  const title = attribute.call(element, "title");
  if (title && title.trim() && !isDecorative(element)) return found(title, "title");
  const placeholder = tabmux.placeholderOf(element);
  return placeholder ? found(placeholder, "placeholder") : NAMELESS;
};

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
  const visited = new Set([from, target]);
  const own = nativeName(target, visited);
  if (own) return collapsed(own);
  if (target !== from && VALUES.has(role)) return spokenValue(target, role);
  const content = collapsed(contentOf(target, visited, !tabmux.isVisible(target)));
  return content || collapsed(attribute.call(target, "title") ?? "");
}

function spokenValue(/** @type {Element} */ element, /** @type {string} */ role) {
  const chosen = role === "listbox" ? chosenText(element) : null;
  const value = chosen ?? attribute.call(element, "aria-valuetext") ?? tabmux.valueOf(element, role);
  return collapsed(value ?? "");
}

function chosenText(/** @type {Element} */ listbox) {
  const chosen = tag.call(listbox) === "select" ? ":checked" : "[aria-selected=true]";
  return [...tabmux.dom.queryAll.call(listbox, chosen)]
    .map((option) => collapsed(textContent.call(option))).join(" ");
}

/** @type {Record<string, (element: any, visited: Set<Node>) => string>} */
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
  fieldset: (element, visited) => childText(element, "legend", visited),
  table: (element, visited) =>
    childText(element, "caption", visited) || attribute.call(element, "summary") || "",
  optgroup: (element) => attribute.call(element, "label") ?? "",
  option: (element) => element.label,
};
const native = new Map(Object.entries(NATIVE));

function nativeName(/** @type {Element} */ element, /** @type {Set<Node>} */ visited = NOTHING) {
  const read = native.get(tag.call(element));
  if (read) return read(element, visited);
  return namespace.call(element) === "http://www.w3.org/2000/svg" ? svgText(element, "title") : "";
}

function svgText(/** @type {Element} */ element, /** @type {string} */ name) {
  for (let node = firstElement.call(element); node; node = nextElement.call(node)) {
    if (tag.call(node) === name) return textContent.call(node);
  }
  return "";
}

function inputName(/** @type {HTMLInputElement} */ input, /** @type {Set<Node>} */ visited) {
  const labelled = labelsText(input, visited);
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

function labelsText(/** @type {HTMLInputElement} */ control, /** @type {Set<Node>} */ visited) {
  const found = labels ? labels.get(control) : control.labels;
  if (!found) return "";
  const texts = [];
  for (const label of found) {
    if (visited.has(label) || !tabmux.isVisible(label)) continue;
    const named = attribute.call(label, "aria-label");
    texts.push(collapsed(named || contentOf(label, new Set([...visited, control, label]), false)));
  }
  return texts.filter(Boolean).join(" ");
}

/**
 * @param {Element} element
 * @param {string} name the tag of the child that is meant
 * @param {Set<Node>} visited
 * @returns {string}
 */
function childText(element, name, visited) {
  for (let node = firstElement.call(element); node; node = nextElement.call(node)) {
    if (tag.call(node) === name) return contentOf(node, new Set([...visited, element, node]), false);
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
 * @param {Set<Node>} [visited] what is not to be read again
 * @param {boolean} [hidden] whether hidden content counts
 * @returns {string}
 */
function contentOf(element, visited = NOTHING, hidden = false) {
  const root = tabmux.shadowOf(element);
  if (root) tabmux.enter(root);
  let text = tabmux.generatedText(element, "::before");
  const first = firstChild.call(element);
  if (first && !root && !nextSibling.call(first) && nodeType.call(first) === 3) {
    text += tabmux.rendered(data.call(first), element);
  } else {
    const seen = visited === NOTHING ? new Set([element]) : visited;
    for (const node of tabmux.childrenOf(element)) text += partOf(node, element, seen, hidden);
  }
  for (const owned of tabmux.ownedBy(element)) {
    text += partOf(owned, element, new Set([...visited, element]), hidden);
  }
  return text + tabmux.generatedText(element, "::after");
}

/** @returns {string} the text inside an element, as it would be read */
tabmux.contentOf = (/** @type {Element} */ element) => collapsed(contentOf(element));

/**
 * What one node adds to the text of its parent.
 * @param {any} node
 * @param {Element} parent
 * @param {Set<Node>} visited
 * @param {boolean} hidden
 * @returns {string}
 */
function partOf(node, parent, visited, hidden) {
  const type = nodeType.call(node);
  if (type === 3) return tabmux.rendered(data.call(node), parent);
  if (type !== 1 || visited.has(node)) return "";
  const name = tag.call(node);
  if (name === "br" || name === "wbr") return " ";
  if (name === "rt" || name === "rp" || tabmux.isSilent(name)) return "";
  const style = getComputedStyle(node);
  if (!hidden && isLeftOut(node, style)) return "";
  visited.add(node);
  const role = tabmux.roleOf(node);
  const label = referredName(node) || standInFor(node, role, visited);
  const text = label || contentWithin(node, role, visited, hidden);
  const apart = label || hidden || style.display !== "inline" || APART.has(role);
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
 * @param {Set<Node>} visited
 * @returns {string}
 */
function standInFor(element, role, visited) {
  if (VALUES.has(role)) {
    const value = spokenValue(element, role);
    if (value) return value;
  }
  const label = attribute.call(element, "aria-label");
  return label && label.trim() ? label : nativeName(element, visited);
}

/**
 * @param {Element} element
 * @param {string} role
 * @param {Set<Node>} visited
 * @param {boolean} hidden
 * @returns {string}
 */
function contentWithin(element, role, visited, hidden) {
  const name = tag.call(element);
  if (name === "details" && !hasAttribute.call(element, "open")) return summaryText(element, visited);
  if (name === "math" || VALUES.has(role)) return "";
  const closed = CLOSED.has(role) && !OPEN_GROUPS.has(name);
  const content = closed ? "" : contentOf(element, visited, hidden);
  const titled = FROM_CONTENT.has(role) || role === "iframe" || (role === "img" && !isDecorative(element));
  return titled && !content.trim() ? (attribute.call(element, "title") ?? "") : content;
}

function summaryText(/** @type {Element} */ details, /** @type {Set<Node>} */ visited) {
  return childText(details, "summary", visited) || "Details";
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
  if (name === "input" && naming.from !== "native" && BUTTONS.test(/** @type {any} */ (element).type)) {
    return collapsed(attribute.call(element, "value") ?? "");
  }
  if (name === "svg") return collapsed(svgText(element, "desc"));
  if (name === "ruby") return collapsed(childText(element, "rt", NOTHING));
  if (naming.from === "title") return "";
  return collapsed(attribute.call(element, "title") ?? "");
}
