// @ts-check
/** Puts values into form controls, and tells what a control holds. */

const TEXT_TYPES = new Set(["text", "search", "email", "url", "tel", "password", "number", ""]);
const SET_TYPES = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);
const TOGGLE_ROLES = new Set([
  "checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio",
]);
const STEP_ROLES = new Set(["slider", "spinbutton"]);
const LIST_ROLES = new Set(["combobox", "listbox", "radiogroup"]);

// Snapshots show nothing that takes no room, so values and labels are compared without it.
function collapse(/** @type {string | null} */ text) {
  return (text || "").replace(/\p{Default_Ignorable_Code_Point}+/gu, "").replace(/\s+/g, " ").trim();
}

/** The control that a label, or a wrapper made by a component library, stands for. */
function control(/** @type {Element} */ element) {
  if (element instanceof HTMLLabelElement && element.control) return element.control;
  const kind = kindOf(element);
  if (kind === "editor") return wholeEditor(element);
  return kind ? element : onlyControlIn(element) ?? element;
}

/** The editing host for what is all that it holds: a paragraph of an editor takes no focus, nor keys. */
function wholeEditor(/** @type {Element} */ part) {
  if (part instanceof HTMLTextAreaElement) return editorBeside(part) ?? part;
  const host = editingHost(part);
  if (host && collapse(host.textContent) === collapse(part.textContent)) wholeEditors.set(part, host);
  return wholeEditors.get(part) ?? part;
}

/** @returns {Element | null} the only editor in sight beside a field out of sight, which passes on what is pasted into it */
function editorBeside(/** @type {HTMLTextAreaElement} */ field) {
  let at = field.parentElement;
  for (let climbed = 0; at && climbed < MOST_CLIMBED; at = at.parentElement, climbed += 1) {
    const hosts = [...at.querySelectorAll("[contenteditable=true]")].filter((each) => each.checkVisibility() && each.getBoundingClientRect().height > LEAST_SIGHT);
    if (hosts.length) return hosts.length === 1 ? hosts[0] : null;
  }
  return null;
}

/** @type {WeakMap<Element, Element>} the parts that stood for all of their editors before it was filled */
let wholeEditors = new WeakMap();

/** @returns {HTMLElement | null} where editing starts, around a part of an editor */
function editingHost(/** @type {Element} */ part) {
  let at = /** @type {HTMLElement | null} */ (part);
  if (!at?.isContentEditable || tabmux.isFocusable(part)) return null;
  while (at && !tabmux.isEditingHost(at)) at = /** @type {HTMLElement | null} */ (tabmux.parentOf(at));
  return at;
}

const WRAPPERS = new Set(["generic", "group", "none", "LabelText"]);
const CONTROLS = "input:not([type=hidden]),select,textarea,[contenteditable=true],[role=slider]," +
  "[role=spinbutton],[role=combobox],[role=listbox],[role=switch],[role=checkbox],[role=textbox]";

/** @returns {Element | null} the control inside of a component, if there is one that is meant */
function onlyControlIn(/** @type {Element} */ element) {
  if (!WRAPPERS.has(tabmux.roleOf(element)) && !element.localName.includes("-")) return null;
  const roots = [element, tabmux.shadowOf(element)];
  const found = roots.flatMap((root) => [...root?.querySelectorAll(CONTROLS) ?? []])
    .filter((each) => kindOf(each) && each.checkVisibility({visibilityProperty: true}));
  const fields = found.filter((each) => each.matches("input,select,textarea"));
  return found.length === 1 ? found[0] : fields.length === 1 ? fields[0] : null;
}

/** @typedef {"text" | "editor" | "set" | "toggle" | "select" | "file" | "steps" | "list" | "combobox" | "tags" | ""} Kind */

/** @returns {Kind} */
function kindOf(/** @type {Element} */ element) {
  if (element instanceof HTMLSelectElement) return "select";
  if (element instanceof HTMLTextAreaElement) return textKind(element);
  if (element instanceof HTMLInputElement) {
    if (element.type === "checkbox" || element.type === "radio") return "toggle";
    if (TEXT_TYPES.has(element.type)) return textKind(element);
    return SET_TYPES.has(element.type) ? "set" : element.type === "file" ? "file" : "";
  }
  const role = tabmux.roleOf(element);
  if (isEditable(element)) return STEP_ROLES.has(role) ? "steps" : role === "combobox" ? "combobox" : "editor";
  if (TOGGLE_ROLES.has(role) || element.hasAttribute("aria-pressed")) return "toggle";
  if (STEP_ROLES.has(role)) return "steps";
  return LIST_ROLES.has(role) || element.getAttribute("aria-haspopup") === "listbox" ? "list" : "";
}

