// @ts-check
// The document as the user sees it: safe access to nodes, the flat tree, adopted frames and roots.

/**
 * A form may hold `<input name=children>` and hide its own property behind it, and so may the
 * document. So nothing here is read off a node: accessors are taken from the prototypes, once.
 * @template {object} T
 * @template {keyof T} K
 * @param {T} prototype
 * @param {K} key
 * @returns {(this: T) => T[K]}
 */
function getter(prototype, key) {
  const found = Object.getOwnPropertyDescriptor(prototype, key);
  return found?.get ?? (() => undefined);
}

/** @typedef {typeof dom} Dom */
const dom = {
  nodeType: getter(Node.prototype, "nodeType"),
  firstChild: getter(Node.prototype, "firstChild"),
  nextSibling: getter(Node.prototype, "nextSibling"),
  parentNode: getter(Node.prototype, "parentNode"),
  isConnected: getter(Node.prototype, "isConnected"),
  textContent: /** @type {(this: Element) => string} */ (getter(Node.prototype, "textContent")),
  getRootNode: Node.prototype.getRootNode,
  contains: Node.prototype.contains,
  hasChildNodes: Node.prototype.hasChildNodes,
  data: getter(CharacterData.prototype, "data"),
  tag: getter(Element.prototype, "localName"),
  firstElement: getter(Element.prototype, "firstElementChild"),
  nextElement: getter(Element.prototype, "nextElementSibling"),
  childCount: getter(Element.prototype, "childElementCount"),
  innerText: getter(HTMLElement.prototype, "innerText"),
  namespace: getter(Element.prototype, "namespaceURI"),
  shadowRoot: getter(Element.prototype, "shadowRoot"),
  assignedSlot: getter(Element.prototype, "assignedSlot"),
  attribute: Element.prototype.getAttribute,
  hasAttribute: Element.prototype.hasAttribute,
  attributeNames: Element.prototype.getAttributeNames,
  matches: Element.prototype.matches,
  closest: Element.prototype.closest,
  query: Element.prototype.querySelector,
  queryAll: Element.prototype.querySelectorAll,
  elementsByTag: Element.prototype.getElementsByTagName,
  checkVisibility: Element.prototype.checkVisibility,
  box: Element.prototype.getBoundingClientRect,
  assignedNodes: HTMLSlotElement.prototype.assignedNodes,
  host: getter(ShadowRoot.prototype, "host"),
  queryDocument: Document.prototype.querySelector,
  queryDocumentAll: Document.prototype.querySelectorAll,
  queryFragment: DocumentFragment.prototype.querySelector,
  queryFragmentAll: DocumentFragment.prototype.querySelectorAll,
  elementFromPoint: Document.prototype.elementFromPoint,
  elementById: Document.prototype.getElementById,
  elementByIdInFragment: DocumentFragment.prototype.getElementById,
  documentElement: getter(Document.prototype, "documentElement"),
  body: getter(Document.prototype, "body"),
  title: getter(Document.prototype, "title"),
  url: getter(Document.prototype, "URL"),
  baseUrl: getter(Node.prototype, "baseURI"),
  activeElement: getter(Document.prototype, "activeElement"),
  animations: Document.prototype.getAnimations,
  styleSheets: getter(Document.prototype, "styleSheets"),
  adoptedSheets: getter(Document.prototype, "adoptedStyleSheets"),
  activeElementInShadow: getter(ShadowRoot.prototype, "activeElement"),
};
tabmux.dom = dom;

const {
  firstChild, nextSibling, hasChildNodes, parentNode, tag, shadowRoot, assignedSlot, assignedNodes,
} = dom;

/** @type {WeakMap<Element, string>} */
const frames = new WeakMap();
/** @type {WeakMap<Element, ShadowRoot>} */
const closedRoots = new WeakMap();
/** @type {WeakMap<Element, boolean>} whether a component was defined when it was looked into */
const examined = new WeakMap();
let hasClosedRoots = false;

/** Says which frame an <iframe>, <frame> or <object> holds. */
tabmux.adoptFrame = function (/** @type {Element} */ element, /** @type {string} */ frameId) {
  frames.set(element, frameId);
};

/** Hands over a closed shadow root, from then on walked like an open one. */
tabmux.adoptShadow = function (/** @type {Element} */ host, /** @type {ShadowRoot} */ root) {
  closedRoots.set(host, root);
  examined.set(host, true);
  hasClosedRoots = true;
};

/** Notes that a labelled element was searched for a closed shadow root. */
tabmux.examined = function (/** @type {number} */ label) {
  const element = tabmux.elementOf(label);
  if (element) examined.set(element, tabmux.isDefined(element));
};

/** @returns {boolean} whether its definition has come, by which a component makes itself what it is */
tabmux.isDefined = (/** @type {Element} */ element) => dom.matches.call(element, ":defined");

/** @type {WeakSet<Element>} */
const listening = new WeakSet();
let hasListening = false;

