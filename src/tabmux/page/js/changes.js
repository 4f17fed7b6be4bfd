// @ts-check
/** Weighs what changes in a document after an action, so that waiting can stop when it is done. */

/** @typedef {import("./snapshot.js").Options} Options */
/** @typedef {import("./snapshot.js").Snapshot} Snapshot */

const RECHECK = 250;
const FRAME = 50;
// A timer that is so late was kept waiting by something else than the page's own quiet.
const LATE = 4;
const MOST_TURNS_LOST = 3;
// More records at once are a sign, whatever they are.
const MANY_RECORDS = 200;
// Attributes that are a control's value, and those that change what an element shows or offers.
const VALUES = new Set([
  "aria-checked", "aria-pressed", "aria-selected", "aria-valuenow", "aria-valuetext", "checked",
  "selected", "value",
]);
const SHOWN = new Set([
  "alt", "aria-current", "aria-disabled", "aria-expanded", "aria-hidden", "aria-invalid",
  "aria-label", "disabled", "hidden", "href", "open", "placeholder", "readonly", "src", "title",
]);
const UNSEEN = "script, style, link, meta, template, noscript";
const PICTURES = "img, svg, canvas, video, audio, iframe, object";
const CONTROLS = "input, select, textarea, button, a[href], progress, meter, [role], [aria-label]";
const PRESSED = "button, submit, reset, checkbox, radio, range, color, file, image, hidden".split(", ");

// Fields whose text or files a page is expected to answer: it suggests something, finds something,
// or shows what it was given. Pages do so once nothing more is typed for a moment.
const ANSWERED = "[autocomplete=off], [aria-autocomplete=list], [aria-autocomplete=both], " +
  "[role=combobox], [role=searchbox], [type=search], [type=file]";

// Fields that open something rather than wait to be typed into.
const OPENING = "[readonly], [role=combobox], [aria-expanded], [aria-haspopup]:not([aria-haspopup=false])";

let changes = 0;
// Of these, what somebody who looks at the page would take for the effect of an action.
let signs = 0;
// Of these, what changed in the tree; the rest are values and focus, which Chrome itself changes.
let mutations = 0;
// Whether something was put into a field that the page is expected to answer.
let answered = false;
// Whether elements have come that nobody has been asked about yet: who listens to them.
let grown = false;
// The same as changes since the document began; nobody resets it.
let total = 0;
let last = 0;
// How often somebody has begun to wait; who begins anew wants nothing of what went before.
let waits = 0;
// Whether the document still changed when somebody who waited for its quiet gave up.
let restless = false;
// How many milliseconds the document's first timer came late while its quiet was waited for.
let late = 0;
let began = 0;
let height = 0;
/** @type {Element | null} what is acted upon */
let subject = null;
/** @type {Point | null} where the mouse acts */
let at = null;
/** @type {MutationObserver | null} */
let observer = null;
// Whether somebody acts, or waits for what that does.
let isActing = false;
// How often nodes have changed since, and what did so by itself before the action.
const TICKS = 2;
/** @type {WeakMap<Node, number>} */
let ticks = new WeakMap();
/** @type {WeakMap<Node, number>} */
let before = new WeakMap();
/** @type {Set<() => void>} */
const waiters = new Set();

function note(/** @type {boolean} */ isSign) {
  changes += 1;
  if (isSign) signs += 1;
  last = performance.now();
  wake();
}

/** Lets those know who wait for any change. */
function wake() {
  total += 1;
  for (const each of waiters) each();
}

/**
 * Start to watch this document; calling it again only resets the counts.
 * @param {Element | null} [element] what is acted upon: that it is marked as pressed is no effect
 * @param {Point | null} [point] where the mouse acts
 */
tabmux.watch = function (element = null, point = null) {
  changes = signs = mutations = 0;
  restless = grown = answered = false;
  if (element) tabmux.forgetOffers();
  subject = element;
  at = point;
  began = performance.now();
  begin();
  height = element ? document.documentElement.scrollHeight : 0;
  observe();
};

/** What has changed while nobody acted goes on doing so, whatever is done: clocks, counters, films. */
function begin() {
  if (!isActing) {
    before = ticks;
    ticks = new WeakMap();
  }
  isActing = true;
}

/** Whether a mutation may have to do with the action, which may be looked at more than once. */
function isOfAction(/** @type {MutationRecord} */ {target}) {
  if (!isActing) ticks.set(target, (ticks.get(target) ?? 0) + 1);
  return (before.get(target) ?? 0) < TICKS;
}

/** The same before keys are pressed: whether they go where nobody is meant to read them. */
tabmux.watchKeys = function () {
  tabmux.watch();
  return tabmux.secretFocus();
};

