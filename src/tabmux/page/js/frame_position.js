// @ts-check
/**
 * Where a frame's content begins in this document, and what lies over a point of it.
 * @this {HTMLIFrameElement}
 * @param {number} x
 * @param {number} y
 */
function framePosition(x, y) {
  const box = this.getBoundingClientRect();
  const left = box.left + this.clientLeft, top = box.top + this.clientTop;
  const hit = document.elementFromPoint(left + x, top + y);
  return {
    x: left, y: top, scroll: {x: scrollX, y: scrollY},
    viewport: {width: innerWidth, height: innerHeight},
    cover: hit && hit !== this ? tabmux.nameFor(hit) : "",
  };
}
