import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { causeText, type Diagnosis } from '@/lib/doctor/diagnosis';
import { falseClaims } from '@/lib/doctor/test-claims';
import type { UrlTarget } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { FakeClock } from '@/lib/wire/test-clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { type Answer, initialized, json, legacy, startHttp, stream } from '@/proxy/connection/fixtures/http-fixture';
import { listAt } from './test-failed-request';

const open = closedAfterEach();

async function server(answer: Answer) {
  const fixture = await startHttp(answer);
  open.push(fixture);
  return fixture;
}

/** Lists the tools of a URL, which fails, and checks that the diagnosis claims nothing that is not in the log. */
async function verdict(
  url: string,
  target: Partial<UrlTarget> = {},
  protocol: ProtocolChoice = 'auto',
): Promise<Diagnosis> {
  const { log, diagnosis } = await listAt(url, target, protocol);
  expect(falseClaims(diagnosis!, log)).toEqual([]);
  return diagnosis!;
}

const linesOf = ({ evidence }: Diagnosis) => evidence.map(({ text }) => text);

test('a redirect to another origin, which did not get the Authorization header', async () => {
  const other = await server((_, response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end());
  const first = await server((_, response) => response.writeHead(307, { location: `${other.origin}/mcp/` }).end());
  const diagnosis = await verdict(`${first.origin}/mcp`, { headers: { Authorization: 'Bearer s3cret' } });
  expect(diagnosis).toMatchObject({
    code: 'redirected-elsewhere',
    what: `${first.origin}/mcp redirects (HTTP 307) to another origin: ${other.origin}/mcp/. That answered HTTP 401. mcp-inspect did not send Authorization there, because it belongs to the first origin.`,
    advice: `If you trust ${other.origin}, use ${other.origin}/mcp/ as the URL, with the same headers.`,
    actions: [{ kind: 'use-url', url: `${other.origin}/mcp/` }],
  });
  expect(linesOf(diagnosis)).toContain(`POST ${other.origin}/mcp/`);
});

test.each(['/api/auth/signin?csrf=true', '/login', '/users/sign_in', '/oauth2/authorize', '/session/new', '/accounts'])(
  'a redirect to the sign-in page %s, which is not offered as the URL',
  async (page) => {
    const { origin } = await server((_, response) => response.writeHead(302, { location: page }).end());
    const diagnosis = await verdict(`${origin}/mcp`);
    expect(diagnosis).toMatchObject({ code: 'redirected', actions: [], what: expect.stringContaining('sign-in page') });
    expect(diagnosis.advice).not.toContain(page);
  },
);

test('a redirect to a path that only sounds like a sign-in', async () => {
  const { origin } = await server((_, response) => response.writeHead(302, { location: '/authors/mcp' }).end());
  expect((await verdict(`${origin}/mcp`)).what).not.toContain('sign-in');
});

const PAGE = { 'content-type': 'text/html' };

/** A redirect from /mcp that is followed, and what is at its end. */
const leadsTo =
  (path: string, status: number, headers: Record<string, string> = {}): Answer =>
  ({ url }, response) =>
    url === path ? response.writeHead(status, headers).end('no') : response.writeHead(307, { location: path }).end();

test.each([
  ['a sign-in page', leadsTo('/login', 200, PAGE), 'web-page', '/login', /web page/, /token or cookie/],
  ['a page', leadsTo('/app', 200, PAGE), 'web-page', '/app', /web page/, /^Correct that redirect/],
  ['nothing', leadsTo('/v2/mcp', 404), 'not-found', '/v2/mcp', /HTTP 404/, /^Correct that redirect/],
  ['a refusal', leadsTo('/v2/mcp', 500), 'server-error', '/v2/mcp', /HTTP 500/, /log says why/],
])('a redirect that leads to %s comes first', async (_, answer, code, path, what, advice) => {
  const { origin } = await server(answer);
  const diagnosis = await verdict(`${origin}/mcp`);
  expect(diagnosis).toMatchObject({ code, advice: expect.stringMatching(advice) });
  expect(diagnosis.what.startsWith(`/mcp redirects (HTTP 307) to ${origin}${path}. `)).toBe(true);
  expect(diagnosis.what).toMatch(what);
});

test('a redirect to https on a port without TLS is the cause, not the scheme of the URL', async () => {
  const { origin } = await server(({ headers }, response) =>
    response.writeHead(308, { location: `https://${headers.host}/mcp` }).end(),
  );
  expect(await verdict(`${origin}/mcp`)).toMatchObject({
    code: 'tls-plain-server',
    what: expect.stringMatching(/^\/mcp redirects \(HTTP 308\) to https:/),
    advice: expect.stringMatching(/^Correct that redirect/),
    actions: [],
  });
});

test('a slash that a redirect adds is not the cause', async () => {
  const { origin } = await server(leadsTo('/mcp/', 500));
  expect((await verdict(`${origin}/mcp`)).what).not.toContain('redirects');
});

test('the exception on the error page of a framework is quoted', async () => {
  const page =
    '<!DOCTYPE html>\n<html><body><pre>KeyError: &#39;temp&#39;<br> &nbsp;at server.js:10</pre></body></html>';
  const { origin } = await server((_, response) => response.writeHead(500, PAGE).end(page));
  expect((await verdict(`${origin}/mcp`)).what).toBe(
    `The server failed with HTTP 500: ${JSON.stringify("KeyError: 'temp'")}.`,
  );
});

test('a refused Origin header is not a refused Host header', async () => {
  const { origin } = await server((_, response) => response.writeHead(403).end('Invalid Origin header'));
  const diagnosis = await verdict(`${origin}/mcp`);
  expect(diagnosis).toMatchObject({ code: 'origin-refused', what: expect.stringContaining('had none') });
  expect(diagnosis.advice).not.toContain('allowed_hosts');
  const given = await verdict(`${origin}/mcp`, { headers: { Origin: 'https://a.example' } });
  // Values of given headers are masked.
  expect(given.advice).toMatch(/^Add this origin to its allowed origins/);
});

test('a session that the server wants but did not give', async () => {
  const words = 'Bad Request: Mcp-Session-Id header is required';
  const { origin } = await server(({ message }, response) =>
    message?.method === 'initialize'
      ? json(response, initialized(message.id))
      : json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: words } }, 400),
  );
  const diagnosis = await verdict(`${origin}/mcp`, {}, '2025-06-18');
  expect(diagnosis).toMatchObject({ code: 'session-missing', what: expect.stringContaining(words) });
  expect(diagnosis.advice).not.toContain('protocol version');
});

