// @ts-check
/** Controls made of other elements, which say of themselves little or nothing: what they are, by what is in them. */

/**
 * @typedef {object} Composite
 * @property {"toggle" | "list" | "parts" | "stepper" | "track" | "row" | "calendar" | "cell" | "opens"} kind
 *   toggle: a switch without a role; list: a group of toggles, of which some are chosen; parts: several numbers, or those of a date;
 *   stepper: a number between two buttons; track: a thumb that is dragged; row: like things of which
 *   the first few are marked, as the stars of a rating;
 *   calendar: days that stand in the page; cell: becomes a field when it is clicked; opens: shows what to choose from
 * @property {Element[]} [parts]
 */

const MEMBERS = "[role=radio],input[type=radio],[role=checkbox],input[type=checkbox],[role=switch],[role=tab],[aria-pressed]";
const OTHERS = "input:not([type=radio],[type=checkbox],[type=hidden]),select,textarea,[contenteditable=true],[role=combobox],[role=slider],[role=spinbutton]";
const GROUPS = new Set(["group", "toolbar", "tablist", "list", "radiogroup", "generic", "none", "navigation"]);
const NUMBERS = "[role=slider],[role=spinbutton],input[type=number],input[type=range]";
const BUTTONS = "button,[role=button]";
const CLIMB = 2, FAR = 4, TALLEST = 90, LEAST_WAY = 3;

/** Whether an element is there to choose among the toggles in it. */
tabmux.isGroup = function (element) {
  const role = tabmux.roleOf(element);
  if (role === "radiogroup") return true;
  if (!GROUPS.has(role)) return false;
  return element.querySelectorAll(MEMBERS).length > 1 && !element.querySelector(OTHERS);
};

/**
 * @param {Element} element
 * @param {string} value
 * @returns {Composite | null}
 */
tabmux.compositeOf = function (element, value) {
  if (NAMES_DAY.test(value) && tabmux.holdsDays(element)) return {kind: "calendar"};
  const parts = tabmux.partsFor(element, value);
  if (parts) return {kind: "parts", parts};
  if (tabmux.isGroup(element)) return {kind: "list"};
  if (value.trim() !== "" && !isNaN(Number(value))) {
    const buttons = stepButtons(element);
    if (buttons) return {kind: "stepper", parts: buttons};
    const thumb = thumbOf(element), row = rowIn(element);
    if (thumb) return {kind: "track", parts: [thumb]};
    if (row && Number(value) <= row.length && Number.isInteger(Number(value))) return {kind: "row", parts: row};
  }
  if (/^(true|false)$/.test(value) && isSwitch(element)) return {kind: "toggle"};
  if ((element.localName === "td" || /^(gridcell|cell)$/.test(tabmux.roleOf(element))) && !element.querySelector(`${MEMBERS},${OTHERS}`)) return {kind: "cell"};
  return opens(element) ? {kind: "opens"} : null;
};

const NAMES_DAY = /\d{4}-\d\d-\d\d/, LEAST_DAYS = 28;

/** Whether a calendar stands in an element: days that can be pressed, in order. */
tabmux.holdsDays = function (element) {
  if (element instanceof HTMLInputElement) return false;
  const days = [...element.querySelectorAll("td,button,a,span,div,li,time")].filter((each) =>
    !each.childElementCount && /^\s*\d\d?\s*$/.test(each.textContent ?? "")).map((each) => Number(each.textContent));
  return days.length >= LEAST_DAYS && days.some((each, n) => each === 1 && days[n + LEAST_DAYS - 1] === LEAST_DAYS);
};

const DATE_PARTS = /^\d{1,4}\D\d{1,2}(\D\d{1,4})?/;

/** @returns {Element[] | null} of several numbers or a date or a time the parts that are numbers */
tabmux.partsFor = function (element, value) {
  if (!GROUPS.has(tabmux.roleOf(element))) return null;
  const roles = [...element.querySelectorAll(NUMBERS)].filter((each) => each.checkVisibility({visibilityProperty: true}));
  const parts = roles.length > 1 || !trackOf(element) ? roles : [...element.querySelectorAll(THUMBS)];
  if (parts.length < 2) return null;
  if (DATE_PARTS.test(value.trim()) && parts.every((each) => each.getAttribute("role") === "spinbutton")) return parts;
  const numbers = value.match(/^\s*\[(.*)\]\s*$/)?.[1].split(",").filter((each) => each.trim() !== "" && !isNaN(Number(each)));
  return numbers?.length === parts.length ? parts : null;
};

