// @ts-check
/**
 * Whether the page listens to what was done at a point or where the focus is, or Chrome itself
 * does something there. Runs among the page's own scripts, whose listeners no other can see, with a
 * function of Chrome's console.
 */
(function (
  /** @type {(node: EventTarget) => Record<string, unknown>} */ getEventListeners,
  /** @type {Point | null} */ at,
) {
  const POINTER = /^(click|dblclick|auxclick|contextmenu|focus|blur|mouse|pointer|touch|drag)/;
  const KEY = /^(key|input|beforeinput|change|submit|focus|blur|search|select)/;
  const ACTIVE =
    "a[href], area[href], summary, label, select, option, iframe, frame, video, audio, " +
    "[popovertarget], [commandfor], [type=submit], [type=image], [type=reset], " +
    "form button:not([type]), [contenteditable]";
  const ENTERED = "form input, form textarea";

  /** The innermost element of its kind, through open shadow roots. */
  function innermost(/** @type {(root: Document | ShadowRoot) => Element | null} */ within) {
    let found = null;
    for (let /** @type {Document | ShadowRoot | null} */ root = document; root;) {
      const inner = within(root);
      if (!inner || inner === found) break;
      found = inner;
      root = inner.shadowRoot;
    }
    return found;
  }

  function reacts(/** @type {Element | null} */ from, /** @type {RegExp} */ types) {
    if (!from) return false;
    if (from.closest(ACTIVE) || (types === KEY && from.matches(ENTERED))) return true;
    for (let /** @type {Node | null} */ node = from; node;) {
      if (Object.keys(getEventListeners(node)).some((type) => types.test(type))) return true;
      node = node instanceof ShadowRoot ? node.host : node.parentNode;
    }
    return Object.keys(getEventListeners(window)).some((type) => types.test(type));
  }

  const pointed = at && innermost((root) => root.elementFromPoint(at.x, at.y));
  return reacts(pointed, POINTER) || (!at && reacts(innermost((root) => root.activeElement), KEY));
})
