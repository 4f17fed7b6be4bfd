// TypeScript SDK 1: a client over its own transports.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { answer, expect, report, run, walk } from './steps.mjs';

await run(async (task) => {
  const transport = task.way === 'stdio'
    ? new StdioClientTransport({ command: 'tabmux' })
    : new StreamableHTTPClientTransport(new URL(task.server));
  const client = new Client({ name: task.name, version: '1' });
  await client.connect(transport);
  report('connect');
  const { tools } = await client.listTools();
  await walk(task, tools.map((tool) => tool.name), async (name, given = {}) => {
    const result = await client.callTool({ name, arguments: given });
    expect(!result.isError, answer(result.content).text);
    return answer(result.content);
  });
  await client.close();
});
