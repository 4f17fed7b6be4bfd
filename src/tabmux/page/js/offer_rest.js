// @ts-check
/**
 * Waits until a page offers something for a text, until that has come to rest, or has gone.
 * @param {number} epoch
 * @param {number} label
 * @param {"offered" | "rests" | "gone"} until
 * @param {number} limit milliseconds
 * @returns {Promise<boolean | import("./offers.js").Offers | null>} whether it has, or what is offered
 */
async function offerRest(epoch, label, until, limit) {
  const PAUSE = 20;
  const isSo = () => {
    if (until === "offered") return tabmux.offers() !== null;
    const offer = tabmux.lookUp(epoch, label);
    return !offer || tabmux.isInSight(offer) === (until === "rests");
  };
  const coming = until === "rests" ? tabmux.lookUp(epoch, label) : null;
  if (coming) await tabmux.rested(coming);
  const end = performance.now() + limit;
  // A page that is kept from running gets its turns all the same.
  for (let looks = 0; !isSo() && (looks < limit / PAUSE / 2 || performance.now() < end); looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return until === "offered" ? tabmux.offers() : isSo();
}
