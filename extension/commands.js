// @ts-check
/** Commands: the messages on `/session/<instanceId>`, which name elements by ref, selector or text. */

import { reason } from "./cdp_relay.js";
import { centre, choose, find, isThere, takeFocus } from "./page_functions.js";
import { TabGone } from "./tabs.js";

/** @typedef {import("./tabs.js").Tabs} Tabs */
/** @typedef {import("./cdp_relay.js").Relay} Relay */
/** @typedef {{tabId?: number, [key: string]: any}} Outcome */
/** @typedef {{ref?: string, selector?: string, text?: string}} Target Which element is meant. */

const WAIT_MS = 10_000;
const LOAD_MS = 30_000;
const LOOK_MS = 100;

/** It went wrong in a tab, which may have been opened for it. */
class CommandFailed extends Error {
  /** @param {string} text @param {number} tabId */
  constructor(text, tabId) {
    super(text);
    this.tabId = tabId;
  }
}

export class Commands {
  #tabs;
  #relay;
  /** @type {(instanceId: string, name: string) => void} */
  serve;
  /** @type {(instanceId: string) => void} */
  unserve;
  /** @type {Map<string, number>} The tab that each instance used last. */
  #current = new Map();

  /**
   * @param {Tabs} tabs @param {Relay} relay
   * @param {{serve: (id: string, name: string) => void, unserve: (id: string) => void}} sockets
   */
  constructor(tabs, relay, sockets) {
    this.#tabs = tabs;
    this.#relay = relay;
    this.serve = sockets.serve;
    this.unserve = sockets.unserve;
  }

  /**
   * Answer one message of an instance.
   * @param {string} instance @param {string} session What users call it. @param {any} message
   * @param {(message: object) => void} send
   */
  async answer(instance, session, { id, type, payload = {}, tabId }, send) {
    const asked = payload?.tabId ?? tabId ?? this.#current.get(instance);
    try {
      const outcome = await this.run(type, { ...payload, tabId: asked }, session);
      this.#remember(instance, outcome.tabId);
      send({ type: "response", id, data: { success: true, ...outcome } });
    } catch (error) {
      const text = reason(error);
      const about = this.#afterFailure(instance, error);
      send({ type: "response", id, error: text, data: { success: false, error: text, ...about } });
    }
  }

