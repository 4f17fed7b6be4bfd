// @ts-check
/** Finds the point at which a real mouse event reaches an element, or says why there is none. */

const STABLE_LIMIT = 1000;
// Pixels around a point that was in vain within which no other is tried.
const TRIED_RADIUS = 3;

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

/** How the element in the way of another is named: by its tag where its role tells nothing. */
tabmux.nameInWay = function (/** @type {Element} */ element) {
  const told = tabmux.nameFor(element);
  return /^(generic|none|presentation)$/.test(told) ? element.localName : told;
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

function inViewport(/** @type {DOMRect} */ box) {
  return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
}

/** Points worth trying, the most natural first. */
function* points(/** @type {Iterable<DOMRect>} */ boxes) {
  for (const box of boxes) {
    if (box.width < 1 || box.height < 1 || !inViewport(box)) continue;
    const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
    for (const [u, v] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]]) {
      yield {x: left + (right - left) * u, y: top + (bottom - top) * v};
    }
  }
}

/**
 * The first of some points at which an element is reached; one on another control inside of it
 * only where there is nothing else.
 * @param {Element} element
 * @param {Iterable<Point>} places
 * @param {Point[]} tried where something was found to be in the way
 * @returns {Reachable}
 */
tabmux.reachableAt = function (element, places, tried = []) {
  /** @type {Reachable} */
  const found = {point: null, inner: null, cover: null};
  for (const point of places) {
    if (tried.some(({x, y}) => Math.hypot(point.x - x, point.y - y) < TRIED_RADIUS)) continue;
    const hit = tabmux.hitAt(point.x, point.y);
    const how = tabmux.reaches(element, hit);
    if (how === "yes") return {point, inner: null, cover: null};
    if (how === "") found.cover ??= hit instanceof Text ? hit.parentElement : hit;
    else if (!found.point) Object.assign(found, {point, inner: tabmux.innerAt(element, hit)});
  }
  return found;
};

/**
 * @typedef {object} Reachable
 * @property {Point | null} point
 * @property {Element | null} inner the other control inside of the element that it is on, if it is
 * @property {Element | null} cover what is in the way elsewhere
 */

tabmux.reachable = function (/** @type {Element} */ element, /** @type {Point[]} */ tried = []) {
  return tabmux.reachableAt(element, points(element.getClientRects()), tried);
};

function isEmpty(/** @type {Element} */ element, least = 1) {
  return ![...element.getClientRects()].some((box) => box.width >= least && box.height >= least);
}

/** @returns {Element | null} the visible label of a control; one whose `for` names nothing if it is beside it */
function labelOf(/** @type {Field} */ element) {
  const next = element.nextElementSibling;
  const stray = element.type && next instanceof HTMLLabelElement && !next.control ? [next] : [];
  return [...(element.labels ?? []), ...stray].find((each) => !isEmpty(each)) ?? null;
}

/** A hidden checkbox or file input is worked through its visible label. */
tabmux.standIn = function (/** @type {Element} */ element) {
  return isEmpty(element, 2) ? labelOf(element) ?? element : element;
};

