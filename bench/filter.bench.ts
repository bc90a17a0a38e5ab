/**
 * Filters over a log of a million frames: milliseconds for all frames, as in the page but in one task. The baseline, in
 * the same run, filters a plain array of objects with strings. Regular expressions run the code of the worker.
 */
import { compileFilter, expressionsOf } from '@/lib/filter/compile';
import { parseFilter } from '@/lib/filter/parse';
import { runRegexJob } from '@/lib/filter/regex-job';
import { RegexSearch, type RegexWorker } from '@/lib/filter/regex-search';
import { Log } from '@/lib/store/log';
import { VisibleRows } from '@/lib/store/rows/visible-rows';
import { systemClock } from '@/lib/wire/clock';
import type { Frame } from '@/lib/wire/frame';
import { quantile } from './inspected';

const FRAMES = 1_000_000;
const PORTION = 1000;
const ROUNDS = 5;

/** A frame in the plain array. */
interface Plain {
  readonly method: string | undefined;
  readonly kind: string;
  status: string | undefined;
  durationMs: number | undefined;
  readonly text: string;
}

const encoder = new TextEncoder();
const log = new Log('bench');
const plain: Plain[] = [];

/** Repeats a call, two notifications and the result. Every 500th call contains "Needle". */
function texts(at: number): { readonly direction: Frame['direction']; readonly value: object } {
  const call = Math.floor(at / 4);
  const meta = { progressToken: call };
  const word = call % 500 === 0 ? 'Needle' : 'straw';
  const note = (method: string, params: object) => ({
    direction: 'to-client' as const,
    value: { jsonrpc: '2.0', method, params },
  });
  const made = [
    () => ({
      direction: 'to-server' as const,
      value: {
        jsonrpc: '2.0',
        id: call,
        method: 'tools/call',
        params: { name: `tool_${call % 40}`, arguments: { path: `/home/me/${call}`, word }, _meta: meta },
      },
    }),
    () => note('notifications/progress', { ...meta, progress: 1, total: 2, message: 'half of it is done by now' }),
    () => note('notifications/message', { level: 'info', logger: 'bench', data: `line ${at} of a log that is long` }),
    () => ({
      direction: 'to-client' as const,
      value: { jsonrpc: '2.0', id: call, result: { content: [{ type: 'text', text: `${word} of ${call}` }] } },
    }),
  ];
  return made[at % 4]!();
}

for (let from = 0; from < FRAMES; from += PORTION) {
  const all = Array.from({ length: PORTION }, (_, index) => texts(from + index));
  const lines = all.map(({ value }) => JSON.stringify(value));
  const encoded = lines.map((line) => encoder.encode(line));
  const buffer = new Uint8Array(encoded.reduce((sum, bytes) => sum + bytes.length, 0));
  let offset = 0;
  const frames = all.map(({ direction }, index): Frame => {
    const seq = from + index + 1;
    buffer.set(encoded[index]!, offset);
    const bytes = buffer.subarray(offset, offset + encoded[index]!.length);
    offset += bytes.length;
    return { seq, time: seq * 100 + ((seq >> 2) % 97) * 10, direction, channel: 'protocol', flags: 0, bytes };
  });
  log.append(frames);
  frames.forEach(({ seq }, index) => {
    const { method, kind, status, durationUs } = log.row(seq - 1);
    plain.push({ method, kind, status, durationMs: durationUs && durationUs / 1000, text: lines[index]! });
  });
}

const visible = (test: (row: Plain) => boolean) => () => plain.filter(test).length;

/** Median milliseconds, and the number of matching rows. */
async function measure(run: () => number | Promise<number>): Promise<{ readonly ms: number; readonly found: number }> {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    found = await run();
    times.push(performance.now() - begin);
  }
  return { ms: quantile(times, 0.5), found };
}

function filtered(text: string): () => Promise<number> {
  const parsed = parseFilter(text);
  if (!parsed.ok || !parsed.filter) throw new Error(`${text} is not a valid filter`);
  const { filter } = parsed;
  return async () => {
    const makeWorker = (): RegexWorker => {
      const worker: RegexWorker = {
        onmessage: null,
        onerror: null,
        postMessage: (job) => setImmediate(() => worker.onmessage?.({ data: runRegexJob(job) })),
        terminate: () => {},
      };
      setImmediate(() => worker.onmessage?.({ data: 'ready' }));
      return worker;
    };
    const search = new RegexSearch(log, expressionsOf(filter), { makeWorker, clock: systemClock });
    const subject = { log, problems: { all: [], of: () => [], hasInvalidResult: () => false } };
    const rows = new VisibleRows(log, compileFilter(filter, subject, search));
    rows.update();
    await new Promise<void>((resolve) => {
      const stop = search.start((indexes) => {
        for (const index of indexes) rows.recheck(index);
        if (search.waiting === 0) resolve();
      });
      if (search.waiting === 0) resolve();
      void stop;
    });
    return rows.count;
  };
}

const CASES: readonly (readonly [text: string, budget: number, (row: Plain) => boolean])[] = [
  ['method:tools/call', 150, (row) => row.method === 'tools/call'],
  ['duration:>500us', 150, (row) => (row.durationMs ?? 0) > 0.5],
  [
    'method:notifications/* or status:pending',
    150,
    (row) => /^notifications\//.test(row.method ?? '') || row.status === 'pending',
  ],
  ['kind:request -tool:tool_7', 150, (row) => row.kind === 'request' && !row.text.includes('"tool_7"')],
  ['needle', 1000, (row) => row.text.toLowerCase().includes('needle')],
  ['kind:response needle', 1000, (row) => row.kind === 'response' && row.text.toLowerCase().includes('needle')],
  ['/Needle of \\d+00"/', 10_000, (row) => /Needle of \d+00"/.test(row.text)],
];

console.log(`${FRAMES.toLocaleString('en')} frames, ${(log.totalBytes / 1e6).toFixed(0)} MB; medians of ${ROUNDS}`);
for (const [text, budget, test] of CASES) {
  const { ms, found } = await measure(filtered(text));
  const { ms: plainMs, found: plainFound } = await measure(visible(test));
  if (found !== plainFound) throw new Error(`"${text}" matches ${found} rows, in the plain array ${plainFound}`);
  const words = `${ms.toFixed(0)} ms (budget ${budget}), ${(ms / plainMs).toFixed(2)} × the plain array's ${plainMs.toFixed(0)} ms`;
  console.log(`${text.padEnd(44)} ${String(found).padStart(7)} rows  ${words}`);
  if (ms > budget) process.exitCode = 1;
}
