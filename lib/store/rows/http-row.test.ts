import { describe, expect, test } from 'vitest';
import type { HttpFrame, SocketFrame } from '@/lib/wire/http-frame';
import { Log } from '../log';
import { VisibleRows } from './visible-rows';

type Line = readonly ['http', HttpFrame] | readonly ['to-server' | 'to-client' | 'lifecycle', object];

function logOf(...lines: Line[]): Log {
  const log = new Log('c');
  log.append(
    lines.map(([what, value], index) => ({
      seq: index + 1,
      time: index,
      channel: what === 'http' || what === 'lifecycle' ? what : ('protocol' as const),
      direction: what === 'to-server' ? ('to-server' as const) : ('to-client' as const),
      flags: 0,
      bytes: new TextEncoder().encode(JSON.stringify(value)),
    })),
  );
  return log;
}

const FRAME = { time: 9, direction: 'to-client', flags: 0 } as const;

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } };
const answer = { jsonrpc: '2.0', id: 1, result: {} };

const post: HttpFrame = {
  kind: 'request',
  exchange: 1,
  method: 'POST',
  url: 'http://h/mcp?a=1#x',
  headers: [['MCP-Protocol-Version', '2025-11-25']],
  bytes: 2,
};
const get: HttpFrame = { ...post, exchange: 2, method: 'GET', bytes: 0 };
const answerOf = (status: number, type = 'application/json', exchange = 1): HttpFrame => ({
  kind: 'response',
  exchange,
  status,
  headers: [['Content-Type', type]],
});

function socket(over: Partial<SocketFrame> = {}): SocketFrame {
  const place = { host: 'h', port: 443, addresses: ['192.0.2.1'], address: '192.0.2.1' };
  return { kind: 'socket', exchange: 1, ...place, ...over };
}

const broken = (step: 'tcp' | 'tls', code: string) => socket({ failure: { step, code, message: 'no' } });

