import { describe, expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import { type FollowUpPort, followUp } from './follow-ups';
import type { Outcome } from './outcome';

const QUESTION = { method: 'elicitation/create', params: { message: 'Sure?' } };
const PARAMS = '{"name":"t","arguments":{"n":12345678901234567890}}';

const result = (value: object): Outcome => ({ kind: 'result', result: value });
const asks = (inputRequests: object | undefined, requestState?: string): Outcome =>
  result({ resultType: 'input_required', inputRequests, ...(requestState !== undefined && { requestState }) });
const refused = (code: number): Outcome => ({ kind: 'error', error: { code, message: 'no' } });

/** A port whose server answers with these in turn; `steps` tells what was done. */
function against(outcomes: readonly Outcome[], handlers: FollowUpPort['handlers'] = new Map()) {
  const steps: string[] = [];
  const left = [...outcomes];
  const port: FollowUpPort = {
    handlers,
    ask(params) {
      steps.push(`ask ${params}`);
      const next = left.shift();
      if (next === undefined) throw new ConnectionError({ code: 'gone', message: 'Gone.', advice: 'Restart.' });
      return { id: steps.length, outcome: Promise.resolve(next) };
    },
    async readTools() {
      steps.push('read tools');
    },
    retrying: ({ id }, reason) => void steps.push(`retry ${id} ${reason.split(' ')[0]}`),
  };
  const run = (first: Outcome, method = 'tools/call') => followUp(first, { id: 'first', method, params: PARAMS }, port);
  return { run, steps };
}

describe('input_required', () => {
  const yes = new Map([['elicitation/create', () => ({ action: 'accept' })]]);

  test('the answers and the exact state go out with the same params, digits kept', async () => {
    const { run, steps } = against([result({ done: true })], yes);
    const state = 'opaque "λ"\u2028\ud800';
    expect(await run(asks({ a: QUESTION, __proto__x: QUESTION }, state))).toEqual(result({ done: true }));
    expect(steps).toEqual([
      'retry first with',
      `ask {"name":"t","arguments":{"n":12345678901234567890},"inputResponses":{"a":{"action":"accept"},"__proto__x":{"action":"accept"}},"requestState":${JSON.stringify(state)}}`,
    ]);
  });

  test('each round has only its own answers and state', async () => {
    const { run, steps } = against([asks({ b: QUESTION }, 'two'), result({})], yes);
    await run(asks({ a: QUESTION }, 'one'));
    expect(steps.filter((step) => step.startsWith('ask'))).toEqual([
      expect.stringContaining('"inputResponses":{"a":{"action":"accept"}},"requestState":"one"'),
      expect.stringContaining('"inputResponses":{"b":{"action":"accept"}},"requestState":"two"'),
    ]);
    expect(steps.at(-1)).not.toContain('"a"');
  });

  test('a state alone is sent back at once; without one there is none', async () => {
    const { run, steps } = against([asks({ a: QUESTION }), result({})], yes);
    await run(asks(undefined, 's'));
    expect(steps[1]).toContain('"requestState":"s"');
    expect(steps[1]).not.toContain('inputResponses');
    expect(steps[3]).not.toContain('requestState');
  });

  test.each<[string, Outcome, FollowUpPort['handlers']]>([
    ['nobody answers', asks({ a: QUESTION }), new Map()],
    ['a question of another kind', asks({ a: QUESTION, b: { method: 'roots/list' } }), yes],
    ['a question that is none', asks({ a: 7 }), yes],
    ['questions in a list', asks([QUESTION]), yes],
    ['another type of result', result({ resultType: 'other', inputRequests: { a: QUESTION } }), yes],
    ['a handler that fails', asks({ a: QUESTION }), new Map([['elicitation/create', () => Promise.reject('x')]])],
  ])('%s: it stays the answer', async (_, outcome, handlers) => {
    const { run, steps } = against([], handlers);
    expect(await run(outcome)).toBe(outcome);
    expect(steps).toEqual([]);
  });

  test('endless questions have an end', async () => {
    const { run, steps } = against(Array(100).fill(asks({ a: QUESTION })), yes);
    expect(await run(asks({ a: QUESTION }))).toEqual(asks({ a: QUESTION }));
    expect(steps.filter((step) => step.startsWith('ask'))).toHaveLength(LIMITS.inputRounds);
  });

  test('a server that goes between the rounds: what it said stays the answer', async () => {
    const { run } = against([], yes);
    expect(await run(asks({ a: QUESTION }))).toEqual(asks({ a: QUESTION }));
  });
});

describe('refused headers', () => {
  test('the tools are read again, and the call repeated once', async () => {
    const { run, steps } = against([refused(-32020), result({})]);
    expect(await run(refused(-32020))).toEqual(refused(-32020));
    expect(steps).toEqual(['read tools', 'retry first its', `ask ${PARAMS}`]);
  });

  test('only of calls, and only this error', async () => {
    const { run, steps } = against([]);
    await run(refused(-32020), 'resources/read');
    await run(refused(-32602));
    expect(steps).toEqual([]);
  });
});
