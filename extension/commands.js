// @ts-check
/** Commands: the messages on `/session/<instanceId>`, which name elements by selector or text. */

import { reason } from "./cdp_relay.js";

/** @typedef {import("./tabs.js").Tabs} Tabs */
/** @typedef {import("./cdp_relay.js").Relay} Relay */
/** @typedef {{tabId?: number, [key: string]: any}} Outcome */

const WAIT_MS = 10_000;
const LOAD_MS = 30_000;
const LOOK_MS = 100;

export class Commands {
  #tabs;
  #relay;
  /** @type {(instanceId: string) => void} */
  serve;
  /** @type {(instanceId: string) => void} */
  unserve;
  /** @type {Map<string, number>} The tab that each instance used last. */
  #current = new Map();

  /**
   * @param {Tabs} tabs @param {Relay} relay
   * @param {{serve: (id: string) => void, unserve: (id: string) => void}} sockets
   */
  constructor(tabs, relay, sockets) {
    this.#tabs = tabs;
    this.#relay = relay;
    this.serve = sockets.serve;
    this.unserve = sockets.unserve;
  }

  /**
   * Answer one message of an instance.
   * @param {string} instance @param {any} message @param {(message: object) => void} send
   */
  async answer(instance, { id, type, payload = {}, tabId }, send) {
    const last = this.#current.get(instance) ?? 0;
    const asked = payload?.tabId ?? tabId ?? (this.#tabs.has(last) ? last : undefined);
    try {
      const outcome = await this.run(type, { ...payload, tabId: asked }, instance);
      this.#current.set(instance, outcome.tabId ?? 0);
      send({ type: "response", id, data: { success: true, ...outcome } });
    } catch (error) {
      const text = reason(error);
      const known = this.#tabs.has(Number(asked)) ? { tabId: asked } : {};
      send({ type: "response", id, error: text, data: { success: false, error: text, ...known } });
    }
  }

  /**
   * Run one command.
   * @param {string} type @param {any} payload @param {string} [session]
   * @returns {Promise<Outcome>}
   */
  async run(type, payload, session = "") {
    const handle = this.#handlers[type];
    if (handle === undefined) {
      throw new Error(`There is no command ${JSON.stringify(type)}.`);
    }
    if (type === "tabs.new") {
      return handle(payload, 0, session);
    }
    const tabId = await this.#tab(payload.tabId, session);
    return { tabId, ...(await handle(payload, tabId, session)) };
  }

  /** @type {Record<string, (payload: any, tabId: number, session: string) => Promise<any>>} */
  #handlers = {
    browser_navigate: ({ url }, tabId) => this.#navigate(tabId, String(url)),
    "js.execute": async ({ code }, tabId) => ({ result: await this.#execute(tabId, String(code)) }),
    browser_wait: (payload, tabId) => this.#wait(tabId, payload),
    browser_click: (payload, tabId) => this.#click(tabId, payload),
    browser_type: (payload, tabId) => this.#type(tabId, payload),
    browser_select_option: (payload, tabId) => this.#select(tabId, payload),
    browser_screenshot: (payload, tabId) => this.#screenshot(tabId, payload),
    "tabs.list": async () => ({ tabs: await this.#tabs.list() }),
    "tabs.select": async (_, tabId) => ({ tab: this.#tabs.describe(await chrome.tabs.get(tabId)) }),
    "tabs.new": async ({ url }, _, session) => {
      const tab = await this.#tabs.open({ url, session });
      return { tab, tabId: tab.id };
    },
    "tabs.close": async (_, tabId) => {
      await this.#tabs.close(tabId);
      return { closed: tabId, tabId: undefined };
    },
  };

  /** Find the tab that is meant; an instance without one gets its own, in the background. */
  async #tab(/** @type {unknown} */ asked, /** @type {string} */ session) {
    const tabId = Number(asked);
    if (asked === undefined || asked === null) {
      return Number((await this.#tabs.open({ session })).id);
    }
    this.#tabs.refuseUnlessLent(tabId);
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
    await until(async () => (await chrome.tabs.get(tabId)).status === "complete", LOAD_MS);
    const { url: reached, title } = await chrome.tabs.get(tabId);
    return { url: reached, title };
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
  async #wait(tabId, { time, selector, text, timeout = WAIT_MS }) {
    if (selector === undefined && text === undefined) {
      await new Promise((resolve) => setTimeout(resolve, Number(time ?? 1) * 1000));
      return {};
    }
    await until(() => this.#call(tabId, isThere, selector, text), timeout);
    return {};
  }

  /** @param {number} tabId @param {any} payload */
  async #click(tabId, { selector, text }) {
    const { x, y } = await this.#found(tabId, centre, selector, text);
    for (const type of ["mouseMoved", "mousePressed", "mouseReleased"]) {
      const press = type === "mouseMoved" ? {} : { button: "left", clickCount: 1 };
      await this.#command(tabId, "Input.dispatchMouseEvent", { type, x, y, ...press });
    }
    return {};
  }

  /** @param {number} tabId @param {any} payload */
  async #type(tabId, { selector, text, submit = false }) {
    await this.#found(tabId, takeFocus, selector);
    await this.#command(tabId, "Input.insertText", { text: String(text) });
    if (submit) {
      const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 };
      await this.#command(tabId, "Input.dispatchKeyEvent", { type: "keyDown", text: "\r", ...enter });
      await this.#command(tabId, "Input.dispatchKeyEvent", { type: "keyUp", ...enter });
    }
    return {};
  }

  /** @param {number} tabId @param {any} payload */
  async #select(tabId, { selector, values, value }) {
    const wanted = values ?? [value];
    return { selected: await this.#found(tabId, choose, selector, wanted) };
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
    return this.#execute(tabId, `(${work})(${given})`);
  }

  /** As #call, for what must be there. @param {number} tabId @param {Function} work @param {any[]} args */
  async #found(tabId, work, ...args) {
    const outcome = await this.#call(tabId, work, ...args);
    if (outcome === null || outcome === undefined) {
      throw new Error(`Nothing on the page matches ${args.filter(Boolean).map(String).join(", ")}.`);
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

// The functions below run in the page, each alone.

/** @param {string} [selector] @param {string} [text] */
function isThere(selector, text) {
  if (selector !== undefined) {
    return document.querySelector(selector) !== null;
  }
  return (document.body?.innerText ?? "").includes(text ?? "");
}

/** @param {string} [selector] @param {string} [text] */
function centre(selector, text) {
  const candidates = document.querySelectorAll(selector ?? "a, button, input, label, [role], [onclick], summary, *");
  const found = [...candidates].find(
    (each) => text === undefined || (each instanceof HTMLElement && each.innerText?.trim() === text),
  );
  if (found === undefined) {
    return null;
  }
  found.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = found.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** @param {string} selector */
function takeFocus(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) {
    return null;
  }
  found.focus();
  if (found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement) {
    found.select();
  }
  return true;
}

/** @param {string} selector @param {string[]} values */
function choose(selector, values) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLSelectElement)) {
    return null;
  }
  for (const option of found.options) {
    option.selected = values.includes(option.value) || values.includes(option.label);
  }
  found.dispatchEvent(new Event("input", { bubbles: true }));
  found.dispatchEvent(new Event("change", { bubbles: true }));
  return [...found.selectedOptions].map((option) => option.value);
}
