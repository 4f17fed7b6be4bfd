// @ts-check
/** What came into sight since a control was about to open something, wherever it is drawn. */

const NO_ROOM = 2;
// What is moved so far out of the page is put away; what is less may have been opened there.
const FAR_OFF = 2000;

/** @returns {(Document | ShadowRoot)[]} the document and all components in it, also those in others */
tabmux.trees = function () {
  const found = /** @type {(Document | ShadowRoot)[]} */ ([document]);
  for (const tree of found) {
    for (const each of tabmux.allIn(tree, "*")) {
      const inner = tabmux.shadowOf(each);
      if (inner) found.push(inner);
    }
  }
  return found;
};

/** @returns {HTMLElement[]} what matches in the whole document */
tabmux.everywhere = (/** @type {string} */ selector) =>
  /** @type {HTMLElement[]} */ (tabmux.trees().flatMap((tree) => [...tabmux.allIn(tree, selector)]));

/** @type {Map<Element, boolean> | null} what has no room for what is in it, for the length of one look */
let looked = null;

const isTiny = (/** @type {Element} */ part) => part.clientWidth < NO_ROOM || part.clientHeight < NO_ROOM;

function cutsOff(/** @type {Element} */ part) {
  const {display, overflow} = getComputedStyle(part);
  return display !== "inline" && display !== "contents" && /hidden|clip|auto|scroll/.test(overflow);
}

/** @returns {boolean} whether it stands in something without room: put away, or for screen readers alone */
function isShutIn(/** @type {Element | null} */ part) {
  if (!part || part === document.body || part === document.documentElement) return false;
  const known = looked?.get(part);
  if (known !== undefined) return known;
  const shut = (isTiny(part) && cutsOff(part)) || isShutIn(tabmux.parentOf(part));
  looked?.set(part, shut);
  return shut;
}

/** Whether somebody could see an element, if need be after scrolling to it. */
tabmux.isInSight = function (/** @type {Element} */ element) {
  if (!element.checkVisibility({visibilityProperty: true, opacityProperty: true})) return false;
  const box = element.getBoundingClientRect();
  if (box.height === 0 || isShutIn(tabmux.parentOf(element))) return false;
  return (box.right + scrollX > -FAR_OFF && box.bottom + scrollY > -FAR_OFF) || isScrolledAway(element);
};

/** Whether it is beyond the edge of something that can be scrolled back. */
function isScrolledAway(/** @type {Element} */ element) {
  for (let at = tabmux.parentOf(element); at; at = tabmux.parentOf(at)) if (at.scrollTop || at.scrollLeft) return true;
  return false;
}

/** Looks at many elements, none of which changes meanwhile. */
tabmux.atOneLook = function (/** @type {() => any} */ look) {
  looked ??= new Map();
  try {
    return look();
  } finally {
    looked = null;
  }
};

/** Note what can be seen before a control opens something, which focus alone may do. */
tabmux.noteSight = function (/** @type {Element} */ control) {
  tabmux.inSight = tabmux.atOneLook(() => new WeakSet(tabmux.everywhere("*").filter(tabmux.isInSight)));
  tabmux.saidBefore = tabmux.wordsAt(control);
};

/** Whether an element came into sight since. */
tabmux.isNew = (/** @type {Element} */ element) =>
  Boolean(tabmux.inSight && !tabmux.inSight.has(element)) && tabmux.isInSight(element);

const CLIMB = 3, MOST_AROUND = 300;

/** What a control says of itself: its name, its texts and those right around it. */
tabmux.wordsAt = function (/** @type {Element} */ control) {
  const words = [tabmux.nameOf(control)];
  let /** @type {Element | null} */ at = control;
  for (let climbed = 0; at && at !== document.body && climbed < CLIMB; at = tabmux.parentOf(at), climbed += 1) {
    if (climbed > 0 && at.getElementsByTagName("*").length > MOST_AROUND) break;
    words.push(/** @type {HTMLElement} */ (at).innerText ?? "", tabmux.shadowOf(at)?.textContent ?? "", heldIn(at));
  }
  return words.map((each) => each.replace(/\s+/g, " ").trim());
};

/** What the fields in a part hold, or the part itself. */
function heldIn(/** @type {Element} */ part) {
  const fields = [...(part instanceof HTMLInputElement ? [part] : []), ...part.querySelectorAll("input")];
  return fields.map((each) => each.type === "password" ? "" : each.value).join(" ");
}

/** Whether an element, or what is around it, was laid over the page since: what is opened is, what only changed is not. */
function isLaidOver(/** @type {Element} */ element) {
  for (let /** @type {Element | null} */ at = element; at && !tabmux.inSight?.has(at); at = tabmux.parentOf(at)) {
    if (/absolute|fixed/.test(getComputedStyle(at).position) || at.matches("dialog,[popover]")) return true;
  }
  return false;
}

/** Of what came into sight, what was laid over the page, if anything was. */
tabmux.foremost = function (found) {
  const over = found.filter(isLaidOver);
  return over.length ? over : found;
};

/** Whether an element could be seen once it has faded in, as what opens may. */
tabmux.isComing = function (element) {
  if (tabmux.isInSight(element)) return true;
  return element.checkVisibility({visibilityProperty: true}) && /** @type {HTMLElement} */ (element).offsetHeight > 0 && isMoving(element);
};

const REST_PAUSE = 20, MOST_MOVING = 800;

/** Whether something moves, fades or unfolds with an element in it. */
function isMoving(/** @type {Element} */ element) {
  return document.getAnimations().some(({effect, playState}) => playState === "running" && effect?.getComputedTiming().iterations !== Infinity &&
    effect instanceof KeyframeEffect && effect.target !== null && tabmux.encloses(effect.target, element));
}

/** Until an element stands still, as what slides in does after a while: a press would miss it. */
tabmux.rested = async function (element) {
  const end = performance.now() + MOST_MOVING;
  while (isMoving(element) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, REST_PAUSE));
};
