// @ts-check
// What is reported of one element: attributes, states, options, its icon and its label.

const {dom} = tabmux;
const {tag, attribute, queryAll, query, matches, textContent, checkVisibility} = dom;

const CUT = 200;
const OPTIONS = 150;
const RENDERED = {visibilityProperty: true};
const REPORTED = new Set((
  "id name type href action method placeholder autocomplete min max step pattern minlength " +
  "maxlength title rel download itemtype itemprop inputmode accept formaction formmethod src for " +
  "data-method data-testid data-icon data-action data-confirm aria-expanded aria-haspopup " +
  "aria-controls aria-pressed aria-current aria-selected aria-sort aria-autocomplete aria-label " +
  "aria-checked aria-multiselectable aria-roledescription contenteditable popovertarget toolname " +
  "data-toggle data-bs-toggle data-bs-target data-target value"
).split(" "));

/** @returns {string} the text on one line, cut */
tabmux.factText = (/** @type {string | null | undefined} */ text, limit = CUT) =>
  tabmux.collapsed(text ?? "").slice(0, limit);

/**
 * @param {Element} element
 * @param {string[]} names of its attributes
 * @returns {Record<string, string> | undefined}
 */
tabmux.factAttributes = function (element, names) {
  /** @type {Record<string, string>} */
  const found = {};
  let any = false;
  for (const name of names) {
    const listens = name === "onclick" || name === "onchange";
    const known = REPORTED.has(name) || listens;
    if (!known && !SCRIPTED.test(name) || name === "value" && isHeld(element)) continue;
    const value = attribute.call(element, name) ?? "";
    if (known) found[name] = listens ? "1" : value.slice(0, CUT);
    if (listens && ASKS.test(value) || name.includes("-confirm")) found["data-confirm"] = "1";
    else if (!known) found["data-method"] = name.endsWith("method") ? value.slice(0, CUT) : name.slice(name.lastIndexOf("-") + 1);
    any = true;
  }
  return any ? found : undefined;
};

