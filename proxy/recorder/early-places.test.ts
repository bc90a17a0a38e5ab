import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { plantedFrame } from '@/lib/redact/test-plant';
import { reviewSource } from '@/lib/sharing/review-source';
import { fileSource } from '@/proxy/commands/share/file-source';
import { RecordingAppender } from './recording-appender';
import { RecordingFile } from './recording-file';

// So that a short recording is read by its index.
vi.mock('@/lib/wire/limits', async (importActual) => {
  const actual = await importActual<typeof import('@/lib/wire/limits')>();
  return { ...actual, LIMITS: { ...actual.LIMITS, wholeRecordingBytes: 0 } };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-early-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a secret that came before its name is listed at the end, and masked in what is shared', async () => {
  const path = join(folder, 'a.mcpr.jsonl');
  const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor(['given-value-1']));
  const frames = [
    plantedFrame('Copy it now: kf83nQx72LmP, it is shown once', 'stderr'),
    plantedFrame('{"jsonrpc":"2.0","id":1,"result":{"api_token":"kf83nQx72LmP"}}'),
    plantedFrame('kf83nQx72LmP', 'stderr'),
  ];
  file.add(frames.map((frame, time) => ({ ...frame, time })));
  file.end();
  const text = readFileSync(path, 'utf8');
  expect(text.match(/kf83nQx72LmP/g)).toHaveLength(1);
  const reader = new RecordingReader();
  reader.readChunk(readFileSync(path));
  expect(reader.finish()).toMatchObject({ complete: true, early: [[1, 13, 25]] });
  const source = await fileSource(path);
  const { review } = await reviewSource(source, { without: [] });
  expect(source.notes).toContain('1 secret was recorded before its name, so this file has it. A shared copy does not.');
  const redaction = review.createRedaction();
  for await (const frame of source.frames())
    expect(new TextDecoder().decode(redaction.apply(frame).bytes)).not.toContain('kf83nQx72LmP');
});

test('a note after the end of an indexed recording does not hide such a secret', async () => {
  const path = join(folder, 'a.mcpr.jsonl');
  const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]), undefined, { framesEach: 2 });
  const frames = [
    plantedFrame('Copy it now: kf83nQx72LmP, it is shown once', 'stderr'),
    plantedFrame('nothing else', 'stderr'),
    plantedFrame('{"jsonrpc":"2.0","id":1,"result":{"api_token":"kf83nQx72LmP"}}'),
    plantedFrame('the end', 'stderr'),
  ];
  for (const [time, frame] of frames.entries()) {
    file.add([{ ...frame, time }]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await file.prepareEnd();
  file.end();
  const note = plantedFrame('{"event":"note","on":1,"text":"Look here","bookmark":true}', 'lifecycle');
  await new RecordingAppender(path).appendFrames([{ ...note, time: 9 }]);
  expect(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1)).toMatch(/"index":/);
  const source = await fileSource(path);
  const { review, selection } = await reviewSource(source, { from: 1, to: 2, without: [] });
  expect(source.notes).toEqual(['1 secret was recorded before its name, so this file has it. A shared copy does not.']);
  const redaction = review.createRedaction();
  for await (const frame of source.frames(selection))
    expect(new TextDecoder().decode(redaction.apply(frame).bytes)).not.toContain('kf83nQx72LmP');
  await source.close();
});

test('a long recording ends in turns with others', async () => {
  const path = join(folder, 'a.mcpr.jsonl');
  const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]));
  const text = (at: number) => `${'plain '.repeat(200)}${at}`;
  const lines = Array.from({ length: 20_000 }, (_, at) => plantedFrame(text(at), 'stderr'));
  const named = plantedFrame('{"jsonrpc":"2.0","id":1,"result":{"api_token":"kf83nQx72LmP"}}');
  const frames = [plantedFrame('Copy it now: kf83nQx72LmP', 'stderr'), ...lines, named];
  await file.addInTurns(frames.map((frame, time) => ({ ...frame, time })));
  let [turns, isOver] = [0, false];
  const others = (): void => {
    turns++;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  await file.prepareEnd();
  isOver = true;
  expect(turns).toBeGreaterThan(3);
  const size = statSync(path).size;
  truncateSync(path, 0);
  // Nothing is read again.
  file.end();
  expect(readFileSync(path).subarray(size).toString()).toContain('"early":[[1,13,25]]');
});
