// @ts-check
/** Finds the point at which a real mouse event reaches an element, or says why there is none. */

const STABLE_LIMIT = 1000;

/** @returns {{state: string, title: string}} how far the document has loaded, and its name */
tabmux.standing = function () {
  return {state: document.readyState, title: String(tabmux.dom.title.call(document))};
};

/**
 * @param {number} epoch
 * @param {number} label
 * @returns {Element | null}
 */
tabmux.lookUp = function (epoch, label) {
  const element = tabmux.epoch === epoch ? tabmux.elementOf(label) : null;
  return element && element.isConnected ? element : null;
};

/** @param {Element} element how an error message names it */
tabmux.nameFor = function (element) {
  const role = tabmux.roleOf(element) || element.localName;
  const name = tabmux.nameOf(element) || "";
  return name ? `${role} ${tabmux.inQuotes(name)}` : role;
};

/** A text of the page's inside a sentence of ours, which it cannot end by itself. */
tabmux.inQuotes = function (/** @type {string} */ text) {
  return JSON.stringify(text.replace(/\s+/g, " ").trim().slice(0, 60));
};

/**
 * @param {Element} element
 * @param {string} trouble
 * @param {string} reason
 * @param {string} [hint]
 */
tabmux.complaint = function (element, trouble, reason, hint = "") {
  return {trouble, reason, hint, name: tabmux.nameFor(element)};
};

/** @param {Element} element */
tabmux.isDisabled = function (element) {
  return element.matches(":disabled") || Boolean(element.closest('[aria-disabled="true"]'));
};

/** The ancestors in the flat tree, closest first. */
function* ancestors(/** @type {Node} */ node) {
  for (let /** @type {Node | null} */ at = node; at; at = around(at)) yield at;
}

/** @returns {Node | null} */
function around(/** @type {Node} */ node) {
  const slot = node instanceof Element && node.assignedSlot;
  const parent = slot || node.parentNode;
  return parent instanceof ShadowRoot ? parent.host : parent;
}

function contains(/** @type {Element} */ outer, /** @type {Node} */ inner) {
  for (const node of ancestors(inner)) if (node === outer) return true;
  return false;
}

/** Whether a click on `hit` is a click on `element`. */
function reaches(/** @type {Element} */ element, /** @type {Element | null} */ hit) {
  if (!hit) return false;
  if (contains(element, hit)) return true;
  for (const node of ancestors(hit)) {
    if (node instanceof HTMLLabelElement && node.control === element) return true;
  }
  return false;
}

/** The innermost element at a point, through shadow roots. */
function hitAt(/** @type {number} */ x, /** @type {number} */ y) {
  let root = /** @type {Document | ShadowRoot} */ (document);
  let found = null;
  for (;;) {
    const hit = root.elementFromPoint(x, y);
    if (!hit || hit === found) return found;
    found = hit;
    const inner = tabmux.shadowOf ? tabmux.shadowOf(hit) : hit.shadowRoot;
    if (!inner) return found;
    root = inner;
  }
}

function inViewport(/** @type {DOMRect} */ box) {
  return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
}

/** Points worth trying, the most natural first. */
function* points(/** @type {Element} */ element) {
  for (const box of element.getClientRects()) {
    if (box.width < 1 || box.height < 1 || !inViewport(box)) continue;
    const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
    for (const [u, v] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]]) {
      yield {x: left + (right - left) * u, y: top + (bottom - top) * v};
    }
  }
}

function reachable(/** @type {Element} */ element) {
  /** @type {Element | null} */
  let cover = null;
  for (const point of points(element)) {
    const hit = hitAt(point.x, point.y);
    if (reaches(element, hit)) return {point, cover: null};
    cover = cover || hit;
  }
  return {point: null, cover};
}

function isEmpty(/** @type {Element} */ element, least = 1) {
  return ![...element.getClientRects()].some((box) => box.width >= least && box.height >= least);
}

/** @returns {Element | null} the visible label of a control; one whose `for` names nothing if it is beside it */
function labelOf(/** @type {Field} */ element) {
  const next = element.nextElementSibling;
  const stray = element.type && next instanceof HTMLLabelElement && !next.control ? [next] : [];
  return [...(element.labels ?? []), ...stray].find((each) => !isEmpty(each)) ?? null;
}

/** A hidden checkbox or file input is worked through its visible label; an area by its image. */
function standIn(/** @type {Element} */ element) {
  if (!isEmpty(element, 2)) return element;
  const label = labelOf(element);
  if (label) return label;
  const inner = getComputedStyle(element).display === "contents" ? element.firstElementChild : null;
  return inner && !isEmpty(inner) ? inner : element;
}

/** A box that its own picture covers is ticked where its label shows. */
function byLabel(/** @type {Field} */ target) {
  const label = (target.type === "checkbox" || target.type === "radio") ? labelOf(target) : null;
  const found = label && reachable(label);
  return found?.point ? found : null;
}