/** What libraries call the attributes by which a link asks first, or sends something. */
const SCRIPTED = /-confirm(-|$)|-method$|^(data-)?hx-(post|put|patch|delete)$/;
const ASKS = /\bconfirm\s*\(/;

/** What a person types is not told; what a button or an option is worth is. */
function isHeld(/** @type {Field} */ element) {
  return tag.call(element) === "input" &&
    !["submit", "button", "radio", "checkbox", "image", "reset"].includes(element.type ?? "");
}

/** Whether anything says of itself, and so of what is in it, that it is disabled. */
let disabling = true;
/** Whether there are icons that are written as words. */
let drawn = true;

tabmux.duringWalks({
  begin: () => { disabling = drawn = false; },
  enter(/** @type {Document | ShadowRoot} */ root) {
    disabling ||= hasAny(root, '[aria-disabled="true"]');
    drawn ||= hasAny(root, LIGATURES);
  },
  end: () => { disabling = drawn = true; },
});

function hasAny(/** @type {Document | ShadowRoot} */ root, /** @type {string} */ selector) {
  return (root instanceof Document ? dom.queryDocument : dom.queryFragment).call(root, selector) !== null;
}

/** @returns {boolean} whether an element is disabled, by itself or by what is around it */
function isDisabled(/** @type {Element} */ element) {
  return disabling ? tabmux.isDisabled(element) : matches.call(element, ":disabled");
}
tabmux.factDisabled = isDisabled;

/** @returns {string} one letter for each state */
tabmux.factStates = function (/** @type {Field} */ element, /** @type {string} */ name) {
  if (name === "a") return isDisabled(element) ? "d" : "";
  let states = "";
  if (element.required === true || attribute.call(element, "aria-required") === "true") states += "r";
  if (isDisabled(element)) states += "d";
  if (element.readOnly === true || attribute.call(element, "aria-readonly") === "true") states += "o";
  if (element.checked === true || attribute.call(element, "aria-checked") === "true") states += "c";
  if (element.multiple === true) states += "m";
  return states;
};

/** @returns {Choice[] | undefined} */
tabmux.factOptions = function (/** @type {Field} */ element) {
  const name = tag.call(element);
  if (name === "select") return selectOptions(/** @type {HTMLSelectElement} */ (/** @type {Element} */ (element)));
  if (element.list) return [...element.list.options].slice(0, 5).map(option);
  if (attribute.call(element, "role") === "combobox" || attribute.call(element, "role") === "listbox") {
    return ariaOptions(element);
  }
  return undefined;
};

/** What is chosen is told also where there are too many to tell all: the field holds something. */
function selectOptions(/** @type {HTMLSelectElement} */ element) {
  const told = [...element.options].filter((each, at) => at < OPTIONS || each.selected);
  return told.slice(0, 2 * OPTIONS).map(option);
}

/** @returns {Choice} */
function option(/** @type {HTMLOptionElement} */ each) {
  const state = (each.disabled ? "d" : "") + (each.selected ? "c" : "");
  return [tabmux.factText(each.label || each.text || each.value, 80), each.value.slice(0, 80), state];
}

/** @returns {Choice[] | undefined} */
function ariaOptions(/** @type {Element} */ element) {
  const lists = [element, ...tabmux.referencesOf(element, "aria-controls"),
    ...tabmux.referencesOf(element, "aria-owns")];
  for (const list of lists) {
    const found = [...queryAll.call(list, "[role=option]")].slice(0, OPTIONS);
    if (found.length) return found.map((each) => [tabmux.factText(textContent.call(each), 80), "", ""]);
  }
  return replacedOptions(element);
}

/** @returns {Choice[] | undefined} what the hidden list offers that stands right before what a script shows instead */
function replacedOptions(/** @type {Element} */ element) {
  const before = element.previousElementSibling;
  if (!(before instanceof HTMLSelectElement) || checkVisibility.call(before, RENDERED)) return undefined;
  return selectOptions(before).map(([text]) => [text, "", ""]);
}

const HINTS = ["data-original-title", "data-bs-original-title", "data-tooltip", "data-tippy-content",
  "data-tip", "data-hint", "data-title", "tooltip", "mattooltip"];

/** @returns {string} what shows when the mouse is over something without words, or over all that is in it or around it */
tabmux.factHint = function (/** @type {Element} */ element) {
  const own = hintOf(element);
  if (own) return own;
  const inner = dom.firstElement.call(element);
  const within = inner && !dom.nextElement.call(inner) ? hintOf(inner) : "";
  if (within) return within;
  const around = element.parentElement;
  return around && around.childElementCount === 1 && tag.call(around) !== "td" ? hintOf(around) : "";
};

/** @returns {string} */
function hintOf(/** @type {Element} */ element) {
  const found = ["title", ...HINTS].map((name) => attribute.call(element, name)).find(Boolean);
  return tabmux.factText(found?.replace(/<[^>]*>/g, " "), 80);
}

const LIGATURES = "[class*=material], mat-icon, i";
const ICONS = "i, svg, use, img, [class*=icon], [data-icon], [class*=material], [class*=glyph]";

/** @returns {string} words by which an icon tells what it means */
tabmux.factIcon = function (/** @type {Element} */ element) {
  if (!dom.firstElement.call(element)) return "";
  const found = queryAll.call(element, ICONS);
  if (!found.length) return "";
  /** @type {(string | null)[]} */
  const words = [];
  for (let at = 0; at < found.length && at < 4; at++) addIconWords(found[at], words);
  return tabmux.factText(words.filter(Boolean).join(" "), 120);
};

function addIconWords(/** @type {Element} */ each, /** @type {(string | null)[]} */ words) {
  const name = tag.call(each);
  words.push(attribute.call(each, "data-icon"), attribute.call(each, "class"));
  const link = attribute.call(each, "href") ?? attribute.call(each, "xlink:href");
  if (link?.includes("#")) words.push(link.slice(link.indexOf("#")));
  if (name === "svg") words.push(textContent.call(query.call(each, "title") ?? each).slice(0, 40));
  if (name === "img") {
    const file = (attribute.call(each, "src") ?? "").split(/[?#]/)[0].split("/").pop() ?? "";
    words.push(attribute.call(each, "alt"), file.slice(0, 40));
  }
  if (isLigature(each)) words.push(textContent.call(each));
}

/** @returns {boolean} whether the text of an element is the name of a picture */
function isLigature(/** @type {Element} */ each) {
  return /material/i.test(attribute.call(each, "class") ?? "") || tag.call(each).includes("-icon") ||
    (tag.call(each) === "i" && /material/i.test(getComputedStyle(each).fontFamily));
}

/** @returns {string} the names of pictures in it, which are no words of its name */
tabmux.factLigatures = function (/** @type {Element} */ element) {
  if (!drawn || !dom.firstElement.call(element)) return "";
  const found = queryAll.call(element, LIGATURES);
  if (!found.length) return "";
  return [...found].filter(isLigature).map((each) => textContent.call(each).trim()).join(" ");
};

/** @returns {string} text that stands before a control and belongs to nothing else */
tabmux.factNearby = function (/** @type {Element} */ control) {
  const rendered = checkVisibility.call(control, RENDERED);
  const says = attribute.call(control, "placeholder") !== null;
  for (let /** @type {Node | null} */ at = control, hops = 0; at && hops < 4; at = dom.parentNode.call(at), hops++) {
    if (!(at instanceof Element) || tag.call(at) === "form" || tag.call(at) === "body") return "";
    const cell = tag.call(at) === "td" ? /** @type {HTMLTableCellElement} */ (at) : null;
    const text = cell && headed(cell) || before(at, rendered, says);
    if (text) return text === HEADS ? "" : text;
    if (cell) return cellLabel(cell);
  }
  return "";
};

/** What heads a part of the page is no label of a field that says itself what it takes. */
const HEADINGS = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
const LONG = 1000;
const HEADS = "\u0000";

/** What a page hides beside a control that it shows is no label: a value to go back to, a hint for later. */
function before(/** @type {Element} */ element, /** @type {boolean} */ rendered, says = false) {
  for (let node = element.previousSibling, hops = 0; node && hops < 4; node = node.previousSibling, hops++) {
    if (node instanceof Element) {
      if (tag.call(node) === "script" || tag.call(node) === "style") continue;
      if (rendered && !checkVisibility.call(node, RENDERED)) continue;
      if (holdsControl(node)) return "";
    }
    if (node.nodeType === Node.COMMENT_NODE) continue;
    if (says && node instanceof Element && HEADINGS.has(tag.call(node))) return HEADS;
    const text = tabmux.factText(shownText(node, rendered), 80);
    if (/[\p{L}\p{N}]/u.test(text)) return text;
  }
  return "";
}

/** @returns {string} the text of a node, without what a hint beside it hides */
function shownText(/** @type {Node} */ node, /** @type {boolean} */ rendered) {
  const held = node.textContent ?? "";
  if (!rendered || !(node instanceof HTMLElement) || held.length > LONG || !dom.firstElement.call(node)) return held;
  return node.innerText;
}

function holdsControl(/** @type {Element} */ node) {
  const controls = "input:not([type=hidden]), select, textarea, button";
  return node.matches(controls) || Boolean(query.call(node, controls));
}

/** @returns {string} what a cell is about: its row, its column, or both where the row has several fields */
function cellLabel(/** @type {HTMLTableCellElement} */ cell) {
  const named = rowName(cell);
  return named && fieldsBeside(cell) > 1 ? `${named} ${header(cell)}`.trim() : named || header(cell);
}

/** @returns {string} the same under heads of columns, where the cell beside is no label, unless it begins the row */
function headed(/** @type {HTMLTableCellElement} */ cell) {
  const above = columnHead(cell), named = rowName(cell);
  if (!above) return "";
  if (named && fieldsBeside(cell) > 1) return `${named} ${above}`;
  return named && cell.cellIndex === 1 ? named : above;
}

/** @returns {string} what a row begins with, if that is no field and not the cell itself */
function rowName(/** @type {HTMLTableCellElement} */ cell) {
  const first = /** @type {HTMLTableRowElement | null} */ (closest(cell, "tr"))?.cells[0];
  return first && first !== cell && !holdsControl(first) ? tabmux.factText(textContent.call(first), 60) : "";
}

function fieldsBeside(/** @type {HTMLTableCellElement} */ cell) {
  const row = closest(cell, "tr");
  return row ? queryAll.call(row, "input:not([type=hidden]), select, textarea").length : 0;
}

/** @returns {string} the head of a cell's column, where a table has as many heads as the row has cells */
function columnHead(/** @type {HTMLTableCellElement} */ cell) {
  const table = /** @type {HTMLTableElement | null} */ (closest(cell, "table"));
  const heads = [...(table?.tHead?.rows[0] ?? table?.rows[0])?.cells ?? []];
  const row = /** @type {HTMLTableRowElement | null} */ (closest(cell, "tr"));
  if (heads.length !== row?.cells.length || heads.length < 3 || heads[0].parentNode === row) return "";
  const above = heads[cell.cellIndex];
  return heads.every((each) => tag.call(each) === "th") && !holdsControl(above) ? tabmux.factText(textContent.call(above), 60) : "";
}

/** @returns {string} the header of a cell's column */
function header(/** @type {HTMLTableCellElement} */ cell) {
  const row = closest(cell, "tr");
  const head = /** @type {HTMLTableElement | null} */ (closest(cell, "table"))?.tHead?.rows[0];
  const above = (head ?? row?.previousElementSibling)?.children[cell.cellIndex];
  return above && !holdsControl(above) ? tabmux.factText(textContent.call(above), 80) : "";
}

const closest = (/** @type {Element} */ element, /** @type {string} */ selector) =>
  dom.closest.call(element, selector);
