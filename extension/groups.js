// @ts-check
/** Tab groups: one for each session, so that the user sees which tabs agents use. */

const COLOURS = /** @type {const} */ (["blue", "green", "purple", "orange", "cyan", "pink", "yellow", "red"]);
const NONE = -1;

/** @type {Promise<unknown>} One at a time: two tabs of a new session must not make two groups. */
let turn = Promise.resolve();

/** @param {string} session */
export function groupTitle(session) {
  return session === "" ? "tabmux" : `tabmux ${session}`;
}

/**
 * Put a tab into the group of its session. A tab that the user drags just now stays where it is.
 * @param {number} tabId @param {string} session
 */
export function addToGroup(tabId, session) {
  turn = turn.then(() => moveIntoGroup(tabId, session)).catch(() => undefined);
  return turn;
}

/** @param {number} tabId @param {string} session */
async function moveIntoGroup(tabId, session) {
  const { windowId } = await chrome.tabs.get(tabId);
  const [group] = await chrome.tabGroups.query({ title: groupTitle(session), windowId });
  if (group !== undefined) {
    await chrome.tabs.group({ tabIds: tabId, groupId: group.id });
    return;
  }
  const groupId = await chrome.tabs.group({ tabIds: tabId, createProperties: { windowId } });
  await chrome.tabGroups.update(groupId, { title: groupTitle(session), color: colour(session) });
}

/** Find the window where a session's group is. @param {string} session */
export async function windowOfGroup(session) {
  const [group] = await chrome.tabGroups.query({ title: groupTitle(session) });
  return group?.windowId;
}

/** @param {chrome.tabs.Tab} tab @returns {Promise<string>} The title of a tab's group; "" for none. */
export async function groupTitleOf(tab) {
  if (tab.groupId === NONE) {
    return "";
  }
  const group = await chrome.tabGroups.get(tab.groupId).catch(() => undefined);
  return group?.title ?? "";
}

/** Take tabs out of the groups we made. @param {number} tabId */
export async function removeFromGroup(tabId) {
  await chrome.tabs.ungroup(tabId).catch(() => undefined);
}

/** @param {string} session */
function colour(session) {
  let sum = 0;
  for (const letter of session) {
    sum = (sum * 31 + letter.charCodeAt(0)) % 997;
  }
  return COLOURS[sum % COLOURS.length];
}
