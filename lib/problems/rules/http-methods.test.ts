import { describe, expect, test } from 'vitest';
import { asked, type FrameSeed, got, sent } from '@/lib/store/test-frames';
import {
  ask,
  complete,
  exchanged,
  http,
  inSession,
  legacy,
  modern,
  posted,
  problemsIn,
  requested,
  responded,
} from '../test-sessions';

const found = (frames: readonly FrameSeed[]) => problemsIn(frames).map(({ rule, message }) => `${rule}: ${message}`);
const old = legacy({ transport: 'http' });
const STREAM = 'text/event-stream';

describe('GET', () => {
  test.each<[status: number, type: string | undefined, problem?: string]>([
    [200, STREAM],
    [200, `${STREAM}; charset=utf-8`],
    [405, undefined],
    [401, undefined, 'challenge-missing: The response has no WWW-Authenticate.'],
    [503, undefined],
    [307, undefined],
    [404, 'text/html', 'get-status: GET was answered with HTTP 404, expected text/event-stream or HTTP 405.'],
    [501, undefined, 'get-status: GET was answered with HTTP 501, expected text/event-stream or HTTP 405.'],
    [
      200,
      'text/html',
      'get-status: GET was answered with HTTP 200 and "text/html", expected text/event-stream or HTTP 405.',
    ],
    [
      204,
      undefined,
      'get-status: GET was answered with HTTP 204 and no Content-Type, expected text/event-stream or HTTP 405.',
    ],
  ])('answered with HTTP %d and %s', (status, type, problem) => {
    const frames = requested(8, 'GET', status, { ...(type !== undefined && { type }) });
    expect(found([...old, ...frames])).toEqual(problem === undefined ? [] : [problem]);
  });

  test('answered with HTTP 404 ends a session, which must not go on', () => {
    const gone = requested(8, 'GET', 404, { session: 1 });
    const ping = exchanged(9, asked(9, 'ping'), 1, { status: 202 });
    const rules = (frames: readonly FrameSeed[]) => problemsIn(frames).map(({ rule }) => rule);
    expect(rules([...inSession(1), ...gone])).not.toContain('get-status');
    expect(rules([...inSession(1), ...gone, ...ping])).toContain('get-status');
    expect(rules([...inSession(1), ...ping, ...gone])).not.toContain('get-status');
  });

  test('to a server of 2024-11-05, or before a version is known, may fail', () => {
    expect(found([...legacy({ transport: 'http', version: '2024-11-05' }), ...requested(8, 'GET', 404)])).toEqual([]);
    expect(found([old[0]!, ...requested(8, 'GET', 404)])).toEqual([]);
  });

  test('to a modern server gets HTTP 405', () => {
    const now = modern({ transport: 'http' });
    expect(found([...now, ...requested(8, 'DELETE', 405)])).toEqual([]);
    expect(found([...now, ...requested(8, 'DELETE', 204)])).toEqual([
      'removed-method-status: DELETE was answered with HTTP 204, expected 405.',
    ]);
  });
});

describe('a session that has ended', () => {
  const ping = (id: number, status: number) => exchanged(id, asked(id, 'ping'), 1, { status });
  const ended = [...inSession(1), ...requested(8, 'DELETE', 204, { session: 1 })];
  const statuses = (frames: readonly FrameSeed[]) =>
    problemsIn(frames)
      .filter(({ rule }) => rule === 'session-end-status')
      .map(({ message }) => message);
  const body = (text: string) => http({ kind: 'body', exchange: 9, bytes: text.length, text });

  test('is answered with HTTP 404 after DELETE', () => {
    expect(statuses([...ended, ...ping(9, 404)])).toEqual([]);
    expect(statuses([...ended, ...ping(9, 200)])).toEqual([
      'A session that DELETE has ended was answered with HTTP 200, expected 404.',
    ]);
  });

  test('goes on if the server refuses DELETE', () => {
    const refused = [...inSession(1), ...requested(8, 'DELETE', 405, { session: 1 })];
    expect(statuses([...refused, ...ping(9, 200)])).toEqual([]);
  });

  test.each([
    ['Session not found', 1],
    ['Bad Request: No valid session ID provided', 1],
    ['{"error":"Unknown session id"}', 1],
    ['Invalid JSON', 0],
    ['The session has too many requests', 0],
  ])('is recognised by the words %j', (text, count) => {
    expect(statuses([...inSession(1), ...ping(9, 400), body(text)])).toHaveLength(count);
    const error = got({ jsonrpc: '2.0', id: 9, error: { code: -32000, message: text } });
    const framed = [...ping(9, 400), http({ kind: 'body', exchange: 9, bytes: 1 }), error];
    expect(statuses([...inSession(1), ...framed])).toHaveLength(count);
  });
});

