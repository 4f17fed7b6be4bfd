// @ts-check
/**
 * Looks after the fields that a secret was typed into.
 * @param {"standing" | "texts" | "cover" | "uncover"} task
 *   standing: true if one of them still holds something; otherwise what all inputs hold, for a
 *   page may have put another in its place;
 *   texts: all texts of the document beside them, which `cover` then means by their numbers;
 *   cover: paints over the fields and those texts; uncover: takes the paint away.
 * @param {number[]} numbers
 * @param {boolean} pictures whether what the page may have drawn of a secret is hidden as well
 */
function secretFields(task, numbers = [], pictures = false) {
  const PAINT = {
    "background": "#444", "color": "transparent", "-webkit-text-fill-color": "transparent",
    "text-shadow": "none", "caret-color": "transparent", "transition": "none", "animation": "none",
  };
  // A secret is shorter; what is beyond would take long to be searched.
  const LONGEST = 2_000, MOST = 50_000;
  const {dom} = tabmux;
  const fields = [...tabmux.secretFields ?? []].filter((each) => dom.isConnected.call(each));

  /** @returns {Generator<[Element, string]>} */
  function* textsIn(/** @type {Node} */ node) {
    for (let child = dom.firstChild.call(node); child; child = dom.nextSibling.call(child)) {
      if (child instanceof Text) {
        const parent = child.parentElement;
        if (parent && child.data.trim()) yield [parent, child.data];
      } else if (child instanceof Element && !/^(script|style|noscript|template)$/.test(child.localName)) {
        yield* textsOf(child);
      }
    }
  }
  /** @returns {Generator<[Element, string]>} */
  function* textsOf(/** @type {Element} */ element) {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      const shown = element.type !== "password" && !fields.includes(/** @type {HTMLInputElement} */ (element));
      if (shown && element.value) yield [element, element.value];
    }
    const root = tabmux.shadowOf(element);
    if (root) yield* textsIn(root);
    yield* textsIn(element);
  }
  /** @returns {Generator<HTMLInputElement>} */
  function* inputsIn(/** @type {Tree} */ root) {
    for (const element of tabmux.allIn(root, "*")) {
      if (element instanceof HTMLInputElement) yield element;
      const inner = tabmux.shadowOf(element);
      if (inner) yield* inputsIn(inner);
    }
  }
  function heldByInputs() {
    let held = "";
    for (const {value} of inputsIn(document)) {
      if (value) held += `${value.slice(0, LONGEST)}\n`;
      if (held.length > MOST) break;
    }
    return held;
  }
  /** @returns {Generator<HTMLElement>} */
  function* drawnIn(/** @type {Tree} */ root) {
    for (const element of tabmux.allIn(root, "*")) {
      const made = element instanceof HTMLImageElement && /^(data|blob):/.test(element.currentSrc);
      if (made || element instanceof HTMLCanvasElement) yield /** @type {HTMLElement} */ (element);
      const inner = tabmux.shadowOf(element);
      if (inner) yield* drawnIn(inner);
    }
  }
  function cover(/** @type {HTMLElement} */ element, /** @type {Record<string, string>} */ paints) {
    (tabmux.covered ??= []).push([element, dom.attribute.call(element, "style")]);
    for (const [name, paint] of Object.entries(paints)) element.style.setProperty(name, paint, "important");
  }
  function uncover() {
    for (const [element, style] of tabmux.covered ?? []) {
      // Seen in Chromium 156: an attribute that nobody has read is left empty when it is removed.
      dom.attribute.call(element, "style");
      if (style === null) element.removeAttribute("style");
      else element.setAttribute("style", style);
    }
    tabmux.covered = [];
  }

  if (task === "standing") return fields.some((each) => each.value !== "") || heldByInputs();
  if (task === "texts") {
    const found = [...textsIn(document)];
    tabmux.textElements = found.map(([element]) => element);
    return found.map(([, text]) => text);
  }
  uncover();
  if (task === "uncover") return 0;
  const texts = numbers.flatMap((number) => tabmux.textElements?.[number] ?? []);
  for (const element of /** @type {Set<HTMLElement>} */ (new Set([...fields, ...texts]))) {
    cover(element, PAINT);
  }
  if (pictures) for (const element of [...drawnIn(document)]) cover(element, {visibility: "hidden"});
  return tabmux.covered?.length ?? 0;
}
