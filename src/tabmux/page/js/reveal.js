// @ts-check
/**
 * Scrolls an element into the middle of the view, or the innermost one that shows a text.
 * @param {{epoch: number, label: number, text: string}} what
 * @returns {boolean} whether it is there
 */
function reveal({epoch, label, text}) {
  const element = label ? tabmux.lookUp(epoch, label) : holder(document, plain(text));
  element?.scrollIntoView({block: "center", inline: "nearest", behavior: "instant"});
  return Boolean(element);

  function plain(/** @type {string | null | undefined} */ each) {
    return (each || "").replace(/\p{Default_Ignorable_Code_Point}+/gu, "").replace(/\s+/g, " ").trim();
  }

  /**
   * @param {Tree} root
   * @param {string} needle
   * @returns {Element | null}
   */
  function holder(root, needle) {
    let /** @type {Element | null} */ found = null;
    for (const each of tabmux.allIn(root, "*")) {
      const shadow = tabmux.shadowOf(each);
      const inner = shadow && holder(shadow, needle);
      if (inner) return inner;
      // Elements come before those inside of them, so the last one is the innermost.
      const inside = !found || found.contains(each);
      if (inside && tabmux.isVisible(each) && plain(/** @type {HTMLElement} */ (each).innerText).includes(needle)) {
        found = each;
      }
    }
    return found;
  }
}
