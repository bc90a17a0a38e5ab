import { isObject, own } from '@/lib/json/value';
import type { CaseReport, EvalReport, EvalTotals } from './report';

/** The differences of two evals of the same cases. */
export interface EvalComparison {
  /** Cases of both whose pass rates differ, largest change first. */
  readonly changed: readonly CaseChange[];
  /** Cases that only the first, or only the second, has. */
  readonly removed: readonly CaseName[];
  readonly added: readonly CaseName[];
  readonly totals: {
    readonly before: Pick<EvalTotals, 'passRate' | 'interval' | 'tokens' | 'latency'>;
    readonly after: Pick<EvalTotals, 'passRate' | 'interval' | 'tokens' | 'latency'>;
    /** False if chance alone may explain the difference: the intervals overlap. */
    readonly isClear: boolean;
  };
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

/** Compares two evals, such as those of two descriptions of a tool. */
export function compareEvals(before: EvalReport, after: EvalReport): EvalComparison {
  const [old, current] = [byName(before.cases), byName(after.cases)];
  const changed = [...current].flatMap(([key, now]) => {
    const then = old.get(key);
    if (!then || then.passRate === now.passRate) return [];
    return { ...nameOf(now), before: then.passRate, after: now.passRate, isClear: isClear(then, now) };
  });
  const only = (these: ReadonlyMap<string, CaseReport>, others: ReadonlyMap<string, CaseReport>) =>
    [...these].flatMap(([key, one]) => (others.has(key) ? [] : nameOf(one)));
  return {
    changed: changed.sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before)),
    removed: only(old, current),
    added: only(current, old),
    totals: { before: summaryOf(before), after: summaryOf(after), isClear: isClear(before.totals, after.totals) },
  };
}

/** Reads an earlier report; undefined if a text is none. */
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
  return Array.isArray(cases) && cases.every(hasRates) && hasRates(own(value, 'totals'));
}

function hasRates(value: unknown): boolean {
  if (!isObject(value)) return false;
  const [rate, interval, tokens] = ['passRate', 'interval', 'tokens'].map((name) => own(value, name));
  return typeof rate === 'number' && Array.isArray(interval) && interval.length === 2 && isObject(tokens);
}

function isClear(one: Pick<EvalTotals, 'interval'>, other: Pick<EvalTotals, 'interval'>): boolean {
  return one.interval[1] < other.interval[0] || other.interval[1] < one.interval[0];
}

/** Pairs cases by file, name and model. */
function byName(cases: readonly CaseReport[]): ReadonlyMap<string, CaseReport> {
  return new Map(cases.map((one) => [JSON.stringify([one.file, one.name, one.model]), one]));
}

function nameOf({ file, name, model }: CaseName): CaseName {
  return { file, name, model };
}

function summaryOf({ totals: { passRate, interval, tokens, latency } }: EvalReport) {
  return { passRate, interval, tokens, latency };
}