function animates(/** @type {Element} */ element) {
  return document.getAnimations().some((animation) => {
    const target = /** @type {KeyframeEffect} */ (animation.effect)?.target;
    return animation.playState === "running" && target && tabmux.encloses(target, element);
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

tabmux.invisible = function (/** @type {Element} */ element) {
  const reason = element.checkVisibility({visibilityProperty: true})
    ? "has no size, so it cannot be reached by the mouse."
    : "is not visible.";
  return tabmux.complaint(element, "hidden", reason, "Take a snapshot to see what is visible now.");
};

/**
 * Says where to point, and guards the press that is to follow.
 * @param {Element} target
 * @param {Element} element what is pointed at for it
 * @param {Reachable & {point: Point}} found
 * @param {AimOptions} options
 */
tabmux.aimed = function (target, element, found, options) {
  tabmux.watch(target, found.point);
  if (options.presses) {
    const enough = (/** @type {string} */ how) => how === "yes" || (how === "inner" && found.inner !== null);
    const line = tabmux.lineOf(element);
    tabmux.guard((hit) => enough(tabmux.reaches(element, hit)) || tabmux.isRedrawn(line, hit), options.presses);
  }
  const draggable = Boolean(element.closest('[draggable="true"], a[href], img'));
  const taker = options.presses ? takerOf(found) : {};
  return {...found.point, draggable, ...taker};
};

/** What takes a press for an element, where it is inside of it: a control, or another document. */
function takerOf(/** @type {Reachable & {point: Point}} */ {inner, point}) {
  if (inner) return {by: tabmux.nameInWay(inner), inner: true};
  const hit = tabmux.hitAt(point.x, point.y);
  return hit instanceof HTMLIFrameElement || hit instanceof HTMLFrameElement
    ? {by: "The document", inner: true, framed: true} : {};
}

/** Says why an element cannot be reached. */
tabmux.unreachable = function (/** @type {Element} */ target, /** @type {Element | null} */ cover) {
  if (!target.isConnected) return {trouble: "gone"};
  if (!cover || !target.checkVisibility({visibilityProperty: true})) return tabmux.invisible(target);
  return tabmux.complaint(
    target, "covered", `is covered by ${tabmux.nameInWay(cover)}.`,
    "Close or move what covers it, or act on that element instead.");
};

/** Says that another control inside of an element takes what is aimed at it, as far as was looked. */
tabmux.coveredInside = function (/** @type {Element} */ target, /** @type {Element} */ inner) {
  return tabmux.complaint(target, "covered", `is covered by ${tabmux.nameInWay(inner)}, which is inside of it.`);
};

/**
 * Bring an element into view and find where to point at it. Where it cannot be reached in the
 * usual ways, aim_further.js has others.
 * @param {number} epoch
 * @param {number} label
 * @param {AimOptions} options
 */
tabmux.aim = async function (epoch, label, options = {}) {
  const target = tabmux.lookUp(epoch, label);
  if (!target) return {trouble: "gone"};
  const picked = options.pick ? tabmux.pickOption(target) : null;
  if (picked) return picked;
  if (options.enabled && tabmux.isDisabled(target)) {
    return tabmux.complaint(target, "disabled", "is disabled.");
  }
  const element = tabmux.standIn(target);
  if (isEmpty(element)) return tabmux.invisible(target);
  await stable(element);
  let found = tabmux.reachable(element, options.tried);
  if (!found.point) {
    element.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
    found = tabmux.reachable(element, options.tried);
  }
  const {point} = found;
  if (!point || !target.isConnected) return tabmux.unreachable(target, found.cover);
  if (found.inner && options.presses && tabmux.isControl(element)) return tabmux.coveredInside(target, found.inner);
  return tabmux.aimed(target, element, {...found, point}, options);
};

/**
 * What lies over a point of a child frame, given as the point of this document where it shows.
 * A press there that does not reach the frame is held back, where one is to follow.
 * @param {Element} owner
 * @param {number} x
 * @param {number} y
 * @param {boolean} presses
 * @returns {{cover: string, moved: boolean}} `moved` says that the page was scrolled to the point
 */
tabmux.through = function (owner, x, y, presses) {
  const hit = tabmux.hitAt(x, y);
  if (hit === owner) {
    const isNear = (/** @type {MouseEvent} */ event) =>
      Math.hypot(event.clientX - x, event.clientY - y) < TRIED_RADIUS;
    if (presses) tabmux.guard((_, event) => !isNear(event));
    return {cover: "", moved: false};
  }
  const cover = hit instanceof Text ? hit.parentElement : hit;
  return {cover: cover ? tabmux.nameInWay(cover) : "what clips it", moved: scrollTo(owner, x, y)};
};

/** Scrolls what is around an element until a point of it is inside; tells whether anything moved. */
function scrollTo(/** @type {Element} */ element, /** @type {number} */ x, /** @type {number} */ y) {
  const center = (/** @type {{left: number, right: number, top: number, bottom: number}} */ box) => {
    const isInside = x >= box.left && x < box.right && y >= box.top && y < box.bottom;
    return isInside ? null : {left: x - (box.left + box.right) / 2, top: y - (box.top + box.bottom) / 2};
  };
  let moved = false;
  for (let at = tabmux.parentOf(element); at; at = tabmux.parentOf(at)) {
    const isRoot = at === document.scrollingElement;
    const by = center(isRoot ? {left: 0, top: 0, right: innerWidth, bottom: innerHeight} : at.getBoundingClientRect());
    if (!by || (!isRoot && getComputedStyle(at).overflow === "visible")) continue;
    const {scrollLeft, scrollTop} = at;
    at.scrollBy({...by, behavior: "instant"});
    x -= at.scrollLeft - scrollLeft;
    y -= at.scrollTop - scrollTop;
    moved = moved || at.scrollLeft !== scrollLeft || at.scrollTop !== scrollTop;
  }
  return moved;
}

/** The viewport of this document, which its frame shows, and how many pixels of the screen one is. */
tabmux.view = function () {
  return {width: innerWidth, height: innerHeight, ratio: devicePixelRatio};
};

/**
 * The element's box in its document, for a picture of it.
 * @param {number} epoch
 * @param {number} label
 */
tabmux.box = function (epoch, label) {
  const target = tabmux.lookUp(epoch, label);
  if (!target) return {trouble: "gone"};
  if (isEmpty(target)) return tabmux.invisible(target);
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
