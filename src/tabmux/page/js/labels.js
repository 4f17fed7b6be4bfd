// @ts-check
// The numbers that snapshots give to elements, stable as long as an epoch lasts.

/** @type {WeakMap<Element, number>} */
let numbers = new WeakMap();
/** @type {(WeakRef<Element> | undefined)[]} by label; there is no label 0 */
let elements = [undefined];
let last = 0;

/** @type {number | undefined} the epoch that labels are given for */
tabmux.epoch = undefined;

/** Starts labelling for an epoch; another epoch forgets every label. */
tabmux.begin = function (/** @type {number} */ epoch) {
  if (epoch === tabmux.epoch) return;
  tabmux.epoch = epoch;
  numbers = new WeakMap();
  elements = [undefined];
  last = 0;
};

/** @returns {number} the element's label; it gets one if it has none */
tabmux.labelOf = function (/** @type {Element} */ element) {
  const known = numbers.get(element);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(element, last);
  elements.push(new WeakRef(element));
  return last;
};

/** @returns {Element | null} the element, or null when it is gone from the document */
tabmux.elementOf = function (/** @type {number} */ label) {
  const element = elements[label]?.deref();
  return element && tabmux.dom.isConnected.call(element) ? element : null;
};

/** @returns {number} the highest label given in this epoch */
tabmux.lastLabel = () => last;
