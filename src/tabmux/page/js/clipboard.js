// @ts-check
/**
 * Reads the text of the clipboard, or writes one.
 * @param {string | null | undefined} text what to write; null to read, and what comes of that
 *   through an extension
 * @returns {Promise<{text: string} | {error: string}>}
 */
async function clipboard(text) {
  if (!navigator.clipboard) return {error: "insecure"};
  try {
    if (typeof text !== "string") return {text: await navigator.clipboard.readText()};
    await navigator.clipboard.writeText(text);
    return {text};
  } catch (error) {
    return {error: String(error)};
  }
}
