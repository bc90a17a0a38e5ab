import { expect, test } from 'vitest';
import { SpanIndex } from '@/lib/store/telemetry/span-index';
import { logFrame, spanFrame, started, traced } from '@/lib/store/telemetry/test-spans';
import { complained, got, logOf, onChannel } from '@/lib/store/test-frames';
import { compileFilter } from '../compile';
import { completeFilter, LogValues } from '../complete';
import type { Filter } from '../language/ast';
import { patternTest } from '../language/pattern';
import { parseFilter } from '../parse';
import { NONE, seqsFor } from '../test-filter';

test.each<[string, string[], string[]]>([
  ['tools/call', ['tools/call', 'TOOLS/Call'], ['tools/calls', 'xtools/call']],
  ['tools/*', ['tools/', 'tools/list'], ['tool', 'mytools/list']],
  ['*/list', ['tools/list', '/list'], ['tools/lists']],
  ['*a*b*', ['ab', 'xaxbx'], ['ba']],
  ['a*a', ['aa', 'aba'], ['a']],
  ['ab*bc', ['abbc', 'ab-bc'], ['abc']],
  ['a*b*c', ['abc', 'a-b-c'], ['acb', 'abcd']],
  ['*', ['', 'x'], []],
])('%s', (value, fits, not) => {
  const test = patternTest({ value, quoted: false });
  expect([...fits, ...not].filter(test)).toEqual(fits);
});

test('matches a star literally in quotes', () => {
  const test = patternTest({ value: 'a*', quoted: true });
  expect(['a*', 'ab'].filter(test)).toEqual(['a*']);
});

test('matches many stars against a long text quickly', () => {
  expect(patternTest({ value: `${'*a'.repeat(50)}b`, quoted: false })('a'.repeat(100_000))).toBe(false);
});

const log = logOf(
  got({ jsonrpc: '2.0', method: 'x' }),
  complained('oh'),
  onChannel('otel', '{"span": "find me"}'),
  onChannel('com.example/x:1', 'text'),
  onChannel('__proto__', ''),
  { ...onChannel('http', '{}') },
);

test.each([
  ['channel:protocol', [1]],
  ['channel:STDERR', [2]],
  ['channel:otel', [3]],
  ['channel:com.*', [4]],
  ['channel:__proto__', [5]],
  ['channel:http', [6]],
  ['-channel:protocol -channel:stderr', [3, 4, 5]],
  ['kind:other', [3, 4, 5]],
  ['com.example', [4]],
  ['"otel {"', [3]],
  ['me otel', [3]],
])('%s selects %j', (text, seqs) => expect(seqsFor(log, text)).toEqual(seqs));

const telemetry = logOf(
  spanFrame({ id: 1, name: 'SELECT users', ms: 900, service: 'db' }),
  spanFrame({ id: 2, name: 'GET /', ms: 1, service: 'web', failure: 'no' }),
  logFrame('disk is full', 13),
  got({ jsonrpc: '2.0', method: 'span', params: { name: 'SELECT' } }),
);

test.each([
  ['span:select*', [1]],
  ['span:"GET /"', [2]],
  ['service:db', [1]],
  ['-service:*', [4]],
  ['level:>=warning', [3]],
  ['duration:>500ms', [1]],
  ['status:error', [2]],
  ['is:failed', [2]],
  ['method:span kind:other', [1, 2]],
  ['full', [3]],
])('%s selects telemetry %j', (text, seqs) => expect(seqsFor(telemetry, text)).toEqual(seqs));

test('completes channels of the log', () => {
  const values = new LogValues({ log, problems: { all: [], of: () => [], hasInvalidResult: () => false } });
  const { options } = completeFilter('channel:', 8, values);
  expect(options.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['channel:otel', 'channel:app', 'channel:com.example/x:1', 'channel:__proto__']),
  );
});

test('selects the spans and log records of a call', () => {
  const traces = logOf(
    started,
    traced(1, 'tools/call', 7),
    spanFrame({ id: 1, parent: 7 }),
    logFrame('x', 9, { ms: -9 }),
  );
  const spans = new SpanIndex(traces).update();
  const filter = parseFilter('call:2');
  const test = compileFilter(
    (filter as { filter: Filter }).filter,
    { log: traces, problems: NONE, spans },
    { testFor: () => () => false },
  );
  expect([0, 1, 2, 3].map(test)).toEqual([false, true, true, false]);
});
