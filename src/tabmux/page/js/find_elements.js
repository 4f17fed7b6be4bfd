// @ts-check
/**
 * Finds elements by their selectors and leaves them in `tabmux.found`.
 * @param {string[]} selectors
 */
function findElements(selectors) {
  tabmux.found = selectors.map((selector) => {
    try {
      return document.querySelector(selector);
    } catch {
      return null;
    }
  });
}
