// @ts-check
/**
 * Compares two pictures, pixel by pixel; where one is larger, what is beyond the other differs.
 * @param {string} before base64
 * @param {string} after base64
 * @param {number} threshold how far a colour may be off, from 0 to 1
 * @param {boolean} draw whether to draw a picture of the differences
 */
async function compareImages(before, after, threshold, draw) {
  /** @type {ImageBitmap[]} */
  const pictures = [];
  for (const data of [before, after]) {
    try {
      pictures.push(await createImageBitmap(new Blob([bytes(data)])));
    } catch {
      return {error: pictures.length ? "second" : "first"};
    }
  }
  const [width, height] = [most("width"), most("height")];
  if (width * height > 100_000_000) return {error: "size"};
  const [old, now] = pictures.map(pixels);
  const limit = threshold * 255;
  let count = 0, left = width, top = height, right = -1, bottom = -1;
  for (let at = 0; at < old.length; at += 4) {
    const off = Math.max(
      Math.abs(old[at] - now[at]), Math.abs(old[at + 1] - now[at + 1]),
      Math.abs(old[at + 2] - now[at + 2]), Math.abs(old[at + 3] - now[at + 3]));
    if (off > limit) {
      const x = (at / 4) % width, y = Math.floor(at / 4 / width);
      count += 1;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      if (draw) now.set([255, 0, 0, 255], at);
    } else if (draw) {
      // What is the same stays recognizable, but pale.
      const grey = 255 - (255 - (now[at] + now[at + 1] + now[at + 2]) / 3) * 0.2 * (now[at + 3] / 255);
      now.set([grey, grey, grey, 255], at);
    }
  }
  return {
    count, total: width * height,
    sizes: pictures.map((each) => [each.width, each.height]),
    box: count ? [left, top, right - left + 1, bottom - top + 1] : null,
    picture: draw ? await encoded(now) : "",
  };

  function most(/** @type {"width" | "height"} */ side) {
    return Math.max(...pictures.map((each) => each[side]));
  }

  function bytes(/** @type {string} */ data) {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  }

  function canvas() {
    const made = new OffscreenCanvas(width, height);
    const context = made.getContext("2d", {willReadFrequently: true});
    if (!context) throw new Error("no canvas");
    return {made, context};
  }

  function pixels(/** @type {ImageBitmap} */ picture) {
    const {context} = canvas();
    context.drawImage(picture, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  }

  async function encoded(/** @type {Uint8ClampedArray<ArrayBuffer>} */ data) {
    const {made, context} = canvas();
    context.putImageData(new ImageData(data, width, height), 0, 0);
    const all = new Uint8Array(await (await made.convertToBlob({type: "image/png"})).arrayBuffer());
    let text = "";
    for (let at = 0; at < all.length; at += 32_768) {
      text += String.fromCharCode(...all.subarray(at, at + 32_768));
    }
    return btoa(text);
  }
}
