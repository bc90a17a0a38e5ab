import { mkdtempSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { appendNote, FrameLog } from '@/lib/hub/frame-log';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { REDACTED_SLICE_BYTES } from '@/lib/redact/scan-text';
import { systemClock } from '@/lib/wire/clock';
import { SpillFile } from '@/proxy/files/spill-file';
import {
  BACKLOG_STEP,
  ConnectionRecorder,
  LONG_RECORDING_FRAMES,
  RECORDER_LOOK_MS,
  RECORDER_REST,
  RECORDER_REST_MS,
} from './connection-recorder';
import { createRecording } from './recorder';
import { RecordingFile } from './recording-file';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  path = join(folder, 'a.mcpr.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const AT = '2026-01-01T00:00:00.000Z';
const about = {
  name: 'demo',
  transport: 'stdio',
  at: AT,
  version: '0.0.0-test',
  redactor: new CaptureRedactor([]),
} as const;
const append = (log: FrameLog, text: string, time = 1) => {
  const bytes = Buffer.from(text);
  return log.append('protocol', 'to-client', 0, time, bytes, 0, bytes.length);
};
function read() {
  const reader = new RecordingReader();
  const frames = reader.readChunk(readFileSync(path));
  return { texts: frames.map(({ bytes }) => Buffer.from(bytes).toString()), report: reader.finish() };
}

test('writes a frame before anything else happens', () => {
  const log = new FrameLog();
  const recorder = new ConnectionRecorder(log, createRecording(path, about), systemClock, () => {});
  append(log, '{"id":1}');
  recorder.onLogGrown();
  expect(read()).toMatchObject({ texts: ['{"id":1}'], report: { complete: false, torn: false } });
});

test('falls behind in a flood, then catches up with every frame, including spilled ones', async () => {
  const log = new FrameLog({ memoryBytes: 512 * 1024, openSpill: () => new SpillFile() });
  const recorder = new ConnectionRecorder(log, createRecording(path, about), systemClock, () => {});
  const count = 12_000;
  for (let n = 1; n <= count; n++) {
    append(log, `{"n":${n},"x":"${'x'.repeat(150)}"}`, n);
    recorder.onLogGrown();
    if (n % 1000 === 0) await new Promise(setImmediate);
  }
  await log.settled();
  // The connection ends and then the program does. Both calls wait for the same end line.
  void recorder.end();
  await recorder.end();
  const { texts, report } = read();
  expect(report).toMatchObject({ frames: count, complete: true, damaged: { count: 0 } });
  expect(texts.every((text, index) => text.startsWith(`{"n":${index + 1},`))).toBe(true);
  await log.close();
});

test('tells how many frames are not on disk yet, in steps, until it has caught up', async () => {
  const log = new FrameLog();
  const recorder = new ConnectionRecorder(log, createRecording(path, about), systemClock, () => {});
  const told: number[] = [];
  recorder.onBacklog((frames) => told.push(frames));
  append(log, '{}');
  recorder.onLogGrown();
  expect(told).toEqual([]);
  for (let n = 0; n < 3 * BACKLOG_STEP; n++) append(log, `{"n":${n}}`);
  recorder.onLogGrown();
  await vi.waitFor(() => expect(told.at(-1)).toBe(0), 10_000);
  expect(told[0]).toBeGreaterThanOrEqual(BACKLOG_STEP);
  expect(told.every((frames, at) => frames % BACKLOG_STEP === 0 && (at === 0 || frames < told[at - 1]!))).toBe(true);
  await recorder.end();
});

test('reports a full disk once, and throws nothing', async () => {
  const log = new FrameLog();
  let room = 600;
  const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]), (_file, bytes, offset) => {
    if (room <= 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const taken = Math.min(room, bytes.length - offset);
    room -= taken;
    return taken;
  });
  const told: string[] = [];
  const recorder = new ConnectionRecorder(log, file, systemClock, (sentence) => told.push(sentence));
  for (let n = 1; n <= 50; n++) {
    append(log, `{"n":${n}}`);
    recorder.onLogGrown();
  }
  await recorder.end();
  expect(told).toEqual([expect.stringContaining('is incomplete: the disk is full.')]);
});

test('adds frames after the end, and a new end', async () => {
  const log = new FrameLog();
  const recorder = new ConnectionRecorder(log, createRecording(path, about), systemClock, () => {});
  append(log, '{"id":1}', 7);
  await recorder.end();
  for (const text of ['a', 'b']) {
    appendNote(log, { on: 1, text, bookmark: false });
    recorder.onLogGrown();
  }
  await recorder.end();
  expect(read()).toMatchObject({
    texts: ['{"id":1}', expect.stringContaining('"a"'), expect.stringContaining('"b"')],
    report: { complete: true, damaged: { count: 0 } },
  });
});

test('reports a missing file when a note is added', async () => {
  const log = new FrameLog();
  const told: string[] = [];
  const recorder = new ConnectionRecorder(log, createRecording(path, about), systemClock, (words) => told.push(words));
  append(log, '{"id":1}');
  await recorder.end();
  rmSync(path);
  appendNote(log, { on: 1, text: 'a', bookmark: false });
  recorder.onLogGrown();
  await recorder.end();
  expect(told).toEqual([expect.stringMatching(/^Could not add to the recording/)]);
});

