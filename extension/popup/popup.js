// @ts-check
/** Popup: how things stand, which tabs are lent, and how to take them back. */

const WORDS = /** @type {Record<string, string>} */ ({
  connected: "connected",
  offline: "tabmux is not running here",
  portTaken: "wrong port",
  wrongCode: "wrong code",
  unpaired: "not paired",
  unknown: "not known to tabmux",
  stopped: "stopped",
  distrusted: "another program answers",
});

// What to do about it.
const HELP = /** @type {Record<string, string>} */ ({
  offline: "Nothing listens on port PORT. Start tabmux, or set the port of its bridge under Settings.",
  portTaken: "Another program answers on port PORT. tabmux extension list shows the port of tabmux; set it under Settings.",
  distrusted: "Whoever answers on port PORT could not prove to be tabmux.",
  unknown: "tabmux no longer knows this browser. Pair it again.",
});

// A worker that is just starting may hear nothing yet.
const AGAIN_MS = 300;

/** @type {NodeListOf<HTMLElement>} */
const named = document.querySelectorAll("[id]");
const part = Object.fromEntries([...named].map((each) => [each.id, each]));
const code = /** @type {HTMLInputElement} */ (part.code);
const port = /** @type {HTMLInputElement} */ (part.port);
let isFrontLent = false;
const all = /** @type {HTMLInputElement} */ (part.all);

/** Have the worker do something, and show what it answers. @param {string} action @param {object} [details] */
async function act(action, details = {}) {
  const answer = await chrome.runtime.sendMessage({ action, ...details });
  if (action !== "look" || answer?.error) {
    part.trouble.hidden = !answer?.error;
    part.trouble.textContent = answer?.error ?? "";
  }
  if (answer && !answer.error) {
    clearInterval(asking);
    await show(answer);
  }
}

/** @param {import("../background.js").Report} report */
async function show({ status, name, paired, stopped, shareAll, tabs, port: number }) {
  const front = await frontTab();
  part.light.className = status;
  part.status.textContent = status === "connected" && name ? `connected as ${name}` : WORDS[status];
  part.help.textContent = (HELP[status] ?? "").replace("PORT", String(number));
  part.help.hidden = !(status in HELP);
  part.pair.hidden = (paired && status !== "unknown") || stopped;
  part.use.hidden = !paired || stopped || status === "unknown";
  part.stop.hidden = !paired || stopped;
  part.start.hidden = !stopped;
  part.unpair.hidden = !paired;
  part.none.hidden = tabs.length > 0;
  all.checked = shareAll;
  part.point.hidden = !tabs.some((loan) => loan.tabId === front?.id && loan.session !== "");
  isFrontLent = tabs.some((loan) => loan.tabId === front?.id);
  part.lend.textContent = isFrontLent ? "Take this tab back" : "Lend this tab";
  if (!part.pair.hidden && document.activeElement === document.body) {
    code.focus();
  }
  if (document.activeElement !== port) {
    port.value = String(number);
  }
  part.tabs.replaceChildren(...tabs.map(row));
}

/** The tab that the user looks at. */
async function frontTab() {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  return /** @type {chrome.tabs.Tab | undefined} */ (tab);
}

/** @param {import("../tabs.js").Loan} loan @param {number} index */
function row({ tabId, title, url, session }, index) {
  const item = document.createElement("li");
  const name = document.createElement("span");
  name.textContent = title || url || "New tab";
  name.title = url;
  const who = document.createElement("small");
  who.textContent = session === "" ? "in no session" : `session ${session}`;
  const back = document.createElement("button");
  back.type = "button";
  back.textContent = "Take back";
  back.setAttribute("aria-label", `Take back tab ${index + 1}: ${name.textContent}`);
  back.onclick = () => act("takeBack", { tabId });
  item.append(name, who, back);
  return item;
}

part.pair.onsubmit = (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  act("pair", { code: code.value });
};
part.lend.onclick = async () => {
  const tab = await frontTab();
  act(isFrontLent ? "takeBack" : "lend", { tabId: tab?.id });
};
part.point.onsubmit = async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const tab = await frontTab();
  await act("point", { tabId: tab?.id, sentence: /** @type {HTMLInputElement} */ (part.sentence).value });
  // The next click is in the tab.
  window.close();
};
part.stop.onclick = () => act("stop");
part.start.onclick = () => act("start");
part.unpair.onclick = () => act("unpair");
all.onchange = () => act("shareAll", { wanted: all.checked });
port.onchange = () => act("port", { port: port.valueAsNumber });
chrome.runtime.onMessage.addListener((message) => {
  if (message?.changed) {
    act("look");
  }
});
const asking = setInterval(() => act("look"), AGAIN_MS);
act("look");
