// @ts-check
/**
 * Scrolls what an element is in, or the page, and says where it is then.
 * @param {{epoch: number, label: number, axis: "x" | "y", by: number, pages: number}} request
 *   `label` is 0 for the page; `by` is in pixels, `pages` in screenfuls
 * @returns {Promise<null | {
 *   name: string, at: number, view: number, full: number, screenful: number,
 * }>} null when the element is gone
 */
async function scroll({epoch, label, axis, by, pages}) {
  const element = label ? tabmux.lookUp(epoch, label) : null;
  if (label && !element) return null;
  const page = document.scrollingElement ?? document.documentElement;
  const scroller = element ? around(element) : canScroll(page) ? page : largest();
  tabmux.watch();
  const screenful = Math.max(1, Math.round(0.9 * size(scroller)));
  const distance = by + pages * screenful;
  if (distance) {
    const move = axis === "y" ? {top: distance} : {left: distance};
    scroller.scrollBy({...move, behavior: "instant"});
  }
  await still();
  const name = scroller === page ? "the page" : tabmux.nameFor(scroller);
  return {
    name, screenful, at: Math.round(Math.abs(place())), view: size(scroller), full: length(scroller),
  };

  function size(/** @type {Element} */ each) {
    return axis === "y" ? each.clientHeight : each.clientWidth;
  }

  function length(/** @type {Element} */ each) {
    return axis === "y" ? each.scrollHeight : each.scrollWidth;
  }

  function place() {
    return axis === "y" ? scroller.scrollTop : scroller.scrollLeft;
  }

  function canScroll(/** @type {Element} */ each) {
    if (length(each) <= size(each) + 1 || !size(each)) return false;
    const style = getComputedStyle(each);
    const overflow = axis === "y" ? style.overflowY : style.overflowX;
    // The page scrolls unless it is told not to; everything else only when it is told to.
    return each === page ? !/hidden|clip/.test(overflow) : /auto|scroll/.test(overflow);
  }

  /** The closest thing around an element that can be scrolled. */
  function around(/** @type {Element} */ element) {
    for (let /** @type {Element | null} */ at = element; at; at = tabmux.parentOf(at)) {
      if (canScroll(at)) return at;
    }
    return page;
  }

  /** Where the page itself cannot be scrolled, the largest part of it that can. */
  function largest() {
    let found = page, most = 0;
    for (const each of tabmux.allIn(document, "*")) {
      if (!canScroll(each)) continue;
      const box = each.getBoundingClientRect();
      if (box.width * box.height > most) [found, most] = [each, box.width * box.height];
    }
    return found;
  }

  /** Waits out a smooth movement, but not for ever. */
  async function still() {
    for (let tries = 0, before = NaN; tries < 30 && before !== place(); tries++) {
      before = place();
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}
