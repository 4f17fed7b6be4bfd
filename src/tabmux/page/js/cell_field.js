// @ts-check
/**
 * The field that a cell has become, or that lies over it; and what the cell shows afterwards.
 * @param {number} epoch
 * @param {number} label
 * @param {"look" | "field" | "locked" | "shown"} task
 *   look: note what can be seen before; locked: whether the field can only be set by what came with it
 * @param {string} text what it is to show
 * @param {number} limit milliseconds
 */
async function cellField(epoch, label, task, text, limit) {
  const PAUSE = 20;
  if (task === "look") return tabmux.noteSight(/** @type {Element} */ (tabmux.lookUp(epoch, label)));
  if (task === "locked") return {locked: tabmux.lookUp(epoch, label)?.matches("input:read-only")};
  const end = performance.now() + limit;
  const plain = (/** @type {string} */ words) => words.replace(/\s+/g, " ").trim();

  const FIELDS = "input,textarea,select,[contenteditable]:not([contenteditable=false])";

  function field() {
    const cell = tabmux.lookUp(epoch, label), active = tabmux.activeElement();
    const come = [...cell?.querySelectorAll(FIELDS) ?? []].filter(tabmux.isNew);
    if (come.length === 1) return come[0];
    if (!active || active === cell || !active.matches(FIELDS)) return null;
    const own = cell?.getBoundingClientRect(), over = active.getBoundingClientRect();
    const isOver = own && over.left < own.right && over.right > own.left && over.top < own.bottom && over.bottom > own.top;
    return isOver || (cell && tabmux.encloses(cell, active)) ? active : null;
  }

  const shown = () => plain(/** @type {HTMLElement} */ (tabmux.lookUp(epoch, label))?.innerText ?? "");
  const isDone = () => task === "field" ? field() !== null : !field() && shown() === plain(text);
  for (let looks = 0; !isDone() && (looks < limit / PAUSE / 2 || performance.now() < end); looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  if (task === "shown") return tabmux.lookUp(epoch, label) ? {shows: isDone(), text: shown()} : {trouble: "gone"};
  const found = field();
  tabmux.begin(epoch);
  return {label: found ? tabmux.labelOf(found) : 0};
}
