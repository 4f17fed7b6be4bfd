// @ts-check
/** An extension as somebody writes it who knows only the messages of the focus toolset. */

const socket = new WebSocket("ws://localhost:8765");
const opened = new Promise((resolve) => (socket.onopen = resolve));

/** @param {object} message */
async function send(message) {
  await opened;
  socket.send(JSON.stringify(message));
}

/** @param {chrome.tabs.Tab} tab */
function describe(tab) {
  return { id: tab.id, title: tab.title ?? "", url: tab.url || tab.pendingUrl || "" };
}

/** The links of a page are its tools. @param {number} tabId */
async function introspect(tabId) {
  const [found] = await chrome.scripting.executeScript({
    target: { tabId },
    func: () => [...document.querySelectorAll("button")].map((each) => each.textContent ?? ""),
  });
  return (found.result ?? []).map((name) => ({
    name: `press_${name.toLowerCase()}`,
    description: `Press ${name}`,
    inputSchema: { type: "object", properties: {} },
  }));
}

/** @param {number} tabId @param {string} toolName */
async function press(tabId, toolName) {
  await chrome.scripting.executeScript({
    target: { tabId },
    args: [toolName],
    func: (wanted) => {
      const all = [...document.querySelectorAll("button")];
      all.find((each) => `press_${each.textContent?.toLowerCase()}` === wanted)?.click();
    },
  });
  return { title: (await chrome.tabs.get(tabId)).title };
}

/** @param {number} tabId */
async function loaded(tabId) {
  while ((await chrome.tabs.get(tabId)).status !== "complete") {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

socket.onmessage = async ({ data }) => {
  const message = JSON.parse(data);
  if (message.type === "connect") {
    const tabs = (await chrome.tabs.query({})).map(describe);
    send({ type: "connected", browser: { name: "Chrome", version: "120.0.0" }, tabs });
  } else if (message.type === "openTab") {
    const tab = await chrome.tabs.create({ url: message.url, active: message.focus });
    // Told of once it has loaded, with the address that it has then.
    await loaded(tab.id ?? 0);
    send({ type: "tabCreated", tab: describe(await chrome.tabs.get(tab.id ?? 0)) });
  } else if (message.type === "focusTab") {
    await chrome.tabs.update(message.tabId, { active: true });
    send({ type: "tabFocused", tabId: message.tabId, tools: await introspect(message.tabId) });
  } else if (message.type === "closeTab") {
    await chrome.tabs.remove(message.tabId);
  } else if (message.type === "callTool") {
    const result = await press(message.tabId, message.toolName);
    send({ type: "toolResult", callId: message.callId, result });
  }
};
chrome.tabs.onRemoved.addListener((tabId) => send({ type: "tabClosed", tabId }));
setInterval(() => send({ type: "ping" }), 20_000);
