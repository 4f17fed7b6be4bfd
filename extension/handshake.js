// @ts-check
/**
 * Handshake: how the extension and the server prove to each other that they were paired.
 *
 * Nothing here talks to a socket or to storage: messages go in and come out, so that the same
 * code runs in the worker and in tests. The server's half is src/tabmux/bridge/proofs.py.
 *
 *   const shake = new Handshake(key, port);
 *   socket.send(shake.hello);                          // {type: "hello", …}
 *   await shake.answer(challenge, browser)             // {type: "proof", …}, or throws UnprovenServer
 *   await shake.finish(welcome)                        // {name, key}; keep the key
 *
 * A key is what `keyOfCode` makes of a pairing code, or what `finish` returned before.
 */

/** @typedef {{keyId: string, secret: string}} Key  The secret is 32 bytes as base64url. */
/** @typedef {{name: string, version: string, profileId: string}} Browser */

export const PROTOCOL = 1;
const CONTEXT = "tabmux-bridge-1";
export const PAIRING = "pairing";
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 20;

/** The other side could not prove that it knows the secret: close, and send nothing more. */
export class UnprovenServer extends Error {}

/**
 * Make the key that a pairing code stands for; throws a RangeError on what is no code.
 * @param {string} code As the user typed or pasted it.
 * @returns {Promise<Key>}
 */
export async function keyOfCode(code) {
  const tidy = code.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  if (tidy.length !== CODE_LENGTH || [...tidy].some((letter) => !LETTERS.includes(letter))) {
    throw new RangeError("That is not a pairing code: it has four groups of five letters.");
  }
  const mac = await sign(encode(`${CONTEXT} code`), tidy);
  return { keyId: PAIRING, secret: toBase64(mac) };
}

/** One handshake over one connection. */
export class Handshake {
  #key;
  #port;
  #nonce;
  #serverNonce = "";

  /**
   * @param {Key} key What both sides know.
   * @param {number} port The port that was dialled; it is part of every proof, so that nobody
   *     who listens elsewhere can pass our messages on to the real server.
   */
  constructor(key, port) {
    this.#key = key;
    this.#port = port;
    this.#nonce = toBase64(crypto.getRandomValues(new Uint8Array(32)));
  }

  /** The first message. */
  get hello() {
    return { type: "hello", protocol: PROTOCOL, keyId: this.#key.keyId, nonce: this.#nonce };
  }

  /**
   * Check the server's proof and give ours.
   * @param {any} challenge The server's answer to `hello`.
   * @param {Browser} browser Which browser this is; told only to a server that proved itself.
   * @param {string[]} [capabilities] What the extension can do besides the tab messages.
   */
  async answer(challenge, browser, capabilities = ["cdp"]) {
    const { type, nonce, proof } = Object(challenge);
    const known = type === "challenge" && isBytes(nonce) && isBytes(proof) && nonce !== this.#nonce;
    this.#serverNonce = known ? nonce : "";
    const ours = known && (await verify(this.#secret, this.#words("server"), fromBase64(proof)));
    if (!ours) {
      throw new UnprovenServer("Whoever listens there does not know the secret.");
    }
    const own = toBase64(await sign(this.#secret, this.#words("extension")));
    return { type: "proof", proof: own, browser, capabilities };
  }

  /**
   * Read the welcome.
   * @param {any} welcome The server's answer to `proof`.
   * @returns {Promise<{name: string, key: Key}>} The name that the server gave this browser, and
   *     the key for later connections: after pairing a new one, which was never sent.
   */
  async finish(welcome) {
    const { type, name, keyId } = Object(welcome);
    if (type !== "welcome" || typeof name !== "string" || this.#serverNonce === "") {
      throw new UnprovenServer("The server did not welcome us.");
    }
    if (this.#key.keyId !== PAIRING) {
      return { name, key: this.#key };
    }
    if (typeof keyId !== "string" || !/^[0-9a-f]{16}$/.test(keyId)) {
      throw new UnprovenServer("The server gave no key.");
    }
    const secret = toBase64(await sign(this.#secret, this.#words("grant")));
    return { name, key: { keyId, secret } };
  }

  get #secret() {
    return fromBase64(this.#key.secret);
  }

  /** @param {string} role */
  #words(role) {
    const parts = [CONTEXT, role, this.#port, this.#key.keyId, this.#nonce, this.#serverNonce];
    return parts.join("\n");
  }
}

/** @param {Uint8Array<ArrayBuffer>} secret @param {string} words */
async function sign(secret, words) {
  const key = await hmacKey(secret, "sign");
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, encode(words)));
}

/** @param {Uint8Array<ArrayBuffer>} secret @param {string} words @param {Uint8Array<ArrayBuffer>} mac */
async function verify(secret, words, mac) {
  return crypto.subtle.verify("HMAC", await hmacKey(secret, "verify"), mac, encode(words));
}

/** @param {Uint8Array<ArrayBuffer>} secret @param {KeyUsage} use */
function hmacKey(secret, use) {
  return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [use]);
}

/** @param {string} text */
function encode(text) {
  return /** @type {Uint8Array<ArrayBuffer>} */ (new TextEncoder().encode(text));
}

/** @param {unknown} text Whether it is 32 bytes as base64url. */
function isBytes(text) {
  return typeof text === "string" && /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
function fromBase64(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
