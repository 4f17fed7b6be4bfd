// @ts-check
/**
 * The options that a combobox, a listbox or a group of toggles offers, wherever they are drawn.
 * @param {number} epoch
 * @param {number} label
 * @param {"focus" | "find" | "unwanted" | "chosen" | "open" | "field" | "branches" | "opener" | "look" | "chips" | "search"} task
 *   find: look for an option, through a list that comes late or draws only what is in view
 *   unwanted: the chosen ones in sight that are not among those of a JSON list
 *   chosen: whether the control shows an option now, by one of the texts of a JSON list
 *   open: whether options are in sight, its own or some that were not there before; and whether the
 *     control says that it has closed them
 *   field: the only field inside of the control that can be typed into
 *   branches: what opens the parts of a tree that are closed
 *   chips: what takes away values beside the control that are not among those of a JSON list
 *   search: the field of an open list that it is searched by
 *   look: note what can be seen before it is opened
 *   opener: the only button beside the control, which may open what it is set by
 * @param {string} text the option that is meant
 * @param {number} limit milliseconds
 * @param {boolean} last whether of several options the last one is meant, as in columns that open one another
 */
async function listOptions(epoch, label, task, text, limit, last) {
  const MEMBERS = "[role=radio],input[type=radio],[role=checkbox],input[type=checkbox],[role=switch],[role=tab],[aria-pressed]";
  const ROLES = "[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem]";
  const POPUPS = "[role=listbox],[role=menu],[role=tree],[role=grid],[role=dialog]";
  const DRAWN_PARTS = "li,a,div,span,button,td,label,p";
  const PAUSE = 20, DRAWN = 150, LATEST = 600, SETTLED = 300, LONGEST = 10_000, NAMED = 20, MOST_NUMBERS = 28, CLIMB = 3, LEAST_LOOKS = 10, MOST_TURNS = 150, MOST_TEXT = 120, LEAST_PREFIX = 2;
  const control = /** @type {HTMLElement | null} */ (tabmux.controlOf(epoch, label));
  if (!control) return {trouble: "gone"};
  const isGroup = tabmux.isGroup(control);
  const OPTIONS = isGroup ? MEMBERS : ROLES;

  const same = (/** @type {string} */ a, /** @type {string} */ b) => a.localeCompare(b, undefined, {sensitivity: "accent"}) === 0;
  const plain = (/** @type {string | null | undefined} */ words) =>
    (words || "").replace(/\p{Default_Ignorable_Code_Point}+/gu, "").replace(/\s+/g, " ").trim();
  const isSeen = tabmux.isInSight;

  /** Whether a text can be read, also in what has no box of its own, as a slot has none. */
  function isWritten(/** @type {Text} */ text, /** @type {Element} */ parent) {
    const around = boxAround(parent);
    return isSeen(around) && tabmux.textBoxes(text).some((box) => box.height > 0);
  }

  function boxAround(/** @type {Element} */ element) {
    let at = element;
    while (getComputedStyle(at).display === "contents") at = tabmux.parentOf(at) ?? document.documentElement;
    return at;
  }

  let wanted = plain(text);

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
    return tabmux.atOneLook(optionsNow);
  }

  function optionsNow() {
    if (!control) return [];
    const claimed = popups().flatMap(within);
    if (claimed.length) return claimed;
    const own = [control, tabmux.shadowOf(control)].flatMap((part) => part ? within(part) : []);
    if (isGroup) return own;
    // Before it opens, a component may show what is chosen as an option, too.
    const opens = control.hasAttribute("aria-expanded") || control.hasAttribute("aria-haspopup");
    const found = opens ? own.filter((each) => !tabmux.inSight?.has(each)) : own;
    if (found.length) return found;
    return tabmux.trees().flatMap(within).filter((each) => !tabmux.inSight?.has(each));
  }

  /** @returns {string[]} what an option may be called; of what holds others, without those */
  function textsOf(/** @type {HTMLElement} */ option) {
    const field = /** @type {Field} */ (option);
    const named = field.labels ? [...field.labels].map((each) => plain(each.textContent)) : [];
    const whole = option.querySelector(OPTIONS) ? leaves(option).join(" ") : option.innerText ?? "";
    // What is chosen may stand beside a button that takes it away again.
    const own = [...option.childNodes].filter((node) => node instanceof Text).map((node) => node.data).join(" ");
    return [plain(whole), ...named, plain(own), plain(tabmux.nameOf(option)), plain(whole.trim().split("\n")[0]),
      plain(option.dataset.value ?? option.getAttribute("value")), plain(option.title), ...leaves(option)].filter(Boolean);
  }

  /** The texts in an option, each by itself, besides those of options inside of it. */
  function leaves(/** @type {HTMLElement} */ option) {
    const walker = document.createTreeWalker(option, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent?.closest(OPTIONS) === option && parent.checkVisibility()) found.push(plain(walker.currentNode.textContent));
    }
    return found.filter((each) => /[\p{L}\p{N}]/u.test(each));
  }

  /** @type {((option: string) => boolean)[]} */
  const equals = [(a) => a === wanted, (a) => same(a, wanted)];

  function matching() {
    const all = options(), ways = equals.flatMap((equal) => [
      (/** @type {HTMLElement} */ each) => textsOf(each).slice(0, 1).some(equal), (/** @type {HTMLElement} */ each) => textsOf(each).some(equal)]);
    for (const way of all.length ? ways : []) {
      const found = last ? all.findLast(way) : all.find(way);
      if (found) return found;
    }
    return all.length ? null : drawn();
  }

  /** A list without roles: what came into sight and reads as the option. */
  function drawn() {
    const found = drawnItems().filter((each) => same(plain(each.textContent), wanted));
    return (last ? found[found.length - 1] : found[0]) ?? null;
  }

  /** @returns {HTMLElement[]} what came into sight and holds a text of its own */
  function drawnItems() {
    if (!tabmux.inSight || isGroup) return [];
    const found = tabmux.atOneLook(() => tabmux.everywhere(DRAWN_PARTS).filter((each) =>
      each.childElementCount < 4 && !tabmux.inSight?.has(each) && isShort(each.textContent ?? "") && isSeen(each)));
    return tabmux.foremost(found.filter((each) => !control?.contains(each) || hasKin(each)));
  }

  /** Whether others of its kind stand beside it: what a control writes of itself stands alone. */
  function hasKin(/** @type {Element} */ each) {
    return [...each.parentElement?.children ?? []].some((other) => other !== each && other.localName === each.localName && isShort(other.textContent ?? ""));
  }

  function isShort(/** @type {string} */ words) {
    return words.length < 10 * MOST_TEXT && plain(words).length > 0 && plain(words).length <= MOST_TEXT;
  }

  /** Whether a part is no piece of a line of text: others of its kind stand above or below it. */
  function isWhole(/** @type {Element} */ each) {
    const {top} = each.getBoundingClientRect();
    return [...each.parentElement?.children ?? []].every((other) => other === each || other.localName !== each.localName || Math.abs(other.getBoundingClientRect().top - top) > 2);
  }

  /** @returns {string[]} what can be named of a list without roles: parts that stand beside others of their kind */
  function drawnTexts() {
    const all = drawnItems().filter(hasKin);
    const kin = all.filter((each) => !all.some((other) => other !== each && each.contains(other) && isWhole(other)));
    const days = all.filter((each) => /^\s*\d\d?\s*$/.test(each.textContent ?? ""));
    // What a calendar shows are no names of options.
    return days.length >= MOST_NUMBERS ? [] : kin.filter(isWhole).map((each) => plain(each.innerText));
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
    // What is typed into a field narrows its list, which need not be gone through.
    return !tabmux.inSight || control?.matches("input:read-write") ? null : tabmux.everywhere("div,ul,ol").find((each) => each.clientHeight > 60 &&
      each.scrollHeight > each.clientHeight + 4 && getComputedStyle(each).overflowY !== "visible" && tabmux.isNew(each)) ?? null;
  }

  const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

  async function find() {
    const latest = performance.now() + LONGEST;
    let end = performance.now() + limit, turns = 0, known = new Set(), quiet = performance.now(), /** @type {Element | null} */ list = null;
    for (let looks = 0; ; looks += 1) {
      const option = matching();
      if (option) {
        option.scrollIntoView({block: "nearest", behavior: "instant"});
        await tabmux.rested(option);
        return told(matching() ?? option);
      }
      const before = known.size, now = names();
      for (const each of now) known.add(each);
      list ??= wanted ? scroller() : null;
      if (list && turns === 1 && await leafThrough(list)) continue;
      const moved = list && turn(list, turns === 0);
      if (list) turns += 1;
      if (moved && turns < MOST_TURNS) end = Math.min(Math.max(end, performance.now() + SETTLED), latest);
      if (moved || known.size !== before) quiet = performance.now();
      // A page that is kept from running gets its turns all the same.
      if ((looks > LEAST_LOOKS && performance.now() > end) || performance.now() > latest || (known.size && performance.now() - quiet > SETTLED)) return missed([...known]);
      await (moved ? drawing(now) : pause());
    }
  }

  const nameOf = (/** @type {HTMLElement} */ each) => (isGroup ? tabmux.nameOf(each) : "") || textsOf(each)[0] || "";
  const names = () => {
    const all = options();
    return all.length ? all.map(nameOf).filter(Boolean) : limit > 0 ? drawnTexts() : [];
  };

  /** What there is instead of the option, and which is meant if only one begins with its words. */
  function missed(/** @type {string[]} */ known) {
    const begins = known.filter((each) => each.length > wanted.length && same(each.slice(0, wanted.length), wanted) && !/[\p{L}\p{N}]/u.test(each[wanted.length]));
    const close = (wanted.length >= LEAST_PREFIX || isGroup) && begins.length === 1 ? begins[0] : "";
    const branches = options().some((each) => each.getAttribute("aria-expanded") === "false");
    return {label: 0, known: known.slice(0, NAMED), more: known.length > NAMED, open: known.length > 0, close, branches};
  }

  const order = new Intl.Collator(undefined, {numeric: true});

  /** Go through a long list as through a dictionary, if it is in order. */
  async function leafThrough(/** @type {Element} */ list) {
    let low = 0, high = list.scrollHeight - list.clientHeight;
    for (let looks = 0; high - low > list.clientHeight / 2 && looks < 40; looks += 1) {
      list.scrollTop = looks === 0 ? high : (low + high) / 2;
      const shown = await drawnInView(list);
      if (matching()) return true;
      if (shown.length < 2 || shown.some((each, n) => n > 0 && order.compare(shown[n - 1], each) > 0)) break;
      if (looks === 0 && order.compare(wanted, shown[shown.length - 1]) > 0) break;
      if (looks > 0 && order.compare(wanted, shown[0]) < 0) high = list.scrollTop;
      else if (looks > 0) low = list.scrollTop;
    }
    list.scrollTop = 0;
    await drawing(names());
    return false;
  }

  /** What a list shows where it was scrolled to, once that is drawn. */
  async function drawnInView(/** @type {Element} */ list) {
    const end = performance.now() + LATEST;
    await Promise.race([pause(), new Promise((resolve) => requestAnimationFrame(resolve))]);
    while (performance.now() < end && inView(list).length < 2) await pause();
    return inView(list);
  }

  /** The options that are in view in a list, from above. */
  function inView(/** @type {Element} */ list) {
    const {top, bottom} = list.getBoundingClientRect();
    const boxes = options().map((each) => ({name: nameOf(each), box: each.getBoundingClientRect()}));
    return boxes.filter(({box}) => box.bottom > top && box.top < bottom).sort((a, b) => a.box.top - b.box.top).map(({name}) => name);
  }

  /** Until a list shows other options than before, which it may draw late, or for a while. */
  async function drawing(/** @type {string[]} */ before) {
    const end = performance.now() + DRAWN, shown = before.join("\n");
    await Promise.race([pause(), new Promise((resolve) => requestAnimationFrame(resolve))]);
    while (performance.now() < end && names().join("\n") === shown) await pause();
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
    const target = option.closest("a[href]") ?? option.querySelector("a[href]");
    tabmux.begin(epoch);
    return {
      label: tabmux.labelOf(option), selected: isSelected(option), disabled: tabmux.isDisabled(option),
      link: target instanceof HTMLAnchorElement && !/^#|^javascript:/.test(target.getAttribute("href") ?? "#"),
      several: isOneOfSeveral(option), texts: [...new Set([wanted, ...textsOf(option)])], open: true,
      expanded: option.getAttribute("aria-expanded"), branch: tabmux.labelOf(opener(option)),
    };
  }

  function isOneOfSeveral(/** @type {HTMLElement} */ option) {
    return Boolean(option.closest("[aria-multiselectable=true]")) || (isGroup && (option instanceof HTMLInputElement
      ? option.type === "checkbox" : option.getAttribute("role") === "checkbox"));
  }

  /** What opens a branch of a tree: the part of it that is drawn for that, or the branch itself. */
  function opener(/** @type {HTMLElement} */ option) {
    const parts = [...option.querySelectorAll("*")].filter((each) => each.closest(OPTIONS) === option && isSeen(each));
    return parts.find((each) => /switch|expand|toggle|arrow|caret|chevron|collaps/i.test(each.getAttribute("class") ?? "")) ?? option;
  }

  /** The only button right beside a field that can only be read, if it may be there to open something. */
  function openerBeside() {
    let at = control && tabmux.parentOf(control), found = /** @type {Element[]} */ ([]);
    const isField = control instanceof HTMLInputElement && control.readOnly;
    for (let climbed = 0; isField && at && climbed < CLIMB && !found.length; at = tabmux.parentOf(at), climbed += 1) {
      found = [...at.querySelectorAll("button,[role=button],a[href='#']")].filter((each) => isSeen(each) && !tabmux.isDisabled(each) && isOpener(each));
    }
    tabmux.begin(epoch);
    return {label: found.length === 1 ? tabmux.labelOf(found[0]) : 0};
  }

  function isOpener(/** @type {Element} */ button) {
    const own = button.getBoundingClientRect(), beside = /** @type {Element} */ (control).getBoundingClientRect();
    const isNear = own.top < beside.bottom && own.bottom > beside.top && own.left < beside.right + 60 && own.right > beside.left - 60;
    const name = tabmux.nameOf(button), says = `${name} ${button.getAttribute("class") ?? ""}`;
    return isNear && !/clear|remove|reset|delete/i.test(says) && (button.hasAttribute("aria-haspopup") || !/\p{L}/u.test(name) ||
      /open|show|toggle|choose|pick|select|calendar|date|time|drop|arrow|caret|chevron/i.test(says));
  }

  function branches() {
    tabmux.begin(epoch);
    return {labels: options().filter((each) => each.getAttribute("aria-expanded") === "false").map((each) => tabmux.labelOf(opener(each)))};
  }

  function unwanted(/** @type {string[]} */ texts) {
    tabmux.begin(epoch);
    return options().filter((each) => isSelected(each) && !textsOf(each).some((words) => texts.some((one) => same(words, plain(one)))))
      .map((each) => tabmux.labelOf(each));
  }

  /** The field that came with the list, beside its options. */
  function search() {
    const first = options()[0] ?? drawnItems()[0] ?? null, FIELDS = "input:not([type]),input[type=text],input[type=search]";
    const all = tabmux.everywhere(FIELDS).filter((each) => each !== control && each.matches(":read-write") && isSeen(each));
    const active = tabmux.activeElement();
    const own = all.filter((each) => tabmux.isNew(each) || (each === active && control && tabmux.encloses(control, each)));
    let at = first && tabmux.parentOf(first), found = own.length === 1 ? own[0] : null;
    for (let climbed = 0; at && at !== document.body && climbed < 2 * CLIMB && !found; at = tabmux.parentOf(at), climbed += 1) {
      const inside = all.filter((each) => at && tabmux.encloses(at, each));
      if (inside.length) found = inside.length === 1 ? inside[0] : null;
    }
    tabmux.begin(epoch);
    return {label: found ? tabmux.labelOf(found) : 0};
  }

  const REMOVES = /remove|delete|close|clear|deselect|dismiss|cancel/i;

  /** Values that stand beside the control, each with something that takes it away. */
  function chips(/** @type {string[]} */ texts) {
    let at = control && tabmux.parentOf(control);
    for (let climbed = 0; at && at !== document.body && climbed < CLIMB; at = tabmux.parentOf(at), climbed += 1) {
      const found = [...at.querySelectorAll("button,[role=button],a,i,svg,span")].filter((each) => isSeen(each) && isRemover(each));
      const outer = found.filter((each) => !found.some((other) => other !== each && other.contains(each)));
      const away = outer.filter((each) => !texts.some((one) => same(one, chipText(each))));
      tabmux.begin(epoch);
      if (outer.length) return {labels: away.map((each) => tabmux.labelOf(each))};
    }
    return {labels: []};
  }

  function isRemover(/** @type {Element} */ each) {
    const words = plain(each.textContent), name = `${each.getAttribute("aria-label") ?? ""} ${each.getAttribute("title") ?? ""} ${each.getAttribute("class") ?? ""}`;
    if (!/^[×✕✖x]?$/i.test(words) || !(words || REMOVES.test(name)) || control?.contains(each)) return false;
    const chip = chipText(each);
    return chip.length > 0 && chip.length <= MOST_TEXT && !/\ball\b/i.test(name);
  }

  /** What the thing says that a button takes away. */
  function chipText(/** @type {Element} */ remover) {
    const chip = remover.parentElement;
    return chip && !chip.querySelector("input") ? plain((chip.textContent ?? "").replace(/[×✕✖]/g, " ").replace(plain(remover.textContent) || " ", " ")) : "";
  }

  const SAYS = ["aria-checked", "aria-selected", "aria-pressed"];

  function isSelected(/** @type {HTMLElement} */ option) {
    if (option instanceof HTMLInputElement) return option.checked;
    return SAYS.map((name) => option.getAttribute(name)).find((each) => each !== null) === "true";
  }

  /** Whether options say which of them is chosen: what a group shows are the words of all of them. */
  function saysWhatIsChosen() {
    return isGroup && options().some((each) => each instanceof HTMLInputElement || SAYS.some((name) => each.hasAttribute(name)));
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
      if (parent && isWritten(/** @type {Text} */ (walker.currentNode), parent) && (!listed || listed.contains(control)) && !isOffer(parent)) {
        found.push(plain(walker.currentNode.textContent));
      }
    }
    const fields = part instanceof HTMLInputElement ? [part] : [...part.querySelectorAll("input")];
    return [...found, ...fields.filter((each) => each !== control || !isTypedOnly()).map((each) => plain(each.value))].filter(Boolean);
  }

  /** Whether a text stands in what was opened beside the control, which only offers it. */
  function isOffer(/** @type {Element} */ part) {
    if (isGroup || !tabmux.inSight || control?.contains(part) || tabmux.inSight.has(part)) return false;
    let at = /** @type {Element | null} */ (part);
    while (at && !tabmux.inSight.has(at)) {
      if (/absolute|fixed/.test(getComputedStyle(at).position)) return true;
      at = tabmux.parentOf(at);
    }
    return false;
  }

  /** Typed into the control itself, a text is no choice as long as the list waits for one. */
  function isTypedOnly() {
    const typed = control instanceof HTMLInputElement && !control.readOnly && same(plain(control.value), wanted);
    return typed && (control.getAttribute("aria-expanded") === "true" || matching() !== null);
  }

  /** @type {string[]} */
  let choices = [wanted];
  const isOne = (/** @type {string} */ words) => choices.some((each) => same(words, each));

  function isChosen() {
    if (options().some((each) => isSelected(each) && textsOf(each).some(isOne))) return true;
    if (saysWhatIsChosen()) return false;
    let /** @type {Element | null} */ part = control;
    for (let climbed = 0; part && part !== document.body && climbed <= CLIMB; climbed += 1) {
      const texts = shown(part);
      if ([...texts, texts.join(" ")].some(isOne)) return true;
      if (texts.some((words) => words.split(/,\s*/).some(isOne))) return true;
      part = tabmux.parentOf(part);
    }
    return saysSince();
  }

  /** Whether the control has come to say the option within other words, as in "Sort: Date". */
  function saysSince() {
    if (!tabmux.saidBefore || !control || options().length || isTypedOnly()) return false;
    const before = tabmux.saidBefore, now = tabmux.wordsAt(control);
    const isIn = (/** @type {string} */ words, /** @type {string} */ one) => ` ${words.toLowerCase().replace(/[^\p{L}\p{N}+]+/gu, " ")} `
      .includes(` ${one.toLowerCase().replace(/[^\p{L}\p{N}+]+/gu, " ").trim()} `);
    return choices.some((one) => /[\p{L}\p{N}]/u.test(one) && now.some((words, n) => isIn(words, one) && !isIn(before[n] ?? "", one)));
  }

  /** Whether options are in sight; with a limit, once they are gone or the time is over. */
  async function openState() {
    const end = performance.now() + limit;
    const isOpen = () => control?.getAttribute("aria-expanded") !== "false" && options().length > 0;
    while (limit > 0 && isOpen() && performance.now() < end) await pause();
    const expanded = control?.getAttribute("aria-expanded");
    return {open: isOpen(), closed: expanded === "false", anything: expanded !== "false" && (options().length > 0 || drawnItems().length > 0)};
  }

  if (task === "open") return openState();
  if (task === "focus") return control.focus();
  if (task === "look") return tabmux.noteSight(control);
  if (task === "find") return find();
  if (task === "field") return field();
  if (task === "branches") return branches();
  if (task === "opener") return openerBeside();
  if (task === "search") return search();
  if (task === "chips") return chips(JSON.parse(text).map(plain));
  if (task === "unwanted") return {labels: unwanted(JSON.parse(text))};
  choices = JSON.parse(text).map(plain);
  wanted = choices[0];
  const end = performance.now() + limit;
  for (let looks = 0; !isChosen() && (looks < LEAST_LOOKS || performance.now() < end); looks += 1) await pause();
  const all = saysWhatIsChosen() ? options().filter(isSelected).map(nameOf) : shown(control);
  return {chosen: isChosen(), shown: all.join(" ").slice(0, 100)};
}
