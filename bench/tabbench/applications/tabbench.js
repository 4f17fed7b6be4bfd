// What all applications share: seeded chance, the task, and the page's own judgement.

/** @type {{task: string, judge: () => boolean, done: boolean, seed: number}} */
const state = { task: "", judge: () => false, done: false, seed: 1 };

/**
 * Return a whole number below a limit; the same seed yields the same numbers.
 * @param {number} limit
 */
function chance(limit) {
  state.seed = (state.seed * 48271) % 2147483647;
  return state.seed % limit;
}

/**
 * Choose one of a list.
 * @template T
 * @param {T[]} list
 * @returns {T}
 */
function choose(list) {
  return list[chance(list.length)];
}

/**
 * Find an element that must be there.
 * @param {string} selector
 * @returns {any}
 */
function one(selector) {
  return document.querySelector(selector);
}

/** Say that the agent has done what it does last; from then on nothing changes the verdict. */
function finish() {
  if (!state.done) {
    state.done = true;
    globalThis.reward = state.judge() ? 1 : 0;
  }
}

globalThis.reward = null;
globalThis.tabbench = {
  /** @param {number} seed */
  start(seed) {
    state.seed = seed * 7919 + 17;
    for (let turn = 0; turn < 5; turn++) chance(2);
    const made = globalThis.prepare();
    state.task = made.task;
    state.judge = made.judge;
    return state.task;
  },
  reward: () => globalThis.reward,
};
