import { describe, expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import { type FollowUpPort, followUp, INPUT_ROUNDS } from './follow-ups';
import type { RequestOutcome } from './requests';

const QUESTION = { method: 'elicitation/create', params: { message: 'Sure?' } };
const PARAMS = '{"name":"t","arguments":{"n":12345678901234567890}}';

const result = (value: object): RequestOutcome => ({ kind: 'result', result: value });
const asks = (inputRequests: object | undefined, requestState?: string): RequestOutcome =>
  result({ resultType: 'input_required', inputRequests, ...(requestState !== undefined && { requestState }) });
const refused = (code: number): RequestOutcome => ({ kind: 'error', error: { code, message: 'no' } });

/** Returns a port whose server answers with these in turn. `steps` lists the calls. */
function against(outcomes: readonly RequestOutcome[], handlers: FollowUpPort['handlers'] = new Map()) {
  const steps: string[] = [];
  const left = [...outcomes];
  const port: FollowUpPort = {
    handlers,
    resend(params) {
      steps.push(`ask ${params}`);
      const next = left.shift();
      if (next === undefined) throw new ConnectionError({ code: 'gone', message: 'Gone.', advice: 'Restart.' });
      return { id: steps.length, outcome: Promise.resolve(next) };
    },
    async readTools() {
      steps.push('read tools');
    },
    startRound: ({ id }) => {
      steps.push(`asking ${id}`);
      return {
        signal: new AbortController().signal,
        onInput: (key) => void steps.push(`given ${key}`),
        end: (reason) => void (reason !== undefined && steps.push(`given up: ${reason}`)),
      };
    },
    renewed: async () => false,
    onRetry: ({ id }, reason) => void steps.push(`retry ${id} ${reason.split(' ')[0]}`),
  };
  const run = (first: RequestOutcome, method = 'tools/call') =>
    followUp(first, { id: 'first', method, params: PARAMS }, port);
  return { run, steps };
}

describe('input_required', () => {
  const yes = new Map([['elicitation/create', () => '{"action":"accept"}']]);

  test('sends the answers and the exact state with unchanged params', async () => {
    const { run, steps } = against([result({ done: true })], yes);
    const state = 'opaque "λ"\u2028\ud800';
    expect(await run(asks({ a: QUESTION, __proto__x: QUESTION }, state))).toEqual(result({ done: true }));
    expect(steps).toEqual([
      'asking first',
      'given a',
      'given __proto__x',
      'retry first with',
      `ask {"name":"t","arguments":{"n":12345678901234567890},"inputResponses":{"a":{"action":"accept"},"__proto__x":{"action":"accept"}},"requestState":${JSON.stringify(state)}}`,
    ]);
  });

  test('sends only the answers and state of the current round', async () => {
    const { run, steps } = against([asks({ b: QUESTION }, 'two'), result({})], yes);
    await run(asks({ a: QUESTION }, 'one'));
    expect(steps.filter((step) => step.startsWith('ask '))).toEqual([
      expect.stringContaining('"inputResponses":{"a":{"action":"accept"}},"requestState":"one"'),
      expect.stringContaining('"inputResponses":{"b":{"action":"accept"}},"requestState":"two"'),
    ]);
    expect(steps.at(-1)).not.toContain('"a"');
  });

  test('sends back a state that came without questions, and no state if none came', async () => {
    const { run, steps } = against([asks({ a: QUESTION }), result({})], yes);
    await run(asks(undefined, 's'));
    expect(steps[1]).toContain('"requestState":"s"');
    expect(steps[1]).not.toContain('inputResponses');
    expect(steps[3]).not.toContain('requestState');
  });

  test.each<[string, RequestOutcome, FollowUpPort['handlers']]>([
    ['no handlers', asks({ a: QUESTION }), new Map()],
    ['a question of another kind', asks({ a: QUESTION, b: { method: 'roots/list' } }), yes],
    ['an invalid question', asks({ a: 7 }), yes],
    ['questions in a list', asks([QUESTION]), yes],
    ['another type of result', result({ resultType: 'other', inputRequests: { a: QUESTION } }), yes],
    [
      'more questions than may wait',
      asks(Object.fromEntries(Array.from({ length: LIMITS.waitingQuestions + 1 }, (_, index) => [index, QUESTION]))),
      yes,
    ],
  ])('%s: keeps the answer', async (_, outcome, handlers) => {
    const { run, steps } = against([], handlers);
    expect(await run(outcome)).toBe(outcome);
    expect(steps).toEqual([]);
  });

  test('keeps the answer when a handler fails', async () => {
    const { run, steps } = against([], new Map([['elicitation/create', () => Promise.reject(new Error('no one'))]]));
    const outcome = asks({ a: QUESTION });
    expect(await run(outcome)).toBe(outcome);
    expect(steps).toEqual(['asking first', 'given up: no one']);
  });

  test('sends the text of answers unchanged', async () => {
    const { run, steps } = against(
      [result({})],
      new Map([['elicitation/create', () => '{"content":{"n":1e400,"n":12345678901234567890}}']]),
    );
    await run(asks({ a: QUESTION }));
    expect(steps.at(-1)).toContain('"inputResponses":{"a":{"content":{"n":1e400,"n":12345678901234567890}}}');
  });

  test('stops after INPUT_ROUNDS', async () => {
    const { run, steps } = against(Array(100).fill(asks({ a: QUESTION })), yes);
    expect(await run(asks({ a: QUESTION }))).toEqual(asks({ a: QUESTION }));
    expect(steps.filter((step) => step.startsWith('ask '))).toHaveLength(INPUT_ROUNDS);
  });

  test('keeps the last answer when the server goes away between rounds', async () => {
    const { run } = against([], yes);
    expect(await run(asks({ a: QUESTION }))).toEqual(asks({ a: QUESTION }));
  });
});

describe('refused headers', () => {
  test('reads the tools again and repeats the call once', async () => {
    const { run, steps } = against([refused(-32020), result({})]);
    expect(await run(refused(-32020))).toEqual(refused(-32020));
    expect(steps).toEqual(['read tools', 'retry first its', `ask ${PARAMS}`]);
  });

  test('does nothing for other methods and errors', async () => {
    const { run, steps } = against([]);
    await run(refused(-32020), 'resources/read');
    await run(refused(-32602));
    expect(steps).toEqual([]);
  });
});
