// @ts-check
/** CDP relay: between the server and lent tabs, through `chrome.debugger`. */

/** @typedef {import("./tabs.js").Tabs} Tabs */
/** @typedef {(message: object) => void} Report */

const VERSION = "1.3";

// A lent tab is one tab: these reach the whole profile, or other tabs.
const BEYOND_THE_TAB = new Set([
  "Network.clearBrowserCache",
  "Network.clearBrowserCookies",
  "Network.getAllCookies",
  "Storage.clearCookies",
  "Storage.getCookies",
  "Storage.setCookies",
  "Target.attachToTarget",
  "Target.createTarget",
  "Target.exposeDevToolsProtocol",
  "Target.getTargets",
  "Target.setDiscoverTargets",
]);

export class Relay {
  /** @type {Set<number>} */
  #attached = new Set();
  #tabs;
  #report;

  /** @param {Tabs} tabs @param {Report} report */
  constructor(tabs, report) {
    this.#tabs = tabs;
    this.#report = report;
  }

  /** @param {number} tabId */
  async attach(tabId) {
    this.#tabs.refuseUnlessLent(tabId);
    if (this.#attached.has(tabId)) {
      return;
    }
    await chrome.debugger.attach({ tabId }, VERSION).catch(async (error) => {
      // What an earlier worker attached is still ours; the server wants to begin afresh.
      await chrome.debugger.detach({ tabId }).catch(() => Promise.reject(error));
      await chrome.debugger.attach({ tabId }, VERSION);
    });
    this.#attached.add(tabId);
  }

  /** @param {number} tabId */
  async detach(tabId) {
    if (this.#attached.delete(tabId)) {
      await chrome.debugger.detach({ tabId }).catch(() => undefined);
    }
  }

  async detachAll() {
    await Promise.all([...this.#attached].map((tabId) => this.detach(tabId)));
  }

  /**
   * Run one command for one of the other parts.
   * @param {number} tabId @param {string} method @param {object} [params]
   * @returns {Promise<any>}
   */
  async command(tabId, method, params = {}) {
    await this.attach(tabId);
    return chrome.debugger.sendCommand({ tabId }, method, params);
  }

  /** Pass on one command of the server's. @param {any} message */
  relay({ id, tabId, sessionId, method, params }) {
    if (!this.#attached.has(tabId) || !this.#tabs.has(tabId)) {
      this.#fail(id, `Tab ${tabId} is not attached.`);
      return;
    }
    if (BEYOND_THE_TAB.has(method)) {
      this.#fail(id, "It concerns more than the tab that was lent.");
      return;
    }
    const target = sessionId === undefined ? { tabId } : { tabId, sessionId };
    chrome.debugger.sendCommand(target, method, params).then(
      (result) => this.#report({ id, result: result ?? {}, type: "cdpResult" }),
      (error) => this.#fail(id, reason(error)),
    );
  }

  /** @param {chrome.debugger.DebuggerSession} source @param {string} method @param {any} params */
  onEvent(source, method, params) {
    const { tabId = 0, sessionId } = source;
    if (!this.#attached.has(tabId)) {
      return;
    }
    // The method comes first, so that the server can skip what nobody listens to.
    this.#report({ method, params: params ?? {}, sessionId, tabId, type: "cdpEvent" });
    if (method === "Inspector.targetCrashed" && sessionId === undefined) {
      this.#report({ type: "tabCrashed", tabId });
    }
  }

  /**
   * Chrome has detached a tab by itself.
   * @param {number} tabId @param {string} why
   */
  onDetach(tabId, why) {
    if (this.#attached.delete(tabId)) {
      this.#report({ type: "detached", tabId, reason: why });
    }
  }

  /** @param {number} id @param {string} message */
  #fail(id, message) {
    this.#report({ type: "cdpResult", id, error: { message } });
  }
}

/** Chrome wraps what the protocol said into JSON. @param {any} error */
export function reason(error) {
  const text = String(error?.message ?? error);
  try {
    return String(JSON.parse(text).message);
  } catch {
    return text;
  }
}
