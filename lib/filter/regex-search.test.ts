import { expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import { VisibleRows } from '@/lib/store/rows/visible-rows';
import { framesOf, got, logOf } from '@/lib/store/test-frames';
import { LIMITS } from '@/lib/wire/limits';
import { FakeClock } from '@/lib/wire/test-clock';
import { compileFilter, expressionsOf } from './compile';
import { parseFilter } from './parse';
import { type RegexJob, runRegexJob } from './regex-job';
import { REGEX_MS, REGEX_SKIPS, RegexSearch, type RegexWorker } from './regex-search';
import { NONE } from './test-filter';

const decoder = new TextDecoder();

/** Runs jobs on demand like the real worker, but hangs at a text that contains `hang`. */
class FakeWorker implements RegexWorker {
  onmessage: RegexWorker['onmessage'] = null;
  onerror: (() => void) | null = null;
  ended = false;
  jobs: RegexJob[] = [];

  postMessage(job: RegexJob): void {
    this.jobs.push(job);
  }

  terminate(): void {
    this.ended = true;
  }

  /** Runs the next job. Returns false if it hangs or there is none. */
  work(): boolean {
    const job = this.jobs.shift();
    if (!job || this.ended || decoder.decode(job.bytes).includes('hang')) return false;
    this.onmessage?.({ data: runRegexJob(job) });
    return true;
  }
}

function searching(log: Log, text: string) {
  const parsed = parseFilter(text);
  if (!parsed.ok || !parsed.filter) throw new Error('a filter is wanted');
  const clock = new FakeClock();
  const workers: FakeWorker[] = [];
  const makeWorker = () => {
    workers.push(new FakeWorker());
    return workers.at(-1)!;
  };
  const search = new RegexSearch(log, expressionsOf(parsed.filter), { makeWorker, clock });
  const rows = new VisibleRows(log, compileFilter(parsed.filter, { log, problems: NONE }, search));
  rows.update();
  const stop = search.start((indexes) => {
    for (const index of indexes) rows.recheck(index);
  });
  const seqs = () => Array.from({ length: rows.count }, (_, position) => rows.at(position) + 1);
  /** Runs the current worker until it is idle. Advances the clock where it hangs. */
  const finish = () => {
    for (let turn = 0; turn < 100 && search.waiting > 0; turn++) {
      const worker = workers.at(-1)!;
      worker.onmessage?.({ data: 'ready' });
      while (worker.work());
      clock.advance(REGEX_MS + LIMITS.regexGraceMs);
    }
  };
  return { search, rows, workers, clock, stop, seqs, finish };
}

test('rows appear when their result arrives', () => {
  const { seqs, finish, search } = searching(logOf(got('ab1'), got('b'), got('ab2')), '/^ab\\d/');
  expect([seqs(), search.waiting]).toEqual([[], 3]);
  finish();
  expect([seqs(), search.waiting]).toEqual([[1, 3], 0]);
});

test('searches only rows that depend on the result', () => {
  const log = logOf(got('{"jsonrpc":"2.0","method":"notifications/a"}'), got('junk a'), got('junk b'));
  const { seqs, finish, workers } = searching(log, 'kind:junk -/a$/');
  workers[0]!.onmessage?.({ data: 'ready' });
  expect(workers[0]!.jobs[0]!.lengths).toHaveLength(2);
  finish();
  expect(seqs()).toEqual([3]);
});

test('searches for several expressions at once', () => {
  const { seqs, finish } = searching(logOf(got('a'), got('b'), got('ab'), got('c')), '/a/ or -/B/i');
  finish();
  expect(seqs()).toEqual([1, 3, 4]);
});

test('skips only the frame that hangs and continues in a new worker', () => {
  const { seqs, finish, search, workers } = searching(logOf(got('a1'), got('a hang'), got('a2'), got('b')), '/a/');
  finish();
  expect(seqs()).toEqual([1, 3]);
  expect(search.unsearched).toEqual({ skipped: [2], failed: [] });
  expect(workers.map(({ ended }) => ended)).toEqual([true, true, false]);
});

test('stops after several skipped frames', () => {
  const hangs = Array.from({ length: REGEX_SKIPS + 5 }, () => got('hang'));
  const { seqs, finish, search, workers } = searching(logOf(got('ha'), ...hangs), '/ha/');
  finish();
  expect(seqs()).toEqual([1]);
  expect(search.unsearched).toEqual({ skipped: [2, 3, 4], failed: [], stopped: 'skipped' });
  expect(search.waiting).toBe(0);
  expect(workers.every(({ ended }) => ended)).toBe(true);
});

test('a newer filter terminates the worker; a restart loses nothing', () => {
  const { seqs, finish, stop, search, rows, workers } = searching(logOf(got('a'), got('b')), '/a/');
  workers[0]!.onmessage?.({ data: 'ready' });
  stop();
  expect(workers[0]!.ended).toBe(true);
  // A late reply of a terminated worker is ignored.
  workers[0]!.work();
  expect([seqs(), search.waiting]).toEqual([[], 2]);
  search.start((indexes) => {
    for (const index of indexes) rows.recheck(index);
  });
  finish();
  expect(seqs()).toEqual([1]);
});

test('searches frames that arrive later', async () => {
  const log = logOf(got('a'));
  const { seqs, finish, rows } = searching(log, '/a/');
  finish();
  log.append([{ ...got('aa'), seq: 2, time: 2 }]);
  rows.update();
  await Promise.resolve();
  finish();
  expect(seqs()).toEqual([1, 2]);
});

test('reports that no worker could be started', () => {
  const { search, workers } = searching(logOf(got('a')), '/a/');
  workers[0]!.onerror?.();
  expect(search.unsearched).toEqual({ skipped: [], failed: [], stopped: 'no-worker' });
  expect(search.waiting).toBe(0);
});

test('a stack overflow in one frame does not affect the others', () => {
  const log = logOf(got('abc'), got('ab'.repeat(5_000_000)), got('bac'));
  const { seqs, finish, search } = searching(log, '/^(?:a|b)*c/ or /bab/');
  finish();
  expect(seqs()).toEqual([1, 2, 3]);
  expect(search.unsearched).toEqual({ skipped: [], failed: [2] });
});

test('accepts a reply that was delayed by a blocked page', () => {
  const { seqs, finish, search, workers, clock } = searching(logOf(got('a')), '/a/');
  workers[0]!.onmessage?.({ data: 'ready' });
  clock.advance(REGEX_MS);
  workers[0]!.work();
  finish();
  expect(seqs()).toEqual([1]);
  expect([search.unsearched.skipped, workers.length]).toEqual([[], 1]);
});

test('evicted frames are unknown until they are loaded and searched', async () => {
  const frames = framesOf(['a1', 'b', 'a2'].map((data) => got({ jsonrpc: '2.0', method: 'x', params: { data } })));
  const log = new Log('c1', { held: 0, again: 1000 });
  for (const frame of frames) log.append([frame]);
  const fits = searching(log, '/a\\d/');
  const others = searching(log, '-/a\\d/');
  fits.finish();
  others.finish();
  expect([fits.seqs(), others.seqs()]).toEqual([[3], []]);
  log.restore(frames.slice(0, 2));
  for (const { rows } of [fits, others]) rows.update();
  await Promise.resolve();
  fits.finish();
  others.finish();
  expect([fits.seqs(), others.seqs()]).toEqual([[1, 3], [2]]);
});

test('frames evicted while queued do not block the search', () => {
  const frames = framesOf(['a1', 'a2'].map((data) => got({ jsonrpc: '2.0', method: 'x', params: { data } })));
  const log = new Log('c1', { held: frames[0]!.bytes.length, again: 1000 });
  log.append(frames.slice(0, 1));
  const { seqs, finish, search, rows } = searching(log, '/a\\d/');
  log.append(frames.slice(1));
  expect(log.hasBytes(1)).toBe(false);
  finish();
  expect([seqs(), search.waiting]).toEqual([[], 0]);
  rows.update();
  finish();
  expect([seqs(), search.waiting]).toEqual([[2], 0]);
});
