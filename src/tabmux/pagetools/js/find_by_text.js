// @ts-check
// Finds what a person would mean by the words that stand on it.

const {dom} = tabmux;
const PRESSED = 'a[href], button, input:not([type="hidden"]), summary, label, option, [role], ' +
  "[onclick], [tabindex]";
const FILLED = 'input:not([type="hidden"], [type="submit"], [type="button"]), select, textarea, ' +
  '[contenteditable=""], [contenteditable="true"], [role="textbox"], [role="combobox"]';

function plain(/** @type {string | null | undefined} */ text) {
  return (text ?? "").replace(/\s+/g, " ").trim().toLowerCase();
}

function called(/** @type {Field} */ element) {
  return [tabmux.nameOf(element), element.innerText, element.placeholder, element.name,
    element.type === "submit" || element.type === "button" ? element.value : ""].map(plain);
}

/**
 * The elements that are called so: those of just these words, else those that have them.
 * @param {string} words
 * @param {"press" | "fill"} purpose
 * @returns {[number, string][]} each one's number and name
 */
tabmux.toolNamed = function (words, purpose) {
  const wanted = plain(words);
  const all = [...document.querySelectorAll(purpose === "fill" ? FILLED : PRESSED)]
    .filter((element) => tabmux.toolShown(tabmux.toolRef(element)));
  const exact = all.filter((element) => called(element).includes(wanted));
  const found = exact.length > 0 ? exact
    : all.filter((element) => called(element).some((name) => name.includes(wanted)));
  // The innermost is what one would click; what is around it says the same.
  const inner = found.filter((element) => !found.some((other) =>
    other !== element && dom.contains.call(element, other)));
  return inner.slice(0, 10).map((element) =>
    [tabmux.toolRef(element), called(element).find(Boolean)?.slice(0, 60) ?? ""]);
};
