// @ts-check
/**
 * The tools that this document has declared, as the browser knows them.
 * @returns {Promise<object[]>}
 */
async function declaredTools() {
  const context = document.modelContext;
  if (!context) return [];
  const own = (await context.getTools()).filter((tool) => tool.window === window);
  return own.slice(0, 500).map((tool) => {
    const form = document.querySelector(`form[toolname="${CSS.escape(tool.name)}"]`);
    const hints = tool.annotations ?? {};
    return {
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema,
      isForm: Boolean(form),
      annotations: {
        readOnly: Boolean(hints.readOnlyHint),
        consequential: Boolean(hints.consequentialHint),
        debugging: Boolean(hints.debugging),
        autosubmit: Boolean(form?.hasAttribute("toolautosubmit")),
      },
    };
  });
}
