// @ts-check
/**
 * Describes an element by a selector that means it and no other.
 * @this {Element}
 * @returns {string | null} null where no selector of its document reaches it.
 */
function cssPath() {
  if (this.getRootNode() !== document) {
    return null;
  }
  const steps = [];
  for (let each = /** @type {Element | null} */ (this); each; each = each.parentElement) {
    const siblings = each.parentElement?.children ?? [each];
    steps.unshift(`${CSS.escape(each.localName)}:nth-child(${[...siblings].indexOf(each) + 1})`);
  }
  return steps.join(" > ");
}
