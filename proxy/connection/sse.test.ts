import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { request } from './fixtures/hostile';
import {
  type Answer,
  event,
  type HttpFixture,
  json,
  result,
  sseTo,
  startHttp,
  stream,
  text,
} from './fixtures/http-fixture';

const open = closedAfterEach();

async function start(answer: Answer, options: Parameters<typeof sseTo>[1] = {}) {
  const fixture: HttpFixture = await startHttp(answer);
  const made = sseTo(`${fixture.origin}/base/sse`, options);
  open.push(fixture, made.transport);
  return { fixture, ...made };
}

/** A server whose stream names `endpoint`, and whose POSTs `post` answers. */
function server(endpoint: string, post: (answers: ServerResponse) => Answer = () => () => {}): Answer {
  let answers: ServerResponse;
  return (seen, response) => {
    if (seen.method === 'GET') answers = stream(response, `event: endpoint\ndata: ${endpoint}\n\n`);
    else post(answers)(seen, response);
  };
}

const accept: (answers: ServerResponse) => Answer =
  (answers) =>
  ({ message }, response) => {
    response.writeHead(202).end('Accepted');
    answers.write(event(result(message?.id, {})));
  };

describe('the endpoint', () => {
  test.each([
    ['/messages?sessionId=1', '/messages?sessionId=1'],
    ['messages', '/base/messages'],
    ['?s=1', '/base/sse?s=1'],
  ])('%s is resolved against the stream’s URL', async (said, path) => {
    const { fixture, transport, sink } = await start(server(said, accept));
    await transport.open();
    transport.send(request(1, 'ping'));
    await sink.until((seen) => seen.messages.length === 1);
    expect(fixture.of('ping')[0]).toMatchObject({ url: path, headers: { 'content-type': 'application/json' } });
    expect(sink.http).toContainEqual({
      kind: 'sse',
      exchange: 1,
      event: 'endpoint',
      data: said.replace(/(sessionId=).*/, '$1•••'),
    });
    expect(sink.framesOf('protocol')).toHaveLength(1);
  });

  test('may be an absolute URL of the same origin', async () => {
    let endpoint = '';
    const { fixture, transport, sink } = await start((seen, response) => {
      if (seen.method === 'GET') stream(response, `event: endpoint\ndata: ${endpoint}\n\n`);
      else response.writeHead(202).end();
    });
    endpoint = `${fixture.origin}/absolute`;
    await transport.open();
    transport.send(request(1, 'ping'));
    await fixture.until(() => fixture.of('ping').length === 1);
    expect(fixture.of('ping')[0]!.url).toBe('/absolute');
    expect(sink.ends).toEqual([]);
  });

  test.each([
    'http://evil.example/messages',
    '//evil.example/messages',
    'https://127.0.0.1/messages',
    'http://127.0.0.1:1/messages',
    'http:\\\\evil.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://[',
  ])('may not be %s, which gets no request', async (said) => {
    const { fixture, transport, sink } = await start(server(said));
    await expect(transport.open()).rejects.toMatchObject({ code: 'endpoint-refused' });
    expect(fixture.seen).toHaveLength(1);
    expect(() => transport.send('{}')).toThrow(expect.objectContaining({ code: 'not-connected' }));
    expect(sink.ends).toEqual([]);
  });

  test('is refused after a redirect, because our secrets would be sent there', async () => {
    const other = await startHttp(server('/messages'));
    const { transport } = await start(
      (_, response) => response.writeHead(307, { Location: `${other.origin}/sse` }).end(),
      { headers: [['X-Api-Key', 's3cret']] },
    );
    open.push(other);
    await expect(transport.open()).rejects.toMatchObject({ code: 'endpoint-refused' });
    expect(other.seen.map(({ method }) => method)).toEqual(['GET']);
    expect(JSON.stringify(other.seen[0]!.headers)).not.toContain('s3cret');
  });

  test('is taken from the first event only', async () => {
    const { fixture, transport, sink } = await start(
      server('/one', (answers) => (seen, response) => {
        answers.write('event: endpoint\ndata: /two\n\n');
        accept(answers)(seen, response);
      }),
    );
    await transport.open();
    for (const id of [1, 2]) {
      transport.send(request(id, 'ping'));
      await sink.until((seen) => seen.messages.length === id);
    }
    expect(fixture.of('ping').map(({ url }) => url)).toEqual(['/one', '/one']);
  });

  test('fails the connection if it never comes', async () => {
    const clock = new FakeClock();
    const { fixture, transport } = await start((_, response) => void stream(response, ': wait\n'), { clock });
    const opening = transport.open();
    await fixture.until(() => fixture.seen.length === 1);
    clock.advance(30_000);
    await expect(opening).rejects.toMatchObject({ code: 'get-unanswered' });
  });

  test('is waited for as long as the caller allows', async () => {
    const clock = new FakeClock();
    const { transport, sink } = await start((_, response) => void stream(response, ': wait\n'), { clock });
    const opening = transport.open(3000);
    await sink.until((seen) => seen.http.some(({ kind }) => kind === 'response'));
    clock.advance(3000);
    await expect(opening).rejects.toMatchObject({
      code: 'no-endpoint',
      message: 'The server opened an event stream, but sent no endpoint event within 3 seconds.',
    });
  });
});

