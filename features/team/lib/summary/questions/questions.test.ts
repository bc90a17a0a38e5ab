import { expect, test } from 'vitest';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import type { RecordingSummary, ToolSummary } from '../recording-summary';
import { summaryWith, tool } from '../test-summaries';
import { checksText, percent, type ReportedRecording } from './question';
import { MOST_ROWS, makeReport, QUESTIONS } from './report';

let made = 0;

/** Makes a recording with a digest and a place of its own. */
function recording(members: Partial<RecordingSummary>): ReportedRecording {
  made++;
  const sha256 = made.toString(16).padStart(64, '0');
  const at = new Date(Date.UTC(2026, 0, 1, 0, made)).toISOString();
  return { summary: summaryWith({ sha256, at, ...members }), place: `${made}.mcpr.jsonl` };
}

const server = (version: string, info = 'lighthouse') => ({ name: 'x', info, version, transport: 'stdio' });
const withTools = (version: string, ...tools: ToolSummary[]) => recording({ server: server(version), tools });
const answerTo = (id: string, recordings: readonly ReportedRecording[], compare?: readonly [string, string]) =>
  makeReport(recordings, compare && { compare }).answers.find((answer) => answer.id === id)!;
const times = (count: number, ms: number) => Array.from({ length: count }, (_, at) => ms * (1 + (at % 5) / 50));

test('the slowest tools come first, and those with few calls last', () => {
  const many = Array.from({ length: 100 }, (_, at) => 10 + at);
  const recordings = [
    withTools('1', tool('slow', many), tool('once', [60_000]), tool('never', [])),
    withTools('1', tool('slow', many), tool('fast', times(150, 1))),
  ];
  const { rows, basis, columns } = answerTo('slowest-tools', recordings);
  expect(rows.map(({ cells, tone }) => [cells[0], cells[2], tone])).toEqual([
    ['slow', '200', undefined],
    ['fast', '150', undefined],
    ['once', '1', 'unsure'],
  ]);
  expect(rows[0]!.facts).toMatchObject({ tool: 'slow', server: 'lighthouse', calls: 200, maxMs: 109 });
  const { p95Ms, p95FromMs, p95ToMs } = rows[0]!.facts as Record<string, number>;
  expect(Math.abs(p95Ms! / 104 - 1)).toBeLessThan(0.1);
  expect([p95FromMs! <= 104, p95ToMs! >= 104]).toEqual([true, true]);
  expect(rows[0]!.sources).toEqual(
    [1, 0].map((at) => expect.objectContaining({ place: recordings[at]!.place, frame: 7, what: 'slowest call' })),
  );
  expect(basis).toBe('351 answered calls of 3 tools');
  expect(rows.every(({ cells }) => cells.length === columns.length)).toBe(true);
});

test('fewer than five calls are shown one by one, also those of several recordings', () => {
  const recordings = [
    withTools('1', tool('few', [12.5, 900]), tool('five', [1, 2, 3, 4, 5])),
    withTools('1', tool('few', [14])),
  ];
  const figures = answerTo('slowest-tools', recordings).rows.map(({ cells }) => [cells[0], ...cells.slice(2, 5)]);
  expect(figures).toEqual([
    ['few', '3', '14.0 ms, 12.5 ms, 900 ms', ''],
    ['five', '5', expect.stringMatching(/^\d\.\d ms$/), expect.stringMatching(/^\d\.\d ms$/)],
  ]);
});

test('error rates are counted by version, newest first, with their most frequent error', () => {
  const failure = { method: 'tools/call', name: 'scan', code: -32602, message: 'Bad', count: 3, frame: 9 } as const;
  const recordings = [
    recording({ server: server('1.0.0'), requests: { calls: 10, errors: 0 } }),
    recording({ server: server('1.1.0'), requests: { calls: 12, errors: 3, unfinished: 2 }, failures: [failure] }),
    recording({ server: server('1.1.0'), requests: { calls: 0, errors: 0 } }),
  ];
  const { rows } = answerTo('error-rates', recordings);
  expect(rows.map(({ cells }) => cells.slice(0, 5))).toEqual([
    ['lighthouse', '1.1.0', '10', '3', '30%'],
    ['lighthouse', '1.0.0', '10', '0', '0%'],
  ]);
  expect(rows[0]!.cells.slice(5)).toEqual(['11% – 60%', 'scan: -32602, Bad (3×)']);
  expect(rows[0]!.sources).toEqual([expect.objectContaining({ place: recordings[1]!.place, frame: 9 })]);
});

