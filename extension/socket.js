// @ts-check
/** Socket: one WebSocket to the server; connects, authenticates, pings, and connects again for ever. */

import { Handshake, PAIRING, UnprovenServer } from "./handshake.js";
import { failures, noteFailures } from "./store.js";

/** @typedef {import("./handshake.js").Key} Key */
/** @typedef {import("./handshake.js").Browser} Browser */
/**
 * @typedef {"stopped" | "unpaired" | "wrongCode" | "unknown" | "offline" | "portTaken" | "distrusted" | "connected"} Status
 * `offline`: nothing listens on the port; `portTaken`: something does, but it is no bridge.
 */

/**
 * @typedef {object} Address
 * @property {number} port
 * @property {Key} key
 * @property {Browser} browser
 */

/**
 * @typedef {object} Owner What a socket tells whoever made it.
 * @property {() => Promise<Address | null>} address Where to dial and with which key; null for not at all.
 * @property {(name: string, key: Key) => Promise<void>} welcome The server proved itself.
 * @property {(message: any) => void} message
 * @property {(status: Status) => void} status
 */

// A worker sleeps after 30 s without a message, and the pings of the protocol do not count.
const PING_MS = 20_000;
const PONG_MS = 8_000;
const HANDSHAKE_MS = 5_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
// After about two minutes only the alarm tries, every half minute.
const EAGER_ATTEMPTS = 60;
// The server hangs up at 64 MB.
const LONGEST = 48 * 1024 * 1024;
// The server knows no such key, or no longer: close codes of our own.
const UNKNOWN_KEY = [4401, 4403];

export class Socket {
  /** @type {WebSocket | null} */
  #socket = null;
  #path;
  #owner;
  #ready = false;
  #heard = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #again;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #pinging;

  /** @param {string} path @param {Owner} owner */
  constructor(path, owner) {
    this.#path = path;
    this.#owner = owner;
  }

  /** Whether messages can be sent. */
  get isReady() {
    return this.#ready;
  }

  /** Dial now, unless it is done already. */
  async dial() {
    clearTimeout(this.#again);
    if (this.#socket !== null) {
      return;
    }
    const address = await this.#owner.address();
    if (address === null || this.#socket !== null) {
      return;
    }
    const socket = new WebSocket(`ws://localhost:${address.port}${this.#path}`);
    this.#socket = socket;
    let opened = false;
    socket.onclose = async (event) => {
      const isTaken = !opened && (await isAnswered(address.port));
      if (!opened && this.#socket === socket) {
        this.#owner.status(isTaken ? "portTaken" : "offline");
      }
      this.#lost(socket, event.code, address.key);
    };
    socket.onopen = () => {
      opened = true;
      this.#authenticate(socket, address);
    };
  }

  /** Hang up; nothing dials again before `dial`. */
  close() {
    clearTimeout(this.#again);
    const socket = this.#socket;
    this.#forget();
    socket?.close(1000);
  }

  /** @param {any} message */
  send(message) {
    if (!this.#ready) {
      return;
    }
    let text = JSON.stringify(message);
    if (text.length > LONGEST) {
      const error = { message: `The answer has ${text.length} characters, which is too long.` };
      text = JSON.stringify({ type: message.type, id: message.id, error });
    }
    this.#socket?.send(text);
  }

  /**
   * Prove and be proved to. Nothing else is sent or believed before.
   * @param {WebSocket} socket @param {Address} address
   */
  async #authenticate(socket, { port, key, browser }) {
    const queue = new MessageQueue(socket);
    const late = setTimeout(() => socket.close(), HANDSHAKE_MS);
    try {
      const handshake = new Handshake(key, port);
      socket.send(JSON.stringify(handshake.hello));
      socket.send(JSON.stringify(await handshake.answer(await queue.next(), browser)));
      const { name, key: kept } = await handshake.finish(await queue.next());
      await this.#owner.welcome(name, kept);
      this.#start();
      queue.deliverTo((text) => this.#receive(text));
    } catch (error) {
      if (error instanceof UnprovenServer) {
        // With a code, it is the code that is most likely wrong.
        this.#owner.status(key.keyId === PAIRING ? "wrongCode" : "distrusted");
      }
      socket.close();
    } finally {
      clearTimeout(late);
    }
  }

  #start() {
    this.#ready = true;
    this.#heard = Date.now();
    this.#pinging = setInterval(() => this.#ping(), PING_MS);
    noteFailures(0);
    this.#owner.status("connected");
  }

  #ping() {
    const asked = Date.now();
    this.send({ type: "ping" });
    // After sleep a socket may look open although nobody is there any more.
    setTimeout(() => this.#heard < asked && this.#drop(), PONG_MS);
  }

  #drop() {
    const socket = this.#socket;
    if (socket !== null) {
      this.#lost(socket);
      socket.close();
    }
  }

  /** @param {string} text */
  #receive(text) {
    this.#heard = Date.now();
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      this.send({ type: "error", message: "That is not JSON." });
      return;
    }
    if (message?.type !== "pong") {
      this.#owner.message(message);
    }
  }

  /** @param {WebSocket} socket @param {number} [code] @param {Key} [key] What was to be proved. */
  async #lost(socket, code = 0, key = undefined) {
    if (this.#socket !== socket) {
      return;
    }
    const wasReady = this.#ready;
    this.#forget();
    if (UNKNOWN_KEY.includes(code)) {
      this.#owner.status(key?.keyId === PAIRING ? "wrongCode" : "unknown");
    } else if (wasReady) {
      this.#owner.status("offline");
    }
    const failed = wasReady ? 0 : (await failures()) + 1;
    await noteFailures(failed);
    if (failed < EAGER_ATTEMPTS) {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** failed, LONGEST_PAUSE_MS);
      this.#again = setTimeout(() => this.dial(), pause);
    }
  }

  #forget() {
    clearInterval(this.#pinging);
    this.#socket = null;
    this.#ready = false;
  }
}

/** Whether anything answers on a port of this computer. @param {number} port */
async function isAnswered(port) {
  try {
    await fetch(`http://localhost:${port}/health`, {
      mode: "no-cors",
      cache: "no-store",
      signal: AbortSignal.timeout(HANDSHAKE_MS),
    });
    return true;
  } catch (error) {
    return /** @type {Error} */ (error).name === "TimeoutError";
  }
}

/** Keeps a socket's messages until somebody wants them: first one by one, then as they come. */
class MessageQueue {
  /** @type {string[]} */
  #waiting = [];
  #closed = false;
  #wake = () => {};
  #socket;

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.#socket = socket;
    socket.onmessage = (event) => {
      this.#waiting.push(event.data);
      this.#wake();
    };
    socket.addEventListener("close", () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** Wait for the next message. */
  async next() {
    if (this.#waiting.length === 0 && !this.#closed) {
      await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    }
    const text = this.#waiting.shift();
    if (text === undefined) {
      throw new Error("The server hung up.");
    }
    try {
      return JSON.parse(text);
    } catch {
      throw new UnprovenServer("Whoever listens there does not speak our language.");
    }
  }

  /** @param {(text: string) => void} listener Hears what has come already, and all that comes. */
  deliverTo(listener) {
    this.#socket.onmessage = (event) => listener(event.data);
    this.#waiting.forEach(listener);
  }
}
