// @ts-check
// Tells the other side when the document may offer other tools than before.

const QUIET = 250;
const LONGEST = 1500;
const ATTRIBUTES = [
  "hidden", "disabled", "readonly", "open", "role", "type", "name", "required", "class", "style",
  "inert", "href", "aria-hidden", "aria-modal", "aria-expanded", "aria-disabled", "aria-selected",
  "aria-label", "aria-labelledby", "placeholder", "toolname", "tooldescription",
];

/** @type {MutationObserver | null} */
let observer = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let since = 0;

/**
 * Calls a binding of this world (`Runtime.addBinding` with `executionContextName: "tabmux"`) some
 * time after the document changed: when it has been quiet, or when it has changed for long.
 * @param {string} binding
 */
tabmux.toolsObserve = function (binding) {
  if (observer) return;
  const tell = () => {
    clearTimeout(timer);
    since = 0;
    /** @type {any} */ (globalThis)[binding]?.("");
  };
  observer = new MutationObserver(() => {
    const now = performance.now();
    if (!since) since = now;
    clearTimeout(timer);
    timer = setTimeout(tell, Math.max(0, Math.min(QUIET, since + LONGEST - now)));
  });
  const what = {subtree: true, childList: true, attributes: true, attributeFilter: ATTRIBUTES};
  tabmux.observeTrees(observer, what);
};
