// @ts-check
/**
 * Tells by what an element can be found again.
 * @param {number} epoch
 * @param {number} label
 */
function describeElement(epoch, label) {
  const element = tabmux.lookUp(epoch, label);
  if (!element) return null;
  const ids = ["data-testid", "data-test-id", "data-test", "data-cy"].map((each) => element.getAttribute(each));
  const steps = [];
  let isWhole = element.getRootNode() === document;
  for (let each = /** @type {Element | null} */ (element); each && isWhole; each = each.parentElement) {
    // An id with numbers in it may be another one in the next document.
    const selector = /^[A-Za-z][\w-]*$/.test(each.id) && !/\d{3}/.test(each.id) ? `#${each.id}` : "";
    if (selector && document.querySelectorAll(selector).length === 1) {
      steps.unshift(selector);
      break;
    }
    const alike = [...each.parentElement?.children ?? [each]].filter((one) => one.localName === each?.localName);
    const place = alike.length > 1 ? `:nth-of-type(${alike.indexOf(each) + 1})` : "";
    steps.unshift(`${CSS.escape(each.localName)}${place}`);
  }
  return {
    role: tabmux.roleOf(element), name: tabmux.nameOf(element),
    testId: ids.find(Boolean) ?? "", css: isWhole ? steps.join(" > ") : "",
  };
}
