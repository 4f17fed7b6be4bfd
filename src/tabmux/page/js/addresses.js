// @ts-check
// The addresses of links: which are worth printing, and how much of them.

const {attribute, baseUrl, url} = tabmux.dom;

const URL_LIMIT = 100;
/** What those who count visitors add to an address. */
const TRACKING = /(?<=[?&])(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|_hs(?:enc|mi)|ref_src)=[^&#]*&?/g;
const UNTIDY = /\s/;
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
/** Places in the same document, or nowhere, but for those that applications use as addresses. */
const FRAGMENT = /^#(?:!?$|(?![/!]))/;
const CODE = /^\s*javascript:/i;

/** @type {{origin: string, based: boolean, page: string} | null} where the document is, during one walk */
let here = null;
/** @type {Map<string, string>} the address of the links of each name; "" when there are several */
let named = new Map();
/** @type {Set<string>} where links lead that are called something */
let reached = new Set();

tabmux.duringWalks({
  begin: () => {
    here = place();
    named = new Map();
    reached = new Set();
  },
  enter: () => {},
  end: () => { here = null; },
});

function place() {
  const page = url.call(document).replace(/#.*/, "");
  return {origin: `${location.origin}/`, based: baseUrl.call(document) !== page, page};
}

/**
 * Where a link leads, as it is written, or from the root of the site where that is shorter.
 * @param {Field} element
 * @returns {string} "" when it leads nowhere
 */
tabmux.addressOf = function (element) {
  const written = attribute.call(element, "href");
  if (written === null || CODE.test(written)) return "";
  const {origin, based, page} = here ?? place();
  // Resolving a URL costs as much as all the rest of a link.
  const resolved = based || UNTIDY.test(written) ? element.href : undefined;
  const full = typeof resolved === "string" ? resolved : written;
  if (!ABSOLUTE.test(full)) return full;
  if (full.startsWith(`${page}#`)) return full.slice(page.length);
  return full.startsWith(origin) ? full.slice(origin.length - 1) : full;
};

/** Notes that a link of this name leads there: a name that leads to several places says too little. */
tabmux.noteLink = function (/** @type {string} */ name, /** @type {string} */ address) {
  if (name) reached.add(address);
  const known = named.get(name);
  if (known === undefined) named.set(name, address);
  else if (known !== address) named.set(name, "");
};

/**
 * What is printed of an address. A link inside the site is used by its uid, and its name says
 * where it leads; its address is told where there is no such name.
 * @param {string} name what the link is called
 * @param {string} address
 * @param {boolean} whole whether every address is asked for
 * @returns {string}
 */
tabmux.printedAddress = function (name, address, whole) {
  if (!whole && (FRAGMENT.test(address) || (isInside(address) && name && named.get(name) !== ""))) return "";
  const short = address.startsWith("data:") ? "data:…" : address.replace(TRACKING, "").replace(/[?&]+(?=#|$)/, "");
  return short && ` url=${tabmux.quoted(whole ? short : tabmux.cut(short, URL_LIMIT))}`;
};

/** @returns {boolean} whether a link without a name leads where another one says that it does */
tabmux.isRepeated = (/** @type {string} */ address) => reached.has(address) && !FRAGMENT.test(address);

function isInside(/** @type {string} */ address) {
  return !ABSOLUTE.test(address) || address.startsWith("data:");
}