/**
 * Notes elements that listen to what a user does.
 * @param {Node[]} nodes
 * @returns {number} how many of them are shown otherwise than before
 */
tabmux.noteListening = function (nodes) {
  let count = 0;
  for (const node of nodes) {
    if (!(node instanceof Element) || listening.has(node)) continue;
    if (node === dom.documentElement.call(document) || node === dom.body.call(document)) continue;
    if (tabmux.isUsable(node, dom.tag.call(node), dom.attributeNames.call(node))) continue;
    listening.add(node);
    count += 1;
  }
  hasListening ||= count > 0;
  return count;
};

/** What holds more than so many elements listens on behalf of those. */
const MOST_HELD = 40;

/** @returns {boolean} whether an element listens for itself to what a user does */
tabmux.listens = function (/** @type {Element} */ element) {
  return hasListening && listening.has(element) && dom.elementsByTag.call(element, "*").length <= MOST_HELD;
};

/** Elements that may be given a shadow root, besides custom ones. */
const HOSTS = new Set((
  "article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span"
).split(" "));

/**
 * Whether an element may hide a closed shadow root that no one has looked for yet.
 * @param {Element} element
 * @param {string} name its tag
 * @returns {boolean}
 */
tabmux.mayHideRoot = function (element, name) {
  const custom = name.includes("-");
  if (!custom && (!HOSTS.has(name) || hasChildNodes.call(element))) return false;
  if (tabmux.shadowOf(element)) return false;
  const before = examined.get(element);
  if (before || (before === false && !tabmux.isDefined(element))) return false;
  return custom || isFilled(/** @type {HTMLElement} */ (element));
};

/** Whether something without children takes up room that its style does not give it. */
function isFilled(/** @type {HTMLElement} */ element) {
  if (!element.offsetWidth || !element.offsetHeight) return false;
  const style = getComputedStyle(element);
  if (style.display === "inline") return element.offsetWidth > edges(style, "Left", "Right");
  if (style.position === "absolute" || style.position === "fixed") return false;
  const declared = element.computedStyleMap();
  const free = ["height", "min-height", "aspect-ratio"]
    .every((key) => /^(auto|0px|none)$/.test(String(declared.get(key))));
  return free && element.offsetHeight > edges(style, "Top", "Bottom");
}

/**
 * @param {CSSStyleDeclaration} style
 * @param {"Left" | "Top"} start
 * @param {"Right" | "Bottom"} end
 */
function edges(style, start, end) {
  return /** @type {const} */ ([`padding${start}`, `padding${end}`, `border${start}Width`, `border${end}Width`])
    .reduce((sum, key) => sum + (parseFloat(style[key]) || 0), 0);
}

/** @returns {string} the frame that was adopted for this element, or "" */
tabmux.frameOf = (/** @type {Element} */ element) => frames.get(element) ?? "";

/** @returns {ShadowRoot | null} */
tabmux.shadowOf = function (/** @type {Element} */ element) {
  return shadowRoot.call(element) ?? (hasClosedRoots ? (closedRoots.get(element) ?? null) : null);
};

/**
 * The nodes that are rendered inside an element: of its shadow tree, of a slot, or its own.
 * @param {Element} element
 * @returns {Node[]}
 */
tabmux.childrenOf = function (element) {
  const root = tabmux.shadowOf(element);
  if (!root && tag.call(element) === "slot") {
    const assigned = assignedNodes.call(element);
    if (assigned.length) return assigned;
  }
  const children = [];
  for (let node = firstChild.call(root ?? element); node; node = nextSibling.call(node)) {
    children.push(node);
  }
  return children;
};

/**
 * The element around this one in the flat tree.
 * @param {Element} element
 * @returns {Element | null}
 */
tabmux.parentOf = function (element) {
  const slot = assignedSlot.call(element) ?? closedSlotOf(element);
  if (slot) return slot;
  const parent = parentNode.call(element);
  if (parent instanceof ShadowRoot) return dom.host.call(parent);
  return parent instanceof Element ? parent : null;
};

/** A closed root does not tell which slot a node was assigned to. */
function closedSlotOf(/** @type {Element} */ element) {
  if (!hasClosedRoots) return null;
  const parent = parentNode.call(element);
  const root = parent instanceof Element ? closedRoots.get(parent) : null;
  if (!root) return null;
  for (const slot of dom.queryFragmentAll.call(root, "slot")) {
    if (assignedNodes.call(slot).includes(element)) return slot;
  }
  return null;
}

/**
 * The elements an attribute such as aria-labelledby points to, in the element's own tree.
 * @param {Element} element
 * @param {string} attribute
 * @returns {Element[]}
 */
tabmux.referencesOf = function (element, attribute) {
  const value = dom.attribute.call(element, attribute);
  if (value === null) return [];
  /** @type {Element[]} */
  const found = [];
  const root = dom.getRootNode.call(element);
  for (const id of value.split(/\s+/)) {
    const target = id && elementById(root, id);
    if (target && !found.includes(target)) found.push(target);
  }
  return found;
};