test('a refused Host header names the host and the settings', async () => {
  const { origin } = await server((_, response) => response.writeHead(421).end('Invalid Host header'));
  const host = new URL(origin).host;
  const diagnosis = await verdict(`${origin}/mcp`);
  expect(diagnosis).toMatchObject({
    code: 'host-refused',
    advice: expect.stringMatching(/allowed_hosts.+allowedHosts/),
  });
  expect(diagnosis.what).toMatch(`HTTP 421`);
  expect(diagnosis.what).toContain(host);
  expect(linesOf(diagnosis)).toContain(`Host: ${host}`);
});

const sse =
  (data: string): Answer =>
  ({ method, url }, response) => {
    if (method === 'GET' && url === '/mcp-server/sse') stream(response, `event: endpoint\ndata: ${data}\n\n`);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<pre>Cannot POST</pre>');
  };

test.each(['auto', 'sse'] as const)('an endpoint event without the prefix (%s)', async (transport) => {
  const { origin } = await server(sse('/messages?sessionId=1'));
  const diagnosis = await verdict(`${origin}/mcp-server/sse`, { transport });
  expect(diagnosis).toMatchObject({
    code: 'endpoint-not-found',
    what: expect.stringMatching(
      /^The event stream at \/mcp-server\/sse works, but .+\/messages.+ answered POST with HTTP 404\.$/,
    ),
    advice: expect.stringContaining('lacks the prefix /mcp-server of the stream'),
  });
  expect(diagnosis.actions).toEqual([]);
});

