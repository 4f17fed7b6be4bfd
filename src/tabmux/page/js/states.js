// @ts-check
// How an element is: what it holds, and whether it is checked, expanded, disabled and the like.

const {
  tag, attribute, hasAttribute, attributeNames, matches, closest, query, innerText, textContent,
} = tabmux.dom;

const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);
const RANGES = new Set(["slider", "spinbutton", "progressbar", "meter", "scrollbar", "separator"]);
const LEVELS = new Set(["listitem", "treeitem", "comment"]);
const FIELDS = new Set(["input", "select", "textarea"]);
const DISABLEABLE = new Set(["input", "select", "textarea", "button", "option", "optgroup"]);
const GRID_CELLS = new Set(["gridcell", "columnheader", "rowheader"]);
const TYPED = new Set(["textbox", "searchbox", "spinbutton", "combobox"]);
const BULLET = "•";

/** @type {Record<string, string>} how urgently a change inside these is told */
const LIVE = {alert: "assertive", status: "polite", log: "polite"};

/**
 * @param {Element} element
 * @param {string} role
 * @returns {string | null} what the element holds, null when it holds nothing
 */
tabmux.valueOf = function (element, role) {
  const told = tabmux.semanticsOf(element);
  if (told?.value) return told.value;
  switch (tag.call(element)) {
    case "input": return inputValue(/** @type {HTMLInputElement} */ (element));
    case "textarea": return masked(element, /** @type {HTMLTextAreaElement} */ (element).value);
    case "select": return role === "listbox" ? null : chosenOption(/** @type {HTMLSelectElement} */ (element));
  }
  if (RANGES.has(role)) return rangeValue(element, role);
  if (tabmux.isEditingHost(element) || role === "textbox" || role === "searchbox") {
    const text = element instanceof HTMLElement ? innerText.call(element) : textContent.call(element);
    return masked(element, text.trim());
  }
  return role === "combobox" ? comboboxValue(element) : null;
};

function inputValue(/** @type {HTMLInputElement} */ input) {
  switch (input.type) {
    case "checkbox": case "radio": case "submit": case "reset": case "button": case "image":
    case "hidden": return null;
    case "password": return BULLET.repeat(input.value.length);
    case "file": return [...(input.files ?? [])].map((file) => file.name).join(", ") || "No file chosen";
    case "text": return masked(input, input.value);
    default: return input.value;
  }
}

/** A field can hide what it holds by style, without being a password field. */
function masked(/** @type {Element} */ element, /** @type {string} */ text) {
  if (!text || !tabmux.mayBeTouched("webkitTextSecurity")) return text;
  const security = getComputedStyle(element).webkitTextSecurity;
  return !security || security === "none" ? text : BULLET.repeat(text.length);
}

function chosenOption(/** @type {HTMLSelectElement} */ select) {
  const chosen = select.options[select.selectedIndex];
  return chosen ? tabmux.collapsed(chosen.label) : null;
}

function rangeValue(/** @type {Field} */ element, /** @type {string} */ role) {
  const name = tag.call(element);
  if (name === "meter") return String(element.value);
  if (name === "progress") return Number(element.position) < 0 ? null : String(element.value);
  const now = attribute.call(element, "aria-valuenow");
  if (now !== null || role !== "slider") return now;
  const {valuemin, valuemax} = limitsOf(element, "", role);
  return String((Number(valuemin) + Number(valuemax)) / 2);
}

/** A combobox that is not a field shows what was chosen as its content. */
function comboboxValue(/** @type {Element} */ element) {
  const field = query.call(element, "input:not([aria-hidden=true]), textarea:not([aria-hidden=true])");
  if (field || !tabmux.isFocusable(element)) return null;
  return tabmux.contentOf(element) || null;
}

/**
 * Only what is worth telling is in the result, except `expanded`, which is there whenever
 * something can expand.
 * @param {Element} element
 * @param {string} [given] the role, when it is known
 * @param {boolean} [plain] whether it has no attribute that could tell anything
 * @returns {States}
 */
tabmux.statesOf = function (element, given, plain = false) {
  const role = given ?? tabmux.roleOf(element);
  const name = tag.call(element);
  /** @type {States} */
  const states = {};
  addNative(states, element, name, role);
  const attributes = plain ? [] : attributeNames.call(element);
  for (let i = 0; i < attributes.length; i++) {
    const add = ARIA.get(attributes[i]);
    if (add) add(states, attribute.call(element, attributes[i]) ?? "", element, role);
  }
  addImplied(states, element, name, role);
  Object.assign(states, tabmux.semanticsOf(element)?.states);
  if (tabmux.isFocused(element)) states.focused = true;
  return states;
};

/**
 * @param {States} states
 * @param {Field} element
 * @param {string} name
 * @param {string} role
 */
