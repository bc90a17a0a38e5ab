import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { back, LONG, out, type Said, sessions } from '@/lib/hub/test-recordings';
import { CHANGED_TEXT } from '@/lib/recording/labels';
import { Outline } from '@/lib/recording/large/outline';
import type { FileAtHand } from '@/lib/recording/large/recorded-lines';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { CallIndex } from '@/lib/replay/server/call-index';
import { openTraffic, outlineTraffic } from '@/lib/replay/traffic/open-traffic';
import type { RecordedTraffic, ServerEvent } from '@/lib/replay/traffic/recorded-traffic';
import { PlaybackPosition } from '@/lib/replay/traffic/request-matching';
import { inflateOnThread, runningSha256 } from '@/proxy/files/native-codecs';
import { openFile } from './open-file';
import { checkSentences, readTrafficFile } from './read-traffic';
import { RecordingFile } from './recording-file';

/** Random sessions. */
const SESSIONS = process.env.TEST_LONG ? 40 : 10;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  path = join(folder, 'a.mcpr.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Records frames with an index every `each` frames. */
async function record(frames: readonly Said[], each = 5): Promise<void> {
  rmSync(path, { force: true });
  const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]), undefined, {
    framesEach: each,
    fromBytes: 0,
  });
  for (const [at, frame] of frames.entries()) {
    file.add([{ ...frame, time: at * 10 }]);
    if (at % each === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(file.end()).toBeUndefined();
}

/** Everything in the traffic, as plain values. */
function plain({ era, version, handshake, sent, before, streams }: RecordedTraffic) {
  const answered = (answer: { kind: string; text: string; seq: number; status: number | undefined } | undefined) =>
    answer && [answer.kind, answer.text, answer.seq, answer.status];
  const event = (each: ServerEvent) => [
    each.kind,
    each.seq,
    each.time,
    each.method,
    each.params,
    each.kind === 'request' ? [each.id, answered(each.answer)] : each.stream,
  ];
  const messages = sent.map((message) => [
    message.kind,
    message.seq,
    message.time,
    message.exchange,
    message.method,
    message.params,
    message.after.map(event),
    ...(message.kind === 'call'
      ? [message.id, message.name, message.batch, message.progressToken, message.continues, message.unanswered]
      : []),
    ...(message.kind === 'call' ? [answered(message.answer), message.during.map(event)] : []),
  ]);
  return { era, version, handshake: handshake?.seq, messages, before: before.map(event), streams: [...streams] };
}

/** Opens the recording by its index, and counts the bytes that are read. */
async function opened() {
  const { bytes: unread, parts } = await openFile(path);
  await unread.cancel();
  const file = await parts();
  let bytes = 0;
  const counted: FileAtHand = {
    ...file,
    read: (from, to) => {
      bytes += to - from;
      return file.read(from, to);
    },
    readNow: (from, to) => {
      bytes += to - from;
      return file.readNow(from, to);
    },
  };
  const outline = await Outline.of(counted, inflateOnThread);
  const opening = outline && (await outlineTraffic(outline, runningSha256));
  if (!opening) await file.close();
  return opening && { traffic: opening.traffic, readBytes: () => bytes, close: () => opening.close() };
}

const calls = (count: number): Said[] =>
  Array.from({ length: count }, (_, id) => [
    out({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't', arguments: { text: `${LONG} ${id}` } } }),
    back({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: LONG }] } }),
  ]).flat();

