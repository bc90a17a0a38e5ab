import { expect, test } from 'vitest';
import { decodeJwt, issuedToken } from './token-facts';

const part = (value: unknown) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const SIGNATURE = 'c2lnbmF0dXJl';

test.each(['opaque', 'a.b.c', `${part([])}.${part({})}.x`, `${part({})}.${part({})}`, `${part({})}.${part({})}.x.y`])(
  'takes %j for an opaque token',
  (text) => expect(decodeJwt(text, [])).toBeUndefined(),
);

test.each([
  ['no signature', { alg: 'ES256' }, ''],
  ['alg none', { alg: 'none' }, SIGNATURE],
])('hides all claims of a JWT with %s, from which it could be made', (_, header, signature) => {
  const decoded = decodeJwt(`${part(header)}.${part({ sub: 'ann', scope: 'read' })}.${signature}`, []);
  expect(decoded).toMatchObject({
    unsigned: true,
    claims: [
      { name: 'sub', chars: 5 },
      { name: 'scope', chars: 6 },
    ],
  });
  expect(JSON.stringify(decoded)).not.toContain('read');
});

test('hides claims that repeat a secret, and cuts long ones', () => {
  const claims = { sub: 'x-refresh-secret-x', aud: 'a'.repeat(1000), __proto__: 1 };
  const decoded = decodeJwt(`${part({ alg: 'ES256' })}.${part(claims)}.${SIGNATURE}`, ['refresh-secret'])!;
  expect(decoded.claims[0]).toEqual({ name: 'sub', chars: 20 });
  expect(decoded.claims[1]!.value).toHaveLength(400);
});

test('counts a refresh token, and names neither', () => {
  const grant = {
    issuer: 'https://i',
    clientId: 'c',
    accessToken: 'secret-access',
    refreshToken: 'secret-refresh',
    scopes: [],
    by: 'sign-in' as const,
    expiresAt: 0,
  };
  const facts = issuedToken(grant, true);
  expect(facts).toEqual({
    scheme: 'Bearer',
    chars: 13,
    refreshChars: 14,
    clientId: 'c',
    kept: true,
    expiresAt: '1970-01-01T00:00:00.000Z',
  });
});

test('attack: an algorithm that can’t become text is shown', () => {
  const decoded = decodeJwt(`${part({ alg: { toString: 1, valueOf: 1 } })}.${part({ iss: 'i' })}.${SIGNATURE}`, []);
  expect(decoded).toMatchObject({ claims: [{ name: 'iss' }] });
});