describe('rows', () => {
  test.each<[HttpFrame, string, string | undefined]>([
    [post, 'POST /mcp?a=1', undefined],
    [{ ...get, headers: [['Last-Event-ID', '7']] }, 'GET /mcp?a=1', 'resumes after event 7'],
    [{ ...post, url: 'http://h' }, 'POST /', undefined],
    [answerOf(200, 'text/html'), 'response', 'text/html'],
    [answerOf(200, 'Text/Event-Stream; charset=utf-8'), 'stream opened', 'Text/Event-Stream; charset=utf-8'],
    [{ kind: 'response', exchange: 1, status: 405, headers: [] }, 'response', undefined],
    [{ kind: 'response', exchange: 1, status: 0, headers: [] }, 'redirect', 'browsers hide its target'],
    [
      { kind: 'cors-probe', exchange: 1, method: 'GET', asks: 'reachable', passed: true },
      'CORS check',
      'does the server answer GET at all? yes',
    ],
    [
      { kind: 'cors-probe', exchange: 1, method: 'POST', asks: 'readable', passed: true, status: 406 },
      'CORS check',
      'may this page read the answer to a plain POST? yes (HTTP 406)',
    ],
    [
      { kind: 'cors-probe', exchange: 1, method: 'POST', asks: { header: 'authorization' }, passed: false },
      'CORS check',
      'may this page send authorization with POST? no',
    ],
    [{ kind: 'response', exchange: 1, status: 307, headers: [['Location', '/b']] }, 'redirect', '/b'],
    [socket(), 'connected', 'h at 192.0.2.1 port 443'],
    [socket({ host: '192.0.2.1' }), 'connected', '192.0.2.1 port 443'],
    [socket({ tls: { protocol: 'TLSv1.3', verified: true } }), 'connected', 'h at 192.0.2.1 port 443, TLSv1.3'],
    [
      socket({ tls: { protocol: 'TLSv1.3', verified: false } }),
      'connected',
      'h at 192.0.2.1 port 443, TLSv1.3, certificate NOT verified',
    ],
    [
      socket({ httpProxy: { url: 'http://p:3128', variable: 'HTTP_PROXY', target: '192.0.2.1:443', status: 200 } }),
      'connected',
      'h at 192.0.2.1 port 443 by the HTTP proxy http://p:3128',
    ],
    [
      socket({
        address: undefined,
        httpProxy: { url: 'http://p:3128', variable: 'HTTP_PROXY', target: 'h:443', status: 403 },
        failure: { step: 'proxy', code: 'proxy-refused', message: 'no' },
      }),
      'no tunnel',
      'h port 443 by the HTTP proxy http://p:3128: proxy-refused',
    ],
    [broken('tls', 'CERT_HAS_EXPIRED'), 'no TLS', 'h at 192.0.2.1 port 443: CERT_HAS_EXPIRED'],
    [broken('tcp', 'ECONNREFUSED'), 'not connected', 'h at 192.0.2.1 port 443: ECONNREFUSED'],
    [{ kind: 'body', exchange: 1, bytes: 9 }, 'body', undefined],
    [{ kind: 'body', exchange: 1, bytes: 9, text: '<b>\n no</b>' }, 'body', '<b> no</b>'],
    [{ kind: 'sse', exchange: 1, retry: 500 }, 'stream retry', '500 ms'],
    [{ kind: 'sse', exchange: 1, comment: 'hi' }, 'stream comment', 'hi'],
    [{ kind: 'sse', exchange: 1, id: '7' }, 'stream event', 'id 7'],
    [{ kind: 'sse', exchange: 1 }, 'stream event', undefined],
    [{ kind: 'sse', exchange: 1, event: 'endpoint', data: '/m' }, 'stream event', 'endpoint · /m'],
    [{ kind: 'end', exchange: 1, by: 'server' }, 'stream closed by the server', undefined],
    [{ kind: 'end', exchange: 1, by: 'client' }, 'closed by the client', undefined],
    [{ kind: 'end', exchange: 1, by: 'server', message: 'HTTP 400.' }, 'no MCP response', 'HTTP 400.'],
    [{ kind: 'end', exchange: 1, by: 'failure', message: 'It broke.' }, 'HTTP failed', 'It broke.'],
  ])('%j', (frame, what, about) => {
    const row = logOf(['http', frame]).row(0);
    expect(row).toMatchObject({ kind: 'http', channel: 'http', exchange: frame.exchange });
    expect(row.http).toMatchObject({ kind: frame.kind, what, about });
    expect(row.name).toBe(about === undefined ? what : `${what} ${about}`);
  });

  test('shows the text of unreadable frames', () => {
    const odd = { kind: 'constructor', exchange: 1 } as unknown as HttpFrame;
    expect(logOf(['http', odd]).row(0)).toMatchObject({ name: JSON.stringify(odd), exchange: undefined });
  });
});

describe('an exchange', () => {
  const log = logOf(
    ['http', post],
    ['to-server', call],
    ['http', answerOf(200, 'text/event-stream')],
    ['http', { kind: 'sse', exchange: 1, id: 'e1' }],
    ['to-client', answer],
    ['http', { kind: 'end', exchange: 1, by: 'server' }],
    ['to-client', { jsonrpc: '2.0', method: 'notifications/x' }],
  );

  test('knows its frames and messages', () => {
    expect(log.httpExchange(1)).toMatchObject({
      requests: [1],
      responses: [3],
      statuses: [200],
      streams: true,
      ends: [6],
      messages: [2, 5],
    });
    expect([1, 2, 3, 4, 5, 6, 7].map((seq) => log.row(seq - 1).exchange)).toEqual([1, 1, 1, 1, 1, 1, undefined]);
  });

  test('shows status and duration on its rows', () => {
    expect(log.row(0)).toMatchObject({ http: { status: 200, bytes: 2, ended: true }, durationUs: 5 });
    expect(log.row(2)).toMatchObject({ http: { status: 200 }, durationUs: 2 });
    expect(log.row(3)).toMatchObject({ http: { status: undefined }, durationUs: undefined });
    expect(log.row(5)).toMatchObject({ durationUs: 5 });
  });

  test('goes on with an open stream, and ends with an empty response', () => {
    const open = logOf(['http', get], ['http', answerOf(200, 'text/event-stream', 2)]);
    expect(open.row(0)).toMatchObject({ http: { ended: false, status: 200 }, durationUs: undefined });
    const empty = logOf(['http', post], ['to-server', call], ['http', answerOf(202)]);
    expect(empty.row(0).durationUs).toBe(2);
  });

  test('has a response for each request of a redirect', () => {
    const moved = logOf(
      ['http', post],
      ['http', { kind: 'response', exchange: 1, status: 307, headers: [['Location', '/b']] }],
      ['http', { ...post, url: 'http://h/b' }],
      ['http', answerOf(200)],
    );
    expect([0, 1, 2, 3].map((index) => moved.row(index).http?.status)).toEqual([307, 307, 200, 200]);
  });

  test('is not ended by request bodies and earlier attempts', () => {
    const body: HttpFrame = { kind: 'body', exchange: 1, bytes: 3, text: 'a=1' };
    const sent = logOf(['http', post], ['http', body]);
    expect(sent.row(0)).toMatchObject({ http: { ended: false, status: undefined }, durationUs: undefined });
    const again = logOf(['http', post], ['http', answerOf(401)], ['http', body], ['http', post]);
    expect(again.row(0)).toMatchObject({ http: { status: 401 }, durationUs: 1 });
    expect(again.row(3)).toMatchObject({ http: { status: undefined, ended: false }, durationUs: undefined });
  });

  test('keeps the session of the first response until it is lost', () => {
    const session: HttpFrame = { kind: 'response', exchange: 1, status: 200, headers: [['mcp-session-id', '•••']] };
    expect(logOf(['http', post], ['http', session]).state.http).toEqual({
      version: '2025-11-25',
      sessionSeq: 2,
    });
    const lost = ['lifecycle', { event: 'session-lost' }] as const;
    expect(logOf(['http', session], ['http', session]).state.http.sessionSeq).toBe(1);
    expect(logOf(['http', session], lost, ['http', session]).state.http.sessionSeq).toBe(3);
  });
});

