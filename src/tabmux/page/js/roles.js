// @ts-check
// What an element is: its ARIA role, or the one its tag implies, in Chrome's words.

const {
  tag, attribute, hasAttribute, attributeNames, query, namespace, matches, closest, firstElement,
  nextElement, parentNode,
} = tabmux.dom;

/** Tags of plain HTML that are everywhere, so that their namespace need not be asked for. */
const PLAIN_HTML = new Set(["div", "span", "i", "b", "u", "small", "pre", "slot"]);
const SVG = "http://www.w3.org/2000/svg";

/** Roles an author may write. Abstract ones are not among them. */
const ARIA = new Set((
  "alert alertdialog application article banner blockquote button caption cell checkbox code " +
  "columnheader combobox comment complementary contentinfo definition deletion dialog directory " +
  "document emphasis feed figure form generic grid gridcell group heading image img insertion link " +
  "list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox " +
  "menuitemradio meter navigation none note option paragraph presentation progressbar radio " +
  "radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter " +
  "sectionheader separator slider " +
  "spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel " +
  "term textbox time timer toolbar tooltip tree treegrid treeitem " +
  "doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry " +
  "doc-bibliography doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit " +
  "doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata " +
  "doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction " +
  "doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part " +
  "doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc " +
  "graphics-document graphics-object graphics-symbol"
).split(" "));

const SYNONYMS = new Map([["image", "img"], ["directory", "list"], ["presentation", "none"]]);

/** Tags whose role does not depend on anything else. */
const PLAIN = new Map(Object.entries({
  abbr: "Abbr", address: "group", article: "article", audio: "Audio", blockquote: "blockquote",
  body: "generic", br: "LineBreak", button: "button", canvas: "Canvas", caption: "caption",
  code: "code", dd: "definition", del: "deletion", details: "group", dfn: "term",
  dialog: "dialog", dl: "DescriptionList", dt: "term", em: "emphasis", fieldset: "group",
  figcaption: "Figcaption", figure: "figure", form: "form", h1: "heading", h2: "heading",
  h3: "heading", h4: "heading", h5: "heading", h6: "heading", hgroup: "group", hr: "separator",
  html: "generic", iframe: "iframe", frame: "iframe", img: "img", ins: "insertion",
  label: "LabelText", legend: "Legend", main: "main", mark: "mark", math: "math", menu: "list",
  meter: "meter", nav: "navigation", ol: "list", optgroup: "group", output: "status",
  p: "paragraph", progress: "progressbar", rp: "RubyAnnotation", rt: "RubyAnnotation",
  ruby: "Ruby", s: "deletion", search: "search", strong: "strong", sub: "subscript",
  sup: "superscript", textarea: "textbox", time: "time", ul: "list", video: "Video",
  embed: "EmbeddedObject", option: "option",
}));

/** @type {Record<string, string>} */
const INPUTS = {
  button: "button", reset: "button", submit: "button", image: "button", file: "button",
  checkbox: "checkbox", radio: "radio", number: "spinbutton", range: "slider",
  search: "searchbox", color: "ColorWell", date: "Date", "datetime-local": "DateTime",
  month: "DateTime", week: "DateTime", time: "InputTime",
};

/** @type {Record<string, (element: Element) => string>} */
const DEPENDENT = {
  a: anchorRole,
  area: (element) => (hasAttribute.call(element, "href") ? "link" : "generic"),
  aside: (element) => (isSectioned(element) && !isNamed(element) ? "generic" : "complementary"),
  footer: (element) => (isScoped(element) ? "sectionfooter" : "contentinfo"),
  header: (element) => (isScoped(element) ? "sectionheader" : "banner"),
  input: (element) => inputRole(/** @type {HTMLInputElement} */ (element)),
  li: listItemRole,
  object: (element) => (query.call(element, "*") ? "generic" : "PluginObject"),
  section: (element) => (isNamed(element) ? "region" : "generic"),
  select: (element) => (isDropDown(/** @type {HTMLSelectElement} */ (element)) ? "combobox" : "listbox"),
  summary: summaryRole,
  tbody: (element) => tablePartRole(element, "rowgroup"),
  tfoot: (element) => tablePartRole(element, "rowgroup"),
  thead: (element) => tablePartRole(element, "rowgroup"),
  td: (element) => cellRole(element, "cell"),
  th: (element) => cellRole(element, headerRole(element)),
  tr: (element) => tablePartRole(element, "row"),
};
const dependent = new Map(Object.entries(DEPENDENT));

