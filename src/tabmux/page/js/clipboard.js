// @ts-check
/**
 * Reads the text of the clipboard, or writes one.
 * @param {string | null} text what to write; null to read
 * @returns {Promise<{text: string} | {error: string}>}
 */
async function clipboard(text) {
  if (!navigator.clipboard) return {error: "insecure"};
  try {
    if (text === null) return {text: await navigator.clipboard.readText()};
    await navigator.clipboard.writeText(text);
    return {text};
  } catch (error) {
    return {error: String(error)};
  }
}
