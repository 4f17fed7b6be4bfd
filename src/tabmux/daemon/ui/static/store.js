// @ts-check
/** Store: what the server has told, and what the person has chosen. */

import { computed, signal } from "./vendor/signals.js";

const MOST_ENTRIES = 1000;
const MOST_METRICS = 300;

/** @type {import("./vendor/signals.js").Signal<ServerState>} */
export const state = signal({ sessions: [], browsers: [], grid: null, requests: [] });
export const role = signal("view");
export const isConnected = signal(false);
/** @type {import("./vendor/signals.js").Signal<Entry[]>} */
export const entries = signal([]);
/** @type {import("./vendor/signals.js").Signal<Metrics[]>} */
export const metrics = signal([]);
/** @type {import("./vendor/signals.js").Signal<Run[]>} */
export const runs = signal([]);
/** @type {import("./vendor/signals.js").Signal<{run: string, entries: Entry[], more: boolean} | null>} */
export const openRun = signal(null);
/** @type {import("./vendor/signals.js").Signal<Picked | null>} */
export const picked = signal(null);
export const notice = signal("");
/** The moment, for ages; it moves once a second. */
export const now = signal(Date.now() / 1000);
/** @type {import("./vendor/signals.js").Signal<Place>} */
export const place = signal(readPlace());

export const steers = computed(() => role.value === "steer");
export const pages = computed(() => {
  /** @type {Map<number, {page: PageState, session: SessionState}>} */
  const found = new Map();
  for (const session of state.value.sessions) {
    for (const page of session.pages) found.set(page.id, { page, session });
  }
  return found;
});

/** Take a message of the server's. */
export function take(/** @type {any} */ message) {
  switch (message.type) {
    case "me": role.value = message.role; break;
    case "state": state.value = message; break;
    case "metrics": metrics.value = [...metrics.value, message].slice(-MOST_METRICS); break;
    case "entry": add([message.entry]); break;
    case "history": add(message.entries); break;
    case "runs": runs.value = message.runs; break;
    case "run": openRun.value = message; break;
    case "picked": picked.value = message; break;
    case "pointed": say("The agent will be told with its next reply."); break;
    case "problem": say(message.text); break;
  }
}

/** Tell the person something, also by voice. */
export function say(/** @type {string} */ text) {
  notice.value = text;
  setTimeout(() => { if (notice.peek() === text) notice.value = ""; }, 6000);
}

/** Go to another part of the live view; the browser's own buttons go back. */
export function go(/** @type {Partial<Place>} */ to) {
  const next = { ...place.peek(), ...to };
  location.hash = next.page === null ? next.view : `${next.view}/${next.page}`;
}

addEventListener("hashchange", () => { place.value = readPlace(); });
setInterval(() => { now.value = Date.now() / 1000; }, 1000);

/** @returns {Place} */
function readPlace() {
  const [view, page] = location.hash.slice(1).split("/");
  const known = view === "runs" || view === "health" ? view : "live";
  return { view: known, page: /^\d+$/.test(page ?? "") ? Number(page) : null };
}

function add(/** @type {Entry[]} */ found) {
  const known = new Set(entries.value.map(name));
  const fresh = found.filter((entry) => !known.has(name(entry)));
  const all = [...entries.value, ...fresh].sort((one, other) => one.time - other.time);
  entries.value = all.slice(-MOST_ENTRIES);
}

export function name(/** @type {Entry} */ entry) {
  return `${entry.run}/${entry.number}/${entry.time}/${entry.tool}`;
}