test('a recording with other errors is not named as one with the most frequent error', () => {
  const failure = (name: string, count: number, frame: number) =>
    ({ method: 'tools/call', name, code: 'tool-error', count, frame }) as const;
  const recordings = [
    recording({ requests: { calls: 20, errors: 9 }, failures: [failure('scan', 9, 3)] }),
    recording({ requests: { calls: 20, errors: 8 }, failures: [failure('list', 5, 4), failure('scan', 3, 5)] }),
    recording({ requests: { calls: 20, errors: 7 }, failures: [failure('list', 6, 6)] }),
  ];
  const [row] = answerTo('error-rates', recordings).rows;
  expect(row!.cells.at(-1)).toBe('scan: tool error (12×)');
  expect(row!.sources.map(({ frame, what }) => [frame, what])).toEqual([
    [3, 'first such error'],
    [5, 'first such error'],
    [6, 'first of its most frequent errors'],
  ]);
});

test('tools that hosts never call are counted by host, in tapped sessions only', () => {
  const session = (host: string, mode: 'tap' | 'client', ...tools: ToolSummary[]) =>
    recording({ server: server('1'), host: { name: host }, mode, tools });
  const recordings = [
    session('claude', 'tap', tool('scan', [1]), tool('reset', [])),
    session('claude', 'tap', tool('scan', [1]), tool('reset', [])),
    session('cursor', 'tap', tool('scan', []), tool('reset', []), { ...tool('made-up', [1]), unlisted: true }),
    session('mcp-inspect', 'client', tool('scan', []), tool('reset', [1])),
  ];
  const { rows, basis } = answerTo('never-called', recordings);
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['reset', 'lighthouse', 'claude', '2', '78%', '0'],
    ['scan', 'lighthouse', 'cursor', '1', '95%', '2'],
    ['reset', 'lighthouse', 'cursor', '1', '95%', '0'],
  ]);
  expect(basis).toBe('3 tapped sessions');
});

test('finds a slower tool, new errors, a lost tool and a new finding between two versions', () => {
  const before = (_: unknown, at: number) =>
    withTools('1.0.0', tool('scan', times(20, 10 + at)), tool('write', times(20, 5)), tool('old', []));
  const after = (_: unknown, at: number) =>
    recording({
      server: server('1.1.0'),
      tools: [tool('scan', times(20, 30 + at)), tool('write', times(20, 5), { errors: 8 })],
      problems: [{ rule: 'unknown-method', severity: 'error', count: 2 }],
    });
  const recordings = [
    ...Array.from({ length: 4 }, before),
    ...Array.from({ length: 4 }, after),
    // Neither the newest version nor the one before.
    recording({ server: server('0.1.0'), at: '2020-01-01T00:00:00.000Z', tools: [tool('scan', times(50, 1))] }),
  ];
  const { rows, basis } = answerTo('regressions', recordings);
  expect(rows.map(({ cells }) => cells.slice(1, 5)).sort()).toEqual([
    ['old', 'is no longer listed', 'listed', 'gone'],
    ['scan', 'p50 2.4× as long', expect.any(String), expect.any(String)],
    ['unknown-method', 'new finding', '0', '8'],
    ['write', 'fails more often', '0%', '40%'],
  ]);
  const scan = rows.find(({ cells }) => cells[1] === 'scan')!;
  expect(scan.facts).toMatchObject({ callsBefore: 80, callsAfter: 80 });
  expect(scan.sources.at(-1)!.place).toBe(recordings[3]!.place);
  expect(basis).toBe(
    'lighthouse: before 1.0.0 (4 recordings), after 1.1.0 (4). 4 comparisons with 8 calls or more on each side',
  );
});

test('finds no regression in recordings that are alike, nor in few calls, and is unsure with one on a side', () => {
  const alike = (version: string) => Array.from({ length: 5 }, () => withTools(version, tool('scan', times(20, 10))));
  expect(answerTo('regressions', [...alike('1'), ...alike('2')]).rows).toEqual([]);
  const single = [withTools('1', tool('scan', times(40, 10))), withTools('2', tool('scan', times(40, 90)))];
  expect(answerTo('regressions', single).rows).toMatchObject([{ tone: 'unsure' }]);
  const few = [withTools('1', tool('scan', [1, 1, 1])), withTools('2', tool('scan', [99, 99, 99]))];
  expect(answerTo('regressions', few).rows).toEqual([]);
});

