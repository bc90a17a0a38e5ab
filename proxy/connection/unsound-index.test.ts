import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InPageHub } from '@/lib/direct/page-hub';
import { back, event, LONG } from '@/lib/hub/test-recordings';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { systemClock } from '@/lib/wire/clock';
import type { ConnectionSummary, Event } from '@/lib/wire/command';
import { LIMITS } from '@/lib/wire/limits';
import { openFile } from '../recorder/open-file';
import { RecordingFile } from '../recorder/recording-file';
import { openHub } from './test-hub';

vi.mock('@/lib/wire/limits', async (original) => {
  const { LIMITS: real } = await original<typeof import('@/lib/wire/limits')>();
  return { LIMITS: { ...real, pageLogBytes: 1000, indexCheckMs: 0, indexedFrames: 20, wholeRecordingBytes: 0 } };
});

let folder: string;
let path: string;

/** Makes a recording with indexes and changes one line afterwards. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  path = join(folder, 'a.mcpr.jsonl');
  const file = RecordingFile.create(path, TEST_HEADER, new CaptureRedactor([]));
  const frames = Array.from({ length: 2 * LIMITS.indexedFrames }, (_, id) =>
    back({ jsonrpc: '2.0', id, result: { content: [LONG] } }),
  );
  file.add([...frames, event({ event: 'closed' })].map((frame, time) => ({ ...frame, time })));
  expect(file.end()).toBeUndefined();
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('"k":"index"');
  writeFileSync(path, text.replace('"id":7,', '"id":8,'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the connection that remains. */
function left(events: readonly Event[]): ConnectionSummary | undefined {
  const known = new Map<string, ConnectionSummary>();
  for (const one of events) {
    if (one.type === 'connection') known.set(one.connection.id, one.connection);
    if (one.type === 'forgotten') known.delete(one.connection);
  }
  const [only, ...others] = known.values();
  return others.length === 0 && only?.recording?.report ? only : undefined;
}

const READ = {
  indexIgnored: true,
  report: { frames: 2 * LIMITS.indexedFrames + 1, changed: true, damaged: { count: 0 } },
};

test('reopens a recording without its index if the index was wrong; the new connection replaces the first', async () => {
  const open = await openHub();
  try {
    const tab = await open.tab();
    await open.hub.openFile(await openFile(path));
    await tab.until(() => left(tab.events) !== undefined);
    expect(left(tab.events)).toMatchObject({ id: 'c2', recording: READ });
  } finally {
    await open.close();
  }
});

test('does the same in a page without a proxy', async () => {
  const events: Event[] = [];
  const page = new InPageHub(
    {
      isOpen: true,
      bufferedAmount: 0,
      sendEvent: (told) => events.push(told),
      sendBatch: (_batch, taken) => taken(),
      terminate: () => {},
    },
    { clock: systemClock, version: '0' },
  );
  await page.openFile('r', 'a.mcpr.jsonl', new Blob([readFileSync(path)]));
  await vi.waitFor(() => expect(left(events)).toMatchObject({ id: 'd2', recording: READ }));
});
