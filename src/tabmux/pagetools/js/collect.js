// @ts-check
// Walks a document once and reports what can be used in it, and what that stands in.

const {dom} = tabmux;
const {tag, attribute, hasAttribute, attributeNames, checkVisibility, nodeType, data, textContent} = dom;
const {firstChild, nextSibling, firstElement, nextElement} = dom;
const {hasAttributes} = Element.prototype;

const NODES = 6000;
const HIDDEN_NODES = 1500;
const DEPTH = 300;
const RENDERED = {visibilityProperty: true};
const CONTROLS = new Set(["input", "select", "textarea", "button"]);
const USED = new Set((
  "button link checkbox radio switch textbox searchbox combobox listbox slider spinbutton tab " +
  "menuitem menuitemcheckbox menuitemradio option treeitem DisclosureTriangle"
).split(" "));
/** What may hold elements only: a text right in one of them is white space. */
const TEXTLESS = new Set(["ul", "ol", "table", "thead", "tbody", "tfoot", "tr", "dl", "colgroup"]);
/** What is in these is their value. */
const UNREAD = new Set(["select", "textarea"]);
const FORM = "form";
const HIDDEN_USE = "a[href], button, input:not([type=hidden]), select, textarea, form, [role], [onclick]";
/** @type {string[]} */
const NONE = [];

/** @typedef {import("./element_report.js").Met} Met */
/** @typedef {import("./element_report.js").Report} Report */
/** @typedef {import("./element_report.js").Part} Part */

let kept = 0;
let unseen = 0;
/** Whether long lists are reported to their ends. */
let whole = false;

/**
 * What holds for everything in an element.
 * @typedef {object} Scope
 * @property {number} depth
 * @property {boolean} hidden whether something around it is
 * @property {boolean} pointer whether the mouse is a hand around it
 * @property {boolean} linked whether it is in a link
 * @property {number} kind the same for elements that style sheets can hardly tell apart
 */

/**
 * @param {boolean} [fully] whether long lists are reported to their ends
 * @returns {string} the report, as JSON
 */
tabmux.toolsCollect = function (fully = false) {
  kept = unseen = 0;
  whole = fully;
  const modal = tabmux.factModal();
  const top = modal ?? dom.body.call(document) ?? dom.documentElement.call(document);
  tabmux.beginWalk();
  try {
    /** @type {Part[]} */
    const parts = [];
    const linked = dom.closest.call(top, ":any-link") !== null;
    walk(top, parts, {depth: 0, hidden: false, pointer: false, linked, kind: 0});
    const root = {r: 0, t: "#document", k: parts};
    return JSON.stringify({
      url: dom.url.call(document), origin: location.origin, title: tabmux.factText(document.title),
      language: attribute.call(dom.documentElement.call(document), "lang") ?? "",
      modal: modal !== null, busy: tabmux.factBusy(), templates: tabmux.factTemplates(), opensearch: tabmux.factOpenSearch(),
      root,
    });
  } finally {
    tabmux.endWalk();
  }
};

/**
 * Appends what is to be said of an element to the parts of the one around it.
 * @param {Element} element
 * @param {Part[]} parts
 * @param {Scope} around
 */
function walk(element, parts, around) {
  const name = tag.call(element);
  if (tabmux.isSilent(name) || kept > NODES || around.depth > DEPTH || name === "svg") return;
  const names = hasAttributes.call(element) ? attributeNames.call(element) : NONE;
  if (names.includes("inert") || isHiddenInput(element, name)) return;
  const control = CONTROLS.has(name);
  const hidden = around.hidden || isHidden(element, names, control);
  if (hidden && !control && !isWorthALook(element, name)) return;
  const role = tabmux.roleOf(element);
  const used = control || isUsed(element, name, role, names);
  const hand = !used && !hidden && !around.pointer && isHand(element, name, around);
  const place = used || hand || tabmux.factIsPlace(name, role, names);
  const leaf = isLeaf(element, name);
  if (leaf && !place) {
    if (!hidden) addText(parts, textContent.call(element));
    return;
  }
  // The number is given before those of what is inside, so that they follow the document.
  const ref = place ? numbered(element, hidden) : 0;
  const kind = tabmux.factKind(around.kind, element, name, names);
  const met = {ref, element, name, names, role, kind, hidden, used, hand};
  addMet(met, contentsOf(element, name, leaf, scopeIn(met, around)), parts);
}

