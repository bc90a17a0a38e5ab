import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RecordedConnection, type RecordedDeps } from '@/lib/hub/recorded-connection';
import { SkimmedLog } from '@/lib/hub/skimmed-log';
import { back, bringBack, derived, LONG, logOf, type Said, said, sessions, texts } from '@/lib/hub/test-recordings';
import { RecordingError } from '@/lib/recording/errors';
import { inflateByStream } from '@/lib/recording/large/indexes';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { Log } from '@/lib/store/log';
import { toChannel } from '@/lib/wire/frame';
import { inflateOnThread } from '@/proxy/files/native-codecs';
import { openFile } from './open-file';
import { RecordingAppender } from './recording-appender';
import { RecordingFile } from './recording-file';

/** Random sessions. */
const SESSIONS = process.env.TEST_LONG ? 20 : 5;
/** Bytes between two places where a recording is cut off. */
const CUT_BYTES = process.env.TEST_LONG ? 97 : 487;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  path = join(folder, 'a.mcpr.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Records the frames three at a time, with an index every `each` frames. Yields to the event loop now and then. */
async function record(frames: readonly Said[], each = 5): Promise<void> {
  rmSync(path, { force: true });
  const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]), undefined, {
    framesEach: each,
    fromBytes: 0,
  });
  for (let at = 0; at < frames.length; at += 3) {
    file.add(frames.slice(at, at + 3).map((frame, index) => ({ ...frame, time: (at + index) * 10 })));
    if (at % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(file.end()).toBeUndefined();
}

interface Opened {
  readonly connection: RecordedConnection;
  /** True if the log was filled from indexes that turned out to be wrong. */
  readonly unsound: boolean;
}

async function opened(deps: Partial<RecordedDeps> = {}): Promise<Opened> {
  const { bytes, parts, name } = await openFile(path);
  return new Promise((resolve, reject) => {
    const settle = (connection: RecordedConnection, unsound: boolean) => resolve({ connection, unsound });
    RecordedConnection.open('c1', bytes, {
      file: name,
      parts,
      wholeBytes: 0,
      indexCheckMs: 0,
      onGrown: () => {},
      onChanged: (changed) => changed.summary.recording?.report && settle(changed, false),
      onUnsound: (connection) => settle(connection, true),
      ...deps,
    }).catch(reject);
  });
}

const calls = (count: number): Said[] =>
  Array.from({ length: count }, (_, of) => back({ jsonrpc: '2.0', id: of, result: { content: [LONG, of] } }));

/** Changes lines of the file. Corrects the places in its end line, unless `change` changes those. */
function rewritten(change: (line: Record<string, unknown>, index: number) => void): void {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  let at = 0;
  let indexes = 0;
  const places: [number, number][] = [];
  const written = lines.map((text) => {
    if (!text.startsWith('{"k":')) {
      at += Buffer.byteLength(text) + 1;
      return text;
    }
    const line = JSON.parse(text) as Record<string, unknown>;
    if (line.k === 'end') line.index = places;
    change(line, line.k === 'index' ? indexes++ : -1);
    const made = JSON.stringify(line);
    if (line.k === 'index') places.push([at, Buffer.byteLength(made) + 1]);
    at += Buffer.byteLength(made) + 1;
    return made;
  });
  writeFileSync(path, `${written.join('\n')}\n`);
}

/** Changes the bytes of one index. */
const inIndex = (wanted: number, change: (bytes: Buffer) => Buffer | undefined) => () =>
  rewritten((line, index) => {
    if (index !== wanted) return;
    const bytes = inflateRawSync(Buffer.from(line.data as string, 'base64'));
    line.data = deflateRawSync(change(bytes) ?? bytes).toString('base64');
  });

const eachIndex = (change: (line: Record<string, unknown>, index: number) => object) => () =>
  rewritten((line, index) => {
    if (index >= 0) Object.assign(line, change(line, index));
  });

const atEnd = (change: (places: [number, number][]) => unknown) => () =>
  rewritten((line) => {
    if (line.k === 'end') line.index = change(line.index as [number, number][]);
  });

describe('a recording with indexes', () => {
  test('opens to the same log as without them', async () => {
    await fc.assert(
      fc.asyncProperty(sessions, async (frames) => {
        await record(frames);
        const byIndex = await opened({ inflate: inflateOnThread });
        const anywhere = await opened();
        const byLines = await opened({ indexIgnored: true });
        const whole = await opened({ wholeBytes: 1e9 });
        expect(byIndex.unsound).toBe(false);
        expect(byIndex.connection.log).toBeInstanceOf(SkimmedLog);
        const log = await logOf(byIndex.connection);
        expect(derived(log)).toEqual(derived(await logOf(whole.connection)));
        expect(derived(await logOf(byLines.connection))).toEqual(derived(log));
        expect(derived(await logOf(anywhere.connection))).toEqual(derived(log));
        const { indexIgnored: _, ...facts } = byLines.connection.summary.recording!;
        expect(byIndex.connection.summary.recording).toEqual(facts);
        expect(byIndex.connection.summary).toEqual(whole.connection.summary);
        await bringBack(log, byIndex.connection);
        expect(texts(log)).toEqual(texts(await logOf(whole.connection)));
        for (const { connection } of [byIndex, anywhere, byLines, whole]) await connection.log.close();
      }),
      { numRuns: SESSIONS },
    );
  }, 60_000);

  test('has no index if it is short', async () => {
    await record(calls(4));
    expect(readFileSync(path, 'utf8')).not.toContain('"index"');
  });

  test('has frames of unknown channels, short and long', async () => {
    const channels = ['otel', 'llm', '__proto__'].map((name) => toChannel(name)!);
    const texts = ['', '{}', 'a\nb', 'x'.repeat(4092), 'x'.repeat(5000), 'x'.repeat(300_000)];
    const others = channels.flatMap((channel) => texts.map((text) => said(channel, 'to-client', text)));
    await record([...calls(7), ...others, ...calls(7)]);
    const { connection, unsound } = await opened();
    expect([unsound, connection.summary.recording?.indexIgnored]).toEqual([false, undefined]);
    const log = await logOf(connection);
    await bringBack(log, connection);
    const found = others.map((_, at) => [log.columns.channel(7 + at), log.text(7 + at)]);
    expect(found).toEqual(channels.flatMap((channel) => texts.map((text) => [channel, text])));
    await connection.log.close();
  });

  test('of version 1 opens by its indexes, and takes notes', async () => {
    await record(calls(23));
    writeFileSync(path, readFileSync(path, 'utf8').replace('"mcpr":2', '"mcpr":1'));
    const used = vi.spyOn(SkimmedLog.prototype, 'addIndexChunk');
    const { connection, unsound } = await opened();
    expect(unsound).toBe(false);
    expect(used).toHaveBeenCalled();
    used.mockRestore();
    await connection.log.close();
    const bytes = Buffer.from('{"event":"note","on":2,"text":"x","bookmark":false}');
    const note = { time: 0, channel: 'lifecycle', direction: 'to-client', flags: 0, bytes } as const;
    await new RecordingAppender(path).appendFrames([note]);
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"mcpr":1,/);
    const { connection: noted } = await opened();
    expect((await logOf(noted)).notes.noteOn(2)?.text).toBe('x');
    await noted.log.close();
  });

  test('fills the log by reading only both ends of the file and the indexes', async () => {
    await record(calls(200), 50);
    const { parts } = await openFile(path);
    const file = await parts();
    let read = 0;
    const counting = {
      ...file,
      read: (from: number, to: number) => file.read(from, to).finally(() => (read += to - from)),
    };
    let filled = 0;
    const { connection } = await opened({
      parts: async () => counting,
      onGrown: ({ log }) => {
        if (log.last === 200) filled ||= read;
      },
    });
    expect(filled).toBeGreaterThan(0);
    expect(connection.log.last).toBe(201);
    await connection.log.close();
  });

  test('is checked against its lines once no viewer reads frames', async () => {
    await record(calls(20));
    const { bytes, parts, name } = await openFile(path);
    const file = await parts();
    const reads: Promise<unknown>[] = [];
    const noted = {
      ...file,
      read: (from: number, to: number) => {
        const read = file.read(from, to);
        reads.push(read);
        return read;
      },
    };
    const nothingIsRead = async () => {
      for (let known = -1; known !== reads.length; ) {
        known = reads.length;
        await Promise.all(reads);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    try {
      const connection = await RecordedConnection.open('c1', bytes, {
        file: name,
        parts: async () => noted,
        wholeBytes: 0,
        indexCheckMs: 1000,
        onGrown: () => {},
        onChanged: () => {},
      });
      await vi.waitUntil(() => connection.summary.recording?.checking, { interval: 1 });
      const holds = vi.spyOn(connection.log, 'matches');
      for (let turn = 0; turn < 5; turn++) {
        connection.log.segmentOf(1);
        await vi.advanceTimersByTimeAsync(900);
        await nothingIsRead();
        expect(holds).not.toHaveBeenCalled();
      }
      await vi.advanceTimersByTimeAsync(1000);
      await nothingIsRead();
      expect(holds).toHaveBeenCalled();
      await vi.waitUntil(() => connection.summary.recording?.report, { interval: 1 });
      await connection.log.close();
    } finally {
      vi.useRealTimers();
    }
  });

  describe('that is read in parts', () => {
    /** Opens the file, notes how many bytes are read, and fails while `failing` is set. */
    async function inParts(deps: Partial<RecordedDeps> = {}) {
      const { bytes, parts, name } = await openFile(path);
      const file = await parts!();
      const host = { read: 0, failing: false };
      const counted = {
        size: file.size,
        close: () => file.close(),
        read: async (from: number, to: number) => {
          if (host.failing) throw new RecordingError('remote', 'a.example refused.', 'Ask.');
          host.read += to - from;
          return file.read(from, to);
        },
      };
      const connection = await RecordedConnection.open('c1', bytes, {
        file: name,
        length: file.size,
        from: 'a.example',
        inParts: true,
        wholeBytes: 0,
        parts: async () => counted,
        onGrown: () => {},
        onChanged: () => {},
        ...deps,
      });
      await vi.waitUntil(() => !connection.summary.recording?.reading, { interval: 1 });
      return { connection, host, size: file.size };
    }

    test('is opened by its index, and not compared with its lines', async () => {
      await record(
        Array.from({ length: 40 }, () => back({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(50_000) } })),
        9,
      );
      const { connection, host, size } = await inParts();
      expect(connection.summary.recording).toMatchObject({ from: 'a.example', inParts: true });
      expect(connection.summary.recording).not.toHaveProperty('checking');
      expect(host.read).toBeLessThan(size / 4);
      await connection.annotate({ on: 3, text: 'here', bookmark: false });
      expect(connection.summary.recording?.unsaved).toContain('lost when you close');
      const whole = await connection.log.wholeOf(20, 20);
      expect(whole.frame(0).bytes.length).toBeGreaterThan(50_000);
      host.failing = true;
      await expect(connection.log.wholeOf(30, 30)).rejects.toThrow('a.example refused.');
      expect(connection.summary.recording?.unfetched).toBe('a.example refused. Ask.');
      host.failing = false;
      await connection.log.wholeOf(30, 30);
      expect(connection.summary.recording).not.toHaveProperty('unfetched');
      await connection.log.close();
    });

    test('is refused without an index, unless it is small', async () => {
      await record(calls(20), 5000);
      await expect(inParts()).rejects.toMatchObject({ code: 'recording-without-index' });
      const { connection } = await inParts({ wholeBytes: 1e9 });
      expect(connection.summary.recording).not.toHaveProperty('inParts');
      await connection.log.close();
    });

    test('attack: of a wrong index, nothing after it is shown', async () => {
      await record(calls(23));
      inIndex(2, (bytes) => bytes.subarray(1))();
      const { connection } = await inParts();
      expect(connection.log.last).toBeLessThan(23);
      expect(connection.summary.recording?.failure).toContain('index does not match its lines');
      await connection.log.close();
      inIndex(0, (bytes) => bytes.subarray(1))();
      await expect(inParts()).rejects.toMatchObject({ code: 'recording-index-wrong' });
    });
  });

  test('keeps its indexes when notes are added after them', async () => {
    await record(calls(23));
    const note = { event: 'note', on: 7, text: 'here', bookmark: true };
    const appender = new RecordingAppender(path);
    for (const text of ['one', 'two']) {
      const bytes = Buffer.from(JSON.stringify({ ...note, text }));
      await appender.appendFrames([{ time: 0, channel: 'lifecycle', direction: 'to-client', flags: 0, bytes }]);
    }
    const { connection, unsound } = await opened();
    expect(unsound).toBe(false);
    const log = await logOf(connection);
    expect(log.notes.noteOn(7)?.text).toBe('two');
    expect(connection.summary.recording?.report).toMatchObject({ frames: 25, complete: true, changed: false });
    await connection.log.close();
  });

  test('keeps every complete line when cut off anywhere, even in an index', async () => {
    await record(calls(12));
    const bytes = readFileSync(path);
    for (let length = bytes.indexOf('\n') + 2; length < bytes.length; length += CUT_BYTES) {
      writeFileSync(path, bytes.subarray(0, length));
      const complete = bytes.subarray(0, length).toString().split('\n').slice(0, -1);
      const frames = complete.filter((line) => line.startsWith('{"n":')).length;
      if (frames === 0) continue;
      const { connection, unsound } = await opened();
      expect(unsound).toBe(false);
      const { report } = connection.summary.recording!;
      expect(report).toMatchObject({ frames, torn: bytes[length - 1] !== 10, ended: false, damaged: { count: 0 } });
      await connection.log.close();
    }
  });
});

const frameTable = (bytes: Buffer) => 16 + bytes.readUInt32LE(0) * 8 + bytes.readUInt32LE(4);

describe('wrong indexes', () => {
  test.each<[string, () => void]>([
    ['point outside of the file', atEnd((places) => [...places, [1e12, 100]])],
    ['point at a line that is not an index', atEnd(() => [[10, 50]])],
    ['overlap', atEnd(([first, ...rest]) => [first, [first![0] + 1, first![1]], ...rest])],
    ['are in the wrong order', atEnd((places) => places.toReversed())],
    ['omit an index', atEnd(([first, _second, ...rest]) => [first, ...rest])],
    ['are not a list', atEnd(() => ({ length: 3 }))],
    ['end too early', atEnd((places) => places.slice(0, 2))],
    ['are of another version', eachIndex((line) => ({ ...line, v: 2 }))],
    ['contain invalid base64', eachIndex((line, index) => (index === 1 ? { ...line, data: '…' } : line))],
    ['contain invalid deflated data', eachIndex((line, index) => (index === 1 ? { ...line, data: 'AAAA' } : line))],
    ['unpack to gigabytes', inIndex(1, () => Buffer.alloc(40 * 1024 * 1024))],
    ['are cut off', inIndex(1, (bytes) => bytes.subarray(0, -1))],
    ['have a wrong count', inIndex(1, (bytes) => void bytes.writeUInt32LE(4_000_000_000, 0))],
    ['have a wrong place', inIndex(1, (bytes) => void bytes.writeUInt32LE(bytes.readUInt32LE(24) + 1, 24))],
    ['have a wrong first place', inIndex(1, (bytes) => void bytes.writeDoubleLE(1e15, 8))],
    ['have a wrong length', inIndex(1, (bytes) => void bytes.writeUInt32LE(77, 20))],
    ['have a wrong time', inIndex(1, (bytes) => void bytes.writeDoubleLE(51, frameTable(bytes)))],
    ['have a wrong direction', inIndex(1, (bytes) => void bytes.writeUInt8(0, frameTable(bytes) + 12))],
    ['have a wrong channel', inIndex(1, (bytes) => void bytes.writeUInt8(9, frameTable(bytes) + 13))],
    ['have another known channel', inIndex(1, (bytes) => void bytes.writeUInt8(6, frameTable(bytes) + 13))],
    ['have an unnamed channel', inIndex(1, (bytes) => void bytes.writeUInt8(255, frameTable(bytes) + 13))],
    [
      'have a wrong message',
      inIndex(1, (bytes) => Buffer.from(bytes.toString('latin1').replace('"id":5', '"id":9'), 'latin1')),
    ],
    [
      'give places of blobs where there are none',
      inIndex(1, (bytes) => {
        const list = Buffer.from('[[0,5]]');
        const [start, end] = [16 + 8 * bytes.readUInt32LE(0), frameTable(bytes)];
        bytes.writeUInt32LE(list.length, 4);
        return Buffer.concat([bytes.subarray(0, start), list, bytes.subarray(end)]);
      }),
    ],
  ])('are noticed, and the lines are read, if they %s', async (_what, change) => {
    await record(calls(23));
    const { connection: before } = await opened({ wholeBytes: 1e9 });
    change();
    const expected = derived(await logOf(before));
    for (const inflate of [inflateByStream, inflateOnThread]) {
      const { connection, unsound } = await opened({ inflate });
      const ignored = unsound ? (await opened({ indexIgnored: true })).connection : connection;
      expect(derived(await logOf(ignored))).toEqual(expected);
      expect(ignored.summary.recording?.report).toMatchObject({ frames: 23, damaged: { count: 0 }, complete: true });
      for (const { log } of [connection, ignored]) await log.close();
    }
    await before.log.close();
  });

  test('are noticed if a line was changed after it was indexed', async () => {
    await record(calls(23));
    writeFileSync(path, readFileSync(path, 'utf8').replace('"id":12', '"id":99'));
    expect((await opened()).unsound).toBe(true);
  });

  test('are noticed if a line was damaged after it was indexed', async () => {
    await record(calls(23));
    writeFileSync(path, readFileSync(path, 'utf8').replace('{"n":12', '{"x":12'));
    const { connection, unsound } = await opened();
    expect(unsound).toBe(true);
    // Later frames have the same numbers with the index as without it.
    const { connection: ignored } = await opened({ indexIgnored: true });
    const numbers = async (log: Log) => Array.from({ length: 23 }, (_, index) => log.exchange(index + 1)?.id);
    const [byIndex, byLine] = [await numbers(await logOf(connection)), await numbers(await logOf(ignored))];
    expect(byLine.toSpliced(11, 1)).toEqual(byIndex.toSpliced(11, 1));
    expect((await logOf(ignored)).row(11).name).toContain('is damaged. 1 frame is missing here.');
    for (const { log } of [connection, ignored]) await log.close();
  });
});
