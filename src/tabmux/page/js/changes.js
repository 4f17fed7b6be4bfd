// @ts-check
/** Counts signs of change in a document, so that waiting can stop when it is quiet. */

/** @typedef {import("./snapshot.js").Options} Options */
/** @typedef {import("./snapshot.js").Snapshot} Snapshot */

const RECHECK = 250;

let changes = 0;
// The same since the document began; nobody resets it.
let total = 0;
let last = 0;
// How often somebody has begun to wait; who begins anew wants nothing of what went before.
let waits = 0;
/** @type {MutationObserver | null} */
let observer = null;
/** @type {Set<() => void>} */
const waiters = new Set();

function note() {
  changes += 1;
  total += 1;
  last = performance.now();
  for (const wake of waiters) wake();
}

/** Start to watch this document; calling it again only resets the count. */
tabmux.watch = function () {
  changes = 0;
  observe();
};

function observe() {
  if (observer || !document.documentElement) return;
  observer = new MutationObserver(note);
  tabmux.observeTrees(observer, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  for (const type of ["input", "change", "toggle"]) document.addEventListener(type, note, true);
}

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
    const looking = texts.length ? setInterval(() => seen() !== before && note(), RECHECK) : 0;
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
  if (changes) return Promise.resolve(changes);
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      waiters.delete(finish);
      resolve(changes);
    };
    const timer = setTimeout(finish, limit);
    waiters.add(finish);
  });
};

/**
 * Resolves when nothing has changed for `quiet` milliseconds, or after `limit`.
 * @param {number} quiet
 * @param {number} limit
 * @returns {Promise<number>} how much has changed
 */
tabmux.quiet = function (quiet, limit) {
  const end = performance.now() + limit;
  return new Promise((resolve) => {
    const look = () => {
      const now = performance.now();
      const rest = Math.min(last + quiet, end) - now;
      if (rest <= 0) resolve(changes);
      else setTimeout(look, rest);
    };
    look();
  });
};

/**
 * Waits for a first change and then for quiet, and shows the document as it is then.
 * @param {number} first milliseconds
 * @param {number} quiet milliseconds
 * @param {number} limit milliseconds
 * @param {Options | null} options what to show; nothing when null
 * @returns {Promise<{changes: number, shot: Snapshot | null}>}
 */
tabmux.settle = async function (first, quiet, limit, options) {
  waits += 1;
  const own = waits;
  if (!changes && first > 0) await tabmux.firstChange(first);
  if (changes) await tabmux.quiet(quiet, limit);
  return {changes, shot: options && own === waits ? tabmux.snapshot(options) : null};
};
