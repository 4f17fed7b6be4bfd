// @ts-check
/**
 * Describes the groups that answered.
 * @this {any[]}
 */
function listDeveloperTools() {
  const text = (/** @type {unknown} */ value) => String(value ?? "");
  return this.slice(0, 20).map((group) => ({
    name: text(group?.name),
    description: text(group?.description),
    tools: [...group?.tools ?? []].slice(0, 100).map((tool) => ({
      name: text(tool?.name),
      description: text(tool?.description),
      schema: JSON.parse(JSON.stringify(tool?.inputSchema ?? null)),
    })),
  }));
}
