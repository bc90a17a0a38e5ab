import { describe, expect, test } from 'vitest';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { Log } from './log';

type Line = readonly ['http', HttpFrame] | readonly ['to-server' | 'to-client', object];

function logOf(...lines: Line[]): Log {
  const log = new Log('c');
  log.append(
    lines.map(([what, value], index) => ({
      seq: index + 1,
      time: index,
      channel: what === 'http' ? ('http' as const) : ('protocol' as const),
      direction: what === 'to-server' ? ('to-server' as const) : ('to-client' as const),
      flags: 0,
      bytes: new TextEncoder().encode(JSON.stringify(value)),
    })),
  );
  return log;
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } };
const answer = { jsonrpc: '2.0', id: 1, result: {} };

describe('rows', () => {
  test.each<[HttpFrame, string]>([
    [{ kind: 'request', exchange: 1, method: 'POST', url: 'http://h/mcp', headers: [], bytes: 2 }, 'POST http://h/mcp'],
    [{ kind: 'response', exchange: 1, status: 200, headers: [['Content-Type', 'text/html']] }, 'HTTP 200 text/html'],
    [{ kind: 'response', exchange: 1, status: 405, headers: [] }, 'HTTP 405'],
    [{ kind: 'body', exchange: 1, bytes: 9 }, 'body, 9 bytes'],
    [{ kind: 'body', exchange: 1, bytes: 9, text: '<b>\n no</b>' }, 'body: <b> no</b>'],
    [{ kind: 'sse', exchange: 1, retry: 500 }, 'stream: retry 500 ms'],
    [{ kind: 'sse', exchange: 1, comment: 'hi' }, 'stream: comment "hi"'],
    [{ kind: 'sse', exchange: 1, id: '7' }, 'stream: message, id 7'],
    [{ kind: 'sse', exchange: 1, event: 'endpoint', data: '/m' }, 'stream: endpoint, /m'],
    [{ kind: 'end', exchange: 1, by: 'server' }, 'the server ended the stream'],
    [{ kind: 'end', exchange: 1, by: 'failure', message: 'It broke.' }, 'HTTP failed: It broke.'],
  ])('%j', (frame, words) => {
    expect(logOf(['http', frame]).row(0)).toMatchObject({ kind: 'http', channel: 'http', name: words });
  });

  test('a frame of a later version, or none, is no crash', () => {
    const odd = { kind: 'constructor', exchange: 1 } as unknown as HttpFrame;
    expect(logOf(['http', odd]).row(0).name).toBe('HTTP');
    expect(logOf(['http', 1 as unknown as HttpFrame]).row(0).name).toBe('1');
  });
});

describe('the end of an exchange', () => {
  const end: HttpFrame = { kind: 'end', exchange: 1, by: 'server' };

  test('loses the requests that it names', () => {
    const log = logOf(['to-server', call], ['http', { ...end, unanswered: [1] }]);
    expect(log.exchange(1)?.status).toBe('lost');
  });

  test('cancels those that were given up by it', () => {
    const log = logOf(['to-server', call], ['http', { ...end, cancelled: [1] }]);
    expect(log.exchange(1)?.status).toBe('cancelled');
  });

  test('changes nothing about others, nor about one that has its answer', () => {
    const other = logOf(['to-server', call], ['http', { ...end, unanswered: ['1', 2] }]);
    expect(other.exchange(1)?.status).toBe('pending');
    const answered = logOf(['to-server', call], ['to-client', answer], ['http', { ...end, unanswered: [1] }]);
    expect(answered.exchange(1)?.status).toBe('ok');
  });

  test('an answer that still comes counts', () => {
    const log = logOf(['to-server', call], ['http', { ...end, unanswered: [1] }], ['to-client', answer]);
    expect(log.exchange(1)).toMatchObject({ status: 'ok', responseSeq: 3 });
  });
});
