// @ts-check
/** Service worker: puts the parts together, and wakes whenever Chrome has news of a tab. */

import { showButton } from "./button.js";
import { Commands } from "./commands.js";
import { Relay } from "./cdp_relay.js";
import { keyOfCode } from "./handshake.js";
import { ServerMessages } from "./server_messages.js";
import { Socket } from "./socket.js";
import { recall, remember } from "./store.js";
import { isOrdinary, Tabs } from "./tabs.js";

/** @typedef {import("./handshake.js").Browser} Browser */
/** @typedef {import("./handshake.js").Key} Key */
/** @typedef {import("./socket.js").Status} Status */
/** @typedef {{brand: string, version: string}} Product */
/** @typedef {{getHighEntropyValues(hints: string[]): Promise<{fullVersionList: Product[]}>}} Hints */

const QUIT_MS = 2_000;
const WAKE = "wake";
const WAKE_MINUTES = 0.5;
const OFFSCREEN = "offscreen.html";
// Longer than the handshake may take.
const PAIRING_MS = 8_000;
const LONGEST_SENTENCE = 500;
const BRANDS = ["Microsoft Edge", "Brave", "Opera", "Vivaldi", "Google Chrome", "Chromium"];

/** @type {Status} */
let status = "offline";
/** @type {Key | null} What the user has just typed, until it is used. */
let pairing = null;
/** @type {(problem: string) => void} Told how pairing has ended; "" for well. */
let paired = () => undefined;

/** @type {Map<string, Socket>} */
const instances = new Map();
const tabs = new Tabs((message) => socket.send(message), show);
const relay = new Relay(tabs, (message) => socket.send(message));
const commands = new Commands(tabs, relay, { serve, unserve });
const serverMessages = new ServerMessages(tabs, relay, commands, describeBrowser, (message) => socket.send(message), forget);
const socket = new Socket("/", {
  address,
  welcome: async (name, key) => {
    pairing = null;
    await remember({ name, key });
    paired("");
  },
  message: (message) => serverMessages.receive(message),
  status: (now) => {
    status = now;
    if (pairing !== null && now in PROBLEMS) {
      pairing = null;
      paired(PROBLEMS[now]);
    }
    show();
  },
});

/** @type {Record<string, string>} Why pairing has failed. */
const PROBLEMS = {
  wrongCode: "That code is wrong or too old. Run tabmux extension pair and type the code it shows.",
  offline: "Nothing listens on this port. Start tabmux, or set its port under Settings.",
  portTaken: "Another program has this port. Set the port of tabmux under Settings.",
};

const ready = tabs.load().then(() => socket.dial());

chrome.tabs.onCreated.addListener((tab) => ready.then(() => tabs.created(tab)));
chrome.webNavigation.onCreatedNavigationTarget.addListener(({ tabId, sourceTabId }) =>
  ready.then(() => tabs.opened(tabId, sourceTabId)),
);
chrome.tabs.onUpdated.addListener((_, change, tab) => ready.then(() => tabs.updated(tab, change)));
chrome.tabs.onRemoved.addListener((tabId, { isWindowClosing }) => {
  // With its last window the browser may be quitting, and open the same tabs when it starts again.
  const pause = isWindowClosing ? QUIT_MS : 0;
  setTimeout(() => ready.then(() => tabs.takeBack(tabId, "closed")), pause);
});
chrome.tabs.onReplaced.addListener((now, before) => ready.then(() => tabs.replaced(now, before)));
chrome.tabs.onActivated.addListener(({ tabId, windowId }) => ready.then(() => tabs.activated(tabId, windowId)));
chrome.debugger.onEvent.addListener((source, method, params) => relay.onEvent(source, method, params));
chrome.debugger.onDetach.addListener((source, why) => ready.then(() => detached(source.tabId ?? 0, why)));
chrome.runtime.onConnect.addListener(() => ready);
chrome.runtime.onStartup.addListener(() => ready);
chrome.runtime.onInstalled.addListener(() => ready);
chrome.alarms.onAlarm.addListener(() => ready.then(() => socket.dial()));
chrome.alarms.create(WAKE, { periodInMinutes: WAKE_MINUTES });

// Nobody but our own pages can send these: there is no content script, and no page may connect.
chrome.runtime.onMessage.addListener((message, sender, answer) => {
  if (sender.id !== chrome.runtime.id || sender.tab !== undefined && !isOwnPage(sender)) {
    return false;
  }
  ready
    .then(() => actions[message?.action]?.(message))
    .then(report)
    .then(answer, (error) => answer({ error: String(error?.message ?? error) }));
  return true;
});

