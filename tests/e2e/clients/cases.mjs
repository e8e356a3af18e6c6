// What a client of either generation sees. `connect` is given how to start the guest agent and
// resolves with { client, call(params, options), close() }, the same shape for both.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Mediator } from './mediator.mjs';

const OWN = 'rep_demo0001';
const OTHER = 'rep_aaaa0002';
const INVALID_PARAMS = -32602;
const LIMIT = { timeout: 60_000 };

export function defineCases(connect) {
  let mediator;
  let session;
  const strays = []; // what the client could not place: late progress, answers to nothing

  before(async () => {
    mediator = await Mediator.start();
    const guest = await mediator.openRun({
      skills: ['report-triage', 'slow-work'],
      bindings: { report_id: OWN, tenant: 'acme' },
    });
    session = await connect(guest);
    session.client.onerror = (error) => strays.push(String(error));
  }, LIMIT);

  after(async () => {
    await session?.close();
    await mediator?.stop();
  }, LIMIT);

  const getReport = (id) =>
    session.call({ name: 'reports_get_report', arguments: { report_id: id } });

  test('lists the tools that the skills permit, narrowed, and no others', LIMIT, async () => {
    const { tools } = await session.client.listTools();
    const names = tools.map((tool) => tool.name);
    for (const name of ['reports_get_report', 'reports_submit_result', 'slow_wait']) {
      assert.ok(names.includes(name), `${name} is not among ${names}`);
    }
    assert.ok(!names.includes('mail_list_messages'), 'a tool that no skill permits is listed');
    assert.deepEqual(names, [...names].sort(), 'the order is fixed');

    const { inputSchema } = tools.find((tool) => tool.name === 'reports_get_report');
    assert.equal(inputSchema.type, 'object');
    assert.deepEqual(inputSchema.required, ['report_id']);
    assert.equal(inputSchema.properties.report_id.const, OWN);
  });

  test('a permitted call returns its result', LIMIT, async () => {
    const result = await getReport(OWN);
    assert.ok(!result.isError, JSON.stringify(result));
    assert.match(result.content.map((part) => part.text).join(''), new RegExp(OWN));
  });

  test('another report is refused in the result, with the decision', LIMIT, async () => {
    const result = await getReport(OTHER);
    assert.equal(result.isError, true);
    assert.equal(result.structuredContent, undefined);
    const decision = result._meta['tipstaff/decision'];
    assert.equal(decision.verdict, 'deny');
    assert.equal(decision.reason, 'out_of_scope');
    assert.equal(decision.retry, false);
    assert.match(decision.id, /^run_\w+#\d+$/);
  });

  test('an argument that is not listed is refused', LIMIT, async () => {
    const result = await session.call({
      name: 'reports_get_report',
      arguments: { report_id: OWN, verbose: true },
    });
    assert.equal(result.isError, true);
    assert.equal(result._meta['tipstaff/decision'].reason, 'argument_refused');
  });

  test('an unknown tool is an error of the protocol', LIMIT, async () => {
    await assert.rejects(session.call({ name: 'no_such_tool', arguments: {} }), (error) => {
      assert.equal(error.code, INVALID_PARAMS, String(error));
      return true;
    });
  });

  test('a slow call reports progress, rising, and then its result', LIMIT, async () => {
    const seen = [];
    const result = await session.call(
      { name: 'slow_wait', arguments: { label: 'to the end' } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    assert.ok(!result.isError, JSON.stringify(result));
    assert.ok(seen.length >= 2, `progress: ${seen}`);
    assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b), 'progress must rise');
  });

  test('a cancelled call ends at once, is quiet, and disturbs no other', LIMIT, async () => {
    const abort = new AbortController();
    let reports = 0;
    strays.length = 0; // the 2.x client does not place a last report that comes with the result
    const started = Date.now();
    const slow = session.call(
      { name: 'slow_wait', arguments: { label: 'to be cancelled' } },
      {
        signal: abort.signal,
        onprogress: () => {
          reports += 1;
          abort.abort();
        },
      },
    );
    await assert.rejects(slow);
    assert.ok(Date.now() - started < 1_900, 'it did not wait for the whole delay of 2 s');

    // The whole of a second slow call outlasts what the first would still have said.
    const second = await session.call({ name: 'slow_wait', arguments: { label: 'after' } });
    assert.ok(!second.isError, JSON.stringify(second));
    assert.equal(reports, 1);
    assert.deepEqual(strays, []);
  });

  test('calls in flight together get their own answers', LIMIT, async () => {
    const results = await Promise.all([getReport(OWN), getReport(OTHER), getReport(OWN)]);
    assert.deepEqual(results.map((result) => result.isError === true), [false, true, false]);
  });
}
