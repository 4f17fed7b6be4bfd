// @ts-check
/**
 * The only field for text that came into sight when a control was opened.
 * @param {number} epoch
 * @param {number} limit milliseconds
 * @returns {Promise<{label: number}>} 0 when there is none, or more than one
 */
async function openedField(epoch, limit) {
  const PAUSE = 20, FIELDS = "input:not([type=hidden],[type=checkbox],[type=radio],[type=range],[type=file]),textarea,[contenteditable=true]";
  const found = () => tabmux.everywhere(FIELDS).filter((each) => tabmux.isNew(each) && !tabmux.isDisabled(each));
  const end = performance.now() + limit;
  for (let looks = 0; !found().length && (looks < limit / PAUSE / 2 || performance.now() < end); looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  const all = found();
  tabmux.begin(epoch);
  return {label: all.length === 1 ? tabmux.labelOf(all[0]) : 0};
}