test.each<[string, Answer, string]>([
  ['404', (_, response) => text(response, '<h1>', 404), 'http-not-found'],
  ['401', (_, response) => text(response, '', 401), 'http-unauthorized'],
  ['405', (_, response) => text(response, '', 405), 'http-method'],
  ['HTML', (_, response) => text(response, '<html>'), 'not-mcp'],
  ['JSON', (_, response) => json(response, {}), 'not-mcp'],
  ['an empty stream', (_, response) => void stream(response).end(), 'no-endpoint'],
])('fails the connection on %s instead of a stream', async (_what, answer, code) => {
  const { transport } = await start(answer);
  await expect(transport.open()).rejects.toMatchObject({ code });
});

describe('once open', () => {
  test('the loss of the stream ends the connection, after its last message', async () => {
    const { transport, sink } = await start(
      server('/m', (answers) => (_, response) => {
        response.writeHead(202).end();
        answers.end(event(result(1, 'last')));
      }),
    );
    await transport.open();
    transport.send(request(1, 'ping'));
    await sink.until((seen) => seen.ends.length === 1);
    expect(sink.messages).toEqual([JSON.stringify(result(1, 'last'))]);
    expect(sink.ends[0]!.failure).toMatchObject({ code: 'stream-lost' });
  });

  test('a cut connection ends it too', async () => {
    const { transport, sink } = await start(server('/m', (answers) => () => void answers.destroy()));
    await transport.open();
    transport.send(request(1, 'ping'));
    await sink.until((seen) => seen.ends.length === 1);
    expect(sink.ends[0]!.failure).toMatchObject({ code: 'stream-lost' });
    expect(sink.http).toContainEqual(expect.objectContaining({ kind: 'end', exchange: 1, by: 'failure' }));
  });

  test('silence for an hour changes nothing, and closing does not wait', async () => {
    const clock = new FakeClock();
    const { transport, sink } = await start(server('/m', accept), { clock });
    await transport.open();
    expect(clock.waiting).toBe(0);
    clock.advance(60 * 60_000);
    transport.send(request(1, 'ping'));
    await sink.until((seen) => seen.messages.length === 1);
    expect(sink.ends).toEqual([]);
  });

  test('closing it ourselves is not a failure', async () => {
    const { transport, sink } = await start(server('/m'));
    await transport.open();
    await transport.close();
    expect(sink.ends).toEqual([{ code: null, signal: null }]);
  });

  test('a refused POST fails its request at once', async () => {
    const { transport, sink } = await start(server('/m', () => (_, response) => text(response, 'no session', 400)));
    await transport.open();
    transport.send(request(1, 'ping'));
    await sink.until((seen) => seen.lost.length === 1);
    expect(sink.lost[0]).toMatchObject({ id: 1, why: { code: 'http-refused', status: 400 } });
    expect(sink.ends).toEqual([]);
  });

  test('the body of a 202 is logged and is not a message', async () => {
    const { transport, sink } = await start(server('/m', accept));
    await transport.open();
    transport.send(request(1, 'ping'));
    await sink.until((seen) => seen.http.some((frame) => frame.kind === 'body') && seen.messages.length === 1);
    expect(sink.http).toContainEqual({ kind: 'body', exchange: 2, bytes: 8, text: 'Accepted' });
    expect(sink.lost).toEqual([]);
  });
});
