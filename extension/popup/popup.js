// @ts-check
/** Popup: how things stand, which tabs are lent, and how to take them back. */

const WORDS = /** @type {Record<string, string>} */ ({
  connected: "connected",
  offline: "tabmux is not running",
  unpaired: "not paired",
  unknown: "not known to tabmux",
  stopped: "stopped",
  distrusted: "another program answers",
});

// A worker that is just starting may hear nothing yet.
const AGAIN_MS = 300;

/** @type {NodeListOf<HTMLElement>} */
const named = document.querySelectorAll("[id]");
const part = Object.fromEntries([...named].map((each) => [each.id, each]));
const code = /** @type {HTMLInputElement} */ (part.code);
const port = /** @type {HTMLInputElement} */ (part.port);
const all = /** @type {HTMLInputElement} */ (part.all);

/** Ask the worker for something, and show what it answers. @param {string} name @param {object} [details] */
async function wish(name, details = {}) {
  const answer = await chrome.runtime.sendMessage({ wish: name, ...details });
  if (name !== "look" || answer?.error) {
    part.trouble.hidden = !answer?.error;
    part.trouble.textContent = answer?.error ?? "";
  }
  if (answer && !answer.error) {
    clearInterval(asking);
    show(answer);
  }
}

/** @param {import("../background.js").Report} report */
function show({ status, name, paired, stopped, shareAll, tabs, port: number }) {
  part.light.className = status;
  part.status.textContent = status === "connected" && name ? `connected as ${name}` : WORDS[status];
  part.pair.hidden = (paired && status !== "unknown") || stopped;
  part.use.hidden = !paired || stopped || status === "unknown";
  part.stop.hidden = !paired || stopped;
  part.start.hidden = !stopped;
  part.unpair.hidden = !paired;
  part.none.hidden = tabs.length > 0;
  all.checked = shareAll;
  if (document.activeElement !== port) {
    port.value = String(number);
  }
  part.tabs.replaceChildren(...tabs.map(row));
}

/** @param {import("../tabs.js").Loan} loan */
function row({ tabId, title, url, session }) {
  const item = document.createElement("li");
  const name = document.createElement("span");
  name.textContent = title || url || "New tab";
  name.title = url;
  const who = document.createElement("small");
  who.textContent = session;
  const back = document.createElement("button");
  back.type = "button";
  back.textContent = "Take back";
  back.onclick = () => wish("takeBack", { tabId });
  item.append(name, who, back);
  return item;
}

part.pair.onsubmit = (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  wish("pair", { code: code.value });
};
part.lend.onclick = async () => {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  wish("lend", { tabId: tab.id });
};
part.stop.onclick = () => wish("stop");
part.start.onclick = () => wish("start");
part.unpair.onclick = () => wish("unpair");
all.onchange = () => wish("shareAll", { wanted: all.checked });
port.onchange = () => wish("port", { port: port.valueAsNumber });
chrome.runtime.onMessage.addListener((message) => {
  if (message?.news) {
    wish("look");
  }
});
const asking = setInterval(() => wish("look"), AGAIN_MS);
wish("look");