/** @returns {boolean} whether keys write into the element itself */
function isEditable(/** @type {Element} */ element) {
  const {isContentEditable, editContext} = /** @type {HTMLElement & {editContext?: object}} */ (element);
  return isContentEditable || Boolean(editContext);
}

/** @returns {Kind} */
function textKind(/** @type {HTMLInputElement | HTMLTextAreaElement} */ field) {
  const around = field.parentElement?.closest("[role=combobox]");
  const listed = field.getAttribute("role") === "combobox" || Boolean(around);
  if (isReadOnly(field)) return listed || field.getAttribute("aria-haspopup") === "listbox" ? "list" : "text";
  if (listed) return !around && isSearch(field) ? "text" : "combobox";
  return field instanceof HTMLTextAreaElement && isOutOfSight(field) ? "editor" : "text";
}

/** What a search field suggests is not its value: to choose there is to search. */
function isSearch(/** @type {HTMLInputElement | HTMLTextAreaElement} */ field) {
  if (field.closest("search, [role=search]")) return true;
  const words = [field.name, field.id, field.placeholder, tabmux.nameOf(field)].join(" ");
  return field.type === "search" && /search|query|^q\b/i.test(words);
}

const LEAST_SIGHT = 8;

/** Whether a field only catches keys for an editor that shows the text elsewhere. */
function isOutOfSight(/** @type {Element} */ field) {
  if (!field.checkVisibility({opacityProperty: true, visibilityProperty: true})) return true;
  let {left, top, right, bottom} = field.getBoundingClientRect();
  for (let at = tabmux.parentOf(field); at; at = tabmux.parentOf(at)) {
    if (right - left < LEAST_SIGHT || bottom - top < LEAST_SIGHT) return true;
    if (getComputedStyle(at).overflow === "visible" || at === document.documentElement) continue;
    const box = at.getBoundingClientRect();
    // What is scrolled away can be brought back; what stands in something tiny cannot.
    right = left + Math.min(right - left, box.width), bottom = top + Math.min(bottom - top, box.height);
  }
  return false;
}

/** @returns {boolean | "mixed"} */
function isOn(/** @type {Element} */ element) {
  if (element instanceof HTMLInputElement) return element.indeterminate ? "mixed" : element.checked;
  const {checked, pressed} = toldStates(element) ?? {};
  const state = writtenState(element) ?? checked ?? pressed ?? tabmux.looksOn(element);
  return state === "mixed" ? "mixed" : String(state) === "true";
}

function writtenState(/** @type {Element} */ element) {
  return element.getAttribute("aria-checked") ?? element.getAttribute("aria-pressed");
}

/** What a component said of itself, where no attribute does: it may have changed since it was asked. */
function toldStates(/** @type {Element} */ element) {
  return writtenState(element) === null ? tabmux.semanticsOf(element)?.states : undefined;
}

/** Whether a toggle says nowhere whether it is on: classes and colours alone show it. */
function isMute(/** @type {Element} */ element) {
  return !(element instanceof HTMLInputElement) && writtenState(element) === null && !toldStates(element) && tabmux.looksOn(element) === null;
}

function announce(/** @type {Element} */ element) {
  element.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
  element.dispatchEvent(new Event("change", {bubbles: true}));
}

function valueOf(/** @type {Element} */ element) {
  if (element instanceof HTMLSelectElement) {
    return chosenIn(element).join(", ");
  }
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    return element.value;
  }
  return /** @type {HTMLElement} */ (element).innerText;
}

const chosenIn = (/** @type {HTMLSelectElement} */ select) => [...select.selectedOptions].map((option) => collapse(option.label));

/** Assign past the property that a framework may have put on the element itself. */
function assign(/** @type {HTMLInputElement} */ element, /** @type {string} */ value) {
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  setter?.call(element, value);
}

function wanted(/** @type {string} */ value) {
  if (value.trim().startsWith("[")) {
    try {
      const list = JSON.parse(value);
      if (Array.isArray(list)) return list.map(String);
    } catch {
      // not a list after all
    }
  }
  return null;
}

