import { describe, expect, test } from 'vitest';
import { attemptOf, type EvalRun } from './attempt';
import { compareEvals, readEvalReport } from './compare-evals';
import { junitEvals } from './junit-evals';
import { readCases } from './read-cases';
import { evalReport as reportOf, wilson } from './report';
import { planRuns, runAll } from './run-evals';
import { readRun } from './run-facts';
import { type Call, chatOf } from './test-chats';

const { cases } = readCases(`
cases:
  - { name: reads, prompt: a, expect: { tool: read } }
  - { name: writes, prompt: b, expect: { tool: write, text: done } }
`);

const evalReport = (made: readonly EvalRun[]) => reportOf(made.map((one, at) => attemptOf(one, at + 1, () => true)));

/** Runs in which the model makes these calls, one list for each run: of the first case twice, then of the second. */
function runs(...made: readonly (readonly Call[])[]): readonly EvalRun[] {
  return made.map((calls, at) => ({
    file: 'a.yaml',
    case: cases[at < 2 ? 0 : 1]!,
    model: 'scripted:a',
    repeat: (at % 2) + 1,
    facts: readRun(chatOf(calls, 'done', { inputTokens: 10, outputTokens: 2 })),
    milliseconds: at + 1,
    recording: `chats/${at}.mcpr.jsonl`,
  }));
}

test('sums up cases, models and tools', () => {
  const report = evalReport(runs([['light__read', { id: 1 }]], [['light__write', {}]], [['light__write', {}]]));
  expect(report.cases).toMatchObject([
    { name: 'reads', line: 3, runs: 2, passed: 1, failed: 1, passRate: 0.5, interval: [0.0945, 0.9055], refused: 1 },
    { name: 'writes', runs: 1, passed: 1, passRate: 1, failures: [], latency: { median: 3, p95: 3 } },
  ]);
  expect(report.cases[0]!.failures).toEqual([
    {
      repeat: 2,
      turn: 'a1',
      text: 'done',
      recording: 'chats/1.mcpr.jsonl',
      reasons: ['`read` was expected, but the model called `light__write`.'],
      calls: [{ name: 'light__write', arguments: '{}', decision: 'refuse', server: 'light' }],
    },
  ]);
  expect(report.confusion).toEqual([
    { model: 'scripted:a', expected: 'light__read', chosen: 'light__read', count: 1 },
    { model: 'scripted:a', expected: 'light__read', chosen: 'light__write', count: 1 },
    { model: 'scripted:a', expected: 'light__write', chosen: 'light__write', count: 1 },
  ]);
  expect(report.totals).toMatchObject({
    runs: 3,
    passed: 2,
    passRate: 0.6667,
    tokens: { input: 30, output: 6, exact: true },
    models: [{ model: 'scripted:a', runs: 3 }],
  });
});

test('estimates tokens that the model does not report', () => {
  const { tokens } = readRun(chatOf([], 'done'));
  expect(tokens).toEqual({ input: 7, output: 8, exact: false });
});

test('names the frames of a call', () => {
  const [one] = runs([['light__read', { id: 1 }]]);
  const failed = evalReport([{ ...one!, case: cases[1]! }]);
  expect(failed.cases[0]!.failures[0]!.calls).toEqual([
    { name: 'light__read', arguments: '{"id":1}', decision: 'run', server: 'light', connection: 'l', frame: 10 },
  ]);
});

test('writes JUnit XML', () => {
  const xml = junitEvals(evalReport(runs([], [['light__read', {}]])));
  expect(xml).toContain('<testsuite name="a.yaml" tests="1" failures="1"');
  expect(xml).toContain('message="1 of 2 runs passed"');
  expect(xml).toContain('Run 1, turn a1 of chats/0.mcpr.jsonl: `read` was expected, but the model called no tool.');
});

describe('Wilson intervals', () => {
  // Values of the formula, computed by hand and found in published tables.
  test.each([
    [0, 0, 0, 1],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [5, 10, 0.2366, 0.7634],
    [90, 100, 0.8256, 0.9448],
  ])('of %i of %i', (passed, count, low, high) => {
    const [from, to] = wilson(passed, count);
    expect(from).toBeCloseTo(low, 3);
    expect(to).toBeCloseTo(high, 3);
  });
});