/** @type {Record<string, (message: any) => Promise<void> | void>} What the user can do. */
const actions = {
  pair: async ({ code }) => {
    pairing = await keyOfCode(code);
    /** @type {Promise<string>} */
    const outcome = new Promise((resolve) => {
      paired = resolve;
      setTimeout(() => resolve("tabmux did not answer in time. Try again."), PAIRING_MS);
    });
    await remember({ stopped: false });
    hangUp("pairing");
    await socket.dial();
    const problem = await outcome;
    if (problem !== "") {
      throw new Error(problem);
    }
  },
  unpair: async () => {
    socket.send({ type: "unpair" });
    await forget();
  },
  stop: async () => {
    await remember({ stopped: true });
    await stopAll("stopped");
  },
  start: async () => {
    await remember({ stopped: false });
    await socket.dial();
  },
  lend: async ({ tabId }) => {
    const tab = await chrome.tabs.get(tabId);
    if (!isOrdinary(tab)) {
      throw new Error("Chrome does not let extensions work in this tab.");
    }
    tabs.lend(tab, "user");
  },
  takeBack: ({ tabId }) => takeBack(tabId),
  point: ({ tabId, sentence }) => socket.send({ type: "point", tabId, sentence: String(sentence ?? "").slice(0, LONGEST_SENTENCE) }),
  shareAll: ({ wanted }) => tabs.shareAll(Boolean(wanted)),
  port: async ({ port }) => {
    if (!Number.isInteger(port) || port < 1 || port > 65535) {
      throw new Error("A port is a number from 1 to 65535.");
    }
    await remember({ port });
    hangUp("port");
    await socket.dial();
  },
};

/** Where to dial, and whether at all. */
async function address() {
  const { port, key, stopped } = await recall();
  const known = pairing ?? key;
  watchWorker(!stopped && known !== null);
  if (stopped || known === null) {
    status = stopped ? "stopped" : "unpaired";
    show();
    return null;
  }
  return { port, key: known, browser: await describeBrowser() };
}

/** Have a page that starts this worker again when Chrome ends it, while there is any use in it. @param {boolean} wanted */
function watchWorker(wanted) {
  /** @type {chrome.offscreen.CreateParameters} */
  const page = {
    url: OFFSCREEN,
    reasons: [chrome.offscreen.Reason.WORKERS],
    justification: "Starts the service worker again, so that agents need not wait for it.",
  };
  // It may be there already, or not be there.
  (wanted ? chrome.offscreen.createDocument(page) : chrome.offscreen.closeDocument()).catch(() => undefined);
}

/** @returns {Promise<Browser>} */
async function describeBrowser() {
  const { profileId } = await recall();
  const hints = /** @type {{userAgentData: Hints}} */ (/** @type {unknown} */ (navigator)).userAgentData;
  const { fullVersionList } = await hints.getHighEntropyValues(["fullVersionList"]);
  const name = BRANDS.find((brand) => fullVersionList.some((each) => each.brand === brand));
  const found = fullVersionList.find((each) => each.brand === name);
  return { name: name ?? "Chrome", version: found?.version ?? "", profileId };
}

/** @param {number} tabId @param {string} why */
function detached(tabId, why) {
  relay.onDetach(tabId, why);
  if (why === "canceled_by_user") {
    // The user pressed "Cancel" in Chrome's bar: that takes the tab back.
    tabs.takeBack(tabId, "revoked");
  }
}

/** @param {number} tabId */
async function takeBack(tabId) {
  await relay.detach(tabId);
  tabs.takeBack(tabId, "revoked");
}

/** Forget the pairing. */
async function forget() {
  await remember({ key: null, name: "" });
  await stopAll("unpaired");
}

/** @param {"stopped" | "unpaired"} now */
async function stopAll(now) {
  await relay.detachAll();
  tabs.all.forEach((loan) => tabs.takeBack(loan.tabId, "revoked"));
  hangUp(now);
  status = now;
  show();
}

/** @param {string} reason */
function hangUp(reason) {
  socket.send({ type: "disconnected", reason });
  socket.close();
  instances.forEach((_, instanceId) => unserve(instanceId));
}

/**
 * Open a further socket, for the commands of one instance.
 * @param {string} instanceId @param {string} name What users may see of it; its id may be a secret.
 */
function serve(instanceId, name) {
  if (instances.has(instanceId)) {
    return;
  }
  const further = new Socket(`/session/${encodeURIComponent(instanceId)}`, {
    address,
    welcome: async () => undefined,
    message: (message) => commands.answer(instanceId, name, message, (answer) => further.send(answer)),
    status: () => undefined,
  });
  instances.set(instanceId, further);
  further.dial();
}

/** @param {string} instanceId */
function unserve(instanceId) {
  instances.get(instanceId)?.close();
  instances.delete(instanceId);
}

/** @typedef {Awaited<ReturnType<typeof report>>} Report What the popup shows. */

/** Tell the popup how things stand. */
async function report() {
  const { port, name, key, stopped, shareAll } = await recall();
  return { status, port, name, paired: key !== null, stopped, shareAll, tabs: tabs.all };
}

/** Show on the button and in the popup how things stand. */
function show() {
  showButton(status, tabs.all);
  chrome.runtime.sendMessage({ changed: true }).catch(() => undefined);
}

/** @param {chrome.runtime.MessageSender} sender */
function isOwnPage(sender) {
  return sender.url?.startsWith(chrome.runtime.getURL("")) ?? false;
}
