// @ts-check
/**
 * What an error says of the errors behind it.
 * @this {unknown}
 */
function errorCauses() {
  /** @type {string[]} */
  const found = [];
  const text = (/** @type {any} */ item) => String((item && item.stack) || item).slice(0, 4000);
  function follow(/** @type {any} */ error, /** @type {number} */ depth) {
    if (depth > 5 || found.length > 10 || !error || typeof error !== "object") return;
    for (const inner of Array.isArray(error.errors) ? error.errors.slice(0, 5) : []) {
      found.push(`One of its errors: ${text(inner)}`);
      follow(inner, depth + 1);
    }
    if (!("cause" in error)) return;
    found.push(`Caused by: ${text(error.cause)}`);
    follow(error.cause, depth + 1);
  }
  follow(this, 0);
  return found;
}
