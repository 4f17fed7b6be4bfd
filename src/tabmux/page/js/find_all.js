// @ts-check
/**
 * Finds the elements of all trees that match, and leaves them in `tabmux.found`.
 * @param {string} selector
 * @returns {string[] | null} how each would be called in an error; null when it is no selector
 */
function findAll(selector) {
  /** @type {Element[]} */
  const found = [];
  /** @param {Tree} root */
  const search = (root) => {
    found.push(...tabmux.allIn(root, selector));
    for (const element of tabmux.allIn(root, "*")) {
      const shadow = tabmux.shadowOf(element);
      if (shadow) search(shadow);
    }
  };
  try {
    search(document);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
  tabmux.found = found;
  return found.map((element) => tabmux.nameFor(element));
}
