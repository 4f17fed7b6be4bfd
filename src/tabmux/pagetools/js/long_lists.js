// @ts-check
// Long lists: of entries like many before them only what tells them apart is reported.

const {tag, attribute, childCount, closest, query, queryAll, textContent} = tabmux.dom;

/** As many entries that look alike are reported in whole. */
const ENTRIES = 50;
/** Entries of lists and tables, whatever their classes say. */
const ROWS = new Set(["li", "tr", "article", "dt"]);
/** Where every single thing may be a tool of its own. */
const APART =
  "nav, header, footer, form, [role=navigation], [role=menu], [role=menubar], [role=tablist], [role=listbox]";
/** Fields count one by one, and are asked for together. */
const FIELD = "input:not([type=hidden], [type=submit], [type=button]), select, textarea, [contenteditable]";
const LEADING = "a[href]:not([href^='#'], [href^='javascript:'])";

/** @returns {boolean} whether an element may hold more entries than are reported in whole */
tabmux.isLong = (/** @type {Element} */ element) =>
  childCount.call(element) > ENTRIES && !closest.call(element, APART);

/** @typedef {import("./element_report.js").Report} Report */

/** The entries of one long list, as they come. */
const LongList = class {
  /** @param {boolean} whole whether all of them are to be reported in whole */
  constructor(whole) {
    this.whole = whole;
    /** @type {Map<string, {part: Report, element: Element}[]>} those that look alike */
    this.alike = new Map();
  }

  /** @returns {boolean} whether an entry is like so many before it that it need not be walked */
  repeats(/** @type {Element} */ element) {
    if (this.whole) return false;
    const before = this.alike.get(lookOf(element));
    return before !== undefined && before.length >= ENTRIES && isRich(element) && !query.call(element, FIELD);
  }

  /** @returns {Report} what stands for an entry that repeats others */
  brief(/** @type {Element} */ element) {
    const before = /** @type {{part: Report, element: Element}[]} */ (this.alike.get(lookOf(element)));
    const {t, o, c} = before[0].part;
    /** @type {Report} */
    const part = {r: tabmux.toolRef(element), t, o, c, b: 1};
    before.push({part, element});
    return part;
  }

  /** Takes note of an entry that was walked. */
  add(/** @type {Element} */ element, /** @type {Report} */ part) {
    const look = lookOf(element);
    if (!look) return;
    const before = this.alike.get(look);
    if (before) before.push({part, element});
    else this.alike.set(look, [{part, element}]);
  }

  /** Gives the entries of long lists what they are known by, however much of them is reported. */
  close() {
    for (const entries of this.alike.values()) {
      if (entries.length <= ENTRIES) continue;
      const keys = entries.map(({element}) => keyOf(element));
      const unique = new Set(keys).size === keys.length;
      entries.forEach(({part, element}, at) => {
        part.y = unique ? keys[at] : tabmux.factText(`${keys[at]} ${textContent.call(element)}`, 200);
      });
    }
  }
};
tabmux.LongList = LongList;

/** @typedef {InstanceType<typeof LongList>} LongList */

/** Whether there is so much in it that it is worth while to leave it out. */
function isRich(/** @type {Element} */ element) {
  return queryAll.call(element, "*").length > 3;
}

/** @returns {string} the same for entries that look alike; "" for what is no entry */
function lookOf(/** @type {Element} */ element) {
  const name = tag.call(element);
  if (ROWS.has(name)) return name;
  const classes = attribute.call(element, "class");
  return classes ? `${name} ${attribute.call(element, "role") ?? ""} ${classes}` : "";
}

function keyOf(/** @type {Element} */ element) {
  const link = tag.call(element) === "a" ? element : query.call(element, LEADING);
  return (link && attribute.call(link, "href")) || tabmux.factText(textContent.call(element), 120);
}
