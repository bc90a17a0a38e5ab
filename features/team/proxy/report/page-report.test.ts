import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReportReply, ReportRequest } from '@/features/team/lib/summary/report-api';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { asked, framesOf } from '@/lib/store/test-frames';
import { newFileName } from '@/proxy/recorder/file-names';
import { RecordingFile } from '@/proxy/recorder/recording-file';
import { PageReport } from './page-report';
import { reportRoute } from './report-route';

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  folder = join(home, 'recordings');
  mkdirSync(folder);
});
afterEach(() => rmSync(home, { recursive: true }));

/** Writes a recording of a request. */
function record(name: string, at: string): void {
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
  const line = encodeFrame(1, { time: 1, channel: 'protocol', direction: 'to-server', flags: 0, bytes });
  const header = encodeHeaderOrEnd({ ...TEST_HEADER, id: name, at });
  writeFileSync(join(folder, `${name}.mcpr.jsonl`), Buffer.concat([header, line]));
}

const LOCAL: ReportRequest = { bucket: false, days: 0 };
const reports = () => new PageReport(folder, '1', { url: undefined, options: {} });

/** Asks until the report is there. */
async function whole(report: PageReport, request: ReportRequest): Promise<Extract<ReportReply, { report: object }>> {
  for (;;) {
    const reply = await report.run(request);
    if ('report' in reply) return reply;
  }
}

test('reports on the recordings of this machine, and on those of the last days', async () => {
  record('old', '2020-01-01T00:00:00.000Z');
  record('new', new Date().toISOString());
  const report = reports();
  expect((await whole(report, LOCAL)).report).toMatchObject({ recordings: 2, requests: 2 });
  expect((await whole(report, { ...LOCAL, days: 7 })).report).toMatchObject({ recordings: 1 });
  record('newer', new Date().toISOString());
  expect((await whole(report, LOCAL)).report).toMatchObject({ recordings: 3 });
  const { answers } = (await whole(report, { ...LOCAL, compare: ['a', 'b'] })).report;
  expect(answers[0]).toMatchObject({ id: 'regressions', empty: 'No server has recordings of both a and b' });
});

test('says that the recording of an open connection is left out, and counts it at its end', async () => {
  const path = join(folder, newFileName('2026-02-03T04:05:06Z', 'x', process.pid));
  const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]));
  const report = reports();
  expect(await whole(report, LOCAL)).toMatchObject({
    report: { recordings: 0 },
    notes: ['1 recording is still being written, and will be counted once its connection has ended.'],
  });
  file.add(framesOf([asked(1, 'ping')]));
  file.end();
  expect(await whole(report, LOCAL)).toMatchObject({ report: { recordings: 1 }, notes: [] });
});

test('names recordings as the list of the page does, without a path', async () => {
  record('one', '2026-01-01T00:00:00.000Z');
  const { report } = await whole(reports(), LOCAL);
  const sources = report.answers.flatMap(({ rows }) => rows.flatMap((row) => row.sources));
  expect(JSON.stringify([report, sources])).not.toContain(home);
});

test('says how far it is while it reads, once for all who ask', async () => {
  for (let at = 0; at < 5; at++) record(`r${at}`, '2026-01-01T00:00:00.000Z');
  const report = new PageReport(folder, '1', { url: undefined, options: {} }, 0);
  const replies = await Promise.all([report.run(LOCAL), report.run(LOCAL)]);
  expect(replies).toEqual([{ progress: expect.anything() }, { progress: expect.anything() }]);
  expect((await whole(report, LOCAL)).report.recordings).toBe(5);
});

test('a linked folder and a missing bucket are failures', async () => {
  await expect(reports().run({ ...LOCAL, bucket: true })).rejects.toMatchObject({ code: 'no-bucket' });
  rmSync(folder, { recursive: true });
  symlinkSync(home, folder);
  await expect(reports().run(LOCAL)).rejects.toMatchObject({ code: 'linked-folder' });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['no source', { days: 0 }],
  ['days before now', { ...LOCAL, days: -1 }],
  ['more days than there are', { ...LOCAL, days: 1e9 }],
  ['one side of a comparison', { ...LOCAL, compare: ['a'] }],
  ['an empty side', { ...LOCAL, compare: ['a', ''] }],
  ['a side that is too long', { ...LOCAL, compare: ['a', 'b'.repeat(201)] }],
])('the route refuses %s', async (_what, body) => {
  const route = reportRoute(() => Promise.reject(new Error('It was asked.')));
  const reply = await route.handle({ body: Buffer.from(JSON.stringify(body) ?? '') } as never);
  expect(reply).toMatchObject({ status: 400 });
});
