// @ts-check
/**
 * What a slider or spin button stands at, once it has left a value or reached one.
 * @param {number} epoch
 * @param {number} label
 * @param {"left" | "reached"} until
 * @param {number | null} value
 * @param {number} limit milliseconds
 * @returns {Promise<{now: number | null, shown: boolean} | Gone>}
 */
async function stepValue(epoch, label, until, value, limit) {
  const PAUSE = 10;
  const end = performance.now() + limit;
  // A page that is kept from running gets its turns all the same.
  for (let looks = 0; ; looks += 1) {
    const element = tabmux.controlOf(epoch, label);
    if (!element) return {trouble: "gone"};
    const now = tabmux.standsAt(element);
    if ((now === value) === (until === "reached") || (looks > limit / PAUSE / 2 && performance.now() > end)) {
      return {now, shown: tabmux.showsNumber(element)};
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
