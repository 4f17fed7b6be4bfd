// @ts-check
/** Picture: a page as it looks now, drawn only while it can be seen. */

import { watch } from "./connection.js";
import { html } from "./html.js";
import { useEffect, useRef } from "./vendor/hooks.js";

/**
 * @param {{page: number, size: "small" | "large", label: string,
 *   onSize?: (width: number, height: number) => void}} props
 */
export function Picture({ page, size, label, onSize }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useEffect(() => {
    const element = /** @type {HTMLCanvasElement} */ (canvas.current);
    return whileVisible(element, () => watch(page, { size, draw: (frame) => draw(element, frame, onSize) }));
  }, [page, size]);
  return html`<canvas ref=${canvas} class="picture" role="img" aria-label=${label} width="320" height="200" />`;
}

/** Do something for as long as an element is on the screen, and the screen is looked at. */
function whileVisible(/** @type {Element} */ element, /** @type {() => () => void} */ begin) {
  /** @type {(() => void) | null} */
  let end = null;
  let isOnScreen = false;
  const look = () => {
    const isSeen = isOnScreen && document.visibilityState === "visible";
    if (isSeen && !end) end = begin();
    if (!isSeen && end) { end(); end = null; }
  };
  const observer = new IntersectionObserver((found) => {
    isOnScreen = found[found.length - 1].isIntersecting;
    look();
  });
  observer.observe(element);
  document.addEventListener("visibilitychange", look);
  return () => {
    observer.disconnect();
    document.removeEventListener("visibilitychange", look);
    end?.();
  };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Frame} frame
 * @param {((width: number, height: number) => void) | undefined} onSize
 */
async function draw(canvas, frame, onSize) {
  const image = await createImageBitmap(frame.jpeg);
  if (canvas.width !== image.width || canvas.height !== image.height) {
    canvas.width = image.width;
    canvas.height = image.height;
  }
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  image.close();
  canvas.dataset.frame = String(frame.number);
  onSize?.(frame.width, frame.height);
}
