// @ts-check
/** Lent tabs: those that agents may use. No other tab is ever named, attached or touched. */

import { addToGroup, groupTitle, groupTitleOf, removeFromGroup, windowOfGroup } from "./groups.js";
import { isNewRun, recall, remember } from "./store.js";

/**
 * @typedef {object} Loan A tab that agents may use.
 * @property {string} key Its name, which stays when the worker or the browser restarts.
 * @property {number} tabId Chrome's id, which is another one after a restart of the browser.
 * @property {string} session What the session is called that it was opened for or that uses it; "" for none.
 * @property {"agent" | "user" | "all"} lent Opened for agents, lent by the user, or like every tab.
 * @property {string} url
 * @property {string} title
 * @property {string} [openerKey]
 * @property {string} [request] What an agent asks the user to do there; "" for nothing.
 */

/** @typedef {(message: object) => void} Report */
/** @typedef {"closed" | "revoked" | "asked"} Removal Somebody closed it, the user took it back, the server asked. */

const LONGEST_REQUEST = 300;

/** The tab is not lent, or no longer. */
export class TabGone extends Error {
  code = "page_gone";

  /** @param {number} tabId @param {string} why */
  constructor(tabId, why) {
    super(`Tab ${tabId} ${why}.`);
    this.tabId = tabId;
  }
}

const MOST_GONE = 200;
const RESTORE_MS = 3_000;
const LOOK_MS = 100;

export class Tabs {
  /** @type {Map<number, Loan>} */
  #loans = new Map();
  /** @type {Map<number, Removal>} What became of tabs that were lent before. */
  #gone = new Map();
  /** @type {Set<number>} Tabs that the server wants to be closed. */
  #closing = new Set();
  /** @type {Map<number, number[]>} The tab in front and the one before it, by window. */
  #front = new Map();
  #shareAll = false;
  #report;
  #changed;

  /** @param {Report} report Tells the server. @param {() => void} changed Tells the user. */
  constructor(report, changed) {
    this.#report = report;
    this.#changed = changed;
  }

