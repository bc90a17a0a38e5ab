import { expect, test } from 'vitest';
import { sampleOf } from './sample-of';

test('what fits a schema, without what may be left out', async () => {
  const properties = { sum: { type: 'number' }, unit: { enum: ['m', 'km'] }, more: { type: 'string' } };
  const sample = JSON.parse((await sampleOf({ type: 'object', properties, required: ['sum', 'unit'] }))!);
  expect(sample).toEqual({ sum: expect.any(Number), unit: 'm' });
});

test.each([
  ['nothing fits', { type: 'object', properties: { a: false }, required: ['a'] }],
  ['it is no object', { type: 'string' }],
  ['nobody knows its dialect', { $schema: 'https://example.com/mine', type: 'object' }],
  [
    'its pattern takes for ever',
    { type: 'object', properties: { a: { const: `${'a'.repeat(60)}!`, pattern: '^(a|aa)+$' } }, required: ['a'] },
  ],
])('nothing where %s', async (_, schema) => {
  expect(await sampleOf(schema)).toBeUndefined();
});
