// @modelcontextprotocol/client 2.x, held to revision 2026-07-28.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { report, task } from './task.mjs';

const client = new Client(
  { name: 'tipstaff-matrix', version: '1' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
await client.connect(
  task.url
    ? new StreamableHTTPClientTransport(new URL(task.url))
    : new StdioClientTransport(task.stdio),
);
await report({
  tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
  call: ({ name, arguments: args }, signal) => client.callTool({ name, arguments: args }, { signal }),
});
await client.close();
