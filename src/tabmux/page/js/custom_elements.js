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
let questions = [];
/** @type {Set<string>} tags of which one is among the questions */
let sampled = new Set();

tabmux.duringWalks({
  begin: () => {
    questions = [];
    sampled = new Set();
  },
  enter: () => {},
  end: () => {},
});

/** Notes a custom element that may say of itself what it is: of a tag that is not known, one is enough. */
tabmux.wonderAbout = function (/** @type {Element} */ element, /** @type {string} */ name) {
  const known = telling.get(name);
  if (known === false || questions.length >= MOST || (known === undefined && sampled.has(name))) return;
  sampled.add(name);
  questions.push(element);
};

/** @returns {number[]} labels of the elements that were noted on the last walk */
tabmux.questions = () => questions.map(tabmux.labelOf);

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
