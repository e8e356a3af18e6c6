// The tokens of a run and of its result, verified by an implementation that is not ours: the npm
// package jose, with nothing but what `tipstaff keys jwks` prints.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { SignJWT, createLocalJWKSet, decodeProtectedHeader, generateKeyPair, jwtVerify } from 'jose';

import { Mediator, testFolder } from './mediator.mjs';

const AUDIENCE = 'https://results.example/v1';
const RUN_TYPE = 'tipstaff-run+jwt';
const SUBMISSION_TYPE = 'tipstaff-submission+jwt';
const LIMIT = { timeout: 60_000 };

let mediator;
let opened;
let jwks; // as printed
let keys;
let runToken;
let submission; // the line that the receiver got
let answer; // what the guest got

const base64url = (value) => Buffer.from(value).toString('base64url');
const decode = (part) => Buffer.from(part, 'base64url').toString();

before(async () => {
  const upstreams = {
    receiver: {
      test_system: {
        command: [process.execPath, fileURLToPath(new URL('receiver.mjs', import.meta.url))],
        tools: join(testFolder, 'clients', 'receiver.yaml'),
        stop: 'none',
        timeout: '30s',
      },
    },
  };
  mediator = await Mediator.start({
    policies: [join(testFolder, 'clients', 'policies')],
    more: `upstreams: ${JSON.stringify(upstreams)}`,
  });
  jwks = await mediator.print('keys', 'jwks');
  await writeFile(mediator.path('jwks.json'), jwks);
  keys = createLocalJWKSet(JSON.parse(jwks));
  opened = await mediator.open({
    skills: ['token-work'],
    bindings: { report_id: 'r1', tenant: 'acme' },
  });
  runToken = await readFile(opened.token_file, 'utf8');

  const client = new Client({ name: 'tipstaff-e2e-tokens', version: '1.0.0' });
  await client.connect(new StdioClientTransport(mediator.guestOf(opened)));
  answer = await client.callTool({
    name: 'receiver_submit',
    arguments: { report_id: 'r1', summary: 'a phishing mail' },
  });
  await client.close();
  const lines = (await readFile(mediator.path('received.jsonl'), 'utf8')).trim().split('\n');
  assert.equal(lines.length, 1);
  submission = JSON.parse(lines[0]);
}, LIMIT);

after(() => mediator?.stop(), LIMIT);

