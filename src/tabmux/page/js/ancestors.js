// @ts-check
/**
 * What an element and its ancestors are called, itself first, and how its text runs.
 * @this {Element}
 */
function ancestors() {
  const names = [];
  for (let /** @type {Element | null} */ at = this; at; at = tabmux.parentOf(at)) {
    const id = at.id ? `#${at.id}` : "";
    const classes = id ? [] : [...at.classList].slice(0, 2).map((name) => `.${name}`);
    names.push(at.localName + id + classes.join(""));
  }
  const {writingMode, direction} = getComputedStyle(this);
  return {names, writingMode, direction};
}