describe('severity', () => {
  test.each<[HttpFrame, string | undefined]>([
    [answerOf(200), undefined],
    [answerOf(400), 'error'],
    [answerOf(502), 'error'],
    [answerOf(401), 'warn'],
    [socket(), undefined],
    [broken('tcp', 'ECONNREFUSED'), 'warn'],
    [socket({ tls: { verified: true } }), undefined],
    [socket({ tls: { verified: false } }), 'warn'],
    [{ kind: 'end', exchange: 1, by: 'client' }, undefined],
    [{ kind: 'end', exchange: 1, by: 'failure', message: 'x' }, 'error'],
    [{ kind: 'end', exchange: 1, by: 'server', unanswered: [1] }, 'error'],
  ])('for a POST: %j', (frame, severity) => {
    const log = logOf(['http', post], ['http', frame]);
    expect(log.row(1).severity).toBe(severity);
    const rows = new VisibleRows(log, undefined, (index) => log.isHttpDetail(index));
    expect(rows.update()).toBe(severity === undefined ? 0 : 1);
  });

  test.each<[HttpFrame, string | undefined]>([
    [answerOf(405, '', 2), undefined],
    [answerOf(404, '', 2), 'error'],
    [{ kind: 'end', exchange: 2, by: 'failure' }, 'warn'],
  ])('for a GET: %j', (frame, severity) => {
    expect(logOf(['http', get], ['http', frame]).row(1).severity).toBe(severity);
  });

  test.each(['no-stream', 'stream-refused'])('is none for a GET that ends with %s', (code) => {
    const end: HttpFrame = { kind: 'end', exchange: 2, by: 'server', code, message: 'The server offers no stream.' };
    const log = logOf(['http', get], ['http', answerOf(404, 'text/html', 2)], ['http', end]);
    expect([log.row(1).severity, log.row(2).severity]).toEqual([undefined, undefined]);
    expect(log.row(2).http).toMatchObject({
      what: 'no stream',
      about: 'The server offers no stream.',
      expectedRefusal: false,
    });
  });

  test('is none for reconnect attempts; the newest attempt is known', () => {
    const attempt: HttpFrame = { ...get, about: 'reconnect' };
    const end: HttpFrame = { kind: 'end', exchange: 2, by: 'failure', message: 'Refused.', retryMs: 1000 };
    const trying = logOf(['http', attempt], ['http', { ...broken('tcp', 'ECONNREFUSED'), exchange: 2 }]);
    expect(trying.state.http.attempt).toEqual({ seq: 1 });
    const failed = logOf(['http', attempt], ['http', end]);
    expect(failed.state.http.attempt).toEqual({ seq: 2, retryMs: 1000, message: 'Refused.' });
    expect([trying.row(1).severity, failed.row(1).severity]).toEqual([undefined, undefined]);
  });

  test('is removed from a refusal in a lost session once there is a new session', () => {
    const end: HttpFrame = { kind: 'end', exchange: 1, by: 'server', code: 'session-lost', unanswered: [1] };
    const lost = [
      ['http', post],
      ['to-server', call],
      ['http', answerOf(404)],
      ['lifecycle', { event: 'session-lost' }],
      ['http', end],
    ] satisfies Line[];
    expect(logOf(...lost).row(1).status).toBe('lost');
    expect(logOf(...lost).row(2).severity).toBe('error');
    const renewed = logOf(...lost, ['lifecycle', { event: 'open', era: 'legacy', version: '2025-11-25' }]);
    expect(renewed.row(1).status).toBe('refused');
    expect([renewed.row(2).severity, renewed.row(4).severity]).toEqual([undefined, undefined]);
  });
});

