import { expect, test, vi } from 'vitest';
import { ShareJobRunner } from '@/lib/sharing/share-job-runner';
import { Log } from '@/lib/store/log';
import { asked, framesOf } from '@/lib/store/test-frames';
import { LIMITS } from '@/lib/wire/limits';
import { ShareClient, type ShareWorker } from './share-client';

const ABOUT = { id: 'c1', at: '', name: 'demo', transport: 'stdio' } as const;

/** The worker's own code, run a turn later. */
function worker(): ShareWorker {
  const bench = new ShareJobRunner('1', (answer) => made.onmessage?.({ data: structuredClone(answer) }));
  const made: ShareWorker = {
    onmessage: null,
    onerror: null,
    postMessage: (job) => void Promise.resolve().then(() => bench.run(job)),
    terminate: vi.fn<() => void>(),
  };
  return made;
}

const client = (of = worker()) => new ShareClient(of, Uint8Array.of(1));

/** Never aborted. */
const { signal } = new AbortController();

const log = () => {
  const made = new Log('c1');
  made.append(framesOf([asked(1, 'ping'), asked(2, 'tools/call', { name: 'x' })]));
  return made;
};

test('reads all frames, reviews them and makes the output', async () => {
  const shared = client();
  const progress = vi.fn();
  await shared.read(log(), 2, ABOUT, progress);
  expect(progress).toHaveBeenLastCalledWith(2, 2);
  expect(await shared.review({ without: [] }, () => {}, signal)).toMatchObject({ frames: 2, findings: { list: [] } });
  expect(await shared.count({ regex: 'p[i]ng' }, signal)).toBe(1);
  expect(await shared.count({ literal: 'nowhere' }, signal)).toBe(0);
  await expect(shared.count({ regex: '(((' }, signal)).rejects.toMatchObject({ code: 'pattern-not-regex' });
  const order = { kind: 'jsonl', decisions: [], patterns: [], name: 'demo' } as const;
  expect(await shared.make(order, () => {}, signal)).toMatchObject({ name: 'demo.mcpr.jsonl', masked: 0 });
  await expect(shared.make({ ...order, kind: 'link', page: 'x' }, () => {}, signal)).rejects.toMatchObject({
    code: 'link-base',
  });
});

test('reads a recording instead of the log, whole or not at all', async () => {
  const header =
    '{"mcpr":1,"id":"c1","at":"2026-01-31T12:00:00Z","by":"x","mode":"client","name":"demo","transport":"stdio"}';
  const text = `${header}\n{"n":1,"t":0,"c":"stderr","d":"<","text":"a"}\n{"n":2,"t":1,"c":"stderr","d":"<","text":"b"}\n`;
  const shared = client();
  const progress = vi.fn();
  await shared.readRecording(new Blob([text]).stream(), 2, ABOUT, progress);
  expect(progress).toHaveBeenLastCalledWith(2, 2);
  expect(await shared.review({ without: [] }, () => {}, signal)).toMatchObject({ frames: 2 });
  const cut = client().readRecording(new Blob([text]).stream(), 3, ABOUT, progress);
  await expect(cut).rejects.toMatchObject({ code: 'log-incomplete' });
  const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError('network')) });
  const lost = client().readRecording(broken, 3, ABOUT, progress);
  await expect(lost).rejects.toMatchObject({ code: 'log-incomplete' });
});

test('requests frames that left the page', async () => {
  const long = new Log('c1', { held: 10, again: 1000 });
  const frames = framesOf([asked(1, 'ping'), asked(2, 'ping'), asked(3, 'ping')]);
  // Frames may be evicted once another batch arrives.
  for (const frame of frames) long.append([frame]);
  expect(long.hasBytes(1)).toBe(false);
  long.wanted.onWanted = () =>
    queueMicrotask(() => {
      const range = long.wanted.nextRange(() => 1);
      if (!range) return;
      long.restore(frames.slice(range.from - 1, range.to));
      long.wanted.settleRange(range, true);
      long.flush();
    });
  const shared = client();
  await shared.read(long, 3, ABOUT, () => {});
  expect(await shared.review({ without: [] }, () => {}, signal)).toMatchObject({ frames: 3 });
});

test('fails if frames are gone', async () => {
  const long = new Log('c1', { held: 10, again: 1000 });
  for (const frame of framesOf([asked(1, 'ping'), asked(2, 'ping'), asked(3, 'ping')])) long.append([frame]);
  long.wanted.onWanted = () =>
    queueMicrotask(() => {
      const range = long.wanted.nextRange(() => 1);
      if (range) long.wanted.settleRange(range, false);
      long.flush();
    });
  await expect(client().read(long, 3, ABOUT, () => {})).rejects.toMatchObject({ code: 'frames-gone' });
});

test('ends the worker and rejects pending jobs when the client is closed or the worker fails', async () => {
  const closed = worker();
  const shared = client(closed);
  const waiting = shared.review({ without: [] }, () => {}, signal);
  shared.close();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  expect(closed.terminate).toHaveBeenCalled();
  await expect(shared.review({ without: [] }, () => {}, signal)).rejects.toMatchObject({ code: 'cancelled' });

  const broken = worker();
  const other = client(broken).review({ without: [] }, () => {}, signal);
  broken.onerror?.();
  await expect(other).rejects.toMatchObject({ code: 'share-failed' });
});

test('ends the worker if checking a schema hangs, but not while the report makes progress', async () => {
  vi.useFakeTimers();
  try {
    const hanging = { ...worker(), postMessage: () => {} };
    const shared = client(hanging);
    const order = { kind: 'markdown', decisions: [], patterns: [], name: 'a' } as const;
    const report = shared.make(order, () => {}, signal);
    const caught = expect(report).rejects.toMatchObject({ code: 'report-hangs' });
    await vi.advanceTimersByTimeAsync(LIMITS.rulesBlindMs - 1);
    hanging.onmessage?.({ data: { type: 'progress', ref: 1, done: 1, total: 2 } });
    await vi.advanceTimersByTimeAsync(LIMITS.rulesBlindMs - 1);
    expect(hanging.terminate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await caught;
    expect(hanging.terminate).toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});

test('an aborted job rejects at once, and the worker goes on', async () => {
  const shared = client();
  await shared.read(log(), 2, ABOUT, () => {});
  const control = new AbortController();
  const review = shared.review({ without: [] }, () => {}, control.signal);
  control.abort();
  await expect(review).rejects.toMatchObject({ code: 'cancelled' });
  await expect(shared.review({ without: [] }, () => {}, control.signal)).rejects.toMatchObject({ code: 'cancelled' });
  expect(await shared.review({ without: [] }, () => {}, signal)).toMatchObject({ frames: 2 });
});

test('ends a worker that does not stop', async () => {
  vi.useFakeTimers();
  try {
    const hanging = { ...worker(), postMessage: () => {} };
    const shared = client(hanging);
    const onEnded = vi.fn();
    shared.onEnded = onEnded;
    const control = new AbortController();
    const counting = shared.count({ regex: '(a+)+b' }, control.signal);
    const making = shared.make({ kind: 'gz', decisions: [], patterns: [], name: 'a' }, () => {}, signal);
    const caught = [counting, making].map((job) => expect(job).rejects.toMatchObject({ code: 'cancelled' }));
    control.abort();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(hanging.terminate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(hanging.terminate).toHaveBeenCalled();
    expect(onEnded).toHaveBeenCalledOnce();
    await Promise.all(caught);
  } finally {
    vi.useRealTimers();
  }
});
