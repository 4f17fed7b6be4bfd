// @ts-check
/**
 * Compares what an editor shows with what it is to hold, and looks again until it does.
 * An editor draws its text where it likes: beside a hidden text area, or only what is in view.
 * @param {number} epoch
 * @param {number} label
 * @param {string} value
 * @param {number} limit milliseconds
 * @param {"start" | "end" | ""} part what it is to show, of a text that is longer than its view
 * @returns {Promise<{shown: string, is: "whole" | "start" | "end" | "part" | "other"} | Gone>}
 */
async function editorText(epoch, label, value, limit, part) {
  const LEAST_WIDTH = 60, LEAST_HEIGHT = 15, PAUSE = 20;

  /** Without what nobody sees, and with spaces that are spaces. */
  function plain(/** @type {string} */ text) {
    return text.replace(/\p{Default_Ignorable_Code_Point}+/gu, "").replace(/\r\n?/g, "\n").replace(/\u00a0/g, " ");
  }
  const bare = (/** @type {string} */ text) => plain(text).replace(/\s+/g, "");
  // Between paragraphs there are empty lines that nobody wrote, and tabs are as wide as one likes.
  const lines = (/** @type {string} */ text) => plain(text).replace(/\t/g, "  ").split("\n")
    .map((line) => line.trimEnd().replace(/(\S) +/g, "$1 ")).filter(Boolean);

  /** @returns {HTMLElement} what shows the text: an editing host itself, or what is around a hidden field */
  function display(/** @type {Element} */ element) {
    let at = element;
    if (!(element instanceof HTMLTextAreaElement) && element.textContent?.trim()) return /** @type {HTMLElement} */ (at);
    if (/** @type {HTMLElement} */ (element).isContentEditable) return /** @type {HTMLElement} */ (at);
    for (let next = tabmux.parentOf(at); next && next !== document.body; next = tabmux.parentOf(next)) {
      at = next;
      const {width, height} = at.getBoundingClientRect();
      if (width >= LEAST_WIDTH && height >= LEAST_HEIGHT) break;
    }
    return /** @type {HTMLElement} */ (at);
  }

  /** The pieces of text in view, in the order in which they are read. */
  function pieces(/** @type {Element} */ around) {
    const walker = document.createTreeWalker(around, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const found = [];
    while (walker.nextNode()) {
      const node = /** @type {Text} */ (walker.currentNode);
      if (!node.parentElement?.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
      range.selectNodeContents(node);
      const box = range.getClientRects()[0];
      if (box && node.data && !(node.parentElement instanceof HTMLTextAreaElement)) found.push({text: node.data, box});
    }
    const height = Math.max(8, ...found.map((each) => each.box.height));
    return found.sort((a, b) =>
      Math.abs(a.box.top - b.box.top) < height / 2 ? a.box.left - b.box.left : a.box.top - b.box.top);
  }

  /** @returns {string[]} what is shown, with the numbers of lines and without */
  function shownAround(/** @type {Element} */ around) {
    const all = pieces(around);
    const isNumber = (/** @type {string} */ text) => /^\s*\d+\s*$/.test(text);
    const first = Math.min(...all.filter((each) => isNumber(each.text)).map((each) => each.box.right));
    const rest = all.filter((each) => !(isNumber(each.text) && each.box.left < first + 8));
    return [rest, all].map((some) => rows(some));
  }

  function rows(/** @type {{text: string, box: DOMRect}[]} */ some) {
    let text = "", top = some[0]?.box.top ?? 0;
    for (const each of some) {
      if (each.box.top - top > each.box.height / 2) text += "\n";
      top = each.box.top;
      text += each.text;
    }
    return text;
  }

  /** @returns {"whole" | "start" | "end" | "part" | "other"} */
  function compared(/** @type {string} */ shown, /** @type {boolean} */ wraps) {
    const given = bare(value), seen = bare(shown);
    if (given === seen) return hasSameLines(shown, wraps) ? "whole" : "other";
    if (!seen || !given.includes(seen)) return "other";
    return given.startsWith(seen) ? "start" : given.endsWith(seen) ? "end" : "part";
  }

  /** Whether lines are neither joined nor indented anew; those that are drawn may be wrapped. */
  function hasSameLines(/** @type {string} */ shown, /** @type {boolean} */ wraps) {
    const given = lines(value), seen = lines(shown);
    if (wraps && seen.length > given.length) return true;
    return given.length === seen.length && given.every((line, n) => line === seen[n]);
  }

  /** What can be edited in an editor: what it shows while it is empty cannot. */
  function writtenIn(/** @type {Element} */ host) {
    const walker = document.createTreeWalker(host, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent?.isContentEditable && !/placeholder/i.test(parent.className)) found.push(walker.currentNode.textContent);
    }
    return found.join("");
  }

  function look(/** @type {Element} */ element) {
    const around = display(element);
    const texts = around === element ? [around.innerText, ...(value ? [] : [writtenIn(around)])] : shownAround(around);
    const found = texts.map((shown) => ({shown, is: compared(shown, around !== element)}));
    return found.find((each) => each.is === "whole") ?? found.find((each) => each.is !== "other") ?? found[0];
  }

  const end = performance.now() + limit;
  // A page that is kept from running gets its turns all the same.
  for (let looks = 0; ; looks += 1) {
    const element = tabmux.controlOf(epoch, label);
    if (!element) return {trouble: "gone"};
    const found = look(element);
    const isThere = part ? found.is === "whole" || found.is === part : found.is !== "other";
    if (isThere || (looks > limit / PAUSE / 2 && performance.now() > end)) return {...found, shown: plain(found.shown).trim()};
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
