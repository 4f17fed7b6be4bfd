// @ts-check
// Finds what a person would mean by the words that stand on it.

const {dom} = tabmux;
const LINKS = "a[href], area[href], [role=link]";
const PRESSED = 'a[href], a[onclick], area[href], button, input:not([type="hidden"]), summary, label, option, select, ' +
  "[role=button], [role=link], [role=tab], [role=checkbox], [role=radio], [role=switch], [role=option], " +
  "[role^=menuitem], [role=treeitem], [role=gridcell], [role=row], [role=combobox], [onclick], [tabindex]";
const FILLED = 'input:not([type="hidden"], [type="submit"], [type="button"]), select, textarea, ' +
  '[contenteditable=""], [contenteditable="true"], [role="textbox"], [role="combobox"]';
/** What shows more of itself when it is pointed at or pressed. */
const FOLDING = "li, details, [aria-haspopup], [aria-expanded], [class*=menu], [class*=dropdown], [class*=tree], [class*=accordion]";
const MOST = 10;
const LONGEST = 200;

function plain(/** @type {string | null | undefined} */ text) {
  return (text ?? "").replace(/\s+/g, " ").trim().toLowerCase();
}

/** @returns {string[]} everything that an element may be called */
function called(/** @type {Field} */ element) {
  const pressed = element.type === "submit" || element.type === "button";
  const whole = dom.textContent.call(element) ?? "";
  // What is drawn in SVG has no innerText.
  const text = whole.length > LONGEST * 4 ? "" : element.innerText ?? whole;
  const nearby = element.matches(FILLED) ? tabmux.factNearby(element) : "";
  return [tabmux.nameOf(element), text, element.placeholder, dom.attribute.call(element, "title"),
    nearby, element.name, pressed ? element.value : ""].map((each) => plain(each).replace(/\s*[:*]+$/, ""));
}

/** @returns {Element[]} the elements that hold these very words, and are no control */
function holders(/** @type {string} */ wanted) {
  const root = tabmux.factModal() ?? document.body;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (walker.nextNode() && found.size < MOST) {
    if (plain(walker.currentNode.nodeValue) === wanted) found.add(walker.currentNode.parentElement);
  }
  // A text may speak of what can be pressed; what says so itself is meant, though it is just growing.
  const pressed = [...found].filter((element) => getComputedStyle(element).cursor === "pointer" && isDrawn(element));
  return pressed.length ? pressed : [...found].filter((element) => tabmux.factShown(element));
}

/** @returns {boolean} whether there is anything of an element, however small */
function isDrawn(/** @type {Element} */ element) {
  const {width, height} = dom.box.call(element);
  return width > 0 && height > 0 && dom.checkVisibility.call(element, {visibilityProperty: true});
}

/** @returns {Element[]} one of those that lead to the same place */
function distinct(/** @type {Element[]} */ elements) {
  const seen = new Set();
  return elements.filter((element) => {
    const href = element instanceof HTMLAnchorElement ? element.href : "";
    if (!href || href.endsWith("#") || href.startsWith("javascript:")) return true;
    return !seen.has(href) && seen.add(href);
  });
}

/**
 * The elements that are called so: those of just these words, else those that begin with them or have them.
 * @param {string} words
 * @param {"press" | "open" | "fill"} purpose
 * @returns {[number, string][]} each one's number and name
 */
tabmux.toolNamed = function (words, purpose) {
  const wanted = plain(words).replace(/\s*[:*]+$/, "") || plain(words);
  const selector = {fill: FILLED, open: LINKS, press: PRESSED}[purpose];
  const all = [...(tabmux.factModal() ?? document).querySelectorAll(selector)]
    .filter((element) => tabmux.toolShown(tabmux.toolRef(element)) && !(purpose === "fill" && tabmux.factTrap(element)));
  const names = new Map(all.map((element) => [element, called(element)]));
  const having = (/** @type {(name: string) => boolean} */ test) =>
    all.filter((element) => names.get(element)?.some((name) => name && test(name)));
  let found = having((name) => name === wanted);
  if (!found.length && purpose === "press") found = holders(wanted);
  if (!found.length) found = having((name) => name.startsWith(wanted));
  if (!found.length) found = having((name) => name.includes(wanted));
  // The innermost is what one would click; what is around it says the same.
  const inner = found.filter((element) => !found.some((other) =>
    other !== element && dom.contains.call(element, other)));
  return distinct(inner).slice(0, MOST).map((element) =>
    [tabmux.toolRef(element), called(element).find(Boolean)?.slice(0, 60) ?? ""]);
};

/**
 * What a person would point at to see something that is hidden now: what shows and is closest around it.
 * @param {string} words
 * @returns {number} its number, 0 for none
 */
tabmux.toolAround = function (words) {
  const wanted = plain(words);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (plain(walker.currentNode.nodeValue) !== wanted) continue;
    let at = walker.currentNode.parentElement;
    if (!at || tabmux.factShown(at)) continue;
    while (at && at !== document.body && !tabmux.factShown(at)) at = at.parentElement;
    if (at && at.matches(FOLDING)) return tabmux.toolRef(at);
  }
  return 0;
};