/** @type {Map<Element, string> | null} roles that took some thought, during one walk */
let known = null;

tabmux.duringWalks({
  begin: () => { known = new Map(); },
  enter: () => {},
  end: () => { known = null; },
});

/**
 * @param {Element} element
 * @returns {string} the role; "generic" when it has none, "none" when it was taken away
 */
tabmux.roleOf = function (element) {
  const written = attribute.call(element, "role");
  return written ? considered(element, written) : nativeRole(element, tag.call(element));
};

function considered(/** @type {Element} */ element, /** @type {string} */ written) {
  const found = known?.get(element);
  if (found !== undefined) return found;
  const role = ariaRole(element, written) ?? nativeRole(element, tag.call(element));
  known?.set(element, role);
  return role;
}

/** @returns {string | null} the first role an author wrote that is valid here */
function ariaRole(/** @type {Element} */ element, /** @type {string} */ written) {
  for (const word of written.trim().toLowerCase().split(/\s+/)) {
    if (!ARIA.has(word)) continue;
    const role = SYNONYMS.get(word) ?? word;
    if (role === "none") return isStubborn(element) ? null : "none";
    if ((role === "form" || role === "region") && !isNamed(element)) continue;
    if (!isMisplaced(element, role)) return role;
  }
  return null;
}

/** A role may not be taken away from what can be focused or says something of its own. */
function isStubborn(/** @type {Element} */ element) {
  return tabmux.isFocusable(element) || hasGlobalAria(element);
}

const GLOBAL = new Set((
  "aria-atomic aria-braillelabel aria-brailleroledescription aria-busy aria-controls " +
  "aria-current aria-describedby aria-description aria-details aria-dropeffect aria-flowto " +
  "aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns aria-relevant " +
  "aria-roledescription"
).split(" "));

function hasGlobalAria(/** @type {Element} */ element) {
  return attributeNames.call(element).some((/** @type {string} */ name) => GLOBAL.has(name));
}

/** @type {Record<string, Set<string>>} items mean nothing outside what they are items of */
const CONTAINERS = {
  option: new Set(["listbox", "combobox", "menu"]),
  listitem: new Set(["list", "DescriptionList"]),
  treeitem: new Set(["tree"]),
};

function isMisplaced(/** @type {Element} */ element, /** @type {string} */ role) {
  const containers = CONTAINERS[role];
  if (!containers) return false;
  for (let at = tabmux.ownerOf(element); at; at = tabmux.ownerOf(at)) {
    const around = tabmux.roleOf(at);
    if (containers.has(around)) return false;
    if (around !== "generic" && around !== "none" && around !== "group" && around !== role) return true;
  }
  return true;
}

function nativeRole(/** @type {Element} */ element, /** @type {string} */ name) {
  const role = PLAIN.get(name);
  if (role !== undefined) return role;
  const decide = dependent.get(name);
  if (decide) return decide(element);
  if (name === "table") return tableRole(element);
  if (hasAttribute.call(element, "popover") || hasAttribute.call(element, "autofocus")) return "group";
  if (name.includes("-")) return tabmux.semanticsOf(element)?.role ?? "generic";
  if (PLAIN_HTML.has(name) || namespace.call(element) !== SVG) return "generic";
  return svgRole(element, name);
}

/** Looking closely at a table takes time, and every cell of it asks. */
function tableRole(/** @type {Element} */ table) {
  const found = known?.get(table);
  if (found !== undefined) return found;
  const role = isDataTable(table) ? "table" : "generic";
  known?.set(table, role);
  return role;
}

/** What makes an <svg> more than one picture. */
const SVG_PARTS =
  "text,a,foreignObject,image,use,[role],[aria-label],[aria-labelledby],[tabindex],:scope * > title";

function svgRole(/** @type {Element} */ element, /** @type {string} */ name) {
  switch (name) {
    case "svg": return query.call(element, SVG_PARTS) ? "SvgRoot" : "img";
    case "image": return "img";
    case "foreignObject": case "text": case "tspan": return "generic";
    case "g": return hasTitle(element) || isNamed(element) ? "group" : "none";
    default: return hasTitle(element) || isNamed(element) ? "graphics-symbol" : "none";
  }
}