describe('when writing takes a while', () => {
  /** Each write takes `work` ms; nothing else takes time on this clock. `load` is the measured load of the process. */
  const begin = (work: number, load: number) => {
    const rests: number[] = [];
    let now = 0;
    const clock = {
      now: () => now,
      after: (ms: number, run: () => void) => {
        rests.push(ms);
        now += ms;
        setImmediate(run);
        return () => {};
      },
    };
    const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]), (to, bytes, offset) => {
      now += work;
      return writeSync(to, bytes, offset);
    });
    const log = new FrameLog();
    const recorder = new ConnectionRecorder(log, file, clock, expect.unreachable, () => () => load);
    /** Resolves when the text is in the file. */
    const say = async (text: string) => {
      append(log, text);
      recorder.onLogGrown();
      await expect.poll(() => read().texts.at(-1)).toBe(text);
    };
    return { say, rests };
  };
  const look = RECORDER_LOOK_MS;

  test('rests much longer before the next write if other work needs the time', async () => {
    const { say, rests } = begin(0.75 * (look / RECORDER_REST), 0.5);
    await say('{"id":1}');
    await say('{"id":2}');
    expect(rests).toEqual([0.75 * look]);
  });

  test('limits the rest, and measures the load during it', async () => {
    const { say, rests } = begin(60_000, 0.5);
    await say('{"id":1}');
    await say('{"id":2}');
    expect(rests.reduce((all, rest) => all + rest, 0)).toBe(RECORDER_REST_MS);
    expect(Math.max(...rests)).toBe(look);
  });

  test('measures the load once if nobody needs the time, and again at the next frame', async () => {
    const { say, rests } = begin(60_000, 0);
    await say('{"id":1}');
    await say('{"id":2}');
    expect(rests).toEqual([look]);
    await say('{"id":3}');
    expect(rests).toEqual([look, look]);
  });

  test('measures the load once for a message that takes many turns', async () => {
    const { say, rests } = begin(60_000, 0);
    await say('{"id":1}');
    const real = performance.now.bind(performance);
    let ahead = 0;
    // Each step of the redaction uses up its turn.
    const time = vi.spyOn(performance, 'now').mockImplementation(() => {
      ahead += 100;
      return real() + ahead;
    });
    await say(`{"id":2,"x":"${'x'.repeat(10 * REDACTED_SLICE_BYTES)}"}`);
    time.mockRestore();
    expect(rests).toEqual([look]);
  });
});

test('does not rest before its end', async () => {
  const log = new FrameLog();
  const times = [0, 0];
  const rests: number[] = [];
  const clock = {
    now: () => times.shift() ?? 60_000,
    after: (ms: number) => {
      rests.push(ms);
      return () => {};
    },
  };
  const recorder = new ConnectionRecorder(log, createRecording(path, about), clock, () => {});
  append(log, '{"id":1}');
  recorder.onLogGrown();
  append(log, '{"id":2}');
  recorder.onLogGrown();
  append(log, '{"id":3}');
  await expect.poll(() => rests).toEqual([RECORDER_LOOK_MS]);
  await recorder.end();
  expect(read()).toMatchObject({ report: { complete: true, frames: 3 } });
});

describe('when very many frames are left', () => {
  const password = 'Ab12-Cd34-Ef56';
  /** Frames of each kind that the first look tells apart. */
  const textOf = (n: number): string => {
    if (n === 50_000) return `{"n":${n},"password":"${password}"}`;
    // Known from here on, which the look could not know.
    if (n % 1000 === 0) return `{"n":${n},"said":"${password}"}`;
    if (n % 700 === 0) return `not JSON ${n}`;
    if (n % 500 === 0) return `{"n":${n},"long":"${'word '.repeat(2000)}"}`;
    return `{"n":${n}}`;
  };

  test('writes them all, in order and without secrets', async () => {
    const log = new FrameLog({ memoryBytes: 512 * 1024, openSpill: () => new SpillFile() });
    const recorder = new ConnectionRecorder(log, createRecording(path, about), systemClock, () => {});
    for (let n = 1; n <= LONG_RECORDING_FRAMES + 5000; n++) {
      append(log, textOf(n), n);
      if (n % 5000 === 0) await new Promise(setImmediate);
    }
    await recorder.end();
    const { texts, report } = read();
    expect(report).toMatchObject({ frames: LONG_RECORDING_FRAMES + 5000, complete: true, damaged: { count: 0 } });
    const changed = texts.filter((text, index) => text !== textOf(index + 1));
    expect(changed.length).toBe(1 + 55);
    for (const text of changed) expect(text).toMatch(/^\{"n":\d+,"(?:password|said)":"\[redacted:[\w-]+:\w{8}\]"\}$/);
    await log.close();
  });

  test('writes them without a look that fails', async () => {
    const log = new FrameLog();
    const file = createRecording(path, about);
    vi.spyOn(file, 'startLook').mockReturnValue({ at: async () => undefined, stop: () => {} });
    const recorder = new ConnectionRecorder(log, file, systemClock, () => {});
    for (let n = 1; n <= LONG_RECORDING_FRAMES; n++) append(log, `{"n":${n}}`, n);
    await recorder.end();
    expect(read().report).toMatchObject({ frames: LONG_RECORDING_FRAMES, complete: true, damaged: { count: 0 } });
  });
});
