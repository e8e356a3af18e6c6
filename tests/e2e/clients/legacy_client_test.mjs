// The 1.x client: initialize, a session, revision 2025-11-25 and before.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';

import { defineCases } from './cases.mjs';

const negotiated = {};

defineCases(async (guest) => {
  const transport = new StdioClientTransport(guest);
  // The client tells its transport the revision that was agreed on.
  transport.setProtocolVersion = (version) => (negotiated.version = version);
  const client = new Client({ name: 'tipstaff-e2e-legacy', version: '1.0.0' });
  await client.connect(transport);
  negotiated.client = client;
  return {
    client,
    call: (params, options) => client.callTool(params, undefined, options),
    close: () => client.close(),
  };
});

test('agrees on the newest legacy revision and answers a ping', async () => {
  assert.equal(negotiated.version, LATEST_PROTOCOL_VERSION);
  assert.equal(LATEST_PROTOCOL_VERSION, '2025-11-25');
  assert.match(negotiated.client.getServerVersion().name, /tipstaff/);
  assert.ok(negotiated.client.getServerCapabilities().tools);
  await negotiated.client.ping();
});