test('a connection is unreachable between two events and stays open', () => {
  const opened = ['lifecycle', { event: 'open', era: 'legacy', version: '2025-11-25' }] as const;
  const why = { code: 'connection-refused', message: 'Nothing listens there.', advice: 'Start it.' };
  const away = logOf(opened, ['lifecycle', { event: 'unreachable', ...why, retryMs: 500 }]);
  expect(away.state.connection).toMatchObject({ state: 'open', unreachable: { ...why, seq: 2, retryMs: 500 } });
  expect(away.row(1)).toMatchObject({ severity: 'warn', name: 'unreachable: Nothing listens there.' });
  const back = logOf(
    opened,
    ['lifecycle', { event: 'unreachable', ...why, retryMs: 500 }],
    ['lifecycle', { event: 'reachable', attempts: 3 }],
  );
  expect(back.state.connection.unreachable).toBeUndefined();
  expect(back.row(2).name).toBe('reachable: after 3 attempts');
});

describe('a refusal that auto mode expects', () => {
  const probe = { jsonrpc: '2.0', id: 'p', method: 'server/discover' };
  const verdict = { event: 'probe', era: 'legacy', reason: 'x', respawn: false };
  const refusal = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no' } };

  test('over HTTP without an id is not a failure on any row', () => {
    const log = logOf(
      ['http', post],
      ['to-server', probe],
      ['http', answerOf(400)],
      ['http', { kind: 'body', exchange: 1, bytes: 9 }],
      ['to-client', refusal],
      ['http', { kind: 'end', exchange: 1, by: 'server', message: 'x', unanswered: ['p'] }],
      ['lifecycle', verdict],
    );
    expect(log.row(1)).toMatchObject({ status: 'refused', peer: 5 });
    expect(log.row(4)).toMatchObject({ status: 'refused', peer: 2, method: 'server/discover' });
    expect(log.row(2)).toMatchObject({ severity: undefined, http: { expectedRefusal: true } });
    expect(log.row(5).severity).toBeUndefined();
    expect(log.exchange(2)?.status).toBe('refused');
  });

  test('over stdio is not a failure', () => {
    const log = logOf(['to-server', probe], ['to-client', { ...refusal, id: 'p' }], ['lifecycle', verdict]);
    expect([log.row(0).status, log.row(1).status]).toEqual(['refused', 'refused']);
  });

  test('may be of initialize before HTTP+SSE', () => {
    const log = logOf(
      ['http', post],
      ['to-server', { jsonrpc: '2.0', id: 1, method: 'initialize' }],
      ['http', answerOf(404)],
      ['http', { kind: 'end', exchange: 1, by: 'server', unanswered: [1] }],
      ['lifecycle', { event: 'fallback', transport: 'sse', reason: 'x' }],
      ['to-server', { jsonrpc: '2.0', id: 2, method: 'initialize' }],
    );
    expect(log.row(1)).toMatchObject({ status: 'lost', refusedWith: 404 });
    expect(log.state.connection.transport).toBe('sse');
    const open = { event: 'open', era: 'legacy', version: '2024-11-05' };
    log.append([{ ...FRAME, seq: 7, channel: 'lifecycle', bytes: new TextEncoder().encode(JSON.stringify(open)) }]);
    expect([log.row(1).status, log.row(2).severity, log.row(5).status]).toEqual(['refused', undefined, 'pending']);
  });

  test('is neither a result nor a missing response', () => {
    const log = logOf(
      ['to-server', probe],
      ['to-client', { jsonrpc: '2.0', id: 'p', result: {} }],
      ['lifecycle', verdict],
      ['to-server', { ...probe, id: 'q' }],
      ['lifecycle', { event: 'timeout', id: 'q', method: 'server/discover', afterMs: 1 }],
      ['lifecycle', verdict],
    );
    expect([log.row(0).status, log.row(3).status]).toEqual(['ok', 'timeout']);
  });
});

