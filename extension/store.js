// @ts-check
/** Store: what is remembered across sleep (`session`) and across restarts (`local`). */

/** @typedef {import("./handshake.js").Key} Key */
/** @typedef {import("./tabs.js").Loan} Loan */

/**
 * @typedef {object} StoredState
 * @property {number} port Where the server listens on this computer.
 * @property {string} name What the server calls this browser.
 * @property {string} profileId Which profile this is, for as long as the extension is installed.
 * @property {Key | null} key What pairing left us with.
 * @property {boolean} stopped Whether the user has stopped everything.
 * @property {boolean} shareAll Whether every ordinary tab is lent.
 * @property {Loan[]} loans The tabs that are lent.
 */

/** @type {StoredState} */
const NEW = {
  port: 8765,
  name: "",
  profileId: "",
  key: null,
  stopped: false,
  shareAll: false,
  loans: [],
};

/** Read everything; a profile is given its id the first time. */
export async function recall() {
  const found = /** @type {StoredState} */ ({ ...NEW, ...(await chrome.storage.local.get(NEW)) });
  if (found.profileId === "") {
    found.profileId = crypto.randomUUID();
    await remember({ profileId: found.profileId });
  }
  return found;
}

/** @param {Partial<StoredState>} changes */
export async function remember(changes) {
  await chrome.storage.local.set(changes);
}

/** Whether the browser was started since we looked last: then tab ids mean other tabs. */
export async function isNewRun() {
  const { running = false } = await chrome.storage.session.get("running");
  await chrome.storage.session.set({ running: true });
  return !running;
}

/** How often in a row the server could not be reached. */
export async function failures() {
  const { failed = 0 } = await chrome.storage.session.get("failed");
  return /** @type {number} */ (failed);
}

/** @param {number} failed */
export async function noteFailures(failed) {
  await chrome.storage.session.set({ failed });
}
