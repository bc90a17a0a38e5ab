import { expect, test } from 'vitest';
import { answered, asked, framesOf, got, happened, logOf } from '../test-frames';
import { FirstError } from './first-error';

const failure = (id: number) => got({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no' } });

test('is the row of a failed answer, not of its request', () => {
  expect(new FirstError(logOf(asked(1, 'ping'), answered(1, {}), asked(2, 'ping'), failure(2))).update()).toBe(4);
  const tool = logOf(asked(1, 'tools/call', { name: 'a' }), answered(1, { content: [], isError: true }));
  expect(new FirstError(tool).update()).toBe(2);
});

test('is an event, or a line that is not a message', () => {
  expect(new FirstError(logOf(got('Debug: on'), failure(1))).update()).toBe(1);
  const exit = logOf(asked(1, 'initialize'), happened({ event: 'exit', code: 1, signal: null }));
  expect(new FirstError(exit).update()).toBe(1);
});

test('is found once it arrives, and stays', () => {
  const frames = framesOf([asked(1, 'ping'), answered(1, {}), asked(2, 'ping'), failure(2), asked(3, 'x'), failure(3)]);
  const log = logOf();
  const first = new FirstError(log);
  for (const frame of frames) {
    log.append([frame]);
    expect(first.update()).toBe(frame.seq < 4 ? undefined : 4);
  }
});