describe('the end of an exchange', () => {
  const end: HttpFrame = { kind: 'end', exchange: 1, by: 'server' };

  test('marks the requests that it names as lost', () => {
    const log = logOf(['to-server', call], ['http', { ...end, unanswered: [1] }]);
    expect(log.exchange(1)?.status).toBe('lost');
  });

  test('marks given-up requests as cancelled', () => {
    const log = logOf(['to-server', call], ['http', { ...end, cancelled: [1] }]);
    expect(log.exchange(1)?.status).toBe('cancelled');
  });

  test('leaves other and answered requests alone', () => {
    const other = logOf(['to-server', call], ['http', { ...end, unanswered: ['1', 2] }]);
    expect(other.exchange(1)?.status).toBe('pending');
    const answered = logOf(['to-server', call], ['to-client', answer], ['http', { ...end, unanswered: [1] }]);
    expect(answered.exchange(1)?.status).toBe('ok');
  });

  test('does not prevent a later response', () => {
    const log = logOf(['to-server', call], ['http', { ...end, unanswered: [1] }], ['to-client', answer]);
    expect(log.exchange(1)).toMatchObject({ status: 'ok', responseSeq: 3 });
  });
});

describe('OAuth', () => {
  const asks: HttpFrame = {
    kind: 'request',
    exchange: 2,
    method: 'GET',
    url: 'https://as.example/.well-known/x',
    headers: [['mcp-protocol-version', '2099-01-01']],
    bytes: 0,
    about: 'authorization',
  };
  const answers = (status: number): HttpFrame => ({ kind: 'response', exchange: 2, status, headers: [] });

  test('shows the host and does not affect connection facts', () => {
    const log = logOf(['http', asks]);
    expect(log.row(0).name).toContain('OAuth, at as.example');
    expect(JSON.stringify(log.state)).not.toContain('2099-01-01');
  });

  test('reports missing metadata not at all, and a refused token as a warning', () => {
    expect(logOf(['http', asks], ['http', answers(404)]).row(1).severity).toBeUndefined();
    expect(logOf(['http', asks], ['http', answers(500)]).row(1).severity).toBe('warn');
    expect(logOf(['http', { ...asks, method: 'POST' }], ['http', answers(400)]).row(1).severity).toBe('warn');
  });
});

describe('failing requests', () => {
  const end: HttpFrame = { kind: 'end', exchange: 1, by: 'failure', message: 'Refused.', unanswered: [1] };
  const again: HttpFrame = { ...post, exchange: 2 };

  test('are reported until one is answered', () => {
    const failing = [['http', post] as const, ['to-server', call] as const, ['http', end] as const];
    expect(logOf(...failing).state.http.failing).toEqual({ seq: 3, code: '', message: 'Refused.' });
    expect(logOf(...failing, ['http', again]).state.http.failing).toBeDefined();
    const answered = [...failing, ['http', again] as const, ['http', answerOf(200, 'application/json', 2)] as const];
    expect(logOf(...answered).state.http.failing).toBeUndefined();
  });

  test.each<[string, HttpFrame, HttpFrame]>([
    ['a stream to listen on', { ...post, method: 'GET' }, end],
    ['signing in', { ...post, about: 'authorization' }, end],
    ['an exchange that we closed', post, { kind: 'end', exchange: 1, by: 'client', message: 'x' }],
  ])('do not include %s', (_what, request, ended) => {
    expect(logOf(['http', request], ['http', ended]).state.http.failing).toBeUndefined();
  });
});
