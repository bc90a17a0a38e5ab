import { expect, test } from 'vitest';
import { answered, asked, got, logOf } from '@/lib/store/test-frames';
import { runToEnd } from '@/lib/wire/in-slices';
import { inferredOutputSchema, resultsInLog } from './result-types';

const call = (id: number, name: string) => asked(id, 'tools/call', { name, arguments: {} });
const structured = (structuredContent: object) => ({ content: [], structuredContent });

const LOG = logOf(
  call(1, 'search'),
  answered(1, structured({ id: 1, note: 'x' })),
  call(2, 'other'),
  answered(2, structured({ wrong: true })),
  call(3, 'search'),
  call(4, 'search'),
  answered(4, { content: [{ type: 'text', text: 'no' }], isError: true }),
  answered(3, structured({ id: 2 })),
  call(5, 'search'),
  got({ jsonrpc: '2.0', id: 5, error: { code: -32603, message: 'broken' } }),
  call(6, 'search'),
  answered(6, { content: [{ type: 'text', text: 'plain' }] }),
  call(7, 'search'),
);

test('infers from the results of one tool, and leaves out errors and text', () => {
  expect(JSON.parse(inferredOutputSchema(LOG, 'search'))).toMatchObject({
    properties: { id: { type: 'integer' }, note: { type: 'string' } },
    required: ['id'],
  });
  const { results, away } = runToEnd(resultsInLog(LOG, 'search'));
  expect(results.notes).toEqual([
    '2 results; record more for a reliable type.',
    '2 errors left out.',
    '1 result without JSON left out.',
  ]);
  expect(away).toBe(0);
});

test('holds every finished result against the schema, newest first', () => {
  const { toCheck } = runToEnd(resultsInLog(LOG, 'search'));
  expect(toCheck).toEqual([
    { seq: 12, text: undefined },
    { seq: 8, text: '{"id":2}' },
    { seq: 2, text: '{"id":1,"note":"x"}' },
  ]);
});

test('reads the newest results only if they are very large', () => {
  const text = 'x'.repeat(1_500_000);
  const large = [1, 2, 3].flatMap((id) => [call(id, 'dump'), answered(id, structured({ id, text }))]);
  const { results, isCut } = runToEnd(resultsInLog(logOf(...large), 'dump'));
  expect(isCut).toBe(true);
  expect(results.learn()).toMatchObject({ results: 2 });
});

test('a tool without results has no schema', () => {
  expect(() => inferredOutputSchema(LOG, 'none')).toThrow('No result has data.');
});
