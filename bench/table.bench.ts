/**
 * What the message table costs beside the log itself: microseconds a frame to take it in, the timeline's count, a look at the whole
 * timeline, and sorting a million rows: all of it, and its longest portion. Then waterfall and timeline in Chromium.
 */
import { Log } from '@/lib/store/log';
import { sortRows } from '@/lib/store/rows/row-list';
import { timeSpanOf } from '@/lib/store/rows/time-span';
import { TimelineBins } from '@/lib/store/rows/timeline-bins';
import { VisibleRows } from '@/lib/store/rows/visible-rows';
import type { Frame } from '@/lib/wire/frame';
import { exchangesInPage } from './exchanges-page';
import { quantile } from './inspected';

const FRAMES = 1_000_000;
const PORTION = 10_000;
/** Milliseconds that one task of the page may take. */
const TASK_MS = 100;

const encoder = new TextEncoder();
const bytesOf = (value: object) => encoder.encode(JSON.stringify({ jsonrpc: '2.0', ...value }));
const note = bytesOf({ method: 'notifications/message', params: { level: 'info', logger: 'bench', data: 'A line.' } });

/** Ten frames: a call with a token, three of its progress notifications, its answer, and five log messages. */
function bytesAt(seq: number): Uint8Array {
  const call = Math.floor(seq / 10);
  const place = seq % 10;
  if (place === 0) {
    const params = { name: 'tool', arguments: { path: '/a/b' }, _meta: { progressToken: call } };
    return bytesOf({ id: call, method: 'tools/call', params });
  }
  if (place < 4) {
    return bytesOf({ method: 'notifications/progress', params: { progressToken: call, progress: place, total: 3 } });
  }
  return place === 9
    ? bytesOf({ id: call, result: { content: [{ type: 'text', text: 'x'.repeat(call % 99) }] } })
    : note;
}

function framesFrom(first: number): Frame[] {
  return Array.from({ length: PORTION }, (_, at): Frame => {
    const seq = first + at;
    const place = seq % 10;
    const direction = place === 0 ? 'to-server' : 'to-client';
    return {
      seq,
      time: seq * 100 + ((seq * 7919) % 97),
      direction,
      channel: 'protocol',
      flags: 0,
      bytes: bytesAt(seq),
    };
  });
}

function timed(work: () => void): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

const log = new Log('bench');
const bins = new TimelineBins(log);
const taken: number[] = [];
const binned: number[] = [];
for (let first = 1; first <= FRAMES; first += PORTION) {
  const frames = framesFrom(first);
  taken.push((timed(() => log.append(frames)) * 1000) / PORTION);
  binned.push((timed(() => bins.update()) * 1000) / PORTION);
}
const words = (times: number[]) =>
  `${quantile(times, 0.5).toFixed(2)} µs median, ${quantile(times, 0.95).toFixed(2)} µs p95`;
console.log(`a frame into the log       ${words(taken)}`);
console.log(`a frame into the timeline  ${words(binned)}`);
const looks = Array.from({ length: 50 }, () => timed(() => void bins.counts(0, FRAMES * 100, 700)));
console.log(
  `a look at the whole        ${quantile(looks, 0.5).toFixed(2)} ms median, ${quantile(looks, 1).toFixed(2)} ms at most`,
);
const fresh = new TimelineBins(log);
console.log(`a timeline opened at ${FRAMES / 1e6} M ${timed(() => fresh.update()).toFixed(0)} ms`);
const spans = timed(() => {
  for (let index = 0; index < 50_000; index++) timeSpanOf(log, log.row(index));
});
console.log(`the spans of 50 rows       ${(spans / 1000).toFixed(2)} ms`);

const rows = new VisibleRows(log, undefined);
rows.update();
let longest = 0;
for (const field of ['duration', 'size', 'message', 'status'] as const) {
  const work = sortRows(log, rows, { field, descending: true });
  const steps: number[] = [];
  let done = false;
  while (!done) {
    steps.push(
      timed(() => {
        done = work.next().done === true;
      }),
    );
  }
  const most = Math.max(...steps);
  longest = Math.max(longest, most);
  const all = steps.reduce((sum, step) => sum + step, 0);
  console.log(
    `sort ${FRAMES / 1e6} M by ${field.padEnd(12)} ${all.toFixed(0)} ms, longest portion ${most.toFixed(1)} ms`,
  );
}
const smooth = await exchangesInPage();
if (longest > TASK_MS || !smooth) process.exitCode = 1;