function animates(/** @type {Element} */ element) {
  return document.getAnimations().some((animation) => {
    const target = /** @type {KeyframeEffect} */ (animation.effect)?.target;
    return animation.playState === "running" && target && contains(target, element);
  });
}

/** Wait until the box stands still over two frames, if anything is moving it. */
async function stable(/** @type {Element} */ element) {
  if (!animates(element)) return;
  const end = performance.now() + STABLE_LIMIT;
  let before = "";
  while (performance.now() < end) {
    const box = element.getBoundingClientRect();
    const now = [box.x, box.y, box.width, box.height].join();
    if (now === before) return;
    before = now;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
}

function invisible(/** @type {Element} */ element) {
  const reason = element.checkVisibility({visibilityProperty: true})
    ? "has no size, so it cannot be reached by the mouse."
    : "is not visible.";
  return tabmux.complaint(element, "hidden", reason, "Take a snapshot to see what is visible now.");
}

/**
 * Bring an element into view and find where to point at it.
 * @param {number} epoch
 * @param {number} label
 * @param {{enabled?: boolean, pick?: boolean}} options `pick` chooses an option of a drop-down
 *   list instead, and says that it is done
 */
tabmux.aim = async function (epoch, label, options = {}) {
  const target = tabmux.lookUp(epoch, label);
  if (!target) return {trouble: "gone"};
  const picked = options.pick ? tabmux.pickOption(target) : null;
  if (picked) return picked;
  if (options.enabled && tabmux.isDisabled(target)) {
    return tabmux.complaint(target, "disabled", "is disabled.");
  }
  const element = standIn(target);
  if (isEmpty(element)) return invisible(target);
  await stable(element);
  let found = reachable(element);
  if (!found.point) {
    element.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
    found = reachable(element);
  }
  if (!found.point) found = byLabel(target) ?? found;
  if (!target.isConnected) return {trouble: "gone"};
  if (found.point) {
    tabmux.watch(target, found.point);
    return {...found.point, draggable: Boolean(element.closest('[draggable="true"], a[href], img'))};
  }
  if (!found.cover || !element.checkVisibility({visibilityProperty: true})) return invisible(target);
  return tabmux.complaint(
    target, "covered", `is covered by ${tabmux.nameFor(found.cover)}.`,
    "Close or move what covers it, or act on that element instead.");
};

/**
 * Where a point of a child frame lies in this document, and what covers it there.
 * @param {HTMLIFrameElement} owner
 * @param {number} x
 * @param {number} y
 */
tabmux.through = function (owner, x, y) {
  const place = () => {
    const box = owner.getBoundingClientRect();
    return {x: box.left + owner.clientLeft + x, y: box.top + owner.clientTop + y};
  };
  let point = place();
  if (point.x < 0 || point.y < 0 || point.x >= innerWidth || point.y >= innerHeight) {
    scrollBy({left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: "instant"});
    point = place();
  }
  const hit = hitAt(point.x, point.y);
  return {...point, cover: hit === owner || !hit ? "" : tabmux.nameFor(hit)};
};

/**
 * The element's box in its document, for a picture of it.
 * @param {number} epoch
 * @param {number} label
 */
tabmux.box = function (epoch, label) {
  const target = tabmux.lookUp(epoch, label);
  if (!target) return {trouble: "gone"};
  if (isEmpty(target)) return invisible(target);
  target.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
  const box = target.getBoundingClientRect();
  return {x: box.x, y: box.y, width: box.width, height: box.height};
};

/** The size of the window around the document, which only the one in front knows. */
tabmux.outerSize = function () {
  return [outerWidth, outerHeight];
};

/**
 * Resolves when the viewport has a size, or after `limit` milliseconds.
 * @param {number} width
 * @param {number} height
 * @param {number} limit
 */
tabmux.resized = function (width, height, limit) {
  const fits = () => innerWidth === width && innerHeight === height;
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener("resize", look);
      resolve({width: innerWidth, height: innerHeight});
    };
    const look = () => fits() && finish();
    const timer = setTimeout(finish, limit);
    addEventListener("resize", look);
    look();
  });
};

/** The layout of the document, for pictures: in CSS pixels, of which each is `ratio` of Chrome's. */
tabmux.layout = function () {
  const root = document.documentElement;
  const view = visualViewport;
  return {
    scrollX, scrollY, ratio: devicePixelRatio, pinch: view?.scale ?? 1,
    left: view?.pageLeft ?? scrollX, top: view?.pageTop ?? scrollY,
    width: view?.width ?? innerWidth, height: view?.height ?? innerHeight,
    fullWidth: Math.max(root.scrollWidth, innerWidth),
    fullHeight: Math.max(root.scrollHeight, document.body?.scrollHeight ?? 0, innerHeight),
  };
};
