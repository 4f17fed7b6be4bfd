// @ts-check
/**
 * What lies over a point of a frame, given as the point of this document where it shows.
 * @this {Element}
 * @param {number} x
 * @param {number} y
 */
function framePosition(x, y) {
  const hit = tabmux.hitAt(x, y);
  const cover = hit instanceof Text ? hit.parentElement : hit;
  return {
    scroll: {x: scrollX, y: scrollY},
    inside: x >= 0 && y >= 0 && x < innerWidth && y < innerHeight,
    cover: cover && cover !== this ? tabmux.nameFor(cover) : "",
  };
}
