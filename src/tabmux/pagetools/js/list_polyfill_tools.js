// @ts-check
/**
 * The tools of a `modelContext` that a script has put into the page, not the browser.
 * @returns {Promise<object[]>}
 */
async function listPolyfillTools() {
  const context = document.modelContext ?? navigator.modelContext;
  if (typeof context?.getTools !== "function") return [];
  if (Function.prototype.toString.call(context.getTools).includes("[native code]")) return [];
  const tools = await context.getTools();
  return [...tools].slice(0, 500).map((tool) => ({
    name: String(tool.name),
    description: String(tool.description ?? ""),
    schema: typeof tool.inputSchema === "string" ? JSON.parse(tool.inputSchema) : tool.inputSchema,
    readOnly: Boolean(tool.annotations?.readOnlyHint),
  }));
}
