import { describe, expect, test } from 'vitest';
import { appendEvent, FrameLog } from '@/lib/hub/frame-log';
import { BATCH_BYTES, cutBatch } from '@/lib/hub/viewer';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { LIMITS } from '@/lib/wire/limits';
import { BROWSER_KEPT_BYTES, BrowserRecordings } from './browser-recordings';
import { TestRecordingDatabase } from './test-databases';

const AT = '2026-01-01T00:00:00.000Z';

/** A browser with tabs, which share a database. */
class TestBrowser {
  readonly database = new TestRecordingDatabase();
  readonly held = new Set<string>();
  now = Date.parse(AT);
  #made = 0;

  tab(): BrowserRecordings {
    return new BrowserRecordings({
      version: '0',
      openDatabase: async () => this.database,
      now: () => this.now,
      random: (bytes) => String(++this.#made).padStart(bytes * 2, '0'),
      holdWriteLock: (id) => {
        this.held.add(id);
        return () => void this.held.delete(id);
      },
      writeLocks: async () => this.held,
    });
  }
}

/** A connection's log, and how far it was cut into batches. */
class PageLog {
  readonly log = new FrameLog();
  readonly #cursor = { next: 1, offset: 0 };

  constructor(...texts: string[]) {
    const about = { at: AT, name: 'a host', transport: 'http', url: 'https://h/mcp', protocol: 'auto' } as const;
    appendEvent(this.log, { event: 'start', ...about, via: 'direct', headerNames: [] });
    for (const text of texts) this.add(text);
  }

  add(text: string): void {
    const bytes = Buffer.from(text);
    this.log.append('protocol', 'to-client', 0, this.log.lastTime + 1, bytes, 0, bytes.length);
  }

