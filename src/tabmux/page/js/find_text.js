// @ts-check
/** Looks for text that a person could see. */

/**
 * Every root of the flat tree: the document and the shadow roots in it.
 * @param {Tree} root
 * @returns {Generator<Tree>}
 */
function* roots(root) {
  yield root;
  for (const element of root.querySelectorAll("*")) {
    const shadow = tabmux.shadowOf ? tabmux.shadowOf(element) : element.shadowRoot;
    if (shadow) yield* roots(shadow);
  }
}

function plain(/** @type {string | null | undefined} */ text) {
  return (text || "").replace(/\p{Default_Ignorable_Code_Point}+/gu, "").replace(/\s+/g, " ").trim();
}

/** Text that stands in a shadow root without an element around it. */
function bare(/** @type {ShadowRoot} */ root) {
  if (!root.host.checkVisibility({visibilityProperty: true})) return "";
  const nodes = [...root.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
  return plain(nodes.map((node) => node.nodeValue).join(" "));
}

function shows(/** @type {Document | ShadowRoot} */ root, /** @type {string} */ text) {
  if (root instanceof ShadowRoot && bare(root).includes(text)) return true;
  const tops = root instanceof Document ? [root.body] : [...root.children];
  return tops.some((top) => top && top.checkVisibility?.({visibilityProperty: true}) !== false &&
    plain(/** @type {HTMLElement} */ (top).innerText).includes(text));
}

/** Values and names count as text too, where their element can be seen. */
function says(/** @type {Document | ShadowRoot} */ root, /** @type {string} */ text) {
  for (const element of root.querySelectorAll("input, textarea, select, [aria-label], [alt], [title]")) {
    const field = /** @type {HTMLInputElement} */ (element);
    const value = field.type === "password" || typeof field.value !== "string" ? "" : field.value;
    const words = [value, ...["aria-label", "alt", "title"].map((name) => element.getAttribute(name))];
    if (words.some((word) => plain(word).includes(text)) &&
        element.checkVisibility({visibilityProperty: true})) return true;
  }
  return false;
}

/**
 * @param {string[]} texts
 * @returns {string[]} those of the texts that are visible now
 */
tabmux.shownTexts = function (texts) {
  const all = [...roots(document)];
  return texts.filter((text) => {
    const needle = plain(text);
    return all.some((root) => shows(root, needle)) || all.some((root) => says(root, needle));
  });
};