function observe() {
  if (!document.documentElement) return;
  // These go where a page writes its document anew, by document.open(); those that are there stay.
  // A "change" tells nothing that "input" has not told before, and often comes late: when a field
  // that was typed into loses the focus to what is acted upon next.
  document.addEventListener("toggle", noteToggle, true);
  document.addEventListener("input", noteInput, true);
  document.addEventListener("focusin", noteFocus, true);
  if (observer) return;
  observer = new MutationObserver((records) => {
    const own = records.filter(isOfAction);
    grown = grown || records.some(addsElements);
    tabmux.noteFresh(own);
    if (!own.length) return wake();
    mutations += 1;
    note(signs > 0 || own.length > MANY_RECORDS || own.some(isSign));
  });
  tabmux.observeTrees(observer, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
}

function noteToggle() {
  note(true);
}

function noteInput(/** @type {Event} */ event) {
  const [field] = event.composedPath();
  answered = event.isTrusted && field instanceof Element && field.matches(ANSWERED);
  if (answered) expectAnswer(/** @type {Element} */ (field));
  note(!answered);
}

function noteFocus(/** @type {Event} */ event) {
  if (isEditable(event.composedPath()[0])) note(true);
}

/** What was seen before something was put into a field is no answer to it, nor is a mark on the field. */
function expectAnswer(/** @type {Element} */ field) {
  if (subject !== field) height = document.documentElement.scrollHeight;
  subject = field;
  signs = 0;
}

function addsElements(/** @type {MutationRecord} */ {addedNodes}) {
  for (const node of addedNodes) if (node instanceof Element) return true;
  return false;
}

/** Whether a mutation is an effect of an action, and no mark of the action itself. */
function isSign(/** @type {MutationRecord} */ record) {
  const {target, type} = record;
  if (!subject || type === "characterData") return true;
  if (type === "attributes") {
    return isShown(/** @type {Element} */ (target), String(record.attributeName));
  }
  // Words that a button loses while it is busy are no effect yet.
  const inside = tabmux.encloses(subject, target);
  const nodes = inside ? [...record.addedNodes] : [...record.addedNodes, ...record.removedNodes];
  return nodes.some((node) => holdsContent(node, inside));
}

function isShown(/** @type {Element} */ element, /** @type {string} */ attribute) {
  if (VALUES.has(attribute)) return true;
  if (!subject || element === subject) return false;
  if (!tabmux.encloses(element, subject) && !tabmux.encloses(subject, element)) return true;
  // What is around the subject is told of its focus and of the mouse, too.
  return SHOWN.has(attribute) || document.documentElement.scrollHeight !== height;
}

/** Inside of the subject only words count: pictures there show that it was pressed, or is busy. */
function holdsContent(/** @type {Node} */ node, /** @type {boolean} */ inside) {
  if (node instanceof Element ? node.matches(UNSEEN) : !(node instanceof Text)) return false;
  if (/\S/.test(node.textContent ?? "")) return true;
  if (inside || !(node instanceof Element)) return false;
  if (node.localName.includes("-") || node.shadowRoot) return true;
  const what = `${PICTURES}, ${CONTROLS}`;
  return node.matches(what) || node.querySelector(what) !== null;
}

function isEditable(/** @type {unknown} */ element) {
  if (element instanceof Element && element.matches(OPENING)) return false;
  if (element instanceof HTMLInputElement) return !PRESSED.includes(element.type);
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement ||
    (element instanceof HTMLElement && element.isContentEditable);
}

/** Whether the subject is a field that has the focus: to be ready for input is all it does. */
function isEntered() {
  const focused = subject && tabmux.activeElement();
  return Boolean(focused && isEditable(focused) && tabmux.encloses(/** @type {Element} */ (subject), focused));
}

tabmux.observe = observe;

/** @returns {number} how much has changed since watch() */
tabmux.changes = function () {
  waits += 1;
  return changes;
};

/**
 * Resolves when more has changed than was known, or after `limit` milliseconds.
 * @param {number} known what it last resolved with; -1 to learn where the count stands
 * @param {string[]} texts what is watched for by looking, too: styles and values change unseen
 * @param {number} limit milliseconds
 * @returns {Promise<number>} the count of changes
 */
tabmux.nextChange = function (known, texts, limit) {
  observe();
  if (total > known) return Promise.resolve(total);
  return new Promise((resolve) => {
    const finish = () => {
      waiters.delete(finish);
      clearInterval(looking);
      clearTimeout(end);
      resolve(total);
    };
    const seen = () => tabmux.shownTexts(texts).join("\n");
    const before = seen();
    const looking = texts.length ? setInterval(() => seen() !== before && note(true), RECHECK) : 0;
    const end = setTimeout(finish, limit);
    waiters.add(finish);
  });
};

/**
 * Resolves after the first change, or after `limit` milliseconds without one.
 * @param {number} limit
 * @returns {Promise<number>} how much has changed
 */
tabmux.firstChange = function (limit) {
  return until(() => changes > 0, limit);
};

/**
 * Resolves after the first change that is an effect, or after `limit` milliseconds without one.
 * @param {number} limit
 * @returns {Promise<number>} how much has changed
 */
tabmux.firstSign = function (limit) {
  return until(() => signs > 0, limit);
};

/** @returns {Promise<number>} how much has changed */
function until(/** @type {() => boolean} */ seen, /** @type {number} */ limit) {
  if (seen()) return Promise.resolve(changes);
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      waiters.delete(look);
      resolve(changes);
    };
    const look = () => { if (seen()) finish(); };
    const timer = setTimeout(finish, limit);
    waiters.add(look);
  });
}

