// @ts-check
/**
 * Gives a text to an editor as one that is pasted, which it takes as it is: nothing is indented or completed.
 * @param {string} text
 * @returns {boolean} whether the editor took care of it
 */
function pasteText(text) {
  const target = tabmux.activeElement();
  if (!target) return false;
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true, composed: true});
  return !target.dispatchEvent(event) || document.execCommand("insertText", false, text);
}
