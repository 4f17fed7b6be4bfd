// @ts-check
/** What a real mouse event at a point reaches, in the flat tree. */

/** The node around this one in the flat tree; texts are slotted too. */
function around(/** @type {Node} */ node) {
  if (node instanceof Element) return tabmux.parentOf(node);
  const parent = node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentElement;
  const root = parent && node.parentNode === parent ? tabmux.shadowOf(parent) : null;
  if (!root) return parent;
  for (const slot of tabmux.allIn(root, "slot")) {
    if (tabmux.childrenOf(slot).includes(node)) return slot;
  }
  return parent;
}

/** Whether a node is inside of an element, or the element itself. */
tabmux.encloses = function (/** @type {Element} */ outer, /** @type {Node} */ inner) {
  for (let /** @type {Node | null} */ at = inner; at; at = around(at)) if (at === outer) return true;
  return false;
};

/** The innermost element at a point, through shadow roots; a text where that is slotted. */
tabmux.hitAt = function (/** @type {number} */ x, /** @type {number} */ y) {
  let root = /** @type {Document | ShadowRoot} */ (document);
  /** @type {Element | null} */
  let found = null;
  for (;;) {
    const hit = root.elementFromPoint(x, y);
    if (!hit || hit === found) return found && (slottedText(found, x, y) ?? found);
    found = hit;
    const inner = tabmux.shadowOf(hit);
    if (!inner) return found;
    root = inner;
  }
};

/** Of a text that is slotted into a component, a hit test tells only whose child it is. */
function slottedText(/** @type {Element} */ host, /** @type {number} */ x, /** @type {number} */ y) {
  for (const node of host.childNodes) {
    if (node instanceof Text && tabmux.textBoxes(node).some((box) =>
      x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)) return node;
  }
  return null;
}

/** @returns {DOMRect[]} the boxes of the lines of a text */
tabmux.textBoxes = function (/** @type {Text} */ text) {
  const range = document.createRange();
  range.selectNodeContents(text);
  return [...range.getClientRects()];
};

const TOGGLES = "input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch]";
const BUTTONS =
  "a[href], button, summary, input[type=button], input[type=submit], input[type=reset], " +
  "input[type=image], [role=button], [role=link]";

// What is drawn with other controls, which are how it works.
const FIELDS = /^(combobox|listbox|searchbox|slider|spinbutton|textbox)$/;

/**
 * Whether a click on `hit` is a click on `element`: "yes", or "inner" where it is first of all one
 * on another control inside of it, as on the button of a card that is a link.
 * @returns {"" | "yes" | "inner"}
 */
tabmux.reaches = function (/** @type {Element} */ element, /** @type {Node | null} */ hit) {
  for (let at = hit; at; at = around(at)) {
    if (at === element || (at instanceof HTMLLabelElement && at.control === element)) {
      return tabmux.innerAt(element, hit) ? "inner" : "yes";
    }
  }
  return "";
};

/** The innermost of the other controls inside of an element, or of its label, that a click on `hit` is for. */
tabmux.innerAt = function (/** @type {Element} */ element, /** @type {Node | null} */ hit) {
  for (let at = hit; at && at !== element; at = around(at)) {
    if (!(at instanceof Element)) continue;
    if (at instanceof HTMLLabelElement && at.control === element) break;
    if (isOther(element, at)) return at;
  }
  return null;
};

/** Whether something inside of an element, or of its label, takes clicks for itself. */
function isOther(/** @type {Element} */ element, /** @type {Element} */ part) {
  if (part.matches(BUTTONS)) return element.contains(part) || !tabmux.encloses(element, part);
  if (!element.contains(part) || (element instanceof HTMLLabelElement && element.control === part)) return false;
  if (part.matches(TOGGLES)) return !element.matches(TOGGLES);
  const role = tabmux.roleOf(element);
  if (FIELDS.test(role) || !tabmux.isControl(element)) return false;
  if (tabmux.kinds.CONTROLS.has(tabmux.roleOf(part))) return true;
  // The words of a button or a link may be what listens for it.
  const isWhole = role === "link" || tabmux.kinds.SEALED.has(role);
  return !isWhole && tabmux.isControl(part);
}

/** Whether an element is there to be used, by its role or by who listens to it. */
tabmux.isControl = function (/** @type {Element} */ element) {
  return tabmux.kinds.CONTROLS.has(tabmux.roleOf(element)) ||
    tabmux.isUsable(element, element.localName, element.getAttributeNames());
};

const IDENTITY = ["role", "id", "name", "type", "href", "aria-label", "title", "alt", "placeholder"];

/** An element and all that it is in, as long as it is there; see `isRedrawn`. */
tabmux.lineOf = function (/** @type {Element} */ element) {
  const line = [];
  for (let /** @type {Element | null} */ at = element; at; at = at.parentElement) line.push(at);
  return line;
};

/**
 * Whether a node is, or is in, what a page has drawn anew in place of an element that it took away,
 * as some do with all that the mouse comes over. What was taken away with it must be there again,
 * and in the same place: the same button of another row is another one.
 * @param {Element[]} line the element that was there, and all that it was in
 * @param {Node | null} hit
 */
tabmux.isRedrawn = function (line, hit) {
  if (line[0].isConnected) return false;
  for (let at = hit; at; at = around(at)) {
    if (at instanceof Element && isTwin(line, at)) return true;
  }
  return false;
};

function isTwin(/** @type {Element[]} */ line, /** @type {Element} */ other) {
  if (IDENTITY.some((name) => line[0].getAttribute(name) !== other.getAttribute(name))) return false;
  let /** @type {Element | null} */ now = other;
  for (const old of line) {
    if (old.isConnected) return old === now;
    if (now?.localName !== old.localName || now.textContent !== old.textContent) return false;
    now = now.parentElement;
  }
  return false;
}
