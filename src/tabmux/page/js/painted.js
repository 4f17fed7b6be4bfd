// @ts-check
/**
 * Resolves when what the page has just done is on the screen, and Chrome has noted it.
 * @param {number} margin how long Chrome may take to note it, in milliseconds
 */
function painted(margin) {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, margin)));
  });
}
