// @ts-check
/**
 * Whether the first of some like elements look alike, and other than the rest of them: the stars of a rating.
 * @param {number} epoch
 * @param {number[]} labels
 * @param {number} count how many are to be marked
 * @param {number} limit milliseconds
 */
async function rowState(epoch, labels, count, limit) {
  const PAUSE = 20;
  const bare = (/** @type {string} */ look) => look.replace(/\S*hover\S*|\S*focus\S*/gi, "").replace(/(aria-label|title|data-[\w-]*(value|index|rating))=\S+/g, "");

  function isMarked() {
    const parts = labels.map((label) => tabmux.lookUp(epoch, label)).filter((each) => each !== null);
    const looks = tabmux.looksOf(parts).map(bare), [first, rest] = [looks.slice(0, count), looks.slice(count)];
    const own = looks[count - 1];
    return parts.length === labels.length && (first.every((each) => each === own) || !rest.includes(own)) && rest.every((each) => each !== own);
  }

  const end = performance.now() + limit;
  for (let looks = 0; !isMarked() && (looks < limit / PAUSE / 2 || performance.now() < end); looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return {marked: isMarked()};
}