test.each(['auto', 'sse'] as const)('an endpoint event at another origin (%s)', async (transport) => {
  const { origin } = await server(sse('http://backend.internal:8887/messages?sessionId=1'));
  const { code, what } = await verdict(`${origin}/mcp-server/sse`, { transport });
  expect(code).toBe('endpoint-refused');
  expect(what).toContain(origin);
  expect(what).toContain('http://backend.internal:8887');
});

const GET_ONLY: Answer = ({ method }, response) => {
  if (method === 'POST') response.writeHead(405, { allow: 'GET' }).end();
};

test('an event stream without an endpoint, beside a POST that is refused', async () => {
  const { origin } = await server((seen, response) => {
    GET_ONLY(seen, response);
    if (seen.method === 'GET') stream(response, 'event: ready\ndata: {}\n\n').end();
  });
  const diagnosis = await verdict(`${origin}/sse`);
  expect(diagnosis).toMatchObject({
    code: 'no-endpoint',
    what: 'The server opened an event stream, and ended it without an endpoint event. Its first event has the type "ready". It answered POST with HTTP 405.',
    advice: expect.not.stringContaining('transport'),
  });
  expect(linesOf(diagnosis)).toContain('event: ready, data: {}');
  const http = diagnosis.steps.find(({ id }) => id === 'http');
  expect(http?.evidence.map(({ text }) => text)).toEqual([
    `POST ${origin}/sse`,
    'HTTP 405',
    `GET ${origin}/sse`,
    'HTTP 200',
  ]);
});

test('a GET that never answers, beside a POST that is refused, waits as long as a request may', async () => {
  const clock = new FakeClock();
  const fixture = await server(GET_ONLY);
  const listing = listAt(`${fixture.origin}/sse`, {}, 'auto', { clock, requestMs: 3000 });
  await fixture.until(() => fixture.of('GET').length === 1);
  clock.advance(3000);
  const { log, diagnosis } = await listing;
  expect(falseClaims(diagnosis!, log)).toEqual([]);
  expect(diagnosis).toMatchObject({
    code: 'get-unanswered',
    what: `The server accepted the connection, but did not answer GET ${fixture.origin}/sse. It answered POST with HTTP 405.`,
  });
});

test('a refused POST and a GET that brings something else', async () => {
  const { origin } = await server((seen, response) => {
    GET_ONLY(seen, response);
    if (seen.method === 'GET') response.writeHead(500).end();
  });
  const { code, what, advice } = await verdict(`${origin}/sse`);
  expect({ code, what }).toEqual({
    code: 'method-refused',
    what: 'This URL does not accept POST requests, only GET. It answered GET with HTTP 500, so HTTP+SSE does not work here either.',
  });
  expect(advice).not.toContain('connect with that transport');
});

test('a request that HTTP+SSE accepts and never answers', async () => {
  const clock = new FakeClock();
  const fixture = await server(({ method, url }, response) => {
    if (method === 'GET') stream(response, 'event: endpoint\ndata: /messages\n\n');
    else response.writeHead(url === '/messages' ? 202 : 405).end();
  });
  const listing = listAt(`${fixture.origin}/sse`, {}, 'auto', { clock, requestMs: 3000 });
  await fixture.until(() => fixture.seen.some(({ url }) => url === '/messages'));
  clock.advance(3000);
  expect((await listing).diagnosis).toMatchObject({
    code: 'silent',
    what: expect.stringMatching(/^The server did not answer initialize within 3 seconds .+ initialize( came)?\.$/),
  });
});

test('an initialize without an answer, after a refused server/discover', async () => {
  const clock = new FakeClock();
  const fixture = await server(({ message }, response) => {
    if (message?.method === 'server/discover') response.writeHead(400).end('Unknown method');
  });
  const listing = listAt(`${fixture.origin}/mcp`, {}, 'auto', { clock, requestMs: 3000 });
  await fixture.until(() => fixture.of('initialize').length === 1);
  clock.advance(3000);
  expect((await listing).diagnosis).toMatchObject({
    code: 'silent',
    what: 'The server did not answer initialize within 3 seconds (`--request-timeout`). No HTTP response to initialize came.',
  });
});