function optionFor(/** @type {HTMLSelectElement} */ select, /** @type {string} */ value) {
  const options = [...select.options];
  const text = collapse(value);
  return options.find((option) => option.value === value)
    ?? options.find((option) => collapse(option.label) === text || collapse(option.text) === text)
    ?? options.find((option) => collapse(option.label).toLowerCase() === text.toLowerCase());
}

function choose(/** @type {HTMLSelectElement} */ select, /** @type {string} */ value) {
  let values = wanted(value) ?? [value];
  if (select.multiple && values.length === 1 && !optionFor(select, values[0])) {
    values = value.split(/[,\n]/).map((part) => part.trim()).filter(Boolean);
  }
  if (!select.multiple && values.length > 1) {
    return tabmux.complaint(select, "not_fillable", "takes one value only.");
  }
  const options = values.map((each) => optionFor(select, each));
  const missing = options.findIndex((option) => !option);
  if (missing >= 0) {
    const known = [...select.options].slice(0, 20).map((option) => tabmux.inQuotes(collapse(option.label)));
    return tabmux.complaint(
      select, "no_such_option", `has no option ${tabmux.inQuotes(values[missing])}.`,
      `Use one of ${known.join(", ")}${select.options.length > 20 ? ", …" : ""}.`);
  }
  const off = options.find((option) => option?.matches(":disabled"));
  if (off) return tabmux.complaint(select, "disabled", `has ${tabmux.inQuotes(collapse(off.label))} disabled.`);
  return pick(select, /** @type {HTMLOptionElement[]} */ (options));
}

function pick(/** @type {HTMLSelectElement} */ select, /** @type {HTMLOptionElement[]} */ options) {
  select.focus();
  const before = [...select.selectedOptions].map((option) => option.index);
  let changed = false;
  for (const option of select.options) {
    const on = options.includes(option);
    changed = changed || option.selected !== on;
    if (select.multiple) option.selected = on;
    else if (on) option.selected = true;
  }
  if (changed) announce(select);
  // What a component draws in place of a hidden select may not follow it.
  if (isOutOfSight(select) || select.parentElement?.closest("[role=combobox], [role=listbox]")) {
    return {kind: "select", done: false, value: valueOf(select), before, wanted: options.map((option) => collapse(option.label))};
  }
  return {kind: "select", done: true, value: valueOf(select)};
}

/**
 * Put back what a select held.
 * @param {number} epoch
 * @param {number} label
 * @param {number[]} chosen indices
 */
tabmux.reselect = function (epoch, label, chosen) {
  const select = tabmux.controlOf(epoch, label);
  if (!(select instanceof HTMLSelectElement)) return {trouble: "gone"};
  for (const option of select.options) option.selected = chosen.includes(option.index);
  announce(select);
  return {value: valueOf(select)};
};

function selectAll(/** @type {HTMLElement} */ element) {
  element.focus();
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    element.select();
    return;
  }
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

function set(/** @type {HTMLInputElement} */ element, /** @type {string} */ value) {
  element.focus();
  const before = element.value;
  assign(element, value);
  const given = element.type === "color" ? value.toLowerCase() : value;
  const close = element.type === "range" && value.trim() !== "" && !isNaN(Number(value));
  if (element.value !== given && !close && Date.parse(element.value) !== Date.parse(given)) {
    const now = element.value;
    assign(element, before);
    return tabmux.complaint(
      element, "not_fillable", `does not take ${tabmux.inQuotes(value)}${now ? ` (it became ${tabmux.inQuotes(now)})` : ""}.`,
      `Give the value as ${FORMATS[element.type] ?? "the control expects it"}.`);
  }
  if (element.value !== before) announce(element);
  const beside = element.type === "range" && Number(element.value) !== Number(value);
  return {kind: "set", done: true, value: element.value, ...(beside && {remark: `It stands at ${element.value}, the nearest that it takes.`})};
}

/** @type {Record<string, string>} */
const FORMATS = {
  "date": "YYYY-MM-DD", "time": "HH:MM", "datetime-local": "YYYY-MM-DDTHH:MM",
  "month": "YYYY-MM", "week": "YYYY-Www", "color": "#rrggbb", "range": "a number",
};

function notFillable(/** @type {Element} */ element) {
  const hint = element.querySelector("input, select, textarea, [contenteditable]")
    ? "Fill the field inside it instead." : "Use click for buttons, links and custom widgets.";
  return tabmux.complaint(element, "not_fillable", "cannot be filled.", hint);
}

