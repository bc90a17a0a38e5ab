import { describe, expect, test } from 'vitest';
import { isFailure } from '@/lib/wire/lifecycle';
import { discoverServer, readResourceMetadata } from './discovery';
import type { FetchLike } from './oauth-fetch';

const SERVER = 'https://mcp.example/mcp';
const ISSUER = 'https://auth.example';
const RESOURCE_URL = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';
const OAUTH_URL = `${ISSUER}/.well-known/oauth-authorization-server`;
const OPENID_URL = `${ISSUER}/.well-known/openid-configuration`;

const RESOURCE = { resource: SERVER, authorization_servers: [ISSUER] };
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
};

/** A body, written as JSON unless it is text, or a status without a body. */
type Answer = object | string | number;

/** Answers with 404 at other URLs. Notes what was asked. */
function site(answers: Readonly<Record<string, Answer>>): FetchLike & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  const ask: FetchLike = async (url) => {
    asked.push(String(url));
    const answer = answers[String(url)] ?? 404;
    if (typeof answer === 'number') return new Response('', { status: answer });
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer));
  };
  return Object.assign(ask, { asked });
}

/** Runs discovery, and returns the issuer or the failure. */
async function discover(ask: FetchLike, { isGuessed = false, signsIn = true } = {}) {
  try {
    const challenge = isGuessed ? {} : { resourceMetadata: RESOURCE_URL };
    const resource = await readResourceMetadata(SERVER, challenge, ask);
    return (await discoverServer(SERVER, resource, ask, signsIn)).issuer;
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { code, message, advice } = error;
    return { code, message, advice };
  }
}

/** Returns a document without some members. */
function without(document: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)));
}

describe('protected resource metadata', () => {
  const at = `at "${RESOURCE_URL}"`;

  test.each<[string, Answer, string]>([
    [
      'an empty list of authorization servers',
      { ...RESOURCE, authorization_servers: [] },
      `In the protected resource metadata ${at}, \`authorization_servers\` is empty, so clients can’t find out where to get a token.`,
    ],
    [
      'no authorization servers',
      without(RESOURCE, 'authorization_servers'),
      `The protected resource metadata ${at} has no \`authorization_servers\`, so clients can’t find out where to get a token.`,
    ],
    [
      'one authorization server outside a list',
      { ...RESOURCE, authorization_servers: ISSUER },
      `In the protected resource metadata ${at}, \`authorization_servers\` is "${ISSUER}", expected an array of strings.`,
    ],
    [
      'a name as authorization server',
      { ...RESOURCE, authorization_servers: ['keycloak'] },
      `In the protected resource metadata ${at}, \`authorization_servers[0]\` is "keycloak", expected a URL.`,
    ],
    ['no resource', without(RESOURCE, 'resource'), `The protected resource metadata ${at} has no \`resource\`.`],
    [
      'scopes in one string',
      { ...RESOURCE, scopes_supported: 'read write' },
      `In the protected resource metadata ${at}, \`scopes_supported\` is "read write", expected an array of strings.`,
    ],
    ['a page', '<h1>Hello</h1>', `The protected resource metadata ${at} is not JSON.`],
    ['a list', [RESOURCE], `The protected resource metadata ${at} is an array, expected an object.`],
    ['404', 404, `A request for the protected resource metadata ${at} was answered with HTTP 404.`],
    ['401', 401, `A request for the protected resource metadata ${at} was answered with HTTP 401.`],
  ])('%s is named', async (_, resource, message) => {
    const found = await discover(site({ [RESOURCE_URL]: resource, [OAUTH_URL]: METADATA }));
    expect(found).toMatchObject({ code: 'authorization-metadata', message });
  });

  test('is judged too where it was guessed', async () => {
    const found = await discover(site({ [RESOURCE_URL]: { authorization_servers: [ISSUER] } }), { isGuessed: true });
    expect(found).toMatchObject({ message: expect.stringContaining('has no `resource`') });
  });

  test('is nowhere if guessed URLs answer with something else', async () => {
    const origin = 'https://mcp.example';
    const ask = site({
      [RESOURCE_URL]: '<h1>Hello</h1>',
      'https://mcp.example/.well-known/oauth-protected-resource': { error: 'not found' },
      [`${origin}/.well-known/oauth-authorization-server`]: { ...METADATA, issuer: `${origin}` },
    });
    expect(await discover(ask, { isGuessed: true })).toBe(origin);
  });

  test('is not looked for in vain where the server asks for a key at every path', async () => {
    const url = 'https://mcp.example/.well-known/oauth-authorization-server';
    expect(await discover(site({ [RESOURCE_URL]: 401, [url]: 401 }), { isGuessed: true })).toMatchObject({
      code: 'authorization-unexplained',
      message: `https://mcp.example requires authorization, and answered HTTP 401 also at "${url}", where its OAuth metadata would be.`,
      advice: expect.stringMatching(/^If it expects a key, add the header/),
    });
  });

  test('may have any other member', async () => {
    const resource = { ...RESOURCE, jwks_uri: 1, resource_documentation: null, bearer_methods_supported: 'header' };
    expect(await discover(site({ [RESOURCE_URL]: resource, [OAUTH_URL]: METADATA }))).toBe(ISSUER);
  });
});