/**
 * Resolves when nothing has changed for `quiet` milliseconds, or after `limit`.
 * @param {number} quiet
 * @param {number} limit
 * @returns {Promise<number>} how much has changed
 */
tabmux.quiet = function (quiet, limit) {
  const end = performance.now() + limit;
  const left = () => Math.min(last + quiet, end) - performance.now();
  let turnsLost = 0, timers = 0;
  return new Promise((resolve) => {
    const wait = (/** @type {number} */ rest) => {
      const due = performance.now() + rest;
      setTimeout(() => look(due), rest);
      timers += 1;
    };
    const look = (/** @type {number} */ due) => {
      const rest = left();
      if (timers === 1) late = performance.now() - due;
      if (rest > 0) {
        turnsLost = 0;
        wait(rest);
        return;
      }
      // On a busy machine the clock goes on while what the page has to do is waiting.
      if (performance.now() - due > LATE && turnsLost++ < MOST_TURNS_LOST) wait(quiet);
      else afterTasks(() => left() > 0 ? wait(left()) : finish());
    };
    const finish = () => {
      restless = performance.now() >= end && last + FRAME > end;
      resolve(changes);
    };
    look(performance.now());
  });
};

const {port1: turns, port2: turner} = new MessageChannel();
/** @type {(() => void)[]} */
const turned = [];
turns.onmessage = () => turned.shift()?.();

/** Call a function after the tasks that wait already. */
function afterTasks(/** @type {() => void} */ go) {
  turned.push(go);
  turner.postMessage(null);
}

/**
 * Waits for a first sign of an effect and then for quiet, and shows the document as it is then.
 * @param {number} first milliseconds
 * @param {number} quiet milliseconds
 * @param {number} valueQuiet milliseconds, where only values and focus have changed
 * @param {number} limit milliseconds
 * @param {Options | null} options what to show; nothing when null
 * @param {boolean} anew whether what was seen until now was no effect
 * @returns {Promise<Settled>}
 */
tabmux.settle = async function (first, quiet, valueQuiet, limit, options, anew) {
  waits += 1;
  isActing = true;
  late = 0;
  const own = waits;
  const asked = performance.now();
  const entered = isEntered();
  if (anew) signs = 0;
  else if (!signs && entered && !answered) signs = changes = 1;
  if (first > 0) await tabmux.firstSign(first);
  const calm = mutations ? quiet : valueQuiet;
  if (signs && calm) await tabmux.quiet(calm, limit);
  const animations = changes ? runningAnimations() : 0;
  const shot = options && own === waits ? tabmux.snapshot(options) : null;
  if (shot) shot.grown = grown;
  isActing = false;
  const took = performance.now() - asked;
  const putBack = tabmux.putBack(), offers = tabmux.offers();
  return {
    changes, signs, mutations, entered, answered, restless, animations, at, shot, putBack, offers, late, took,
  };
};

// Of these, transitions show or move something; the others only paint it differently.
const MOVING = /^(opacity|visibility|display|content|max-|min-|height|width|block|inline|transform|translate|scale|grid|top|left|right|bottom|inset|margin|clip)/;

/** How many animations the action has started that have not ended, beside those of its subject. */
function runningAnimations() {
  // Animations begin with the frame before, which may have been a while ago.
  const elapsed = performance.now() - began + FRAME;
  return document.getAnimations().filter((each) => {
    const {effect} = each;
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    if (each.playState !== "running" || Number(each.currentTime) > elapsed) return false;
    if (each instanceof CSSTransition && !MOVING.test(each.transitionProperty)) return false;
    return target !== null && !(subject && tabmux.encloses(subject, target));
  }).length;
}
