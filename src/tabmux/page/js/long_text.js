// @ts-check
/**
 * A text; a long one is kept in an object, from which it is fetched in pieces.
 * @param {string} text
 * @param {number} longest
 */
function longText(text, longest) {
  return text.length > longest ? {text} : text;
}
