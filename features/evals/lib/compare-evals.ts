import { isObject, own } from '@/lib/json/value';
import { type CaseReport, type EvalReport, type EvalTotals, passRate } from './report';

/** The differences of two evals. */
export interface EvalComparison {
  /** Cases of both whose pass rates differ, largest change first. */
  readonly changed: readonly CaseChange[];
  /** Cases that only the first, or only the second, has. */
  readonly removed: readonly CaseName[];
  readonly added: readonly CaseName[];
  /** The cases that both have. Others say nothing about the difference. */
  readonly totals: {
    readonly cases: number;
    readonly before: SharedTotals;
    readonly after: SharedTotals;
    /** False if chance alone may explain the difference: the intervals overlap. */
    readonly isClear: boolean;
  };
}

export interface SharedTotals extends Pick<EvalTotals, 'passRate' | 'interval'> {
  readonly passed: number;
  /** Runs without an error. */
  readonly runs: number;
  readonly tokens: EvalTotals['tokens'];
}

export interface CaseName {
  readonly file: string;
  readonly name: string;
  readonly model: string;
}

export interface CaseChange extends CaseName {
  readonly before: number;
  readonly after: number;
  readonly isClear: boolean;
}

/** Compares two evals, such as those of two descriptions of a tool, or of two models. */
export function compareEvals(before: EvalReport, after: EvalReport): EvalComparison {
  const keyOf = keyFor(before.cases, after.cases);
  const byKey = ({ cases }: EvalReport) => new Map(cases.map((one) => [keyOf(one), one]));
  const [old, current] = [byKey(before), byKey(after)];
  const pairs = [...current].flatMap(([key, now]) => {
    const then = old.get(key);
    return then && measuredRuns(then) > 0 && measuredRuns(now) > 0 ? [{ then, now }] : [];
  });
  const changed = pairs
    .filter(({ then, now }) => then.passRate !== now.passRate)
    .map(({ then, now }) => ({
      ...nameOf(now),
      before: then.passRate,
      after: now.passRate,
      isClear: isClear(then, now),
    }));
  const only = (these: ReadonlyMap<string, CaseReport>, others: ReadonlyMap<string, CaseReport>) =>
    [...these].flatMap(([key, one]) => (others.has(key) ? [] : nameOf(one)));
  const [first, second] = [sharedTotals(pairs.map(({ then }) => then)), sharedTotals(pairs.map(({ now }) => now))];
  return {
    changed: changed.sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before)),
    removed: only(old, current),
    added: only(current, old),
    totals: { cases: pairs.length, before: first, after: second, isClear: isClear(first, second) },
  };
}

/** Parses a saved report. Returns undefined if the text is not one. */
export function readEvalReport(text: string): EvalReport | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isReport(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isReport(value: unknown): value is EvalReport {
  if (!isObject(value)) return false;
  const cases = own(value, 'cases');
  return Array.isArray(cases) && cases.every(isCase) && isObject(own(value, 'totals'));
}

function isCase(value: unknown): boolean {
  if (!isObject(value)) return false;
  const interval = own(value, 'interval');
  const tokens = own(value, 'tokens');
  return (
    ['file', 'name', 'model'].every((name) => typeof own(value, name) === 'string') &&
    ['runs', 'passed', 'passRate'].every((name) => typeof own(value, name) === 'number') &&
    Array.isArray(interval) &&
    interval.length === 2 &&
    isObject(tokens)
  );
}

function isClear(one: Pick<EvalTotals, 'interval'>, other: Pick<EvalTotals, 'interval'>): boolean {
  return one.interval[1] < other.interval[0] || other.interval[1] < one.interval[0];
}

/**
 * Returns how cases are paired: by file, name and model. A file or a model that is the only one on either side is not
 * compared, so that the cases of a moved file, and two models, can be.
 */
function keyFor(before: readonly CaseReport[], after: readonly CaseReport[]): (one: CaseReport) => string {
  const isOnly = (member: 'file' | 'model') =>
    [before, after].every((cases) => new Set(cases.map((one) => one[member])).size <= 1);
  const [oneFile, oneModel] = [isOnly('file'), isOnly('model')];
  return ({ file, name, model }) => JSON.stringify([oneFile ? '' : file, name, oneModel ? '' : model]);
}

function nameOf({ file, name, model }: CaseName): CaseName {
  return { file, name, model };
}

/** Reports of earlier versions have no errors. */
function measuredRuns({ runs, errors = 0 }: CaseReport): number {
  return runs - errors;
}

function sharedTotals(cases: readonly CaseReport[]): SharedTotals {
  const sum = (of: (one: CaseReport) => number): number => cases.reduce((total, one) => total + of(one), 0);
  const [passed, runs] = [sum((one) => one.passed), sum(measuredRuns)];
  const tokens = {
    input: sum((one) => one.tokens.input),
    output: sum((one) => one.tokens.output),
    exact: cases.every((one) => one.tokens.exact),
  };
  return { passed, runs, ...passRate(passed, runs), tokens };
}