function addNative(states, element, name, role) {
  if (name === "input" && (element.type === "checkbox" || element.type === "radio")) {
    const checked = element.indeterminate && element.type === "checkbox" ? "mixed" : element.checked;
    if (checked && CHECKABLE.has(role)) states.checked = checked;
    if (checked && role === "button") states.pressed = checked;
  }
  if (name === "option" && element.selected) states.selected = true;
  if (name === "select") {
    if (role === "combobox") states.expanded = matches.call(element, ":open");
    if (element.multiple) states.multiselectable = true;
  }
  if (name === "dialog" && matches.call(element, ":modal")) states.modal = true;
  if (name === "button" || name === "input") {
    const target = element.popoverTargetElement;
    if (target) states.expanded = matches.call(target, ":popover-open");
  }
  if (DISABLEABLE.has(name) && matches.call(element, ":disabled")) states.disabled = true;
  if (!FIELDS.has(name)) return;
  if (element.required) states.required = true;
  if (element.readOnly && matches.call(element, ":read-only")) states.readonly = true;
  if (element.willValidate && element.validity?.valid === false) {
    // That a text is required and still missing is told by `required` alone.
    const typed = name !== "select" && TYPED.has(role);
    if (!element.validity.valueMissing || !typed) states.invalid = true;
  }
}

/** @typedef {(states: States, value: string, element: Element, role: string) => void} AddState */

/** Which roles have a state; on others the attribute means nothing. Those left out: all roles. */
const BEARERS = Object.fromEntries(Object.entries({
  checked: "checkbox radio switch menuitemcheckbox menuitemradio option treeitem clickable",
  expanded: "application button checkbox clickable columnheader combobox gridcell link listbox " +
    "menuitem menuitemcheckbox menuitemradio row rowheader switch tab treeitem",
  modal: "dialog alertdialog",
  multiselectable: "grid listbox tablist tree treegrid",
  pressed: "button clickable",
  readonly: "checkbox combobox columnheader grid gridcell listbox radiogroup rowheader searchbox " +
    "slider spinbutton switch textbox treegrid",
  required: "checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox " +
    "spinbutton textbox tree treegrid",
  selected: "clickable columnheader gridcell option row rowheader tab treeitem",
}).map(([state, roles]) => [state, new Set(roles.split(" "))]));

/** @type {(key: string) => AddState} a state that is true or not worth telling */
const flag = (key) => (states, value, _element, role) => {
  if (value === "true" && (BEARERS[key]?.has(role) ?? true)) states[key] = true;
};

/** @type {(key: string) => AddState} a state that has words of its own */
const word = (key) => (states, value) => {
  if (value.trim() && value !== "false") states[key] = value.trim();
};

/** @type {(key: string) => AddState} a state that may be between true and false */
const tristate = (key) => (states, value, element, role) => {
  if (isNativeToggle(element) || !BEARERS[key].has(role)) return;
  if (value === "true") states[key] = true;
  else if (value === "mixed" && role !== "radio") states[key] = "mixed";
};

function isNativeToggle(/** @type {Field} */ element) {
  return tag.call(element) === "input" && (element.type === "checkbox" || element.type === "radio");
}

/** @type {Map<string, AddState>} */
const ARIA = new Map(Object.entries({
  "aria-busy": flag("busy"),
  "aria-checked": tristate("checked"),
  "aria-current": word("current"),
  "aria-disabled": flag("disabled"),
  "aria-expanded": (states, value, _element, role) => {
    if (!BEARERS.expanded.has(role)) return;
    if (value === "true" || value === "false") states.expanded = value === "true";
  },
  "aria-haspopup": (states, value) => {
    if (value && value !== "false") states.haspopup = value === "true" ? "menu" : value;
  },
  "aria-invalid": (states, value) => {
    if (value === "false" || value === "") delete states.invalid;
    else states.invalid = value === "true" || value;
  },
  "aria-keyshortcuts": word("keyshortcuts"),
  "aria-live": (states, value) => {
    if (value !== "off") states.live = value;
  },
  "aria-modal": flag("modal"),
  "aria-multiselectable": flag("multiselectable"),
  "aria-pressed": tristate("pressed"),
  "aria-readonly": (states, value, element, role) => {
    if (!tabmux.isEditingHost(element)) flag("readonly")(states, value, element, role);
  },
  "aria-required": flag("required"),
  "aria-roledescription": word("roledescription"),
  "aria-selected": flag("selected"),
  "aria-valuetext": word("valuetext"),
}));

/**
 * @param {States} states
 * @param {Element} element
 * @param {string} name
 * @param {string} role
 */
function addImplied(states, element, name, role) {
  const level = levelOf(element, name, role);
  if (level) states.level = level;
  if (RANGES.has(role)) Object.assign(states, limitsOf(element, name, role));
  if (role === "DisclosureTriangle") {
    states.expanded = hasAttribute.call(/** @type {Element} */ (tabmux.parentOf(element)), "open");
  }
  if (role === "combobox") states.haspopup ??= name === "select" ? "menu" : "listbox";
  if (role in LIVE && !hasAttribute.call(element, "aria-live")) states.live = LIVE[role];
  if (GRID_CELLS.has(role) && !hasAttribute.call(element, "aria-readonly") && isInReadonlyGrid(element)) {
    states.readonly = true;
  }
  if (role === "option" && tabmux.isActive(element) && !hasAttribute.call(element, "aria-selected")) {
    states.selected = true;
  }
  if (disabling && !states.disabled && (role === "option" || tabmux.isFocusable(element))) {
    if (closest.call(element, DISABLED)) states.disabled = true;
  }
}