const cut: Answer = ({ message }, response) => {
  const raw = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: message?.id, result: { tools: ['x'.repeat(4000)] } }));
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': raw.length,
  });
  response.write(gzipSync(raw), () => setImmediate(() => response.destroy()));
};

test('a body that breaks off after a good handshake is not a matter of https', async () => {
  const { origin } = await server(legacy(cut));
  const diagnosis = await verdict(`${origin}/mcp`, {}, '2025-11-25');
  expect(diagnosis.code).toMatch(/^(body-cut|encoding-unknown)$/);
  expect(`${causeText(diagnosis)} ${diagnosis.advice}`).toContain('tools/list');
  expect(`${diagnosis.what} ${diagnosis.advice}`).not.toContain('https');
  expect(linesOf(diagnosis)).toContain('content-encoding: gzip');
});

test('a connection that is cut after a good handshake is not a matter of https', async () => {
  const { origin } = await server(legacy((_, response) => void response.destroy()));
  const diagnosis = await verdict(`${origin}/mcp`, {}, '2025-11-25');
  expect(diagnosis).toMatchObject({ code: 'connection-cut', what: expect.stringContaining('It had answered before') });
  expect(diagnosis.advice).not.toContain('https');
});

const framed =
  (write: (data: string) => string): Answer =>
  ({ message }, response) => {
    if (message?.id === undefined) return void response.writeHead(message ? 202 : 405).end();
    stream(response, write(JSON.stringify(initialized(message.id)))).end();
  };

test('an event of another type is named', async () => {
  const { origin } = await server(framed((data) => `event: response\ndata: ${data}\n\n`));
  expect(await verdict(`${origin}/mcp`)).toMatchObject({
    code: 'event-ignored',
    what: expect.stringContaining('an event of type "response"'),
    advice: expect.stringContaining('`event: message` instead of `event: response`'),
  });
});

test.each(['event: message\n', ''])('an event without its blank line is named (%j)', async (name) => {
  const { origin } = await server(framed((data) => `${name}data: ${data}\n`));
  const { code, what, advice } = await verdict(`${origin}/mcp`);
  expect(code).toBe('event-unfinished');
  expect(what).toContain(name === '' ? 'an event' : '`event: message`');
  expect(advice).toContain('empty line');
});

test('a response with the id of an earlier request is named', async () => {
  const { origin } = await server(({ message }, response) => {
    if (message?.id === undefined) return void response.writeHead(message ? 202 : 405).end();
    json(response, initialized(1));
  });
  const { code, what } = await verdict(`${origin}/mcp`, {}, '2025-11-25');
  expect(code).toBe('wrong-id');
  expect(what).toMatch(/^The server answered tools\/list with the wrong id: the number 1\. Expected the number \d+\.$/);
});

test('two lengths in a response are not a matter of https', async () => {
  const { origin } = await server((_, response) => {
    response.socket!.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}');
  });
  const { what, advice } = await verdict(`${origin}/mcp`);
  expect(what).toMatch(/^The headers of the server’s HTTP response are invalid: .+CONTENT_LENGTH/);
  expect(advice).not.toContain('https');
});

