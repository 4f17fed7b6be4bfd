// @ts-check
/** Format: numbers and moments as people read them. */

/** Write how long ago something was. */
export function ago(/** @type {number} */ then, /** @type {number} */ now) {
  const seconds = Math.max(0, Math.round(now - then));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** Write a moment of today. */
export function clock(/** @type {number} */ moment) {
  return new Date(moment * 1000).toLocaleTimeString([], { hour12: false });
}

/** Write a day and a moment. */
export function day(/** @type {number} */ moment) {
  return new Date(moment * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

/** Write how long something took. */
export function duration(/** @type {number} */ milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Write a size. */
export function bytes(/** @type {number} */ count) {
  if (count < 1024) return `${count} B`;
  if (count < 1 << 20) return `${Math.round(count / 1024)} kB`;
  return `${(count / (1 << 20)).toFixed(1)} MB`;
}

/** Write where a page is, without what is the same everywhere. */
export function shortUrl(/** @type {string} */ url) {
  return url.replace(/^https?:\/\//, "");
}

/** Write a number of things. */
export function count(/** @type {number} */ number, /** @type {string} */ noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