  /** Has new frames recorded. */
  async keep(tab: BrowserRecordings, connection = 'd1'): Promise<unknown> {
    let last: unknown;
    for (let batch = cutBatch(connection, this.log, this.#cursor); batch; ) {
      last = await tab.addBatch(((await batch) as Uint8Array<ArrayBuffer>).buffer);
      batch = cutBatch(connection, this.log, this.#cursor);
    }
    return last;
  }
}

async function kept(tab: BrowserRecordings, key: string, page: PageLog, connection = 'd1'): Promise<string> {
  const before = new Set((await tab.list()).recordings.map(({ id }) => id));
  await tab.record(connection, key, true);
  await page.keep(tab, connection);
  return (await tab.list()).recordings.find(({ id }) => !before.has(id))!.id;
}

async function read(tab: BrowserRecordings, id: string) {
  const reader = new RecordingReader();
  const frames = reader.readChunk(new Uint8Array(await (await tab.read(id)).arrayBuffer()));
  const texts = frames.slice(1).map(({ bytes }) => Buffer.from(bytes).toString());
  return { texts, header: reader.header, report: reader.finish() };
}

describe('a recording in the browser', () => {
  test('is an ordinary file, while it is written and after its end', async () => {
    const tab = new TestBrowser().tab();
    const page = new PageLog('{"id":1}', `{"big":"${'x'.repeat(BATCH_BYTES * 2)}"}`);
    const id = await kept(tab, 'key', page);
    expect(id).toBe('20260101T000000Z-a-host-00000002.mcpr.jsonl');
    expect((await tab.list()).recordings).toMatchObject([
      { name: 'a host', at: AT, live: true, frames: 3, durationUs: 2 },
    ]);
    expect(await read(tab, id)).toMatchObject({ report: { frames: 3, ended: false, damaged: { count: 0 } } });
    await expect(tab.remove(id)).rejects.toMatchObject({ code: 'still-recorded' });
    await tab.end('d1');
    expect((await tab.list()).recordings).toMatchObject([{ live: false }]);
    const file = await read(tab, id);
    expect(file).toMatchObject({ header: { name: 'a host', by: 'mcp-inspect/0' }, report: { complete: true } });
    expect(file.texts[0]).toBe('{"id":1}');
    await tab.describe(id, { name: 'Before the fix', text: '' });
    expect((await tab.list()).recordings).toMatchObject([{ about: { name: 'Before the fix' }, frames: 3 }]);
    expect(await read(tab, id)).toMatchObject({ report: { complete: true, frames: 4 } });
    await tab.remove(id);
    await expect(tab.read(id)).rejects.toMatchObject({ code: 'no-recording' });
  });

  test('resumes after a reload, and only in its own tab', async () => {
    const browser = new TestBrowser();
    const page = new PageLog('1', '2');
    const id = await kept(browser.tab(), 'key', page);
    browser.held.clear();
    const again = browser.tab();
    await expect(again.record('d1', 'other', false)).rejects.toMatchObject({ code: 'not-recorded' });
    expect(await again.record('d1', 'key', false)).toEqual({ frames: 3, ended: false });
    page.add('3');
    expect(await page.keep(again)).toEqual({ connection: 'd1' });
    await again.end('d1');
    expect(await read(again, id)).toMatchObject({ texts: ['1', '2', '3'], report: { complete: true } });
    expect(browser.held.size).toBe(0);
  });

  test('has each message once, and keeps a description that was added meanwhile', async () => {
    const tab = new TestBrowser().tab();
    const page = new PageLog('1', '2');
    const id = await kept(tab, 'key', page);
    await tab.end('d1');
    await tab.describe(id, { name: 'Before the fix', text: '' });
    page.add('3');
    expect(await page.keep(tab)).toEqual({ connection: 'd1' });
    expect(await read(tab, id)).toMatchObject({
      texts: ['1', '2', expect.stringContaining('about'), '3'],
      report: { complete: true, frames: 5, damaged: { count: 0 } },
    });
    expect((await tab.list()).recordings).toMatchObject([{ about: { name: 'Before the fix' } }]);
    expect(await new PageLog('1', '2').keep(tab)).toMatchObject({ failure: expect.stringContaining('came twice') });
    expect(await tab.addBatch(new ArrayBuffer(3))).toMatchObject({ connection: '', failure: expect.any(String) });
    expect(await read(tab, id)).toMatchObject({ report: { complete: true, frames: 5 } });
  });

  test('is deleted for space, the oldest first and never while it is written, and expires when it is old', async () => {
    const browser = new TestBrowser();
    const tab = browser.tab();
    const old = await kept(tab, 'old', new PageLog('1'), 'd1');
    const live = await kept(tab, 'live', new PageLog('1'), 'd2');
    await tab.end('d1');
    for (const id of [old, live]) {
      browser.database.entries.set(id, { ...browser.database.entries.get(id)!, bytes: BROWSER_KEPT_BYTES / 2 });
    }
    const next = await kept(tab, 'next', new PageLog('1'), 'd3');
    expect([...browser.database.entries.keys()]).toEqual([live, next]);
    await tab.end('d3');
    browser.now += LIMITS.recordingsKeptMs + 1;
    const last = await kept(tab, 'last', new PageLog('1'), 'd4');
    expect([...browser.database.entries.keys()]).toEqual([live, last]);
  });

  test('is never deleted if it has a name; without other space, the next recording fails', async () => {
    const browser = new TestBrowser();
    const tab = browser.tab();
    const named = await kept(tab, 'named', new PageLog('1'), 'd1');
    await tab.end('d1');
    await tab.describe(named, { name: 'Closed shop', text: '' });
    const fill = (bytes: number) =>
      browser.database.entries.set(named, { ...browser.database.entries.get(named)!, bytes, changedAt: 0 });
    fill(BROWSER_KEPT_BYTES - 10_000);
    browser.now += LIMITS.recordingsKeptMs + 1;
    const next = await kept(tab, 'next', new PageLog('1'), 'd2');
    expect((await tab.list()).recordings.filter(({ stays }) => stays).map(({ id }) => id)).toEqual([named]);
    fill(BROWSER_KEPT_BYTES);
    const page = new PageLog('1');
    await tab.record('d3', 'more', true);
    expect(await page.keep(tab, 'd3')).toMatchObject({ failure: expect.stringContaining('the limit is 256 MB') });
    expect([...browser.database.entries.keys()]).toEqual([named, next]);
  });

  test('ends with a reason when the browser refuses', async () => {
    const browser = new TestBrowser();
    const tab = browser.tab();
    const page = new PageLog('1');
    const id = await kept(tab, 'key', page);
    browser.database.full = true;
    page.add('2');
    expect(await page.keep(tab)).toEqual({
      connection: 'd1',
      failure: 'The browser stopped recording this connection: its disk space is used up.',
    });
    expect(await read(tab, id)).toMatchObject({ texts: ['1'], report: { torn: false, ended: false } });
    expect(browser.held.size).toBe(0);
  });

  test('stays deleted when another tab has deleted it', async () => {
    const browser = new TestBrowser();
    const tab = browser.tab();
    const page = new PageLog('1');
    await browser.database.remove(await kept(tab, 'key', page));
    page.add('2');
    expect(await page.keep(tab)).toMatchObject({ failure: expect.stringContaining('the recording was deleted') });
    expect(browser.database.entries.size).toBe(0);
  });

  test('does not exist where the browser stores nothing', async () => {
    const nowhere = new BrowserRecordings({
      version: '0',
      openDatabase: () => Promise.reject(new Error('private window')),
      now: () => 0,
      random: () => '',
      holdWriteLock: () => () => {},
      writeLocks: async () => new Set(),
    });
    await expect(nowhere.record('d1', 'key', true)).rejects.toMatchObject({ code: 'recording-failed' });
  });
});
