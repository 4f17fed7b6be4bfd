// Vercel AI SDK: the tools that its MCP client makes, executed as generateText() would.
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { answer, expect, report, run, walk } from './steps.mjs';

await run(async (task) => {
  const client = await createMCPClient({
    transport: task.way === 'stdio'
      ? new StdioTransport({ command: 'tabmux' })
      : { type: 'http', url: task.server },
  });
  report('connect');
  const tools = await client.tools();
  await walk(task, Object.keys(tools), async (name, given = {}) => {
    const output = await tools[name].execute(given, { toolCallId: '1', messages: [] });
    expect(!output.isError, JSON.stringify(output.content));
    const shown = await tools[name].toModelOutput({ toolCallId: '1', input: given, output });
    expect(shown.type === 'content', JSON.stringify(shown));
    return answer(shown.value);
  });
  await client.close();
});
