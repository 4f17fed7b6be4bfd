// @ts-check
/** Lets a press of the mouse through only where it was aimed, however the page has changed since. */

// When a press that was aimed has not come, none will.
const PATIENCE = 30_000;

/**
 * @typedef {object} Verdict
 * @property {string} cover the name of what was hit instead, and has not heard of it; or ""
 * @property {boolean} elsewhere whether the press went to another document
 */

/**
 * @typedef {object} Guard
 * @property {(hit: Node | null, event: MouseEvent) => boolean} accepts
 * @property {number} presses how many are still to be released
 * @property {number} since
 * @property {boolean} isLifted
 * @property {Verdict | null} verdict
 * @property {((verdict: Verdict) => void) | null} tell
 */

/** @type {Guard | null} */
let guard = null;

/** Judges the next press in this document, before the page hears of it. */
tabmux.guard = function (
  /** @type {Guard["accepts"]} */ accepts, /** @type {number} */ presses = 1,
) {
  listenAnew();
  guard = {accepts, presses, since: performance.now(), isLifted: false, verdict: null, tell: null};
};

/** Holds nothing back any more: the press that was aimed will not come. */
tabmux.liftGuard = function () {
  if (guard) guard.isLifted = true;
};

/**
 * What became of the press that is guarded.
 * @param {boolean} isOver whether it has been handled, be it in another document
 * @returns {Promise<Verdict>} once it has come, unless it is over
 */
tabmux.landed = async function (isOver) {
  const own = guard;
  if (!own) return {cover: "", elsewhere: false};
  if (own.verdict) return own.verdict;
  if (!isOver) return new Promise((resolve) => { own.tell = resolve; });
  own.isLifted = true;
  return {cover: "", elsewhere: true};
};

function judge(/** @type {Guard} */ own, /** @type {MouseEvent} */ event) {
  const [target] = event.composedPath();
  // A closed shadow tree is left out of the path.
  const node = target instanceof Element && !tabmux.shadowOf(target)
    ? target : tabmux.hitAt(event.clientX, event.clientY);
  own.verdict = {cover: own.accepts(node, event) ? "" : nameOf(node), elsewhere: false};
  own.isLifted = !own.verdict.cover;
  own.tell?.(own.verdict);
}

function nameOf(/** @type {Node | null} */ node) {
  const element = node instanceof Element ? node : node?.parentElement;
  return element ? tabmux.nameInWay(element) : "something";
}

function listen(/** @type {Event} */ event) {
  const own = guard;
  if (!own || own.isLifted || !event.isTrusted || !(event instanceof MouseEvent)) return;
  if (event.type === "pointerdown" && !own.verdict) {
    if (performance.now() - own.since < PATIENCE) judge(own, event);
    else own.isLifted = true;
  }
  if (own.isLifted || !own.verdict) return;
  event.stopImmediatePropagation();
  // Without its default action a pointerdown would keep the mousedown from us, but not the focus.
  if (event.type !== "pointerdown") event.preventDefault();
  // The click follows in the same task as the release.
  if (event.type === "pointerup" && --own.presses === 0) setTimeout(() => { own.isLifted = true; });
}

const TYPES = [
  "pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick",
  "contextmenu", "dragstart",
];

/** Chromium 156 takes all listeners away where a page writes its document anew, by document.open(). */
function listenAnew() {
  for (const type of TYPES) addEventListener(type, listen, true);
}

// Before the page adds any, so that no listener of its own comes first.
listenAnew();
