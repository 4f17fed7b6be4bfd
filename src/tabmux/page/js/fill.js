// @ts-check
/** Puts values into form controls, and tells what a control holds. */

const TEXT_TYPES = new Set(["text", "search", "email", "url", "tel", "password", "number", ""]);
const SET_TYPES = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);
const TOGGLE_ROLES = new Set([
  "checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio",
]);

// Snapshots show nothing that takes no room, so values and labels are compared without it.
function collapse(/** @type {string | null} */ text) {
  return (text || "").replace(/\p{Default_Ignorable_Code_Point}+/gu, "").replace(/\s+/g, " ").trim();
}

/** The control that a label, or a wrapper made by a component library, stands for. */
function control(/** @type {Element} */ element) {
  if (element instanceof HTMLLabelElement && element.control) return element.control;
  return element;
}

/** @returns {"text" | "set" | "toggle" | "select" | "file" | ""} */
function kindOf(/** @type {Element} */ element) {
  if (element instanceof HTMLSelectElement) return "select";
  if (element instanceof HTMLTextAreaElement) return "text";
  if (element instanceof HTMLInputElement) {
    if (element.type === "checkbox" || element.type === "radio") return "toggle";
    if (TEXT_TYPES.has(element.type)) return "text";
    return SET_TYPES.has(element.type) ? "set" : element.type === "file" ? "file" : "";
  }
  if (/** @type {HTMLElement} */ (element).isContentEditable) return "text";
  return TOGGLE_ROLES.has(tabmux.roleOf(element)) ? "toggle" : "";
}

function isOn(/** @type {Element} */ element) {
  if (element instanceof HTMLInputElement) return element.indeterminate ? "mixed" : element.checked;
  const state = element.getAttribute("aria-checked") ?? element.getAttribute("aria-pressed");
  return state === "mixed" ? "mixed" : state === "true";
}

function announce(/** @type {Element} */ element) {
  element.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
  element.dispatchEvent(new Event("change", {bubbles: true}));
}

function valueOf(/** @type {Element} */ element) {
  if (element instanceof HTMLSelectElement) {
    return [...element.selectedOptions].map((option) => collapse(option.label)).join(", ");
  }
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    return element.value;
  }
  return /** @type {HTMLElement} */ (element).innerText;
}

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
  let changed = false;
  for (const option of select.options) {
    const on = options.includes(option);
    changed = changed || option.selected !== on;
    if (select.multiple) option.selected = on;
    else if (on) option.selected = true;
  }
  if (changed) announce(select);
  return {kind: "select", done: true, value: valueOf(select)};
}

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
  const close = element.type === "range" && !isNaN(Number(value));
  if (element.value !== given && !close && Date.parse(element.value) !== Date.parse(given)) {
    const now = element.value;
    assign(element, before);
    return tabmux.complaint(
      element, "not_fillable", `does not take ${tabmux.inQuotes(value)}${now ? ` (it became ${tabmux.inQuotes(now)})` : ""}.`,
      `Give the value as ${FORMATS[element.type] ?? "the control expects it"}.`);
  }
  if (element.value !== before) announce(element);
  return {kind: "set", done: true, value: element.value};
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
 * Do what can be done in one step, and say which real events must follow.
 * @param {number} epoch
 * @param {number} label
 * @param {string} value
 */
tabmux.fill = function (epoch, label, value) {
  const target = tabmux.lookUp(epoch, label);
  if (!target) return {trouble: "gone"};
  const element = /** @type {HTMLElement} */ (control(target));
  const kind = kindOf(element);
  if (!kind) return notFillable(element);
  if (kind === "file") {
    return tabmux.complaint(element, "not_fillable", "takes files.", "Use upload_file.");
  }
  if (tabmux.isDisabled(element)) return tabmux.complaint(element, "disabled", "is disabled.");
  if (/** @type {HTMLInputElement} */ (element).readOnly && kind !== "toggle") {
    return tabmux.complaint(element, "readonly", "is read-only.");
  }
  tabmux.watch();
  if (kind === "select") return choose(/** @type {HTMLSelectElement} */ (element), value);
  if (kind === "set") return set(/** @type {HTMLInputElement} */ (element), value);
  if (kind === "toggle") return toggle(element, value);
  return enter(element, value);
};

function toggle(/** @type {Element} */ element, /** @type {string} */ value) {
  if (value !== "true" && value !== "false") {
    return tabmux.complaint(
      element, "not_fillable", `takes "true" or "false", not ${tabmux.inQuotes(value)}.`);
  }
  return {kind: "toggle", done: isOn(element) === (value === "true"), value: String(isOn(element))};
}

function enter(/** @type {HTMLElement} */ element, /** @type {string} */ value) {
  if (element instanceof HTMLInputElement && element.type === "number" && value !== "" &&
      isNaN(Number(value))) {
    return tabmux.complaint(element, "not_fillable", `takes a number, not ${tabmux.inQuotes(value)}.`);
  }
  if (!element.checkVisibility({visibilityProperty: true})) {
    return tabmux.complaint(element, "hidden", "is not visible.");
  }
  element.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
  selectAll(element);
  return {kind: "text", done: false, value: valueOf(element), secret: isSecret(element)};
}

function isSecret(/** @type {Element} */ element) {
  return element instanceof HTMLInputElement && element.type === "password";
}

/**
 * What a control holds after it was filled.
 * @param {number} epoch
 * @param {number} label
 */
tabmux.held = function (epoch, label) {
  const target = tabmux.lookUp(epoch, label);
  if (!target) return {trouble: "gone"};
  const element = control(target);
  if (kindOf(element) === "toggle") return {value: String(isOn(element))};
  return {value: valueOf(element).replace(/\r\n/g, "\n"), secret: isSecret(element)};
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
  return pick(select, [/** @type {HTMLOptionElement} */ (option)]);
};

/**
 * Whether files can be given to the element itself.
 * @param {number} epoch
 * @param {number} label
 */
tabmux.fileInput = function (epoch, label) {
  const target = tabmux.lookUp(epoch, label);
  if (!target) return {trouble: "gone"};
  const element = control(target);
  const direct = element instanceof HTMLInputElement && element.type === "file";
  if (direct && tabmux.isDisabled(element)) {
    return tabmux.complaint(element, "disabled", "is disabled.");
  }
  tabmux.watch();
  return {direct, multiple: direct && element.multiple};
};

/**
 * The file input itself, where the agent named its label.
 * @param {number} epoch
 * @param {number} label
 */
tabmux.fileTarget = function (epoch, label) {
  const target = tabmux.lookUp(epoch, label);
  return target && control(target);
};
