// @ts-check
/** Person input: mouse and keyboard over a picture, sent to the page that it shows. */

import { send } from "./connection.js";

/** What gives the keyboard back to the live view. */
export const RELEASE_KEY = "Shift+Escape";

const IS_MAC = /^(Mac|iP)/.test(navigator.platform);
/** The code of keys that an input method has taken. */
const OF_INPUT_METHOD = 229;
/** Something to delete: without it, keyboards on the screen do not say that one deletes. */
const FILLING = " ";

/** Keys that an input method says only the outcome of. */
/** @type {Record<string, {key: string, keyCode: number}>} */
const KEYS_OF_INPUT = {
  insertLineBreak: { key: "Enter", keyCode: 13 },
  insertParagraph: { key: "Enter", keyCode: 13 },
  deleteContentBackward: { key: "Backspace", keyCode: 8 },
  deleteContentForward: { key: "Delete", keyCode: 46 },
};

/**
 * Send what a person does on an element to a page.
 *
 * It is a field, because input methods, dead keys and keyboards on the screen write only into one.
 * @returns {() => void} how to stop
 */
export function sendInput(/** @type {HTMLTextAreaElement} */ surface, /** @type {number} */ page) {
  const end = new AbortController();
  const options = { signal: end.signal };
  /** @type {PointerEvent | null} */
  let moved = null;

  const mouse = (/** @type {MouseEvent} */ event, /** @type {object} */ more) =>
    send({ type: "mouse", page, ...placeOf(surface, event), modifiers: modifiers(event),
      buttons: event.buttons & 7, ...more });

  surface.addEventListener("pointermove", (event) => {
    if (!moved) requestAnimationFrame(() => {
      if (moved && !end.signal.aborted) mouse(moved, { kind: "move" });
      moved = null;
    });
    moved = event;
  }, options);
  surface.addEventListener("pointerdown", (event) => {
    surface.focus();
    surface.setPointerCapture(event.pointerId);
    mouse(event, { kind: "down", button: event.button, clicks: clicks(event) });
    event.preventDefault();
  }, options);
  surface.addEventListener("pointerup", (event) => {
    // Only now may a page have the keyboard on the screen shown.
    surface.focus();
    mouse(event, { kind: "up", button: event.button, clicks: pressed.clicks });
  }, options);
  surface.addEventListener("contextmenu", (event) => event.preventDefault(), options);
  surface.addEventListener("wheel", (event) => {
    mouse(event, { kind: "wheel", dx: event.deltaX, dy: event.deltaY });
    event.preventDefault();
  }, { ...options, passive: false });

  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape" && event.shiftKey) return surface.blur();
    // The text comes with the event of its own that follows.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v") return;
    if (event.isComposing || event.keyCode === OF_INPUT_METHOD || event.key === "Dead") return;
    send({ type: "key", page, kind: event.type === "keyup" ? "up" : "down", key: event.key,
      code: event.code, keyCode: event.keyCode, location: event.location, repeat: event.repeat,
      modifiers: modifiers(event), writes: writes(event) });
    event.preventDefault();
  };
  surface.addEventListener("keydown", key, options);
  surface.addEventListener("keyup", key, options);
  sendText(surface, page, options);
  document.addEventListener("paste", (event) => {
    if (document.activeElement !== surface) return;
    send({ type: "text", page, text: event.clipboardData?.getData("text/plain") ?? "" });
    event.preventDefault();
  }, options);
  return () => end.abort();
}

/** Send what comes of keys that say by themselves nothing of what they write. */
function sendText(
  /** @type {HTMLTextAreaElement} */ surface,
  /** @type {number} */ page,
  /** @type {AddEventListenerOptions} */ options,
) {
  const clear = () => { surface.value = FILLING; };
  clear();
  surface.addEventListener("beforeinput", (event) => {
    if (event.isComposing || event.inputType.includes("Composition")) return;
    event.preventDefault();
    const key = KEYS_OF_INPUT[event.inputType];
    if (key) for (const kind of ["down", "up"]) send({ type: "key", page, kind, code: key.key, ...key });
    else if (event.data) send({ type: "text", page, text: event.data });
  }, options);
  surface.addEventListener("compositionstart", () => surface.classList.add("composing"), options);
  surface.addEventListener("compositionend", (event) => {
    surface.classList.remove("composing");
    if (event.data) send({ type: "text", page, text: event.data });
    clear();
  }, options);
}

/** Whether a key writes its character: Option does so on a Mac, and AltGr everywhere. */
function writes(/** @type {KeyboardEvent} */ event) {
  if (event.key.length !== 1) return false;
  if (event.getModifierState("AltGraph")) return true;
  return !event.ctrlKey && (!event.altKey || IS_MAC);
}

/** Say where an event is, in parts of the picture. */
export function placeOf(/** @type {HTMLElement} */ surface, /** @type {MouseEvent} */ event) {
  const box = surface.getBoundingClientRect();
  const part = (/** @type {number} */ at) => Math.min(Math.max(at, 0), 1);
  return { x: part((event.clientX - box.x) / box.width), y: part((event.clientY - box.y) / box.height) };
}

const pressed = { clicks: 0, time: 0, x: 0, y: 0 };

/** Count clicks that come soon after each other; pointer events do not. */
function clicks(/** @type {PointerEvent} */ event) {
  const isNear = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 6;
  const isSoon = event.timeStamp - pressed.time < 400;
  pressed.clicks = isNear && isSoon ? Math.min(pressed.clicks + 1, 3) : 1;
  Object.assign(pressed, { time: event.timeStamp, x: event.clientX, y: event.clientY });
  return pressed.clicks;
}

function modifiers(/** @type {MouseEvent | KeyboardEvent} */ event) {
  return (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);
}
