// @ts-check
// What a person can see or reach, and what only shows under the mouse.

const {dom} = tabmux;
const {tag, attribute, checkVisibility, box, matches, closest} = dom;

const RENDERED = {visibilityProperty: true};
const FAR = 500;
/** Wrappers by which scripts replace a select, and which stand right after it. */
const REPLACED = /select2|chosen|ts-wrapper|choices|selectize|nice-select|bootstrap-select|ss-main|dropdown/i;

/** @returns {boolean} whether an element has a box that is not out of reach */
function hasRoom(/** @type {Element} */ element) {
  const {width, height, left, top, right, bottom} = box.call(element);
  if (width <= 1 || height <= 1) return false;
  const near = (right > 0 && bottom > 0) || (right + scrollX > -FAR && bottom + scrollY > -FAR);
  if (!near) return false;
  return !isBeyond(left, top, right) || !isPutAside(element);
}

/** @returns {boolean} whether a box stands where the page cannot be scrolled to */
function isBeyond(/** @type {number} */ left, /** @type {number} */ top, /** @type {number} */ right) {
  return right <= 0 || left + scrollX >= extent.right || top + scrollY >= extent.bottom;
}

/** How far the page can be scrolled to; known while it is walked. */
const extent = {right: Infinity, bottom: Infinity};

/** @returns {boolean} whether what an element stands in keeps its place on the screen, which is beside it: a closed drawer */
function isPutAside(/** @type {Element} */ element) {
  for (let at = tabmux.parentOf(element); at; at = tabmux.parentOf(at)) {
    const {position, overflowX, overflowY} = getComputedStyle(at);
    if (position === "fixed") return true;
    const {left, top, right} = box.call(at);
    if (/auto|scroll/.test(`${overflowX} ${overflowY}`) && !isBeyond(left, top, right)) return false;
  }
  return false;
}

/** @returns {boolean} whether an element is drawn somewhere */
tabmux.factShown = (/** @type {Element} */ element) =>
  checkVisibility.call(element, RENDERED) && hasRoom(element);

/** @type {Map<string, number>} numbers of kinds, by the kind around and what selectors go by */
const kinds = new Map();
/** @type {Map<number, number>} how many of a kind had room */
const roomy = new Map();
const TRIALS = 3;

/**
 * @param {number} around the kind of what it stands in
 * @param {Element} element
 * @param {string} name
 * @param {string[]} names of its attributes
 * @returns {number} the kind: the same for what has the same tags and classes all the way up
 */
tabmux.factKind = function (around, element, name, names) {
  const key = `${around} ${name} ${names.includes("class") ? attribute.call(element, "class") : ""}`;
  const known = kinds.get(key);
  if (known !== undefined) return known;
  kinds.set(key, kinds.size + 1);
  return kinds.size;
};

/**
 * To ask for a box is slow; after a few of a kind had one, the others are taken to have one.
 * @param {{element: Element, names: string[], kind: number}} met
 */
function hasRoomByKind({element, names, kind}) {
  if (names.includes("style")) return hasRoom(element);
  const trials = roomy.get(kind) ?? 0;
  if (trials >= TRIALS) return true;
  const room = hasRoom(element);
  roomy.set(kind, room ? trials + 1 : -Infinity);
  return room;
}

/**
 * @param {import("./element_report.js").Met} met what is known of a control
 * @param {boolean} worded whether it shows a text of its own
 * @returns {boolean} whether it can be used, itself or through what stands for it
 */
tabmux.factUsable = function (met, worded) {
  const control = met.element;
  if (tabmux.factTrap(control)) return false;
  if (met.hidden ? tabmux.factShown(control) : worded ? hasRoomByKind(met) : hasRoom(control)) return true;
  const name = tag.call(control);
  if (name === "select" || control.type === "text") {
    const next = dom.nextElement.call(control);
    if (next && REPLACED.test(attribute.call(next, "class") ?? "") && tabmux.factShown(next)) return true;
  }
  if (!["checkbox", "radio", "file"].includes(control.type ?? "")) return false;
  return [...(control.labels ?? []), ...strayLabel(control)].some((label) => tabmux.factShown(label));
};

/** Kinds of fields that are typed into, by their `type`. */
const TYPED = new Set(["text", "email", "tel", "url", "search", "number", "textarea"]);
const DRAWN = {visibilityProperty: true, opacityProperty: true};
/** How far up a box may cut off what is in it. */
const LEVELS = 5;

/** @returns {boolean} whether nobody can get to see a field, though the browser draws it */
function isTrap(/** @type {Element} */ field) {
  if (!checkVisibility.call(field, DRAWN)) return checkVisibility.call(field, RENDERED) && !isFading(field);
  const {right, bottom, left, top} = box.call(field);
  if (right + scrollX <= 0 || bottom + scrollY <= 0) return true;
  const page = document.documentElement;
  if (left + scrollX >= Math.max(page.scrollWidth, innerWidth) || top + scrollY >= Math.max(page.scrollHeight, innerHeight)) {
    return true;
  }
  if (attribute.call(field, "tabindex") === "-1" && closest.call(field, "[aria-hidden=true]")) return true;
  for (let /** @type {Element | null} */ at = field, hops = 0; at && hops < LEVELS; at = tabmux.parentOf(at), hops++) {
    if (isCutOff(at, at !== field)) return true;
  }
  return false;
}

/** @returns {boolean} whether a field that is typed into is there to catch programs */
tabmux.factTrap = (/** @type {Field} */ field) => TYPED.has(field.type ?? "") && isTrap(field);

