// @ts-check
// How an element is: checked, expanded, disabled, its value and the like.

const {tag, attribute, hasAttribute, matches} = tabmux.dom;

const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);
const SELECTABLE = new Set(["option", "tab", "treeitem", "row", "gridcell", "cell", "columnheader", "rowheader"]);
const RANGES = new Set(["slider", "spinbutton", "progressbar", "meter", "scrollbar", "separator"]);
const BULLET = "•";

/**
 * @param {Element} element
 * @param {string} role
 * @returns {string | null} what the element holds, null when it holds nothing
 */
tabmux.valueOf = function (element, role) {
  switch (tag.call(element)) {
    case "input": return inputValue(/** @type {HTMLInputElement} */ (element));
    case "textarea": return /** @type {HTMLTextAreaElement} */ (element).value;
    case "select": return selectValue(/** @type {HTMLSelectElement} */ (element));
    case "progress": {
      const progress = /** @type {HTMLProgressElement} */ (element);
      return progress.position < 0 ? null : String(progress.value);
    }
    case "meter": return String(/** @type {HTMLMeterElement} */ (element).value);
  }
  if (RANGES.has(role)) {
    return attribute.call(element, "aria-valuetext") ?? attribute.call(element, "aria-valuenow");
  }
  if (tabmux.isEditingHost(element)) return tabmux.contentOf(element);
  return null;
};

function inputValue(/** @type {HTMLInputElement} */ input) {
  switch (input.type) {
    case "checkbox": case "radio": case "submit": case "reset": case "button": case "image":
    case "hidden": return null;
    case "password": return BULLET.repeat(input.value.length);
    case "file": return [...(input.files ?? [])].map((file) => file.name).join(", ") || "No file chosen";
    default: return input.value;
  }
}

function selectValue(/** @type {HTMLSelectElement} */ select) {
  const chosen = [...select.selectedOptions].map((option) => option.label);
  return chosen.length ? tabmux.collapsed(chosen.join(", ")) : null;
}

/**
 * @param {Element} element
 * @param {string} [given] the role, when it is known
 * @returns {Record<string, string | number | boolean>}
 */
tabmux.statesOf = function (element, given) {
  const role = given ?? tabmux.roleOf(element);
  /** @type {Record<string, string | number | boolean>} */
  const states = {};
  const any = /** @type {any} */ (element);
  const name = tag.call(element);
  if (CHECKABLE.has(role)) {
    const checked = checkedOf(any, name);
    if (checked) states.checked = checked;
  }
  const pressed = role === "button" ? attribute.call(element, "aria-pressed") : null;
  if (pressed === "true" || pressed === "mixed") states.pressed = pressed === "true" || "mixed";
  if (SELECTABLE.has(role)) {
    const selected = name === "option" ? any.selected : attribute.call(element, "aria-selected") === "true";
    if (selected) states.selected = true;
  }
  const expanded = expandedOf(any, name, role);
  if (expanded !== null) states.expanded = expanded;
  if (isDisabled(element, name)) states.disabled = true;
  if (any.required === true || attribute.call(element, "aria-required") === "true") states.required = true;
  if ((any.readOnly === true && name !== "textarea2") || attribute.call(element, "aria-readonly") === "true") states.readonly = true;
  if (role === "dialog" || role === "alertdialog") {
    if (attribute.call(element, "aria-modal") === "true" || matches.call(element, ":modal")) states.modal = true;
  }
  if (attribute.call(element, "aria-busy") === "true") states.busy = true;
  if (attribute.call(element, "aria-multiselectable") === "true" || (name === "select" && any.multiple)) states.multiselectable = true;
  const invalid = attribute.call(element, "aria-invalid");
  if (invalid !== null ? invalid !== "" && invalid !== "false" : any.willValidate && !any.validity.valid) states.invalid = invalid && invalid !== "true" ? invalid : true;
  const level = levelOf(element, name, role);
  if (level) states.level = level;
  if (RANGES.has(role)) {
    const min = any.min ?? attribute.call(element, "aria-valuemin");
    const max = any.max ?? attribute.call(element, "aria-valuemax");
    if (min !== null && min !== "") states.valuemin = Number(min);
    if (max !== null && max !== "") states.valuemax = Number(max);
  }
  const popup = attribute.call(element, "aria-haspopup");
  if (popup && popup !== "false") states.haspopup = popup === "true" ? "menu" : popup;
  for (const [key, source] of TEXTS) {
    const text = attribute.call(element, source);
    if (text && text !== "false") states[key] = text;
  }
  if (tabmux.focused() === element) states.focused = true;
  return states;
};

const TEXTS = [["keyshortcuts", "aria-keyshortcuts"], ["roledescription", "aria-roledescription"], ["current", "aria-current"]];

function checkedOf(/** @type {any} */ element, /** @type {string} */ name) {
  if (name === "input" && (element.type === "checkbox" || element.type === "radio")) {
    return element.indeterminate ? "mixed" : element.checked;
  }
  const checked = attribute.call(element, "aria-checked");
  return checked === "mixed" ? "mixed" : checked === "true";
}

function expandedOf(/** @type {any} */ element, /** @type {string} */ name, /** @type {string} */ role) {
  if (role === "DisclosureTriangle") return tabmux.parentOf(element)?.open === true;
  const expanded = attribute.call(element, "aria-expanded");
  if (expanded === "true" || expanded === "false") return expanded === "true";
  if (element.popoverTargetElement) return element.popoverTargetElement.matches(":popover-open");
  return null;
}

function isDisabled(/** @type {Element} */ element, /** @type {string} */ name) {
  return matches.call(element, ":disabled") || attribute.call(element, "aria-disabled") === "true";
}

function levelOf(/** @type {Element} */ element, /** @type {string} */ name, /** @type {string} */ role) {
  const written = parseInt(attribute.call(element, "aria-level") ?? "", 10);
  if (written > 0) return written;
  if (role !== "heading") return 0;
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 2;
}

/** @returns {Element | null} where the keys go: the focus, or what it points to as active */
tabmux.focused = function () {
  const active = tabmux.activeElement();
  if (!active) return null;
  const [descendant] = tabmux.referencesOf(active, "aria-activedescendant");
  return descendant ?? active;
};

/** Everything that is known of one element. */
tabmux.describe = function (/** @type {Element} */ element) {
  const role = tabmux.roleOf(element);
  const naming = tabmux.namingOf(element, role);
  /** @type {Record<string, any>} */
  const about = {role, name: naming.name};
  const description = tabmux.descriptionOf(element, naming);
  if (description) about.description = description;
  const value = tabmux.valueOf(element, role);
  if (value !== null) about.value = value;
  return Object.assign(about, tabmux.statesOf(element, role));
};
