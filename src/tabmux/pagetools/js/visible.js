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
  const {width, height, right, bottom} = box.call(element);
  if (width <= 1 || height <= 1) return false;
  return (right > 0 && bottom > 0) || (right + scrollX > -FAR && bottom + scrollY > -FAR);
}

/** @returns {boolean} whether an element is drawn somewhere */
tabmux.factShown = (/** @type {Element} */ element) =>
  checkVisibility.call(element, RENDERED) && hasRoom(element);

/**
 * @param {any} control
 * @param {boolean} rendered whether it is known to be
 * @returns {boolean} whether a control can be used, itself or through what stands for it
 */
tabmux.factUsable = function (control, rendered = false) {
  if (rendered ? hasRoom(control) : tabmux.factShown(control)) return true;
  const name = tag.call(control);
  if (name === "select" || control.type === "text") {
    const next = dom.nextElement.call(control);
    if (next && REPLACED.test(attribute.call(next, "class") ?? "") && tabmux.factShown(next)) return true;
  }
  if (!["checkbox", "radio", "file"].includes(control.type)) return false;
  return [...(control.labels ?? [])].some((label) => tabmux.factShown(label));
};

/** What shows when something is hovered, as one selector without the hovering. */
let hovered = "";
/** @type {WeakMap<CSSStyleSheet, {size: number, selectors: string[]}>} */
const scanned = new WeakMap();
/** Whether the sheets have been looked at since the walk began. */
let looked = false;

tabmux.duringWalks({
  begin: () => { looked = false; },
  enter: () => {},
  end: () => { looked = false; },
});

/** @returns {boolean} whether a hidden element shows when the mouse is over something around it */
tabmux.factOnHover = function (/** @type {Element} */ element) {
  if (!looked) readHovered();
  if (!hovered) return false;
  for (let at = element, hops = 0; at && hops < 3; at = tabmux.parentOf(at), hops++) {
    if (checkVisibility.call(at, RENDERED) && at !== element) return false;
    if (matches.call(at, hovered)) return true;
  }
  return false;
};

function readHovered() {
  looked = true;
  const found = new Set();
  const sheets = [...dom.styleSheets.call(document), ...(dom.adoptedSheets.call(document) ?? [])];
  for (const sheet of sheets) for (const selector of selectorsOf(sheet)) found.add(selector);
  hovered = [...found].join(", ");
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

function gather(/** @type {Iterable<any>} */ rules, /** @type {string[]} */ into) {
  for (const rule of rules) {
    const {selectorText, style} = rule;
    if (selectorText?.includes(":hover") && (style.display || style.visibility || style.opacity)) {
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
  const plain = selector.replace(/:(hover|focus-within|focus)/g, "").trim();
  if (!selector.includes(":hover") || style.display === "none" || style.visibility === "hidden") return;
  if (!plain || plain.includes("&")) return;
  try {
    matches.call(document.documentElement, plain);
    into.push(plain);
  } catch {
    return; // nothing is left of it
  }
}

/** @returns {Element | null} the modal dialog that is open, by markup or by role */
tabmux.factModal = function () {
  const native = tabmux.modal();
  if (native) return native;
  const open = [...dom.queryDocumentAll.call(document, "[aria-modal=true]")]
    .filter((each) => tabmux.factShown(each) && !closest.call(each, "[aria-hidden=true]"));
  return open[open.length - 1] ?? null;
};
