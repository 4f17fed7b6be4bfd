// The bench's own witness. It runs in every frame before the page's scripts: who received which
// trusted event, what the visible page said when, and what an element holds.
(() => {
  const report = globalThis.truthReport;
  if (!report || globalThis.truthRoots) return;
  const roots = (globalThis.truthRoots = new Set([document]));
  const attach = Element.prototype.attachShadow;
  const observer = new MutationObserver(note);
  const WATCHED = {subtree: true, childList: true, characterData: true, attributes: true};
  const log = {began: 0, mutations: 0, states: []};
  let last = "";

  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    roots.add(root);
    observer.observe(root, WATCHED);
    return root;
  };

  function target() {
    try { return top.truthTarget; } catch { return undefined; }
  }

  /** The element itself, or the host of the closed root that hides it from the path. */
  function isOn(path, element) {
    if (!element) return false;
    // Who clicks the label of a control means the control, whatever the page then does.
    if (path.some((each) => each instanceof HTMLLabelElement && each.control === element)) return true;
    for (let at = element; at; at = at.getRootNode().host) {
      if (path.includes(at)) return true;
      if (at.getRootNode().mode !== "closed") return false;
    }
    return false;
  }

  function brief(node) {
    if (!(node instanceof Element)) return String(node?.nodeName);
    const text = (node.textContent || "").trim().slice(0, 30);
    return `<${node.localName}${node.id ? ` id=${node.id}` : ""} class="${node.getAttribute("class") ?? ""}">${text}`;
  }

  for (const kind of ["pointerdown", "mousedown", "click"]) {
    addEventListener(kind, (event) => {
      if (!event.isTrusted) return;
      if (kind === "pointerdown") begin();
      const path = event.composedPath();
      report(JSON.stringify({kind, hit: isOn(path, target()), who: brief(path[0]), time: Date.now()}));
    }, true);
  }

  function begin() {
    Object.assign(log, {began: Date.now(), states: []});
    last = "";
    remember();
  }

  function note(records) {
    log.mutations += records.length;
    if (log.began && Date.now() - log.began < 500) remember();
  }

  function remember() {
    const state = globalThis.truthPrint();
    if (state !== last) log.states.push([Date.now(), state]);
    last = state;
  }

  const STATES = [
    "role", "aria-label", "aria-checked", "aria-expanded", "aria-selected", "aria-pressed",
    "aria-disabled", "aria-valuenow", "aria-valuetext", "aria-invalid", "open", "disabled", "alt",
  ];
  const UNREAD = new Set(["script", "style", "noscript", "template", "head", "title"]);

  /** What a reader of the page would be told: visible text, and the states of what is there. */
  globalThis.truthPrint = function () {
    const said = [];
    const visit = (node) => {
      if (node.nodeType === Node.TEXT_NODE) {
        const text = node.data.trim();
        if (text) said.push(text);
        return;
      }
      if (node instanceof Element) {
        if (UNREAD.has(node.localName) || node.ariaHidden === "true" || node.inert) return;
        if (!node.checkVisibility({visibilityProperty: true}) && !shows(node)) return;
        if (isAnnouncer(node)) return;
        for (const name of STATES) if (node.hasAttribute(name)) said.push(`${name}=${node.getAttribute(name)}`);
        if ("value" in node && "form" in node && node.localName !== "button") said.push(`value=${node.value}`);
        if (node.checked) said.push("checked");
      }
      const root = node instanceof Element && rootOf(node);
      for (const child of (root || node).childNodes) visit(child);
      if (root) for (const child of node.childNodes) if (child.assignedSlot) visit(child);
    };
    if (document.body) visit(document.body);
    return digest(said.join("\n"));
  };

  /** What says to screen readers, some time later, what can be seen anyway. */
  function isAnnouncer(element) {
    if (!element.hasAttribute("aria-live") && !/^(status|alert|log)$/.test(element.role ?? "")) return false;
    const {width, height} = element.getBoundingClientRect();
    return width <= 1 || height <= 1 || getComputedStyle(element).clip !== "auto";
  }

  /** `display: contents` and `visibility: hidden` may have visible children. */
  function shows(element) {
    const style = getComputedStyle(element);
    return style.display === "contents" || (style.visibility !== "visible" && element.childElementCount > 0 && style.display !== "none");
  }

  function rootOf(element) {
    if (element.shadowRoot) return element.shadowRoot;
    for (const root of roots) if (root.host === element) return root;
    return null;
  }

  function digest(text) {
    let sum = 5381;
    for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 33) ^ text.charCodeAt(at)) | 0;
    return `${text.length}:${sum}`;
  }

  globalThis.truthLog = () => log;

  /** Whether any point of the element, of what is in it, or of its label, leads to it. */
  globalThis.truthReach = function () {
    const element = target();
    if (!element?.isConnected) return "gone";
    element.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
    const labels = [...(element.labels ?? [])];
    const within = [element, ...element.querySelectorAll("*")].slice(0, 60);
    if ([...within, ...labels].some((each) => [...each.getClientRects()].some((box) => isOpen(box, element)))) return "reachable";
    return within.some((each) => each.getClientRects().length) ? "covered" : "without boxes";
  };

  function isOpen(box, element) {
    const view = element.ownerDocument.defaultView;
    for (let row = 0; row < 9; row++) {
      for (let column = 0; column < 9; column++) {
        const x = box.left + (box.width * (column + 0.5)) / 9, y = box.top + (box.height * (row + 0.5)) / 9;
        if (x < 0 || y < 0 || x >= view.innerWidth || y >= view.innerHeight) continue;
        if (leads(hitAt(element.ownerDocument, x, y), element)) return true;
      }
    }
    return false;
  }

  function hitAt(start, x, y) {
    let found = null;
    for (let root = start; root; ) {
      const hit = root.elementFromPoint(x, y);
      if (!hit || hit === found) break;
      found = hit;
      root = rootOf(hit);
    }
    return found;
  }

  function leads(hit, element) {
    for (let at = hit; at; at = at.assignedSlot ?? at.parentNode ?? at.host) {
      if (at === element || at.control === element) return true;
    }
    return false;
  }

  /** What kind of field the element is, and what it holds. */
  globalThis.truthField = function () {
    const element = target();
    if (!element) return {};
    const tag = element.localName;
    const {type, min, max, step, maxLength, readOnly} = element;
    const facts = {tag, type: String(type ?? ""), min: String(min ?? ""), max: String(max ?? ""), step: String(step ?? ""), maxLength: Number(maxLength ?? -1)};
    const options = tag === "select" ? [...element.options].filter((each) => !each.disabled).map((each) => each.label.trim()) : [];
    const range = ["aria-valuemin", "aria-valuemax", "aria-valuenow"].map((name) => element.getAttribute(name));
    return {...facts, options, range, readOnly: Boolean(readOnly), held: held(element)};
  };

  function held(element) {
    if (element.localName === "select") return [...element.selectedOptions].map((each) => each.label.trim()).join("\n");
    if (["checkbox", "radio"].includes(element.type)) return String(element.checked);
    if (element.hasAttribute("aria-checked")) return element.getAttribute("aria-checked");
    // Some switches say by their classes alone whether they are on.
    if (/^(switch|checkbox)$/.test(element.getAttribute("role") ?? "")) return String(/(^|[\s_-])(checked|on|active)(\s|$)/.test(element.className));
    if (element.isContentEditable) return element.innerText.trim();
    if (element.localName === "textarea" && isKeyCatcher(element)) return drawnAround(element);
    if (typeof element.checked === "boolean" && element.localName.includes("-")) return String(element.checked);
    if (element.getAttribute("role") === "combobox" && !element.value) return shownIn(element);
    if (typeof element.value === "string" || typeof element.value === "number") return String(element.value);
    if (element.hasAttribute("aria-valuenow")) return element.getAttribute("aria-valuenow");
    return (element.innerText ?? "").trim();
  }

  /** What a combobox shows as chosen: what the fields in it hold, its own words, or those around a field that is left empty. */
  function shownIn(element) {
    const written = [...element.querySelectorAll("input")].map((each) => each.value).filter(Boolean);
    if (written.length) return [...written, element.innerText.trim()].join("\n");
    for (let at = element, up = 0; at && up < 4; at = at.parentElement, up++) {
      if (at.innerText?.trim()) return at.innerText.trim();
    }
    return "";
  }

  /** A text area too small to be read catches keys for an editor, which draws the text around it. */
  function isKeyCatcher(element) {
    let {width, height} = element.getBoundingClientRect();
    for (let at = element.parentElement, up = 0; at && up < 3; at = at.parentElement, up++) {
      if (getComputedStyle(at).overflow === "visible") continue;
      const box = at.getBoundingClientRect();
      width = Math.min(width, box.width), height = Math.min(height, box.height);
    }
    return width < 8 || height < 8;
  }

  function drawnAround(element) {
    let at = element;
    while (at.parentElement && (at.clientWidth < 60 || at.clientHeight < 15)) at = at.parentElement;
    // Beside the text stand the numbers of its lines.
    return at.innerText.split("\n").filter((line) => line.trim() && !/^\s*\d+\s*$/.test(line)).join("\n").trim();
  }

  observer.observe(document, WATCHED);
})();