/**
 * What was filled, by its label: what it held before, where that was something else, and then.
 * @type {Map<number, {element: Element, kind: Kind, before: string | null, then: string | null}>}
 */
const filled = new Map();
// Whether that has been looked at: what is filled next is another action.
let isLookedAt = false;

// Of these the value can be read from the element itself, before and after.
const READ_KINDS = new Set(["text", "set", "select", "toggle", "editor"]);

function stateOf(/** @type {Element} */ element, /** @type {Kind} */ kind) {
  return kind === "toggle" ? String(isOn(element)) : valueOf(element);
}

/**
 * Give a control its value by `act`, and remember what it held if it gets another one.
 * @template Answer
 * @param {number} label
 * @param {Element} element
 * @param {Kind} kind
 * @param {string} value
 * @param {() => Answer} act
 * @returns {Answer}
 */
function remembering(label, element, kind, value, act) {
  const isRead = READ_KINDS.has(kind) && (kind !== "editor" || isEditable(element));
  const before = isRead ? stateOf(element, kind) : "";
  const answer = act();
  if (isLookedAt) filled.clear();
  isLookedAt = false;
  const bare = (/** @type {string} */ text) => text.replace(/\s+/g, "");
  const atOnce = kind === "select" || kind === "set";
  const isOther = atOnce ? stateOf(element, kind) !== before : bare(before) !== bare(value);
  if (isRead && !filled.has(label)) filled.set(label, {element, kind, before: isOther ? before : null, then: null});
  return answer;
}

/** @returns {[number, string | null][]} the labels of what holds another value since it was filled; null is the old one */
tabmux.putBack = function () {
  isLookedAt = true;
  noted = null;
  /** @type {[number, string | null][]} */
  const found = [];
  for (const [label, {element, kind, before, then}] of filled) {
    if (!element.isConnected) continue;
    const now = stateOf(element, kind);
    if (now === before) found.push([label, null]);
    else if (then !== null && now !== then && !isSecret(element)) found.push([label, now.slice(0, MOST_TOLD)]);
  }
  return found;
};

const MOST_TOLD = 200;

/**
 * Do what can be done in one step, and say which real events must follow.
 * @param {number} epoch
 * @param {number} label
 * @param {string} value
 */
tabmux.fill = function (epoch, label, value) {
  const target = tabmux.lookUp(epoch, label);
  if (!target) return {trouble: "gone"};
  if (isLookedAt) wholeEditors = new WeakMap();
  // Beside the parts of a date there may be a field out of sight that only tells forms of it.
  const isWhole = !kindOf(target) && tabmux.partsFor(target, value) !== null;
  const element = /** @type {HTMLElement} */ (isWhole ? target : control(target));
  /** @type {Kind | "day" | import("./composites.js").Composite["kind"]} */
  const known = opensCalendar(element, value) ? "day" : opensList(element) ? "list" : takesTags(element, value) ? "tags" : kindOf(element);
  const composite = known ? null : tabmux.compositeOf(element, value);
  const kind = known || composite?.kind;
  if (!kind) return notFillable(target);
  if (kind === "file") {
    return tabmux.complaint(element, "not_fillable", "takes files.", "Use upload_file.");
  }
  if (tabmux.isDisabled(element)) return tabmux.complaint(element, "disabled", "is disabled.");
  if (kind === "day" || kind === "opens" || kind === "calendar") return offer(element, kind, value);
  if (isReadOnly(element) && kind !== "toggle" && kind !== "list") {
    return tabmux.complaint(
      element, "readonly", "is read-only.", "Click it: it may open what sets it. A day is given as YYYY-MM-DD.");
  }
  tabmux.watch();
  if (composite && composite.kind !== "list" && composite.kind !== "toggle") return beginComposite(element, value, composite);
  const simple = /** @type {Kind} */ (kind);
  if (simple === "text" && element instanceof HTMLInputElement && !isSecret(element) && !isSearch(element)) tabmux.awaitOffers(element, label);
  return remembering(label, element, simple, value, () => begin(element, value, simple));
};

