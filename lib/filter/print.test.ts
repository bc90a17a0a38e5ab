import { expect, test } from 'vitest';
import { answered, asked, complained, got, logOf, onChannel } from '@/lib/store/test-frames';
import { fieldTerm, printFilter, withTerm } from './print';
import { rowTerms } from './row-terms';
import { seqsFor } from './test-filter';

const method = fieldTerm('method', 'tools/call');

test.each<[string, string]>([
  ['', 'method:tools/call'],
  ['echo', 'echo method:tools/call'],
  ['echo or ping', '(echo or ping) method:tools/call'],
  ['method:tools/call echo', 'echo method:tools/call'],
  ['-method:tools/call echo', 'echo method:tools/call'],
  ['"not closed', 'method:tools/call'],
])('%j with another term: %j', (text, expected) => {
  expect(withTerm(text, method)).toBe(expected);
});

test('excluding a term removes it as a condition', () => {
  expect(withTerm('echo method:tools/call', method, { not: true })).toBe('echo -method:tools/call');
});

test('a term can replace or remove all terms with its key', () => {
  const time = (value: string) => fieldTerm('time', value);
  expect(withTerm('echo time:1s..2s', time('3s..4s'), { key: 'time' })).toBe('echo time:3s..4s');
  expect(withTerm('echo time:1s..2s', undefined, { key: 'time' })).toBe('echo');
});

test.each([
  ['echo', 'tool:echo'],
  ['two words', 'tool:"two words"'],
  ['a*', 'tool:"a*"'],
  ['f(x)', 'tool:f(x)'],
  ['a)', 'tool:"a)"'],
  ['"', 'tool:"\\""'],
  ['', 'tool:""'],
])('%j becomes %s', (value, written) => {
  expect(withTerm('', fieldTerm('tool', value))).toBe(written);
});

const log = logOf(
  asked(1, 'tools/call', { name: 'two words' }),
  answered(1, {}),
  asked('7', 'resources/read', { uri: 'file:///a' }),
  got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }),
  complained('oh'),
  onChannel('x:(y)*', 'oh'),
);

test.each([
  [1, ['method:tools/call', 'tool:"two words"', 'id:1', 'kind:request']],
  [2, ['method:tools/call', 'tool:"two words"', 'id:1', 'kind:result']],
  [3, ['method:resources/read', 'uri:file:///a', 'id:"7"', 'kind:request']],
  [4, ['method:notifications/message', 'name:info', 'kind:notification']],
  [5, ['kind:stderr']],
  [6, ['channel:"x:(y)*"']],
])('row %d', (seq, written) => {
  const { terms } = rowTerms(log.row(seq - 1));
  expect(terms.map(printFilter)).toEqual(written);
  for (const term of terms) expect(seqsFor(log, printFilter(term))).toContain(seq);
});

test('the time range starts no earlier than the log', () => {
  expect(printFilter(rowTerms(log.row(1)).around)).toBe('time:0.000s..1.002s');
});
