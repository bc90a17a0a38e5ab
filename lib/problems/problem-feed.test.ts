import { describe, expect, test } from 'vitest';
import { PAGE_AGAIN_BYTES } from '@/lib/store/columns/frame-bytes';
import { Log } from '@/lib/store/log';
import { answered, asked, complained, framesOf, got, onChannel } from '@/lib/store/test-frames';
import { LIMITS } from '@/lib/wire/limits';
import { FakeClock } from '@/lib/wire/test-clock';
import type { ProblemJob } from './problem';
import { CHECKED_FRAMES, type CheckWorker, ProblemFeed } from './problem-feed';
import { FRAMES_PER_PROBLEM, MARKS_PER_FRAME, PROBLEMS_PER_RULE, ProblemFinder } from './problem-finder';
import type { SkippedChecks } from './protocol-state';
import { legacy } from './test-sessions';

/** A worker that runs its jobs when the test calls it. */
class SteppedWorker implements CheckWorker {
  onmessage: CheckWorker['onmessage'] = null;
  readonly jobs: ProblemJob[] = [];
  readonly #finder = new ProblemFinder();
  #done = 0;

  postMessage(job: ProblemJob): void {
    this.jobs.push(job);
  }

  /** Runs the next job; returns false if there is none. */
  step(): boolean {
    const job = this.jobs[this.#done];
    if (!job) return false;
    this.#done++;
    for (const frame of job.frames) this.#finder.addFrame(frame);
    this.onmessage?.({ data: { changed: this.#finder.takeChanged(), marks: this.#finder.takeMarks() } });
    return true;
  }

  terminate(): void {}
}

function feedOf(...seeds: Parameters<typeof framesOf>[0][number][]) {
  const log = new Log('c1');
  const frames = framesOf(seeds);
  log.append(frames);
  const worker = new SteppedWorker();
  let made = 0;
  const feed = new ProblemFeed(log, () => {
    made++;
    return worker;
  });
  return { log, feed, worker, made: () => made };
}

test('checks nothing without a listener', () => {
  const { feed, made } = feedOf(...legacy(), got('junk'));
  expect(made()).toBe(0);
  expect(feed.list.all).toEqual([]);
});

test('a feed that waits checks nothing before it is started', () => {
  const log = new Log('c1');
  log.append(framesOf([...legacy(), got('junk')]));
  const worker = new SteppedWorker();
  const feed = new ProblemFeed(log, () => worker, new FakeClock(), true);
  let heard = 0;
  feed.subscribe(() => heard++);
  expect([feed.waits, worker.jobs.length]).toEqual([true, 0]);
  feed.start();
  expect([feed.waits, worker.jobs.length, heard]).toEqual([false, 1, 1]);
  while (worker.step());
  expect(feed.list.all.map(({ rule }) => rule)).toEqual(['stdout-junk']);
});

test('sends frames in bounded jobs, one at a time, without stderr and unread channels', () => {
  const many = Array.from({ length: CHECKED_FRAMES + 10 }, () => got('{"jsonrpc":"2.0","method":"notifications/x"}'));
  const { feed, worker } = feedOf(...legacy(), complained('warning'), onChannel('otel', '{}'), ...many, got('junk'));
  let heard = 0;
  feed.subscribe(() => heard++);
  expect(worker.jobs).toHaveLength(1);
  expect(worker.jobs[0]!.frames).toHaveLength(CHECKED_FRAMES);
  expect(worker.jobs[0]!.frames.some(({ channel }) => channel === 'stderr' || channel === 'otel')).toBe(false);
  while (worker.step());
  expect(worker.jobs).toHaveLength(2);
  expect(heard).toBe(2);
  expect(feed.checked).toBe(legacy().length + many.length + 3);
  expect(feed.list.all.map(({ rule }) => rule)).toEqual(['method-unknown', 'stdout-junk']);
});

test('checks later frames when the log changes', () => {
  const { log, feed, worker } = feedOf(...legacy());
  const leave = feed.subscribe(() => {});
  while (worker.step());
  const more = framesOf([...legacy(), got('junk'), got('junk')]);
  log.append(more.slice(0, -1));
  log.flush();
  while (worker.step());
  const seq = more.length - 1;
  expect(feed.list.severityOf(seq)).toBe('error');
  expect(feed.list.of(seq)).toMatchObject([{ rule: 'stdout-junk', count: 1 }]);
  expect(feed.list.severityOf(seq - 1)).toBeUndefined();
  leave();
  log.append(more.slice(-1));
  log.flush();
  expect(worker.step()).toBe(false);
});

test('marks a frame with its highest severity and counts errors and warnings', () => {
  const { feed, worker } = feedOf(
    ...legacy(),
    got({ jsonrpc: '1.0', method: 'notifications/x' }),
    got({ jsonrpc: '2.0', method: 'notifications/x' }),
  );
  feed.subscribe(() => {});
  while (worker.step());
  expect([6, 7].map((seq) => feed.list.severityOf(seq))).toEqual(['error', 'info']);
  expect(feed.list.count).toBe(1);
  expect(feed.list.version).toBe(1);
});

test('loads and checks frames that were evicted unchecked', async () => {
  const many = Array.from({ length: CHECKED_FRAMES + 10 }, () => got({ jsonrpc: '1.0', method: 'notifications/x' }));
  const frames = framesOf([...legacy(), ...many]);
  const log = new Log('c1', { held: 0, again: PAGE_AGAIN_BYTES });
  for (const frame of frames) log.append([frame]);
  const worker = new SteppedWorker();
  const feed = new ProblemFeed(log, () => worker);
  const wanted: number[] = [];
  log.wanted.onWanted = () => {
    const { from, to } = log.wanted.nextRange(() => 1)!;
    wanted.push(to);
    log.wanted.settleRange({ from, to }, true);
  };
  feed.subscribe(() => {});
  for (let turns = 0; feed.checked < frames.length && turns < 20; turns++) {
    log.restore(wanted.splice(0).map((seq) => frames[seq - 1]!));
    log.flush();
    while (worker.step());
  }
  expect(feed.checked).toBe(frames.length);
  expect(feed.list.all.map(({ rule, count }) => [rule, count])).toContainEqual(['jsonrpc-version', many.length]);
});

test('skips unavailable frames', () => {
  const many = Array.from({ length: 20 }, () => got({ jsonrpc: '1.0', method: 'notifications/x' }));
  const frames = framesOf([...legacy(), ...many]);
  const log = new Log('c1', { held: 0, again: PAGE_AGAIN_BYTES });
  for (const frame of frames) log.append([frame]);
  const worker = new SteppedWorker();
  const feed = new ProblemFeed(log, () => worker);
  // The first half has been overwritten.
  const gone = frames.length - 10;
  feed.subscribe(() => {});
  for (let turns = 0; feed.checked < frames.length && turns < 20; turns++) {
    for (
      let range = log.wanted.nextRange(() => LIMITS.againBytes);
      range;
      range = log.wanted.nextRange(() => LIMITS.againBytes)
    ) {
      log.wanted.settleRange(range, range.from > gone);
      if (range.from > gone) log.restore([frames[range.from - 1]!]);
    }
    log.flush();
    while (worker.step());
  }
  expect(feed.checked).toBe(frames.length);
  expect(feed.list.all.map(({ rule, count }) => [rule, count])).toContainEqual(['jsonrpc-version', 10]);
});

test('knows the problem of every frame, however many frames have it', () => {
  const many = Array.from({ length: 3 * FRAMES_PER_PROBLEM }, (_, index) =>
    got(
      index % 2 === 0
        ? 'the same junk'
        : '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}',
    ),
  );
  const { feed, worker } = feedOf(...legacy(), ...many);
  feed.subscribe(() => {});
  while (worker.step());
  const first = legacy().length + 1;
  const has = many.map((_, index) =>
    feed.list
      .of(first + index)
      .map(({ rule }) => rule)
      .includes('stdout-junk'),
  );
  expect(has).toEqual(many.map((_, index) => index % 2 === 0));
  expect(feed.list.all.find(({ rule }) => rule === 'stdout-junk')).toMatchObject({
    count: many.length / 2,
    seqs: { length: FRAMES_PER_PROBLEM },
  });
});

test('remembers the most severe of very many problems of a frame', () => {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
  const tools = [
    ...Array.from({ length: MARKS_PER_FRAME + 2 }, (_, at) => tool(`bad name ${at}`)),
    { ...tool('good'), icons: [{ src: 'javascript:0' }] },
  ];
  const lists = Array.from({ length: FRAMES_PER_PROBLEM + 1 }, (_, id) => [
    asked(id, 'tools/list'),
    answered(id, { tools }),
  ]).flat();
  const { feed, worker, log } = feedOf(...legacy(), ...lists);
  feed.subscribe(() => {});
  while (worker.step());
  expect(feed.list.of(log.size - 2)).toHaveLength(MARKS_PER_FRAME + 3);
  expect(feed.list.of(log.size).map(({ severity }) => severity)).toEqual([
    ...Array.from({ length: MARKS_PER_FRAME }, () => 'warning'),
    'error',
  ]);
  expect(feed.list.severityOf(log.size)).toBe('error');
});

test('collects findings beyond the limit in one problem', () => {
  const junk = Array.from({ length: PROBLEMS_PER_RULE + 10 }, (_, index) => got(`line ${index}`));
  const { feed, worker } = feedOf(...legacy(), ...junk);
  feed.subscribe(() => {});
  while (worker.step());
  const last = legacy().length + junk.length;
  expect(feed.list.of(last)).toMatchObject([{ rule: 'stdout-junk', count: 11 }]);
});

/** A worker that hangs at some results unless they are skipped, and at some frames always. */
class HangingWorker implements CheckWorker {
  onmessage: CheckWorker['onmessage'] = null;
  ended = false;
  readonly #finder: ProblemFinder;
  readonly #hangsAt: ReadonlySet<number>;
  readonly #frames: ReadonlySet<number>;

  constructor(hangsAt: readonly number[], frames: readonly number[] = []) {
    this.#hangsAt = new Set(hangsAt);
    this.#frames = new Set(frames);
    this.#finder = new ProblemFinder((seq) => {
      this.onmessage?.({ data: { checking: seq } });
      if (this.#hangsAt.has(seq)) throw new Hang();
    });
  }

  postMessage({ frames, skippedChecks }: ProblemJob): void {
    if (skippedChecks) this.unchecked = skippedChecks;
    if (skippedChecks) this.#finder.skipChecks(skippedChecks);
    // The page handles other events first.
    queueMicrotask(() => {
      for (const frame of frames) {
        if (this.#frames.has(frame.seq)) return;
        this.#finder.addFrame(frame);
        if (this.#finder.failed.size > 0) return;
      }
      this.onmessage?.({ data: { changed: this.#finder.takeChanged(), marks: this.#finder.takeMarks() } });
    });
  }

  unchecked: SkippedChecks | undefined;

  terminate(): void {
    this.ended = true;
  }
}

/** Thrown in place of an endless loop. The finder catches it, and the fake worker then stops. */
class Hang extends Error {}

describe('a hanging worker', () => {
  const tools = ['a', 'b'].map((name) => ({
    name,
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', required: ['n'] },
  }));
  const called = (id: number, name: string) => [
    asked(id, 'tools/call', { name }),
    answered(id, { content: [{ type: 'text', text: '{}' }], structuredContent: {} }),
  ];
  const calls = [
    asked(1, 'tools/list'),
    answered(1, { tools }),
    ...called(2, 'a'),
    ...called(3, 'b'),
    ...called(4, 'a'),
  ];

  function hanging(hangsAt: readonly number[], frames: readonly number[] = []) {
    const log = new Log('c1');
    const first = framesOf([...legacy(), got('junk')]);
    log.append(first);
    const clock = new FakeClock();
    const workers: HangingWorker[] = [];
    const make = () => {
      workers.push(new HangingWorker(hangsAt, frames));
      return workers.at(-1)!;
    };
    const feed = new ProblemFeed(log, make, clock);
    feed.subscribe(() => {});
    const add = () => {
      log.append(framesOf([...legacy(), got('junk'), ...calls]).slice(first.length));
      log.flush();
    };
    const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
    const hang = async () => {
      await settled();
      clock.advance(LIMITS.rulesBlindMs + LIMITS.regexGraceMs);
      await settled();
    };
    return { log, feed, workers, add, hang, settled, at: (index: number) => first.length + index };
  }

  test('is replaced by one that skips the result and reports it', async () => {
    const probe = hanging([]);
    const guilty = probe.at(4);
    const { feed, log, workers, add, hang, settled } = hanging([guilty]);
    await settled();
    expect(feed.list.all.map(({ rule }) => rule)).toEqual(['stdout-junk']);
    add();
    await hang();
    expect(workers.map(({ ended }) => ended)).toEqual([true, false]);
    expect(feed.checked).toBe(log.size);
    expect(feed.list.all.map(({ rule, count }) => [rule, count])).toEqual([
      ['stdout-junk', 1],
      ['output-unchecked', 2],
      ['output-mismatch', 1],
    ]);
    expect(feed.list.of(guilty).map(({ rule }) => rule)).toEqual(['output-unchecked']);
  });

  test('causes all schema checks to be skipped after several schemas', async () => {
    const seqs = [4, 6].map((index) => hanging([]).at(index));
    const { feed, log, workers, add, hang, settled } = hanging(seqs);
    await settled();
    add();
    await hang();
    await hang();
    expect(feed.checked).toBe(log.size);
    expect(workers).toHaveLength(3);
    expect(workers.at(-1)!.unchecked).toEqual({ seqs });
  });

  test('is retried once for an unknown reason, then the feed stops', async () => {
    const seq = hanging([]).at(1);
    const { feed, workers, add, hang, settled } = hanging([], [seq]);
    await settled();
    add();
    await hang();
    expect(feed.stopped).toBe(false);
    await hang();
    expect(feed.stopped).toBe(true);
    expect(workers.map(({ ended }) => ended)).toEqual([true, true]);
    expect(feed.list.all.map(({ rule }) => rule)).toEqual(['stdout-junk']);
  });
});