describe.each([
  ['authorization server metadata', OAUTH_URL],
  ['OpenID provider metadata', OPENID_URL],
])('%s', (name, url) => {
  const of = (metadata: Answer, options = {}) => discover(site({ [RESOURCE_URL]: RESOURCE, [url]: metadata }), options);

  test.each(['issuer', 'authorization_endpoint', 'token_endpoint'])('without %s is named', async (member) => {
    expect(await of(without(METADATA, member))).toMatchObject({
      code: 'authorization-metadata',
      message: `The ${name} at "${url}" has no \`${member}\`.`,
      advice: expect.stringContaining(`Add \`${member}\` (`),
    });
  });

  test.each<[string, unknown, string]>([
    ['token_endpoint', '/token', '"/token", expected a URL'],
    ['token_endpoint', null, 'null, expected a URL'],
    ['authorization_endpoint', 1, 'a number, expected a string'],
    ['response_types_supported', 'code', '"code", expected an array of strings'],
    ['code_challenge_methods_supported', { S256: true }, 'an object, expected an array of strings'],
  ])('whose %s is %j is named', async (member, value, said) => {
    const message = `In the ${name} at "${url}", \`${member}\` is ${said}.`;
    expect(await of({ ...METADATA, [member]: value })).toMatchObject({ code: 'authorization-metadata', message });
  });

  test('without the code flow is named', async () => {
    expect(await of({ ...METADATA, response_types_supported: ['token'] })).toMatchObject({ code: 'no-code-flow' });
  });

  test('needs no member that is not used', async () => {
    expect(await of(without(METADATA, 'response_types_supported'))).toBe(ISSUER);
    expect(await of({ ...METADATA, jwks_uri: 1, subject_types_supported: 'public', service_documentation: '' })).toBe(
      ISSUER,
    );
  });

  test('needs no sign-in page for a token without a person', async () => {
    const metadata = without(METADATA, 'authorization_endpoint', 'code_challenge_methods_supported');
    expect(await of(metadata, { signsIn: false })).toBe(ISSUER);
  });

  test('that is another document is named', async () => {
    expect(await of('<h1>Hello</h1>')).toMatchObject({ message: `The ${name} at "${url}" is not JSON.` });
    expect(await of({ error: 'x' })).toMatchObject({ message: `The ${name} at "${url}" has no \`issuer\`.` });
    expect(await of(503)).toMatchObject({ message: expect.stringContaining('was answered with HTTP 503') });
  });
});

test('a page at the first URL does not hide metadata at the next', async () => {
  const ask = site({ [RESOURCE_URL]: RESOURCE, [OAUTH_URL]: '<h1>Hello</h1>', [OPENID_URL]: METADATA });
  expect(await discover(ask)).toBe(ISSUER);
  expect(ask.asked).toEqual([RESOURCE_URL, OAUTH_URL, OPENID_URL]);
});