function begin(/** @type {HTMLElement} */ element, /** @type {string} */ value, /** @type {Kind} */ kind) {
  if (kind === "select") return choose(/** @type {HTMLSelectElement} */ (element), value);
  if (kind === "set") return set(/** @type {HTMLInputElement} */ (element), value);
  if (kind === "toggle") return toggle(element, value);
  if (kind === "steps") return steps(element, value);
  if (kind === "list") return offer(element, kind, value);
  return enter(element, value, kind);
}

/** What is made of other elements is worked by those. */
function beginComposite(/** @type {HTMLElement} */ element, /** @type {string} */ value, /** @type {import("./composites.js").Composite} */ {kind, parts = []}) {
  element.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
  if (kind === "track") {
    tabmux.noteSight(element);
    tabmux.watchNumbers(parts[0]);
  }
  const labels = parts.map((each) => tabmux.labelOf(each));
  if (kind !== "stepper" && kind !== "track") return {kind, done: false, value: "", parts: labels, names: parts.map(partName)};
  if (kind === "stepper") return {...steps(element, value), parts: labels};
  const thumb = /** @type {HTMLElement} */ (parts[0]), started = steps(thumb, value);
  // Keys go to whichever of the two takes the focus.
  if (thumb !== element && !tabmux.isFocusable(thumb)) element.focus();
  return {...started, grip: labels[0]};
}

/** What a part of a date or a time is called, and how it is written while it is empty. */
function partName(/** @type {Element} */ part) {
  return [tabmux.nameOf(part), part.getAttribute("data-type"), part.getAttribute("data-segment"), part.getAttribute("aria-valuetext"), part.textContent].join(" ");
}

function isReadOnly(/** @type {Element} */ element) {
  return /** @type {HTMLInputElement} */ (element).readOnly || element.getAttribute("aria-readonly") === "true";
}

// Fields for days and times open what may want to be used although they can be typed into.
const DATED = /^\s*(\d{4}-\d\d?-\d\d?|\d\d?[./-]\d\d?[./-]\d{2,4}|\d\d?:\d\d)[\d\s:.apmT]*$/i;

/** Whether a day can be set only in what the element opens. */
function opensCalendar(/** @type {Element} */ element, /** @type {string} */ value) {
  if (!/^\d{4}-\d\d-\d\d/.test(value) || isNaN(Date.parse(value.slice(0, 10)))) return false;
  const opens = element.getAttribute("aria-haspopup") ?? "";
  if (element instanceof HTMLInputElement) {
    return element.readOnly && (textKind(element) !== "list" || /^(dialog|grid)$/.test(opens));
  }
  return !isEditable(element) && /^(dialog|grid|true)$/.test(opens);
}

/** Whether a field cannot be typed into, and looks as if a click opened what it is set by. */
function opensList(/** @type {Element} */ element) {
  return element instanceof HTMLInputElement && element.readOnly && kindOf(element) === "text" &&
    (getComputedStyle(element).cursor === "pointer" || tabmux.looksOpened(element));
}

/** @type {Element | null} what is filled in the action that is under way */
let noted = null, notedFor = "", notedAt = 0;
const ONE_ACTION = 15_000;

/** What a control has opened when the same value is tried once more was not there before. */
function noteSightOnce(/** @type {Element} */ element, /** @type {string} */ value) {
  if (noted !== element || notedFor !== value || performance.now() - notedAt > ONE_ACTION) {
    tabmux.noteSight(element);
    notedAt = performance.now();
  }
  [noted, notedFor] = [element, value];
}

/** A control that is set by what it opens. */
function offer(/** @type {Element} */ element, /** @type {string} */ kind, /** @type {string} */ value) {
  tabmux.watch();
  noteSightOnce(element, value);
  return {kind, done: false, value: valueOf(element), wanted: wanted(value) ?? [value], group: tabmux.isGroup(element)};
}

/** A slider or a spin button is moved by keys. */
function steps(/** @type {HTMLElement} */ element, /** @type {string} */ value) {
  const number = value.trim() === "" ? NaN : Number(value);
  if (isNaN(number)) {
    return tabmux.complaint(element, "not_fillable", `takes a number, not ${tabmux.inQuotes(value)}.`);
  }
  const {valuemin: low = -Infinity, valuemax: high = Infinity} = tabmux.statesOf(element);
  if (number < Number(low) || number > Number(high)) {
    return tabmux.complaint(element, "not_fillable", `takes ${low} to ${high}, not ${number}.`);
  }
  element.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
  element.focus();
  const now = tabmux.standsAt(element);
  return {
    kind: "steps", done: now === number, value: now === null ? "" : String(now), typed: isEditable(element),
    upright: element.getAttribute("aria-orientation") === "vertical" || tabmux.roleOf(element) === "spinbutton",
  };
}

