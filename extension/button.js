// @ts-check
/** Button: what the toolbar shows, in general and for the tab that the user looks at. */

/** @typedef {import("./socket.js").Status} Status */
/** @typedef {import("./tabs.js").Loan} Loan */

const LONGEST_BADGE = 4;
/** @type {Set<number>} The tabs for which it shows a session. */
const marked = new Set();

/** Show how many tabs agents have, and on each of those which session uses it. @param {Status} status @param {Loan[]} loans */
export function showButton(status, loans) {
  const connected = status === "connected";
  const count = loans.length;
  const title = connected ? `tabmux: ${count} tabs lent` : `tabmux: ${status}`;
  chrome.action.setBadgeText({ text: connected && count > 0 ? String(count) : "" });
  chrome.action.setBadgeBackgroundColor({ color: "#2563eb" });
  chrome.action.setTitle({ title });
  const used = connected ? loans.filter((loan) => loan.session !== "" || loan.request) : [];
  used.forEach(mark);
  [...marked].filter((tabId) => !used.some((loan) => loan.tabId === tabId)).forEach((tabId) => unmark(tabId, title));
}

/** @param {Loan} loan */
function mark({ tabId, session, request }) {
  marked.add(tabId);
  const text = request ? "!" : session.slice(0, LONGEST_BADGE);
  const title = request ? `tabmux: session ${session} asks you: ${request}` : `tabmux: session ${session} uses this tab`;
  ignoringClosed(chrome.action.setBadgeText({ tabId, text }));
  ignoringClosed(chrome.action.setBadgeBackgroundColor({ tabId, color: request ? "#b3261e" : "#2563eb" }));
  ignoringClosed(chrome.action.setTitle({ tabId, title }));
}

/** @param {number} tabId @param {string} title */
function unmark(tabId, title) {
  marked.delete(tabId);
  ignoringClosed(chrome.action.setBadgeText({ tabId }));
  ignoringClosed(chrome.action.setTitle({ tabId, title }));
}

/** @param {Promise<void>} shown A tab may be closed before it is shown. */
function ignoringClosed(shown) {
  shown.catch(() => undefined);
}
