// @ts-check
/**
 * Any value as JSON; what JSON cannot say becomes text.
 * @param {unknown} value
 */
function serialize(value) {
  /** @type {{item: object, shown: unknown}[]} */
  const path = [];
  // Workers have no documents.
  const hasNodes = typeof Node === "function";
  function simpler(/** @type {object} */ item) {
    if (hasNodes && item instanceof Element) return item.outerHTML.slice(0, 300);
    if (hasNodes && item instanceof Node) return item.nodeName;
    if (hasNodes && (item instanceof NodeList || item instanceof HTMLCollection)) return [...item];
    if (item instanceof Map) return Object.fromEntries(item);
    if (item instanceof Set) return [...item];
    if (item instanceof Error) return `${item.name}: ${item.message}`;
    return item;
  }
  /**
   * @this {unknown}
   * @param {string} _key
   * @param {unknown} item
   */
  function replace(_key, item) {
    while (path.length && path[path.length - 1].shown !== this) path.pop();
    if (typeof item === "bigint") return `${item}n`;
    if (typeof item === "function") return `[function ${item.name || "anonymous"}]`;
    if (typeof item === "symbol") return item.toString();
    if (typeof item !== "object" || item === null) return item;
    if (path.some((step) => step.item === item)) return "[circular]";
    const shown = simpler(item);
    path.push({item, shown});
    return shown;
  }
  if (value === undefined) return "undefined";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return JSON.stringify(value, replace) ?? "undefined";
}