describe('headers of requests', () => {
  const post = (headers: Record<string, string | undefined>, version?: '2025-03-26') => [
    ...legacy({ transport: 'http', ...(version && { version }) }),
    ...posted(9, headers, asked(9, 'ping')),
  ];

  test.each<[Record<string, string | undefined>, string[]]>([
    [{}, []],
    [{ Accept: 'TEXT/event-stream; q=0.5,application/json' }, []],
    [{ Accept: '*/*' }, ['accept-header: Accept is "*/*", expected application/json and text/event-stream.']],
    [{ Accept: undefined }, ['accept-header: Accept is missing, expected application/json and text/event-stream.']],
    [
      { 'MCP-Protocol-Version': undefined },
      ['version-header-missing: The request was sent without MCP-Protocol-Version.'],
    ],
    [
      { 'MCP-Protocol-Version': '2025-06-18' },
      ['version-header-differs: MCP-Protocol-Version is "2025-06-18", negotiated is 2025-11-25.'],
    ],
  ])('%j', (headers, problems) => {
    expect(found(post(headers))).toEqual(problems);
  });

  test('before 2025-06-18 name no version', () => {
    expect(found(post({ 'MCP-Protocol-Version': undefined }, '2025-03-26'))).toEqual([]);
  });

  test('with a version that does not exist must be refused', () => {
    const answeredWith = (version: string, status: number) =>
      found([...post({ 'MCP-Protocol-Version': version }), ...responded(9, status, { 'content-type': STREAM })]);
    const rules = (found: readonly string[]) => found.map((text) => text.split(':')[0]);
    expect(rules(answeredWith('1.0', 400))).toEqual(['version-header-differs']);
    expect(rules(answeredWith('1.0', 200))).toEqual(['version-header-differs', 'version-header-accepted']);
    expect(rules(answeredWith('2024-10-07', 200))).toEqual(['version-header-differs']);
  });
});

describe('a modern server', () => {
  const now = modern({ transport: 'http' });
  const headers = (name: string) => ({
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': name,
  });
  const call = (header: string, name: string) => [
    ...now,
    ...posted(9, headers(header), ask(9, 'tools/call', { name })),
    ...responded(9, 200, { 'content-type': 'application/json' }, complete(9, { content: [] })),
  ];

  test('decodes names in headers', () => {
    expect(found(call('=?base64?w6Q=?=', 'ä'))).toEqual([]);
    expect(found(call('a', 'a'))).toEqual([]);
  });

  test('refuses a request that its headers contradict', () => {
    expect(found(call('=?base64?w6Q=?=', 'ö'))).toEqual([
      'header-mismatch: Mcp-Name is "=?base64?w6Q=?=", expected "ö".',
      'header-mismatch-accepted: Mcp-Name is "=?base64?w6Q=?=", expected "ö".',
    ]);
  });

  test('refuses a request without _meta with HTTP 400', () => {
    const bare = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
    const refusal = got({ jsonrpc: '2.0', id: 9, error: { code: -32602, message: 'no _meta' } });
    const refused = (status: number) =>
      problemsIn([
        ...now,
        ...posted(9, bare, asked(9, 'tools/list', {})),
        ...responded(9, status, { 'content-type': 'application/json' }, refusal),
      ]).filter(({ rule }) => rule === 'http-error-status');
    expect(refused(400)).toEqual([]);
    expect(refused(200)).toMatchObject([{ message: 'Error -32602 was sent with HTTP 200, expected 400.' }]);
  });
});

test('a tapped session over HTTP+SSE has rules of its own', () => {
  const ping = posted(9, { Accept: undefined, 'MCP-Protocol-Version': undefined }, asked(9, 'ping'));
  const accepted = [
    ...responded(9, 202, {}),
    http({ kind: 'body', exchange: 9, bytes: 8, text: 'Accepted' }),
    http({ kind: 'sse', exchange: 8 }),
    got({ jsonrpc: '2.0', id: 9, result: {} }),
  ];
  const stream = requested(8, 'GET', 200, { type: STREAM });
  const endpoint = http({ kind: 'sse', exchange: 8, event: 'endpoint', data: '/messages?session=1' });
  const [start, ...opened] = legacy({ transport: 'http', version: '2024-11-05' });
  expect(found([start!, ...stream, endpoint, ...opened, ...ping, ...accepted])).toEqual([]);
});

test('a notification that is accepted has no body', () => {
  const note = posted(9, {}, sent({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }));
  const accepted = (text: string) => [
    ...old,
    ...note,
    ...responded(9, 202, {}),
    http({ kind: 'body', exchange: 9, bytes: text.length, text }),
  ];
  expect(found(accepted(''))).toEqual([]);
  expect(found(accepted('Accepted'))).toEqual(['accepted-body: HTTP 202 for the notification has a body: "Accepted".']);
});