function elementById(/** @type {Node} */ root, /** @type {string} */ id) {
  if (root instanceof Document) return dom.elementById.call(root, id);
  if (root instanceof DocumentFragment) return dom.elementByIdInFragment.call(root, id);
  return null;
}

/** The element that has the focus, looked for inside shadow trees too. */
tabmux.activeElement = function () {
  let active = dom.activeElement.call(document);
  for (let root = active && tabmux.shadowOf(active); root; root = tabmux.shadowOf(active)) {
    const inner = dom.activeElementInShadow.call(root);
    if (!inner) break;
    active = inner;
  }
  return active;
};

/**
 * What is found out once and kept during one walk of the tree, when nothing changes.
 * @typedef {object} Memory
 * @property {() => void} begin
 * @property {(root: Document | ShadowRoot) => void} enter called for every tree that is met
 * @property {() => void} end
 */

/** @type {Memory[]} */
const memories = [];
/** @type {Set<Node> | null} the trees met on this walk */
let entered = null;

/** Lets a file keep things for the length of a walk. */
tabmux.duringWalks = (/** @type {Memory} */ memory) => { memories.push(memory); };

tabmux.beginWalk = function () {
  entered = new Set();
  for (const memory of memories) memory.begin();
  tabmux.enter(document);
};

/** Takes note of a tree: the document or a shadow root, a world of ids and styles of its own. */
tabmux.enter = function (/** @type {Document | ShadowRoot} */ root) {
  if (!entered || entered.has(root)) return;
  entered.add(root);
  if (root !== document && !met.has(root)) meet(root);
  for (const memory of memories) memory.enter(root);
};

/** @type {WeakSet<Node>} the components that were ever met */
const met = new WeakSet();
/** @type {WeakRef<Node>[]} the same, for observers that come later */
const known = [];
/** @type {[MutationObserver, MutationObserverInit][]} */
const observers = [];

function meet(/** @type {Node} */ root) {
  met.add(root);
  known.push(new WeakRef(root));
  for (const [observer, what] of observers) observer.observe(root, what);
}

/** Lets an observer see the document, and what is inside of components once they are met. */
tabmux.observeTrees = function (/** @type {MutationObserver} */ observer, /** @type {MutationObserverInit} */ what) {
  observers.push([observer, what]);
  observer.observe(document, what);
  for (const each of known) {
    const root = each.deref();
    if (root) observer.observe(root, what);
  }
};

tabmux.endWalk = function () {
  entered = null;
  for (const memory of memories) memory.end();
};

/** @returns {Iterable<Element>} the elements of one tree that match */
tabmux.allIn = function (/** @type {Document | ShadowRoot} */ root, /** @type {string} */ selector) {
  const all = root instanceof Document ? dom.queryDocumentAll : dom.queryFragmentAll;
  return all.call(root, selector);
};

/** @type {Map<Element, Element> | null} who owns whom by aria-owns */
let owners = null;

tabmux.duringWalks({
  begin: () => { owners = new Map(); },
  enter: collectOwners,
  end: () => { owners = null; },
});

function collectOwners(/** @type {Node} */ root) {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  for (const owner of tabmux.allIn(root, "[aria-owns]")) {
    // What nobody sees claims nothing, or else what it claims would not be seen either.
    if (CHILDLESS.has(tag.call(owner)) || !tabmux.isVisible(owner)) continue;
    for (const owned of tabmux.referencesOf(owner, "aria-owns")) {
      if (!owners?.has(owned) && !isAround(owned, owner)) owners?.set(owned, owner);
    }
  }
}

/** Elements that hold nothing, whatever they claim. */
const CHILDLESS = new Set("input textarea select img iframe frame object embed video audio progress meter".split(" "));

/** Whether an element is around another, by its place or because it was claimed. */
function isAround(/** @type {Element} */ element, /** @type {Element} */ inner) {
  for (let /** @type {Element | null} */ at = inner; at; at = owners?.get(at) ?? tabmux.parentOf(at)) {
    if (at === element) return true;
  }
  return false;
}

/** @returns {Element | null} who claims the element by aria-owns */
tabmux.claimerOf = function (/** @type {Element} */ element) {
  if (owners) return owners.size ? (owners.get(element) ?? null) : null;
  owners = new Map();
  collectOwners(dom.getRootNode.call(element));
  const found = owners.get(element) ?? null;
  owners = null;
  return found;
};

/** @returns {Element | null} the parent that assistive technology sees */
tabmux.ownerOf = (/** @type {Element} */ element) =>
  tabmux.claimerOf(element) ?? tabmux.parentOf(element);

/** @returns {Element[]} what an element claims by aria-owns */
tabmux.ownedBy = function (/** @type {Element} */ element) {
  if (!dom.hasAttribute.call(element, "aria-owns")) return [];
  return tabmux.referencesOf(element, "aria-owns")
    .filter((/** @type {Element} */ owned) => tabmux.claimerOf(owned) === element);
};
