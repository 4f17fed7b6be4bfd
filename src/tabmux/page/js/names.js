// @ts-check
// What an element is called: the accessible name and description.

const {
  tag, attribute, hasAttribute, nodeType, data, firstChild, nextSibling, namespace, query,
} = tabmux.dom;

/** Roles that are called by what they contain. */
const FROM_CONTENT = new Set((
  "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox " +
  "menuitemradio option radio rowheader switch tab term tooltip treeitem math " +
  "DisclosureTriangle LineBreak doc-backlink doc-biblioref doc-glossref doc-noteref " +
  "doc-subtitle comment"
).split(" "));

/** Roles whose value stands in for them when they are part of another name. */
const VALUES = new Set(["textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton",
  "progressbar", "meter", "scrollbar"]);

/**
 * @typedef {object} Naming
 * @property {string} name
 * @property {"" | "reference" | "label" | "native" | "content" | "title" | "placeholder"} from
 */

const NAMELESS = /** @type {Naming} */ ({name: "", from: ""});

/** @returns {string} the accessible name, whitespace collapsed */
tabmux.nameOf = (/** @type {Element} */ element) => tabmux.namingOf(element, tabmux.roleOf(element)).name;

/**
 * @param {Element} element
 * @param {string} role
 * @returns {Naming} the name, and where it was found
 */
tabmux.namingOf = function (element, role) {
  return naming(element, role, new Set([element]));
};

function naming(/** @type {Element} */ element, /** @type {string} */ role, /** @type {Set<Node>} */ visited) {
  const referred = referredName(element);
  if (referred) return found(referred, "reference");
  const label = attribute.call(element, "aria-label");
  if (label && label.trim()) return found(label, "label");
  const native = nativeName(element, role, visited);
  if (native) return found(native, "native");
  if (FROM_CONTENT.has(role) || (role === "row" && isRowNamed(element))) {
    const content = contentOf(element, visited, false);
    if (content.trim()) return found(content, "content");
  }
  const title = attribute.call(element, "title");
  if (title && title.trim()) return found(title, "title");
  const placeholder = placeholderOf(element);
  if (placeholder) return found(placeholder, "placeholder");
  return NAMELESS;
}

function found(/** @type {string} */ text, /** @type {Naming["from"]} */ from) {
  return {name: collapsed(text), from};
}

const UNTIDY = /[^\S ]|  |^ | $/;

/** @returns {string} the text on one line, with single spaces */
function collapsed(/** @type {string} */ text) {
  return UNTIDY.test(text) ? text.replace(/\s+/g, " ").trim() : text;
}
tabmux.collapsed = collapsed;

function isRowNamed(/** @type {Element} */ element) {
  for (let at = tabmux.ownerOf(element); at; at = tabmux.ownerOf(at)) {
    const role = tabmux.roleOf(at);
    if (role === "grid" || role === "treegrid") return true;
    if (role === "table") return false;
  }
  return false;
}

function referredName(/** @type {Element} */ element) {
  if (!hasAttribute.call(element, "aria-labelledby")) return "";
  return tabmux.referencesOf(element, "aria-labelledby")
    .map((/** @type {Element} */ target) => referredText(target, element))
    .filter(Boolean).join(" ");
}

/** The text of an element that was pointed at; hidden ones count, unless within a visible one. */
function referredText(/** @type {Element} */ target, /** @type {Element} */ from) {
  const label = attribute.call(target, "aria-label");
  if (label && label.trim()) return collapsed(label);
  const role = tabmux.roleOf(target);
  const visited = new Set([from, target]);
  const native = nativeName(target, role, visited);
  if (native) return collapsed(native);
  if (target !== from && VALUES.has(role)) return collapsed(tabmux.valueOf(target, role) ?? "");
  const hidden = !tabmux.isVisible(target);
  return collapsed(contentOf(target, visited, hidden) || attribute.call(target, "title") || "");
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
  table: (element, visited) => childText(element, "caption", visited),
  optgroup: (element) => attribute.call(element, "label") ?? "",
  option: (element) => element.label,
};
const native = new Map(Object.entries(NATIVE));

function nativeName(/** @type {Element} */ element, /** @type {string} */ role, /** @type {Set<Node>} */ visited) {
  const name = tag.call(element);
  const read = native.get(name);
  if (read) return read(element, visited);
  if (namespace.call(element) === "http://www.w3.org/2000/svg") return svgTitle(element);
  return "";
}