function toggle(/** @type {Element} */ element, /** @type {string} */ value) {
  if (value !== "true" && value !== "false") {
    return tabmux.complaint(
      element, "not_fillable", `takes "true" or "false", not ${tabmux.inQuotes(value)}.`);
  }
  const now = String(isOn(element));
  if (toldStates(element)) return {kind: "toggle", done: false, value: now, component: tabmux.labelOf(element)};
  return {kind: "toggle", done: now === value && !isMute(element), value: now, mute: isMute(element)};
}

function enter(/** @type {HTMLElement} */ element, /** @type {string} */ value, /** @type {Kind} */ kind) {
  if (element instanceof HTMLInputElement && element.type === "number" && value !== "" &&
      isNaN(Number(value))) {
    return tabmux.complaint(element, "not_fillable", `takes a number, not ${tabmux.inQuotes(value)}.`);
  }
  if (!element.checkVisibility({visibilityProperty: true})) {
    return tabmux.complaint(element, "hidden", "is not visible.");
  }
  element.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
  const dated = kind !== "editor" && DATED.test(value);
  if (kind === "combobox" || kind === "tags" || dated) noteSightOnce(element, value);
  if (kind === "editor") element.focus();
  else selectAll(element);
  if (kind === "editor" && !holdsFocus(element)) return notEntered(element);
  return {
    kind, done: false, value: valueOf(element), opens: kind === "text" && tabmux.looksOpened(element),
    suggests: kind === "text" && !isSearch(/** @type {HTMLInputElement} */ (element)) && tabmux.suggests(element), secret: isSecret(element), spread: isSpread(element, value), dated,
    ...((kind === "combobox" || kind === "tags") && {wanted: wanted(value) ?? [value]}),
  };
}

const TAGS = /tag|chip|token|pill|multi|keyword|recipient/i;

/** Whether a field takes several values, one after the other, and shows them beside itself. */
function takesTags(/** @type {Element} */ field, /** @type {string} */ value) {
  if (!(field instanceof HTMLInputElement) || !wanted(value) || isReadOnly(field) || kindOf(field) !== "text") return false;
  const around = [field, field.parentElement, field.parentElement?.parentElement, field.parentElement?.parentElement?.parentElement];
  return TAGS.test([field.name, field.placeholder, tabmux.nameOf(field), ...around.map((each) => `${each?.id} ${each?.getAttribute("class")}`)].join(" "));
}

function holdsFocus(/** @type {Element} */ element) {
  const active = tabmux.activeElement();
  return active !== null && tabmux.encloses(element, active);
}

/** Keys that replace all of an editor would do so with whatever has the focus instead. */
function notEntered(/** @type {Element} */ element) {
  if (!editingHost(element)) return tabmux.complaint(element, "not_fillable", "does not take the focus.", "Click it, and use type_text.");
  return tabmux.complaint(
    element, "not_fillable", "is a part of an editor that holds more.",
    "Fill the editor around it to replace all of its text; to change this part, click into it and use type_text.");
}

const MOST_SPREAD = 40;

/** Whether a field holds less than the text, as those do that share a code: the page moves the focus on. */
function isSpread(/** @type {Element} */ element, /** @type {string} */ value) {
  const {maxLength = -1} = /** @type {HTMLInputElement} */ (element);
  return maxLength > 0 && value.length > maxLength && value.length <= MOST_SPREAD && !value.includes("\n");
}

const SECRET_PURPOSES = /-password\b|\bcc-(number|csc)\b|one-time-code/;

/** Whether nobody is meant to read what stands in a field. */
function isSecret(/** @type {Element} */ element) {
  return (element instanceof HTMLInputElement &&
    (element.type === "password" || SECRET_PURPOSES.test(element.autocomplete))) ||
    !["none", "", undefined].includes(getComputedStyle(element).webkitTextSecurity);
}

/** Whether keys go into such a field now; "frame" when they go into a frame. */
tabmux.secretFocus = function () {
  const element = tabmux.activeElement();
  if (!element) return false;
  return element.matches("iframe, frame") ? "frame" : isSecret(element);
};

/**
 * What a control holds after it was filled.
 * @param {number} epoch
 * @param {number} label
 */
