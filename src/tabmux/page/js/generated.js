// @ts-check
// What style sheets do to text: they add some before and after an element, and change its case.

const {queryDocumentAll, queryFragmentAll, styleSheets, adoptedSheets} = tabmux.dom;

/**
 * @typedef {object} Effects what a sheet, or all sheets of a tree, may do to text
 * @property {string[]} adorned selectors of elements that may get text before or after
 * @property {boolean} transforms whether any rule changes the case of text
 * @property {boolean} unknown whether a sheet of another origin kept its rules to itself
 */

/** @type {WeakMap<CSSStyleSheet, {size: number, effects: Effects}>} */
const scanned = new WeakMap();

/** @type {Set<Element> | null} elements that may have generated text; null: any may */
let adorned = null;
/** @type {Set<Node> | null} the trees looked at during one walk */
let trees = null;
let transforms = true;

/** Learns, for one walk, which elements style sheets give text to. */
tabmux.rememberStyles = function () {
  adorned = new Set();
  trees = new Set();
  transforms = false;
  tabmux.noteTree(document);
};

tabmux.forgetStyles = function () {
  adorned = null;
  trees = null;
  transforms = true;
};

/** Learns about the style sheets of one more tree: the document or a shadow root. */
tabmux.noteTree = function (/** @type {Document | ShadowRoot} */ root) {
  if (!trees || trees.has(root)) return;
  trees.add(root);
  const effects = effectsIn(root);
  const all = root instanceof Document ? queryDocumentAll : queryFragmentAll;
  if (effects.transforms || all.call(root, "[style*='text-transform']").length) transforms = true;
  if (!adorned) return;
  if (effects.unknown) {
    adorned = null;
    return;
  }
  if (!effects.adorned.length) return;
  try {
    for (const element of all.call(root, effects.adorned.join(","))) adorned.add(element);
  } catch {
    adorned = null;
  }
};

/** @returns {Effects} */
function effectsIn(/** @type {Document | ShadowRoot} */ root) {
  /** @type {Effects} */
  const effects = {adorned: ["q"], transforms: false, unknown: false};
  const sheets = root instanceof Document
    ? [...styleSheets.call(root), ...adoptedSheets.call(root)]
    : [...root.styleSheets, ...root.adoptedStyleSheets];
  for (const sheet of sheets) {
    if (sheet.disabled) continue;
    const found = effectsOf(sheet);
    effects.adorned.push(...found.adorned);
    effects.transforms ||= found.transforms;
    effects.unknown ||= found.unknown;
  }
  return effects;
}

/** @returns {Effects} */
function effectsOf(/** @type {CSSStyleSheet} */ sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return {adorned: [], transforms: true, unknown: true};
  }
  const known = scanned.get(sheet);
  if (known && known.size === rules.length) return known.effects;
  /** @type {Effects} */
  const effects = {adorned: [], transforms: false, unknown: false};
  scan(rules, "", effects);
  scanned.set(sheet, {size: rules.length, effects});
  return effects;
}

const PSEUDO = /::?(before|after)\b/;
const WHOLE = /(^|[\s>+~,(])::?(?:before|after)\b/g;
const PART = /::?(?:before|after)\b/g;
const FOREIGN = /:host|::slotted|::part/;

function scan(/** @type {CSSRuleList} */ rules, /** @type {string} */ outer, /** @type {Effects} */ effects) {
  for (let i = 0; i < rules.length; i++) {
    const rule = /** @type {any} */ (rules[i]);
    if (rule.styleSheet) {
      merge(effects, effectsOf(rule.styleSheet));
    } else if (rule.selectorText === undefined) {
      if (rule.cssRules) scan(rule.cssRules, outer, effects);
    } else {
      scanRule(rule, outer, effects);
    }
  }
}

function scanRule(/** @type {any} */ rule, /** @type {string} */ outer, /** @type {Effects} */ effects) {
  const selector = outer ? nested(rule.selectorText, outer) : rule.selectorText;
  const {style} = rule;
  if (!effects.transforms && style.textTransform) effects.transforms = true;
  if (PSEUDO.test(selector) && adds(style.content)) {
    if (FOREIGN.test(selector)) effects.unknown = true;
    else effects.adorned.push(selector.replace(WHOLE, "$1*").replace(PART, ""));
  }
  if (rule.cssRules.length) scan(rule.cssRules, selector, effects);
}

function nested(/** @type {string} */ selector, /** @type {string} */ outer) {
  const around = `:is(${outer.replace(WHOLE, "$1*").replace(PART, "")})`;
  return selector.includes("&") ? selector.replaceAll("&", around) : `${around} ${selector}`;
}

function merge(/** @type {Effects} */ into, /** @type {Effects} */ found) {
  into.adorned.push(...found.adorned);
  into.transforms ||= found.transforms;
  into.unknown ||= found.unknown;
}

function adds(/** @type {string} */ content) {
  return content !== "" && content !== "none" && content !== "normal" && !/^"\s*"$/.test(content);
}

/**
 * @param {Element} element
 * @param {"::before" | "::after"} which
 * @returns {string}
 */
tabmux.generatedText = function (element, which) {
  if (adorned && !adorned.has(element)) return "";
  const style = getComputedStyle(element, which);
  if (!adds(style.content)) return "";
  if (style.display === "none" || style.visibility !== "visible") return "";
  const text = spoken(style.content, which);
  return text && !tabmux.isInline(style.display) ? ` ${text} ` : text;
};

/** The strings in a `content` value, or those after its slash, which are meant to be read. */
function spoken(/** @type {string} */ content, /** @type {string} */ which) {
  const slash = content.search(/\/(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const alternative = slash >= 0 && !content.startsWith("url(");
  const read = alternative ? content.slice(slash) : content;
  let text = "";
  for (const part of read.replace(/\w+\([^)]*\)/g, "").match(/"(?:[^"\\]|\\.)*"|open-quote|close-quote/g) ?? []) {
    if (part === "open-quote") text += "“";
    else if (part === "close-quote") text += "”";
    else text += part.slice(1, -1).replace(/\\(.)/g, "$1");
  }
  return alternative ? ` ${text} ` : text;
}

/**
 * Text as it is rendered: some pages write "Save" and show "SAVE".
 * @param {string} text
 * @param {Element} element what the text stands in
 * @returns {string}
 */
tabmux.rendered = function (text, element) {
  if (!transforms) return text;
  switch (getComputedStyle(element).textTransform) {
    case "uppercase": return text.toUpperCase();
    case "lowercase": return text.toLowerCase();
    case "capitalize": return text.replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
    default: return text;
  }
};
