import { expect, test } from 'vitest';
import { SpanIndex } from '@/lib/store/telemetry/span-index';
import { logFrame, started, TRACE, traced } from '@/lib/store/telemetry/test-spans';
import { asked, type FrameSeed, got, logOf } from '@/lib/store/test-frames';
import { callOfLogMessage, whyWithoutCall } from './message-call';

const call = (id: number) => asked(id, 'tools/call', { name: 'echo' });
const said = (meta?: object) =>
  got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x', _meta: meta } });

test('names the call of a log message', () => {
  expect(callOfLogMessage(logOf(call(1), said()), 2)).toEqual({ seq: 1, label: 'tools/call echo' });
});

test('names the call of a log record by its trace', () => {
  const log = logOf(
    started,
    traced(1, 'tools/call', 7),
    logFrame('x', 9, { trace: TRACE, span: 7 }),
    logFrame('y', 9, { ms: -5000 }),
  );
  const spans = new SpanIndex(log).update();
  expect(callOfLogMessage(log, 3, spans)).toEqual({ seq: 2, label: 'tools/call echo' });
  expect(callOfLogMessage(log, 4, spans)).toBeUndefined();
  expect(whyWithoutCall(log, 4)).toBe('it names no trace of a request, and not a single one was in flight');
});

test.each<readonly [string, readonly FrameSeed[]]>([
  ['no call was in flight', [said()]],
  ['2 calls were in flight, and it names none', [call(1), call(2), said()]],
  [
    'it names an unknown task or subscription',
    [call(1), said({ 'io.modelcontextprotocol/related-task': { taskId: 't' } })],
  ],
])('says of a log message without a call: %s', (words, frames) => {
  const log = logOf(...frames);
  expect(callOfLogMessage(log, log.size)).toBeUndefined();
  expect(whyWithoutCall(log, log.size)).toBe(words);
});
