// @ts-check
/** Connection: the one socket to the server; frames come on it as bytes, all else as JSON. */

import { isConnected, take } from "./store.js";

const HEADER_BYTES = 12;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;

/** @typedef {{size: "small" | "large", draw: (frame: Frame) => Promise<void>}} Watcher */

/** @type {Map<number, Set<Watcher>>} */
const watchers = new Map();
/** @type {WebSocket | null} */
let socket = null;
let pause = FIRST_PAUSE;

/** Connect, and again whenever the connection is lost. */
export function connect() {
  const address = new URL("/ui/socket", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const opened = (socket = new WebSocket(address));
  opened.binaryType = "arraybuffer";
  opened.onopen = () => {
    pause = FIRST_PAUSE;
    isConnected.value = true;
    for (const page of watchers.keys()) tellSize(page);
  };
  opened.onmessage = ({ data }) => {
    if (typeof data === "string") take(JSON.parse(data));
    else show(data);
  };
  opened.onclose = () => {
    isConnected.value = false;
    if (socket !== opened) return;
    setTimeout(connect, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  };
}

// A page that one can come back to is kept, and would be shown on by nobody's wish.
addEventListener("pagehide", () => {
  const left = socket;
  socket = null;
  left?.close();
});
addEventListener("pageshow", (event) => { if (event.persisted) connect(); });

/** Send a message; what cannot be sent now is worth nothing later. */
export function send(/** @type {object} */ message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/**
 * Have a page's pictures drawn from now on.
 * @returns {() => void} how to stop
 */
export function watch(/** @type {number} */ page, /** @type {Watcher} */ watcher) {
  const all = watchers.get(page) ?? new Set();
  watchers.set(page, all.add(watcher));
  tellSize(page);
  return () => {
    all.delete(watcher);
    if (!all.size) watchers.delete(page);
    tellSize(page);
  };
}

function tellSize(/** @type {number} */ page) {
  const all = watchers.get(page);
  if (!all) return send({ type: "unwatch", page });
  const size = [...all].some((each) => each.size === "large") ? "large" : "small";
  send({ type: "watch", page, size });
}

async function show(/** @type {ArrayBuffer} */ data) {
  const header = new DataView(data, 0, HEADER_BYTES);
  const page = header.getUint32(0);
  const frame = {
    page,
    number: header.getUint32(4),
    width: header.getUint16(8),
    height: header.getUint16(10),
    jpeg: new Blob([new Uint8Array(data, HEADER_BYTES)], { type: "image/jpeg" }),
  };
  try {
    await Promise.all([...(watchers.get(page) ?? [])].map((each) => each.draw(frame)));
  } finally {
    send({ type: "ack", page, number: frame.number });
  }
}
