// @ts-check
/**
 * Calls a tool of a `modelContext` that a script has put into the page.
 * @param {string} name
 * @param {object} input
 */
async function callPolyfillTool(name, input) {
  const context = /** @type {ModelContext} */ (document.modelContext ?? navigator.modelContext);
  const tool = [...await context.getTools()].find((each) => each.name === name);
  if (!tool) throw new Error(`The page no longer has the tool ${name}.`);
  // Some take an object and some its JSON: this object reads as JSON where text is wanted.
  const text = JSON.stringify(input);
  if (!Object.hasOwn(input, "toString")) {
    Object.defineProperty(input, "toString", { value: () => text });
  }
  return ($SERIALIZE)(await context.executeTool(tool, input));
}
