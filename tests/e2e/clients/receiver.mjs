// A receiving service, as a team outside Tipstaff would write it (docs/tokens.md): a test system
// (docs/test-systems.md) that takes a result only with a good token, verified with the keys in
// jwks.json. What it got it adds to received.jsonl.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { createLocalJWKSet, jwtVerify } from 'jose';

const keys = createLocalJWKSet(JSON.parse(readFileSync('jwks.json', 'utf8')));
const OPTIONS = {
  algorithms: ['EdDSA'],
  audience: 'https://results.example/v1',
  typ: 'tipstaff-submission+jwt',
  requiredClaims: ['exp', 'iat', 'jti', 'key', 'run', 'scope'],
};

async function judge(message) {
  try {
    const { payload } = await jwtVerify(message.token, keys, OPTIONS);
    if (payload.run !== message.run) throw new Error('it is for another run');
    if (payload.key !== message.key) throw new Error('it is for another submission');
    if (JSON.parse(payload.scope).report_id !== message.arguments.report_id) {
      throw new Error('it is for another report');
    }
    return { outcome: 'ok', result: { accepted: message.arguments.report_id } };
  } catch (error) {
    return { outcome: 'refused', message: `token refused: ${error.message}` };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type !== 'call') continue;
  appendFileSync('received.jsonl', `${line}\n`);
  console.log(JSON.stringify({ id: message.id, ...(await judge(message)) }));
}
