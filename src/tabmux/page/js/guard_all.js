// @ts-check
/**
 * Holds back the next press in this document: it is aimed at another one.
 * @param {number} presses how many are still to be released
 */
function guardAll(presses) {
  tabmux.guard(() => false, presses);
}
