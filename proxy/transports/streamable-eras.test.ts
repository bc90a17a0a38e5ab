import { describe, expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { fastClock, request } from './fixtures/hostile';
import { event, json, result, stream, text } from './fixtures/http-fixture';
import { startStreamable } from './fixtures/http-transports';
import { handshake, legacy } from './fixtures/legacy-server';

const open = closedAfterEach();
const start = startStreamable(open);

const MODERN = '2026-07-28';

/** A modern request, as the engine makes it. */
function modern(id: number | string, method: string, params: object = {}): string {
  return request(id as number, method, { ...params, _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN } });
}

describe('the legacy session', () => {
  test('its id and the version go with everything after initialize, and DELETE ends it', async () => {
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

  test('a GET stream that is refused with 405 is not asked for again', async () => {
    const { fixture, transport, sink } = await start(
      legacy(() => {}),
      { clock: fastClock },
    );
    await handshake(transport, sink);
    await sink.until((seen) => seen.http.some((frame) => frame.kind === 'response' && frame.status === 405));
    await transport.close();
    expect(fixture.of('GET')).toHaveLength(1);
  });

  test('404 with a session is told once, and the next initialize goes without it', async () => {
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

  test('404 without a session is nothing but a refusal', async () => {
    const { transport, sink } = await start((_, response) => text(response, '', 404));
    transport.send(request(1, 'tools/list'));
    await sink.until((seen) => seen.lost.length === 1);
    expect(sink.sessionsLost).toBe(0);
  });

  test('a DELETE that is never answered does not keep us', async () => {
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
  test('headers repeat the message; no session, no GET, no DELETE', async () => {
    const { fixture, transport, sink } = await start(({ message }, response) =>
      json(response, result(message?.id, {}), 200, { 'mcp-session-id': 'ignored' }),
    );
    transport.send(modern('probe', 'server/discover'));
    transport.negotiated?.(MODERN, 'modern');
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

  test('arguments travel in headers as the tool list wants it', async () => {
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
    transport.negotiated?.(MODERN, 'modern');
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

  test('cancelling closes the response and sends nothing', async () => {
    let closed = false;
    const { fixture, transport, sink } = await start((_, response) => {
      stream(response, ': working\n');
      response.on('close', () => {
        closed = true;
      });
    });
    transport.negotiated?.(MODERN, 'modern');
    transport.send(modern(7, 'tools/call', { name: 'slow' }));
    await sink.until((seen) => seen.http.some(({ kind }) => kind === 'sse'));
    expect(transport.cancel(7)).toBe(true);
    await fixture.until(() => closed);
    expect(fixture.seen).toHaveLength(1);
    expect(sink.http.at(-1)).toEqual({ kind: 'end', exchange: 1, by: 'client', cancelled: [7] });
    expect(sink.lost).toEqual([]);
  });

  test('a lost stream is a lost request, whatever ids its events had', async () => {
    const { fixture, transport, sink } = await start((_, response) => void stream(response, 'id: 1\ndata: \n\n').end());
    transport.negotiated?.(MODERN, 'modern');
    transport.send(modern(1, 'tools/call', { name: 'x' }));
    await sink.until((seen) => seen.lost.length === 1);
    expect(fixture.seen).toHaveLength(1);
  });
});
