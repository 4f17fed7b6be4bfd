// @ts-check
/**
 * The numbers of a time that are there to be pressed: in columns beside each other, or on the face of a clock.
 * @param {number} epoch
 * @param {number} label the field that opened them
 * @param {"columns" | "fields" | "part" | "confirm" | "shown"} task
 *   columns: whether there are any; fields: those for hour, minute and second, by their names; part: what to press for a number; confirm: the button that ends it;
 *   shown: whether the control shows one of some texts, as JSON
 * @param {number | string} wanted which of the columns, "half" for morning or afternoon, or the texts
 * @param {number[]} time hour, minute and second
 * @param {number} limit milliseconds
 */
async function timeColumns(epoch, label, task, wanted, time, limit) {
  const PAUSE = 20, LEAST = 4, MOST_HALVES = 2, CLIMB = 3;
  const control = /** @type {HTMLElement | null} */ (tabmux.controlOf(epoch, label));
  if (!control) return {trouble: "gone"};
  const textOf = (/** @type {Element} */ each) => (each.textContent ?? "").trim();
  const numberOf = (/** @type {Element} */ each) => Number(textOf(each).match(/^(\d{1,2})\s?\D{0,4}$/)?.[1] ?? NaN);
  const isNumber = (/** @type {Element} */ each) => textOf(each).length < 8 && !isNaN(numberOf(each));
  const isHalf = (/** @type {Element} */ each) => /^[ap]\.?\s?m\.?$/i.test(textOf(each));

  /** @returns {Element[][]} what came into sight and stands together, from left to right */
  function columns(/** @type {(each: Element) => boolean} */ isOne, /** @type {number} */ least) {
    const all = tabmux.foremost(tabmux.atOneLook(() => tabmux.everywhere("li,button,div,span,td,a,p").filter((each) =>
      isOne(each) && ![...each.children].some(isOne) && tabmux.isNew(each))));
    /** @type {Map<Element, Element[]>} */
    const held = new Map();
    for (const each of all) {
      let at = tabmux.parentOf(each);
      for (let climbed = 0; at && climbed < CLIMB; at = tabmux.parentOf(at), climbed += 1) held.set(at, [...held.get(at) ?? [], each]);
    }
    const full = [...held].filter(([, some]) => some.length >= least && isInOrder(some));
    const outer = full.filter(([around, some]) => !full.some(([other, more]) => more.length > some.length && other.contains(around)));
    const inner = outer.filter(([around]) => !outer.some(([other]) => other !== around && around.contains(other)));
    return inner.map(([, some]) => some).sort((a, b) => a[0].getBoundingClientRect().left - b[0].getBoundingClientRect().left);
  }

  /** Whether numbers go up, as those of one column do, besides a twelve or a zero at the start. */
  function isInOrder(/** @type {Element[]} */ some) {
    return new Set(some.map(textOf)).size === some.length && some.every((each, n) => n < 2 || !(numberOf(each) < numberOf(some[n - 1])));
  }

  const halves = () => columns(isHalf, MOST_HALVES)[0] ?? [];

  function part() {
    tabmux.begin(epoch);
    if (wanted === "half") {
      const found = halves().find((each) => /^a/i.test(textOf(each)) === time[0] < 12);
      return {label: found ? tabmux.labelOf(found) : 0, known: []};
    }
    const all = columns(isNumber, LEAST), column = all[Math.min(Number(wanted), all.length - 1)] ?? [];
    const number = Number(wanted) > 0 ? time[Number(wanted)] : column.some((each) => numberOf(each) > 12 || numberOf(each) === 0) ? time[0] : time[0] % 12 || 12;
    const found = column.find((each) => numberOf(each) === number);
    return {label: found ? tabmux.labelOf(found) : 0, known: column.map(textOf), columns: all.length};
  }

  const NAMES = [/hour|\bhh?\b/i, /minute|\bmin\b|\bmm\b/i, /second|\bsec\b|\bss\b/i];

  /** Fields that have come into sight for the parts of a time. */
  function fields() {
    const all = tabmux.everywhere("input:not([type=range],[type=hidden],[type=checkbox],[type=radio])").filter((each) => tabmux.isNew(each) && !tabmux.isDisabled(each));
    const called = (/** @type {Element} */ each) => [...each.attributes].filter(({name}) => !/value|style|^on/.test(name)).map(({value}) => value.replace(/[-_]/g, " ")).join(" ");
    tabmux.begin(epoch);
    return {labels: NAMES.map((name) => all.find((each) => name.test(called(each)))).map((each) => each ? tabmux.labelOf(each) : 0)};
  }

  function confirm() {
    const found = tabmux.everywhere("button,[role=button],a").find((each) => tabmux.isNew(each) && !tabmux.isDisabled(each) &&
      /^(ok|okay|apply|done|set|select|choose|confirm|save|accept)$/i.test(textOf(each)));
    tabmux.begin(epoch);
    return {label: found ? tabmux.labelOf(found) : 0};
  }

  function shows() {
    const texts = /** @type {string[]} */ (JSON.parse(String(wanted)));
    const shown = control instanceof HTMLInputElement ? [control.value] : [...control?.querySelectorAll("input") ?? []].map((each) => each.value)
      .concat(control?.innerText ?? "", tabmux.nameOf(/** @type {Element} */ (control)));
    return shown.some((each) => texts.some((text) => ` ${each.toLowerCase().replace(/\s+/g, " ")} `.includes(text)));
  }

  const holds = () => task === "columns" ? columns(isNumber, LEAST).length > 0 : shows();
  const end = performance.now() + limit;
  if (task === "fields") return fields();
  if (task === "part") return part();
  if (task === "confirm") return confirm();
  for (let looks = 0; !holds() && (looks < limit / PAUSE / 2 || performance.now() < end); looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return {holds: holds()};
}
