// The 2.x client, held to revision 2026-07-28: server/discover, no session.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { defineCases } from './cases.mjs';

const REVISION = '2026-07-28';
let connected;

defineCases(async (guest) => {
  const client = new Client(
    { name: 'tipstaff-e2e-modern', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: REVISION } } }, // no falling back
  );
  await client.connect(new StdioClientTransport(guest));
  connected = client;
  return {
    client,
    call: (params, options) => client.callTool(params, options),
    close: () => client.close(),
  };
});

test('speaks the modern revision', () => {
  assert.equal(connected.getProtocolEra(), 'modern');
  assert.equal(connected.getNegotiatedProtocolVersion(), REVISION);
  assert.ok(connected.getDiscoverResult().supportedVersions.includes(REVISION));
  assert.ok(connected.getServerCapabilities().tools);
});
