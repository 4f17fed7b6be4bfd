// @ts-check
// Text that a style sheet adds before and after an element's own.

/**
 * @param {Element} element
 * @param {"::before" | "::after"} which
 * @returns {string}
 */
tabmux.generatedText = function (element, which) {
  return "";
};
