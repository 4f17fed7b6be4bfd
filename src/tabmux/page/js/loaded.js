// @ts-check
/** When a document has loaded: says its title, and gets ready for a snapshot in idle moments. */

// Code that has run twice is about a third faster than code that has never run.
const WARM_UPS = 2;
// In a smaller document a snapshot is cheap, and whatever is called first would only have to wait.
const LARGE = 500;

function arrived() {
  // A page that is about to draw would answer much later, were it asked for its title.
  // The binding is there only for documents that load while tabmux listens.
  globalThis.tabmuxArrived?.(String(tabmux.dom.title.call(document)));
  const size = tabmux.dom.queryDocumentAll.call(document, "*").length;
  if (size > LARGE) warmUp(WARM_UPS);
}

function warmUp(/** @type {number} */ times) {
  window.requestIdleCallback(() => {
    tabmux.warmUp();
    if (times > 1) warmUp(times - 1);
  });
}

if (window === window.top) {
  document.addEventListener("readystatechange", () => {
    // Heard so late, the event comes to the page's own listeners first; they may change the title.
    if (document.readyState === "complete") window.addEventListener("load", arrived, {once: true});
  });
}
