import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { answered, asked, type FrameSeed, framesOf, got, happened, sent } from '@/lib/store/test-frames';
import { readSummary } from './read-summary';
import { SUMMARY_BYTES, SUMMARY_TOOLS } from './recording-summary';
import { Summariser, type SummaryFacts } from './summarise';

const FACTS: SummaryFacts = {
  header: { id: 'one', at: '2026-01-31T12:00:00.000Z', by: 'x/1', mode: 'tap', name: 'node x.js', transport: 'stdio' },
  sha256: 'a'.repeat(64),
  bytes: 1000,
  complete: true,
};

const OPENING = [
  asked(0, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: '2.1' },
  }),
  answered(0, {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'lighthouse', version: '1.2.3', title: 'Lighthouse' },
  }),
  sent({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  happened({ event: 'open', era: 'legacy', version: '2025-11-25' }),
];

const call = (id: number, name: string) => asked(id, 'tools/call', { name, arguments: {} });
const listed = (...names: string[]) => [
  asked(1, 'tools/list'),
  answered(1, { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }),
];
const failed = (id: number, code: number, message: string) => got({ jsonrpc: '2.0', id, error: { code, message } });
const text = (words: string, isError = false) => ({ content: [{ type: 'text', text: words }], isError });

function summaryOf(seeds: readonly FrameSeed[], facts = FACTS, portion = Number.POSITIVE_INFINITY) {
  const summariser = new Summariser();
  const frames = framesOf(seeds);
  for (let from = 0; from < frames.length; from += portion) summariser.addFrames(frames.slice(from, from + portion));
  return summariser.summary(facts);
}

const SESSION = [
  ...OPENING,
  ...listed('scan', 'never', 'fail'),
  call(2, 'scan'),
  call(3, 'fail'),
  answered(3, text('No such light', true)),
  answered(2, text('ok')),
  call(4, 'fail'),
  failed(4, -32602, 'Bad arguments'),
  call(5, 'fail'),
  failed(5, -32602, 'Bad arguments again'),
  call(6, 'hidden'),
  sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 6 } }),
  call(7, 'scan'),
];

test('counts tools, failures and times of a session', () => {
  const summary = summaryOf(SESSION);
  expect(summary.server).toEqual({
    name: 'node x.js',
    info: 'lighthouse',
    title: 'Lighthouse',
    version: '1.2.3',
    protocol: '2025-11-25',
    transport: 'stdio',
  });
  expect(summary.host).toEqual({ name: 'claude-code', version: '2.1' });
  expect(summary.requests).toMatchObject({ calls: 8, errors: 3, unfinished: 2, p50Ms: 1.002, maxMs: 3 });
  // The handshake and the list took a millisecond each, too.
  expect(summary.requests.singlesMs).toEqual([3, 1, 1, 1]);
  expect(summary.tools).toEqual([
    expect.objectContaining({ name: 'fail', calls: 3, errors: 3, failed: 8, slowest: 8 }),
    // Three milliseconds are in the bucket from 2^(46/4) µs, which is 2.9 ms.
    {
      name: 'scan',
      calls: 2,
      errors: 0,
      unfinished: 1,
      p50Ms: 3,
      p95Ms: 3,
      maxMs: 3,
      singlesMs: [3],
      times: [[46, 1]],
      slowest: 7,
    },
    { name: 'hidden', unlisted: true, calls: 1, errors: 0, unfinished: 1 },
    { name: 'never', calls: 0, errors: 0 },
  ]);
  expect(summary.failures).toEqual([
    { method: 'tools/call', name: 'fail', code: -32602, message: 'Bad arguments', count: 2, frame: 11 },
    { method: 'tools/call', name: 'fail', code: 'tool-error', message: 'No such light', count: 1, frame: 8 },
  ]);
});

test('is the same for any portions of frames, and can be read back', () => {
  const whole = summaryOf(SESSION);
  expect(summaryOf(SESSION, FACTS, 1)).toEqual(whole);
  expect(readSummary(Buffer.from(JSON.stringify(whole)))).toEqual(whole);
});

test('leaves out the time in which a person answered', () => {
  const asksPerson = got({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: { message: 'Sure?' } });
  const filler = Array.from({ length: 50 }, () => happened({ event: 'note', on: 1, text: 'waits', bookmark: false }));
  const answer = sent({ jsonrpc: '2.0', id: 'q', result: { action: 'accept' } });
  const summary = summaryOf([...OPENING, call(2, 'scan'), asksPerson, ...filler, answer, answered(2, text('ok'))]);
  expect(summary.tools[0]).toMatchObject({ name: 'scan', p50Ms: 2 });
});

