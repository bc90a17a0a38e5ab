import type { EvalCase } from './eval-case';
import type { RunFacts } from './run-facts';
import { type Choice, type Score, scoreRun } from './score';

/** A case that ran once with a model. */
export interface EvalRun {
  /** The file of the case. */
  readonly file: string;
  readonly case: EvalCase;
  readonly model: string;
  /** From 1. */
  readonly repeat: number;
  readonly facts: RunFacts;
  readonly milliseconds: number;
  /** File of the recorded chat. */
  readonly recording?: string;
}

/** The report, as `mcp-inspect eval --json` prints it. Everything in it is in a fixed order. */
export interface EvalReport {
  readonly cases: readonly CaseReport[];
  /** How often a tool was called for an expected one, by model. */
  readonly confusion: readonly (Choice & { readonly model: string; readonly count: number })[];
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
  /** Beginning of the answer. */
  readonly text: string;
  /** The turn in the recorded chat, and the file if it was recorded. */
  readonly turn: string;
  readonly recording?: string;
  /** The calls, with their frames in the recorded connections if they ran. */
  readonly calls: readonly {
    readonly name: string;
    readonly arguments: string;
    readonly decision: string;
    readonly server?: string;
    readonly connection?: string;
    readonly frame?: number;
  }[];
}

export interface EvalTotals {
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  /** Share of passed runs, from 0 to 1. */
  readonly passRate: number;
  /** The 95% confidence interval of the pass rate (Wilson). */
  readonly interval: readonly [low: number, high: number];
  /** Calls that nobody had allowed. */
  readonly refused: number;
  readonly tokens: { readonly input: number; readonly output: number; readonly exact: boolean };
  readonly latency: { readonly median: number; readonly p95: number };
}

interface Scored {
  readonly run: EvalRun;
  readonly score: Score;
}

/** Scores runs. Files, cases, models and runs are in the order of their first run. */
export function evalReport(runs: readonly EvalRun[]): EvalReport {
  const scored = runs.map((run) => ({ run, score: scoreRun(run.case, run.facts) }));
  const byCase = groups(scored, ({ run }) => [run.file, run.case.name, run.model]);
  const byModel = groups(scored, ({ run }) => [run.model]);
  return {
    cases: byCase.map((group) => {
      const { file, case: one, model } = group[0]!.run;
      return { file, line: one.line, name: one.name, model, ...totalsOf(group), failures: group.flatMap(failureOf) };
    }),
    confusion: byModel.flatMap((group) => confusionOf(group)),
    totals: {
      ...totalsOf(scored),
      models: byModel.map((group) => ({ model: group[0]!.run.model, ...totalsOf(group) })),
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

/** Characters of an answer, and of arguments, that a failure shows. */
const SHOWN_CHARS = 2000;

function failureOf({ run, score: { reasons } }: Scored): readonly EvalFailure[] {
  if (reasons.length === 0) return [];
  const { repeat, facts, recording } = run;
  return [
    {
      ...{ repeat, reasons, turn: facts.turn, text: facts.text.slice(0, SHOWN_CHARS) },
      ...(recording !== undefined && { recording }),
      calls: facts.calls.map(({ name, argumentsText, decision = 'refuse', server, sent }) => ({
        ...{ name, arguments: argumentsText.slice(0, SHOWN_CHARS), decision },
        ...(server !== undefined && { server }),
        ...(sent && { connection: sent.connection, frame: sent.seq }),
      })),
    },
  ];
}

function totalsOf(scored: readonly Scored[]): EvalTotals {
  const passed = scored.filter(({ score }) => score.reasons.length === 0).length;
  const facts = scored.map(({ run }) => run.facts);
  const sum = (of: (one: RunFacts) => number): number => facts.reduce((total, one) => total + of(one), 0);
  const times = scored.map(({ run }) => run.milliseconds).sort((a, b) => a - b);
  return {
    ...{ runs: scored.length, passed, failed: scored.length - passed },
    passRate: scored.length === 0 ? 0 : round(passed / scored.length),
    interval: wilson(passed, scored.length),
    refused: sum(({ calls }) => calls.filter(({ decision, by }) => decision === 'refuse' && by !== 'loop').length),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      output: sum(({ tokens }) => tokens.output),
      exact: facts.every(({ tokens }) => tokens.exact),
    },
    latency: { median: rank(times, 0.5), p95: rank(times, 0.95) },
  };
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

function confusionOf(scored: readonly Scored[]): EvalReport['confusion'] {
  const { model } = scored[0]!.run;
  const choices = scored.flatMap(({ score }) => score.choices);
  return groups(choices, ({ expected, chosen }) => [expected, chosen])
    .map((group) => ({ model, ...group[0]!, count: group.length }))
    .sort((a, b) => compareText(a.expected, b.expected) || compareText(a.chosen, b.chosen));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
