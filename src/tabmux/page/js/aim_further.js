// @ts-check
/**
 * Finds where to point at an element that the middle of its boxes does not reach: by its parts, by
 * a finer grid, by its label, by what covers it if that is part of the same widget; else the key
 * that does what a click would.
 * @param {number} epoch
 * @param {number} label
 * @param {AimOptions} options
 * @returns {Aimed | {key: string} | Complaint | Gone}
 */
function aimFurther(epoch, label, options) {
  const MOST_PARTS = 300, MOST_POINTS = 2000, GRID = 16, OUTLINE = 48, LARGEST_TOGGLE = 100;
  /** @type {(ScrollLogicalPosition | number)[]} a number is how far down the viewport */
  const BESIDE = ["end", "start", 0.65, 0.8, 0.35, 0.2];
  const CONTROLS =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex], " +
    "[contenteditable], [role=button], [role=link], [role=checkbox], [role=radio], [role=switch]";
  const REGIONS =
    "html, body, main, nav, header, footer, section, article, aside, form, fieldset, dialog, table, " +
    "tr, ul, ol, [role=dialog], [role=group], [role=radiogroup], [role=row], [role=list]";

  const found = tabmux.lookUp(epoch, label);
  if (!found) return {trouble: "gone"};
  const target = found;
  const tried = options.tried ?? [];
  /** @type {Element | null} */
  let cover = null;
  /** @type {Element | null} */
  let inner = null;

  const parts = partsOf(target);
  return byParts() ?? byInner() ?? byLabel() ?? byHover() ?? byCover() ?? byDrawing() ?? byKey() ?? tabmux.unreachable(target, cover);

  function byParts() {
    return atParts([middles, fine]) ?? (reveal("center"), atParts([middles, fine])) ?? atHead() ?? besideCover();
  }

  /** Of what is full of other controls the start is its own, as the line of a tree item is. */
  function atHead() {
    return inner && reveal("start") ? atParts([middles, fine]) : null;
  }

  /** Where other controls fill the element, a click on it is one on them; not on what came with the mouse. */
  function byInner() {
    if (!inner) return null;
    if (tried.length) return tabmux.coveredInside(target, inner);
    reveal("center");
    const place = tabmux.reachableAt(target, middles(parts), tried);
    return place.point && tabmux.aimed(target, target, {...place, point: place.point}, options);
  }

  function atParts(/** @type {((parts: (Element | Text)[]) => Iterable<Point>)[]} */ ways) {
    for (const way of ways) {
      const place = tabmux.reachableAt(target, way(parts), tried);
      if (place.point && !place.inner) return tabmux.aimed(target, target, {...place, point: place.point}, options);
      inner = place.inner ?? inner;
      cover = place.cover ?? cover;
    }
    return null;
  }

  /** What stays in its place while the page is scrolled may leave room above or below it. */
  function besideCover() {
    for (const place of BESIDE) {
      if (!cover || !leavesRoom(cover)) return null;
      const aim = reveal(place) && atParts([middles]);
      if (aim) return aim;
    }
    return null;
  }

  function leavesRoom(/** @type {Element} */ element) {
    for (let at = /** @type {Element | null} */ (element); at; at = tabmux.parentOf(at)) {
      if (/fixed|sticky/.test(getComputedStyle(at).position)) return at.getBoundingClientRect().height < innerHeight * 0.9;
    }
    return false;
  }

  /** Labels of whatever kind, wherever on them there is room. */
  function byLabel() {
    for (const each of /** @type {Field} */ (target).labels ?? []) {
      const place = tabmux.reachableAt(each, middles(partsOf(each)), tried);
      if (place.point) return tabmux.aimed(target, each, {...place, point: place.point}, options);
    }
    return null;
  }

  /**
   * What takes the mouse only once it is over what is around it, as the buttons of a row do. The
   * pointer comes before the press, which is held back if it would still not reach the element.
   */
  function byHover() {
    if (!options.presses || tried.length || !cover || !tabmux.encloses(cover, target)) return null;
    if (getComputedStyle(target).pointerEvents !== "none") return null;
    const [point] = middles([target]);
    return point ? tabmux.aimed(target, target, {point, inner: null, cover: null}, options) : null;
  }

  /** A widget takes clicks on its own drawing for its field; saying what was clicked is honest. */
  function byCover() {
    const hit = cover;
    if (!hit || isTiny(target) || !mayBeDrawnOver(target, hit)) return null;
    const widget = widgetOf(target);
    if (!tabmux.encloses(widget, hit)) return null;
    const place = tabmux.reachableAt(widget, middles([target]), tried);
    if (!place.point) return null;
    return {
      ...tabmux.aimed(target, widget, {...place, point: place.point}, options), by: tabmux.nameInWay(hit),
    };
  }

  /**
   * A toggle without room, in what a library draws for it: that takes clicks, as its pointer says.
   * Whether the mouse would find the toggle itself says nothing, since it could not get there.
   */
  function byDrawing() {
    if (!/^(checkbox|radio|switch)$/.test(tabmux.roleOf(target)) || !isShown(target)) return null;
    const around = roomAround(target);
    if (!around || controlsIn(around).some((each) => isOther(target, each)) || !isSmall(around)) return null;
    const drawn = partsOf(around).filter((part) => part instanceof Element && getComputedStyle(part).cursor === "pointer");
    const place = tabmux.reachableAt(around, middles(drawn), tried);
    if (!place.point) return null;
    return {...tabmux.aimed(target, around, {...place, point: place.point}, options), by: tabmux.nameInWay(around)};
  }

  /** What is around an element that has no room, or whose wrapper has none: the first that has some. */
  function roomAround(/** @type {Element} */ element) {
    let around = tabmux.parentOf(element);
    if (!around || !(isTiny(element) || isTiny(around))) return null;
    for (let up = 0; around && isTiny(around) && up < 3; up++) around = tabmux.parentOf(around);
    return around;
  }

  function isSmall(/** @type {Element} */ element) {
    const {width, height} = element.getBoundingClientRect();
    const isDrawn = width >= 8 && height >= 8 && width <= LARGEST_TOGGLE && height <= LARGEST_TOGGLE;
    return isDrawn && !element.closest("a[href], button");
  }

  /** What no mouse gets at, and nothing hides from it either, may still take the focus. */
  function byKey() {
    if (options.presses !== 1 || tried.length) return null;
    if (!tabmux.isFocusable(target) || !takesMouse(target)) return null;
    if (cover && !(isTiny(target) && isNear(cover))) return null;
    const key = keyFor(tabmux.roleOf(target));
    if (key === null) return null;
    tabmux.watch(target);
    /** @type {HTMLElement} */ (target).focus({preventScroll: true});
    return tabmux.activeElement() === target ? {key} : null;
  }

  /** @returns {string | null} the key that does what a click does; "" where that is to focus */
  function keyFor(/** @type {string} */ role) {
    if (/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option)$/.test(role)) return "Space";
    if (/^(button|link|tab|menuitem|treeitem|DisclosureTriangle)$/.test(role)) return "Enter";
    return /^(textbox|searchbox|combobox|spinbutton|slider|listbox)$/.test(role) ? "" : null;
  }

  /** Controls that are pictures or fields with a drawing of the library's over them. */
  function mayBeDrawnOver(/** @type {Element} */ element, /** @type {Element} */ hit) {
    const role = tabmux.roleOf(element);
    if (/^(button|link|tab|menuitem|DisclosureTriangle)$/.test(role)) return false;
    return tabmux.isFocusable(element) || tabmux.encloses(hit, element);
  }

  /** The largest part of the page around an element in which there is no other control. */
  function widgetOf(/** @type {Element} */ element) {
    let widget = element;
    for (let at = tabmux.parentOf(element), depth = 0; at && depth < 5; at = tabmux.parentOf(at), depth++) {
      if (at.matches(REGIONS) || controlsIn(at).some((each) => isOther(element, each))) break;
      widget = at;
    }
    return widget;
  }

  /** @returns {Element[]} */
  function controlsIn(/** @type {Element} */ element) {
    const root = tabmux.shadowOf(element);
    return [...element.querySelectorAll(CONTROLS), ...(root ? tabmux.allIn(root, CONTROLS) : [])];
  }

  function isOther(/** @type {Element} */ element, /** @type {Element} */ control) {
    return !tabmux.encloses(control, element) && !tabmux.encloses(element, control) &&
      control.checkVisibility({visibilityProperty: true});
  }

  function isNear(/** @type {Element} */ other) {
    return tabmux.encloses(other, target) || tabmux.encloses(widgetOf(target), other);
  }

  function takesMouse(/** @type {Element} */ element) {
    return getComputedStyle(element).pointerEvents !== "none" && isShown(element);
  }

  function isShown(/** @type {Element} */ element) {
    return element.checkVisibility({visibilityProperty: true});
  }

  /** Whether it is there for the keyboard and for screen readers only. */
  function isTiny(/** @type {Element} */ element) {
    const {clip, clipPath} = getComputedStyle(element);
    if (clip !== "auto" || clipPath !== "none") return true;
    return ![...element.getClientRects()].some((box) => box.width >= 2 && box.height >= 2);
  }

  /** The element and what it is drawn with: its content in the flat tree, the image of an area. */
  function partsOf(/** @type {Element} */ element) {
    if (element instanceof HTMLAreaElement) return imagesOf(element);
    /** @type {(Element | Text)[]} */
    const parts = [element];
    for (let i = 0; i < parts.length && parts.length < MOST_PARTS; i++) {
      const part = parts[i];
      if (!(part instanceof Element)) continue;
      for (const child of tabmux.childrenOf(part)) {
        if (child instanceof Element || (child instanceof Text && child.data.trim())) parts.push(child);
      }
    }
    return parts.filter((part) => boxesOf(part).length > 0);
  }

  /** @returns {Element[]} */
  function imagesOf(/** @type {HTMLAreaElement} */ area) {
    const name = area.closest("map")?.name;
    const images = document.querySelectorAll("img[usemap], object[usemap]");
    return [...images].filter((each) => name && each.getAttribute("usemap") === `#${name}`);
  }

  /** Scrolls to the element; tells whether that has moved it. */
  function reveal(/** @type {ScrollLogicalPosition | number} */ place) {
    const part = parts[0] ?? target;
    const element = part instanceof Text ? part.parentElement : part;
    if (!element) return false;
    const before = element.getBoundingClientRect();
    if (typeof place === "string") element.scrollIntoView({block: place, inline: "center", behavior: "instant"});
    else scrollBy({top: before.y + before.height / 2 - place * innerHeight, behavior: "instant"});
    const after = element.getBoundingClientRect();
    return before.x !== after.x || before.y !== after.y;
  }

  /** The boxes of a part, as far as they are in view. */
  function boxesOf(/** @type {Element | Text} */ part) {
    const boxes = part instanceof Text ? tabmux.textBoxes(part) : [...part.getClientRects()];
    return boxes.filter((box) => box.width > 0 && box.height > 0);
  }

  function* inView(/** @type {(Element | Text)[]} */ parts) {
    for (const box of parts.flatMap(boxesOf)) {
      const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
      const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
      if (right > left && bottom > top) yield {left, top, width: right - left, height: bottom - top};
    }
  }

  function* middles(/** @type {(Element | Text)[]} */ parts) {
    for (const {left, top, width, height} of inView(parts)) {
      for (const [u, v] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]]) {
        yield {x: left + width * u, y: top + height * v};
      }
    }
  }

  /** Along outlines, and all over the boxes: rings, lines and clipped shapes leave little room. */
  function* fine(/** @type {(Element | Text)[]} */ parts) {
    let points = 0;
    for (const part of parts) {
      if (part instanceof SVGGeometryElement) yield* outline(part);
    }
    for (const {left, top, width, height} of inView(parts)) {
      for (let row = 0; row < GRID; row++) {
        for (let column = 0; column < GRID; column++) {
          if (++points > MOST_POINTS) return;
          yield {x: left + width * (column + 0.5) / GRID, y: top + height * (row + 0.5) / GRID};
        }
      }
    }
  }

  function* outline(/** @type {SVGGeometryElement} */ shape) {
    const matrix = shape.getScreenCTM();
    const length = shape.getTotalLength();
    for (let i = 0; matrix && i < OUTLINE; i++) {
      const {x, y} = shape.getPointAtLength(length * (i + 0.5) / OUTLINE).matrixTransform(matrix);
      yield {x, y};
    }
  }
}
