import { describe, expect, test } from 'vitest';
import type { Frame } from '@/lib/wire/frame';
import { readBudgetLimit, withBudget } from './budget';
import { type CheckFacts, findingsOf } from './report';
import { SessionMeasures } from './session-measures';
import { reportOf } from './test-reports';

/** Returns the findings of a session with these facts. */
function above(facts: CheckFacts, budget: Parameters<typeof withBudget>[1]) {
  const report = reportOf([]);
  const sources = report.sources.map((source) => ({ ...source, facts: { ...source.facts, ...facts } }));
  return findingsOf(withBudget({ ...report, sources }, budget)).map(({ finding }) => finding);
}

test('names what is above the budget, with both amounts', () => {
  const facts = { tokens: 5100, tools: 41, p95Ms: 812.5, largestResult: 70_000 };
  const budget = { tokens: 5000, tools: 40, p95: 500, result: 64_000 };
  expect(above(facts, budget).map(({ rule, severity, message }) => [rule, severity, message])).toEqual([
    ['budget-tokens', 'error', 'All tool definitions take ~5,100 tokens; the budget is ~5,000 tokens.'],
    ['budget-tools', 'error', 'The server has 41 tools; the budget is 40 tools.'],
    ['budget-p95', 'error', '95% of requests are answered within 812.5 ms; the budget is 500 ms.'],
    ['budget-result', 'error', 'The largest result takes 70.0 KB; the budget is 64.0 KB.'],
  ]);
  expect(above(facts, { tokens: 5100, tools: 41, p95: 813, result: 70_000 })).toEqual([]);
});

test('what was not measured fails, but not for a server that was not reached', () => {
  expect(above({}, { result: 1000 })).toMatchObject([{ rule: 'budget-unmeasured', severity: 'error' }]);
  const report = reportOf([]);
  const sources = report.sources.map((source) => ({ ...source, facts: {} }));
  expect(findingsOf(withBudget({ ...report, sources }, { tokens: 1 }))).toEqual([]);
});

describe('a limit', () => {
  test.each([
    ['tokens', '5000', { tokens: 5000 }],
    ['p95', '1.5s', { p95: 1500 }],
    ['p95', 250, { p95: 250 }],
    ['result', '64KB', { result: 64_000 }],
    ['result', '1 MB', { result: 1_000_000 }],
  ])('%s=%s', (name, value, limit) => {
    expect(readBudgetLimit(name, value)).toEqual(limit);
  });

  test.each([
    ['tokens', '5KB', 'write a number'],
    ['result', '-1', 'write a number, 100B, 100KB, 100MB'],
    ['memory', '1', 'choose from tokens, tools, p95, result'],
  ])('%s=%s is invalid', (name, value, why) => {
    expect(readBudgetLimit(name, value)).toContain(why);
  });
});

test('measures the requests that a host waits for, and the results that a model gets', () => {
  const measures = new SessionMeasures();
  let seq = 0;
  const send = (time: number, direction: Frame['direction'], message: object) => {
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    measures.addFrame({ seq: ++seq, time, direction, channel: 'protocol', flags: 0, bytes });
  };
  for (let id = 1; id <= 20; id++) {
    send(id * 1_000_000, 'to-server', { id, method: 'tools/call', params: { name: 'a' } });
    send(id * 1_000_000 + id * 1000, 'to-client', { id, result: { content: [] } });
  }
  send(0, 'to-server', { id: 'p', method: 'ping' });
  send(90_000_000, 'to-client', { id: 'p', result: { padding: 'x'.repeat(500) } });
  send(0, 'to-server', { id: 'l', method: 'tools/list' });
  expect(measures.facts).toEqual({ p95Ms: 19, largestResult: 49 });
  expect(new SessionMeasures().facts).toEqual({});
});

test('attack: a limit that can’t become text is a fault like any other', () => {
  expect(readBudgetLimit('tokens', { toString: 1, valueOf: 1 })).toContain('is not a limit');
});
