import { describe, expect, test } from 'vitest';
import { asked, type FrameSeed, got, happened, sent } from '@/lib/store/test-frames';
import { MASK } from '@/lib/wire/http-frame';
import { answeredPing, ask, exchanged, http, inSession, legacy, modern, problemsIn } from '../test-sessions';

/** Returns the findings of the rules about sessions. */
const found = (frames: readonly FrameSeed[]) =>
  problemsIn(frames)
    .filter(({ rule }) => rule.startsWith('session-'))
    .map(({ rule, message }) => `${rule}: ${message}`);

const MISSING = 'session-missing: The request was sent without the session id.';
const CHANGED = 'session-changed: The request has another session id than its response.';
const MISPLACED = 'session-misplaced: This response has a session id, but the response to initialize had none.';
const UNASSIGNED = 'session-missing: The server wants a session id, but the response to initialize had none.';

describe('a masked session id', () => {
  test.each<[string, readonly FrameSeed[], readonly string[]]>([
    ['repeated by the server', [...inSession(1), ...answeredPing(1, 1)], []],
    ['not repeated by the server', [...inSession(1), ...answeredPing(1, undefined)], []],
    ['none at all', [...inSession(undefined), ...answeredPing(undefined, undefined)], []],
    ['new in a later response', [...inSession(1), ...answeredPing(1, 2)], [CHANGED]],
    ['first in a later response', [...inSession(undefined), ...answeredPing(undefined, 1)], [MISPLACED]],
    ['missing in a request', [...inSession(1), ...answeredPing(undefined, 1)], [MISSING]],
    [
      'invalid',
      [...inSession(0), ...answeredPing(undefined, undefined)],
      ['session-id: The session id has other characters.'],
    ],
  ])('%s', (_what, frames, problems) => {
    expect([...new Set(found(frames))]).toEqual(problems);
  });

  test('new in a response with headers that the page cannot see', () => {
    const ping = exchanged(5, asked(5, 'ping'), 1, { session: 2, partial: true });
    expect(found([...inSession(1, true), ...ping])).toEqual([CHANGED]);
  });

  test('in initialize', () => {
    const [start, initialize] = legacy({ transport: 'http' });
    expect(found([start!, ...exchanged(1, initialize!, 1)])).toEqual([
      'session-misplaced: initialize was sent with a session id.',
    ]);
  });

  test('missing in the GET request for the stream', () => {
    const get = (session?: number) =>
      http({
        kind: 'request',
        exchange: 5,
        method: 'GET',
        url: 'http://127.0.0.1/mcp',
        bytes: 0,
        headers: session === undefined ? [] : [['mcp-session-id', MASK]],
        ...(session !== undefined && { session }),
      });
    expect(found([...inSession(1), get(1)])).toEqual([]);
    expect(found([...inSession(1), get()])).toEqual([
      'session-missing: The GET request was sent without the session id.',
    ]);
  });

  test('missing in a notification and in a response', () => {
    const note = sent({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
    const roots = got({ jsonrpc: '2.0', id: 7, method: 'roots/list' });
    const answer = sent({ jsonrpc: '2.0', id: 7, result: { roots: [] } });
    expect(found([...inSession(1), ...exchanged(5, note, undefined)])).toHaveLength(1);
    expect(found([...inSession(1), roots, ...exchanged(5, answer, undefined)])).toHaveLength(1);
  });

  test('demanded although the server assigned none', () => {
    const refusal = (message: string) => [
      ...inSession(undefined),
      ...exchanged(5, asked(5, 'ping'), undefined, { status: 400 }),
      http({ kind: 'body', exchange: 5, bytes: 1 }),
      got({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }),
    ];
    expect(found(refusal('Bad Request: No valid session ID provided'))).toEqual([UNASSIGNED]);
    expect(found(refusal('The session has expired'))).toEqual([]);
    const text = [
      ...inSession(undefined),
      ...exchanged(5, asked(5, 'ping'), undefined, { status: 400 }),
      http({ kind: 'body', exchange: 5, bytes: 1, text: '{"error":"Missing session ID"}' }),
    ];
    expect(found(text)).toEqual([UNASSIGNED]);
  });
});

describe('no finding about sessions', () => {
  test('in a new session after the server lost the old one', () => {
    const [, ...again] = inSession(2, undefined, 7);
    const lost = happened({ event: 'session-lost' });
    const refused = exchanged(5, asked(5, 'ping'), 1, { status: 404 });
    const late = sent({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
    expect(found([...inSession(1), ...refused, ...exchanged(6, late, undefined), lost, ...again])).toEqual([]);
  });

  test('where the page cannot see the header', () => {
    expect(found([...inSession(undefined, true), ...answeredPing(undefined, 1)])).toEqual([]);
  });

  test('in a log of an older version, which has only the mask', () => {
    const masked = ({ bytes, ...frame }: FrameSeed): FrameSeed => ({
      ...frame,
      bytes: new TextEncoder().encode(new TextDecoder().decode(bytes).replace(/,"session":\d/, '')),
    });
    expect(found([...inSession(1), ...answeredPing(1, 2)].map(masked))).toEqual([]);
    expect(found([...inSession(1), ...answeredPing(undefined, 1)].map(masked))).toEqual([MISSING]);
  });

  test('about the probe, to which some servers assign a session', () => {
    const [start, ...rest] = inSession(2);
    const probe = exchanged(8, ask('mcp-inspect-probe', 'server/discover'), undefined, { status: 400, session: 1 });
    expect(found([start!, ...probe, ...rest])).toEqual([]);
  });

  test('about the request after a redirect to another origin, which has no session id', () => {
    const redirected = http({
      kind: 'request',
      exchange: 5,
      method: 'GET',
      url: 'http://127.0.0.2/mcp',
      bytes: 0,
      headers: [],
    });
    const frames = [...exchanged(5, asked(5, 'ping'), 1, { status: 307 }), redirected];
    expect(
      found([...inSession(1), ...frames, http({ kind: 'response', exchange: 5, status: 200, headers: [] })]),
    ).toEqual([]);
  });

  test('in the modern era, except that there are sessions', () => {
    const frames = exchanged(5, ask(5, 'tools/list'), undefined, { session: 1 });
    expect(found([...modern({ transport: 'http' }), ...frames])).toEqual([
      'session-in-modern: The response has an Mcp-Session-Id header.',
    ]);
  });
});

test('ids that several clients of a tapped server use are not reused if it gave no session', () => {
  const reused = (session: number | undefined, isTapped: boolean) => {
    const [start, ...rest] = inSession(session);
    const about = JSON.parse(new TextDecoder().decode(start!.bytes));
    const begun = happened({ ...about, ...(isTapped && { tap: { session: 'a', part: 1 } }) });
    const twice = [answeredPing(session, session), answeredPing(session, session)].flat();
    return problemsIn([begun, ...rest, ...twice]).some(({ rule }) => rule === 'id-reused');
  };
  expect([reused(undefined, true), reused(1, true), reused(undefined, false)]).toEqual([false, true, true]);
});
