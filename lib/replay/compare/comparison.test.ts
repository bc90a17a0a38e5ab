import { describe, expect, test } from 'vitest';
import { runToEnd } from '@/lib/wire/in-slices';
import type { RecordedTraffic } from '../traffic/recorded-traffic';
import { callName, comparedNothing, compareTraffic, isEqual, summarise, summaryText } from './comparison';
import { DEFAULT_NORMALISER, NO_NORMALISER } from './normalise';
import { call, toolCall, tools, trafficOf } from './test-traffic';
import type { CompareMode } from './value-diff';

function compare(before: RecordedTraffic, after: RecordedTraffic, mode: CompareMode = 'semantic') {
  return runToEnd(
    compareTraffic(before, after, { mode, normaliser: mode === 'semantic' ? DEFAULT_NORMALISER : NO_NORMALISER }),
  );
}

/** Formats each call as `verdict name: differences`. */
function calls(before: RecordedTraffic, after: RecordedTraffic, mode?: CompareMode): readonly string[] {
  return compare(before, after, mode).calls.map(({ verdict, before, after, ends, differences }) => {
    const what = [ends?.join(' -> '), ...differences.map(({ kind, path }) => `${kind} ${path}`)].filter(Boolean);
    return `${verdict} ${callName(before ?? after!)}${what.length > 0 ? `: ${what.join(', ')}` : ''}`;
  });
}

test('traffic equals itself, whatever the ids', () => {
  const session = () => trafficOf(...tools('a'), ...toolCall('a', { x: 1 }, 'one'));
  const comparison = compare(session(), session(), 'strict');
  expect(isEqual(comparison)).toBe(true);
  expect(comparison.calls).toHaveLength(1);
});

test('yields after each list item and each call', () => {
  const names = Array.from({ length: 100 }, (_, n) => `tool ${n}`);
  const asked = names.flatMap((name) => toolCall(name, {}, 'x'));
  const [listed, called] = [trafficOf(...tools(...names)), trafficOf(...asked)];
  const steps = (session: RecordedTraffic) => [
    ...compareTraffic(session, session, { mode: 'semantic', normaliser: DEFAULT_NORMALISER }),
  ];
  expect(steps(listed).length).toBeGreaterThanOrEqual(300);
  const matching = steps(called).filter(({ what }) => what === 'Matching calls');
  expect(matching.length).toBeGreaterThanOrEqual(200);
  expect(matching.at(-1)).toEqual({ what: 'Matching calls', done: 200, of: 200 });
  expect(steps(called).at(-1)).toEqual({ what: 'Comparing calls', done: 100, of: 100 });
});

test('all pages of a list are compared', () => {
  const page = (name: string, cursor: string | undefined, nextCursor: string | undefined) =>
    call('tools/list', { cursor }, { tools: [{ name, inputSchema: {} }], nextCursor });
  const [first, second] = [page('a', undefined, 'n'), page('b', 'n', undefined)];
  const whole = trafficOf(...first, ...second);
  expect(compare(whole, trafficOf(...first, ...second, ...first, ...second)).catalogue).toEqual([]);
  expect(compare(whole, trafficOf(...first)).catalogue).toEqual([]);
  expect(compare(trafficOf(...tools('a', 'b')), whole).catalogue).toMatchObject([{ name: 'a' }, { name: 'b' }]);
});

describe('the summary says what was not compared', () => {
  const both = (...said: readonly ReturnType<typeof tools>[]) => {
    const session = trafficOf(...said.flat());
    return compare(session, session);
  };

  test.each([
    [
      both(toolCall('a', {}, 'x')),
      'No difference: what the server offers was not compared, 1 call got the same response.',
    ],
    [both(tools('a')), 'No difference: the server offers the same, no calls to compare.'],
    [both(), 'Nothing could be compared: no list in common, no calls.'],
  ])('%#', (comparison, text) => {
    expect(summaryText(summarise(comparison))).toBe(text);
    expect(isEqual(comparison)).toBe(!comparedNothing(comparison));
  });

  test('if some lists are missing', () => {
    const summary = { ...summarise(both(tools('a'))), unlisted: 1 };
    expect(summaryText(summary)).toBe(
      'No difference: what the server offers was only partly compared, no calls to compare.',
    );
  });
});

