// @ts-check
// What style sheets do: they add text before and after elements, change its case, and touch
// properties that need not be read, element by element, as long as nothing sets them.

const {
  tag, attribute, attributeNames, parentNode, styleSheets, adoptedSheets, animations,
} = tabmux.dom;

/** Properties that cost time to read, with the value they have unless something sets them. */
const WATCHED = {
  cursor: "auto", visibility: "visible", contentVisibility: "visible", textTransform: "none",
  webkitTextSecurity: "none",
};
/** @typedef {keyof typeof WATCHED} Watched */
const WATCHED_KEYS = /** @type {Watched[]} */ (Object.keys(WATCHED));
const WATCHED_INLINE =
  "[style*='cursor'],[style*='visibility'],[style*='text-'],[style*='all:'],[hidden=until-found]";

/**
 * @typedef {object} Effects what a sheet, or all sheets of a tree, may do
 * @property {string[]} adorned selectors of elements that may get text before or after
 * @property {Set<Watched>} touched which of the watched properties are set by some rule
 * @property {boolean} unknown whether a sheet of another origin kept its rules to itself
 */

/** @type {WeakMap<CSSStyleSheet, {size: number, effects: Effects}>} */
const scanned = new WeakMap();

/** @type {Set<Element> | null} elements that may have generated text; null: any may */
let adorned = null;
/** @type {Map<string, number> | null} kinds of elements, and how often they had none */
let bare = null;
let touched = new Set(WATCHED_KEYS);

tabmux.duringWalks({
  begin() {
    adorned = new Set();
    bare = new Map();
    touched = new Set(animations.call(document).length ? WATCHED_KEYS : []);
  },
  enter: learn,
  end() {
    adorned = null;
    bare = null;
    touched = new Set(WATCHED_KEYS);
  },
});

/** Finds out what the style sheets of a tree do; what cannot be found out may do anything. */
function learn(/** @type {Document | ShadowRoot} */ root) {
  const effects = effectsIn(root);
  for (const key of effects.touched) touched.add(key);
  if (effects.unknown || !adorned) {
    adorned = null;
    return;
  }
  try {
    for (const element of tabmux.allIn(root, effects.adorned.join(","))) adorned.add(element);
  } catch {
    adorned = null;
  }
}

/** @returns {Effects} */
function effectsIn(/** @type {Document | ShadowRoot} */ root) {
  const effects = noEffects();
  effects.adorned.push("q");
  for (const sheet of sheetsOf(root)) if (!sheet.disabled) merge(effects, effectsOf(sheet));
  if ([...tabmux.allIn(root, WATCHED_INLINE)].length) effects.touched = new Set(WATCHED_KEYS);
  return effects;
}

/** @returns {CSSStyleSheet[]} */
function sheetsOf(/** @type {Document | ShadowRoot} */ root) {
  return root instanceof Document
    ? [...styleSheets.call(root), ...adoptedSheets.call(root)]
    : [...root.styleSheets, ...root.adoptedStyleSheets];
}

/** @returns {Effects} */
function noEffects() {
  return {adorned: [], touched: new Set(), unknown: false};
}

function merge(/** @type {Effects} */ into, /** @type {Effects} */ found) {
  into.adorned.push(...found.adorned);
  for (const key of found.touched) into.touched.add(key);
  into.unknown ||= found.unknown;
}

/** @returns {Effects} */
function effectsOf(/** @type {CSSStyleSheet} */ sheet) {
  try {
    const {cssRules} = sheet;
    const known = scanned.get(sheet);
    // A rule that a script rewrites in place goes unnoticed; one that comes or goes does not.
    if (known && known.size === cssRules.length) return known.effects;
    const effects = noEffects();
    scan(cssRules, "", effects);
    scanned.set(sheet, {size: cssRules.length, effects});
    return effects;
  } catch {
    return {adorned: [], touched: new Set(WATCHED_KEYS), unknown: true};
  }
}

