import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSummary } from '@/features/team/lib/summary/read-summary';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { answered, asked, framesOf } from '@/lib/store/test-frames';
import { openFile } from '@/proxy/recorder/open-file';
import { RecordingFile } from '@/proxy/recorder/recording-file';
import { summariseRecording } from './summarise-recording';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  path = join(folder, 'a.mcpr.jsonl');
  const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]));
  file.add(framesOf([asked(1, 'tools/call', { name: 'scan', arguments: {} }), answered(1, { content: [] })]));
  expect(file.end()).toBeUndefined();
});
afterEach(() => rmSync(folder, { recursive: true }));

const within = (_ms: number, work: () => void) => {
  work();
  return true;
};
const summaryOf = async (file: string) => summariseRecording(await openFile(file), { within, tags: ['nightly'] });
const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

test('summarises a file, with its digest', async () => {
  const summary = await summaryOf(path);
  expect(summary).toMatchObject({ id: 'a-recording', frames: 2, complete: true, tags: ['nightly'], mode: 'client' });
  expect(summary.tools).toEqual([expect.objectContaining({ name: 'scan', calls: 1, unlisted: true })]);
  expect([summary.sha256, summary.bytes]).toEqual([sha256(path), readFileSync(path).length]);
  expect(readSummary(Buffer.from(JSON.stringify(summary)))).toEqual(summary);
});

test('summarises a packed file, with the digest of the packed bytes', async () => {
  const packed = join(folder, 'a.mcpr.gz');
  writeFileSync(packed, gzipSync(readFileSync(path)));
  expect(await summaryOf(packed)).toMatchObject({ frames: 2, complete: true, sha256: sha256(packed) });
});

test('has the digest of the whole file, even if damage ends the reading', async () => {
  appendFileSync(path, 'x\n'.repeat(300_000));
  expect(await summaryOf(path)).toMatchObject({ frames: 2, complete: false, sha256: sha256(path) });
});

test('refuses a file that is not a recording', async () => {
  writeFileSync(path, 'hello\n');
  await expect(summaryOf(path)).rejects.toMatchObject({ code: 'not-a-recording' });
});
