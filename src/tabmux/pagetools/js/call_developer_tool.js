// @ts-check
/**
 * Calls a tool of a group that answered; elements are given by their place among the arguments.
 * @this {any[]}
 * @param {string} name
 * @param {Record<string, any>} input
 * @param {string[]} keys the properties that are elements
 * @param {...Element} elements
 */
async function callDeveloperTool(name, input, keys, ...elements) {
  const tools = this.flatMap((group) => [...group?.tools ?? []]);
  const tool = tools.find((each) => each?.name === name);
  keys.forEach((key, place) => { input[key] = elements[place]; });
  return ($SERIALIZE)(await tool.execute(input));
}