describe('the traffic of a recording with an index', () => {
  test('is that of its lines', async () => {
    await fc.assert(
      fc.asyncProperty(sessions, async (frames) => {
        await record(frames, 2);
        const byIndex = await opened();
        // Short ones have no index.
        fc.pre(byIndex !== undefined);
        const { traffic, close } = byIndex!;
        const whole = await readTrafficFile(path, { through: (frame) => frame });
        expect(plain(traffic)).toEqual(plain(whole.traffic));
        await close();
      }),
      { numRuns: SESSIONS },
    );
  });

  test('holds only what was changed on the way, and reads other texts again', async () => {
    // Longer than the files whose texts are held.
    const texts = Array.from({ length: 40 }, (_, id) => `${id} ${'x'.repeat(512 * 1024)}`);
    await record(texts.map((text, id) => out({ jsonrpc: '2.0', id, method: 'x', params: { text } })));
    const changed = Buffer.from('{"jsonrpc":"2.0","id":7,"method":"x","params":{"text":"other"}}');
    const { traffic, close } = await readTrafficFile(path, {
      through: (frame) => (frame.seq === 8 ? { ...frame, bytes: changed } : frame),
    });
    const params = (at: number) => JSON.parse(traffic.sent[at]!.params!).text;
    expect([params(3), params(7), params(39)]).toEqual([texts[3], 'other', texts[39]]);
    writeFileSync(path, '');
    expect(params(7)).toBe('other');
    expect(() => params(20)).toThrow();
    await close();
  });

  test('is read from a small part of the file, and each call from its own lines', async () => {
    await record(calls(3000), 1000);
    const { traffic, readBytes, close } = (await opened())!;
    const { size } = statSync(path);
    expect(readBytes()).toBeLessThan(size / 4);
    const before = readBytes();
    const index = new CallIndex(traffic);
    const ask = (id: number) => index.find('tools/call', `{"name":"t","arguments":{"text":"${LONG} ${id}"}}`)!.calls;
    expect(ask(1).at(0)?.answer?.text).toContain(LONG);
    // Two requests were compared, and one response was read.
    expect(readBytes() - before).toBeLessThan(size / 50);
    const position = new PlaybackPosition();
    expect(position.next(ask(2999))).toMatchObject({ again: false, item: { seq: 5999 } });
    expect(position.next(ask(2999))).toMatchObject({ again: true, item: { seq: 5999 } });
    await close();
  });

  test.each([
    [`Bearer ${'•••'}`, true],
    ['[redacted:secret:01234567]', true],
    ['••', false],
  ])('tells whether it may be redacted: %s', async (text, isRedacted) => {
    await record([...calls(20), out({ jsonrpc: '2.0', id: 'a', method: 'x', params: { text } })], 10);
    const opening = await readTrafficFile(path, { wholeBytes: 0 });
    expect(await opening.check?.()).toEqual({ hasWord: isRedacted, isChanged: false });
    await opening.close();
  });

  test('a check finds what was changed in the lines, which the index does not show', async () => {
    await record(calls(200), 100);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"n":3,', '"n":4,'));
    const changed = await readTrafficFile(path, { wholeBytes: 0 });
    expect(changed.report).toBeUndefined();
    const check = await changed.check!();
    expect(check).toEqual({ hasWord: false, isChanged: true });
    expect(checkSentences(check)).toEqual([CHANGED_TEXT]);
    await changed.close();
    writeFileSync(path, readFileSync(path, 'utf8').replace(/,"sha256":"[0-9a-f]+"/, ''));
    const unknown = await readTrafficFile(path, { wholeBytes: 0 });
    expect(checkSentences(await unknown.check!())).toEqual([expect.stringContaining('no checksum')]);
    await unknown.close();
  });

  test('is read from the lines if the index is wrong', async () => {
    await record(calls(20), 10);
    const sound = await readTrafficFile(path, { wholeBytes: 0 });
    expect(sound.report).toBeUndefined();
    await sound.close();
    const bytes = readFileSync(path);
    const at = bytes.indexOf('"data":"') + 20;
    writeFileSync(path, bytes.fill(0x41, at, at + 50));
    const whole = await readTrafficFile(path, { wholeBytes: 0 });
    expect(whole.report?.frames).toBe(40);
    expect(whole.traffic.sent).toHaveLength(20);
  });

  test('reports a line that has changed since', async () => {
    await record(calls(200), 100);
    const { traffic, close } = (await opened())!;
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"n":3,', '"n":4,'));
    expect(() => traffic.sent[1]?.params).toThrow('has changed since it was opened');
    expect(traffic.sent[2]?.params).toContain(LONG);
    await close();
  });
});

test('texts of a long file are read again from its lines, also behind missing frames', async () => {
  await record(calls(40), 1000);
  const lines = readFileSync(path, 'utf8').split('\n');
  // Without its frames 5 and 6, and with many missing before the last ones, which then get lower numbers.
  const moved = lines.slice(21, 41).map((line) => line.replace(/"n":(\d+)/, (_, n) => `"n":${Number(n) + 300_000}`));
  writeFileSync(path, [...lines.slice(0, 5), ...lines.slice(7, 21), ...moved, ''].join('\n'));
  const { bytes, parts } = await openFile(path);
  const again = await openTraffic(bytes, { lines: await parts() });
  const held = await openTraffic((await openFile(path)).bytes);
  expect(held.report?.renumberedFrom).toBe(22);
  expect(held.traffic.sent.length).toBeGreaterThan(15);
  expect(plain(again.traffic)).toEqual(plain(held.traffic));
  await again.close();
});