function isInReadonlyGrid(/** @type {Element} */ element) {
  const grid = closest.call(element, "[role=grid], [role=treegrid]");
  return grid !== null && attribute.call(grid, "aria-readonly") === "true";
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string} role
 * @returns {number} 0 when there is none
 */
function levelOf(element, name, role) {
  if (role !== "heading" && role !== "row" && !LEVELS.has(role)) return 0;
  const written = parseInt(attribute.call(element, "aria-level") ?? "", 10);
  if (written > 0) return written;
  if (role === "heading") return /^h[1-6]$/.test(name) ? Number(name[1]) : 2;
  if (role === "row") return 0;
  return role === "listitem" ? Math.max(1, depthOf(element, "list")) : depthOf(element, role) + 1;
}

/** How many elements of a role are around. */
function depthOf(/** @type {Element} */ element, /** @type {string} */ role) {
  let depth = 0;
  for (let at = tabmux.ownerOf(element); at; at = tabmux.ownerOf(at)) {
    if (tabmux.roleOf(at) === role) depth += 1;
  }
  return depth;
}

/** @type {Record<string, [number, number]>} */
const LIMITS = {
  slider: [0, 100], progressbar: [0, 100], meter: [0, 100], scrollbar: [0, 100], separator: [0, 100],
};

/**
 * @param {Field} element
 * @param {string} name
 * @param {string} role
 * @returns {{valuemin?: number, valuemax?: number}}
 */
function limitsOf(element, name, role) {
  if (role === "separator" && !tabmux.isFocusable(element)) return {};
    const native = name === "input" || name === "meter" || name === "progress";
  const lowest = native ? element.min : attribute.call(element, "aria-valuemin");
  const highest = native ? element.max : attribute.call(element, "aria-valuemax");
  const [low, high] = LIMITS[role] ?? [];
  const valuemin = numberOr(lowest, low), valuemax = numberOr(highest, high);
  return {...(valuemin !== undefined && {valuemin}), ...(valuemax !== undefined && {valuemax})};
}

function numberOr(/** @type {string | null | undefined} */ text, /** @type {number | undefined} */ fallback) {
  const number = text === null || text === undefined || text === "" ? NaN : Number(text);
  return Number.isNaN(number) ? fallback : number;
}

const DISABLED = "[aria-disabled=true]";
/** Whether anything disables what is in it, as far as this walk knows. */
let disabling = true;

/** @type {{focus: Element | null, active: Element | null} | null} where the keys go, during one walk */
let keys = null;

tabmux.duringWalks({
  begin() {
    keys = keysGoTo();
    disabling = false;
  },
  enter(/** @type {Document | ShadowRoot} */ root) {
    disabling ||= [...tabmux.allIn(root, DISABLED)].length > 0;
  },
  end() {
    keys = null;
    disabling = true;
  },
});

function keysGoTo() {
  const element = tabmux.activeElement();
  const focus = element && /^(body|html)$/.test(tag.call(element)) ? null : element;
  const [active = null] = focus ? tabmux.referencesOf(focus, "aria-activedescendant") : [];
  return {focus, active};
}

/** @returns {boolean} whether keys go to the element, or it stands for the one they go to */
tabmux.isFocused = function (/** @type {Element} */ element) {
  const {focus, active} = keys ?? keysGoTo();
  return element === focus || element === active;
};

/**
 * @param {Field} element
 * @param {string} role
 * @returns {boolean} whether a link or a button without telling attributes is in no state: most are
 */
tabmux.isWithoutStates = function (element, role) {
  const name = tag.call(element);
  if (role === "link" ? name !== "a" : role !== "button" || name !== "button") return false;
  if (disabling || tabmux.isFocused(element) || tabmux.isEditingHost(element)) return false;
  return role === "link" || !(element.popoverTargetElement || matches.call(element, ":disabled"));
};

/** @returns {boolean} whether what has the focus points to this element as the active one */
tabmux.isActive = (/** @type {Element} */ element) => (keys ?? keysGoTo()).active === element;

/** Everything that is known of one element. */
tabmux.describe = function (/** @type {Element} */ element) {
  const role = tabmux.roleOf(element);
  const naming = tabmux.namingOf(element, role);
  /** @type {States} */
  const about = {role, name: naming.name};
  const description = tabmux.descriptionOf(element, naming);
  if (description) about.description = description;
  const value = tabmux.valueOf(element, role);
  if (value !== null) about.value = value;
  return Object.assign(about, tabmux.statesOf(element, role));
};