test('compares the cases that two evals share', () => {
  const right: readonly Call[] = [['light__read', {}]];
  const [before, after] = [evalReport(runs([], [])), evalReport(runs(right, right, []))];
  expect(compareEvals(readEvalReport(JSON.stringify(before))!, after)).toMatchObject({
    changed: [{ name: 'reads', before: 0, after: 1, isClear: false }],
    removed: [],
    added: [{ file: 'a.yaml', name: 'writes', model: 'scripted:a' }],
    // The third run is of a case that only one of them has.
    totals: { cases: 1, before: { passed: 0, runs: 2 }, after: { passed: 2, runs: 2, passRate: 1 }, isClear: false },
  });
  const many = (calls: readonly Call[]) => evalReport(Array.from({ length: 20 }, () => runs(calls)[0]!));
  expect(compareEvals(many([]), many(right)).changed).toMatchObject([{ isClear: true }]);
});

test('concludes nothing from evals that share no case', () => {
  const other = evalReport(runs([], [], [], []).slice(2));
  const { totals, changed } = compareEvals(evalReport(runs([['light__read', {}]])), other);
  expect(changed).toEqual([]);
  expect(totals).toMatchObject({ cases: 0, isClear: false, before: { runs: 0 }, after: { runs: 0 } });
});

test('compares a moved file, and two models', () => {
  const moved = (one: EvalRun) => ({ ...one, file: 'b/a.yaml', model: 'scripted:b' });
  const [before, after] = [evalReport(runs([])), evalReport(runs([['light__read', {}]]).map(moved))];
  expect(compareEvals(before, after)).toMatchObject({ changed: [{ name: 'reads' }], added: [], removed: [] });
  const both = evalReport([...runs([]), ...runs([]).map(moved)]);
  expect(compareEvals(before, both).added).toMatchObject([{ file: 'b/a.yaml' }]);
});

test('a run that could not be made is not a wrong choice', () => {
  const [one, two] = runs([], [['light__read', {}]]);
  const failure = { code: 'unreachable', message: 'Nobody answers.', advice: 'Start it.' };
  const gone = { ...one!, facts: { ...one!.facts, reason: 'error' as const, failure } };
  const report = evalReport([gone, two!]);
  expect(report.totals).toMatchObject({ runs: 2, passed: 1, failed: 0, errors: 1, passRate: 1 });
  expect(report.confusion).toMatchObject([{ expected: 'light__read', chosen: 'light__read', count: 1 }]);
  expect(report.cases[0]!.failures).toMatchObject([
    { error: 'unreachable', reasons: [expect.stringContaining('Nobody')] },
  ]);
  expect(junitEvals(report)).toContain('1 of 2 runs passed, 1 could not be made');
  // A limit is a matter of the model.
  const limit = { ...gone, facts: { ...gone.facts, reason: 'limit' as const } };
  expect(evalReport([limit]).totals).toMatchObject({ failed: 1, errors: 0 });
});

test.each(['', '[]', '{}', '{"cases":[{}],"totals":{}}'])('an earlier report is not %j', (text) => {
  expect(readEvalReport(text)).toBeUndefined();
});

test('runs side by side, with results in the planned order', async () => {
  const planned = planRuns(['a', 'b'], ['x', 'y'], 2);
  expect(planned).toHaveLength(8);
  const waiting: (() => void)[] = [];
  const results = runAll(
    planned,
    3,
    (run) => new Promise<object>((resolve) => waiting.push(() => resolve(run))),
    new AbortController().signal,
  );
  // The last one that has begun ends first.
  while (waiting.length > 0) {
    expect(waiting.length).toBeLessThanOrEqual(3);
    waiting.pop()!();
    await new Promise(setImmediate);
  }
  expect(await results).toEqual(planned);
});

test('stops, and keeps the results so far', async () => {
  const stop = new AbortController();
  const done = await runAll(
    [1, 2, 3],
    1,
    async (one) => {
      if (one === 2) stop.abort();
      stop.signal.throwIfAborted();
      return one;
    },
    stop.signal,
  );
  expect(done).toEqual([1]);
  const failing = runAll([1], 1, () => Promise.reject(new Error('broken')), new AbortController().signal);
  await expect(failing).rejects.toThrow('broken');
});

test('a call that can not run is not one that nobody allowed', () => {
  const { totals } = evalReport(runs([['ghost', {}]], [['light__write', {}]]));
  expect(totals.refused).toBe(1);
});