test('compares two commits by the start of their hashes', () => {
  const [one, other] = ['a1b2c3'.padEnd(40, '0'), 'ffeedd'.padEnd(40, '0')];
  const recordings = [one, other].flatMap((commit, side) =>
    Array.from({ length: 4 }, () => {
      return recording({ commit, server: server('1'), tools: [tool('scan', times(20, side === 0 ? 10 : 50))] });
    }),
  );
  expect(answerTo('regressions', recordings, ['A1B2', 'ffeedd']).rows).toHaveLength(1);
  // Too short to name a commit, and both on the same side.
  for (const pair of [
    ['a', 'f'],
    ['ffee', 'a1b2'],
  ] as const)
    expect(answerTo('regressions', recordings, pair).rows).toHaveLength(0);
  expect(answerTo('regressions', recordings, ['x', 'y'])).toMatchObject({
    basis: 'Nothing to compare',
    empty: 'No server has recordings of both x and y',
  });
});

test('compares recordings by their tags', () => {
  const tagged = (tag: string, ms: number) =>
    Array.from({ length: 3 }, () =>
      recording({ tags: [tag], server: server('1'), tools: [tool('scan', times(20, ms))] }),
    );
  expect(answerTo('regressions', [...tagged('main', 10), ...tagged('pr-7', 90)], ['main', 'pr-7']).rows).toHaveLength(
    1,
  );
});

test('counts a recording once that is there twice', () => {
  const one = withTools('1', tool('scan', [1]));
  const report = makeReport([one, { ...one, place: 'copy.mcpr.jsonl' }]);
  expect(report).toMatchObject({ recordings: 1, servers: 1, requests: 1, from: one.summary.at, to: one.summary.at });
});

test('bounds its rows and says how many are left out', () => {
  const tools = Array.from({ length: 150 }, (_, at) => tool(`t${at}`, [at + 1]));
  const { rows, rowsLeftOut } = answerTo('slowest-tools', [withTools('1', ...tools)]);
  expect([rows.length, rowsLeftOut]).toEqual([MOST_ROWS, 50]);
});

test('answers every question over nothing', () => {
  const report = makeReport([]);
  expect(report).toMatchObject({ recordings: 0, from: '', to: '' });
  expect(report.answers.map(({ id, rows }) => [id, rows.length])).toEqual(QUESTIONS.map(({ id }) => [id, 0]));
});

test('keeps names such as __proto__ apart from members of objects', () => {
  const names = ['__proto__', 'constructor', 'toString'];
  const { rows } = answerTo('slowest-tools', [withTools('__proto__', ...names.map((name) => tool(name, [1])))]);
  expect(rows.map(({ cells }) => cells[0]).sort()).toEqual(names);
});

test('takes time in proportion to the number of summaries', () => {
  const tools = Array.from({ length: 10 }, (_, at) => tool(`t${at}`, times(20, at + 1)));
  const recordings = Array.from({ length: 20_000 }, (_, at) => recording({ server: server(`1.${at % 5}`), tools }));
  const from = cpuMs();
  expect(makeReport(recordings).recordings).toBe(20_000);
  // A generous bound, to catch what grows with the square.
  expect(cpuMs() - from).toBeLessThan(15_000);
});

test.each([
  [0, '0%'],
  [0.0001, '<0.1%'],
  [0.0312, '3.1%'],
  [0.5, '50%'],
  [0.9999, '>99.9%'],
  [1, '100%'],
])('formats %d as %s', (share, text) => {
  expect(percent(share)).toBe(text);
});

test('recordings of check are left out and counted, unless they are asked for', () => {
  const probe = tool('mcp-inspect-check-no-such-name', times(20, 1), { errors: 20 });
  const probes = recording({ mode: 'check', server: server('2'), tools: [probe] });
  const all = [withTools('1', tool('scan', times(20, 1))), withTools('2', tool('scan', times(20, 1))), probes];
  const report = makeReport(all);
  expect(report).toMatchObject({ recordings: 2, checks: 1, requests: 40 });
  expect(JSON.stringify(report.answers)).not.toContain('no-such-name');
  expect(checksText(report)).toBe(', without 1 recording of check');
  expect(makeReport(all, { withChecks: true })).toMatchObject({ recordings: 3, checks: 0, requests: 60 });
});

test.each<[string, readonly string[], string]>([
  [
    'an older version that was recorded last',
    ['1.2.0', '1.3.0', '1.2.0'],
    'before 1.2.0 (2 recordings), after 1.3.0 (1)',
  ],
  ['numbers with several digits', ['1.10.0', '1.9.0'], 'before 1.9.0 (1 recording), after 1.10.0 (1)'],
  ['prereleases', ['2.0.0', '2.0.0-rc.1', '2.0.0-rc.1.1'], 'before 2.0.0-rc.1.1 (1 recording), after 2.0.0 (1)'],
  ['other versions, by time', ['2026b', '2026a'], 'before 2026b (1 recording), after 2026a (1)'],
])('the newest version: %s', (_what, versions, basis) => {
  const all = versions.map((version) => withTools(version, tool('scan', [1])));
  expect(answerTo('regressions', all).basis).toContain(basis);
});
