// @ts-check
/**
 * Looks for what is wrong with a document; the elements concerned are left in `tabmux.found`.
 * @param {string[]} categories
 * @param {boolean} isMain whether the frame is the page's main one
 * @param {number} most how many elements of a finding are kept
 */
async function audit(categories, isMain, most) {
  const VAGUE = new Set([
    "click here", "click this", "here", "go", "learn more", "more", "more info", "read more",
    "right here", "start", "this", "link",
  ]);
  const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const status = arrival?.responseStatus;
  const isLocal = /^(localhost|127\.|\[::1\])/.test(location.host) || !location.host;

  const all = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)];
  const anchors = (/** @type {string} */ selector) => /** @type {HTMLAnchorElement[]} */ (all(selector));
  const images = () => [...document.querySelectorAll("img")];
  const meta = (/** @type {string} */ name) =>
    /** @type {HTMLMetaElement[]} */ (all(`meta[name="${name}" i]`));
  const filled = (/** @type {Element[]} */ nodes) =>
    nodes.some((node) => (node.getAttribute("content") || "").trim());
  /** What stands for "the document as a whole" among elements. */
  const whole = (/** @type {boolean} */ isBad) => (isBad ? [document.documentElement] : []);

  function stretched(/** @type {HTMLImageElement} */ image) {
    const {naturalWidth: w, naturalHeight: h, clientWidth, clientHeight} = image;
    if (w < 5 || h < 5 || clientWidth < 5 || clientHeight < 5) return false;
    if (getComputedStyle(image).objectFit !== "fill") return false;
    return Math.abs(clientWidth - (clientHeight * w) / h) > 2;
  }

  function badCanonical() {
    const links = all('link[rel~="canonical" i]');
    const bad = links.filter((link) => !/^https?:\/\//i.test(link.getAttribute("href") || ""));
    return links.length > 1 ? links : bad;
  }

  function unfollowable(/** @type {HTMLAnchorElement} */ link) {
    if (link.getAttribute("role") && link.getAttribute("role") !== "link") return false;
    const href = link.getAttribute("href");
    if (href === null) return !(link.id || link.getAttribute("name"));
    return /^\s*(javascript:|$)/i.test(href);
  }

  const isVague = (/** @type {HTMLAnchorElement} */ link) =>
    /^https?:/.test(link.protocol) && VAGUE.has(link.innerText.trim().toLowerCase());

  function insecure() {
    if (location.protocol !== "https:") return [];
    return all("[src^='http:' i], link[rel~=stylesheet][href^='http:' i], form[action^='http:' i]");
  }

  /** @type {[string, string, string, () => Element[]][]} category, id, what is wrong, where */
  const CHECKS = [
    ["seo", "document-title", "The document has no title.", () => whole(!document.title.trim())],
    ["seo", "meta-description", "The document has no description (<meta name=description>).",
      () => whole(!filled(meta("description")))],
    ["seo", "http-status-code", `The server answered with status ${status}.`,
      () => whole(status >= 400)],
    ["seo", "is-crawlable", "The page asks search engines not to index it (robots noindex).",
      () => [...meta("robots"), ...meta("googlebot")].filter((node) =>
        /\b(noindex|none)\b/i.test(node.content))],
    ["seo", "canonical", "The canonical link is relative, empty or not the only one.", badCanonical],
    ["seo", "hreflang", "A hreflang is not a language code.",
      () => all("link[rel~=alternate][hreflang]").filter((node) =>
        !/^(x-default|[a-z]{2,3}(-[a-z0-9]{2,8})*)$/i.test(/** @type {HTMLLinkElement} */ (node).hreflang))],
    ["seo", "crawlable-anchors", "Links without an address cannot be followed.",
      () => anchors("a").filter(unfollowable)],
    ["seo", "link-text", "The text of a link does not say where it goes.",
      () => anchors("a[href]").filter(isVague)],
    ["seo", "image-alt", "Images have no alternative text.",
      () => all("img:not([alt]):not([role=presentation]):not([role=none]):not([aria-hidden=true])")],
    ["seo", "html-lang", "The document does not say its language (<html lang>).",
      () => whole(!document.documentElement.lang.trim())],
    ["best-practices", "doctype", "The document has no <!doctype html> and is shown in quirks mode.",
      () => whole(document.compatMode !== "CSS1Compat")],
    ["best-practices", "charset", `The document is not in UTF-8 but in ${document.characterSet}.`,
      () => whole(document.characterSet !== "UTF-8")],
    ["best-practices", "viewport", "The document does not fit phones (<meta name=viewport>).",
      () => whole(!meta("viewport").some((node) => /width\s*=|initial-scale/i.test(node.content)))],
    ["best-practices", "zoom", "Zooming is switched off.",
      () => meta("viewport").filter((node) =>
        /user-scalable\s*=\s*(no|0)|maximum-scale\s*=\s*[01](\.\d*)?\s*(,|$)/i.test(node.content))],
    ["best-practices", "is-on-https", "The page is not served over HTTPS.",
      () => whole(location.protocol === "http:" && !isLocal)],
    ["best-practices", "mixed-content", "Elements load or send over plain HTTP.", insecure],
    ["best-practices", "password-over-http", "A password is asked for over plain HTTP.",
      () => (location.protocol === "http:" && !isLocal ? all("input[type=password]") : [])],
    ["best-practices", "image-aspect-ratio", "Images are shown with the wrong proportions.",
      () => images().filter(stretched)],
    ["best-practices", "noopener", "Links to other sites in a new tab keep their opener.",
      () => anchors("a[target=_blank][rel~=opener]").filter((link) => link.host !== location.host)],
    ["best-practices", "broken-image", "Images could not be loaded.",
      () => images().filter((image) =>
        image.complete && image.currentSrc && image.naturalWidth === 0)],
    ["best-practices", "obsolete-elements", "Obsolete elements are used.",
      () => all("marquee, blink, font, center, frame, frameset, applet")],
  ];

  function own() {
    return CHECKS.filter(([category]) => isMain && categories.includes(category))
      .map(([category, id, text, find]) => ({category, id, impact: "", text, nodes: find()}))
      .filter((finding) => finding.nodes.length > 0);
  }

  /** Rules that mean the page rather than a frame of it. */
  const PAGE_RULES = ["bypass", "document-title", "landmark-one-main", "page-has-heading-one",
    "region", "html-has-lang"];

  async function accessibility() {
    const {axe} = globalThis;
    if (!axe || !categories.includes("accessibility")) return [];
    const rules = isMain ? {} : Object.fromEntries(PAGE_RULES.map((id) => [id, {enabled: false}]));
    const result = await axe.run(document, {
      resultTypes: ["violations"], iframes: false, elementRef: true, preload: false, rules,
    });
    return result.violations.map((violation) => ({
      category: "accessibility",
      id: violation.id,
      impact: violation.impact || "",
      text: violation.help,
      nodes: violation.nodes.map((node) => node.element),
    }));
  }

  const findings = [...(await accessibility()), ...own()];
  /** @type {Element[]} */
  const found = (tabmux.found = []);
  return findings.map(({nodes, ...rest}) => {
    const kept = nodes.slice(0, most);
    found.push(...kept);
    return {...rest, total: nodes.length, shown: kept.map((node) =>
      /** @type {Element} */ (node.cloneNode(false)).outerHTML.slice(0, 120))};
  });
}
