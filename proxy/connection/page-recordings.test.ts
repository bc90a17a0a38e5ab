import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendEvent, appendNote, FrameLog } from '@/lib/hub/frame-log';
import { BATCH_BYTES, cutBatch } from '@/lib/hub/viewer';
import { RecordingReader } from '@/lib/recording/recording-reader';
import type { Batch } from '@/lib/wire/batch';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { FakeClock } from '@/lib/wire/test-clock';
import { Recorder } from '../recorder/recorder';
import { PAGE_RECORDING_AWAY_MS } from './page-recordings';
import { openHub, type TestTab } from './test-hub';

let folder: string;
let clock: FakeClock;
let open: Awaited<ReturnType<typeof openHub>>;
let tab: TestTab;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  clock = new FakeClock();
  open = await openHub(clock, undefined, undefined, new Recorder({ clock, version: '0.0.0-test', folder }));
  tab = await open.tab();
});
afterEach(async () => {
  await open.close();
  rmSync(folder, { recursive: true });
});

const KEY = 'a-tab.d1.2026-01-01T00:00:00.000Z';
const START = {
  event: 'start',
  at: '2026-01-01T00:00:00.000Z',
  name: '../../etc/a host',
  transport: 'http',
  url: 'https://h/mcp',
  via: 'direct',
  headerNames: [],
  protocol: 'auto',
} as const;

/** The log of a page's connection, as in its worker. */
class PageLog {
  log = new FrameLog();
  readonly #cursor = { next: 1, offset: 0 };

  constructor(...texts: string[]) {
    this.begin(START);
    for (const text of texts) this.add(text);
  }

  begin(start: object): void {
    appendEvent(this.log, start as LifecycleEvent);
  }

  add(text: string, time = this.log.lastTime + 1): void {
    const bytes = Buffer.from(text);
    this.log.append('protocol', 'to-client', 0, time, bytes, 0, bytes.length);
  }

