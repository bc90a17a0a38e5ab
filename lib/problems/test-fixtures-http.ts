import { answered, asked, got, sent } from '@/lib/store/test-frames';
import {
  answeredPing,
  ask,
  complete,
  exchanged,
  http,
  inSession,
  legacy,
  modern,
  posted,
  type RuleFixture,
  requested,
  responded,
} from './test-sessions';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const STREAM = { 'content-type': 'text/event-stream' };
const unanswered = http({ kind: 'end', exchange: 9, by: 'server', unanswered: [1] });
const old = legacy({ transport: 'http' });
const now = modern({ transport: 'http' });
const headers = (method: string) => ({ 'Mcp-Method': method, 'MCP-Protocol-Version': '2026-07-28' });
const ping = posted(9, {}, asked(1, 'ping'));
const note = posted(9, {}, sent({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }));
const missing = got({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: '' } });
const modernAsk = posted(9, headers('tools/list'), ask(1, 'tools/list'));

const event = (id: string, exchange = 9) => http({ kind: 'sse', exchange, id });
const resumed = [
  http({
    kind: 'request',
    exchange: 10,
    method: 'GET',
    url: 'http://127.0.0.1/mcp',
    bytes: 0,
    headers: [['Last-Event-ID', '1']],
  }),
];

const get = (status: number, type?: string) => requested(8, 'GET', status, { ...(type !== undefined && { type }) });
const refusedIn = (status: number) => [
  ...exchanged(9, asked(9, 'ping'), 1, { status }),
  http({ kind: 'body', exchange: 9, bytes: 1, text: 'Session not found' }),
];
const initialize = legacy({ transport: 'http' })[1]!;
const versioned = (version: string, status: number) => [
  ...posted(9, { 'MCP-Protocol-Version': version }, asked(1, 'ping')),
  ...responded(9, status, JSON_TYPE),
];
const progressed = (exchange: number) => [
  ...posted(8, headers('tools/call'), ask(1, 'tools/call', { name: 'a' }, { progressToken: 't' })),
  ...posted(9, headers('tools/call'), ask(2, 'tools/call', { name: 'a' })),
  ...responded(8, 200, STREAM),
  ...responded(9, 200, STREAM),
  http({ kind: 'sse', exchange }),
  got({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 't', progress: 1 } }),
];

