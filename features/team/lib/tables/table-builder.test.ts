import { describe, expect, test } from 'vitest';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { FIXTURES } from '@/lib/problems/test-fixtures';
import { Log } from '@/lib/store/log';
import { answered, asked, type FrameSeed, framesOf, got, happened, sent } from '@/lib/store/test-frames';
import type { Frame } from '@/lib/wire/frame';
import type { FrameTable, RowOf } from './columns';
import { TableBuilder } from './table-builder';

type Rows = { readonly [T in FrameTable]: RowOf<T>[] };

/** Builds the tables of frames, with rows in the order of their frames. */
function tablesOf(frames: readonly Frame[], windowFrames?: number, hasGaps = false): Rows & { builder: TableBuilder } {
  const rows: Rows = { frames: [], exchanges: [], problems: [] };
  const builder = new TableBuilder(
    { recording: 'r', startUs: 0, hasGaps, ...(windowFrames !== undefined && { windowFrames }) },
    { addRow: (table, row) => void (rows[table] as unknown[]).push(row) },
  );
  builder.addFrames(frames);
  builder.end();
  for (const table of Object.values(rows)) table.sort((one, other) => one.frame! - other.frame!);
  return { ...rows, builder };
}

const call = (id: number, name = 'add', params: object = {}) => asked(id, 'tools/call', { name, ...params });
const progress = (token: number, value: number) =>
  got({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: value } });

describe.each(Object.entries(FIXTURES))('the fixture of rule %s', (_rule, fixture) => {
  test.each(['bad', 'good'] as const)('%s: rows agree with the log and the rules', (which) => {
    const frames = framesOf(fixture[which]);
    const log = new Log('');
    log.append(frames);
    const finder = new ProblemFinder();
    for (const frame of frames) finder.addFrame(frame);
    const rows = tablesOf(frames);
    expect(
      rows.frames.map(({ frame, kind, status, method, name, bytes }) => [frame, kind, status, method, name, bytes]),
    ).toEqual(
      frames.map(({ seq }) => {
        const { kind, status, bytes } = log.row(seq - 1);
        const { columns } = log;
        const method = columns.method(columns.methodRow(seq - 1));
        return [seq, kind, status, method, columns.name(columns.nameRow(seq - 1)), bytes];
      }),
    );
    expect(rows.exchanges.map(({ frame, response_frame, status, ms }) => [frame, response_frame, status, ms])).toEqual(
      frames.flatMap(({ seq }) => {
        const exchange = log.exchange(seq);
        const us = exchange?.durationUs;
        return exchange ? [[seq, exchange.responseSeq, exchange.status, us === undefined ? us : us / 1000]] : [];
      }),
    );
    const counts = new Map<number, number>();
    for (const { problem } of rows.problems) counts.set(problem!, (counts.get(problem!) ?? 0) + 1);
    expect(counts).toEqual(new Map(finder.problems.map(({ id, count }) => [id, count])));
  });
});

test('a row has the arguments of its request and the error of its response', () => {
  const [first, second, third] = tablesOf(
    framesOf([
      call(1, 'add', { arguments: { a: 1, b: [2] } }),
      got({ jsonrpc: '2.0', id: 1, result: { isError: true, content: [{ type: 'text', text: 'no b' }] } }),
      call(2, 'add', { arguments: { long: 'x'.repeat(5000) } }),
      got({ jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'm'.repeat(600) } }),
      call(3),
    ]),
  ).exchanges;
  expect(first).toMatchObject({ args: '{"a":1,"b":[2]}', error: 'no b', status: 'tool-error', failed: true, ms: 1 });
  expect(second).toMatchObject({ args: undefined, error_code: -32602, error: 'm'.repeat(500), status: 'error' });
  expect(third).toMatchObject({ name: 'add', status: 'pending', failed: false, ms: undefined, error: undefined });
});

test('with gaps, rules that need every frame are off', () => {
  const frames = framesOf(FIXTURES['unknown-id']!.bad);
  const has = (hasGaps: boolean) =>
    tablesOf(frames, undefined, hasGaps).problems.some(({ rule }) => rule === 'unknown-id');
  expect([has(false), has(true)]).toEqual([true, false]);
});

describe('windows of a long recording', () => {
  /** Calls with progress, up to five open at once, and answers in another order. */
  function session(): FrameSeed[] {
    const seeds: FrameSeed[] = [
      happened({ event: 'note', on: 1, text: 'x' } as never),
      asked(0, 'initialize', {
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'h', version: '2' },
        capabilities: {},
      }),
      answered(0, {
        protocolVersion: '2025-11-25',
        serverInfo: { name: 's', version: '1' },
        capabilities: { tools: {} },
      }),
      sent({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    ];
    const open: number[] = [];
    for (let id = 1; id <= 60; id++) {
      seeds.push(call(id, `t${id % 3}`, { arguments: { id }, _meta: { progressToken: id } }));
      open.push(id);
      if (id % 2 === 0) seeds.push(progress(open[0]!, id), progress(open.at(-1)!, id));
      if (id % 7 === 0) seeds.push(asked(`s${id}`, 'ping'));
      // Call 1 stays open for long.
      while (open.length > 5) seeds.push(answered(open.splice(open.length === 6 ? 1 : 0, 1)[0], { content: [] }));
    }
    return [...seeds, answered(1, { content: [] })];
  }

  test.each([1, 3, 10, 50])('of %i frames have the rows of one log', (windowFrames) => {
    const frames = framesOf(session());
    const { builder, ...whole } = tablesOf(frames);
    const { builder: other, ...cut } = tablesOf(frames, windowFrames);
    expect(cut).toEqual(whole);
    expect(whole.exchanges[1]).toMatchObject({ status: 'ok', name: 't1', progress: expect.any(Number) });
    expect([other.frames, other.lastUs, other.facts]).toEqual([builder.frames, builder.lastUs, builder.facts]);
    expect(builder.facts).toMatchObject({ server: 's', serverVersion: '1', host: 'h', hostVersion: '2' });
  });

  test('keep a task that runs', () => {
    const frames = framesOf([
      call(1, 'build', { task: {} }),
      answered(1, { task: { taskId: 't', status: 'working', createdAt: '2026-01-01T00:00:00Z', ttl: 1 } }),
      ...Array.from({ length: 10 }, (_, at) => asked(10 + at, 'ping')),
      ...Array.from({ length: 10 }, (_, at) => answered(10 + at, {})),
      asked(2, 'tasks/result', { taskId: 't' }),
      answered(2, { content: [], _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } }),
    ]);
    const [whole, cut] = [tablesOf(frames).exchanges, tablesOf(frames, 4).exchanges];
    expect(whole[0]).toMatchObject({ task: true, status: 'ok', response_frame: frames.length });
    expect(cut[0]).toEqual(whole[0]);
  });

  test('lose no request if more stay open than go on', () => {
    const open = framesOf(Array.from({ length: 30_000 }, (_, at) => call(at)));
    const { exchanges, frames } = tablesOf(open, 12_000);
    expect(new Set(exchanges.map(({ frame }) => frame)).size).toBe(30_000);
    expect(frames).toHaveLength(30_000);
  });
});