  /** Find the tabs again that were lent before the worker slept or the browser was closed. */
  async load() {
    const { loans, shareAll } = await recall();
    this.#shareAll = shareAll;
    for (const tab of await chrome.tabs.query({ active: true })) {
      this.#front.set(tab.windowId, [tab.id ?? 0]);
    }
    if (await isNewRun()) {
      await this.#restore(loans.filter((loan) => loan.lent === "agent"));
    } else {
      const open = new Set((await chrome.tabs.query({})).map((tab) => tab.id));
      loans.filter((loan) => open.has(loan.tabId)).forEach((loan) => this.#loans.set(loan.tabId, loan));
    }
    await this.#shareOthers();
    this.#save();
  }

  /** @param {number} tabId */
  has(tabId) {
    return this.#loans.has(tabId);
  }

  /** All loans, oldest first. */
  get all() {
    return [...this.#loans.values()];
  }

  /** Describe every lent tab as the protocol does. */
  async list() {
    const open = await chrome.tabs.query({});
    return open.filter((tab) => this.has(tab.id ?? 0)).map((tab) => this.describe(tab));
  }

  /** Describe the tabs that a session may use: its own, and those that nobody uses. @param {string} session */
  async listFor(session) {
    const open = await chrome.tabs.query({});
    return open.filter((tab) => this.#mayUse(tab.id ?? 0, session)).map((tab) => this.outline(tab));
  }

  /** Describe a tab to a session: nothing of other sessions. @param {chrome.tabs.Tab} tab */
  outline(tab) {
    const { id, title, url, focused, lent } = this.describe(tab);
    return { id, title, url, focused, lent };
  }

  /** @param {chrome.tabs.Tab} tab */
  describe(tab) {
    const loan = this.#loans.get(tab.id ?? 0);
    return {
      id: tab.id,
      key: loan?.key,
      title: tab.title ?? "",
      url: tab.url || tab.pendingUrl || "about:blank",
      focused: tab.active,
      toolCount: 0,
      session: loan?.session,
      lent: loan?.lent,
      openerKey: loan?.openerKey,
    };
  }

  /**
   * @param {chrome.tabs.Tab} tab @param {Loan["lent"]} lent @param {string} session
   * @param {string} [openerKey] The tab that opened it.
   */
  lend(tab, lent, session = "", openerKey = undefined) {
    const tabId = tab.id ?? 0;
    this.#gone.delete(tabId);
    if (!this.has(tabId)) {
      const key = crypto.randomUUID();
      const url = tab.url || tab.pendingUrl || "";
      this.#loans.set(tabId, { key, tabId, session, lent, url, title: tab.title ?? "", openerKey });
      this.#report({ type: "tabCreated", tab: this.describe(tab) });
      this.#save();
    }
    if (lent === "agent") {
      addToGroup(tabId, session);
      chrome.tabs.update(tabId, { autoDiscardable: false }).catch(() => undefined);
    }
    return this.describe(tab);
  }

  /**
   * Open a tab behind the one that the user looks at, in the window of the session's other tabs.
   * @param {{url?: string, focus?: boolean, session?: string}} wanted
   */
  async open({ url = "about:blank", focus = false, session = "" }) {
    const windowId = (await windowOfGroup(session)) ?? (await lastWindow());
    const tab =
      windowId === undefined
        ? (await chrome.windows.create({ url, focused: focus }))?.tabs?.[0]
        : await chrome.tabs.create({ url, active: focus, windowId });
    if (tab === undefined) {
      throw new Error("Chrome opened no tab.");
    }
    const described = this.lend(tab, "agent", session);
    if (focus) {
      await this.focus(tab.id ?? 0);
    }
    return described;
  }

  /** @param {number} tabId */
  async focus(tabId) {
    this.refuseUnlessLent(tabId);
    const tab = await chrome.tabs.update(tabId, { active: true });
    await chrome.windows.update(tab?.windowId ?? 0, { focused: true });
  }

  /** @param {number} tabId */
  async close(tabId) {
    this.refuseUnlessLent(tabId);
    if ((await chrome.tabs.query({})).length === 1) {
      await chrome.tabs.create({ active: false }); // without a tab the browser would quit
    }
    this.#closing.add(tabId);
    await chrome.tabs.remove(tabId);
  }

  /** @param {number} tabId @param {string} [session] Who wants to use it; none for the server itself. */
  refuseUnlessLent(tabId, session) {
    if (!this.has(tabId)) {
      throw this.#notLent(tabId);
    }
    if (session !== undefined && !this.#mayUse(tabId, session)) {
      throw new Error(`Tab ${tabId} belongs to another session.`);
    }
  }

  /** @param {number} tabId */
  #notLent(tabId) {
    switch (this.#gone.get(tabId)) {
      case "revoked":
        return new TabGone(tabId, "is gone: the user took it back");
      case "closed":
      case "asked":
        return new TabGone(tabId, "is gone: it was closed");
      default:
        return new TabGone(tabId, "is not lent to agents");
    }
  }

  /** @param {number} tabId @param {string} session */
  #mayUse(tabId, session) {
    const user = this.#loans.get(tabId)?.session;
    return user === "" || user === session;
  }

  /** Note which session uses a tab that the user lent; "" for none. @param {number} tabId @param {string} session */
  use(tabId, session) {
    const loan = this.#loans.get(tabId);
    if (loan !== undefined && loan.lent !== "agent" && loan.session !== session) {
      loan.session = session;
      this.#save();
    }
  }

  /** Note what an agent asks the user to do in a tab; "" for nothing. @param {number} tabId @param {string} reason */
  showRequest(tabId, reason) {
    const loan = this.#loans.get(tabId);
    if (loan !== undefined && (loan.request ?? "") !== reason) {
      loan.request = reason.slice(0, LONGEST_REQUEST);
      this.#save();
    }
  }

  /** A server that has just connected says anew who uses what. */
  forgetUses() {
    this.all.forEach((loan) => this.use(loan.tabId, ""));
    this.all.forEach((loan) => this.showRequest(loan.tabId, ""));
  }

  /** @param {number} tabId @param {"closed" | "revoked"} why */
  takeBack(tabId, why) {
    const loan = this.#loans.get(tabId);
    if (loan === undefined) {
      return;
    }
    const reason = this.#closing.delete(tabId) ? "asked" : why;
    this.#loans.delete(tabId);
    this.#gone.set(tabId, reason);
    if (this.#gone.size > MOST_GONE) {
      this.#gone.delete([...this.#gone.keys()][0]);
    }
    this.#report({ type: "tabClosed", tabId, key: loan.key, reason });
    this.#save();
    if (why === "revoked" && loan.lent === "agent") {
      removeFromGroup(tabId);
    }
  }

  /** @param {boolean} wanted Lend every ordinary tab, or only those that are lent one by one. */
  async shareAll(wanted) {
    this.#shareAll = wanted;
    await remember({ shareAll: wanted });
    if (!wanted) {
      this.all.filter((loan) => loan.lent === "all").forEach((loan) => this.takeBack(loan.tabId, "revoked"));
    }
    await this.#shareOthers();
  }

  /** @param {chrome.tabs.Tab} tab A tab is there that was not before. */
  created(tab) {
    if (this.#shareAll && isOrdinary(tab)) {
      this.lend(tab, "all");
    }
  }

  /**
   * What a lent tab opens is lent to the same session.
   * @param {number} tabId @param {number} openerId The tab whose page did it; not the one in front.
   */
  async opened(tabId, openerId) {
    const opener = this.#loans.get(openerId);
    const tab = opener && (await chrome.tabs.get(tabId).catch(() => undefined));
    if (opener !== undefined && tab !== undefined) {
      this.lend(tab, opener.lent, opener.session, opener.key);
      this.#giveFocusBack(tab, openerId);
    }
  }

  /** @param {chrome.tabs.Tab} tab @param {chrome.tabs.OnUpdatedInfo} change */
  updated(tab, change) {
    const loan = this.#loans.get(tab.id ?? 0);
    if (loan === undefined) {
      if (this.#shareAll && isOrdinary(tab)) {
        this.lend(tab, "all");
      }
    } else if (change.url !== undefined || change.title !== undefined) {
      loan.url = tab.url ?? loan.url;
      loan.title = tab.title ?? loan.title;
      this.#report({ type: "tabUpdated", tab: this.describe(tab) });
      this.#save();
    } else if (change.status !== undefined) {
      this.#changed(); // Chrome has forgotten what the button showed for this tab
    }
  }

  /** @param {number} tabId @param {number} windowId */
  activated(tabId, windowId) {
    const [now = 0] = this.#front.get(windowId) ?? [];
    this.#front.set(windowId, [tabId, now]);
    if (this.has(tabId)) {
      this.#report({ type: "tabFocused", tabId, tools: [] });
    }
  }

  /** @param {number} tabId @param {number} formerId Chrome has put one tab in the place of another. */
  replaced(tabId, formerId) {
    const loan = this.#loans.get(formerId);
    if (loan !== undefined) {
      this.#loans.delete(formerId);
      this.#loans.set(tabId, { ...loan, tabId });
      this.#save();
    }
  }

  /**
   * After a restart tab ids are new. A tab is the same when it has the same address and is in
   * the group that we made for its session; tabs that the user lent must be lent again.
   * @param {Loan[]} loans
   */
  async #restore(loans) {
    const missing = new Set(loans);
    const end = Date.now() + RESTORE_MS;
    while (missing.size > 0) {
      for (const tab of await chrome.tabs.query({})) {
        const group = this.has(tab.id ?? 0) ? "" : await groupTitleOf(tab);
        const found = [...missing].find((loan) => loan.url === addressOf(tab) && groupTitle(loan.session) === group);
        if (found !== undefined) {
          missing.delete(found);
          this.#loans.set(tab.id ?? 0, { ...found, tabId: tab.id ?? 0 });
        }
      }
      if (Date.now() > end) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  async #shareOthers() {
    if (this.#shareAll) {
      const open = await chrome.tabs.query({});
      open.filter(isOrdinary).forEach((tab) => this.lend(tab, "all"));
    }
  }

  /**
   * Chrome brings what a page opens to the front, also when nobody looked at the page.
   * @param {chrome.tabs.Tab} tab @param {number} openerId
   */
  #giveFocusBack(tab, openerId) {
    const [now = 0, before = 0] = this.#front.get(tab.windowId) ?? [];
    const looked = now === tab.id ? before : now;
    if (looked === 0) {
      chrome.windows.update(tab.windowId, { focused: false }).catch(() => undefined);
    } else if (looked !== openerId) {
      chrome.tabs.update(looked, { active: true }).catch(() => undefined);
    }
  }

  #save() {
    remember({ loans: this.all });
    this.#changed();
  }
}

/** Find an ordinary window, the one that was used last. */
async function lastWindow() {
  const last = await chrome.windows.getLastFocused({ windowTypes: ["normal"] }).catch(() => undefined);
  return last?.incognito === false ? last.id : undefined;
}

/** @param {chrome.tabs.Tab} tab */
function addressOf(tab) {
  return tab.url || tab.pendingUrl || "";
}

/** Whether Chrome lets an extension work in it. @param {chrome.tabs.Tab} tab */
export function isOrdinary(tab) {
  return /^(https?|file|about|data|blob):|^$/.test(addressOf(tab)) && !tab.incognito;
}
