// @ts-check
/**
 * Offscreen page: outlives the service worker, and starts it again when Chrome has ended it.
 *
 * Nothing else would before the next event of a tab, or the alarm after half a minute; agents'
 * calls cannot wait that long, and the server cannot reach a worker that does not run.
 */

const AGAIN_MS = 100;

function watch() {
  // Connecting starts the worker; the port closes with it.
  chrome.runtime.connect({ name: "watch" }).onDisconnect.addListener(() => setTimeout(watch, AGAIN_MS));
}

watch();