function hasTitle(/** @type {Element} */ element) {
  for (let node = firstElement.call(element); node; node = nextElement.call(node)) {
    if (tag.call(node) === "title" && node.textContent?.trim()) return true;
  }
  return false;
}

/** Whether the author named it by an attribute: some roles exist only then. */
function isNamed(/** @type {Element} */ element) {
  return Boolean(
    attribute.call(element, "aria-label")?.trim() ||
    tabmux.referencesOf(element, "aria-labelledby").length ||
    attribute.call(element, "title")?.trim(),
  );
}

const SECTIONS = new Set(["article", "aside", "nav", "section"]);
const SECTION_ROLES = new Set(["article", "complementary", "navigation", "region"]);

/** Whether it stands in an article, aside, nav or section. */
function isSectioned(/** @type {Element} */ element) {
  for (let at = tabmux.parentOf(element); at; at = tabmux.parentOf(at)) {
    if (SECTIONS.has(tag.call(at)) || SECTION_ROLES.has(attribute.call(at, "role") ?? "")) return true;
  }
  return false;
}

/** Whether its header or footer is that of a part, not of the page. */
function isScoped(/** @type {Element} */ element) {
  for (let at = tabmux.parentOf(element); at; at = tabmux.parentOf(at)) {
    const name = tag.call(at), role = attribute.call(at, "role") ?? "";
    if (SECTIONS.has(name) || name === "main") return true;
    if (SECTION_ROLES.has(role) || role === "main") return true;
  }
  return false;
}

/** An anchor that does something when it is clicked is a link, wherever it leads. */
function anchorRole(/** @type {Element} */ element) {
  const leads = hasAttribute.call(element, "href") || hasAttribute.call(element, "onclick");
  return leads || tabmux.listens(element) ? "link" : "generic";
}

function inputRole(/** @type {HTMLInputElement} */ input) {
  const type = input.type;
  if (input.list && type !== "color" && !(type in INPUTS && type !== "search")) return "combobox";
  return INPUTS[type] ?? "textbox";
}

function isDropDown(/** @type {HTMLSelectElement} */ select) {
  return !select.multiple && select.size <= 1;
}

function listItemRole(/** @type {Element} */ element) {
  const parent = tabmux.parentOf(element);
  return parent && /^(ul|ol|menu)$/.test(tag.call(parent)) && tabmux.roleOf(parent) === "none"
    ? "none" : "listitem";
}

function summaryRole(/** @type {Element} */ element) {
  const parent = tabmux.parentOf(element);
  return parent && tag.call(parent) === "details" ? "DisclosureTriangle" : "generic";
}

const TABLES = new Set(["table", "grid", "treegrid"]);

function tablePartRole(/** @type {Element} */ element, /** @type {string} */ role) {
  const table = closest.call(element, "table");
  return table && TABLES.has(tabmux.roleOf(table)) ? role : "generic";
}

function cellRole(/** @type {Element} */ element, /** @type {string} */ role) {
  const table = closest.call(element, "table");
  const around = table ? tabmux.roleOf(table) : "";
  if (!TABLES.has(around) || !isInRow(element)) return "generic";
  return role === "cell" && around !== "table" ? "gridcell" : role;
}

function isInRow(/** @type {Element} */ element) {
  const row = parentNode.call(element);
  return !(row instanceof Element) || !hasAttribute.call(row, "role") || tabmux.roleOf(row) === "row";
}

function headerRole(/** @type {Element} */ element) {
  const scope = attribute.call(element, "scope")?.toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const row = tabmux.parentOf(element);
  const section = row && tabmux.parentOf(row);
  if (section && tag.call(section) === "thead") return "columnheader";
  for (let node = row && firstElement.call(row); node; node = nextElement.call(node)) {
    if (tag.call(node) === "td") return "rowheader";
  }
  return "columnheader";
}

const MANY_ROWS = 20;
const SAMPLE = 60;

