import { answered, asked, got, sent } from '@/lib/store/test-frames';
import {
  answeredPing,
  ask,
  http,
  inSession,
  legacy,
  modern,
  posted,
  type RuleFixture,
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
    ...{ kind: 'request', exchange: 10, method: 'GET', url: 'http://127.0.0.1/mcp', bytes: 0 },
    headers: [['Last-Event-ID', '1']],
  }),
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
  'content-type': {
    bad: [...old, ...ping, ...responded(9, 200, { 'Content-Type': 'text/html' })],
    good: [...old, ...ping, ...responded(9, 200, JSON_TYPE, answered(1, {}))],
  },
  'http-error-status': {
    bad: [...now, ...modernAsk, ...responded(9, 200, JSON_TYPE, missing)],
    good: [...now, ...modernAsk, ...responded(9, 404, JSON_TYPE, missing)],
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
