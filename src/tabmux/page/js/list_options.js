// @ts-check
/**
 * The options that a combobox, a listbox or a group of radio buttons offers, wherever they are drawn.
 * @param {number} epoch
 * @param {number} label
 * @param {"focus" | "find" | "unwanted" | "chosen" | "open" | "field"} task
 *   find: look for an option, through a list that comes late or draws only what is in view
 *   unwanted: the chosen ones in sight that are not among those of a JSON list
 *   chosen: whether the control shows an option now
 *   open: whether options are in sight, its own or some that were not there before; and whether the
 *     control says that it has closed them
 *   field: the only field inside of the control that can be typed into
 * @param {string} text the option that is meant
 * @param {number} limit milliseconds
 */
async function listOptions(epoch, label, task, text, limit) {
  const RADIOS = "[role=radio],input[type=radio]";
  const POPUPS = "[role=listbox],[role=menu],[role=tree],[role=grid],[role=dialog]";
  const PAUSE = 20, DRAWN = 150, SETTLED = 300, NAMED = 20, CLIMB = 3, LEAST_LOOKS = 10, MOST_TURNS = 150;
  const control = /** @type {HTMLElement | null} */ (tabmux.controlOf(epoch, label));
  if (!control) return {trouble: "gone"};
  const isGroup = tabmux.roleOf(control) === "radiogroup";
  const OPTIONS = isGroup ? RADIOS
    : "[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem]";

  const same = (/** @type {string} */ a, /** @type {string} */ b) => a.localeCompare(b, undefined, {sensitivity: "accent"}) === 0;
  const plain = (/** @type {string | null | undefined} */ words) =>
    (words || "").replace(/\p{Default_Ignorable_Code_Point}+/gu, "").replace(/\s+/g, " ").trim();
  const isSeen = (/** @type {Element} */ each) =>
    each.checkVisibility({visibilityProperty: true, opacityProperty: true}) && each.getBoundingClientRect().height > 0 && !isClipped(each);

  /** Whether a text can be read, also in what has no box of its own, as a slot has none. */
  function isWritten(/** @type {Text} */ text, /** @type {Element} */ parent) {
    const around = boxAround(parent);
    return around.checkVisibility({visibilityProperty: true, opacityProperty: true}) && !isClipped(around) &&
      tabmux.textBoxes(text).some((box) => box.height > 0);
  }

  function boxAround(/** @type {Element} */ element) {
    let at = element;
    while (getComputedStyle(at).display === "contents") at = tabmux.parentOf(at) ?? document.documentElement;
    return at;
  }

  /** Whether it stands in something without room: for screen readers alone, beside the list that is drawn. */
  function isClipped(/** @type {Element} */ each) {
    for (let at = tabmux.parentOf(each), climbed = 0; at && climbed < CLIMB; at = tabmux.parentOf(at), climbed += 1) {
      const {width, height} = at.getBoundingClientRect();
      if ((width < 2 || height < 2) && getComputedStyle(at).overflow !== "visible") return true;
    }
    return false;
  }

  const wanted = plain(text);

  /** @returns {(Document | ShadowRoot)[]} the trees that an open list may be in */
  function trees() {
    const found = /** @type {(Document | ShadowRoot)[]} */ ([document]);
    for (let root = control?.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) found.push(root);
    const own = control && tabmux.shadowOf(control);
    return own ? [...found, own] : found;
  }

  /** @returns {Element[]} what the control says that it opens */
  function popups() {
    const around = [control, ...control?.querySelectorAll("[aria-controls],[aria-owns]") ?? [], control?.closest("[aria-controls],[aria-owns]")];
    return around.flatMap((each) => each ? ["aria-controls", "aria-owns"].flatMap((name) => tabmux.referencesOf(each, name)) : [])
      .filter((each) => isSeen(each) && !each.contains(control));
  }

  /** @returns {HTMLElement[]} */
  function within(/** @type {ParentNode} */ part) {
    const found = /** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll(OPTIONS));
    return [...found].filter((each) => isGroup || isSeen(each));
  }

  /** @returns {HTMLElement[]} */
  function options() {
    if (!control) return [];
    const claimed = popups().flatMap(within);
    if (claimed.length) return claimed;
    const own = [control, tabmux.shadowOf(control)].flatMap((part) => part ? within(part) : []);
    // Before it opens, a component may show what is chosen as an option, too.
    const found = control.hasAttribute("aria-expanded") ? own.filter((each) => !tabmux.inSight?.has(each)) : own;
    if (found.length) return found;
    return trees().flatMap(within).filter((each) => !tabmux.inSight?.has(each));
  }

  function textsOf(/** @type {HTMLElement} */ option) {
    const field = /** @type {Field} */ (option);
    const named = field.labels ? [...field.labels].map((each) => plain(each.textContent)) : [];
    const whole = option.innerText ?? "";
    // What is chosen may stand beside a button that takes it away again.
    const own = [...option.childNodes].filter((node) => node instanceof Text).map((node) => node.data).join(" ");
    return [plain(whole), ...named, plain(own), plain(option.getAttribute("aria-label")), plain(whole.trim().split("\n")[0]),
      plain(option.dataset.value ?? option.getAttribute("value"))].filter(Boolean);
  }

  function matching() {
    const all = options();
    for (const equal of [(/** @type {string} */ a) => a === wanted, (/** @type {string} */ a) => same(a, wanted)]) {
      const found = all.find((each) => textsOf(each).some(equal));
      if (found) return found;
    }
    return drawn();
  }

  /** A list without roles: what came into sight and reads as the option. */
  function drawn() {
    if (!tabmux.inSight || options().length) return null;
    const leaves = trees().flatMap((tree) => [...tree.querySelectorAll("li,a,div,span,button,td")])
      .filter((each) => each.childElementCount < 3 && plain(each.textContent) === wanted);
    const found = leaves.filter((each) => isSeen(each) && !tabmux.inSight?.has(each) && !control?.contains(each));
    return /** @type {HTMLElement | undefined} */ (found[0]) ?? null;
  }

  function scroller() {
    const shown = options();
    if (!shown.length) return drawnScroller();
    for (const option of shown) {
      for (let at = tabmux.parentOf(option); at && at !== document.body; at = tabmux.parentOf(at)) {
        if (at.scrollHeight > at.clientHeight + 4 && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
      }
    }
    return null;
  }

  /** In a list without roles: what came into sight and holds more than it shows. */
  function drawnScroller() {
    if (!tabmux.inSight) return null;
    const fresh = trees().flatMap((tree) => [...tree.querySelectorAll("div,ul,ol")]).filter((each) => !tabmux.inSight?.has(each));
    return fresh.find((each) => each.clientHeight > 60 && each.scrollHeight > each.clientHeight + 4 &&
      getComputedStyle(each).overflowY !== "visible" && isSeen(each)) ?? null;
  }

  const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

  async function find() {
    let end = performance.now() + limit, turns = 0, known = new Set(), quiet = performance.now(), /** @type {Element | null} */ list = null;
    for (let looks = 0; ; looks += 1) {
      const option = matching();
      if (option) return told(option);
      const before = known.size;
      for (const each of options()) known.add(textsOf(each)[0]);
      list ??= scroller();
      const moved = list && turn(list, turns === 0);
      if (list) turns += 1;
      if (moved && turns < MOST_TURNS) end = Math.max(end, performance.now() + SETTLED);
      if (moved || known.size !== before) quiet = performance.now();
      const now = performance.now();
      // A page that is kept from running gets its turns all the same.
      if ((looks > LEAST_LOOKS && now > end) || (known.size && now - quiet > SETTLED)) {
        return {label: 0, known: [...known].slice(0, NAMED), more: known.size > NAMED, open: known.size > 0};
      }
      await (moved ? drawing() : pause());
    }
  }

  /** Until a list has drawn what it was scrolled to; a page in the background draws nothing. */
  function drawing() {
    return new Promise((resolve) => {
      setTimeout(resolve, DRAWN);
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, PAUSE)));
    });
  }

  /** Show the next part of a list that may draw only what is in view. */
  function turn(/** @type {Element} */ list, /** @type {boolean} */ first) {
    const before = list.scrollTop;
    list.scrollTop = first ? 0 : before + list.clientHeight * 0.8;
    return list.scrollTop !== before;
  }

  function field() {
    const found = [...control?.querySelectorAll("input,textarea") ?? []].filter((each) =>
      each.matches(":read-write") && !tabmux.isDisabled(each) && isSeen(each));
    tabmux.begin(epoch);
    return {label: found.length === 1 ? tabmux.labelOf(found[0]) : 0};
  }

  function told(/** @type {HTMLElement} */ option) {
    option.scrollIntoView({block: "nearest", behavior: "instant"});
    const target = option.closest("a[href]") ?? option.querySelector("a[href]");
    tabmux.begin(epoch);
    return {
      label: tabmux.labelOf(option), selected: isSelected(option), disabled: tabmux.isDisabled(option),
      link: target instanceof HTMLAnchorElement && !/^#|^javascript:/.test(target.getAttribute("href") ?? "#"),
      several: Boolean(option.closest("[aria-multiselectable=true]")), open: true,
    };
  }

  function unwanted(/** @type {string[]} */ texts) {
    tabmux.begin(epoch);
    return options().filter((each) => isSelected(each) && !textsOf(each).some((words) => texts.some((one) => same(words, plain(one)))))
      .map((each) => tabmux.labelOf(each));
  }

  function isSelected(/** @type {HTMLElement} */ option) {
    if (option instanceof HTMLInputElement) return option.checked;
    return (option.getAttribute("aria-checked") ?? option.getAttribute("aria-selected")) === "true";
  }

  /** Whether options say which of them is chosen: what a group shows are the words of all of them. */
  function saysWhatIsChosen() {
    return isGroup && options().some((each) =>
      each instanceof HTMLInputElement || each.hasAttribute("aria-checked") || each.hasAttribute("aria-selected"));
  }

  /** What the control itself shows, without the list it opened. */
  function shown(/** @type {Element} */ part) {
    const inner = tabmux.shadowOf(part);
    return [...(inner ? shownIn(inner) : []), ...shownIn(part)];
  }

  function shownIn(/** @type {Element | ShadowRoot} */ part) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const listed = parent?.closest(`${POPUPS},[role=option]`);
      if (parent && isWritten(/** @type {Text} */ (walker.currentNode), parent) && (!listed || listed.contains(control))) {
        found.push(plain(walker.currentNode.textContent));
      }
    }
    const fields = part instanceof HTMLInputElement ? [part] : [...part.querySelectorAll("input")];
    return [...found, ...fields.filter((each) => each !== control || !isTypedOnly()).map((each) => plain(each.value))].filter(Boolean);
  }

  /** Typed into the control itself, a text is no choice as long as the list waits for one. */
  function isTypedOnly() {
    const typed = control instanceof HTMLInputElement && !control.readOnly && same(plain(control.value), wanted);
    return typed && (control.getAttribute("aria-expanded") === "true" || matching() !== null);
  }

  function isChosen() {
    if (options().some((each) => isSelected(each) && textsOf(each).some((words) => same(words, wanted)))) return true;
    if (saysWhatIsChosen()) return false;
    let /** @type {Element | null} */ part = control;
    for (let climbed = 0; part && part !== document.body && climbed <= CLIMB; climbed += 1) {
      const texts = shown(part);
      if ([...texts, texts.join(" ")].some((words) => same(words, wanted))) return true;
      if (texts.some((words) => words.split(/,\s*/).some((word) => same(word, wanted)))) return true;
      part = tabmux.parentOf(part);
    }
    return false;
  }

  if (task === "open") {
    const expanded = control.getAttribute("aria-expanded");
    return {open: expanded !== "false" && options().length > 0, closed: expanded === "false"};
  }
  if (task === "focus") return control.focus();
  if (task === "find") return find();
  if (task === "field") return field();
  if (task === "unwanted") return {labels: unwanted(JSON.parse(text))};
  const end = performance.now() + limit;
  for (let looks = 0; !isChosen() && (looks < LEAST_LOOKS || performance.now() < end); looks += 1) await pause();
  const all = saysWhatIsChosen() ? options().filter(isSelected).map((each) => textsOf(each)[0]) : shown(control);
  return {chosen: isChosen(), shown: all.join(" ").slice(0, 100)};
}
