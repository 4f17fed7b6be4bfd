// @ts-check
/**
 * Keeps forms from being sent for a moment, while Enter is pressed in a field to take what was typed.
 * @param {number} limit milliseconds
 */
function holdSubmit(limit) {
  const hold = (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("submit", hold, true);
  setTimeout(() => removeEventListener("submit", hold, true), limit);
}