const MORE = /^\s*[+＋▲△⌃⏶↑]\s*$|incre|\b(plus|more|add|up|next|raise)\b|[-_](plus|up|add)\b/i;
const LESS = /^\s*[-−–—▼▽⌄⏷↓]\s*$|decre|\b(minus|less|fewer|remove|down|subtract|reduce|prev\w*|lower)\b|[-_](minus|down|sub)\b/i;

/** @returns {Element[] | null} what counts a number up and down: for the number, or for what is around all three */
function stepButtons(/** @type {Element} */ element) {
  let /** @type {Element | null} */ at = element;
  for (let climbed = 0; at && climbed <= CLIMB; at = tabmux.parentOf(at), climbed += 1) {
    const all = [...at.querySelectorAll(BUTTONS)];
    if (all.length > 2) return null;
    if (all.length < 2 || tabmux.standsAt(at) === null) continue;
    const up = all.find((each) => MORE.test(called(each))), down = all.find((each) => each !== up && LESS.test(called(each)));
    return up && down ? [up, down] : null;
  }
  return null;
}

/** Whether an element that no role calls a toggle looks like one. */
function isSwitch(/** @type {Element} */ element) {
  const role = tabmux.roleOf(element);
  return tabmux.looksOn(element) !== null && (role === "button" || (GROUPS.has(role) && isClickable(element)));
}

const ON = /(^|[-_])(on|checked|active|selected|enabled|pressed|toggled)$/i, OFF = /(^|[-_])(off|unchecked|inactive|unselected)$/i;
const TRUE = /^(true|on|yes|1|checked|active|selected)$/i, FALSE = /^(false|off|no|0|unchecked|inactive|unselected)$/i;

/** @returns {boolean | null} whether a toggle is on, by what a page may write instead of a state */
tabmux.looksOn = function (element) {
  const box = element.querySelector("input[type=checkbox]") ?? tabmux.shadowOf(element)?.querySelector("input[type=checkbox]");
  if (box instanceof HTMLInputElement) return box.checked;
  const hidden = /** @type {HTMLInputElement | null} */ (element.querySelector("input[type=hidden]"));
  const data = ["state", "checked", "selected", "active", "on", "value"].map((name) => element.getAttribute(`data-${name}`));
  for (const said of [...data, hidden?.value, element.textContent?.trim()]) {
    if (said && (TRUE.test(said) || FALSE.test(said))) return TRUE.test(said);
  }
  const names = [...element.classList];
  return names.some((each) => OFF.test(each)) ? false : names.some((each) => ON.test(each)) ? true : null;
};

function called(/** @type {Element} */ button) {
  const name = tabmux.nameOf(button) || button.textContent || "";
  return MORE.test(name) || LESS.test(name) ? name : [button, ...button.children].map((each) => each.getAttribute("class") ?? "").join(" ");
}

/** @returns {Element | null} what a thumb is dragged along */
function trackOf(/** @type {Element} */ element) {
  let /** @type {Element | null} */ at = element;
  for (let climbed = 0; at && at !== document.body && climbed < FAR; at = tabmux.parentOf(at), climbed += 1) {
    if (/slider|\brange|\btrack/i.test(`${at.localName} ${at.getAttribute("class") ?? ""}`)) return at;
  }
  return null;
}

const THUMBS = "[class*=thumb],[class*=handle],[class*=knob],[class*=pointer],[class*=grip]";

/** @returns {Element | null} what is dragged along a track: the element itself, or the only thumb in it */
function thumbOf(/** @type {Element} */ element) {
  if (!trackOf(element)) return null;
  if (element.getBoundingClientRect().width < MARK) return element;
  const thumbs = [...element.querySelectorAll(THUMBS)].filter((each) => each.getBoundingClientRect().width > 0);
  const outer = thumbs.filter((each) => !thumbs.some((other) => other !== each && other.contains(each)));
  return outer.length === 1 ? outer[0] : null;
}

const LEAST_ROW = 3, MOST_ROW = 10;

