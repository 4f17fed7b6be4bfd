// @ts-check
/**
 * Selects a text, a range of characters or all of an element or the document.
 * Runs of white space count as one blank, as they are shown.
 * @param {{epoch: number, label: number, text: string, start: number | null, end: number | null}} what
 * @returns {{selected: string, matches: number} | {trouble: "gone"} | null} null when it is not there
 */
function selectText({epoch, label, text, start, end}) {
  const element = label ? tabmux.lookUp(epoch, label) : document.body;
  if (!element) return label ? {trouble: "gone"} : null;
  tabmux.watch();
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return inField(element);
  const shown = characters(element);
  const whole = shown.map((each) => each.char).join("");
  const place = placeIn(whole, text.replace(/\s+/g, " "));
  if (!place) return null;
  const [first, last] = [shown[place.start], shown[place.end - 1]];
  editingHost(element)?.focus({preventScroll: true});
  getSelection()?.setBaseAndExtent(first.node, first.at, last.node, last.at + 1);
  first.node.parentElement?.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
  return {selected: whole.slice(place.start, place.end), matches: place.matches};

  /** Where the wanted part is in all of the text. */
  function placeIn(/** @type {string} */ whole, /** @type {string} */ needle) {
    if (needle) {
      const at = whole.indexOf(needle);
      return at < 0 ? null : {start: at, end: at + needle.length, matches: whole.split(needle).length - 1};
    }
    const from = Math.min(start ?? 0, whole.length), to = Math.min(end ?? whole.length, whole.length);
    return from < to ? {start: from, end: to, matches: 1} : null;
  }

  function inField(/** @type {HTMLInputElement | HTMLTextAreaElement} */ field) {
    // A password is not told.
    const secret = field.type === "password";
    const place = placeIn(field.value, text);
    if (!place || (secret && text)) return null;
    field.focus({preventScroll: true});
    if (place.start === 0 && place.end === field.value.length) field.select();
    else field.setSelectionRange(place.start, place.end);
    const selected = field.value.slice(place.start, place.end);
    return {selected: secret ? "•".repeat(selected.length) : selected, matches: place.matches};
  }

  /** @returns {{char: string, node: Text, at: number}[]} the characters that can be seen, and where they are */
  function characters(/** @type {Element} */ root) {
    /** @type {{char: string, node: Text, at: number}[]} */
    const found = [];
    /** @param {Element} element */
    const visit = (element) => {
      if (!tabmux.isVisible(element)) return;
      for (const node of tabmux.childrenOf(element)) {
        if (node instanceof Text) add(node);
        else if (node instanceof Element) visit(node);
      }
    };
    /** @param {Text} node */
    const add = (node) => {
      [...node.data].reduce((at, char) => {
        const blank = /\s/.test(char);
        if (!blank || (found.length && found[found.length - 1].char !== " ")) {
          found.push({char: blank ? " " : char, node, at});
        }
        return at + char.length;
      }, 0);
    };
    visit(root);
    return found;
  }

  /** @returns {HTMLElement | null} */
  function editingHost(/** @type {Element} */ element) {
    return element.closest("[contenteditable]:not([contenteditable=false])");
  }
}