tabmux.held = function (epoch, label) {
  const target = tabmux.lookUp(epoch, label);
  if (!target) return {trouble: "gone"};
  const element = control(target);
  const left = tabmux.activeElement() !== element;
  const known = filled.get(label);
  if (known?.kind === "text") known.then = valueOf(element);
  return {value: valueOf(element).replace(/\r\n/g, "\n"), secret: isSecret(element), left, offers: tabmux.offers(),
    ...(element instanceof HTMLSelectElement && {chosen: chosenIn(element)}), ...(left && {spread: spreadFrom(element)})};
};

const SMALL = 90, MOST_CLIMBED = 4;

/** What a row of small fields holds together, from one of them on: they share a code. */
function spreadFrom(/** @type {Element} */ field) {
  const isOne = (/** @type {Element} */ each) => each instanceof HTMLInputElement && each.offsetWidth > 0 && each.offsetWidth < SMALL && each.value.length < 2;
  let at = isOne(field) ? field.parentElement : null;
  for (let climbed = 0; at && climbed < MOST_CLIMBED; at = at.parentElement, climbed += 1) {
    const row = [...at.querySelectorAll("input")].filter(isOne);
    if (row.length > 1) return row.slice(row.indexOf(/** @type {HTMLInputElement} */ (field))).map((each) => each.value).join("");
  }
  return "";
}

const LOOK_AGAIN = 10;
// A page that is kept from running gets its turns all the same.
const LOOKS = 20;

/**
 * Whether a toggle is on after it was clicked; one that is not as wanted is looked at again.
 * @param {number} epoch
 * @param {number} label
 * @param {string} value what is wanted
 * @param {number} limit milliseconds
 */
tabmux.toggled = async function (epoch, label, value, limit) {
  const target = tabmux.lookUp(epoch, label);
  const element = target && control(target);
  const end = performance.now() + limit;
  for (let looks = 0; element?.isConnected; looks += 1) {
    const now = String(isOn(element));
    if (now === value || (looks > Math.min(LOOKS, limit) && performance.now() > end)) return {value: now, mute: isMute(element)};
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
  }
  return {trouble: "gone"};
};

/**
 * The control that a label or a component stands for, for scripts that are loaded when needed.
 * @param {number} epoch
 * @param {number} label
 */
tabmux.controlOf = function (epoch, label) {
  const target = tabmux.lookUp(epoch, label);
  return target && control(target);
};

/**
 * For an option of a drop-down list: choose it, as a click in the open list would.
 * @param {Element} option null is returned for any other element
 */
tabmux.pickOption = function (option) {
  const select = option instanceof HTMLOptionElement ? option.closest("select") : null;
  if (!select || select.multiple) return null;
  if (option.matches(":disabled") || tabmux.isDisabled(select)) {
    return tabmux.complaint(option, "disabled", "is disabled.");
  }
  tabmux.watch();
  return {...pick(select, [/** @type {HTMLOptionElement} */ (option)]), done: true};
};

/** @returns {element is HTMLInputElement} */
function isFileInput(/** @type {Node | null} */ element) {
  return element instanceof HTMLInputElement && element.type === "file";
}

/** The control that an element stands for, or the file input over it: one that is not seen takes the drop. */
function fileInputOf(/** @type {Element} */ target) {
  const own = control(target);
  if (isFileInput(own)) return own;
  target.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
  const {x, y, width, height} = target.getBoundingClientRect();
  const hit = tabmux.hitAt(x + width / 2, y + height / 2);
  return isFileInput(hit) ? hit : own;
}

/**
 * Whether files can be given to the element itself.
 * @param {number} epoch
 * @param {number} label
 */
tabmux.fileInput = function (epoch, label) {
  const target = tabmux.lookUp(epoch, label);
  if (!target) return {trouble: "gone"};
  const element = fileInputOf(target);
  const direct = isFileInput(element);
  if (direct && tabmux.isDisabled(element)) {
    return tabmux.complaint(element, "disabled", "is disabled.");
  }
  tabmux.watch();
  return {direct, multiple: direct && element.multiple};
};

/**
 * The file input itself, where the agent named its label, or what it lies over.
 * @param {number} epoch
 * @param {number} label
 */
tabmux.fileTarget = function (epoch, label) {
  const target = tabmux.lookUp(epoch, label);
  return target && fileInputOf(target);
};