/** Whether a table holds data; the others only lay things out, and are nothing to a reader. */
function isDataTable(/** @type {Element} */ element) {
  const table = /** @type {HTMLTableElement} */ (element);
  if (table.caption || table.tHead || table.tFoot || table.summary || table.rules) return true;
  if (query.call(table, ":scope > col, :scope > colgroup")) return true;
  const {rows} = table;
  if (rows.length >= MANY_ROWS) return true;
  const cells = [...rows].slice(0, SAMPLE).flatMap((row) => [...row.cells]).slice(0, SAMPLE);
  if (cells.length < 2) return false;
  return cells.some(isDataCell) || looksTabular(table, cells);
}

function isDataCell(/** @type {HTMLTableCellElement} */ cell) {
  return tag.call(cell) === "th" ||
    ["headers", "abbr", "axis", "scope"].some((name) => attribute.call(cell, name));
}

/**
 * Whether lines or colours set the cells apart, as they do for a table of data.
 * @param {HTMLTableElement} table
 * @param {HTMLTableCellElement[]} cells
 */
function looksTabular(table, cells) {
  const around = getComputedStyle(table);
  const spaced = !/^0px|^0$/.test(around.borderSpacing) && around.borderCollapse === "separate";
  const sides = [0, 0, 0, 0];
  let coloured = 0;
  for (const cell of cells) {
    const style = getComputedStyle(cell);
    [style.borderTopWidth, style.borderBottomWidth, style.borderLeftWidth, style.borderRightWidth]
      .forEach((width, side) => { if (parseFloat(width) > 0) sides[side] += 1; });
    const colour = style.backgroundColor;
    if (spaced && colour !== around.backgroundColor && !isClear(colour)) coloured += 1;
  }
  const half = Math.floor(cells.length / 2);
  return Math.max(coloured, ...sides) >= half || isStriped(table);
}

function isClear(/** @type {string} */ colour) {
  return colour === "transparent" || /^rgba\(.*, 0\)$/.test(colour);
}

function isStriped(/** @type {HTMLTableElement} */ table) {
  const colours = [...table.rows].slice(0, 5).map((row) => getComputedStyle(row).backgroundColor);
  if (colours.length < 3) return false;
  return colours.every((colour, i) => (colour === colours[0]) === (i % 2 === 0));
}

/** @returns {boolean} whether the keyboard or a script can move the focus there */
tabmux.isFocusable = function (/** @type {Element} */ element) {
  if (hasAttribute.call(element, "tabindex")) {
    return !Number.isNaN(parseInt(attribute.call(element, "tabindex") ?? "", 10));
  }
  switch (tag.call(element)) {
    case "a": case "area": return hasAttribute.call(element, "href");
    case "button": case "input": case "select": case "textarea":
      return !matches.call(element, ":disabled") && attribute.call(element, "type") !== "hidden";
    case "iframe": return true;
    case "summary": return summaryRole(element) === "DisclosureTriangle";
    case "audio": case "video": return hasAttribute.call(element, "controls");
    default: return tabmux.isEditingHost(element);
  }
};

/** @returns {boolean} whether editing starts at this element */
tabmux.isEditingHost = function (/** @type {Element} */ element) {
  const value = attribute.call(element, "contenteditable");
  return value !== null && value.toLowerCase() !== "false";
};

/** Attributes by which pages and frameworks say that a click does something. */
const HANDLERS = new Set((
  "onclick onmousedown onmouseup onpointerdown onpointerup ng-click @click x-on:click wire:click " +
  "phx-click"
).split(" "));

/** Elements that can be used by nature, even if an author took their role away. */
const USABLE = new Set(["a", "area", "button", "input", "select", "summary", "textarea"]);

/**
 * Whether there is a reason to use an element, whatever its role.
 * @param {Element} element
 * @param {string} name its tag
 * @param {string[]} attributes
 * @returns {boolean}
 */
tabmux.isUsable = function (element, name, attributes) {
  return tabmux.hasHandler(element, attributes) || tabmux.listens(element) || (USABLE.has(name) && tabmux.isFocusable(element));
};

/** @returns {boolean} whether an attribute says that the element can be clicked, focused or dragged */
tabmux.hasHandler = function (/** @type {Element} */ element, /** @type {string[]} */ attributes) {
  for (let i = 0; i < attributes.length; i++) {
    const name = attributes[i];
    if (HANDLERS.has(name)) return true;
    if (name === "tabindex" && parseInt(attribute.call(element, name) ?? "", 10) >= 0) return true;
    if (name === "draggable" && attribute.call(element, name) === "true") return true;
  }
  return false;
};
