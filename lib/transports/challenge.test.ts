import { describe, expect, test } from 'vitest';
import { readChallenge, readChallenges, wantsAuthorization } from './challenge';

const challenge = (...values: string[]) => readChallenge(values.map((value) => ['WWW-Authenticate', value]));

test('reads all parameters of a bearer challenge', () => {
  const value =
    'Bearer realm="x", error="invalid_token", error_description="It \\"ran\\" out", scope="a b", resource_metadata="https://h/.well-known/x"';
  expect(challenge(value)).toEqual({
    scheme: 'Bearer',
    error: 'invalid_token',
    description: 'It "ran" out',
    scope: 'a b',
    resourceMetadata: 'https://h/.well-known/x',
  });
});

test.each<[string[], object]>([
  [[], {}],
  [[''], {}],
  [['Bearer'], { scheme: 'Bearer' }],
  [['bearer scope=a'], { scheme: 'bearer', scope: 'a' }],
  [['Basic realm="a, Bearer scope=no"', 'Bearer scope="yes"'], { scheme: 'Bearer', scope: 'yes' }],
  [['Basic realm="r", Bearer error="e"'], { scheme: 'Bearer', error: 'e' }],
  [['Negotiate abc==, Basic realm=x'], { scheme: 'Negotiate' }],
  [['Bearer scope="one", scope="two"'], { scheme: 'Bearer', scope: 'one' }],
  [['Bearer scope="'], { scheme: 'Bearer' }],
  [['Bearer __proto__="x", constructor=y'], { scheme: 'Bearer' }],
])('%j', (values, expected) => {
  expect(challenge(...values)).toEqual(expected);
});

test('reads a challenge in linear time', () => {
  expect(challenge(`Bearer ${'a="\\'.repeat(4000)}`).scheme).toBe('Bearer');
});

describe('wantsAuthorization', () => {
  const scope = [['www-authenticate', 'Bearer error="insufficient_scope"']] as const;

  test.each<[number, readonly (readonly [string, string])[], boolean]>([
    [401, [], true],
    [401, [['www-authenticate', 'Basic realm="r"']], false],
    [401, [['WWW-Authenticate', 'Basic realm="r", bearer']], true],
    [403, [], false],
    [403, scope, true],
    [403, [['www-authenticate', 'Bearer error="invalid_token"']], false],
    [400, scope, false],
    [200, scope, false],
  ])('%d %j', (status, headers, expected) => {
    expect(wantsAuthorization(status, headers)).toBe(expected);
  });
});

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

test('reads a long invalid header quickly', () => {
  expect(readChallenges('"\\'.repeat(20_000))).toEqual([]);
  expect(readChallenges(`Bearer ${'a '.repeat(20_000)}`).length).toBeGreaterThan(1);
});
