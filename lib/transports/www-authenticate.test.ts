import { expect, test } from 'vitest';
import { readChallenges } from './www-authenticate';

const read = (header: string) =>
  readChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);

test.each<[string, unknown]>([
  ['Bearer', [['Bearer', {}]]],
  ['Bearer realm="a, b", scope="x y"', [['Bearer', { realm: 'a, b', scope: 'x y' }]]],
  ['Basic realm="say \\"hi\\"", charset=UTF-8', [['Basic', { realm: 'say "hi"', charset: 'UTF-8' }]]],
  [
    'Bearer resource_metadata=https://h/x, Basic realm=r',
    [
      ['Bearer', { resource_metadata: 'https://h/x' }],
      ['Basic', { realm: 'r' }],
    ],
  ],
  [
    'Negotiate, Bearer error="invalid_token"',
    [
      ['Negotiate', {}],
      ['Bearer', { error: 'invalid_token' }],
    ],
  ],
  ['', []],
  ['="', []],
  [
    'Bearer realm="open',
    [
      ['Bearer', {}],
      ['open', {}],
    ],
  ],
  [
    'Bearer a=1, a=2, __proto__=3',
    [
      [
        'Bearer',
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
