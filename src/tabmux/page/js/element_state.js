// @ts-check
/**
 * What can be waited for of an element.
 * @param {number} epoch
 * @param {number} label
 * @returns {{visible: boolean, enabled: boolean, checked: boolean} | null} null when it is gone
 */
function elementState(epoch, label) {
  const element = tabmux.lookUp(epoch, label);
  if (!element) return null;
  const visible = tabmux.isVisible(element);
  const {checked} = tabmux.statesOf(element);
  return {visible, enabled: visible && !tabmux.isDisabled(element), checked: checked === true};
}
