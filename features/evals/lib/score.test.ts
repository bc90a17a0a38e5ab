import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '@/features/chat/lib/chat-frame';
import { readCases } from './read-cases';
import { readRun } from './run-facts';
import { NO_TOOL, scoreRun } from './score';
import { type Call, chatOf } from './test-chats';

const atOnce = (_: number, work: () => void): true => {
  work();
  return true;
};

/** Scores a chat by what a case expects, written as YAML. */
function score(expectation: string, calls: readonly Call[], text = 'done', more: readonly ChatEvent[] = []) {
  const [one] = readCases(`cases: [{ prompt: a, expect: ${expectation} }]`).cases;
  return scoreRun(one!, readRun([...chatOf(calls, text), ...more]), atOnce);
}

describe('accepts', () => {
  test.each<[string, string, readonly Call[], string?]>([
    ['a tool by the name that the model sees', '{ tool: light__read }', [['light__read', {}]]],
    ['a tool by its own name', '{ tool: read }', [['light__read', {}]]],
    ['arguments by value', '{ tool: read, arguments: { b: 1.0, a: [x] } }', [['light__read', { a: ['x'], b: 1 }]]],
    ['a schema', '{ tool: read, schema: { required: [id] } }', [['light__read', { id: 1 }]]],
    ['tests of arguments', '{ tool: read, where: { /a/0: { oneOf: [x, y] } } }', [['light__read', { a: ['y'] }]]],
    [
      'another call first',
      '{ tool: read }',
      [
        ['light__write', {}],
        ['light__read', {}],
      ],
    ],
    [
      'calls in any order',
      '{ calls: [read, write] }',
      [
        ['light__write', {}],
        ['light__read', {}],
      ],
    ],
    [
      'the second of two calls of a tool',
      '{ tool: read, arguments: { id: 2 } }',
      [
        ['light__read', { id: 1 }],
        ['light__read', { id: 2 }],
      ],
    ],
    ['no call', '{ mostCalls: 0 }', []],
    ['a text', '{ text: [fog, { matches: "^The" }] }', [], 'The fog'],
  ])('%s', (_, expectation, calls, text) => {
    expect(score(expectation, calls, text).reasons).toEqual([]);
  });
});

describe('says why a run failed', () => {
  test.each<[string, readonly Call[], string]>([
    ['{ tool: read }', [], '`read` was expected, but the model called no tool.'],
    ['{ tool: read }', [['light__write', {}]], '`read` was expected, but the model called `light__write`.'],
    ['{ tool: raed }', [], '`raed` was expected, but no server offers it: there is `light__read`, `light__write`.'],
    [
      '{ tool: read, arguments: {} }',
      [['light__read', { a: 1 }]],
      'The arguments of `light__read` are {"a":1}, expected {}.',
    ],
    [
      '{ tool: read, where: { /a: { atLeast: 2 } } }',
      [['light__read', { a: 1 }]],
      '`/a` of the arguments of `light__read` is 1, expected at least 2.',
    ],
    [
      '{ tool: read, where: { /a: { present: true } } }',
      [['light__read', {}]],
      '`/a` of the arguments of `light__read` is nothing, expected something.',
    ],
    ['{ tool: read, schema: { required: [id] } }', [['light__read', {}]], '`/id` of the arguments of `light__read`: '],
    ['{ tool: read }', [['light__read', '{"a":']], 'The arguments of `light__read` are not valid JSON: "{\\"a\\":".'],
    ['{ forbidden: write }', [['light__write', {}]], '`light__write` is forbidden, but was called.'],
    [
      '{ mostCalls: 1 }',
      [
        ['light__read', {}],
        ['light__read', {}],
      ],
      '2 calls were made, expected at most 1.',
    ],
    ['{ text: { not: { contains: don } } }', [], 'The text is "done", expected anything but a value with "don".'],
    ['{ calls: [read, read] }', [['light__read', {}]], '`read` was expected, but the model called `light__read`.'],
  ])('%s', (expectation, calls, reason) => {
    const { reasons } = score(expectation, calls);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toContain(reason);
  });

  test('of a chat that failed', () => {
    const failure = { code: 'unauthorized', message: 'The key is wrong.', advice: 'Set another.' };
    const end = { type: 'end', turn: 'a1', reason: 'error', failure } as const;
    expect(score('{ mostCalls: 9 }', [], '', [end]).reasons).toEqual(['The key is wrong. Set another.']);
    expect(score('{ mostCalls: 9 }', [], '', [{ type: 'end', turn: 'a1', reason: 'limit' }]).reasons).toEqual([
      'The answer ended: limit.',
    ]);
  });
});

describe('pairs expected and chosen tools', () => {
  test.each<[string, readonly Call[], readonly [string, string][]]>([
    ['{ tool: read }', [['light__read', {}]], [['light__read', 'light__read']]],
    ['{ tool: read }', [['light__write', {}]], [['light__read', 'light__write']]],
    ['{ tool: read }', [], [['light__read', NO_TOOL]]],
    ['{ mostCalls: 0 }', [['light__write', {}]], [[NO_TOOL, 'light__write']]],
    ['{ text: a }', [['light__write', {}]], []],
    [
      '{ calls: [read, write] }',
      [
        ['light__write', {}],
        ['nothing', {}],
      ],
      [
        ['light__read', 'nothing'],
        ['light__write', 'light__write'],
      ],
    ],
  ])('%s with %j', (expectation, calls, pairs) => {
    const { choices } = score(expectation, calls);
    expect(choices.map(({ expected, chosen }) => [expected, chosen])).toEqual(pairs);
  });
});
