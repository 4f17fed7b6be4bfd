// @ts-check
/**
 * The widget that shows the value of a hidden select, and whether it shows it now.
 * @param {number} epoch
 * @param {number} label
 * @param {string[]} wanted the options that it is to show
 * @param {number} limit milliseconds to wait for it to show the value
 * @returns {Promise<{widget: number, shows: boolean} | Gone>} no widget is 0
 */
async function widgetOf(epoch, label, wanted, limit) {
  const WIDGETS = "[role=combobox],[role=listbox],[aria-haspopup],input:not([type=hidden]),button,[tabindex]:not([tabindex='-1'])";
  const PAUSE = 20;
  const select = /** @type {HTMLSelectElement | null} */ (tabmux.controlOf(epoch, label));
  if (!select) return {trouble: "gone"};
  const isSeen = (/** @type {Element} */ each) => each.checkVisibility({visibilityProperty: true}) && each.getBoundingClientRect().height > 2;

  function found() {
    const inside = (/** @type {Element | null | undefined} */ part) =>
      part ? [part, ...part.querySelectorAll(WIDGETS)].filter((each) => each.matches(WIDGETS) && each !== select && isSeen(each)) : [];
    const around = select?.parentElement?.closest("[role=combobox],[role=listbox],[tabindex='0']");
    const alone = select?.parentElement?.querySelectorAll("select").length === 1 ? select.parentElement : null;
    // In a widget for several values, keys are typed into its field.
    const near = [...inside(select?.nextElementSibling), ...(around ? [around] : []), ...inside(alone)];
    return (select?.multiple ? near.find((each) => each instanceof HTMLInputElement) : null) ?? near[0] ?? null;
  }

  /** What is written in a part, besides the options of selects. */
  function textOf(/** @type {Element} */ part) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    const words = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent && !parent.closest("select") && isSeen(parent)) words.push(walker.currentNode.textContent);
    }
    return words.join(" ").replace(/\s+/g, " ").trim();
  }

  /** Whether no script has put the select back. */
  function isHeld() {
    const chosen = [...select?.selectedOptions ?? []].map((each) => each.label.replace(/\s+/g, " ").trim());
    return chosen.length === wanted.length && wanted.every((each) => chosen.includes(each));
  }

  function shows(/** @type {Element} */ widget) {
    let part = widget;
    for (let at = tabmux.parentOf(widget); at && !at.contains(select) && at !== document.body; at = tabmux.parentOf(at)) part = at;
    const text = textOf(part) || textOf(tabmux.parentOf(part) ?? part);
    const chosen = [...select?.selectedOptions ?? []].map((each) => each.label.replace(/\s+/g, " ").trim());
    return isHeld() && chosen.every((each) => text.includes(each));
  }

  const widget = found();
  if (!widget) return {widget: 0, shows: isHeld()};
  const end = performance.now() + limit;
  // A page that is kept from running gets its turns all the same.
  for (let looks = 0; !shows(widget) && (looks < limit / PAUSE / 2 || performance.now() < end); looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  tabmux.begin(epoch);
  return {widget: tabmux.labelOf(widget), shows: shows(widget)};
}
