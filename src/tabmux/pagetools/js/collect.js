// @ts-check
// Walks a document once and reports what can be used in it, and what that stands in.

const {dom} = tabmux;
const {tag, attribute, hasAttribute, checkVisibility, nodeType, data, textContent} = dom;
const {firstChild, nextSibling, firstElement, nextElement} = dom;
const {hasAttributes} = Element.prototype;

const NODES = 6000;
const HIDDEN_NODES = 1500;
const DEPTH = 300;
const RENDERED = {visibilityProperty: true};
const CONTROLS = new Set(["input", "select", "textarea", "button"]);
const FIELDS = new Set(["input", "select", "textarea"]);
const USED = new Set((
  "button link checkbox radio switch textbox searchbox combobox listbox slider spinbutton tab " +
  "menuitem menuitemcheckbox menuitemradio option treeitem DisclosureTriangle"
).split(" "));
/** What may hold elements only: a text right in one of them is white space. */
const TEXTLESS = new Set(["ul", "ol", "table", "thead", "tbody", "tfoot", "tr", "dl", "colgroup"]);
const FORM = "form";
const HIDDEN_USE = "a[href], button, input:not([type=hidden]), select, textarea, form, [role], [onclick]";

let kept = 0;
let unseen = 0;

/** @returns {string} the report, as JSON */
tabmux.toolsCollect = function () {
  kept = unseen = 0;
  tabmux.factBegin();
  const modal = tabmux.factModal();
  const top = modal ?? dom.body.call(document) ?? dom.documentElement.call(document);
  tabmux.beginWalk();
  try {
    /** @type {any[]} */
    const parts = [];
    walk(top, parts, 0, false, false);
    const root = {r: 0, t: "#document", k: parts};
    return JSON.stringify({
      url: dom.url.call(document), origin: location.origin, title: tabmux.factText(document.title),
      language: attribute.call(dom.documentElement.call(document), "lang") ?? "",
      modal: modal !== null, templates: tabmux.factTemplates(), opensearch: tabmux.factOpenSearch(),
      root,
    });
  } finally {
    tabmux.endWalk();
  }
};

/**
 * Appends what is to be said of an element to the parts of the one around it.
 * @param {Element} element
 * @param {any[]} parts
 * @param {number} depth
 * @param {boolean} hidden whether something around it is
 * @param {boolean} pointer whether the mouse is a hand around it
 */
function walk(element, parts, depth, hidden, pointer) {
  const name = tag.call(element);
  if (tabmux.isSilent(name) || kept > NODES || depth > DEPTH || name === "svg") return;
  const plain = !hasAttributes.call(element);
  if (!plain && hasAttribute.call(element, "inert")) return;
  const control = CONTROLS.has(name);
  if (name === "input" && /** @type {any} */ (element).type === "hidden") return;
  if (!plain && !control && attribute.call(element, "aria-hidden") === "true") hidden = true;
  if (!hidden && !checkVisibility.call(element, RENDERED)) {
    if (getComputedStyle(element).display !== "contents") hidden = true;
  }
  if (hidden && !control && !isWorthALook(element, name)) return;
  const role = tabmux.roleOf(element);
  const used = isUsed(element, name, role, plain);
  const hand = !used && !hidden && !pointer && isHand(element, name);
  if (!used && !hand && !tabmux.factIsPlace(element, name, role, plain)) {
    passThrough(element, name, parts, depth, hidden, pointer);
    return;
  }
  // The number is given before those of what is inside, so that they follow the document.
  const ref = tabmux.toolRef(element);
  if (hidden) unseen += 1;
  kept += 1;
  /** @type {any[]} */
  const inner = [];
  if (name !== "select" && name !== "textarea") descend(element, name, inner, depth, hidden, pointer || hand);
  if (isEmpty(inner, used || hand, name, role)) {
    for (const part of inner) parts.push(part);
    return;
  }
  const own = used || hand ? tabmux.factUsed(ref, element, name, role, hidden) : tabmux.factPlace(ref, element, name, role);
  if (hidden) own.h ??= 1;
  const kids = used && own.n ? inner.filter((part) => typeof part !== "string") : inner;
  if (kids.length) own.k = kids;
  parts.push(own);
}

