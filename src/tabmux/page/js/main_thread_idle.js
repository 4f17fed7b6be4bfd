// @ts-check
/**
 * Resolves when nothing has kept the page busy for a while: no long task, no layout shift, no
 * larger paint.
 * @param {number} quiet how long is a while, in milliseconds
 * @param {number} limit when to give up
 */
function mainThreadIdle(quiet, limit) {
  const began = performance.now();
  let last = began;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      last = Math.max(last, entry.startTime + entry.duration);
    }
  });
  for (const type of ["longtask", "layout-shift", "largest-contentful-paint"]) {
    observer.observe({type, buffered: true});
  }
  return new Promise((resolve) => {
    function check() {
      const left = Math.min(last + quiet, began + limit) - performance.now();
      if (left > 0) return setTimeout(check, left);
      observer.disconnect();
      return resolve(undefined);
    }
    // What the observer already knows is told in a task of its own.
    setTimeout(check, 0);
  });
}