function svgTitle(/** @type {Element} */ element) {
  for (let node = element.firstElementChild; node; node = node.nextElementSibling) {
    if (tag.call(node) === "title") return node.textContent ?? "";
  }
  return name === "a" ? attribute.call(element, "xlink:title") ?? "" : "";
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

function labelsText(/** @type {HTMLInputElement} */ control, /** @type {Set<Node>} */ visited) {
  const labels = control.labels;
  if (!labels || !labels.length) return "";
  const texts = [];
  for (const label of labels) {
    if (visited.has(label)) continue;
    const named = attribute.call(label, "aria-label");
    texts.push(collapsed(named || contentOf(label, new Set([...visited, label]), false)));
  }
  return texts.filter(Boolean).join(" ");
}

function childText(/** @type {Element} */ element, /** @type {string} */ name, /** @type {Set<Node>} */ visited) {
  for (let node = element.firstElementChild; node; node = node.nextElementSibling) {
    if (tag.call(node) === name) return contentOf(node, new Set([...visited, node]), false);
  }
  return "";
}

function placeholderOf(/** @type {Element} */ element) {
  const name = tag.call(element);
  if (name === "input" || name === "textarea") {
    const placeholder = attribute.call(element, "placeholder");
    if (placeholder && placeholder.trim()) return placeholder;
  }
  return attribute.call(element, "aria-placeholder")?.trim() ?? "";
}

/**
 * The text inside an element, as it would be read.
 * @param {Element} element
 * @param {Set<Node>} visited
 * @param {boolean} hidden whether hidden content counts
 * @returns {string}
 */
function contentOf(element, visited, hidden) {
  const first = firstChild.call(element);
  if (first && !nextSibling.call(first) && nodeType.call(first) === 3 && !tabmux.shadowOf(element)) {
    return tabmux.generatedText(element, "::before") + data.call(first) +
      tabmux.generatedText(element, "::after");
  }
  let text = tabmux.generatedText(element, "::before");
  for (const node of tabmux.childrenOf(element)) text += partOf(node, visited, hidden);
  for (const owned of tabmux.ownedBy(element)) text += partOf(owned, visited, hidden);
  return text + tabmux.generatedText(element, "::after");
}
tabmux.contentOf = (/** @type {Element} */ element) => collapsed(contentOf(element, new Set([element]), false));

function partOf(/** @type {any} */ node, /** @type {Set<Node>} */ visited, /** @type {boolean} */ hidden) {
  const type = nodeType.call(node);
  if (type === 3) return data.call(node);
  if (type !== 1 || visited.has(node)) return "";
  const name = tag.call(node);
  if (name === "br") return " ";
  if (tabmux.isSilent(name)) return "";
  const style = getComputedStyle(node);
  if (!hidden && isLeftOut(node, style)) return "";
  visited.add(node);
  const text = alternativeOf(node, style, visited, hidden);
  return tabmux.isInline(style.display) ? text : ` ${text} `;
}

function isLeftOut(/** @type {Element} */ element, /** @type {CSSStyleDeclaration} */ style) {
  if (style.display === "none" || style.visibility !== "visible") return true;
  if (hasAttribute.call(element, "inert")) return true;
  return attribute.call(element, "aria-hidden") === "true" && !tabmux.holdsFocus(element);
}

function alternativeOf(/** @type {Element} */ element, /** @type {CSSStyleDeclaration} */ style, /** @type {Set<Node>} */ visited, /** @type {boolean} */ hidden) {
  const role = tabmux.roleOf(element);
  const referred = referredName(element);
  if (referred) return referred;
  const label = attribute.call(element, "aria-label");
  if (label && label.trim()) return label;
  if (VALUES.has(role)) return tabmux.valueOf(element, role) ?? "";
  const own = nativeName(element, role, visited);
  if (own) return own;
  if (tabmux.isEditingHost(element) && role === "textbox") return tabmux.valueOf(element, role) ?? "";
  const content = contentOf(element, visited, hidden);
  return content.trim() ? content : (attribute.call(element, "title") ?? "");
}

/** @returns {string} what else is said about the element */
tabmux.descriptionOf = function (/** @type {Element} */ element, /** @type {Naming} */ naming) {
  const targets = tabmux.referencesOf(element, "aria-describedby");
  if (targets.length) {
    const text = targets.map((/** @type {Element} */ target) => referredText(target, element)).filter(Boolean).join(" ");
    if (text) return text;
  }
  const written = attribute.call(element, "aria-description");
  if (written && written.trim()) return collapsed(written);
  if (naming.from === "title") return "";
  const title = attribute.call(element, "title");
  return title && collapsed(title) !== naming.name ? collapsed(title) : "";
};
