// @ts-check
// What custom elements say of themselves where script cannot read it: Chrome's accessibility tree is asked.

const {tag} = tabmux.dom;

/** @typedef {{role: string, name: string, value: string | null, states: States}} Semantics */

/** @type {WeakMap<Element, Semantics>} */
const semantics = new WeakMap();
/** @type {Map<string, boolean>} whether elements of a tag say something of themselves */
const telling = new Map();
let isAny = false;

/** How many elements are asked about at once. */
const MOST = 200;
/** @type {Element[]} */
let unasked = [];
/** @type {Element[]} */
let known = [];
/** @type {WeakSet<Element>} */
const asked = new WeakSet();
/** @type {Set<string>} tags of which one is among the questions */
let sampled = new Set();

tabmux.duringWalks({
  begin: () => {
    unasked = [];
    known = [];
    sampled = new Set();
  },
  enter: () => {},
  end: () => {},
});

/** Notes a custom element that may say of itself what it is: of a tag that is not known, one is enough. */
tabmux.wonderAbout = function (/** @type {Element} */ element, /** @type {string} */ name) {
  const tells = telling.get(name);
  if (tells === false || (tells === undefined && sampled.has(name))) return;
  // Until it is defined it says nothing, which does not mean that its tag never does.
  const list = asked.has(element) ? known : unasked;
  if (list.length >= MOST || !tabmux.isDefined(element)) return;
  sampled.add(name);
  list.push(element);
};

/**
 * @returns {{labels: number[], unasked: number}} what was noted on the last walk: first of all those
 *   that nobody has been asked about, whose number is told
 */
tabmux.questions = () => ({
  labels: [...unasked, ...known].slice(0, MOST).map(tabmux.labelOf), unasked: unasked.length,
});

/** @returns {(Element | null)[]} elements by their labels */
tabmux.lookUpAll = (/** @type {number[]} */ labels) => labels.map(tabmux.elementOf);

/**
 * Takes note of what Chrome says of elements.
 * @param {number[]} labels
 * @param {(Semantics | null)[]} answers null where it says nothing
 * @returns {boolean} whether anything is different now
 */
tabmux.noteSemantics = function (labels, answers) {
  let changed = false;
  labels.forEach((label, i) => {
    const element = tabmux.elementOf(label), answer = answers[i];
    if (!element) return;
    asked.add(element);
    const name = tag.call(element);
    if (!telling.get(name)) {
      telling.set(name, answer !== null);
      changed ||= answer !== null;
    }
    if (answer === null) return;
    changed ||= JSON.stringify(answer) !== JSON.stringify(semantics.get(element));
    semantics.set(element, answer);
    isAny = true;
  });
  return changed;
};

/** @returns {Semantics | undefined} what a custom element says of itself */
tabmux.semanticsOf = (/** @type {Element} */ element) => (isAny ? semantics.get(element) : undefined);
