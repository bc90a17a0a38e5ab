import { describe, expect, test } from 'vitest';
import { CANCELLED_MS } from '@/lib/transports/streamable-http';
import { FakeClock } from '@/lib/wire/test-clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { fastClock, request } from './fixtures/hostile';
import {
  type Answer,
  event,
  handshake,
  json,
  legacy,
  openStreamable,
  result,
  startHttp,
  startStreamable,
  stream,
  text,
} from './fixtures/http-fixture';

describe('streamable http', () => {
  const open = closedAfterEach();
  const start = startStreamable(open);

  describe('one exchange in the log', () => {
    test('is request, message, socket, response, body and answer, in this order', async () => {
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

    test('masks secrets in headers of both sides and in the URL, but not names', async () => {
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

  describe('a response that is not an answer', () => {
    test.each<[string, Answer, string, number]>([
      ['404 in HTML', (_, response) => text(response, '<h1>Not here</h1>', 404), 'http-not-found', 404],
      ['401', (_, response) => text(response, 'who?', 401, 'text/plain'), 'http-unauthorized', 401],
      ['406', (_, response) => text(response, '', 406), 'http-not-acceptable', 406],
      ['415', (_, response) => text(response, '', 415), 'http-media-type', 415],
      ['502 of a proxy', (_, response) => text(response, '<html>Bad Gateway', 502), 'http-server-error', 502],
      ['200 with HTML', (_, response) => text(response, '<html>'), 'not-mcp', 200],
      ['200 without a body', (_, response) => void response.writeHead(200).end(), 'not-mcp', 200],
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

    test('uses a refusal’s JSON-RPC error, whatever its id', async () => {
      const error = { code: -32000, message: 'Bad Request: Server not initialized' };
      const { transport, sink } = await start((_, response) =>
        json(response, { jsonrpc: '2.0', error, id: null }, 400),
      );
      transport.send(request(1, 'tools/list'));
      await sink.until((seen) => seen.lost.length === 1);
      expect(sink.lost[0]!.why).toMatchObject({ status: 400, error });
      expect(sink.lines('protocol')).toEqual([JSON.stringify({ jsonrpc: '2.0', error, id: null })]);
    });

    test('logs a body that is not JSON with its exchange, not as a message', async () => {
      const { transport, sink } = await start((_, response) => text(response, '<b>no</b>', 500));
      transport.send(request(1, 'ping'));
      await sink.until((seen) => seen.lost.length === 1);
      expect(sink.framesOf('protocol')).toEqual([]);
      expect(sink.http).toContainEqual({ kind: 'body', exchange: 1, bytes: 9, text: '<b>no</b>' });
    });

    test('fails the request if nothing listens, and the connection can go on', async () => {
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

    test('reads both answers of a batch, and knows which ones are missing', async () => {
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

  test('sends the person’s headers with every request, but never instead of the protocol’s', async () => {
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
});

describe('streamable streams', () => {
  const open = closedAfterEach();
  const start = startStreamable(open);

  describe('event streams', () => {
    test('turns events into messages, and logs ids, retry, comments and other events', async () => {
      const { transport, sink } = await start((_, response) => {
        stream(response, ': hi\n', 'retry: 500\n\n', 'id: 1\ndata: \n\n', 'event: custom\ndata: x\n\n');
        response.end('id: 2\r\nevent: message\r\ndata: {"jsonrpc":"2.0",\r\ndata: "id":1,"result":{}}\r\n\r\n');
      });
      transport.send(request(1, 'ping'));
      await sink.until((seen) => seen.http.some(({ kind }) => kind === 'end'));
      expect(sink.messages).toEqual(['{"jsonrpc":"2.0",\n"id":1,"result":{}}']);
      expect(sink.http.slice(3)).toEqual([
        { kind: 'sse', exchange: 1, comment: 'hi' },
        { kind: 'sse', exchange: 1, retry: 500 },
        { kind: 'sse', exchange: 1, id: '1', data: '' },
        { kind: 'sse', exchange: 1, event: 'custom', data: 'x' },
        { kind: 'sse', exchange: 1, id: '2', event: 'message' },
        { kind: 'end', exchange: 1, by: 'server' },
      ]);
      expect(sink.lost).toEqual([]);
    });

    test('joins characters cut by chunks, keeps invalid UTF-8 exact, and skips a BOM', async () => {
      const bytes = Buffer.concat([
        Buffer.from('\uFEFFdata: {"id":1,"result":"é€😀'),
        Buffer.from([0xff, 0xc3]),
        Buffer.from('"}\n\n'),
      ]);
      const { transport, sink } = await start(async (_, response) => {
        stream(response);
        for (const byte of bytes) {
          response.write(Buffer.from([byte]));
          await new Promise((resolve) => setImmediate(resolve));
        }
        response.end();
      });
      transport.send(request(1, 'ping'));
      await sink.until((seen) => seen.framesOf('protocol').length === 1);
      const data = bytes.subarray(bytes.indexOf('{'), bytes.length - 2);
      expect(Buffer.from(sink.framesOf('protocol')[0]!.bytes).equals(data)).toBe(true);
    });

    test('resumes a stream that the server closes early after its retry, from its last event', async () => {
      const { fixture, transport, sink } = await start(
        legacy(
          (_, response) => void stream(response, 'id: é1\nretry: 30\ndata: \n\n').end(),
          (response, { headers }) => {
            if (headers['last-event-id'] === undefined) return void response.writeHead(405).end();
            stream(response, event(result(1, 'late'), 'e2')).end();
          },
        ),
      );
      await handshake(transport, sink);
      transport.send(request(1, 'tools/call'));
      await sink.until((seen) => seen.messages.length === 2);
      const resumption = fixture.of('GET').find(({ headers }) => headers['last-event-id'] !== undefined)!;
      expect(Buffer.from(String(resumption.headers['last-event-id']), 'latin1').toString()).toBe('é1');
      expect(resumption.headers['mcp-session-id']).toBe('s-1');
      expect(sink.messages[1]).toBe(JSON.stringify(result(1, 'late')));
      expect(sink.lost).toEqual([]);
    });

    test('closes a response to a cancelled request after a while if the server leaves it open', async () => {
      const clock = new FakeClock();
      let closed = (): void => {};
      const over = new Promise<void>((resolve) => {
        closed = resolve;
      });
      const { transport, sink } = await start(
        legacy((_, response) => void stream(response, ': busy\n\n').on('close', () => closed())),
        { clock },
      );
      await handshake(transport, sink);
      transport.send(request(2, 'tools/call'));
      await sink.until((seen) => seen.http.some((frame) => 'comment' in frame && frame.comment === 'busy'));
      sink.settled.add(2);
      expect(transport.cancel(2)).toBe(false);
      await clock.pass(CANCELLED_MS);
      await over;
    });

    test('waits as long as the server asks before it resumes', async () => {
      const clock = new FakeClock();
      const { fixture, transport, sink } = await start(
        legacy((_, response) => void stream(response, 'id: 1\nretry: 700\ndata: \n\n').end()),
        { clock },
      );
      await handshake(transport, sink);
      await sink.until((seen) => seen.http.some((frame) => frame.kind === 'response' && frame.status === 405));
      transport.send(request(1, 'tools/call'));
      await sink.until((seen) => seen.http.some((frame) => frame.kind === 'end' && frame.code === undefined));
      await expect.poll(() => clock.waiting).toBe(1);
      clock.advance(699);
      expect(fixture.of('GET')).toHaveLength(1);
      clock.advance(1);
      await fixture.until(() => fixture.of('GET').length === 2);
      expect(fixture.of('GET')[1]!.headers['last-event-id']).toBe('1');
    });

    test('fails the request if a resumption is refused', async () => {
      const { transport, sink } = await start(
        legacy((_, response) => void stream(response, 'id: 1\nretry: 20\ndata: \n\n').end()),
      );
      await handshake(transport, sink);
      transport.send(request(1, 'tools/call'));
      await sink.until((seen) => seen.lost.length === 1);
      expect(sink.lost[0]!.why).toMatchObject({ code: 'http-method', status: 405 });
      expect(sink.http.at(-1)).toMatchObject({ kind: 'end', unanswered: [1] });
    });

    test('ends neither a response nor the listening stream after an hour of silence', async () => {
      const clock = new FakeClock();
      let finish = (): void => {};
      const { fixture, transport, sink } = await start(
        legacy(
          (seen, response) => {
            stream(response, ': thinking\n\n');
            finish = () => response.end(event(result(seen.message?.id, {})));
          },
          (response) => void stream(response, ': listen\n\n'),
        ),
        { clock },
      );
      await handshake(transport, sink);
      transport.send(request(2, 'tools/call'));
      const said = (comment: string) =>
        sink.until((seen) => seen.http.some((frame) => 'comment' in frame && frame.comment === comment));
      await said('thinking');
      await said('listen');
      clock.advance(60 * 60_000);
      finish();
      await sink.until((seen) => seen.messages.some((text) => text.includes('"id":2')));
      expect(fixture.of('GET')).toHaveLength(1);
      expect(sink.lost).toEqual([]);
    });

    test('opens the listening stream again when the server ends it', async () => {
      let streams = 0;
      const { fixture, transport, sink } = await start(
        legacy(
          () => {},
          (response) => {
            const note = event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, `n${++streams}`);
            stream(response, 'retry: 20\n\n', note).end();
          },
        ),
      );
      await handshake(transport, sink);
      await sink.until((seen) => seen.messages.length >= 4);
      expect(
        fixture
          .of('GET')
          .map(({ headers }) => headers['last-event-id'])
          .slice(0, 3),
      ).toEqual([undefined, 'n1', 'n2']);
    });
  });
});

describe('streamable eras', () => {
  const open = closedAfterEach();
  const start = startStreamable(open);

  const MODERN = '2026-07-28';

  /** Returns a modern request, as the engine makes it. */
  function modern(id: number | string, method: string, params: object = {}): string {
    return request(id as number, method, { ...params, _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN } });
  }

  describe('the legacy session', () => {
    test('sends its id and the version with everything after initialize, and ends it by DELETE', async () => {
      const { fixture, transport, sink } = await start(
        legacy(({ message }, response) => json(response, result(message?.id, {}))),
      );
      await handshake(transport, sink);
      await fixture.until(() => fixture.of('GET').length === 1);
      transport.send(request(1, 'tools/list'));
      await sink.until((seen) => seen.messages.length === 2);
      await transport.close();
      const headers = (name: string) => {
        const { 'mcp-session-id': session, 'mcp-protocol-version': version } = fixture.of(name)[0]!.headers;
        return [session, version];
      };
      expect(headers('initialize')).toEqual([undefined, undefined]);
      for (const name of ['notifications/initialized', 'GET', 'tools/list', 'DELETE']) {
        expect(headers(name)).toEqual(['s-1', '2025-11-25']);
      }
      expect(fixture.of('initialize')[0]!.headers.accept).toBe('application/json, text/event-stream');
      expect(sink.ends).toHaveLength(1);
    });

    test('does not ask again for a GET stream that is refused with 405', async () => {
      const { fixture, transport, sink } = await start(
        legacy(() => {}),
        { clock: fastClock },
      );
      await handshake(transport, sink);
      await sink.until((seen) => seen.http.some((frame) => frame.kind === 'response' && frame.status === 405));
      await transport.close();
      expect(fixture.of('GET')).toHaveLength(1);
    });

    test('reports a 404 with a session once, and the next initialize goes without it', async () => {
      const { fixture, transport, sink } = await start(legacy((_, response) => json(response, { error: 'gone' }, 404)));
      await handshake(transport, sink);
      transport.send(request(1, 'tools/list'));
      transport.send(request(2, 'prompts/list'));
      await sink.until((seen) => seen.lost.length === 2);
      expect(sink.sessionsLost).toBe(1);
      transport.send(request(3, 'initialize'));
      await fixture.until(() => fixture.of('initialize').length === 2);
      expect(fixture.of('initialize')[1]!.headers).not.toHaveProperty('mcp-session-id');
    });

    test('treats a 404 without a session as an ordinary refusal', async () => {
      const { transport, sink } = await start((_, response) => text(response, '', 404));
      transport.send(request(1, 'tools/list'));
      await sink.until((seen) => seen.lost.length === 1);
      expect(sink.sessionsLost).toBe(0);
    });

    test('does not wait for a DELETE that is never answered', async () => {
      const clock = new FakeClock();
      const answer = legacy(() => {});
      const { fixture, transport, sink } = await start(
        (seen, response) => seen.method !== 'DELETE' && answer(seen, response),
        { clock },
      );
      await handshake(transport, sink);
      const closing = transport.close();
      await fixture.until(() => fixture.of('DELETE').length === 1);
      expect(sink.ends).toEqual([]);
      clock.advance(2000);
      await closing;
      expect(sink.ends).toHaveLength(1);
    });
  });

  describe('the modern era', () => {
    test('repeats the message in headers, without session, GET or DELETE', async () => {
      const { fixture, transport, sink } = await start(({ message }, response) =>
        json(response, result(message?.id, {}), 200, { 'mcp-session-id': 'ignored' }),
      );
      transport.send(modern('probe', 'server/discover'));
      transport.setProtocolVersion?.(MODERN, 'modern');
      transport.send(modern(1, 'tools/call', { name: 'größe', arguments: {} }));
      transport.send(modern(2, 'resources/read', { uri: 'file:///a b' }));
      transport.send(modern(3, 'prompts/get', { name: ' padded' }));
      transport.send(modern(4, 'tools/call', { name: 'evil\r\nX-Injected: 1' }));
      await sink.until((seen) => seen.messages.length === 5);
      await transport.close();
      const sent = (id: unknown) => fixture.seen.find(({ message }) => message?.id === id)!.headers;
      const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
      expect(sent('probe')).toMatchObject({ 'mcp-protocol-version': MODERN, 'mcp-method': 'server/discover' });
      expect(sent('probe')).not.toHaveProperty('mcp-name');
      expect(sent(1)).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': base64('größe') });
      expect(sent(2)['mcp-name']).toBe('file:///a b');
      expect(sent(3)['mcp-name']).toBe(base64(' padded'));
      expect(sent(4)['mcp-name']).toBe(base64('evil\r\nX-Injected: 1'));
      expect(sent(4)).not.toHaveProperty('x-injected');
      expect(fixture.seen.every(({ method }) => method === 'POST')).toBe(true);
      expect(fixture.seen.every(({ headers }) => headers['mcp-session-id'] === undefined)).toBe(true);
    });

    test('sends arguments in headers as the tool list asks', async () => {
      const properties = {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        nested: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
        dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
        absent: { type: 'string', 'x-mcp-header': 'Absent' },
      };
      const tools = [{ name: 'deploy', inputSchema: { type: 'object', properties } }];
      const { fixture, transport, sink } = await start(({ message }, response) => {
        if (message?.method === 'tools/list') stream(response, event(result(message.id, { tools }))).end();
        else json(response, result(message?.id, {}));
      });
      transport.setProtocolVersion?.(MODERN, 'modern');
      transport.send(modern(1, 'tools/list'));
      await sink.until((seen) => seen.messages.length === 1);
      const args = { region: 'eu\r\nX-Evil: 1', nested: { count: 3 }, dry: false, absent: null };
      transport.send(modern(2, 'tools/call', { name: 'deploy', arguments: args }));
      await sink.until((seen) => seen.messages.length === 2);
      const { headers } = fixture.of('tools/call')[0]!;
      expect(headers['mcp-param-region']).toBe(`=?base64?${Buffer.from(args.region).toString('base64')}?=`);
      expect(headers).toMatchObject({ 'mcp-param-count': '3', 'mcp-param-dry-run': 'false' });
      expect(headers).not.toHaveProperty('mcp-param-absent');
      expect(headers).not.toHaveProperty('x-evil');
    });

    test('cancels by closing the response, and sends nothing', async () => {
      let closed = false;
      const { fixture, transport, sink } = await start((_, response) => {
        stream(response, ': working\n');
        response.on('close', () => {
          closed = true;
        });
      });
      transport.setProtocolVersion?.(MODERN, 'modern');
      transport.send(modern(7, 'tools/call', { name: 'slow' }));
      await sink.until((seen) => seen.http.some(({ kind }) => kind === 'sse'));
      expect(transport.cancel(7)).toBe(true);
      await fixture.until(() => closed);
      expect(fixture.seen).toHaveLength(1);
      expect(sink.http.at(-1)).toEqual({ kind: 'end', exchange: 1, by: 'client', cancelled: [7] });
      expect(sink.lost).toEqual([]);
    });

    test('loses the request with its stream, whatever ids its events had', async () => {
      const { fixture, transport, sink } = await start(
        (_, response) => void stream(response, 'id: 1\ndata: \n\n').end(),
      );
      transport.setProtocolVersion?.(MODERN, 'modern');
      transport.send(modern(1, 'tools/call', { name: 'x' }));
      await sink.until((seen) => seen.lost.length === 1);
      expect(fixture.seen).toHaveLength(1);
    });
  });
});
