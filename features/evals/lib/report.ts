import type { AttemptCall, EvalAttempt, ToolChoice } from './eval-attempt';

/** The report, as `mcp-inspect eval --json` prints it. Everything in it is in a fixed order. */
export interface EvalReport {
  readonly cases: readonly CaseReport[];
  /** How often a tool was called for an expected one, by model. */
  readonly confusion: readonly (ToolChoice & { readonly model: string; readonly count: number })[];
  readonly totals: EvalTotals & { readonly models: readonly (EvalTotals & { readonly model: string })[] };
}

/** A case with one model. */
export interface CaseReport extends EvalTotals {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly model: string;
  readonly failures: readonly EvalFailure[];
}

export interface EvalFailure {
  readonly repeat: number;
  /** A sentence each. */
  readonly reasons: readonly string[];
  /** Code of what kept the model or a server from answering. Then the run says nothing about the model. */
  readonly error?: string;
  /** Beginning of the answer. */
  readonly text: string;
  /** The turn in the recorded chat, and the file if it was recorded. */
  readonly turn: string;
  readonly recording?: string;
  /** The calls, with their frames in the recorded connections if they ran. */
  readonly calls: readonly AttemptCall[];
}

export interface EvalTotals {
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  /** Runs in which the model or a server could not be asked. They count as neither passed nor failed. */
  readonly errors: number;
  /** Share of passed runs among those without an error, from 0 to 1. */
  readonly passRate: number;
  /** The 95% confidence interval of the pass rate (Wilson). */
  readonly interval: readonly [low: number, high: number];
  /** Calls that nobody had allowed. */
  readonly refused: number;
  readonly tokens: { readonly input: number; readonly output: number; readonly exact: boolean };
  readonly latency: { readonly median: number; readonly p95: number };
}

/** Makes a report. Files, cases, models and runs are in the order of their first run. */
export function evalReport(attempts: readonly EvalAttempt[]): EvalReport {
  const byCase = groups(attempts, ({ file, name, model }) => [file, name, model]);
  const byModel = groups(attempts, ({ model }) => [model]);
  return {
    cases: byCase.map((group) => {
      const { file, line, name, model } = group[0]!;
      return { file, line, name, model, ...totalsOf(group), failures: group.flatMap(failureOf) };
    }),
    confusion: byModel.flatMap((group) => confusionOf(group)),
    totals: {
      ...totalsOf(attempts),
      models: byModel.map((group) => ({ model: group[0]!.model, ...totalsOf(group) })),
    },
  };
}

function groups<T>(items: readonly T[], keyOf: (item: T) => readonly string[]): readonly (readonly T[])[] {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    const group = found.get(key);
    if (group) group.push(item);
    else found.set(key, [item]);
  }
  return [...found.values()];
}

function failureOf({ repeat, reasons, error, turn, text, recording, calls }: EvalAttempt): readonly EvalFailure[] {
  if (reasons.length === 0) return [];
  return [
    {
      repeat,
      reasons,
      turn,
      text,
      calls,
      ...(error !== undefined && { error }),
      ...(recording !== undefined && { recording }),
    },
  ];
}

function totalsOf(attempts: readonly EvalAttempt[]): EvalTotals {
  const measured = attempts.filter(({ error }) => error === undefined);
  const passed = measured.filter(({ reasons }) => reasons.length === 0).length;
  const sum = (of: (one: EvalAttempt) => number): number => attempts.reduce((total, one) => total + of(one), 0);
  const times = measured.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return {
    runs: attempts.length,
    passed,
    failed: measured.length - passed,
    errors: attempts.length - measured.length,
    ...passRate(passed, measured.length),
    refused: sum(({ refused }) => refused),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      output: sum(({ tokens }) => tokens.output),
      exact: attempts.every(({ tokens }) => tokens.exact),
    },
    latency: { median: rank(times, 0.5), p95: rank(times, 0.95) },
  };
}

/** Returns the share of passed runs, and its interval. */
export function passRate(passed: number, runs: number): Pick<EvalTotals, 'passRate' | 'interval'> {
  return { passRate: runs === 0 ? 0 : round(passed / runs), interval: wilson(passed, runs) };
}

/** Returns the nearest-rank quantile in whole ms; 0 for no times. */
function rank(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
}

/** Standard deviations of a 95% confidence interval. */
const Z = 1.959964;

/** Returns the Wilson score interval of a share. It is sound for few runs, and for shares of 0 and 1. */
export function wilson(passed: number, runs: number): readonly [low: number, high: number] {
  if (runs === 0) return [0, 1];
  const share = passed / runs;
  const square = Z * Z;
  const centre = (share + square / (2 * runs)) / (1 + square / runs);
  const half = (Z / (1 + square / runs)) * Math.sqrt((share * (1 - share)) / runs + square / (4 * runs * runs));
  return [round(Math.max(0, centre - half)), round(Math.min(1, centre + half))];
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function confusionOf(attempts: readonly EvalAttempt[]): EvalReport['confusion'] {
  const { model } = attempts[0]!;
  const choices = attempts.flatMap((one) => one.choices);
  return groups(choices, ({ expected, chosen }) => [expected, chosen])
    .map((group) => ({ model, ...group[0]!, count: group.length }))
    .sort((a, b) => compareText(a.expected, b.expected) || compareText(a.chosen, b.chosen));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