/** @returns {Element[] | null} the stars of a rating, or what is drawn instead */
function rowIn(/** @type {Element} */ element) {
  for (const around of [element, element.firstElementChild]) {
    const all = [...around?.children ?? []];
    const isRow = all.length >= LEAST_ROW && all.length <= MOST_ROW && all.every((each) => isLike(each, all[0]));
    if (isRow) return all;
  }
  return null;
}

function isLike(/** @type {Element} */ each, /** @type {Element} */ first) {
  const own = each.getBoundingClientRect(), other = first.getBoundingClientRect();
  const isSmall = own.width > 0 && own.width < MARK && Math.abs(own.width - other.width) < 3 && Math.abs(own.top - other.top) < 3;
  return isSmall && each.localName === first.localName && !/\d/.test(each.textContent ?? "") &&
    (isClickable(each) || isClickable(/** @type {Element} */ (each.parentElement)));
}

const OPENERS = /select|drop-?down|picker|combo|choose|cascad|date|time|colou?r|calendar|listbox|menu/i;

/** Whether a click on it may show what can be chosen: it says so, or looks like it and is no button that does things. */
function opens(/** @type {Element} */ element) {
  const opener = element.getAttribute("aria-haspopup");
  if ((opener && opener !== "false") || element.hasAttribute("aria-expanded")) return true;
  const role = tabmux.roleOf(element);
  const words = [element, ...element.children].map((each) => `${each.localName} ${each.getAttribute("class") ?? ""} ${each.id}`).join(" ");
  if (role === "button") return OPENING_BUTTONS.test(words);
  if (!GROUPS.has(role) || element.getBoundingClientRect().height > TALLEST || element.querySelector("a[href]")) return false;
  return isClickable(element) || OPENERS.test(words);
}

const MARKS = "svg,img,i,[class*=arrow],[class*=caret],[class*=icon]", MARK = 40;

// A button may do things; these names are given to what shows something to choose from.
const OPENING_BUTTONS = /drop-?down|picker|combo|listbox|cascad|calendar|select[-_]?(trigger|button|toggle)/i;
const SUGGESTERS = /select|drop-?down|combo|auto-?complete|typeahead|suggest|choices/i;

/** Whether a field is called what suggests something for a text, or has its browser suggest nothing. */
tabmux.suggests = function (field) {
  const off = /** @type {HTMLInputElement} */ (field).getAttribute("autocomplete") ?? "";
  const around = [field, field.parentElement, field.parentElement?.parentElement];
  // A word that browsers do not know keeps them from suggesting, as "off" does not always.
  return (/-/.test(off) && /** @type {HTMLInputElement} */ (field).autocomplete === "") || around.some((each) => SUGGESTERS.test(each?.getAttribute("class") ?? ""));
};

/** Whether a field has a mark beside it, as arrows and calendars are drawn, or is called what opens. */
tabmux.looksOpened = function (field) {
  const box = field.getBoundingClientRect();
  let at = field.parentElement;
  for (let climbed = 0; at && climbed < FAR && at.getBoundingClientRect().height < TALLEST; at = at.parentElement, climbed += 1) {
    if (OPENERS.test(at.getAttribute("class") ?? "")) return true;
    const marks = at.querySelectorAll("input,textarea").length === 1 ? [...at.querySelectorAll(MARKS)] : [];
    if (marks.some((each) => isMark(each.getBoundingClientRect(), box))) return true;
  }
  return false;
};

function isMark(/** @type {DOMRect} */ mark, /** @type {DOMRect} */ field) {
  return mark.width > 0 && mark.width < MARK && mark.right > field.right - MARK && mark.top < field.bottom && mark.bottom > field.top;
}

function isClickable(/** @type {Element} */ element) {
  return tabmux.isFocusable(element) || getComputedStyle(element).cursor === "pointer";
}

/**
 * The number that is shown for what is moved, by its node: the one that changes with it.
 * @type {WeakMap<Element, {before: Map<Node, number>, shown: Node | null}>}
 */
const watched = new WeakMap();
const NUMBER = /^[^\d-]{0,3}(-?\d[\d,]*(?:\.\d+)?)\D{0,4}$/;

/** @returns {number | null} what a slider or spin button stands at; pages write "50%", too */
tabmux.standsAt = function (element) {
  const now = parseFloat(element.getAttribute("aria-valuenow") ?? "");
  if (Number.isFinite(now)) return now;
  return watched.has(element) ? shownNumber(element) : writtenNumber(element);
};

