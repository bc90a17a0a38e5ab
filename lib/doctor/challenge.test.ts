import { expect, test } from 'vitest';
import { readChallenges } from './challenge';

const read = (header: string) =>
  readChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);

test.each<[string, unknown]>([
  ['Bearer', [['bearer', {}]]],
  ['Bearer realm="a, b", scope="x y"', [['bearer', { realm: 'a, b', scope: 'x y' }]]],
  ['Basic realm="say \\"hi\\"", charset=UTF-8', [['basic', { realm: 'say "hi"', charset: 'UTF-8' }]]],
  [
    'Bearer resource_metadata=https://h/x, Basic realm=r',
    [
      ['bearer', { resource_metadata: 'https://h/x' }],
      ['basic', { realm: 'r' }],
    ],
  ],
  [
    'Negotiate, Bearer error="invalid_token"',
    [
      ['negotiate', {}],
      ['bearer', { error: 'invalid_token' }],
    ],
  ],
  ['', []],
  ['="', []],
  [
    'Bearer realm="open',
    [
      ['bearer', {}],
      ['open', {}],
    ],
  ],
  [
    'Bearer a=1, a=2, __proto__=3',
    [
      [
        'bearer',
        Object.fromEntries([
          ['a', '1'],
          ['__proto__', '3'],
        ]),
      ],
    ],
  ],
])('%s', (header, expected) => expect(read(header)).toEqual(expected));

test('a long header of nonsense takes no time', () => {
  expect(readChallenges('"\\'.repeat(20_000))).toEqual([]);
  expect(readChallenges(`Bearer ${'a '.repeat(20_000)}`).length).toBeGreaterThan(1);
});
