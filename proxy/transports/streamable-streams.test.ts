import { describe, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { FakeClock } from '@/lib/wire/test-clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { request } from './fixtures/hostile';
import { event, result, stream } from './fixtures/http-fixture';
import { startStreamable } from './fixtures/http-transports';
import { handshake, legacy } from './fixtures/legacy-server';

const open = closedAfterEach();
const start = startStreamable(open);

describe('event streams', () => {
  test('events become messages; ids, retry, comments and other events are shown', async () => {
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

  test('characters cut by chunks are whole, bytes that are no UTF-8 stay exact, a BOM is skipped', async () => {
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
    await sink.until((seen) => seen.of('protocol').length === 1);
    const data = bytes.subarray(bytes.indexOf('{'), bytes.length - 2);
    expect(Buffer.from(sink.of('protocol')[0]!.bytes).equals(data)).toBe(true);
  });

  test('one that the server closes early is resumed after its retry, from its last event', async () => {
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

  test('a response to a cancelled request that the server leaves open is let go after a while', async () => {
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
    await clock.pass(LIMITS.cancelledMs);
    await over;
  });

  test('the wait for a resumption is what the server asked for', async () => {
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

  test('a resumption that is refused gives the request up', async () => {
    const { transport, sink } = await start(
      legacy((_, response) => void stream(response, 'id: 1\nretry: 20\ndata: \n\n').end()),
    );
    await handshake(transport, sink);
    transport.send(request(1, 'tools/call'));
    await sink.until((seen) => seen.lost.length === 1);
    expect(sink.lost[0]!.why).toMatchObject({ code: 'http-method', status: 405 });
    expect(sink.http.at(-1)).toMatchObject({ kind: 'end', unanswered: [1] });
  });

  test('silence for an hour ends neither an answer nor the listening stream', async () => {
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

  test('the listening stream is opened again when the server ends it', async () => {
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