/** The only number that an element writes beside its buttons. */
function writtenNumber(/** @type {Element} */ element) {
  const all = numbersIn(element);
  return all.size === 1 ? [...all.values()][0] : null;
}

/** @returns {Map<Node, number>} the numbers that are written in a part, and that fields there hold */
function numbersIn(/** @type {Element} */ part) {
  /** @type {Map<Node, number>} */
  const found = new Map();
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let /** @type {Node | null} */ node = part; node; node = walker.nextNode()) {
    const text = node instanceof HTMLInputElement ? node.value : node instanceof Text && !node.parentElement?.closest(BUTTONS) ? node.data : "";
    const number = text.trim().match(NUMBER);
    if (number) found.set(node, Number(number[1].replace(/,/g, "")));
  }
  return found;
}

function numbersFor(/** @type {Element} */ element) {
  let around = /** @type {Element} */ (trackOf(element) ?? element);
  for (let climbed = 0; climbed < CLIMB && around.parentElement && around.parentElement !== document.body; climbed += 1) around = around.parentElement;
  const fresh = tabmux.inSight ? tabmux.everywhere("div,span,output,output").filter((each) => !each.childElementCount && tabmux.isNew(each)) : [];
  return new Map([...numbersIn(around.parentElement ?? around), ...fresh.flatMap((each) => [...numbersIn(each)])]);
}

/** Starts to watch which number goes with a thumb. */
tabmux.watchNumbers = function (element) {
  if (!watched.has(element)) watched.set(element, {before: numbersFor(element), shown: null});
};

function shownNumber(/** @type {Element} */ element) {
  const about = /** @type {{before: Map<Node, number>, shown: Node | null}} */ (watched.get(element)), now = numbersFor(element);
  if (about.shown && now.has(about.shown)) return now.get(about.shown) ?? null;
  const moved = [...now].find(([node, number]) => about.before.get(node) !== number);
  if (moved) about.shown = moved[0];
  return moved ? moved[1] : placeOn(element);
}

/** How far a thumb is on its way, of a hundred; null where it is not on its way. */
function placeOn(/** @type {Element} */ thumb) {
  const own = thumb.getBoundingClientRect();
  let track = thumb.parentElement;
  while (track && track !== document.body && track.clientWidth < LEAST_WAY * own.width) track = track.parentElement;
  if (!track || track === document.body) return null;
  const way = track.getBoundingClientRect(), [low, high] = scaleOf(thumb) ?? [{at: way.left, is: 0}, {at: way.right, is: 100}];
  const place = low.is + ((own.left + own.right) / 2 - low.at) / (high.at - low.at) * (high.is - low.is);
  const fine = Math.abs(high.is - low.is) < COARSE ? 10 : 1;
  return Math.round(place * fine) / fine;
}

const COARSE = 10;

/** @returns {{at: number, is: number}[] | null} the first and the last of the numbers that are written along a track */
function scaleOf(/** @type {Element} */ thumb) {
  const around = trackOf(thumb)?.closest("[class*=slider],[class*=range]") ?? thumb.parentElement;
  const ticks = [...numbersIn(/** @type {Element} */ (around))].flatMap(([node, is]) => {
    const box = node instanceof Text ? tabmux.textBoxes(node)[0] : null;
    return box && !thumb.contains(node) ? [{at: (box.left + box.right) / 2, is}] : [];
  }).sort((a, b) => a.at - b.at);
  const inOrder = ticks.every((each, n) => n === 0 || each.is > ticks[n - 1].is);
  return ticks.length > 1 && inOrder ? [ticks[0], ticks[ticks.length - 1]] : null;
}

/** Whether what is moved shows its number, or stands at a scale. */
tabmux.showsNumber = (element) => !watched.has(element) || Boolean(watched.get(element)?.shown) || scaleOf(element) !== null;

/** What may tell of a row of like things which of them are marked. */
tabmux.looksOf = (parts) => parts.map((each) => [each, ...each.querySelectorAll("*")]
  .map((inner) => [...inner.attributes].filter(({name}) => name !== "id").map(({name, value}) => `${name}=${value}`).join(" ")).join("\n"));
