// @ts-check
/**
 * Reads a document, or a part of it, as Markdown: what a person would read, in their order.
 * @param {{epoch: number, label: number, origin: string, known: boolean}} request `label` is that
 *   of the part, or 0 for the main content; links to the origin are written without it; `known`
 *   when closed shadow roots were looked for
 * @returns {null | {parts: (string | {frame: string})[], opaque: boolean}} text and, where they
 *   stand, frames; `opaque` when closed shadow roots should be looked for first; null when the
 *   part is gone
 */
function readPage({epoch, label, origin, known}) {
  const {
    tag, attribute, hasAttribute, nodeType, data, checkVisibility, matches, query, textContent,
    innerText, firstElement, hasChildNodes, parentNode, body, documentElement, box, url: address, baseUrl,
  } = tabmux.dom;

  /** What is around the content of a page. */
  const AROUND = new Set(["navigation", "banner", "contentinfo", "search"]);
  const ASIDE = new Set([...AROUND, "complementary", "dialog", "alertdialog"]);
  const TABLES = new Set(["table", "grid", "treegrid"]);
  const CELLS = new Set(["cell", "gridcell", "columnheader", "rowheader"]);
  const CODE = new Set(["code", "kbd", "samp", "tt"]);
  const FRAMES = new Set(["iframe", "frame", "object"]);
  /** Elements that show nothing of their own where they are not visible. */
  const LEAVES = new Set((
    "img svg math pre table input select textarea video audio hr iframe frame object"
  ).split(" "));
  /** Fields whose value is not for readers. */
  const SECRET = new Set(["password", "hidden", "file", "image"]);
  /** What would make a line of text something else at its start. */
  const MARKUP = /^(#{1,6}|[-+*>]|\d{1,9}[.)]|```|~~~)(?=\s|$)/;
  /** Blanks that are not single spaces. */
  const UNEVEN = /[^\S ]| {2}/;
  /** A part is the main content when it has at least this share of the page's text. */
  const MAIN = 0.2, ARTICLE = 0.4, DENSE = 0.8;
  /** How many pixels of a frame weigh as much as a character of text. */
  const PIXELS = 200;
  const LONGEST_LINK = 300, LONGEST_NAME = 300, MOST_SPAN = 100;
  const FOLLOWED = /^(https?|mailto|tel|ftp|file):$/;
  const LANGUAGE = /(?:^|\s)(?:lang|language|highlight-source|highlight|brush)[-:]\s?([\w+#-]+)/;

  /**
   * A place that text is written to: finished blocks, and the line that is being written.
   * @typedef {{blocks: (string | {frame: string})[], line: string}} Sheet
   */
  /** @type {Sheet} */
  let sheet = {blocks: [], line: ""};
  /** @type {{frame: string}[]} frames inside of lines: they come after the block of the line */
  const hoisted = [];
  let opaque = false;
  /** @type {Map<Element, number>} */
  const weights = new Map();

  const chosen = label ? tabmux.lookUp(epoch, label) : null;
  if (label && !chosen) return null;
  tabmux.beginWalk();
  try {
    const root = chosen ?? mainContent();
    if (root && (known || !opaque)) visit(root, root);
    push("");
  } finally {
    tabmux.endWalk();
  }
  return {parts: joined(sheet.blocks), opaque};

  // Which part of the document is its main content.

  /** @returns {Element | null} */
  function mainContent() {
    const top = body.call(document) ?? documentElement.call(document);
    if (!top) return null;
    const total = weigh(top);
    const found = heaviest(all("main,[role=main]"), MAIN * total) ??
      around(all("article,[role=article]"), ARTICLE * total);
    return found ?? densest(top);
  }

  function all(/** @type {string} */ selector) {
    return [...weights.keys()].filter((element) => matches.call(element, selector));
  }

  /** @returns {Element | null} */
  function heaviest(/** @type {Element[]} */ elements, /** @type {number} */ least) {
    const [first] = elements.sort((one, other) => weightOf(other) - weightOf(one));
    return first && weightOf(first) > least ? first : null;
  }

  /** The one article that has most of the text, or what holds all of several. */
  function around(/** @type {Element[]} */ articles, /** @type {number} */ least) {
    const one = heaviest(articles, least);
    if (one || articles.length < 2) return one;
    /** @type {Element | null} */
    let holder = articles[0];
    while (holder && !articles.every((each) => isInside(each, holder))) holder = tabmux.parentOf(holder);
    return holder && weightOf(holder) > least ? holder : null;
  }

  function isInside(/** @type {Element} */ element, /** @type {Element | null} */ holder) {
    for (let /** @type {Element | null} */ at = element; at; at = tabmux.parentOf(at)) if (at === holder) return true;
    return false;
  }

  /** Goes down as long as one child has nearly all of the text. */
  function densest(/** @type {Element} */ top) {
    for (let at = top; ;) {
      const next = heaviest(elementsIn(at), DENSE * weightOf(at));
      if (!next || !isHolder(next)) return at;
      at = next;
    }
  }

  function isHolder(/** @type {Element} */ element) {
    return !TABLES.has(tabmux.roleOf(element)) && elementsIn(element).length > 0;
  }

  function elementsIn(/** @type {Element} */ element) {
    return /** @type {Element[]} */ (
      tabmux.childrenOf(element).filter((node) => nodeType.call(node) === 1));
  }

  function weightOf(/** @type {Element} */ element) {
    return weights.get(element) ?? 0;
  }

  /** How much there is to read in an element, where links count little, and what is around nothing. */
  function weigh(/** @type {Element} */ element) {
    let sum = 0;
    if (!isHidden(element) && !ASIDE.has(tabmux.roleOf(element))) {
      const text = onlyText(element);
      if (text !== null) sum = text.trim().length;
      else if (isFrame(element)) sum = frameWeight(element);
      else for (const node of rendered(element)) sum += weightOfNode(node);
      if (tag.call(element) === "a") sum /= 4;
      weights.set(element, sum);
    }
    return sum;
  }

  function weightOfNode(/** @type {Node} */ node) {
    if (nodeType.call(node) === 1) return weigh(/** @type {Element} */ (node));
    return nodeType.call(node) === 3 ? data.call(/** @type {Text} */ (node)).trim().length : 0;
  }

  function frameWeight(/** @type {Element} */ element) {
    const {width, height} = box.call(element);
    return width * height / PIXELS;
  }

  // What is read of a node.

  /** The nodes that are rendered in an element; notes when some may be out of our sight. */
  function rendered(/** @type {Element} */ element) {
    const root = tabmux.shadowOf(element);
    if (root) tabmux.enter(root);
    else if (tabmux.mayHideRoot(element, tag.call(element))) opaque = true;
    const children = tabmux.childrenOf(element);
    return isShut(element) ? children.filter(isSummary) : children;
  }

  /** The text of an element that holds nothing else: read at once, it needs no node objects. */
  function onlyText(/** @type {Element} */ element) {
    if (firstElement.call(element) !== null || !hasChildNodes.call(element)) return null;
    if (tabmux.shadowOf(element) || isShut(element)) return null;
    return tag.call(element) === "slot" || LEAVES.has(tag.call(element)) ? null : textContent.call(element);
  }

  /** Whether the text in it is not rendered although it has a box. */
  function isShut(/** @type {Element} */ element) {
    if (tag.call(element) === "details") return !hasAttribute.call(element, "open");
    return tabmux.mayBeTouched("contentVisibility") && getComputedStyle(element).contentVisibility === "hidden";
  }

  function isSummary(/** @type {Node} */ node) {
    return nodeType.call(node) === 1 && tag.call(/** @type {Element} */ (node)) === "summary";
  }

  function isFrame(/** @type {Element} */ element) {
    return FRAMES.has(tag.call(element)) && tabmux.frameOf(element) !== "";
  }

  function isHidden(/** @type {Element} */ element) {
    if (tabmux.isSilent(tag.call(element))) return true;
    if (attribute.call(element, "aria-hidden") === "true" && !tabmux.holdsFocus(element)) return true;
    // What has no box of its own may still show what is in it.
    return !checkVisibility.call(element) && getComputedStyle(element).display !== "contents";
  }

  /** Text for screen readers alone is kept in a box too small to be seen; formulas are too. */
  function isTiny(/** @type {Element} */ element, /** @type {CSSStyleDeclaration} */ style) {
    if (style.position !== "absolute" && style.position !== "fixed") return false;
    const {width, height} = box.call(element);
    return width <= 1 && height <= 1 && style.overflow !== "visible" && !query.call(element, "math");
  }

  function visit(/** @type {Element} */ element, /** @type {Element} */ root) {
    if (isHidden(element)) return;
    const name = tag.call(element);
    const role = tabmux.roleOf(element);
    const style = getComputedStyle(element);
    if (element !== root && (isTiny(element, style) || (!label && AROUND.has(role)))) return;
    if (LEAVES.has(name) && !isSeen(element)) return;
    show(element, name, role, style);
  }

  /**
   * @param {Element} element
   * @param {string} name
   * @param {string} role
   * @param {CSSStyleDeclaration} style
   */
  function show(element, name, role, style) {
    if (name === "br") sheet.line += "\n";
    else if (name === "canvas" || name === "rp") return;
    else if (name === "hr") push("---");
    else if (isFrame(element)) push({frame: tabmux.frameOf(element)});
    else if (name === "math") showFormula(element);
    else if (role === "img" || name === "svg" || name === "video" || name === "audio") showPicture(element);
    else if (name === "input" || name === "textarea") showField(element);
    else if (name === "select") showChoice(element);
    else if (name === "pre" || isCodeBlock(name, style)) showCode(element);
    else if (role === "heading") showHeading(element);
    else if (TABLES.has(role)) showTable(element);
    else if (role === "list") showList(element);
    else if (name === "blockquote" || role === "blockquote") push(indented(textsOf(element), "> ", "> "));
    else if (name === "dl") push(textsOf(element).join("\n"));
    else if (name === "dd") push(indented(textsOf(element), ": ", "  "));
    else if (!showInline(element, name, role, isBlock(style))) showOther(element, style);
  }

  function isBlock(/** @type {CSSStyleDeclaration} */ {display}) {
    return !tabmux.isInline(display) && !display.startsWith("inline");
  }

  /**
   * Shows an element that only marks the text in it.
   * @param {Element} element
   * @param {string} name
   * @param {string} role
   * @param {boolean} block
   * @returns {boolean} whether it is one
   */
  function showInline(element, name, role, block) {
    const wrap = wrapping(element, name, role);
    if (!wrap) return false;
    if (block) flush();
    inlined(element, wrap);
    if (block) flush();
    return true;
  }

  /** @returns {null | ((text: string) => string)} what an element makes of the text in it */
  function wrapping(/** @type {Element} */ element, /** @type {string} */ name, /** @type {string} */ role) {
    switch (name) {
      case "b": case "strong": case "dt": case "summary": case "caption": return between("**", "**");
      case "i": case "em": return between("*", "*");
      case "s": case "del": return between("~~", "~~");
      case "q": return between("“", "”");
      case "code": case "kbd": case "samp": case "tt": return () => inlineCode(textOf(element));
      default: return role === "link" ? linking(element) : null;
    }
  }

  function between(/** @type {string} */ start, /** @type {string} */ end) {
    return (/** @type {string} */ text) => `${start}${text}${end}`;
  }

  /** Shows what is in an element, and wraps it, or where it has blocks the first of them. */
  function inlined(/** @type {Element} */ element, /** @type {(text: string) => string} */ wrap) {
    const before = sheet.line, count = sheet.blocks.length;
    sheet.line = "";
    visitChildren(element);
    if (sheet.blocks.length === count) {
      // A link may have nothing but a name.
      if (!sheet.line.trim() && tag.call(element) === "a") sheet.line = tabmux.nameOf(element);
      sheet.line = before + inside(sheet.line, wrap);
      return;
    }
    flush();
    const first = sheet.blocks[count];
    if (typeof first === "string" && !first.includes("\n")) {
      sheet.blocks[count] = first.replace(/^(#+ )?(.*)$/s, (_, start = "", text) => start + wrap(text));
    }
    const text = finished(before);
    if (text) sheet.blocks.splice(count, 0, text);
  }

  /** Wraps a text, but not the blanks around it. */
  function inside(/** @type {string} */ text, /** @type {(text: string) => string} */ wrap) {
    const inner = text.trim();
    return inner ? text.replace(inner, () => wrap(inner)) : text;
  }

  function showOther(/** @type {Element} */ element, /** @type {CSSStyleDeclaration} */ style) {
    const block = isBlock(style);
    // Boxes side by side are words of their own.
    const box = !block && style.display.startsWith("inline-");
    if (block) flush();
    else if (box) space();
    visitChildren(element);
    if (block) flush();
    else if (box) space();
  }

  function space() {
    if (sheet.line && !/\s$/.test(sheet.line)) sheet.line += " ";
  }

  function visitChildren(/** @type {Element} */ element) {
    const text = onlyText(element);
    if (text !== null) return write(text, element);
    for (const node of rendered(element)) {
      if (nodeType.call(node) === 1) visit(/** @type {Element} */ (node), element);
      else if (nodeType.call(node) === 3) write(data.call(/** @type {Text} */ (node)), element);
    }
  }

  function write(/** @type {string} */ text, /** @type {Element} */ parent) {
    if (!isSeen(parent)) return;
    const shown = tabmux.rendered(text, parent);
    sheet.line += UNEVEN.test(shown) && !keepsLines(parent) ? shown.replace(/\s+/g, " ") : shown;
  }

  function isSeen(/** @type {Element} */ element) {
    return !tabmux.mayBeTouched("visibility") || getComputedStyle(element).visibility === "visible";
  }

  function keepsLines(/** @type {Element} */ element) {
    return /^(pre|break-spaces)/.test(getComputedStyle(element).whiteSpace);
  }

  // Blocks and lines.

  /** Ends the line that is being written. */
  function flush() {
    const text = finished(sheet.line);
    sheet.line = "";
    if (text) sheet.blocks.push(text);
  }

  function finished(/** @type {string} */ line) {
    return collapsed(line).replace(MARKUP, "\\$&");
  }

  function collapsed(/** @type {string} */ text) {
    if (!UNEVEN.test(text)) return text.trim();
    return text.replace(/[^\S\n]+/g, " ").replace(/ ?\n ?/g, "\n").replace(/\n{3,}/g, "\n\n").trim();
  }

  function push(/** @type {string | {frame: string}} */ block) {
    flush();
    if (block !== "") sheet.blocks.push(block);
    sheet.blocks.push(...hoisted.splice(0));
  }

  /** What a part of the walk writes, on a sheet of its own. */
  function apart(/** @type {() => void} */ walk) {
    const outer = sheet;
    sheet = {blocks: [], line: ""};
    walk();
    flush();
    const texts = [];
    for (const block of sheet.blocks) {
      if (typeof block === "string") texts.push(block);
      else hoisted.push(block);
    }
    sheet = outer;
    return texts;
  }

  function textsOf(/** @type {Element} */ element) {
    return apart(() => visitChildren(element));
  }

  function lineOf(/** @type {Element} */ element) {
    return textsOf(element).join(" ").replace(/\s+/g, " ");
  }

  /** The text as it is laid out, where it must not be touched. */
  function textOf(/** @type {Element} */ element) {
    const text = element instanceof HTMLElement ? innerText.call(element) : textContent.call(element);
    return (text ?? "").replace(/\u00a0/g, " ");
  }

  /**
   * @param {string[]} texts
   * @param {string} first what the first line begins with
   * @param {string} others what all others begin with
   * @param {string} [gap] what is between the texts
   */
  function indented(texts, first, others, gap = "\n\n") {
    return texts.length ? first + texts.join(gap).replace(/\n/g, `\n${others}`) : "";
  }

  /** Puts what is only text together. */
  function joined(/** @type {(string | {frame: string})[]} */ blocks) {
    /** @type {(string | {frame: string})[]} */
    const parts = [];
    for (const block of blocks) {
      const last = parts[parts.length - 1];
      if (typeof block === "string" && typeof last === "string") parts[parts.length - 1] = `${last}\n\n${block}`;
      else parts.push(block);
    }
    return parts;
  }

  // Kinds of elements.

  function showHeading(/** @type {Element} */ element) {
    const level = Number(attribute.call(element, "aria-level") ?? tag.call(element).slice(1)) || 2;
    const text = lineOf(element);
    push(text && `${"#".repeat(Math.min(Math.max(level, 1), 6))} ${text}`);
  }

  function showFormula(/** @type {Element} */ element) {
    const source = query.call(element, "annotation[encoding='application/x-tex']");
    const text = source ? textContent.call(source) : attribute.call(element, "alttext") ?? textContent.call(element);
    const plain = collapsed(text ?? "").replace(/\n+/g, " ");
    if (plain) sheet.line += `$${plain}$`;
  }

  function showPicture(/** @type {Element} */ element) {
    const name = tabmux.cut(tabmux.nameOf(element).trim().replace(/\s+/g, " "), LONGEST_NAME);
    if (name) sheet.line += `![${name}]`;
    else if (tag.call(element) === "svg") sheet.line += ` ${lineOf(element)} `;
  }

  function showField(/** @type {Element} */ element) {
    const {type = "", checked, value} = /** @type {Field} */ (element);
    if (type === "checkbox" || type === "radio") sheet.line += checked ? "[x] " : "[ ] ";
    else if (value && !SECRET.has(type)) sheet.line += ` ${inlineCode(value.trim())} `;
  }

  function showChoice(/** @type {Element} */ element) {
    const {selectedOptions} = /** @type {HTMLSelectElement} */ (element);
    const texts = [...selectedOptions].map((option) => collapsed(textContent.call(option)));
    if (texts.join("")) sheet.line += ` ${inlineCode(texts.join(", "))} `;
  }

  function isCodeBlock(/** @type {string} */ name, /** @type {CSSStyleDeclaration} */ style) {
    return CODE.has(name) && isBlock(style) && style.whiteSpace.startsWith("pre");
  }

  function showCode(/** @type {Element} */ element) {
    const text = textOf(element).replace(/^\n+|\s+$/g, "");
    if (!text) return;
    const fence = longer(text, "```");
    push(`${fence}${languageOf(element)}\n${text}\n${fence}`);
  }

  function languageOf(/** @type {Element} */ element) {
    for (const each of [element, query.call(element, "code"), parentNode.call(element)]) {
      const found = each instanceof Element && LANGUAGE.exec(attribute.call(each, "class") ?? "");
      if (found) return found[1];
    }
    return "";
  }

  function inlineCode(/** @type {string} */ text) {
    const plain = text.replace(/\s+/g, " ").trim();
    if (!plain.includes("`")) return `\`${plain}\``;
    const fence = longer(plain, "``");
    return `${fence} ${plain} ${fence}`;
  }

  /** A fence that a text does not end. */
  function longer(/** @type {string} */ text, /** @type {string} */ fence) {
    const runs = text.match(/`+/g) ?? [];
    return runs.reduce((longest, run) => (run.length >= longest.length ? `${run}\`` : longest), fence);
  }

  function showList(/** @type {Element} */ list) {
    const ordered = tag.call(list) === "ol";
    let number = Number(attribute.call(list, "start") ?? 1) || 1;
    const items = [];
    for (const item of itemsOf(list)) {
      const mark = ordered ? `${number}. ` : "- ";
      const text = indented(apart(() => visit(item, list)), mark, " ".repeat(mark.length), "\n");
      if (!text) continue;
      items.push(text);
      number += 1;
    }
    push(items.join("\n"));
  }

  /** The items of a list, also where something is around them. */
  function itemsOf(/** @type {Element} */ list) {
    return elementsIn(list).flatMap((each) => {
      const inner = tabmux.roleOf(each) === "generic" ? partsOf(each, (role) => role === "listitem") : [];
      return inner.length ? inner : [each];
    });
  }

  /**
   * The elements of a role that an element holds, whatever is around them.
   * @param {Element} element
   * @param {(role: string) => boolean} wanted
   * @returns {Element[]}
   */
  function partsOf(element, wanted) {
    return elementsIn(element).flatMap((each) => {
      if (isHidden(each)) return [];
      const role = tabmux.roleOf(each);
      if (wanted(role)) return [each];
      return role === "list" || TABLES.has(role) ? [] : partsOf(each, wanted);
    });
  }

  function showTable(/** @type {Element} */ table) {
    for (const caption of partsOf(table, (role) => role === "caption")) visit(caption, table);
    flush();
    const grid = gridOf(table);
    const width = Math.max(0, ...grid.map((row) => row.length));
    if (width < 2 || grid.length < 2) {
      for (const cell of grid.flat()) push(cell.replaceAll("<br>", "\n"));
      return;
    }
    const rows = grid.map((row) => `| ${Array.from({length: width}, (_, at) => row[at] ?? "").join(" | ")} |`);
    rows.splice(1, 0, `|${" --- |".repeat(width)}`);
    push(rows.join("\n"));
  }

  /** The texts of the cells, with empty ones where a cell spans several. */
  function gridOf(/** @type {Element} */ table) {
    /** @type {number[]} */
    const below = [];
    const grid = [];
    for (const row of partsOf(table, (role) => role === "row")) {
      /** @type {string[]} */
      const line = [];
      for (const cell of partsOf(row, (role) => CELLS.has(role))) {
        skip(line, below);
        const rows = spanOf(cell, "rowspan"), columns = spanOf(cell, "colspan");
        for (let at = 0; at < columns; at++) {
          below[line.length] = rows - 1;
          line.push(at ? "" : cellText(cell));
        }
      }
      skip(line, below);
      if (line.some((text) => text)) grid.push(line);
    }
    return grid;
  }

  /** Leaves out the places that cells of earlier rows take. */
  function skip(/** @type {string[]} */ line, /** @type {number[]} */ below) {
    for (; below[line.length] > 0; line.push("")) below[line.length] -= 1;
  }

  function spanOf(/** @type {Element} */ cell, /** @type {string} */ which) {
    return Math.min(Math.max(Number(attribute.call(cell, which)) || 1, 1), MOST_SPAN);
  }

  function cellText(/** @type {Element} */ cell) {
    return textsOf(cell).join("\n").replace(/\n+/g, "<br>").replaceAll("|", "\\|");
  }

  /** @returns {null | ((text: string) => string)} */
  function linking(/** @type {Element} */ element) {
    const href = attribute.call(element, "href");
    if (href === null) return null;
    const target = targetOf(href);
    // A mark beside a heading that leads to the heading says nothing.
    if (!target) return (text) => (/[\p{L}\p{N}]/u.test(text) ? text : "");
    return (text) => `[${text}](${target})`;
  }

  /** Where a link leads; nothing when that is in the same document, or no address. */
  function targetOf(/** @type {string} */ href) {
    let url;
    try {
      url = new URL(href, baseUrl.call(document));
    } catch {
      return "";
    }
    if (!FOLLOWED.test(url.protocol) || url.href.length > LONGEST_LINK) return "";
    const here = address.call(document).split("#")[0] === url.href.split("#")[0];
    // Some applications have their pages behind the hash.
    if (here && /^#(?![/!])|^$/.test(url.hash)) return "";
    const short = url.origin === origin ? url.href.slice(origin.length) : url.href;
    return short.replace(/[()]/g, (each) => (each === "(" ? "%28" : "%29"));
  }
}
