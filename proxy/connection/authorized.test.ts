import { describe, expect, test } from 'vitest';
import type { AuthorizationRefusal, HttpAuthorizer } from '@/lib/transports/challenge';
import { AUTHORIZATIONS } from '@/lib/transports/http-exchange';
import type { Headers } from '@/lib/transports/http-link';
import { RefusedError } from '@/lib/transports/transport';
import { closedAfterEach } from '@/lib/wire/test-closing';
import {
  type Answer,
  event,
  initialized,
  json,
  openStreamable,
  result,
  type Seen,
  sseTo,
  startHttp,
  stream,
} from './fixtures/http-fixture';

const open = closedAfterEach();

async function serve(answer: Answer) {
  const fixture = await startHttp(answer);
  open.push(fixture);
  return fixture;
}

/** Returns the next token each time and stores the requests. */
class Tokens implements HttpAuthorizer {
  readonly refusals: AuthorizationRefusal[] = [];
  readonly waiting = false;
  closed = 0;
  #token = 0;

  constructor(readonly refuses = false) {}

  headers(): Headers {
    return this.#token === 0 ? [] : [['Authorization', `Bearer ${this.#token}`]];
  }

  async authorize(refusal: AuthorizationRefusal): Promise<void> {
    this.refusals.push(refusal);
    if (this.refuses) throw new RefusedError(401, { code: 'no', message: 'No.', advice: 'None.' });
    this.#token++;
  }

  cancelSignIn(): boolean {
    return false;
  }

  close(): void {
    this.closed++;
  }
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

function refuse(response: Parameters<Answer>[1], status = 401, challenge = 'Bearer scope="s"'): void {
  json(response, { error: 'no' }, status, { 'www-authenticate': challenge });
}

/** Accepts requests with a token. */
function behind(answer: Answer): Answer {
  return (seen: Seen, response) => {
    if (seen.headers.authorization === undefined) refuse(response);
    else answer(seen, response);
  };
}

describe('Streamable HTTP', () => {
  test('sends a refused message again, within its exchange', async () => {
    const server = await serve(behind(({ message }, response) => json(response, result(message!.id, {}))));
    const authorizer = new Tokens();
    const { transport, sink } = await openStreamable(server.origin, { authorizer });
    open.push(transport);
    transport.send(PING);
    await sink.until(() => sink.messages.length > 0);
    expect(server.seen.map(({ text }) => text)).toEqual([PING, PING]);
    const around = sink.http.filter(({ kind }) => kind !== 'socket');
    expect(around.map(({ kind, exchange }) => `${kind} ${exchange}`)).toEqual([
      'request 1',
      'response 1',
      'body 1',
      'request 1',
      'response 1',
      'body 1',
    ]);
    expect(sink.lines('protocol', 'to-server')).toEqual([PING]);
    expect(authorizer.refusals).toMatchObject([{ status: 401, challenge: { scope: 's' }, sent: undefined, before: 0 }]);
    expect(JSON.stringify(sink.http)).not.toContain('Bearer 1');
  });

  test('stops resending a request that is refused every time', async () => {
    const server = await serve((_, response) => refuse(response));
    const authorizer = new Tokens();
    const { transport, sink } = await openStreamable(server.origin, { authorizer });
    open.push(transport);
    transport.send(PING);
    await sink.until(() => sink.lost.length > 0);
    expect(server.seen).toHaveLength(AUTHORIZATIONS + 1);
    expect(authorizer.refusals.map(({ before }) => before)).toEqual([0, 1, 2]);
    expect(sink.lost[0]!.why).toMatchObject({ code: 'http-unauthorized', status: 401 });
  });

  test('authorizes again if the token’s scope is too narrow, but not for another 403', async () => {
    const server = await serve((_, response) => refuse(response, 403, 'Bearer error="insufficient_scope", scope="s"'));
    const plain = await serve((_, response) => refuse(response, 403, 'Bearer error="invalid_token"'));
    for (const [url, asked] of [
      [server.origin, 3],
      [plain.origin, 0],
    ] as const) {
      const authorizer = new Tokens();
      const { transport, sink } = await openStreamable(url, { authorizer });
      open.push(transport);
      transport.send(PING);
      await sink.until(() => sink.lost.length > 0);
      expect(authorizer.refusals).toHaveLength(asked);
    }
  });

  test('does not authorize at another origin after a redirect', async () => {
    const other = await serve((_, response) => refuse(response));
    const server = await serve((_, response) => response.writeHead(307, { location: other.origin }).end());
    const authorizer = new Tokens();
    const { transport, sink } = await openStreamable(server.origin, { authorizer });
    open.push(transport);
    transport.send(PING);
    await sink.until(() => sink.lost.length > 0);
    expect(authorizer.refusals).toEqual([]);
  });

  test('authorizes the listening stream, and gives it up if that fails', async () => {
    for (const refuses of [false, true]) {
      const server = await serve(({ method, message, headers }, response) => {
        if (method === 'GET' && headers.authorization === undefined) refuse(response);
        else if (method === 'GET') stream(response, event({ jsonrpc: '2.0', method: 'notifications/hi' }));
        else if (message?.method === 'initialize') json(response, initialized(message.id));
        else response.writeHead(202).end();
      });
      const authorizer = new Tokens(refuses);
      const { transport, sink } = await openStreamable(server.origin, { authorizer });
      open.push(transport);
      transport.send('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}');
      await sink.until(() => sink.messages.length > 0);
      transport.setProtocolVersion('2025-11-25', 'legacy');
      transport.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
      const ended = () => sink.http.some(({ kind }) => kind === 'end');
      await sink.until(() => (refuses ? ended() : sink.lines('protocol').some((line) => line.includes('hi'))));
      expect(server.of('GET')).toHaveLength(refuses ? 1 : 2);
    }
  });

  test('closing closes the authorizer', async () => {
    const server = await serve((_, response) => refuse(response));
    const authorizer = new Tokens();
    const { transport } = await openStreamable(server.origin, { authorizer });
    await transport.close();
    expect(authorizer.closed).toBe(1);
  });
});

test('HTTP+SSE authorizes the stream and the messages', async () => {
  const server = await serve(
    behind(({ method, headers }, response) => {
      if (method === 'GET') stream(response, 'event: endpoint\ndata: /messages\n\n');
      else if (headers.authorization === 'Bearer 1') refuse(response);
      else response.writeHead(202).end();
    }),
  );
  const authorizer = new Tokens();
  const { transport, sink } = sseTo(`${server.origin}/sse`, { authorizer });
  await transport.open();
  open.push(transport);
  transport.send(PING);
  await server.until(() => server.of('ping').length === 2);
  await sink.until(() => sink.http.filter(({ kind }) => kind === 'response').length === 4);
  expect(server.seen.map(({ method, headers }) => `${method} ${headers.authorization}`)).toEqual([
    'GET undefined',
    'GET Bearer 1',
    'POST Bearer 1',
    'POST Bearer 2',
  ]);
});