  /** Sends new frames, a batch at a time. Returns the last answer. */
  async send(to: TestTab, from = this.#cursor.next): Promise<unknown> {
    this.#cursor.next = from;
    for (let batch = cutBatch('d1', this.log, this.#cursor); batch; batch = cutBatch('d1', this.log, this.#cursor)) {
      await sent(to, batch as Batch);
    }
    return to.events.at(-1);
  }
}

async function sent(to: TestTab, batch: Uint8Array): Promise<void> {
  const before = to.events.length;
  to.socket.send(batch);
  await to.until(() => to.events.length > before);
}

const record = (to: TestTab, begin = true) => to.ask({ type: 'record', connection: 'd1', key: KEY, begin });
const end = (to: TestTab) => to.ask({ type: 'record-end', connection: 'd1' });

function read() {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.map((name) => {
    const reader = new RecordingReader();
    const frames = reader.readChunk(readFileSync(join(folder, name)));
    const texts = frames.slice(1).map(({ bytes }) => Buffer.from(bytes).toString());
    return { name, header: reader.header, texts, times: frames.map(({ time }) => time), report: reader.finish() };
  });
}

describe('a page’s own connection', () => {
  test('is recorded like any other, under a name that the page does not choose', async () => {
    const page = new PageLog('{"id":1}');
    expect(await record(tab)).toMatchObject({ type: 'done', recorded: { frames: 0, ended: false } });
    expect(readdirSync(folder)).toEqual([]);
    expect(await page.send(tab)).toEqual({ type: 'recorded', connection: 'd1' });
    expect(read()[0]).toMatchObject({ texts: ['{"id":1}'], report: { complete: false, torn: false } });
    page.add(`{"id":2,"big":"${'x'.repeat(BATCH_BYTES * 3)}"}`);
    await page.send(tab);
    expect(await end(tab)).toMatchObject({ type: 'done' });
    const [file, ...others] = read();
    expect(others).toEqual([]);
    expect(file).toMatchObject({
      header: { name: '../../etc/a host', at: START.at },
      report: { complete: true, frames: 3 },
    });
    expect(file!.name).toMatch(/^\d{8}T\d{6}Z-etc-a-host-p\d+\.[0-9a-f]{6}-[0-9a-f]{8}\.mcpr\.jsonl$/);
    expect(file!.texts[1]).toContain('xxx');
    expect(statSync(join(folder, file!.name)).mode & 0o777).toBe(0o600);
  });

  test('resumes in its file on another socket, with a note after the end', async () => {
    const page = new PageLog('1');
    await record(tab);
    await page.send(tab);
    tab.socket.terminate();
    const other = await open.tab();
    page.add('2');
    expect(await record(other, false)).toMatchObject({ recorded: { frames: 2 } });
    await page.send(other, 3);
    await end(other);
    appendNote(page.log, { on: 2, text: 'look', bookmark: false });
    expect(await page.send(other)).toEqual({ type: 'recorded', connection: 'd1' });
    expect(read()).toMatchObject([{ texts: ['1', '2', expect.stringContaining('look')], report: { complete: true } }]);
    clock.advance(PAGE_RECORDING_AWAY_MS);
    expect(await record(other, false)).toMatchObject({ recorded: { frames: 4, ended: true } });
  });

  test('belongs to the page that asked last, and no other page writes to it', async () => {
    const page = new PageLog('1');
    await record(tab);
    await page.send(tab);
    const other = await open.tab();
    await record(other, false);
    page.add('2');
    expect(await page.send(tab)).toMatchObject({ type: 'recorded', connection: 'd1', failure: expect.any(String) });
    expect(read()).toMatchObject([{ texts: ['1'] }]);
  });

  test('has no end once its tab is gone', async () => {
    const page = new PageLog('1');
    await record(tab);
    await page.send(tab);
    tab.socket.terminate();
    const other = await open.tab();
    await expect.poll(() => clock.waiting).toBeGreaterThan(0);
    clock.advance(PAGE_RECORDING_AWAY_MS);
    expect(read()).toMatchObject([{ texts: ['1'], report: { ended: false } }]);
    expect(await record(other, false)).toMatchObject({
      code: 'recording-failed',
      message: 'The page was away for too long, so the recording ends here.',
    });
  });

  test('has no secret that its page missed, and no time that runs backwards', async () => {
    const page = new PageLog();
    const token = `ghp_${'aB3dE6gH9'.repeat(4)}`;
    page.add(token, 9);
    page.add('later', 3);
    await record(tab);
    await page.send(tab);
    expect(read()).toMatchObject([
      { texts: [expect.stringContaining('[redacted:github:'), 'later'], times: [0, 9, 9] },
    ]);
  });

  test('is recorded by a proxy that records, and resumed by one that knows it', async () => {
    expect(await record(tab, false)).toMatchObject({ code: 'not-recorded' });
    expect(await end(tab)).toMatchObject({ code: 'not-recorded' });
    const off = await openHub(clock);
    expect(await record(await off.tab())).toMatchObject({ code: 'recording-off' });
    await off.close();
  });
});

describe('attack:', () => {
  test('a first message gets into header and name only without secrets, and short', async () => {
    const token = `ghp_${'aB3dE6gH9'.repeat(4)}`;
    const page = new PageLog();
    page.log = new FrameLog();
    page.begin({ ...START, name: token, at: `Sat, 01 Jan 2000 00:00:00 GMT (${'x'.repeat(2_000_000)})` });
    await record(tab);
    expect(await page.send(tab)).toEqual({ type: 'recorded', connection: 'd1' });
    const { name, header } = read()[0]!;
    expect(header).toMatchObject({
      name: expect.stringMatching(/^\[redacted:github:\w+\]$/),
      at: '2000-01-01T00:00:00.000Z',
    });
    expect(name).toContain('-redacted-github-');
    expect(readFileSync(join(folder, name)).toString()).not.toContain('aB3dE6gH9');
  });

  test('an invalid transport begins no recording', async () => {
    const page = new PageLog();
    page.log = new FrameLog();
    page.begin({ ...START, transport: 'x'.repeat(2_000_000) });
    await record(tab);
    expect(await page.send(tab)).toMatchObject({ failure: expect.stringContaining('sent an invalid log') });
  });

  test('a new sender gets all frames once while the old one’s are still being written', async () => {
    const page = new PageLog('1');
    await record(tab);
    page.add(JSON.stringify({ password: 'hunter2hunter2', text: 'y '.repeat(400_000) }));
    const cursor = { next: 1, offset: 0 };
    for (let batch = cutBatch('d1', page.log, cursor); batch; batch = cutBatch('d1', page.log, cursor)) {
      tab.socket.send(batch as Batch);
    }
    // Behind all of them, on the same socket.
    const again = await record(tab, false);
    expect(again).toMatchObject({ recorded: { frames: 3 } });
    page.add('3');
    await page.send(tab, 4);
    expect(read()[0]!.texts).toHaveLength(3);
  });

  test('a page ends a connection before its first frame', async () => {
    await record(tab);
    expect(await end(tab)).toMatchObject({ type: 'done' });
    expect(await new PageLog('1').send(tab)).toMatchObject({
      failure: expect.stringContaining('sent an invalid log'),
    });
    expect(await record(tab)).toMatchObject({ code: 'recording-failed' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a page that skips frames, or begins elsewhere, is stopped', async () => {
    await record(tab);
    expect(await new PageLog('1', '2').send(tab, 2)).toMatchObject({
      failure: expect.stringContaining('skipped or repeated frames'),
    });
    const other = await open.tab();
    await other.ask({ type: 'record', connection: 'd1', key: 'another-key', begin: true });
    const log = new FrameLog();
    log.append('protocol', 'to-client', 0, 1, Buffer.from('{}'), 0, 2);
    const batch = cutBatch('d1', log, { next: 1, offset: 0 }) as Batch;
    await sent(other, batch);
    expect(other.events.at(-1)).toMatchObject({ failure: expect.stringContaining('sent an invalid log') });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a page that repeats frames, or ends within one, is stopped', async () => {
    const page = new PageLog('1', '2');
    await record(tab);
    await page.send(tab);
    await record(tab, false);
    expect(await page.send(tab, 2)).toMatchObject({ failure: expect.stringContaining('skipped or repeated frames') });
    expect(read()).toMatchObject([{ texts: ['1', '2'], report: { ended: false, damaged: { count: 0 } } }]);

    const other = await open.tab();
    await other.ask({ type: 'record', connection: 'd1', key: 'another-key', begin: true });
    const large = new PageLog('x'.repeat(BATCH_BYTES * 2));
    const cursor = { next: 1, offset: 0 };
    for (let sends = 0; sends < 2; sends++) await sent(other, cutBatch('d1', large.log, cursor) as Batch);
    await end(other);
    expect(read().map(({ report }) => report.ended)).toEqual([false, false]);
  });

  test('invalid batches are refused', async () => {
    const batch = cutBatch('d1', new PageLog().log, { next: 1, offset: 0 }) as Batch;
    await sent(tab, batch);
    await sent(tab, Buffer.from([1, 2, 3]));
    expect(tab.events.slice(-2)).toEqual([
      { type: 'recorded', connection: 'd1', failure: expect.stringContaining('no longer records') },
      { type: 'recorded', connection: '', failure: expect.stringContaining('not part of') },
    ]);
    for (const key of ['', '../up', 'x'.repeat(200)]) {
      expect(await tab.ask({ type: 'record', connection: 'd1', key, begin: true })).toMatchObject({
        code: 'malformed-command',
      });
    }
    expect(await tab.ask({ type: 'record', connection: 'c1', key: KEY, begin: true })).toMatchObject({
      code: 'malformed-command',
    });
  });
});