/**
 * What says nothing itself gives what is in it to the one around it.
 * @param {Element} element
 * @param {string} name
 * @param {any[]} parts
 * @param {number} depth
 * @param {boolean} hidden
 * @param {boolean} pointer
 */
function passThrough(element, name, parts, depth, hidden, pointer) {
  /** @type {any[]} */
  const inner = [];
  descend(element, name, inner, depth, hidden, pointer);
  if (!hidden && holdsFields(inner)) parts.push({r: tabmux.toolRef(element), t: name, k: inner});
  else for (const part of inner) typeof part === "string" ? addText(parts, part) : parts.push(part);
}

/** A box that says nothing is kept all the same if it holds a field together with something. */
function holdsFields(/** @type {any[]} */ inner) {
  const nodes = inner.filter((part) => typeof part !== "string");
  return nodes.length > 1 && nodes.some((part) => FIELDS.has(part.t) || part.t === "label");
}

const SAYING = new Set(["form", "legend", "caption", "th", "label"]);

/**
 * A place that holds nothing of use is only its text.
 * @param {any[]} inner
 * @param {boolean} used
 * @param {string} name
 * @param {string} role
 */
function isEmpty(inner, used, name, role) {
  if (used || SAYING.has(name) || role === "heading" || role === "columnheader") return false;
  return !inner.some((part) => typeof part !== "string");
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {any[]} parts
 * @param {number} depth
 * @param {boolean} hidden
 * @param {boolean} pointer
 */
function descend(element, name, parts, depth, hidden, pointer) {
  if (name === "slot" || tabmux.shadowOf(element)) {
    for (const node of tabmux.childrenOf(element)) meet(node, parts, depth, hidden, pointer);
  } else if (firstElement.call(element) === null) {
    if (!hidden) addText(parts, textContent.call(element));
  } else if (hidden || TEXTLESS.has(name)) {
    // Texts are nothing here, and to touch a node is what costs most.
    for (let node = firstElement.call(element); node; node = nextElement.call(node)) {
      walk(node, parts, depth + 1, hidden, pointer);
    }
  } else {
    for (let node = firstChild.call(element); node; node = nextSibling.call(node)) {
      meet(node, parts, depth, hidden, pointer);
    }
  }
}

/**
 * @param {any} node
 * @param {any[]} parts
 * @param {number} depth
 * @param {boolean} hidden
 * @param {boolean} pointer
 */
function meet(node, parts, depth, hidden, pointer) {
  const type = nodeType.call(node);
  if (type === 1) walk(node, parts, depth + 1, hidden, pointer);
  else if (type === 3 && !hidden) addText(parts, data.call(node));
}

const SAID = /\S/;

function addText(/** @type {any[]} */ parts, /** @type {string} */ text) {
  if (!SAID.test(text)) return;
  const plain = tabmux.factText(text, 160);
  if (!plain) return;
  const last = parts.length - 1;
  if (typeof parts[last] !== "string") parts.push(plain);
  else if (parts[last].length < 400) parts[last] += ` ${plain}`;
}

function isWorthALook(/** @type {Element} */ element, /** @type {string} */ name) {
  if (unseen > HIDDEN_NODES && !dom.closest.call(element, FORM) && !dom.query.call(element, FORM)) return false;
  return name === "a" || name === "form" || hasAttribute.call(element, "role") ||
    dom.query.call(element, HIDDEN_USE) !== null;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string} role
 * @param {boolean} plain whether it has no attributes
 */
function isUsed(element, name, role, plain) {
  if (CONTROLS.has(name) || USED.has(role) || name === "summary") return true;
  return !plain && (tabmux.isEditingHost(element) || hasAttribute.call(element, "onclick"));
}

const HANDS = new Set(["div", "span", "li", "tr", "td", "a", "i", "img", "article", "p", "section", "figure"]);

/** @returns {boolean} whether the mouse becomes a hand over it, as over what can be clicked */
function isHand(/** @type {Element} */ element, /** @type {string} */ name) {
  if (!HANDS.has(name) && !name.includes("-")) return false;
  if (!tabmux.mayBeTouched("cursor") && !isUnderLink(element)) return false;
  return getComputedStyle(element).cursor === "pointer";
}

/** The browser itself makes the mouse a hand over links, and over what is in them. */
const isUnderLink = (/** @type {Element} */ element) => dom.closest.call(element, ":any-link") !== null;
