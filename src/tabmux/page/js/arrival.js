// @ts-check
/** Gets a large document ready for a snapshot, in idle moments after it has loaded. */

// Code that has run twice is about a third faster than code that has never run.
const REHEARSALS = 2;
// In a smaller document a snapshot is cheap, and whatever is called first would only have to wait.
const LARGE = 500;

function arrived() {
  const size = tabmux.dom.queryDocumentAll.call(document, "*").length;
  if (size > LARGE) rehearse(REHEARSALS);
}

function rehearse(/** @type {number} */ times) {
  window.requestIdleCallback(() => {
    tabmux.rehearse();
    if (times > 1) rehearse(times - 1);
  });
}

if (window === window.top) window.addEventListener("load", arrived, {once: true});