/** @returns {boolean} whether what makes a field transparent is on its way to show it, as tabs and dialogs are */
function isFading(/** @type {Element} */ field) {
  for (let /** @type {Element | null} */ at = field; at; at = tabmux.parentOf(at)) {
    const style = getComputedStyle(at);
    if (style.opacity !== "0") continue;
    const properties = style.transitionProperty.split(", ");
    const seconds = style.transitionDuration.split(", ");
    const which = properties.indexOf("opacity");
    return which >= 0 && parseFloat(seconds[which % seconds.length]) > 0 || at.getAnimations().length > 0;
  }
  return false;
}

/** @returns {boolean} whether an element shows nothing of itself or of what is in it */
function isCutOff(/** @type {Element} */ element, /** @type {boolean} */ around) {
  const style = getComputedStyle(element);
  if (style.clip !== "auto" && /rect\((?:[01]px,? ?){4}\)/.test(style.clip) && style.position !== "static") return true;
  if (/inset\((?:50|[6-9]\d|100)%|circle\(0/.test(style.clipPath)) return true;
  if (!around || style.overflow === "visible" || style.display === "contents") return false;
  const {width, height} = box.call(element);
  return width <= 2 || height <= 2;
}

/** A label beside a control is meant for it if what its `for` names is not there. */
function strayLabel(/** @type {Element} */ control) {
  const next = dom.nextElement.call(control);
  return next && tag.call(next) === "label" && /** @type {HTMLLabelElement} */ (next).control === null ? [next] : [];
}

/** @type {Map<Node, string>} what shows when something is hovered in each tree, as one selector */
const hovered = new Map();
/** @type {WeakMap<CSSStyleSheet, {size: number, selectors: string[]}>} */
const scanned = new WeakMap();

tabmux.duringWalks({
  begin() {
    hovered.clear();
    const page = document.documentElement;
    extent.right = Math.max(page.scrollWidth, page.clientWidth);
    extent.bottom = Math.max(page.scrollHeight, page.clientHeight);
  },
  enter: () => {},
  end() {
    hovered.clear();
    kinds.clear();
    roomy.clear();
    extent.right = extent.bottom = Infinity;
  },
});

/** @returns {boolean} whether a hidden element shows when the mouse is over something around it */
tabmux.factOnHover = function (/** @type {Element} */ element) {
  for (let /** @type {Element | null} */ at = element, hops = 0; at && hops < 3; at = tabmux.parentOf(at), hops++) {
    if (checkVisibility.call(at, RENDERED) && at !== element) return false;
    const shown = hoveredIn(dom.getRootNode.call(at));
    if (shown && matches.call(at, shown)) return true;
  }
  return false;
};

/** @returns {string} */
function hoveredIn(/** @type {Node} */ root) {
  const known = hovered.get(root);
  if (known !== undefined) return known;
  const found = new Set();
  for (const sheet of sheetsOf(root)) for (const selector of selectorsOf(sheet)) found.add(selector);
  hovered.set(root, [...found].join(", "));
  return hovered.get(root) ?? "";
}

/** @returns {CSSStyleSheet[]} */
function sheetsOf(/** @type {Node} */ root) {
  if (root instanceof ShadowRoot) return [...root.styleSheets, ...root.adoptedStyleSheets];
  return [...dom.styleSheets.call(document), ...(dom.adoptedSheets.call(document) ?? [])];
}

/** @returns {string[]} */
function selectorsOf(/** @type {CSSStyleSheet} */ sheet) {
  try {
    const {cssRules} = sheet;
    const known = scanned.get(sheet);
    if (known?.size === cssRules.length) return known.selectors;
    /** @type {string[]} */
    const selectors = [];
    gather(cssRules, selectors);
    scanned.set(sheet, {size: cssRules.length, selectors});
    return selectors;
  } catch {
    return []; // another origin's sheet does not let itself be read
  }
}

function gather(/** @type {Iterable<Rule>} */ rules, /** @type {string[]} */ into) {
  for (const rule of rules) {
    const {selectorText, style} = rule;
    if (selectorText?.includes(":hover") && style && (style.display || style.visibility || style.opacity)) {
      for (const part of selectorText.split(",")) keep(part, style, into);
    }
    if (rule.cssRules && !selectorText) gather(rule.cssRules, into);
  }
}

/**
 * @param {string} selector
 * @param {CSSStyleDeclaration} style
 * @param {string[]} into
 */
function keep(selector, style, into) {
  const plain = selector.replace(/:(hover|focus-within|focus)/g, "").replace(/:host(\(\))?/g, "").trim();
  if (!selector.includes(":hover") || style.display === "none" || style.visibility === "hidden") return;
  if (!plain || plain.includes("&")) return;
  try {
    matches.call(document.documentElement, plain);
    into.push(plain);
  } catch {
    return; // nothing is left of it
  }
}

/** What says that more is on its way. */
const BUSY = '[aria-busy=true], [class*="loading"], [class*="spinner"], [class*="skeleton"], [class*="processing"]';
const MOST_BUSY = 20;

/** @returns {boolean} whether something that can be seen says that it is still being loaded */
tabmux.factBusy = function () {
  const found = dom.queryDocumentAll.call(document, BUSY);
  for (let at = 0; at < found.length && at < MOST_BUSY; at++) {
    if (tag.call(found[at]) !== "img" && tabmux.factShown(found[at])) return true;
  }
  return false;
};

/** @returns {Element | null} the modal dialog that is open, by markup or by role */
tabmux.factModal = function () {
  const native = tabmux.modal();
  if (native) return native;
  const open = [...dom.queryDocumentAll.call(document, "[aria-modal=true]")]
    .filter((each) => tabmux.factShown(each) && !closest.call(each, "[aria-hidden=true]"));
  return open[open.length - 1] ?? null;
};
