// @ts-check
/**
 * Reads or changes what a document's origin has stored.
 * @param {"local" | "session"} kind
 * @param {"entries" | "get" | "set" | "remove" | "clear"} action
 * @param {string} [key]
 * @param {string} [value]
 */
function storage(kind, action, key = "", value = "") {
  let store;
  try {
    store = kind === "local" ? localStorage : sessionStorage;
  } catch (error) {
    return {trouble: /** @type {DOMException} */ (error).name};
  }
  const before = action === "entries" || action === "clear" ? null : store.getItem(key);
  try {
    if (action === "set") store.setItem(key, value);
  } catch (error) {
    return {trouble: /** @type {DOMException} */ (error).name};
  }
  if (action === "remove") store.removeItem(key);
  const entries = action === "entries" ? Object.entries(store) : [];
  const count = store.length;
  if (action === "clear") store.clear();
  return {origin: location.origin, before, entries, count};
}