describe('pairs of calls', () => {
  test('match if their method and params are equal, in any order', () => {
    const before = trafficOf(
      ...toolCall('a', { x: 1, y: 2 }, 'one'),
      ...toolCall('b', {}, 'two'),
      ...toolCall('a', { x: 2 }, 'three'),
    );
    const after = trafficOf(
      ...toolCall('b', {}, 'two'),
      ...toolCall('a', { x: 2 }, 'other'),
      ...toolCall('a', { y: 2, x: 1 }, 'one'),
    );
    expect(calls(before, after)).toEqual([
      'same tools/call a',
      'same tools/call b',
      'different tools/call a: changed content[0].text',
    ]);
  });

  test('match in order if several are equal; calls left over are on one side only', () => {
    const before = trafficOf(...toolCall('a', {}, '1'), ...toolCall('a', {}, '2'), ...toolCall('b', {}, 'x'));
    const after = trafficOf(...toolCall('a', {}, '1'), ...toolCall('c', {}, 'x'));
    const comparison = compare(before, after);
    expect(comparison.calls.map(({ verdict }) => verdict)).toEqual([
      'same',
      'only-before',
      'only-before',
      'only-after',
    ]);
    expect(isEqual(comparison)).toBe(false);
  });

  test('match in order beyond a common beginning, whatever is repeated in it', () => {
    const [a1, a2, b] = [
      toolCall('a', { x: 1, y: 2 }, '1'),
      toolCall('a', { x: 1, y: 2 }, '2'),
      toolCall('b', {}, 'x'),
    ];
    const swapped = toolCall('a', { y: 2, x: 1 }, '1');
    const before = trafficOf(...a1, ...b, ...a2, ...a1);
    const after = trafficOf(...swapped, ...b, ...b, ...a1, ...a2);
    const pairs = compare(before, after).calls.map((call) => [call.before?.seq, call.after?.seq, call.verdict]);
    expect(pairs).toEqual([
      [3, 3, 'same'],
      [5, 5, 'same'],
      [7, 9, 'different'],
      [9, 11, 'different'],
      [undefined, 7, 'only-after'],
    ]);
  });

  test('match despite arguments that differ from run to run, after exact matches', () => {
    const at = (time: string) => ({ since: `2026-01-0${time}T00:00:00Z` });
    const before = trafficOf(...toolCall('a', at('1'), 'x'), ...toolCall('a', at('2'), 'y'));
    const after = trafficOf(...toolCall('a', at('2'), 'y'), ...toolCall('a', at('3'), 'x'));
    expect(calls(before, after)).toEqual(['same tools/call a', 'same tools/call a']);
  });

  test('leave lists to the catalogue, unless they were refused', () => {
    const refused = trafficOf(
      ['>', { id: 7, method: 'prompts/list' }],
      ['<', { id: 7, error: { code: -32601, message: '' } }],
    );
    expect(calls(refused, trafficOf())).toEqual(['only-before prompts/list']);
    const { catalogue, unlisted } = compare(trafficOf(...tools('a')), trafficOf(...tools('b')));
    expect(catalogue.map(({ name, change, beforeSeq, afterSeq }) => [name, change, beforeSeq, afterSeq])).toEqual([
      ['a', 'removed', 4, undefined],
      ['b', 'added', undefined, 4],
    ]);
    expect(unlisted).toEqual([]);
  });

  test('take the pages of a list as one list', () => {
    const page = (cursor: string | undefined, ...names: string[]) =>
      call('tools/list', cursor === undefined ? {} : { cursor }, { tools: names.map((name) => ({ name })) });
    const paged = trafficOf(...page(undefined, 'old'), ...page(undefined, 'a'), ...page('2', 'b'));
    expect(isEqual(compare(paged, trafficOf(...page(undefined, 'a', 'b'))))).toBe(true);
    const begun = trafficOf(...call('tools/list', {}, { tools: [{ name: 'a' }], nextCursor: '2' }));
    for (const sides of [
      [begun, paged],
      [paged, begun],
    ] as const) {
      expect(compare(...sides).catalogue, 'items on pages that nobody read').toEqual([]);
    }
  });
});

describe('outcomes of calls', () => {
  const ended = (...answer: object[]) =>
    trafficOf(
      ['>', { id: 7, method: 'tools/call', params: { name: 'a' } }],
      ...answer.map((body) => ['<', { id: 7, ...body }] as const),
    );

  test.each<[string, RecordedTraffic]>([
    ['a result -> error -32602', ended({ error: { code: -32602, message: 'x' } })],
    ['a result -> a result with isError, added isError', ended({ result: { isError: true } })],
    ['a result -> no response', ended()],
    [
      'a result -> a result of type "input_required", added resultType',
      ended({ result: { resultType: 'input_required' } }),
    ],
  ])('%s', (what, after) => {
    for (const mode of ['structure', 'semantic', 'strict'] as const) {
      expect(calls(ended({ result: {} }), after, mode)).toEqual([`different tools/call a: ${what}`]);
    }
  });

  test('are equal if both calls have no answer, or the same error', () => {
    expect(calls(ended(), ended())).toEqual(['same tools/call a']);
    const error = (message: string) => ended({ error: { code: 1, message } });
    expect(calls(error('x'), error('x'))).toEqual(['same tools/call a']);
    expect(calls(error('x'), error('y'))).toEqual(['different tools/call a: changed message']);
  });

  test('include what the server asked during the call, but not roots', () => {
    const asking = (message: string, method = 'elicitation/create') =>
      trafficOf(
        ['>', { id: 7, method: 'tools/call', params: { name: 'a' } }],
        ['<', { id: 'q', method, params: { message } }],
        ['>', { id: 'q', result: {} }],
        ['<', { id: 7, result: {} }],
      );
    expect(calls(asking('a?'), asking('b?'))).toEqual([
      'different tools/call a: changed asked["elicitation/create"][0].message',
    ]);
    expect(calls(asking('a?'), asking('a?'))).toEqual(['same tools/call a']);
    expect(calls(asking('a?'), ended({ result: {} }), 'structure')).toEqual([
      'different tools/call a: missing asked["elicitation/create"]',
    ]);
    expect(calls(asking('a?', 'roots/list'), ended({ result: {} }))).toEqual(['same tools/call a']);
  });
});
