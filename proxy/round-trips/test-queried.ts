import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Cell } from '@/features/team/proxy/query/cells';
import { loadDuckDb } from '@/features/team/proxy/query/load-duckdb';
import { recordingTables } from '@/features/team/proxy/query/recording-tables';
import { runQuery } from '@/features/team/proxy/query/run-query';
import { TableCache } from '@/features/team/proxy/query/table-cache';
import { fileOf, TOLD } from '@/features/team/proxy/query/test-recordings';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { Log } from '@/lib/store/log';
import type { Frame } from '@/lib/wire/frame';

/** The facts that are compared, one query each. */
const QUERIES = {
  frames: 'select frame, channel, kind, method, status, bytes from frames order by frame',
  exchanges: 'select frame, response_frame, direction, method, name, status, ms, task from exchanges order by frame',
  calls: 'select tool, count(*), count(ms), sum(failed::int) from calls group by tool order by tool',
  problems: 'select rule, count(*) from problems group by rule order by rule',
  recording: 'select frames, server, protocol from recordings',
} as const;

type Facts = Readonly<Record<keyof typeof QUERIES, readonly (readonly unknown[])[]>>;

/** Asks DuckDB for the facts of a recording. */
export async function queriedOf(file: string): Promise<Facts> {
  // Not beside the recording: a server under test may list that folder.
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-sql-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { signal } = new AbortController();
  const tables = await recordingTables([fileOf(file)], new TableCache(join(folder, 'recordings')), TOLD, signal);
  const duckdb = await loadDuckDb();
  const options = { memoryMb: 200, temporary: join(folder, 'temporary'), signal };
  const answers = Object.entries(QUERIES).map(async ([name, sql]) => {
    const rows: (readonly Cell[])[] = [];
    await runQuery(duckdb, sql, tables, options, { begin: () => {}, addRows: (added) => rows.push(...added) > 0 });
    return [name, rows.map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)))] as const;
  });
  return Object.fromEntries(await Promise.all(answers)) as unknown as Facts;
}

const FAILED = new Set(['error', 'tool-error', 'timeout', 'lost']);

/** Derives the same facts from the frames, as the page does. */
export function derivedOf(frames: readonly Frame[]): Facts {
  const log = new Log('');
  log.append(frames);
  const finder = new ProblemFinder();
  for (const frame of frames) finder.addFrame(frame);
  const rows = frames.map((_, index) => log.row(index));
  const exchanges = frames.flatMap(({ seq }) => log.exchange(seq) ?? []);
  const calls = grouped(
    exchanges.filter(({ direction, method }) => direction === 'to-server' && method === 'tools/call'),
    ({ name }) => name!,
  );
  const problems = grouped(finder.problems, ({ rule }) => rule);
  return {
    frames: rows.map(({ seq, channel, kind, status, bytes }) => {
      const method = log.columns.method(log.columns.methodRow(seq - 1));
      return [seq, channel, kind, method ?? null, status ?? null, bytes];
    }),
    exchanges: exchanges.map(({ requestSeq, responseSeq, direction, method, name, status, durationUs, task }) => [
      requestSeq,
      responseSeq ?? null,
      direction,
      method,
      name ?? null,
      status,
      durationUs === undefined ? null : durationUs / 1000,
      task !== undefined,
    ]),
    calls: sorted(calls, (all) => [
      all.length,
      all.filter(({ durationUs }) => durationUs !== undefined).length,
      all.filter(({ status }) => FAILED.has(status)).length,
    ]),
    problems: sorted(problems, (all) => [all.reduce((sum, { count }) => sum + count, 0)]),
    recording: [[log.frames, log.state.server.info?.name || null, log.state.connection.version ?? null]],
  };
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/** Returns a row for each key, in the order of the keys. */
function sorted<T>(groups: Map<string, T[]>, countsOf: (all: readonly T[]) => readonly number[]) {
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, all]) => [key, ...countsOf(all)] as const);
}
