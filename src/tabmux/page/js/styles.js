// @ts-check
// What is rendered, and how: visibility, inertness and the boxes that separate words.

const { tag, attribute, hasAttribute, closest, matches } = tabmux.dom;

/** Elements that never show their content, whatever their style says. */
const SILENT = new Set([
  "script", "style", "template", "noscript", "head", "title", "meta", "link", "base", "param",
  "source", "track", "datalist", "noembed", "noframes",
]);

/** Displays whose content runs on in the line of text around them. */
const INLINE = new Set(["inline", "contents", "ruby", "ruby-text", "math", "none"]);

/** @returns {boolean} whether an element of this tag can show anything at all */
tabmux.isSilent = (/** @type {string} */ name) => SILENT.has(name);

/** @returns {boolean} whether text before and after an element of this display is one run */
tabmux.isInline = (/** @type {string} */ display) => INLINE.has(display);

/**
 * Whether an agent is shown this element: rendered, not hidden from assistive
 * technology, not inert.
 * @param {Element} element
 */
tabmux.isVisible = function (element) {
  if (!isRendered(element)) return false;
  const modal = tabmux.modal();
  let inert = Boolean(modal);
  for (let at = element; at; at = tabmux.parentOf(at)) {
    if (attribute.call(at, "aria-hidden") === "true" && !tabmux.holdsFocus(at)) return false;
    if (at === modal) inert = false;
    if (inert === false && at === modal) return !hasAttribute.call(at, "inert");
    if (hasAttribute.call(at, "inert")) return false;
  }
  return !inert;
};

function isRendered(/** @type {Element} */ element) {
  if (SILENT.has(tag.call(element))) return false;
  if (tabmux.dom.checkVisibility.call(element, { visibilityProperty: true })) return true;
  const style = getComputedStyle(element);
  if (style.display !== "contents" || style.visibility !== "visible") return false;
  const parent = tabmux.parentOf(element);
  return !parent || isRendered(parent);
}

/** Chrome disregards aria-hidden where the focus is, and on the whole document. */
tabmux.holdsFocus = function (/** @type {Element} */ element) {
  const name = tag.call(element);
  if (name === "html" || name === "body") return true;
  for (let at = tabmux.activeElement(); at; at = tabmux.parentOf(at)) {
    if (at === element) return true;
    if (tag.call(at) === "body") return false;
  }
  return false;
};

/**
 * The modal dialog that makes everything else inert.
 * @returns {Element | null}
 */
tabmux.modal = function () {
  const open = tabmux.dom.queryDocumentAll.call(document, "dialog:modal");
  if (open.length < 2) return open[0] ?? null;
  // Of several, the others are inert too, and a hit test passes through what is inert.
  for (const dialog of open) {
    const box = dialog.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (hit && closest.call(hit, "dialog:modal") === dialog) return dialog;
  }
  return open[open.length - 1];
};

/** @returns {boolean} whether the element or what it holds is a modal dialog inside a shadow tree */
tabmux.isModal = (/** @type {Element} */ element) => matches.call(element, "dialog:modal");

tabmux.rememberStyles = () => {};
tabmux.forgetStyles = () => {};
