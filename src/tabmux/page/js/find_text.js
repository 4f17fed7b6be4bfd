// @ts-check
/** Looks for text that a person could see. */

const RECHECK = 250;

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
 * @returns {string | null} the first of the texts that is visible now
 */
tabmux.findText = function (texts) {
  const all = [...roots(document)];
  for (const text of texts) {
    const needle = plain(text);
    if (all.some((root) => shows(root, needle)) || all.some((root) => says(root, needle))) return text;
  }
  return null;
};

/**
 * Resolves with the first of the texts that becomes visible, or with null after `limit`.
 * @param {string[]} texts
 * @param {number} limit
 * @returns {Promise<string | null>}
 */
tabmux.awaitText = function (texts, limit) {
  const now = tabmux.findText(texts);
  if (now !== null || limit <= 0) return Promise.resolve(now);
  return new Promise((resolve) => {
    let due = false;
    const finish = (/** @type {string | null} */ found) => {
      observer.disconnect();
      clearInterval(timer);
      clearTimeout(end);
      resolve(found);
    };
    const look = () => {
      due = false;
      const found = tabmux.findText(texts);
      if (found !== null) finish(found);
    };
    const soon = () => {
      if (due) return;
      due = true;
      setTimeout(look, 10);
    };
    const observer = new MutationObserver(soon);
    observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
    // Styles, shadow roots and values change without a mutation that we would see.
    const timer = setInterval(look, RECHECK);
    const end = setTimeout(() => finish(tabmux.findText(texts)), limit);
  });
};
