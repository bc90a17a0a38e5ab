import { expect, test, vi } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import type { DirectLink } from './direct-link';
import { DirectRecorder } from './direct-recorder';
import { batchOf, settle } from './test-client';

const FRAME = {
  seq: 4,
  time: 1,
  channel: 'protocol',
  direction: 'to-client',
  flags: 0,
  bytes: new Uint8Array([1]),
} as const;
const batch = () => batchOf('d1', [FRAME], 4);

function setUp(begin = true) {
  const link = {
    recordWith: vi.fn(),
    ownConnections: () => ['d1'],
    recordingOf: (id: string) => ({ key: `key-${id}`, begin }),
    decideRecording: vi.fn(),
    record: vi.fn(),
    batchRecorded: vi.fn(),
    stopRecording: vi.fn(),
    pauseRecording: vi.fn(),
    recordingComplete: vi.fn(),
  };
  const proxy = {
    record: vi.fn(
      async () => ({ type: 'done', ref: 'r', connection: 'd1', recorded: { frames: 3, ended: true } }) as const,
    ),
    end: vi.fn(async () => undefined),
    send: vi.fn((_batch: ArrayBuffer) => true),
    onStopped: vi.fn(),
  };
  const recorder = new DirectRecorder(link as unknown as DirectLink, proxy);
  return { link, proxy, recorder };
}

test('continues where the file ends, a batch at a time, and ends the file with the connection', async () => {
  const { link, proxy, recorder } = setUp();
  recorder.onConnection('d1');
  expect(proxy.record).not.toHaveBeenCalled();
  recorder.onOpen();
  recorder.onConnection('d1');
  await settle();
  expect(proxy.record.mock.calls).toEqual([['d1', 'key-d1', true]]);
  expect(link.record).toHaveBeenCalledWith('d1', { frames: 3, ended: true }, 0);
  recorder.onBatch(batch(), 0);
  expect(proxy.send).toHaveBeenCalledTimes(1);
  expect(link.batchRecorded).not.toHaveBeenCalled();
  recorder.onBatchRecorded({ type: 'recorded', connection: 'd1' });
  expect(link.batchRecorded).toHaveBeenCalledTimes(1);
  expect(recorder.onForgotten('d1')).toBe(true);
  recorder.onComplete('d1');
  expect(proxy.end).toHaveBeenCalledWith('d1');
  expect(link.recordingComplete).toHaveBeenCalledWith('d1');
  expect(recorder.onForgotten('d1')).toBe(false);
});

test('asks again how far the recording is after a lost socket', async () => {
  const { link, proxy, recorder } = setUp();
  recorder.onOpen();
  await settle();
  recorder.onBatch(batch(), 0);
  recorder.onDrop();
  expect(link.pauseRecording).toHaveBeenCalledWith('d1');
  expect(link.batchRecorded).toHaveBeenCalledTimes(1);
  recorder.onOpen();
  await settle();
  expect(link.record).toHaveBeenLastCalledWith('d1', { frames: 3, ended: true }, 1);
  // A batch that the worker sent before it knew.
  recorder.onBatch(batch(), 0);
  expect(proxy.send).toHaveBeenCalledTimes(1);
  expect(link.batchRecorded).toHaveBeenCalledTimes(2);
});

test('decides whether a recording begins once the proxy has answered, and only then', async () => {
  const answered = setUp(false);
  answered.recorder.onOpen();
  await settle();
  expect(answered.link.decideRecording).toHaveBeenCalledWith('key-d1');
  for (const [code, times] of [
    ['recording-off', 1],
    ['not-recorded', 1],
    ['rate-limited', 0],
    ['internal', 0],
  ] as const) {
    const { link, proxy, recorder } = setUp();
    proxy.record.mockRejectedValue(new ConnectionError({ code, message: 'It went wrong.', advice: '' }));
    recorder.onOpen();
    await settle();
    expect(link.decideRecording).toHaveBeenCalledTimes(times);
    const logged = times === 0 ? 'This connection is not recorded: It went wrong.' : undefined;
    expect(link.stopRecording).toHaveBeenCalledWith('d1', logged);
  }
});

test('ends the recording of a refused batch and delays no other', async () => {
  const { link, recorder } = setUp();
  recorder.onOpen();
  await settle();
  recorder.onBatch(batch(), 0);
  recorder.onBatchRecorded({ type: 'recorded', connection: '', failure: 'That was none.' });
  expect(link.stopRecording).toHaveBeenCalledWith('d1', 'That was none.');
  expect(link.batchRecorded).toHaveBeenCalledTimes(1);
});

test('logs once why a connection is not recorded, unless nothing was to be recorded', async () => {
  const { link, proxy, recorder } = setUp();
  recorder.onOpen();
  await settle();
  recorder.onBatch(batch(), 0);
  recorder.onBatchRecorded({ type: 'recorded', connection: 'd1', failure: 'The disk is full.' });
  expect(link.stopRecording).toHaveBeenCalledWith('d1', 'The disk is full.');
  expect(link.batchRecorded).toHaveBeenCalledTimes(1);
  recorder.onComplete('d1');
  expect(proxy.end).not.toHaveBeenCalled();
  expect(proxy.onStopped).toHaveBeenCalledTimes(1);

  const off = setUp();
  const failure = { code: 'recording-off', message: 'Recording is off in this mcp-inspect.', advice: '' };
  off.proxy.record.mockRejectedValue(new ConnectionError(failure));
  off.recorder.onOpen();
  await settle();
  expect(off.link.stopRecording).toHaveBeenCalledWith('d1', undefined);
  expect(off.link.record).not.toHaveBeenCalled();
  expect(off.proxy.onStopped).toHaveBeenCalledTimes(1);
});
