// @ts-check
/**
 * Where an element is, whether it can be seen, and what lies over it. Nothing is moved.
 * @this {Element}
 */
function elementPosition() {
  const box = this.getBoundingClientRect();
  const style = getComputedStyle(this);
  const seen = clipped(this, box);
  const covers = seen.width > 0 && seen.height > 0 ? hits(this, seen) : [];
  const [cover] = covers.filter((each) => each !== null);
  tabmux.found = cover ? [cover] : [];
  return {
    name: tabmux.nameFor(this),
    box: {x: box.x, y: box.y, width: box.width, height: box.height},
    scroll: {x: scrollX, y: scrollY},
    viewport: {width: innerWidth, height: innerHeight},
    hidden: reasons(this, box, style),
    seen: box.width * box.height > 0 ? (seen.width * seen.height) / (box.width * box.height) : 0,
    points: covers.length,
    covered: covers.filter(Boolean).length,
    cover: cover ? tabmux.nameFor(cover) : "",
    sides: sides(style),
  };

  /** Why it cannot be seen wherever the page is scrolled. */
  function reasons(/** @type {Element} */ element, /** @type {DOMRect} */ box, /** @type {CSSStyleDeclaration} */ style) {
    const found = [];
    if (style.display === "none") found.push("display: none");
    else if (!element.checkVisibility()) found.push("inside something that is not rendered");
    if (style.visibility !== "visible") found.push(`visibility: ${style.visibility}`);
    for (let /** @type {Element | null} */ at = element; at; at = tabmux.parentOf(at)) {
      if (getComputedStyle(at).opacity === "0") {
        found.push(at === element ? "opacity: 0" : "opacity: 0 of an ancestor");
        break;
      }
    }
    if (found.length === 0 && (box.width === 0 || box.height === 0)) found.push("no size");
    return found;
  }

  /** The part of the box that ancestors that clip, and the viewport, leave of it. */
  function clipped(/** @type {Element} */ element, /** @type {DOMRect} */ box) {
    let {left, top, right, bottom} = box;
    const cut = (/** @type {{left: number, top: number, right: number, bottom: number}} */ by) => {
      left = Math.max(left, by.left);
      top = Math.max(top, by.top);
      right = Math.min(right, by.right);
      bottom = Math.min(bottom, by.bottom);
    };
    let fixed = getComputedStyle(element).position === "fixed";
    for (let at = tabmux.parentOf(element); at && !fixed; at = tabmux.parentOf(at)) {
      const style = getComputedStyle(at);
      const isRoot = at === document.documentElement || at === document.body;
      if (!isRoot && style.overflow !== "visible" && style.display !== "contents") {
        cut(at.getBoundingClientRect());
      }
      fixed = style.position === "fixed";
    }
    cut({left: 0, top: 0, right: innerWidth, bottom: innerHeight});
    return {left, top, width: Math.max(0, right - left), height: Math.max(0, bottom - top)};
  }

  /** What is on top at nine points: null where it is the element itself. */
  function hits(/** @type {Element} */ element, /** @type {{left: number, top: number, width: number, height: number}} */ area) {
    const found = [];
    for (const u of [0.1, 0.5, 0.9]) {
      for (const v of [0.1, 0.5, 0.9]) {
        const hit = tabmux.hitAt(area.left + area.width * u, area.top + area.height * v);
        const top = hit instanceof Text ? hit.parentElement : hit;
        // What contains the element is behind it, what it contains is part of it.
        if (hit && top) found.push(tabmux.encloses(element, hit) || tabmux.encloses(top, element) ? null : top);
      }
    }
    return found;
  }

  function sides(/** @type {CSSStyleDeclaration} */ style) {
    /** @type {Record<string, number[]>} */
    const found = {};
    for (const part of ["margin", "border", "padding"]) {
      const names = ["top", "right", "bottom", "left"].map((side) =>
        part === "border" ? `border-${side}-width` : `${part}-${side}`);
      found[part] = names.map((name) => parseFloat(style.getPropertyValue(name)) || 0);
    }
    return found;
  }
}
