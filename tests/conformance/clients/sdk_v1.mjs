// @modelcontextprotocol/sdk 1.x: `initialize`, a session.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { report, task } from './task.mjs';

const client = new Client({ name: 'tipstaff-matrix', version: '1' });
await client.connect(
  task.url
    ? new StreamableHTTPClientTransport(new URL(task.url))
    : new StdioClientTransport(task.stdio),
);
await report({
  tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
  call: ({ name, arguments: args }, signal) =>
    client.callTool({ name, arguments: args }, undefined, { signal }),
});
await client.close();
