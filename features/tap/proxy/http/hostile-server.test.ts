import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, sendRaw, type TestHttpTaps, testHttpTaps } from './test-http-tap';

let taps: TestHttpTaps;
beforeAll(async () => {
  taps = await testHttpTaps();
});
afterAll(() => taps.remove());

/** The bytes that the tapped server answers to /bad before it ends the socket. */
let badBytes = '';
/** Origins of a tap without rules, and of one with rules. */
let plainTap = '';
let ruledTap = '';
beforeAll(async () => {
  const origin = await taps.serve((request, response) => {
    if (request.url === '/bad') response.socket!.end(Buffer.from(badBytes, 'latin1'));
    else response.end('fine');
  });
  const rules = join(taps.recordings, '../../rules.json');
  writeFileSync(rules, '{"rules":[{"name":"late","direction":"to-client","action":{"do":"delay","ms":1}}]}');
  plainTap = new URL((await taps.start(`${origin}/mcp`)).url).origin;
  ruledTap = new URL((await taps.start(`${origin}/mcp`, { intercept: [rules] })).url).origin;
});

const OK = 'HTTP/1.1 200 OK\r\n';
const METADATA = '/.well-known/oauth-authorization-server';

test.each([
  ['a control character in the reason', 'HTTP/1.1 200 a\x01b\r\nContent-Length: 2\r\n\r\nok', 200],
  ['DEL in the reason', 'HTTP/1.1 404 a\x7fb\r\nContent-Length: 2\r\n\r\nok', 404],
  ['a reason in latin1', 'HTTP/1.1 200 caf\xe9\r\nContent-Length: 2\r\n\r\nok', 200],
  ['no reason', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok', 200],
  ['status 000', 'HTTP/1.1 000 Zero\r\nContent-Length: 2\r\n\r\nok', 502],
  ['status 099', 'HTTP/1.1 099 Low\r\nContent-Length: 2\r\n\r\nok', 502],
  ['status 999', 'HTTP/1.1 999 High\r\nContent-Length: 2\r\n\r\nok', 999],
  ['status 1000', 'HTTP/1.1 1000 Long\r\nContent-Length: 2\r\n\r\nok', 502],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 502],
  ['status 101 without an upgrade', 'HTTP/1.1 101 Nothing\r\n\r\n', 502],
  ['early hints', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`, 200],
  ['a control character in a header', `${OK}X-A: a\x01b\r\nContent-Length: 2\r\n\r\nok`, 502],
  ['NUL in a header', `${OK}X-A: a\0b\r\nContent-Length: 2\r\n\r\nok`, 502],
  ['a header in latin1', `${OK}X-A: caf\xe9\r\nContent-Length: 2\r\n\r\nok`, 200],
  ['a header without a name', `${OK}: a\r\nContent-Length: 2\r\n\r\nok`, 502],
  ['a folded header', `${OK}X-A: a\r\n b\r\nContent-Length: 2\r\n\r\nok`, 502],
  ['two lengths', `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`, 502],
  ['a negative length', `${OK}Content-Length: -2\r\n\r\nok`, 502],
  ['both lengths', `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, 502],
  ['a location in latin1', 'HTTP/1.1 302 Found\r\nLocation: http://\xe9\xff/\r\nContent-Length: 0\r\n\r\n', 302],
  ['a challenge in latin1', 'HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer resource_metadata="\xe9\\"\r\n\r\n', 401],
  ['no HTTP', 'SSH-2.0-OpenSSH\r\n', 502],
  ['nothing', '', 502],
  ['a body with status 204', 'HTTP/1.1 204 None\r\nContent-Length: 2\r\n\r\nok', 204],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nok', 200],
])('attack: a response with %s does not end the tap', async (_what, bytes, status) => {
  badBytes = bytes;
  for (const tap of [plainTap, ruledTap]) {
    const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect((await ask(`${tap}/bad`, { body: message })).status).toBe(status);
    expect((await ask(`${tap}/good`, { body: message })).body).toBe('fine');
  }
});

test.each([
  ['a bad chunk', `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n`],
  ['a chunk that is cut off', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nok`],
  ['a body that is cut off', `${OK}Content-Length: 20\r\n\r\nok`],
  ['a bad trailer', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX\x01: \x02\r\n\r\n`],
])('attack: %s is cut for the host too, and does not end the tap', async (_what, bytes) => {
  badBytes = bytes;
  const answer = await ask(`${plainTap}/bad`).catch(() => undefined);
  expect(answer?.complete ?? false).toBe(false);
  expect((await ask(`${plainTap}/good`)).body).toBe('fine');
});

test('trailers and HTTP/1.0 of a host pass without an error', async () => {
  badBytes = `${OK}Transfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\nok\r\n0\r\nX-T: 1\r\n\r\n`;
  expect((await ask(`${plainTap}/bad`)).body).toBe('ok');
  const { host } = new URL(plainTap);
  const read = await sendRaw(plainTap, `GET /bad HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
  expect(read).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/);
});

/** Deeper than JSON.stringify can go, and shorter than the limit of metadata. */
const DEEP = `${'['.repeat(120_000)}${']'.repeat(120_000)}`;

test.each([
  [METADATA, (own: string) => `{"issuer":"${own}","x":${DEEP}}`],
  ['/.well-known/oauth-protected-resource', (own: string) => `{"resource":"${own}/mcp","x":${DEEP}}`],
])('attack: deep metadata at %s does not end the tap', async (path, text) => {
  const origin = await taps.serve((request, response) => {
    response.end(request.url === path ? text(`http://${request.headers.host}`) : 'fine');
  });
  const tap = new URL((await taps.start(`${origin}/mcp`)).url).origin;
  const { status, body } = await ask(`${tap}${path}`, { method: 'GET' });
  expect([status, body === text(origin)]).toEqual([200, true]);
  expect((await ask(`${tap}/good`)).body).toBe('fine');
});

test('attack: deep metadata of an authorization server does not end the tap', async () => {
  const issuer = await taps.serve((request, response) => {
    const own = `http://${request.headers.host}`;
    const plain = { issuer: own, authorization_endpoint: `${own}/authorize`, token_endpoint: `${own}/token` };
    response.end(JSON.stringify(plain).replace('}', `,"x":${DEEP}}`));
  });
  const origin = await taps.serve((request, response) => {
    response.end(JSON.stringify({ resource: `http://${request.headers.host}/mcp`, authorization_servers: [issuer] }));
  });
  const tap = new URL((await taps.start(`${origin}/mcp`)).url).origin;
  const { body } = await ask(`${tap}/.well-known/oauth-protected-resource/mcp`, { method: 'GET' });
  const [named] = JSON.parse(body).authorization_servers;
  if (named !== issuer) await ask(named.replace(/^(https?:..[^/]*)/, `$1${METADATA}`), { method: 'GET' });
  expect((await ask(`${tap}/good`)).status).toBe(200);
  expect(named).toBe(issuer);
});