test.each<[string, (data: string) => string]>([
  ['JSON', (data) => data],
  ['JSON over several lines', (data) => data.replaceAll(',', ',\n')],
  ['JSON whose first line alone is data', (data) => `data: ${JSON.stringify(JSON.parse(data), null, 1)}\n\n`],
  ['a web page', () => '<!doctype html>\n<title>App</title>\n'],
])('%s as an event stream is named', async (_, write) => {
  const { origin } = await server(framed(write));
  expect(await verdict(`${origin}/mcp`)).toMatchObject({
    code: 'no-events',
    what: expect.stringMatching(/^The server answered initialize with text\/event-stream, but not with events: `[{"<]/),
    advice: expect.stringContaining('application/json'),
  });
});

test('an event of its own with which the server ends the stream is quoted', async () => {
  const { origin } = await server(framed(() => ': hi\n\nevent: error\ndata: {"reason":"backend down"}\n\n'));
  expect((await verdict(`${origin}/mcp`)).what).toBe(
    'The event stream that answers initialize (HTTP 200) ended without a response. Its last event has the type "error": `{"reason":"backend down"}`.',
  );
});

test.each(['application/json', undefined])(
  'an empty body with HTTP 200 is not a matter of the path (%s)',
  async (type) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const { origin } = await server((_, response) => response.writeHead(200, headers).end());
    const { what, advice } = await verdict(`${origin}/mcp`);
    expect(what).toMatch(/, but the body is empty\.$/);
    expect(advice).not.toContain('path');
  },
);

test.each<[Record<string, string>, RegExp, RegExp]>([
  [{}, /^The server, or a proxy in front of it, answered 503: "waking up"\./, /^Check that/],
  [{ server: 'uvicorn', 'retry-after': '9' }, /^The server, or a proxy in front of it/, /^Wait 9 seconds/],
  [{ server: 'nginx' }, /^A proxy in front of the server \(nginx\) answered 503/, /Their logs/],
])('a proxy is blamed for HTTP 503 only where a header names one (%j)', async (headers, what, advice) => {
  const { origin } = await server((_, response) => response.writeHead(503, headers).end('waking up'));
  const found = await verdict(`${origin}/mcp`);
  expect(found).toMatchObject({ code: 'gateway', what: expect.stringMatching(what) });
  expect(found.advice).toMatch(advice);
});

test('a 400 to a session that the server gave is named', async () => {
  const error = { code: -32000, message: 'Bad Request: No valid session ID or not an initialize request' };
  const { origin } = await server(legacy((_, response) => json(response, { jsonrpc: '2.0', error, id: null }, 400)));
  const { code, what, advice } = await verdict(`${origin}/mcp`, {}, '2025-11-25');
  expect(code).toBe('session-invalid');
  expect(what).toContain('HTTP 400');
  expect(advice).toContain('answer 404 to an unknown session');
});

test.each<[string, number, string, RegExp]>([
  ['500', 500, 'KeyError', /^The server failed with HTTP 500: "KeyError"\. /],
  ['400 without words about the session', 400, 'Bad Request', /^The server refused the request with HTTP 400: "Bad /],
  ['401', 401, '', /sign-in but does not say how\. It answered tools\/list with HTTP 401\. /],
])('a session id that was accepted before a %s', async (_what, status, body, words) => {
  const { origin } = await server(legacy((_, response) => void response.writeHead(status).end(body)));
  const { what, advice, evidence } = await verdict(`${origin}/mcp`, {}, '2025-11-25');
  expect(what).toMatch(words);
  expect(what).toMatch(/ It had accepted this session id before, last for notifications\/initialized\.$/);
  expect(advice).toContain('If it no longer knows the session, make it answer 404');
  expect(evidence).toContainEqual({
    text: 'session id last accepted for notifications/initialized',
    seq: expect.any(Number),
  });
});

test('a refused request of a server without sessions', async () => {
  const { origin } = await server(({ method, message }, response) => {
    if (message?.method === 'initialize') json(response, initialized(message.id));
    else response.writeHead(method === 'GET' ? 405 : message?.id === undefined ? 202 : 500).end();
  });
  expect((await verdict(`${origin}/mcp`, {}, '2025-11-25')).what).not.toContain('session');
});

test('a 404 after a good handshake does not blame the path', async () => {
  const { origin } = await server(({ method, message }, response) => {
    if (message?.method === 'initialize') json(response, initialized(message.id));
    else response.writeHead(method === 'GET' ? 405 : message?.id === undefined ? 202 : 404).end();
  });
  expect((await verdict(`${origin}/mcp`, {}, '2025-11-25')).what).toBe(
    'The server answered tools/list with HTTP 404, at a URL where the handshake worked.',
  );
});

test('an empty body of the right type', async () => {
  const { origin } = await server((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(),
  );
  expect((await verdict(`${origin}/mcp`)).what).toBe(
    'The server answered HTTP 200 with application/json, but the body is empty.',
  );
});

test('a path that is in use is not advised', async () => {
  const { origin } = await server((_, response) => response.writeHead(404).end());
  expect((await verdict(`${origin}/mcp`)).advice).not.toMatch(/use \/mcp/);
  expect((await verdict(`${origin}/api`)).advice).toMatch(/use \/mcp/);
});
