import { expect, test } from 'vitest';
import { answered, asked, complained, got, logOf } from '@/lib/store/test-frames';
import { printFilter } from './print';
import { rowTerms } from './row-terms';
import { seqsFor } from './test-filter';

const log = logOf(
  asked(1, 'tools/call', { name: 'two words' }),
  answered(1, {}),
  asked('7', 'resources/read', { uri: 'file:///a' }),
  got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }),
  complained('oh'),
);

test.each([
  [1, ['method:tools/call', 'tool:"two words"', 'id:1', 'kind:request']],
  [2, ['method:tools/call', 'tool:"two words"', 'id:1', 'kind:result']],
  [3, ['method:resources/read', 'uri:file:///a', 'id:"7"', 'kind:request']],
  [4, ['method:notifications/message', 'name:info', 'kind:notification']],
  [5, ['kind:stderr']],
])('row %d', (seq, written) => {
  const { terms } = rowTerms(log.row(seq - 1));
  expect(terms.map(printFilter)).toEqual(written);
  for (const term of terms) expect(seqsFor(log, printFilter(term))).toContain(seq);
});

test('the time around it begins no sooner than the log', () => {
  expect(printFilter(rowTerms(log.row(1)).around)).toBe('time:0.000s..1.002s');
});
