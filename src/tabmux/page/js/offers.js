// @ts-check
/** What a page offers below a field that nothing calls a combobox, while a text is put into it. */

/** @typedef {{field: number, label: number, known: string[]}} Offers */

/** @type {{field: HTMLInputElement, label: number, fresh: Set<Element>} | null} */
let awaited = null;
const MOST_FRESH = 300, MOST_INSIDE = 2000, MOST_NAMED = 10, LONGEST = 120, EDGE = 4;
const PARTS = "li,a,div,span,button,td,p,[role=option]";
const REVEALS = new Set(["class", "style", "hidden", "open", "aria-hidden", "data-state"]);

/** Starts to watch for what is offered to a field; to the same one again it goes on. */
tabmux.awaitOffers = function (field, label) {
  if (awaited?.field !== field) awaited = {field, label, fresh: new Set()};
};

tabmux.forgetOffers = () => { awaited = null; };

/** Takes note of what has come, or has changed how it looks. */
tabmux.noteFresh = function (records) {
  const fresh = awaited?.fresh;
  if (!fresh) return;
  for (const {type, target, attributeName, addedNodes} of records) {
    if (fresh.size > MOST_FRESH) return;
    if (type === "attributes" && REVEALS.has(attributeName ?? "") && target instanceof Element) fresh.add(target);
    for (const node of addedNodes) if (node instanceof Element) fresh.add(node);
  }
};

const plain = (/** @type {string | null} */ text) => (text ?? "").replace(/\s+/g, " ").trim();

/** @returns {Offers | null} what is offered for what the field holds now: the same text, or texts with it */
tabmux.offers = function () {
  if (!awaited?.fresh.size || !awaited.field.isConnected) return null;
  const {field, label} = awaited, text = plain(field.value).toLowerCase();
  if (!text) return null;
  const items = tabmux.atOneLook(() => [...awaited?.fresh ?? []].flatMap((part) => itemsIn(part, field)));
  const same = items.find((each) => plain(each.textContent).toLowerCase() === text);
  if (same) return {field: label, label: tabmux.labelOf(same), known: []};
  const lines = items.filter((each) => !holdsLines(each, items));
  const known = [...new Set(lines.map((each) => plain(each.innerText)))].filter((each) => each.toLowerCase().includes(text));
  return known.length ? {field: label, label: 0, known: known.slice(0, MOST_NAMED)} : null;
};

/** Whether a part is all of the list rather than a line of it. */
function holdsLines(/** @type {HTMLElement} */ part, /** @type {HTMLElement[]} */ items) {
  const tops = items.filter((each) => each !== part && part.contains(each)).map((each) => each.getBoundingClientRect().top);
  return tops.some((each) => Math.abs(each - tops[0]) > EDGE);
}

/** @returns {HTMLElement[]} what may be chosen in a part that floats above or below a field */
function itemsIn(/** @type {Element} */ part, /** @type {Element} */ field) {
  if (!part.isConnected || part.getElementsByTagName("*").length > MOST_INSIDE) return [];
  const all = /** @type {HTMLElement[]} */ ([...(part.matches(PARTS) ? [part] : []), ...part.querySelectorAll(PARTS)]);
  return all.filter((each) => isItem(each) && !each.contains(field) && tabmux.isComing(each) && isBeside(each, field) && floats(each, field));
}

function isItem(/** @type {HTMLElement} */ each) {
  const length = each.textContent?.length ?? 0;
  if (!length || length > LONGEST || each.closest("label") || each.childElementCount > 3) return false;
  const link = each.closest("a[href]");
  return !link || /^#|^javascript:/.test(link.getAttribute("href") ?? "#");
}

/** Whether it stands over or under the field, and not upon it as what only mirrors its text. */
function isBeside(/** @type {Element} */ each, /** @type {Element} */ field) {
  const own = each.getBoundingClientRect(), box = field.getBoundingClientRect();
  const middle = (own.top + own.bottom) / 2;
  // What is unfolding stands at the edge of the field as long as it has no height.
  return own.left < box.right && own.right > box.left && (middle > box.bottom - EDGE || middle < box.top + EDGE);
}

/** Whether it was laid over the page, as lists of suggestions are, and what a page just shows is not. */
function floats(/** @type {Element} */ each, /** @type {Element} */ field) {
  for (let /** @type {Element | null} */ at = each; at && !at.contains(field); at = tabmux.parentOf(at)) {
    if (/absolute|fixed/.test(getComputedStyle(at).position)) return true;
  }
  return false;
}
