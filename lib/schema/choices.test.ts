import { expect, test } from 'vitest';
import { view } from './view';

test.each([
  [{ enum: ['a', 1], enumNames: ['A'] }, [['a', 'A'], [1]]],
  [
    {
      oneOf: [
        { const: '#f00', title: 'Red' },
        { const: '#0f0', description: 'Green' },
      ],
    },
    [
      ['#f00', 'Red'],
      ['#0f0', 'Green'],
    ],
  ],
  [
    {
      anyOf: [
        { enum: ['a'], title: 'A' },
        { enum: ['b', 'c'], title: 'Others' },
      ],
    },
    [['a', 'A'], ['b'], ['c']],
  ],
  [{ anyOf: [{ type: ['string', 'null'], enum: ['a'] }, { enum: ['b'] }] }, [['a'], [null], ['b']]],
  [{ enum: ['', 'a', '', null] }, [[''], ['a'], [null]]],
])('%j is a choice of %j', (schema, choices) => {
  const found = view(schema, schema);
  const options = found.kind === 'enum' ? found.options : [];
  expect(options.map(({ value, title }) => (title === undefined ? [value] : [value, title]))).toEqual(choices);
});
