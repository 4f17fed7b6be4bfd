// @ts-check
/**
 * Finds elements by their paths and leaves them in `tabmux.found`.
 * @param {string[]} paths the place among its siblings and the name of each node from the
 *   document down, as Lighthouse writes them: "1,HTML,1,BODY,0,DIV"; "a" is a shadow root
 */
function findElements(paths) {
  const isBlank = (/** @type {Node} */ node) =>
    node.nodeType === Node.TEXT_NODE && !(node.nodeValue || "").trim();

  function child(/** @type {Node} */ node, /** @type {string} */ place) {
    if (place === "a") return /** @type {Element} */ (node).shadowRoot;
    return [...node.childNodes].filter((each) => !isBlank(each))[Number(place)];
  }

  function find(/** @type {string[]} */ steps) {
    /** @type {Node | null | undefined} */
    let node = document;
    for (let i = 0; i < steps.length; i += 2) {
      node = child(node, steps[i]);
      if (!node || node.nodeName !== steps[i + 1]) return null;
    }
    return node instanceof Element ? node : null;
  }

  tabmux.found = paths.map((path) => find(path.split(",")));
}