test('the key set has public keys only', LIMIT, () => {
  const set = JSON.parse(jwks);
  assert.equal(set.keys.length, 1);
  const { x, kid, ...rest } = set.keys[0];
  assert.deepEqual(rest, { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
  assert.match(x, /^[\w-]{43}$/);
  assert.equal(kid, decodeProtectedHeader(runToken).kid);
});

test('the token of the run verifies', LIMIT, async () => {
  const { payload, protectedHeader } = await jwtVerify(runToken, keys, {
    algorithms: ['EdDSA'],
    typ: RUN_TYPE,
  });
  assert.equal(protectedHeader.alg, 'EdDSA');
  assert.match(payload.aud, /^tipstaff:[0-9a-f]{16}$/);
  assert.equal(payload.run, opened.run);
  assert.equal(payload.tenant, 'acme');
  assert.deepEqual(JSON.parse(payload.scope), { report_id: 'r1', tenant: 'acme' });
});

test('the result is accepted by a receiver that verifies its token', LIMIT, async () => {
  assert.ok(!answer.isError, JSON.stringify(answer));
  assert.deepEqual(answer.structuredContent, { accepted: 'r1' });
  const shown = await mediator.tipstaff('run', 'show', opened.run);
  assert.equal(shown.result, 'accepted');
});

test("the submission's token has the run's claims, for the receiver, for minutes", LIMIT, async () => {
  const options = { algorithms: ['EdDSA'], audience: AUDIENCE, typ: SUBMISSION_TYPE };
  const { payload } = await jwtVerify(submission.token, keys, options);
  const { aud, exp, iat, jti, key, ...of } = payload;
  const { run, scope, tenant, jti: ofRun } = JSON.parse(decode(runToken.split('.')[1]));
  assert.deepEqual(of, { run, scope, tenant });
  assert.equal(aud, AUDIENCE);
  assert.equal(key, submission.key);
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal(exp - iat, 300);
  assert.notEqual(jti, ofRun);
  assert.deepEqual(Object.keys(submission.arguments), ['report_id', 'summary']);
});

test('neither kind is taken for the other', LIMIT, async () => {
  const wrongType = { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED', claim: 'typ' };
  await assert.rejects(jwtVerify(runToken, keys, { typ: SUBMISSION_TYPE }), wrongType);
  await assert.rejects(jwtVerify(submission.token, keys, { typ: RUN_TYPE }), wrongType);
});

test('what was tampered with is refused', LIMIT, async () => {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  for (const [token, typ] of [
    [runToken, RUN_TYPE],
    [submission.token, SUBMISSION_TYPE],
  ]) {
    const [header, payload, signature] = token.split('.');
    const audience = JSON.parse(decode(payload)).aud;
    const options = { algorithms: ['EdDSA'], audience, typ };
    const withHeader = (change) => base64url(JSON.stringify({ ...JSON.parse(decode(header)), ...change }));
    const otherRun = base64url(decode(payload).replace(/run_\w+/, 'run_aaaaaaaaaaaa'));
    const flipped = Buffer.from(signature, 'base64url');
    flipped[10] ^= 1;
    const { x } = JSON.parse(jwks).keys[0];
    const hs256 = `${withHeader({ alg: 'HS256' })}.${payload}`;
    const mac = createHmac('sha256', Buffer.from(x, 'base64url')).update(hs256).digest('base64url');
    const forged = await new SignJWT(JSON.parse(decode(payload)))
      .setProtectedHeader(JSON.parse(decode(header)))
      .sign(privateKey);
    const later = { currentDate: new Date((JSON.parse(decode(payload)).exp + 1) * 1000) };

    await jwtVerify(token, keys, options); // what each row changes is good
    const rows = [
      ['another run', `${header}.${otherRun}.${signature}`, {}, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
      ['a flipped bit', `${header}.${payload}.${base64url(flipped)}`, {}, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
      ['no signature', `${header}.${payload}.`, {}, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
      ['another key', forged, {}, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
      ['a key that is not published', `${withHeader({ kid: 'other' })}.${payload}.${signature}`, {}, 'ERR_JWKS_NO_MATCHING_KEY'],
      ['alg none', `${withHeader({ alg: 'none' })}.${payload}.`, {}, 'ERR_JOSE_ALG_NOT_ALLOWED'],
      ['HS256 with the public key', `${hs256}.${mac}`, {}, 'ERR_JOSE_ALG_NOT_ALLOWED'],
      ['another type', `${withHeader({ typ: 'JWT' })}.${payload}.${signature}`, {}, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
      ['trailing data', `${token}.e30`, {}, 'ERR_JWS_INVALID'],
      ['another audience', token, { audience: 'https://other.example' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
      ['expired', token, later, 'ERR_JWT_EXPIRED'],
    ];
    for (const [name, bad, change, code] of rows) {
      await assert.rejects(jwtVerify(bad, keys, { ...options, ...change }), { code }, `${typ}: ${name}`);
    }
  }
});

// Every file of the mediator's folder but the receiver's own account of what it got.
async function* filesBelow(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() && entry.name !== 'received.jsonl') yield path;
  }
}

test("the submission's token is nowhere but at the receiver", LIMIT, async () => {
  const secrets = submission.token.split('.').slice(1);
  const places = new Map([['the answer', JSON.stringify(answer)], ['the log', mediator.log]]);
  for await (const path of filesBelow(mediator.path('.'))) {
    places.set(path, await readFile(path, 'latin1'));
  }
  assert.ok([...places.keys()].some((path) => path.endsWith('tipstaff.db')), 'the ledger is among them');
  for (const args of [['show', `${opened.run}#1`], ['run', 'show', opened.run], ['log', opened.run]]) {
    places.set(args.join(' '), await mediator.print(...args));
  }
  for (const [place, text] of places) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `the token is in ${place}`);
  }
});
