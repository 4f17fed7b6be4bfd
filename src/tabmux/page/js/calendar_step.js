// @ts-check
/**
 * The next thing to do in an open calendar on the way to a day, a month or a year.
 * Calendars differ in everything but this: days stand in order, and a month and a year stand above;
 * so do months, below a year.
 * @param {number} epoch
 * @param {number} label the field that opened it
 * @param {string} day as 2026-12-24, 2026-12 or 2026
 * @param {string} before the month that was shown when something was last pressed
 * @param {number} limit milliseconds to wait for another month; with 0 only for what is moving
 * @param {boolean} several whether fields beside this one may show it, as the ends of a span
 */
async function calendarStep(epoch, label, day, before, limit, several) {
  const PAUSE = 20, MOVING = 150, CLIMB = 6, MOST_MONTH = 16;
  const field = /** @type {HTMLInputElement | null} */ (tabmux.controlOf(epoch, label));
  if (!field) return {trouble: "gone"};
  const [year, month = 0, date = 0] = day.split("-").map(Number);
  const names = monthNames();
  const isSeen = tabmux.isInSight;

  /** @returns {string[][]} what each month may be called here, longest first */
  function monthNames() {
    const tongues = [document.documentElement.lang, navigator.language, "en"].filter(Boolean);
    return Array.from({length: 12}, (_, n) => tongues.flatMap((tongue) => {
      const first = new Date(2026, n, 15);
      try {
        return ["long", "short"].map((size) =>
          first.toLocaleDateString(tongue, {month: /** @type {"long"} */ (size)}).toLowerCase().replace(".", ""));
      } catch {
        return [];
      }
    }));
  }

  /** @returns {number} 1 to 12; 0 when the text names no month */
  function namedMonth(/** @type {string} */ text) {
    const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
    return names.findIndex((each) => words.some((word) => each.includes(word))) + 1;
  }

  /** @returns {{year: number, month: number} | null} */
  function monthIn(/** @type {string} */ text) {
    const found = text.match(/\b(1[89]|2[01])\d\d\b/);
    if (!found) return null;
    const named = namedMonth(text);
    const digits = text.replace(found[0], " ").match(/\b(0?[1-9]|1[0-2])\b/);
    return named || digits ? {year: Number(found[0]), month: named || Number(digits?.[0])} : null;
  }

  const isDay = (/** @type {Element} */ each) => /^\s*(0?[1-9]|[12]\d|3[01])\s*$/.test(each.textContent ?? "");
  const isYear = (/** @type {Element} */ each) => /^\s*(19|20|21)\d\d\s*$/.test(each.textContent ?? "");
  const isMonth = (/** @type {Element} */ each) => {
    const text = (each.textContent ?? "").trim();
    return text.length > 0 && text.length <= MOST_MONTH && !/\d\d\d|\s\S+\s/.test(text) && (/^\d\d?\s?[月월]$/.test(text) || namedMonth(text) > 0);
  };
  // What is looked for, and how many of its kind make a calendar.
  const [isCell, least] = /** @type {[(each: Element) => boolean, number]} */ (date ? [isDay, 28] : month ? [isMonth, 12] : [isYear, 9]);

  const isInside = tabmux.holdsDays(field);

  /** @returns {Element[]} days, months or years that came into sight, in order; or those in a calendar that stands in the page */
  function cells() {
    const all = tabmux.atOneLook(() => tabmux.everywhere("td,button,a,span,div,li,p,abbr,time").filter((each) =>
      isCell(each) && ![...each.children].some(isCell) && (isInside ? tabmux.encloses(/** @type {Element} */ (field), each) && isSeen(each) : tabmux.isNew(each))));
    return isInside ? all : tabmux.foremost(all);
  }

  /** Whether a day is chosen, by what it or what is right around it says. */
  function isMarked(/** @type {Element} */ cell) {
    const near = [cell, cell.parentElement, ...cell.querySelectorAll("*")].filter((each) => each && (each.textContent ?? "").trim() === (cell.textContent ?? "").trim());
    return near.some((each) => ["aria-selected", "aria-pressed", "aria-checked"].some((name) => each?.getAttribute(name) === "true") ||
      [...each?.attributes ?? []].some(({name, value}) => /^class$|^data-/.test(name) && /(^|[\s_-])(selected|active|checked|picked|chosen|start|end)([\s_-]|$)/i.test(`${name === "class" ? "" : name} ${value}`)));
  }

  /** @returns {{around: Element, cells: Element[]}[]} the months, or the years, in sight */
  function grids() {
    const held = /** @type {Map<Element, Element[]>} */ (new Map());
    for (const cell of cells()) {
      for (let at = tabmux.parentOf(cell), climbed = 0; at && climbed < CLIMB; at = tabmux.parentOf(at), climbed += 1) {
        held.set(at, [...held.get(at) ?? [], cell]);
      }
    }
    const full = [...held].filter(([, cells]) => cells.length >= least);
    const inner = full.filter(([around]) => !full.some(([other]) => other !== around && tabmux.encloses(around, other)));
    return inner.map(([around, cells]) => ({around, cells: date ? ofOneMonth(cells) : cells})).filter((each) => each.cells.length >= least);
  }

  /** The days from the first on: before it and after the last there may be some of other months. */
  function ofOneMonth(/** @type {Element[]} */ cells) {
    const start = cells.findIndex((each) => Number(each.textContent) === 1);
    const rest = start < 0 ? [] : cells.slice(start);
    const end = rest.findIndex((each, n) => Number(each.textContent) !== n + 1);
    return end < 0 ? rest : rest.slice(0, end);
  }

  /** What stands around the days: texts, chosen options, values. */
  function wordsIn(/** @type {Element} */ part) {
    const words = [], inner = tabmux.shadowOf(part);
    const walker = document.createTreeWalker(inner ?? part, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node instanceof HTMLSelectElement) words.push(node.selectedOptions[0]?.text ?? "");
      else if (node instanceof HTMLInputElement && node !== field) words.push(node.value);
      else if (node instanceof Text && node.parentElement && !node.parentElement.closest("select,style,script") &&
        isSeen(node.parentElement) && !isDay(node.parentElement)) words.push(node.data);
    }
    return words.join(" ");
  }

  function shownMonth(/** @type {{around: Element, cells: Element[]}} */ grid) {
    if (!date) return shownYear(grid);
    for (const cell of [grid.cells[9], grid.cells[14]]) {
      for (let at = /** @type {Element | null} */ (cell); at && at !== grid.around; at = tabmux.parentOf(at)) {
        for (const name of ["aria-label", "title", "datetime", "data-date", "data-day", "data-iso"]) {
          const found = dated(at.getAttribute(name) ?? "", Number(cell.textContent));
          if (found) return found;
        }
      }
    }
    for (let at = /** @type {Element | null} */ (grid.around), climbed = 0; at && at !== document.body && climbed < CLIMB; at = tabmux.parentOf(at), climbed += 1) {
      const found = monthIn(wordsIn(at));
      if (found) return found;
    }
    return null;
  }

  /** The year above months; of years, the one that is meant if it is among them. */
  function shownYear(/** @type {{around: Element, cells: Element[]}} */ grid) {
    const years = grid.cells.map((each) => Number(each.textContent));
    if (!month) return {year: years.includes(year) ? year : years[0], month};
    for (let at = /** @type {Element | null} */ (grid.around), climbed = 0; at && at !== document.body && climbed < CLIMB; at = tabmux.parentOf(at), climbed += 1) {
      const found = wordsIn(at).match(/\b(19|20|21)\d\d\b/);
      if (found) return {year: Number(found[0]), month};
    }
    return null;
  }

  /** @returns {Element | undefined} the cell of what is looked for */
  function meant(/** @type {Element[]} */ cells) {
    return date ? cells[date - 1] : cells.find((each) => month
      ? namedMonth(each.textContent ?? "") === month || parseInt(each.textContent ?? "") === month : Number(each.textContent) === year);
  }

  /** A date that an attribute tells, if it is that of the day. */
  function dated(/** @type {string} */ text, /** @type {number} */ number) {
    const iso = text.match(/\b(\d{4})-(\d\d?)-(\d\d?)/);
    if (iso) return Number(iso[3]) === number ? {year: Number(iso[1]), month: Number(iso[2])} : null;
    const found = text.match(/\b(19|20)\d\d\b/);
    const named = namedMonth(text);
    return found && named && new RegExp(`\\b0?${number}(\\D|$)`).test(text) ? {year: Number(found[0]), month: named} : null;
  }

  const NEXT = /next|right|forward|increase|[›»→>]/i, BACK = /prev|left|back|decrease|[‹«←<]/i, FAR = /year|decade|super|double|[«»]/i;

  /** @returns {Element | null} the button that turns to another month, or to another year */
  function turner(/** @type {Element} */ around, /** @type {boolean} */ onwards, /** @type {boolean} */ far) {
    for (let at = /** @type {Element | null} */ (around), climbed = 0; at && at !== document.body && climbed < CLIMB; at = tabmux.parentOf(at), climbed += 1) {
      const all = [...(tabmux.shadowOf(at) ?? at).querySelectorAll("button,a,[role=button],th,td,span,div,i")].filter((each) => isSeen(each) && !isDay(each) && isPressed(each));
      const named = all.filter((each) => (onwards ? NEXT : BACK).test(telling(each)) && !(onwards ? BACK : NEXT).test(telling(each)));
      const near = named.filter((each) => FAR.test(telling(each)) === far);
      const found = near[0] ?? (far ? null : named[0]);
      if (found) return found;
    }
    return null;
  }

  function isPressed(/** @type {Element} */ each) {
    return !tabmux.isDisabled(each) && (each.matches("button,a,[role=button]") || getComputedStyle(each).cursor === "pointer" ||
      /(^|[-_ ])(next|prev)/i.test(each.className.toString())) && (each.getBoundingClientRect().width < 120 || (!each.childElementCount && !each.textContent?.trim()));
  }

  /** What it is called; in another tongue the names of its classes tell more. */
  function telling(/** @type {Element} */ each) {
    const text = ["aria-label", "title", "data-action"].map((name) => each.getAttribute(name)).find(Boolean) ?? "";
    return NEXT.test(text) || BACK.test(text) ? text : `${each.className.toString()} ${(each.textContent ?? "").slice(0, 30)} ${[...each.children].map((inner) => inner.className.toString()).join(" ")}`;
  }

  /** Lists of years and months are set at once. */
  function setLists(/** @type {Element} */ around) {
    let changed = false;
    for (let at = /** @type {Element | null} */ (around), climbed = 0; at && at !== document.body && climbed < CLIMB; at = tabmux.parentOf(at), climbed += 1) {
      for (const select of at.querySelectorAll("select")) {
        const options = [...select.options];
        const wanted = options.find((each) => each.text.trim() === String(year)) ??
          (options.length <= 12 ? options.find((each) => namedMonth(each.text) === month) : undefined);
        if (!wanted || wanted.selected) continue;
        wanted.selected = true;
        for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, {bubbles: true}));
        changed = true;
      }
      if (changed) return true;
    }
    return false;
  }

  /** @returns {Element | null} a field for the year alone */
  function yearField(/** @type {Element} */ around) {
    for (let at = /** @type {Element | null} */ (around), climbed = 0; at && at !== document.body && climbed < CLIMB; at = tabmux.parentOf(at), climbed += 1) {
      const found = [...at.querySelectorAll("input")].find((each) => /^(19|20)\d\d$/.test(each.value) && isSeen(each) && !each.readOnly);
      if (found) return found;
    }
    return null;
  }

  function pressing(/** @type {Element} */ each, /** @type {string} */ what, /** @type {string} */ shown) {
    tabmux.begin(epoch);
    return {do: what, label: tabmux.labelOf(each), shown};
  }

  /** What the fields hold that stand with this one. */
  function heldBeside() {
    let at = /** @type {Element | null} */ (field);
    for (let climbed = 0; at && climbed < 3 && at.querySelectorAll("input").length < 2; climbed += 1) at = tabmux.parentOf(at);
    return [...at?.querySelectorAll("input") ?? []].map((each) => each.value).join(" ");
  }

  // The value of a button is not what it shows.
  const held = () => several ? `${heldAlone()} ${heldBeside()}` : heldAlone();
  const heldAlone = () => (field instanceof HTMLInputElement ? field.value : /** @type {HTMLElement} */ (field).innerText || tabmux.nameOf(field));
  const holdsDay = () => {
    const text = held();
    const numbers = (text.match(/\d+/g) ?? []).map(Number);
    if (!month) return numbers.includes(year);
    if (!date) return numbers.includes(year) && (namedMonth(text) === month || numbers.includes(month));
    const hasMonth = namedMonth(text) === month || numbers.filter((each) => each === month).length > (month === date ? 1 : 0);
    return numbers.includes(date) && hasMonth && (numbers.includes(year) || numbers.includes(year % 100));
  };

  const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));
  // A page that is kept from running gets its turns all the same.
  const LOOKS = limit / PAUSE / 2;
  const CONFIRM = /^(ok|apply|done|set|select|choose|confirm|save)$/i;

  if (before === "picked") {
    const end = performance.now() + limit;
    for (let looks = 0; !holdsDay() && (looks < LOOKS || performance.now() < end); looks += 1) await pause();
    const open = grids().length > 0;
    const confirm = open && tabmux.everywhere("button,[role=button],a,div,span").find((each) =>
      !each.childElementCount && tabmux.isNew(each) && !tabmux.isDisabled(each) && CONFIRM.test((each.textContent ?? "").trim()));
    if (confirm) return pressing(confirm, "confirm", "");
    return {do: holdsDay() ? "done" : "lost", open, shown: held()};
  }

  // Months that are drawn while they are scrolled to say something else with every look.
  let last = "";
  const start = performance.now(), end = start + limit;
  const isMoving = () => performance.now() < start + MOVING && document.getAnimations().some((each) => each.playState === "running");
  for (let looks = 0; ; looks += 1, await pause()) {
    const months = grids().map((grid) => ({grid, shows: shownMonth(grid)}));
    const shown = months.map(({shows}) => (shows ? `${shows.year}-${shows.month}` : "?")).join(" ");
    const isSettling = limit > 0 && shown !== last;
    last = shown;
    if ((!shown || shown === before || isSettling || months.every(({shows}) => !shows)) && (looks < LOOKS || performance.now() < end || isMoving())) continue;
    const first = months.find(({shows}) => shows);
    if (!first?.shows) return {do: "none", shown};
    if (shown === before) return {do: "stuck", shown};
    const right = months.find(({grid, shows}) => shows?.year === year && shows.month === month && (month || meant(grid.cells)));
    if (right) {
      const cell = meant(right.grid.cells);
      if (!cell || tabmux.isDisabled(cell)) return {do: "disabled", shown};
      await tabmux.rested(cell);
      return {...pressing(cell, "pick", shown), inside: isInside, marked: isInside && isMarked(cell)};
    }
    const {grid, shows} = first;
    if (month && setLists(grid.around)) return {do: "set", shown};
    const writes = month && year !== shows.year && yearField(grid.around);
    if (writes) return pressing(writes, "year", shown);
    const away = (year - shows.year) * 12 + month - shows.month;
    const far = date && Math.abs(away) >= 12 && turner(grid.around, away > 0, true);
    const button = far || turner(grid.around, away > 0, false);
    if (!button) return {do: "none", shown};
    await tabmux.rested(button);
    return {...pressing(button, "turn", shown), away};
  }
}
