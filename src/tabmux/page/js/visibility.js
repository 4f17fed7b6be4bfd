// @ts-check
// What is rendered, and what is kept from the reader: hidden, inert or behind a modal dialog.

const {dom} = tabmux;
const {tag, attribute, hasAttribute, closest, checkVisibility, box} = dom;

/** Elements that never show their content, whatever their style says. */
const SILENT = new Set((
  "script style template noscript head title meta link base param source track datalist noembed " +
  "noframes symbol defs desc metadata clipPath mask pattern marker linearGradient radialGradient filter"
).split(" "));

/** Displays whose content runs on in the line of text around them. */
const INLINE = new Set(["inline", "contents", "ruby", "ruby-text", "math", "none"]);

/** @returns {boolean} whether an element of this tag can show nothing at all */
tabmux.isSilent = (/** @type {string} */ name) => SILENT.has(name);

/** @returns {boolean} whether text before and after an element of this display is one run */
tabmux.isInline = (/** @type {string} */ display) => INLINE.has(display);

/**
 * Whether an agent is shown this element: rendered, not hidden from assistive
 * technology, not inert.
 * @param {Element} element
 * @returns {boolean}
 */
tabmux.isVisible = function (element) {
  if (!isRendered(element)) return false;
  const modal = tabmux.modal();
  const inDocument = dom.getRootNode.call(element) === document;
  if (!modal && inDocument && !closest.call(element, OUT_OF_REACH)) return true;
  for (let /** @type {Element | null} */ at = element; at; at = tabmux.parentOf(at)) {
    if (attribute.call(at, "aria-hidden") === "true" && !tabmux.holdsFocus(at)) return false;
    if (hasAttribute.call(at, "inert")) return false;
    if (at === modal) return true;
  }
  return modal === null;
};

const OUT_OF_REACH = "[aria-hidden=true],[inert]";

/** Holders of elements that have no boxes of their own, and are read all the same. */
const BOXLESS = new Set(["select", "optgroup", "canvas"]);

/** @returns {boolean} */
function isRendered(/** @type {Element} */ element) {
  if (SILENT.has(tag.call(element))) return false;
  if (checkVisibility.call(element, {visibilityProperty: true})) return true;
  const parent = tabmux.parentOf(element);
  const style = getComputedStyle(element);
  if (style.visibility !== "visible" || style.display === "none") return false;
  const boxless = style.display === "contents" || (parent && isBoxless(parent));
  return boxless ? !parent || isRendered(parent) : tag.call(element) === "area";
}

function isBoxless(/** @type {Element} */ element) {
  for (let /** @type {Element | null} */ at = element; at; at = tabmux.parentOf(at)) if (BOXLESS.has(tag.call(at))) return true;
  return false;
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
 * The modal dialog that makes everything else inert. One inside a shadow tree is known once
 * a walk has entered that tree.
 * @returns {Element | null}
 */
tabmux.modal = () => (current === undefined ? openModal() : current);

/** @type {Element | null | undefined} the modal dialog during one walk; undefined otherwise */
let current;

tabmux.duringWalks({
  begin: () => { current = openModal(); },
  enter: (/** @type {Document | ShadowRoot} */ root) => {
    current ??= [...tabmux.allIn(root, "dialog:modal")][0] ?? null;
  },
  end: () => { current = undefined; },
});

/** @returns {Element | null} */
function openModal() {
  const open = dom.queryDocumentAll.call(document, "dialog:modal");
  if (open.length < 2) return open[0] ?? null;
  // Of several, all but the last opened are inert too, and a hit test passes through those.
  for (const dialog of open) {
    const {x, y, width, height} = box.call(dialog);
    const hit = dom.elementFromPoint.call(document, x + width / 2, y + height / 2);
    if (hit && closest.call(hit, "dialog:modal") === dialog) return dialog;
  }
  return open[open.length - 1];
}
