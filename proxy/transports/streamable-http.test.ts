import { describe, expect, test } from 'vitest';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { request } from './fixtures/hostile';
import { type Answer, json, result, startHttp, stream, text } from './fixtures/http-fixture';
import { openStreamable, startStreamable } from './fixtures/http-transports';
import { handshake, legacy } from './fixtures/legacy-server';

const open = closedAfterEach();
const start = startStreamable(open);

describe('one exchange in the log', () => {
  test('request, message, socket, response, body and answer, in this order', async () => {
    const { transport, sink } = await start(({ message }, response) => json(response, result(message?.id, { a: 1 })));
    transport.send(request(1, 'ping'));
    await sink.until((seen) => seen.messages.length === 1);
    expect(sink.frames.map(({ channel, direction }) => `${channel} ${direction}`)).toEqual([
      'http to-server',
      'protocol to-server',
      'http to-client',
      'http to-client',
      'http to-client',
      'protocol to-client',
    ]);
    expect(sink.http).toMatchObject([
      { kind: 'request', exchange: 1, method: 'POST', bytes: request(1, 'ping').length },
      { kind: 'socket', exchange: 1, host: '127.0.0.1', addresses: ['127.0.0.1'], address: '127.0.0.1' },
      { kind: 'response', exchange: 1, status: 200 },
      { kind: 'body', exchange: 1 },
    ]);
  });

  test('secrets are masked, in headers of both sides and in the URL; names stay', async () => {
    const fixture = await startHttp((_request, response) => {
      json(response, {}, 200, { 'Set-Cookie': 'sid=geheim', 'X-Plain': 'shown' });
    });
    const { transport, sink } = await openStreamable(`${fixture.origin}/mcp?api_key=geheim&page=1`, {
      headers: [
        ['Authorization', 'Bearer geheim'],
        ['X-Team', 'geheim'],
      ],
    });
    open.push(fixture, transport);
    transport.send(request(1, 'ping'));
    await sink.until((seen) => seen.lost.length === 1);
    expect(fixture.seen[0]).toMatchObject({
      url: '/mcp?api_key=geheim&page=1',
      headers: { authorization: 'Bearer geheim', 'x-team': 'geheim' },
    });
    const shown = JSON.stringify(sink.http);
    expect(shown).not.toContain('geheim');
    expect(shown).toContain('["Authorization","•••"]');
    expect(shown).toContain('["X-Team","•••"]');
    expect(shown).toContain('["Set-Cookie","•••"]');
    expect(shown).toContain('["X-Plain","shown"]');
    expect(shown).toContain('/mcp?api_key=•••&page=1');
  });
});

describe('answers that are none', () => {
  test.each<[string, Answer, string, number]>([
    ['404 in HTML', (_, response) => text(response, '<h1>Not here</h1>', 404), 'http-not-found', 404],
    ['401', (_, response) => text(response, 'who?', 401, 'text/plain'), 'http-unauthorized', 401],
    ['406', (_, response) => text(response, '', 406), 'http-not-acceptable', 406],
    ['415', (_, response) => text(response, '', 415), 'http-media-type', 415],
    ['502 of a proxy', (_, response) => text(response, '<html>Bad Gateway', 502), 'http-server-error', 502],
    ['200 with HTML', (_, response) => text(response, '<html>'), 'not-mcp', 200],
    ['200 with nothing', (_, response) => void response.writeHead(200).end(), 'not-mcp', 200],
    ['202 to a request', (_, response) => void response.writeHead(202).end(), 'no-answer', 202],
    ['JSON for another id', (_, response) => json(response, result(99, {})), 'no-answer', 200],
    ['a stream that ends', (_, response) => void stream(response).end(), 'no-answer', 200],
  ])('%s', async (_what, answer, code, status) => {
    const { transport, sink } = await start(answer);
    transport.send(request(1, 'tools/list'));
    await sink.until((seen) => seen.lost.length === 1);
    expect(sink.lost[0]).toMatchObject({ id: 1, why: { code, status } });
    expect(sink.http.at(-1)).toMatchObject({ kind: 'end', exchange: 1, by: 'server', unanswered: [1] });
  });

  test('a refusal’s JSON-RPC error counts, whatever its id', async () => {
    const error = { code: -32000, message: 'Bad Request: Server not initialized' };
    const { transport, sink } = await start((_, response) => json(response, { jsonrpc: '2.0', error, id: null }, 400));
    transport.send(request(1, 'tools/list'));
    await sink.until((seen) => seen.lost.length === 1);
    expect(sink.lost[0]!.why).toMatchObject({ status: 400, error });
    expect(sink.lines('protocol')).toEqual([JSON.stringify({ jsonrpc: '2.0', error, id: null })]);
  });

  test('a body that is no JSON is shown with its exchange, and no message', async () => {
    const { transport, sink } = await start((_, response) => text(response, '<b>no</b>', 500));
    transport.send(request(1, 'ping'));
    await sink.until((seen) => seen.lost.length === 1);
    expect(sink.of('protocol')).toEqual([]);
    expect(sink.http).toContainEqual({ kind: 'body', exchange: 1, bytes: 9, text: '<b>no</b>' });
  });

  test('nothing listens: the request fails, the connection can go on', async () => {
    const { fixture, transport, sink } = await start(() => {});
    await fixture.close();
    open.shift();
    transport.send(request(1, 'ping'));
    await sink.until((seen) => seen.lost.length === 1);
    expect(sink.lost[0]!.why.code).toBe('connection-refused');
    expect(sink.lost[0]!.why.status).toBeUndefined();
    expect(sink.http.at(-1)).toMatchObject({ kind: 'end', by: 'failure', unanswered: [1] });
    expect(sink.ends).toEqual([]);
  });

  test('a batch: both answers in one body, and what it leaves out is known', async () => {
    const { transport, sink } = await start((_, response) => json(response, [result(1, {}), result(3, {})]));
    sink.settled.add(1);
    sink.settled.add(3);
    transport.send(`[${request(1, 'a')},${request(2, 'b')},${request(3, 'c')}]`);
    await sink.until((seen) => seen.lost.length > 0);
    expect(sink.lost.map(({ id }) => id)).toEqual([2]);
    expect(sink.messages).toHaveLength(1);
  });

  test.each(['application/json; charset=utf-8', 'application/JSON', 'application/vnd.x+json', ''])(
    'JSON as %j is read',
    async (type) => {
      const { transport, sink } = await start((_, response) => {
        response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(JSON.stringify(result(1, {})));
      });
      transport.send(request(1, 'ping'));
      await sink.until((seen) => seen.messages.length === 1);
      expect(sink.lost).toEqual([]);
    },
  );
});

test('the person’s headers go with everything, but can not replace the protocol’s', async () => {
  const { fixture, transport, sink } = await start(
    legacy(({ message }, response) => json(response, result(message?.id, {}))),
    {
      headers: [
        ['X-Team', 'blue'],
        ['accept', 'text/plain'],
      ],
    },
  );
  await handshake(transport, sink);
  await fixture.until(() => fixture.of('GET').length === 1);
  await transport.close();
  expect(fixture.seen.map(({ headers }) => headers['x-team'])).toEqual(['blue', 'blue', 'blue', 'blue']);
  expect(fixture.seen[0]!.headers.accept).toBe('application/json, text/event-stream');
});
