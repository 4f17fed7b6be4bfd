// @ts-check
/**
 * Finds the element at a point of the viewport, or the one that it is called on, and those around
 * it, the innermost first, and leaves them in `tabmux.found`.
 * @this {unknown}
 * @param {number} x in CSS pixels
 * @param {number} y in CSS pixels
 * @returns boxes and test ids of them; of a frame also where the point is inside of it
 */
function elementAt(x, y) {
  const MOST = 8;
  const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy"];

  /** @type {Element[]} */
  const found = [];
  const hit = this instanceof Node ? this : tabmux.hitAt(x, y);
  /** @type {Element | null} */
  let at = hit instanceof Element ? hit : hit ? hit.parentElement : null;
  for (; at && found.length < MOST && at !== document.documentElement; at = tabmux.parentOf(at)) {
    found.push(at);
  }
  tabmux.found = found;
  return found.map((element) => {
    const box = element.getBoundingClientRect();
    const isFrame = element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement;
    return {
      box: { x: box.x, y: box.y, width: box.width, height: box.height },
      tag: element.localName.slice(0, 50),
      testId: TEST_IDS.map((name) => element.getAttribute(name)).find(Boolean)?.slice(0, 100) ?? "",
      inside: isFrame
        ? { x: x - box.x - element.clientLeft, y: y - box.y - element.clientTop }
        : null,
    };
  });
}
