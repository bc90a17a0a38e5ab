import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findingsOf, recordingsOf } from '@/features/check/lib/report';
import { checkRecordingFile } from './check-recordings';
import { numberedPath, SessionRecordings } from './session-recordings';
import { checkFaulty, ERAS } from './test-check';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the frames of a finding are those of its recording', async () => {
  const recordings = new SessionRecordings(join(folder, 'a.mcpr.jsonl'));
  const { sources } = await checkFaulty(['legacy', 'tool-schema-null'], ERAS.legacy, {}, [], recordings);
  expect(recordingsOf(sources[0]!)).toEqual([join(folder, 'a.mcpr.jsonl')]);
  const judged = await checkRecordingFile(recordings.files[0]!, { status: { show: () => {}, end: () => {} } });
  const framesOf = (found: typeof sources) =>
    findingsOf({ sources: found }).find(({ finding }) => finding.rule === 'field-type')!.finding.frames;
  expect(framesOf(sources)).toEqual(framesOf([judged]));
});

test('each session after a lost one has its own recording', async () => {
  const recordings = new SessionRecordings(join(folder, 'b.mcpr.jsonl'));
  const { sources } = await checkFaulty(['legacy', 'list-exits'], ERAS.legacy, {}, [], recordings);
  expect(recordings.files.length).toBeGreaterThan(1);
  expect(recordingsOf(sources[0]!)).toEqual(recordings.files);
});

test('numbers files before their ending', () => {
  expect(['a.mcpr.jsonl', 'b/report.html'].map((path) => numberedPath(path, 2))).toEqual([
    'a-2.mcpr.jsonl',
    'b/report-2.html',
  ]);
  expect(numberedPath('a.mcpr.jsonl', 1)).toBe('a.mcpr.jsonl');
});