test('counts a refusal that auto mode expects neither as a call nor as a failure', () => {
  const probe = [
    asked('mcp-inspect-probe', 'server/discover', {}),
    failed('mcp-inspect-probe' as never, -32601, 'Method not found'),
    happened({ event: 'probe', era: 'legacy', reason: 'refused', respawn: false }),
  ];
  expect(summaryOf([...probe, ...OPENING]).requests).toMatchObject({ calls: 1, errors: 0 });
});

test('counts findings of the rules, most severe first', () => {
  const { problems } = summaryOf([...OPENING, answered(99, {}), answered(98, {}), got('junk')]);
  expect(problems.length).toBeGreaterThan(0);
  expect(problems[0]).toMatchObject({ severity: 'error' });
});

test('goes on without schema checks after a pattern that takes for ever', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
  const tools = [{ name: 'scan', inputSchema: { type: 'object' }, outputSchema: schema }];
  const result = (id: number, a: unknown) =>
    answered(id, { content: [{ type: 'text', text: '{}' }], structuredContent: { a } });
  const session = [...OPENING, asked(1, 'tools/list'), answered(1, { tools }), call(2, 'scan'), result(2, 1)];
  const more = [call(3, 'scan'), result(3, `${'a'.repeat(50)}!`), call(4, 'scan'), result(4, 1), got('junk')];
  const summariser = new Summariser(runWithin);
  summariser.addFrames(framesOf([...session, ...more]));
  const { problems, requests } = summariser.summary(FACTS);
  expect(problems).toEqual([
    { rule: 'output-mismatch', severity: 'error', count: 1 },
    { rule: 'stdout-junk', severity: 'error', count: 1 },
    { rule: 'output-unchecked', severity: 'warning', count: 1 },
  ]);
  expect(requests.calls).toBe(5);
});

/** Stops work after 300 ms, as a subcommand does after some seconds. */
function runWithin(_ms: number, work: () => void): boolean {
  try {
    runInNewContext('work()', { work }, { timeout: 300 });
    return true;
  } catch {
    return false;
  }
}

test('stays within its bytes, however many tools a server lists', () => {
  const names = Array.from({ length: 1000 }, (_, at) => `${'n'.repeat(400)}${at}`);
  const calls = names.slice(0, 300).flatMap((name, at) => [call(at + 2, name), failed(at + 2, at, 'é'.repeat(5000))]);
  const summary = summaryOf([...OPENING, ...listed(...names), ...calls]);
  const bytes = Buffer.from(JSON.stringify(summary));
  expect(bytes.length).toBeLessThanOrEqual(SUMMARY_BYTES);
  expect(summary.tools.length).toBeLessThanOrEqual(SUMMARY_TOOLS);
  expect(summary.tools.length + summary.toolsLeftOut!).toBe(1000);
  expect(summary.failures.reduce((sum, { count }) => sum + count, summary.failuresLeftOut!)).toBe(300);
  expect(readSummary(bytes)).toEqual(summary);
});

test('keeps texts that are cut in the middle of a character readable', () => {
  const half = `${'a'.repeat(199)}😀`;
  const summary = summaryOf([...OPENING, call(2, 'x'), failed(2, 1, half), call(3, `\ud800`), failed(3, 1, half)]);
  expect(readSummary(Buffer.from(JSON.stringify(summary)))).toEqual(summary);
});

test('summarises a recording without a single request', () => {
  const summary = summaryOf([happened({ event: 'closed' })], { ...FACTS, tags: ['nightly'], author: 'ada' });
  expect(summary).toMatchObject({ frames: 1, requests: { calls: 0, errors: 0 }, tools: [], tags: ['nightly'] });
  expect(readSummary(Buffer.from(JSON.stringify(summary)))).toEqual(summary);
});

test('a borrowed name is not the host', () => {
  const header = { ...FACTS.header, mode: 'client', by: 'mcp-inspect/0.1.0' } as const;
  expect(summaryOf(OPENING, { ...FACTS, header: { ...header, as: 'claude-code' } }).host).toEqual({
    name: 'mcp-inspect',
    version: '0.1.0',
  });
  expect(summaryOf(OPENING, { ...FACTS, header }).host).toEqual({ name: 'claude-code', version: '2.1' });
});