const PSEUDO = /::?(before|after)\b/;
const WHOLE = /(^|[\s>+~,(])::?(?:before|after)\b/g;
const PART = /::?(?:before|after)\b/g;
const FOREIGN = /:host|::slotted|::part/;

/**
 * @param {CSSRuleList} rules
 * @param {string} outer the selector of the rule that these are nested in
 * @param {Effects} effects
 */
function scan(rules, outer, effects) {
  for (let i = 0; i < rules.length; i++) {
    const rule = /** @type {Rule} */ (rules[i]);
    if (rule.styleSheet) {
      merge(effects, effectsOf(rule.styleSheet));
      continue;
    }
    const {selectorText, style, cssRules} = rule;
    const selector = selectorText && outer ? nested(selectorText, outer) : (selectorText ?? outer);
    if (style) scanStyle(style, selector, effects);
    if (cssRules?.length) scan(cssRules, selector, effects);
  }
}

/**
 * @param {CSSStyleDeclaration} style
 * @param {string} selector
 * @param {Effects} effects
 */
function scanStyle(style, selector, effects) {
  for (const key of WATCHED_KEYS) {
    if (!effects.touched.has(key) && style[key]) effects.touched.add(key);
  }
  if (!PSEUDO.test(selector) || !adds(style.content)) return;
  if (FOREIGN.test(selector)) effects.unknown = true;
  else effects.adorned.push(bareOf(selector));
}

/** The elements that a selector of generated text belongs to. */
function bareOf(/** @type {string} */ selector) {
  return selector.replace(WHOLE, "$1*").replace(PART, "");
}

function nested(/** @type {string} */ selector, /** @type {string} */ outer) {
  const around = `:is(${bareOf(outer)})`;
  return selector.includes("&") ? selector.replaceAll("&", around) : `${around} ${selector}`;
}

function adds(/** @type {string} */ content) {
  return content !== "" && content !== "none" && content !== "normal" && !/^"\s*"$/.test(content);
}

/** @returns {boolean} whether style sheets may add text to an element */
tabmux.mayHaveGeneratedText = function (/** @type {Element} */ element) {
  if (adorned) return adorned.size > 0 && adorned.has(element);
  return !bare || hasGeneratedTextByTrial(element, bare);
};

const TRIALS = 3;

/**
 * Where style sheets cannot be read, every element would have to be asked twice, which is slow.
 * So after a few of a kind had nothing, the others are taken to have nothing either.
 * @param {Element} element
 * @param {Map<string, number>} known
 */
function hasGeneratedTextByTrial(element, known) {
  const kind = kindOf(element);
  const trials = known.get(kind) ?? 0;
  if (trials >= TRIALS) return false;
  const found = adds(getComputedStyle(element, "::before").content) ||
    adds(getComputedStyle(element, "::after").content);
  known.set(kind, found ? -Infinity : trials + 1);
  return found;
}

/** What selectors mostly go by. */
function kindOf(/** @type {Element} */ element) {
  const parent = parentNode.call(element);
  const around = parent instanceof Element ? `${tag.call(parent)}.${attribute.call(parent, "class")}` : "";
  const keys = attributeNames.call(element).join();
  return `${around}>${tag.call(element)}.${attribute.call(element, "class")}[${keys}]`;
}

/**
 * @param {Element} element
 * @param {"::before" | "::after"} which
 * @returns {string}
 */
tabmux.generatedText = function (element, which) {
  const style = getComputedStyle(element, which);
  if (!adds(style.content)) return "";
  if (style.display === "none" || style.visibility !== "visible") return "";
  const text = tabmux.rendered(spoken(style.content), element, style);
  return text && !tabmux.isInline(style.display) ? ` ${text} ` : text;
};

const PARTS = /"(?:[^"\\]|\\.)*"|[\w-]+\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)|\/|[\w-]+/g;

/** The strings in a `content` value, or those after its slash, which are meant to be read. */
function spoken(/** @type {string} */ content) {
  let text = "", alternative = false;
  for (const part of content.match(PARTS) ?? []) {
    if (part === "/") [text, alternative] = ["", true];
    else if (part === "open-quote") text += "“";
    else if (part === "close-quote") text += "”";
    else if (part.startsWith('"')) text += part.slice(1, -1).replace(/\\(.)/g, "$1");
  }
  return alternative ? ` ${text} ` : text;
}

/** @returns {boolean} whether anything may have set one of the watched properties */
tabmux.isTouched = () => touched.size > 0;

/** @returns {boolean} whether anything may have set the property */
tabmux.mayBeTouched = (/** @type {Watched} */ key) => touched.has(key);

const LETTER = /\p{L}/u;
const WORD_START = /(?<![\p{L}\p{N}'’])\p{L}/gu;

/** @returns {string} what the property is as long as nothing sets it */
tabmux.untouched = (/** @type {Watched} */ key) => WATCHED[key];

/**
 * Text as it is rendered: some pages write "Save" and show "SAVE".
 * @param {string} text
 * @param {Element} element what the text stands in
 * @param {CSSStyleDeclaration} [style] of that element
 * @returns {string}
 */
tabmux.rendered = function (text, element, style) {
  if (!touched.has("textTransform") || !LETTER.test(text)) return text;
  switch ((style ?? getComputedStyle(element)).textTransform) {
    case "uppercase": return text.toUpperCase();
    case "lowercase": return text.toLowerCase();
    case "capitalize": return text.replace(WORD_START, (letter) => letter.toUpperCase());
    default: return text;
  }
};