/** Fixtures of the rules about HTTP. */
export const HTTP_FIXTURES: Readonly<Record<string, RuleFixture>> = {
  'stream-junk': {
    bad: [...old, ...ping, http({ kind: 'sse', exchange: 9, data: 'hello' })],
    good: [...old, ...ping, http({ kind: 'sse', exchange: 9, id: '1', data: '' })],
  },
  'header-mismatch': {
    bad: [...now, ...posted(9, headers('tools/call'), ask(1, 'tools/list'))],
    good: [...now, ...modernAsk],
  },
  'http-status': {
    bad: [...old, ...note, ...responded(9, 200, {})],
    good: [...old, ...note, ...responded(9, 202, {})],
  },
  redirected: {
    bad: [...old, ...ping, ...responded(9, 307, { Location: '/mcp/' })],
    good: [...old, ...ping, ...responded(9, 307, {})],
  },
  'content-type': {
    bad: [...old, ...ping, ...responded(9, 200, { 'Content-Type': 'text/html' })],
    good: [...old, ...ping, ...responded(9, 200, JSON_TYPE, answered(1, {}))],
  },
  'http-error-status': {
    bad: [...now, ...modernAsk, ...responded(9, 200, JSON_TYPE, missing)],
    good: [...now, ...modernAsk, ...responded(9, 404, JSON_TYPE, missing)],
  },
  'header-mismatch-accepted': {
    bad: [
      ...now,
      ...posted(9, headers('tools/call'), ask(1, 'tools/list')),
      ...responded(9, 200, JSON_TYPE, complete(1, { tools: [] })),
    ],
    good: [...now, ...modernAsk, ...responded(9, 200, JSON_TYPE, complete(1, { tools: [] }))],
  },
  'accepted-body': {
    bad: [...old, ...note, ...responded(9, 202, {}), http({ kind: 'body', exchange: 9, bytes: 8, text: 'Accepted' })],
    good: [...old, ...note, ...responded(9, 202, {}), http({ kind: 'body', exchange: 9, bytes: 0 })],
  },
  'body-without-message': {
    bad: [
      ...old,
      ...ping,
      ...responded(9, 200, JSON_TYPE),
      http({ kind: 'body', exchange: 9, bytes: 11, text: '{"ok":true}' }),
    ],
    good: [
      ...old,
      ...ping,
      ...responded(9, 200, JSON_TYPE, answered(1, {})),
      http({ kind: 'body', exchange: 9, bytes: 3, text: '{"j', cut: true }),
    ],
  },
  'get-status': { bad: [...old, ...get(404)], good: [...old, ...get(405), ...get(200, 'text/event-stream')] },
  'delete-status': {
    bad: [...inSession(1), ...requested(9, 'DELETE', 400, { session: 1 })],
    good: [...inSession(1), ...requested(9, 'DELETE', 405, { session: 1 })],
  },
  'removed-method-status': { bad: [...now, ...get(404)], good: [...now, ...get(405)] },
  'response-on-get': {
    bad: [...old, ...ping, ...get(200, 'text/event-stream'), event('1', 8), answered(1, {})],
    good: [...old, ...ping, ...resumed, event('2', 10), answered(1, {})],
  },
  'accept-header': {
    bad: [...old, ...posted(9, { Accept: 'application/json' }, asked(1, 'ping'))],
    good: [...old, ...posted(9, { Accept: 'text/event-stream;q=0.9, application/json' }, asked(1, 'ping'))],
  },
  'version-header-missing': {
    bad: [...old, ...posted(9, { 'MCP-Protocol-Version': undefined }, asked(1, 'ping'))],
    good: [...old.slice(0, 1), ...posted(9, { 'MCP-Protocol-Version': undefined }, initialize)],
  },
  'version-header-differs': {
    bad: [...old, ...versioned('2025-06-18', 400)],
    good: [...old, ...versioned('2025-11-25', 400)],
  },
  'version-header-accepted': { bad: [...old, ...versioned('1.0', 200)], good: [...old, ...versioned('1.0', 400)] },
  'stream-buffered': {
    bad: [...now, ...modernAsk, ...responded(9, 200, STREAM)],
    good: [...now, ...modernAsk, ...responded(9, 200, { ...STREAM, 'X-Accel-Buffering': 'no' })],
  },
  'progress-other-stream': { bad: [...now, ...progressed(9)], good: [...now, ...progressed(8)] },
  'challenge-missing': {
    bad: [...old, ...ping, ...responded(9, 401, {})],
    good: [...old, ...ping, ...responded(9, 401, { 'WWW-Authenticate': 'Bearer' })],
  },
  'session-missing-status': {
    bad: [...inSession(1), ...exchanged(9, asked(9, 'ping'), undefined, { status: 422 })],
    good: [...inSession(1), ...exchanged(9, asked(9, 'ping'), undefined, { status: 400 })],
  },
  'session-end-status': {
    bad: [...inSession(1), ...refusedIn(400)],
    good: [...inSession(1), ...refusedIn(404)],
  },
  'session-id': {
    bad: [...old, ...ping, ...responded(9, 200, { ...JSON_TYPE, 'Mcp-Session-Id': 'a b' })],
    good: [...old, ...ping, ...responded(9, 200, { ...JSON_TYPE, 'Mcp-Session-Id': 'a-b' })],
  },
  'session-changed': {
    bad: [...inSession(1), ...answeredPing(1, 2)],
    good: [...inSession(1), ...answeredPing(1, 1)],
  },
  'session-misplaced': {
    bad: [...inSession(undefined), ...answeredPing(undefined, 1)],
    good: [...inSession(1), ...answeredPing(1, 1)],
  },
  'session-missing': {
    bad: [...inSession(1), ...answeredPing(undefined, 1)],
    good: [...inSession(1), ...answeredPing(1, undefined)],
  },
  'event-id-repeated': {
    bad: [...old, ...ping, event('1'), event('1')],
    good: [...old, ...ping, event('1'), event('2'), ...resumed, event('2', 10)],
  },
  'session-in-modern': {
    bad: [...now, ...modernAsk, ...responded(9, 200, { ...JSON_TYPE, 'Mcp-Session-Id': 'a' })],
    good: [...old, ...ping, ...responded(9, 200, { ...JSON_TYPE, 'Mcp-Session-Id': 'a' })],
  },
  'stream-without-answer': {
    bad: [...old, ...ping, ...responded(9, 200, STREAM), unanswered],
    good: [...old, ...ping, ...responded(9, 404, STREAM), unanswered],
  },
};
