import { expect, test } from 'vitest';
import { isFailure } from '@/lib/wire/lifecycle';
import { exchangeFetch, tokenFetch } from './oauth-document';

const URL_OF_TOKENS = 'https://auth.example/token';
const TOKEN = { access_token: 'secret-1', token_type: 'Bearer' };
const ID_JAG = { access_token: 'secret-1', issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag' };

/** Fetches one answer, and returns its body or the failure. */
async function fetched(fetchOf: typeof tokenFetch, body: unknown, status = 200): Promise<unknown> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  try {
    return await (await fetchOf(async () => new Response(text, { status }))(URL_OF_TOKENS)).json();
  } catch (error) {
    return isFailure(error) ? `${error.code}: ${error.message}` : error;
  }
}

test.each<[string, unknown, string]>([
  ['no token', { token_type: 'Bearer' }, 'has no `access_token`.'],
  ['no type', { access_token: 'secret-1' }, 'has no `token_type`.'],
  ['an empty response', {}, 'has no `access_token`.'],
  ['a page', '<h1>Hello</h1>', 'is not JSON.'],
  ['nothing', '', 'is not JSON.'],
])('%s is named', async (_, body, said) => {
  const message = `token-invalid: The token response at "${URL_OF_TOKENS}" ${said}`;
  expect(await fetched(tokenFetch, body)).toBe(message);
});

test.each<[string, unknown, string]>([
  ['access_token', { secret: 'secret-1' }, 'an object, expected a string'],
  ['refresh_token', null, 'null, expected a string'],
  ['expires_in', 'soon', '"soon", expected a number'],
  ['scope', ['read'], 'an array, expected a string'],
])('the member %s of another type is named', async (member, value, said) => {
  const message = `token-invalid: In the token response at "${URL_OF_TOKENS}", \`${member}\` is ${said}.`;
  expect(await fetched(tokenFetch, { ...TOKEN, [member]: value })).toBe(message);
});

test('a token response may have any other member', async () => {
  expect(await fetched(tokenFetch, { ...TOKEN, issuer: 1, id_token: { a: 1 }, expires_in: '60' })).toEqual({
    ...TOKEN,
    expires_in: '60',
  });
});

test('refusals are left to the SDK, also with HTTP 200', async () => {
  const refusal = { error: 'invalid_grant' };
  expect(await fetched(tokenFetch, refusal, 400)).toEqual(refusal);
  expect(await fetched(tokenFetch, refusal)).toEqual(refusal);
});

test('a token exchange response is checked too', async () => {
  expect(await fetched(exchangeFetch, { ...ID_JAG, token_type: 1 })).toEqual(ID_JAG);
  expect(await fetched(exchangeFetch, TOKEN)).toContain('has no `issued_token_type`');
});
