// @ts-check
/**
 * Whether scripts listen to what is done at a point or where the focus is, and whether Chrome itself
 * does something there. Runs among the page's own scripts, whose listeners no other can see, with a
 * function of Chrome's console.
 */
(function (
  /** @type {(node: EventTarget) => Record<string, unknown>} */ getEventListeners,
  /** @type {Point | null} */ at,
) {
  const POINTER = /^(click|dblclick|auxclick|contextmenu|focus|blur|mouse|pointer|touch|drag)/;
  const KEY = /^(key|input|beforeinput|change|search|select)/;
  // What Chrome makes of a key: it sends a form, presses a button, leaves a field.
  const MADE_OF_KEY = /^(submit|click|focus|blur)/;
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

  function listens(/** @type {EventTarget} */ node, /** @type {RegExp} */ types) {
    return Object.keys(getEventListeners(node)).some((type) => types.test(type));
  }

  /** Whether it is a component whose shadow tree is closed: who listens in there, nobody can see. */
  function mayListenInside(/** @type {Node} */ node) {
    return node instanceof Element && !node.shadowRoot && customElements.get(node.localName) !== undefined;
  }

  function isScripted(/** @type {Element} */ from, /** @type {RegExp} */ types) {
    for (let /** @type {Node | null} */ node = from; node;) {
      if (listens(node, types) || mayListenInside(node)) return true;
      const /** @type {Element | null} */ slot = node instanceof Element ? node.assignedSlot : null;
      node = node instanceof ShadowRoot ? node.host : slot ?? node.parentNode;
    }
    // Only the frame itself knows who listens in it.
    return from.matches("iframe, frame") || listens(window, types);
  }

  const within = (/** @type {Document | ShadowRoot} */ root) => at ? root.elementFromPoint(at.x, at.y) : root.activeElement;
  const place = innermost(within);
  if (!place) return {scripted: false, native: false};
  return {
    scripted: isScripted(place, at ? POINTER : KEY),
    native: Boolean(place.closest(ACTIVE)) ||
      (!at && (place.matches(ENTERED) || isScripted(place, MADE_OF_KEY))),
  };
})
