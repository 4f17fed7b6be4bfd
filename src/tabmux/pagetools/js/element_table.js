// @ts-check
// The elements that were reported, by number. A number stays with its element for good.

/** @type {WeakMap<Element, number>} */
const refs = new WeakMap();
/** @type {Map<number, WeakRef<Element>>} */
const reported = new Map();
let last = 0;

/** @returns {number} the element's number; it gets one if it has none */
tabmux.toolRef = function (/** @type {Element} */ element) {
  const known = refs.get(element);
  if (known !== undefined) return known;
  last += 1;
  refs.set(element, last);
  reported.set(last, new WeakRef(element));
  return last;
};

/** @returns {Element | null} the element of a number, or null when it left the document */
tabmux.toolElement = function (/** @type {number} */ ref) {
  const element = reported.get(ref)?.deref();
  return element && tabmux.dom.isConnected.call(element) ? element : null;
};

/** @returns {number[]} those of the numbers whose elements are gone */
tabmux.toolsGone = (/** @type {number[]} */ wanted) =>
  wanted.filter((ref) => !tabmux.toolElement(ref));

/** @returns {[number, number] | null} epoch and label, as `Element` in Python wants them */
tabmux.toolLabel = function (/** @type {number} */ ref) {
  const element = tabmux.toolElement(ref);
  if (!element) return null;
  const epoch = tabmux.epoch ?? 0;
  tabmux.begin(epoch);
  return [epoch, tabmux.labelOf(element)];
};

/** @returns {number} the number of a node that was handed over, 0 if it was never reported */
tabmux.toolRefOf = (/** @type {Element} */ element) => refs.get(element) ?? 0;

/** @returns {Record<string, number>} the numbers of the forms that declare tools, by their names */
tabmux.toolForms = function () {
  /** @type {Record<string, number>} */
  const forms = Object.create(null);
  for (const form of tabmux.dom.queryDocumentAll.call(document, "form[toolname]")) {
    const name = tabmux.dom.attribute.call(form, "toolname");
    if (name && !(name in forms)) forms[name] = tabmux.toolRef(form);
  }
  return forms;
};
