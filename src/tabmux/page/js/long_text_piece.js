// @ts-check
/**
 * A piece of a long text, and where the next one begins; -1 at the end. How long it is at all.
 * @this {{text: string}}
 * @param {number} from
 * @param {number} length
 */
function longTextPiece(from, length) {
  const {text} = this;
  const half = (text.charCodeAt(from + length - 1) & 0xfc00) === 0xd800;
  const end = from + length - (half ? 1 : 0);
  return {text: text.slice(from, end), next: end < text.length ? end : -1, length: text.length};
}
