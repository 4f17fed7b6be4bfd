// @ts-check
// Searches that a page describes instead of showing: schema.org and OpenSearch.

const {dom} = tabmux;
const FETCH_LIMIT = 1500;
/** @type {Map<string, Promise<string[]>>} */
const fetched = new Map();

/** @returns {string[]} the search templates of this origin, with {q} for what is searched */
tabmux.factTemplates = function () {
  const found = [];
  for (const script of dom.queryDocumentAll.call(document, "script[type='application/ld+json']")) {
    const text = dom.textContent.call(script);
    if (text.includes("SearchAction")) found.push(...actions(text));
  }
  for (const target of dom.queryDocumentAll.call(document, "[itemtype$=SearchAction] [itemprop=target]")) {
    found.push(dom.attribute.call(target, "content") ?? "");
  }
  return [...new Set(found.map(usual).filter(Boolean))];
};

function actions(/** @type {string} */ text) {
  /** @type {string[]} */
  const found = [];
  const look = (/** @type {any} */ value, /** @type {number} */ depth) => {
    if (!value || typeof value !== "object" || depth > 6) return;
    if (value["@type"] === "SearchAction") {
      for (const target of [value.target].flat()) found.push(target?.urlTemplate ?? target);
    }
    for (const each of Object.values(value)) look(each, depth + 1);
  };
  try {
    look(JSON.parse(text), 0);
  } catch {
    return [];
  }
  return found.filter((each) => typeof each === "string");
}

/** @returns {string} the template with {q}, or nothing if it leads elsewhere */
function usual(/** @type {string} */ template) {
  const named = template.replace(/\{(searchTerms|[a-z_]*(search|query|term|keyword|q)[a-z_]*)\??\}/i, "\ue000");
  const plain = named.replace(/\{[^}]*\?\}/g, "").replace(/\{count\}|\{startIndex\}|\{startPage\}/g, "1");
  if (!named.includes("\ue000") || /[{}]/.test(plain)) return "";
  try {
    const url = new URL(plain.replace("\ue000", "TABMUXQ"), document.baseURI);
    return url.origin === location.origin ? url.href.replace("TABMUXQ", "{q}") : "";
  } catch {
    return "";
  }
}

/** @returns {string} the address of the page's OpenSearch description, if it is of its origin */
tabmux.factOpenSearch = function () {
  const link = /** @type {HTMLLinkElement | null} */ (
    dom.queryDocument.call(document, "link[rel~=search][type='application/opensearchdescription+xml']"));
  return link && link.href.startsWith(`${location.origin}/`) ? link.href : "";
};

/** @returns {Promise<string[]>} the templates of an OpenSearch description */
tabmux.toolsDescribe = function (/** @type {string} */ address) {
  const known = fetched.get(address) ?? read(address).catch(() => []);
  fetched.set(address, known);
  return known;
};

async function read(/** @type {string} */ address) {
  const answer = await fetch(address, {signal: AbortSignal.timeout(FETCH_LIMIT)});
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/xml");
  return [...parsed.getElementsByTagName("Url")]
    .filter((each) => each.getAttribute("type") === "text/html")
    .map((each) => usual(each.getAttribute("template") ?? "")).filter(Boolean);
}