  /** Note which tab a failure leaves an instance with, and say so. @param {string} instance @param {unknown} error */
  #afterFailure(instance, error) {
    if (error instanceof TabGone) {
      if (this.#current.get(instance) === error.tabId) {
        this.#remember(instance, undefined);
      }
      return { code: error.code, gone: error.tabId };
    }
    if (error instanceof CommandFailed && this.#tabs.has(error.tabId)) {
      this.#remember(instance, error.tabId);
      return { tabId: error.tabId };
    }
    return {};
  }

  /** @param {string} instance @param {number | undefined} tabId */
  #remember(instance, tabId) {
    if (tabId === undefined) {
      this.#current.delete(instance);
    } else {
      this.#current.set(instance, tabId);
    }
  }

  /**
   * Run one command.
   * @param {string} type @param {any} payload
   * @param {string} [session] For which session; the server itself may use every tab.
   * @returns {Promise<Outcome>}
   */
  async run(type, payload, session) {
    const handle = this.#handlers[type];
    if (handle === undefined) {
      throw new Error(`There is no command ${JSON.stringify(type)}.`);
    }
    if (type === "tabs.new" || type === "tabs.list") {
      return handle(payload, 0, session);
    }
    const tabId = await this.#tab(payload.tabId, session);
    try {
      return { tabId, ...(await handle(payload, tabId, session)) };
    } catch (error) {
      throw new CommandFailed(reason(error), tabId);
    }
  }

  /** @type {Record<string, (payload: any, tabId: number, session?: string) => Promise<any>>} */
  #handlers = {
    browser_navigate: ({ url }, tabId) => this.#navigate(tabId, String(url)),
    "js.execute": async ({ code }, tabId) => ({ result: await this.#execute(tabId, String(code)) }),
    browser_wait: (payload, tabId) => this.#wait(tabId, payload),
    browser_click: (payload, tabId) => this.#click(tabId, payload),
    browser_type: (payload, tabId) => this.#type(tabId, payload),
    browser_select_option: (payload, tabId) => this.#select(tabId, payload),
    browser_screenshot: (payload, tabId) => this.#screenshot(tabId, payload),
    "tabs.list": async ({ tabId }, _, session) => ({ tabs: await this.#tabs.listFor(session ?? ""), tabId }),
    "tabs.select": async (_, tabId) => ({ tab: this.#tabs.outline(await chrome.tabs.get(tabId)) }),
    "tabs.new": async ({ url }, _, session) => {
      const { id = 0 } = await this.#tabs.open({ url, session });
      return { tab: this.#tabs.outline(await chrome.tabs.get(id)), tabId: id };
    },
    "tabs.close": async (_, tabId) => {
      await this.#tabs.close(tabId);
      return { closed: tabId, tabId: undefined };
    },
  };

  /** Find the tab that is meant; an instance without one gets its own, in the background. */
  async #tab(/** @type {unknown} */ asked, /** @type {string | undefined} */ session) {
    const tabId = Number(asked);
    if (asked === undefined || asked === null) {
      return Number((await this.#tabs.open({ session })).id);
    }
    this.#tabs.refuseUnlessLent(tabId, session);
    return tabId;
  }

  /** @param {number} tabId @param {string} url */
  async #navigate(tabId, url) {
    if (!/^(https?|about|data):/.test(url)) {
      throw new Error(`${url} is not an address that agents may open.`);
    }
    await this.#command(tabId, "Page.enable");
    const { errorText } = await this.#command(tabId, "Page.navigate", { url });
    if (errorText) {
      throw new Error(`${url} could not be loaded: ${errorText}`);
    }
    // The tab itself may still say what was true of the document before.
    const isLoaded = () => this.#execute(tabId, "document.readyState === 'complete'").catch(() => false);
    await until(isLoaded, LOAD_MS);
    return this.#execute(tabId, "({ url: location.href, title: document.title })");
  }

  /** Run an expression, or statements with a `return`. @param {number} tabId @param {string} code */
  async #execute(tabId, code) {
    const statements = /\breturn\b/.test(code) && !/^\s*(async\s*)?(\(|function\b)/.test(code);
    const expression = statements ? `(async () => { ${code}\n })()` : code;
    const { result, exceptionDetails } = await this.#command(tabId, "Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
      replMode: !statements,
      userGesture: true,
    });
    if (exceptionDetails) {
      const { exception, text } = exceptionDetails;
      throw new Error(exception?.description ?? text);
    }
    return result.value;
  }

  /** @param {number} tabId @param {any} payload */
  async #wait(tabId, { time, ref, selector, text, timeout = WAIT_MS }) {
    if (ref === undefined && selector === undefined && text === undefined) {
      await new Promise((resolve) => setTimeout(resolve, Number(time ?? 1) * 1000));
      return {};
    }
    await until(() => this.#call(tabId, isThere, { ref, selector, text }), timeout);
    return {};
  }

  /** @param {number} tabId @param {any} payload */
  async #click(tabId, { ref, selector, text }) {
    const { x, y } = await this.#found(tabId, centre, { ref, selector, text });
    for (const type of ["mouseMoved", "mousePressed", "mouseReleased"]) {
      const press = type === "mouseMoved" ? {} : { button: "left", clickCount: 1 };
      await this.#command(tabId, "Input.dispatchMouseEvent", { type, x, y, ...press });
    }
    return {};
  }

  /** @param {number} tabId @param {any} payload */
  async #type(tabId, { ref, selector, text, submit = false }) {
    await this.#found(tabId, takeFocus, { ref, selector });
    await this.#command(tabId, "Input.insertText", { text: String(text) });
    if (submit) {
      const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 };
      await this.#command(tabId, "Input.dispatchKeyEvent", { type: "keyDown", text: "\r", ...enter });
      await this.#command(tabId, "Input.dispatchKeyEvent", { type: "keyUp", ...enter });
    }
    return {};
  }

  /** @param {number} tabId @param {any} payload */
  async #select(tabId, { ref, selector, values, value }) {
    const wanted = values ?? [value];
    return { selected: await this.#found(tabId, choose, { ref, selector }, wanted) };
  }

  /** @param {number} tabId @param {any} payload */
  async #screenshot(tabId, { fullPage = false }) {
    // A tab in the background draws nothing; a small screencast makes it.
    const tiny = { format: "jpeg", quality: 1, maxWidth: 16, maxHeight: 16, everyNthFrame: 1000 };
    await this.#command(tabId, "Page.startScreencast", tiny);
    const shot = { format: "png", captureBeyondViewport: Boolean(fullPage) };
    const { data } = await this.#command(tabId, "Page.captureScreenshot", shot);
    await this.#command(tabId, "Page.stopScreencast");
    return { data, mimeType: "image/png" };
  }

  /** @param {number} tabId @param {string} method @param {object} [params] */
  async #command(tabId, method, params) {
    await this.#relay.command(tabId, "Emulation.setFocusEmulationEnabled", { enabled: true });
    return this.#relay.command(tabId, method, params);
  }

  /** Call a function in the page. @param {number} tabId @param {Function} work @param {any[]} args */
  #call(tabId, work, ...args) {
    const given = args.map((each) => JSON.stringify(each) ?? "undefined").join(", ");
    return this.#execute(tabId, `(() => { ${find}\n return (${work})(${given}); })()`);
  }

  /**
   * As #call, for an element that must be there.
   * @param {number} tabId @param {Function} work @param {Target} target @param {any[]} args
   */
  async #found(tabId, work, target, ...args) {
    if (Object.values(target).every((each) => each === undefined)) {
      throw new Error("Say which element: by ref or selector.");
    }
    const outcome = await this.#call(tabId, work, target, ...args);
    if (outcome === null || outcome === undefined) {
      const named = Object.values(target).filter((each) => each !== undefined);
      throw new Error(`Nothing on the page matches ${named.join(", ")}.`);
    }
    return outcome;
  }
}

/** @param {() => Promise<any>} isDone @param {number} limit */
async function until(isDone, limit) {
  const end = Date.now() + limit;
  while (!(await isDone())) {
    if (Date.now() > end) {
      throw new Error(`It did not come true within ${limit} ms.`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
