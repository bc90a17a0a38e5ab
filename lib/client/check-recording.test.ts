import { gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import type { Problem } from '@/lib/problems/problem';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { LIMITS } from '@/lib/wire/limits';
import { type CountWorker, checkRecording } from './check-recording';

afterEach(() => vi.useRealTimers());

const header = Buffer.from(encodeHeaderOrEnd(TEST_HEADER));
const frame = (text: string) =>
  encodeFrame(1, { time: 0, channel: 'protocol', direction: 'to-client', flags: 0, bytes: Buffer.from(text) });
const recording = Buffer.concat([header, frame('{}')]);

/** A worker that calls this with each job. */
function worker(asked: (self: CountWorker) => void) {
  const terminate = vi.fn();
  const self: CountWorker = { onmessage: null, onerror: null, terminate, postMessage: () => asked(self) };
  return { start: () => self, terminate };
}

test('ends a worker that never responds, so that the next check can run', async () => {
  vi.useFakeTimers();
  const { start, terminate } = worker(() => void vi.advanceTimersByTimeAsync(LIMITS.rulesMs));
  await expect(checkRecording(new Blob([recording]), start)).rejects.toThrow('too long');
  expect(terminate).toHaveBeenCalledOnce();
});

test('does not wait for a worker that did not load', async () => {
  const { start, terminate } = worker((self) => self.onerror?.());
  await expect(checkRecording(new Blob([recording]), start)).rejects.toThrow('did not load');
  expect(terminate).toHaveBeenCalledOnce();
});

test('rejects a file that unpacks to too much', async () => {
  const { start } = worker((self) => self.onmessage?.({ data: { changed: [], marks: new Uint32Array() } }));
  expect(await checkRecording(new Blob([recording]), start)).toMatchObject({ problems: 0, frames: 1 });
  const large = gzipSync(Buffer.concat([header, frame(JSON.stringify('x'.repeat(LIMITS.countedRecordingBytes)))]));
  await expect(checkRecording(new Blob([large]), start)).rejects.toMatchObject({ code: 'recording-too-large' });
});

test('reports no problem for a response whose request may be a damaged line', async () => {
  const found: Problem = {
    id: 1,
    rule: 'unknown-id',
    severity: 'error',
    title: '',
    advice: '',
    message: '',
    path: undefined,
    seqs: [1],
    count: 1,
    related: [],
    section: '',
    url: '',
  };
  const { start } = worker((self) => self.onmessage?.({ data: { changed: [found], marks: Uint32Array.of(1, 1) } }));
  expect(await checkRecording(new Blob([recording]), start)).toMatchObject({ problems: 1 });
  const damaged = Buffer.concat([recording, Buffer.from('{"n":2,\n')]);
  expect(await checkRecording(new Blob([damaged]), start)).toMatchObject({ problems: 0 });
  const before = JSON.stringify({ ...JSON.parse(header.toString()), lacks: { damaged: 1 } });
  const copy = Buffer.concat([Buffer.from(`${before}\n`), recording.subarray(header.length)]);
  expect(await checkRecording(new Blob([copy]), start)).toMatchObject({ problems: 0 });
});

test('does not count placeholders of missing frames', async () => {
  const { start } = worker((self) => self.onmessage?.({ data: { changed: [], marks: new Uint32Array() } }));
  const later = Buffer.from(frame('{}')).toString().replace('"n":1', '"n":4');
  expect(await checkRecording(new Blob([recording, later]), start)).toMatchObject({ frames: 2 });
});

test('rejects a recording that is too large once its blobs are restored', async () => {
  const blob = `{"k":"blob","b":"b1","s":"${'x'.repeat(1024 ** 2)}"}\n`;
  const cut = (n: number) => `{"n":${n},"t":1,"c":"protocol","d":"<","blobs":[[2,"b1"]],"cut":[""]}\n`;
  const file = Buffer.concat([header, Buffer.from(blob + Array.from({ length: 100 }, (_, n) => cut(n + 1)).join(''))]);
  let posted = 0;
  const { start } = worker((self) => self.onmessage?.({ data: { changed: [], marks: new Uint32Array() } }));
  const counting = () => {
    const self = start();
    return {
      ...self,
      postMessage({ frames }: { readonly frames: readonly { readonly bytes: Uint8Array }[] }) {
        for (const { bytes } of frames) posted += bytes.length;
        this.onmessage?.({ data: { changed: [], marks: new Uint32Array() } });
      },
    } as CountWorker;
  };
  await expect(checkRecording(new Blob([file]), counting)).rejects.toThrow('the rest was skipped');
  expect(posted).toBeLessThanOrEqual(LIMITS.countedRecordingBytes);
});

test('reports changes if the digest in the end line differs', async () => {
  const { start } = worker((self) => self.onmessage?.({ data: { changed: [], marks: new Uint32Array() } }));
  const end = encodeHeaderOrEnd({ k: 'end', t: 0, frames: 1, sha256: '0'.repeat(64) });
  const { report } = await checkRecording(new Blob([recording, Buffer.from(end)]), start);
  expect(report.changed).toBe(true);
});