function isHiddenInput(/** @type {Field} */ element, /** @type {string} */ name) {
  return name === "input" && element.type === "hidden";
}

/** @returns {boolean} whether an element holds no other */
function isLeaf(/** @type {Element} */ element, /** @type {string} */ name) {
  return name !== "slot" && firstElement.call(element) === null && !tabmux.shadowOf(element);
}

/** What is in these is a part of them, also where the mouse is a hand over it. */
const PRESSED = new Set("button link tab menuitem option summary".split(" "));

/** @returns {Scope} */
function scopeIn(/** @type {Met} */ {name, names, role, kind, hidden, used, hand}, /** @type {Scope} */ around) {
  const linked = around.linked || name === "a" && names.includes("href");
  const pressed = used && (PRESSED.has(role) || PRESSED.has(name));
  return {depth: around.depth + 1, hidden, pointer: around.pointer || hand || pressed, linked, kind};
}

/**
 * @param {Met} met
 * @param {Part[]} inner what is to be said of what is in it
 * @param {Part[]} parts
 */
function addMet(met, inner, parts) {
  if (!met.ref) giveOn(met, inner, parts);
  else if (isEmpty(met, inner)) addParts(inner, parts);
  else parts.push(reported(met, inner));
}

/** @returns {number} the number of an element that is kept */
function numbered(/** @type {Element} */ element, /** @type {boolean} */ hidden) {
  kept += 1;
  if (hidden) unseen += 1;
  return tabmux.toolRef(element);
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {boolean} leaf whether it holds no other element
 * @param {Scope} scope
 * @returns {Part[]} what is to be said of what is in it
 */
function contentsOf(element, name, leaf, scope) {
  /** @type {Part[]} */
  const inner = [];
  if (UNREAD.has(name)) return inner;
  if (!leaf) descend(element, name, inner, scope);
  else if (!scope.hidden) addText(inner, textContent.call(element));
  return inner;
}

/** @returns {Report} the report of an element, with what is in it */
function reported(/** @type {Met} */ met, /** @type {Part[]} */ inner) {
  const own = met.used || met.hand ? tabmux.factUsed(met) : tabmux.factPlace(met);
  if (met.hidden) own.h ??= 1;
  const kids = met.used && own.n ? inner.filter((part) => typeof part !== "string") : inner;
  if (kids.length) own.k = kids;
  return own;
}

/**
 * @param {Element} element
 * @param {string[]} names of its attributes
 * @param {boolean} control
 * @returns {boolean} whether it is hidden, though what is around it is not
 */
function isHidden(element, names, control) {
  if (!control && names.includes("aria-hidden") && attribute.call(element, "aria-hidden") === "true") return true;
  // To ask for `visibility` too takes three times as long.
  const veiled = tabmux.mayBeTouched("visibility");
  if (veiled ? checkVisibility.call(element, RENDERED) : checkVisibility.call(element)) return false;
  return getComputedStyle(element).display !== "contents";
}

/**
 * What says nothing itself gives what is in it to the one around it.
 * @param {Met} met
 * @param {Part[]} inner
 * @param {Part[]} parts
 */
function giveOn({element, name, hidden}, inner, parts) {
  if (!hidden && holdsSeveral(inner)) parts.push({r: tabmux.toolRef(element), t: name, k: inner});
  else addParts(inner, parts);
}

function addParts(/** @type {Part[]} */ inner, /** @type {Part[]} */ parts) {
  for (const part of inner) typeof part === "string" ? addText(parts, part) : parts.push(part);
}

/** A box that says nothing is kept all the same if it holds things together. */
function holdsSeveral(/** @type {Part[]} */ inner) {
  let nodes = 0;
  for (const part of inner) if (typeof part !== "string" && ++nodes > 1) return true;
  return false;
}

const SAYING = new Set(["form", "legend", "caption", "th", "label"]);

/** A place that holds nothing of use is only its text. */
function isEmpty(/** @type {Met} */ {name, role, used, hand}, /** @type {Part[]} */ inner) {
  if (used || hand || SAYING.has(name) || role === "heading" || role === "columnheader") return false;
  return !inner.some((part) => typeof part !== "string");
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {Part[]} parts
 * @param {Scope} scope
 */
function descend(element, name, parts, scope) {
  const shadow = tabmux.shadowOf(element);
  if (shadow) tabmux.enter(shadow);
  if (name === "slot" || shadow) {
    for (const node of tabmux.childrenOf(element)) meet(node, parts, scope);
  } else if (!scope.hidden && tabmux.isLong(element)) {
    descendLong(element, name, parts, scope);
  } else if (scope.hidden || TEXTLESS.has(name)) {
    // Texts are nothing here, and to touch a node is what costs most.
    for (let node = firstElement.call(element); node; node = nextElement.call(node)) {
      walk(node, parts, scope);
    }
  } else {
    for (let node = firstChild.call(element); node; node = nextSibling.call(node)) {
      meet(node, parts, scope);
    }
  }
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {Part[]} parts
 * @param {Scope} scope
 */
function descendLong(element, name, parts, scope) {
  const list = new tabmux.LongList(whole);
  const [first, next] = /** @type {[typeof firstChild, typeof nextSibling]} */ (
    TEXTLESS.has(name) ? [firstElement, nextElement] : [firstChild, nextSibling]);
  for (let node = first.call(element); node; node = next.call(node)) {
    if (nodeType.call(node) !== 1 || kept > NODES) meet(node, parts, scope);
    else walkItem(/** @type {Element} */ (node), parts, scope, list);
  }
  list.close();
}

/**
 * @param {Element} item of a long list
 * @param {Part[]} parts
 * @param {Scope} scope
 * @param {import("./long_lists.js").LongList} list
 */
function walkItem(item, parts, scope, list) {
  if (list.repeats(item) && !isHidden(item, attributeNames.call(item), false)) {
    kept += 1;
    parts.push(list.brief(item));
    return;
  }
  const before = parts.length;
  walk(item, parts, scope);
  const part = parts[before];
  if (parts.length !== before + 1 || typeof part === "string") return;
  if (part.r === tabmux.toolRefOf(item) && !part.h) list.add(item, part);
}

/**
 * @param {Node} node
 * @param {Part[]} parts
 * @param {Scope} scope
 */
function meet(node, parts, scope) {
  const type = nodeType.call(node);
  if (type === 1) walk(/** @type {Element} */ (node), parts, scope);
  else if (type === 3 && !scope.hidden) addText(parts, data.call(/** @type {Text} */ (node)));
}

const SAID = /\S/;

function addText(/** @type {Part[]} */ parts, /** @type {string} */ text) {
  if (!SAID.test(text)) return;
  const plain = tabmux.factText(text, 160);
  if (!plain) return;
  const last = parts.length - 1;
  const before = parts[last];
  if (typeof before !== "string") parts.push(plain);
  else if (before.length < 400) parts[last] = `${before} ${plain}`;
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
 * @param {string[]} names of its attributes
 */
function isUsed(element, name, role, names) {
  if (USED.has(role) || name === "summary" || names.includes("onclick")) return true;
  return names.includes("contenteditable") && tabmux.isEditingHost(element);
}

const HANDS = new Set(["div", "span", "li", "tr", "td", "th", "a", "i", "img", "article", "p", "section", "figure"]);

/**
 * @param {Element} element
 * @param {string} name
 * @param {Scope} around
 * @returns {boolean} whether the mouse becomes a hand over it, as over what can be clicked
 */
function isHand(element, name, around) {
  if (!HANDS.has(name) && !name.includes("-")) return false;
  // The browser itself makes the mouse a hand over links, and over what is in them.
  if (!tabmux.mayBeTouched("cursor")) return around.linked;
  return getComputedStyle(element).cursor === "pointer";
}
