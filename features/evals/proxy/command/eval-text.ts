import type { EvalComparison } from '@/features/evals/lib/compare-evals';
import type { CaseReport, EvalFailure, EvalReport, EvalTotals } from '@/features/evals/lib/report';
import { countOf } from '@/lib/wire/format';
import { plainText } from '@/proxy/cli/plain-text';
import { table } from '@/proxy/cli/table';

/** Formats a report for people: cases, failures, confusion and totals. */
export function evalText({ cases, confusion, totals }: EvalReport, width: number | undefined): string {
  const rows = cases.map((one) => [
    one.failed > 0 ? 'FAILED' : one.errors > 0 ? 'ERROR' : 'ok',
    one.name,
    one.model,
    `${one.passed} of ${one.runs}`,
    rateText(one),
    tokensText(one),
    `${one.latency.median} ms`,
  ]);
  const failed = cases.filter(({ failures }) => failures.length > 0);
  const chosen = confusion.map(({ model, expected, chosen: called, count }) => [
    expected === called ? '' : '≠',
    expected,
    called,
    String(count),
    model,
  ]);
  return [
    table(['', 'CASE', 'MODEL', 'PASSED', 'RATE', 'TOKENS', 'MEDIAN'], rows, width),
    ...failed.flatMap((one) => ['', ...failureLines(one)]),
    ...(chosen.length > 0 ? ['', table(['', 'EXPECTED', 'CALLED', 'RUNS', 'MODEL'], chosen, width)] : []),
    '',
    `${totals.passed} of ${countOf(totals.runs - totals.errors, 'run')} passed, ${rateText(totals)}. Tokens: ${tokensText(totals)}.`,
    ...(totals.errors > 0 ? [errorsText(totals)] : []),
  ].join('\n');
}

function errorsText({ errors }: EvalTotals): string {
  return `${countOf(errors, 'run')} could not be made, and ${errors === 1 ? 'says' : 'say'} nothing about the model.`;
}

/** Most failures of a case that are printed. The others are in the JSON. */
const MOST_FAILURES = 5;

function failureLines({ name, file, line, model, failures }: CaseReport): readonly string[] {
  const more = failures.length - MOST_FAILURES;
  return [
    plainText(`${name} (${file}, line ${line}) with ${model}:`),
    ...failures.slice(0, MOST_FAILURES).flatMap(oneFailure),
    ...(more > 0 ? [`  … and ${countOf(more, 'more failure')}`] : []),
  ];
}

function oneFailure({ repeat, reasons, error, turn, recording, calls }: EvalFailure): readonly string[] {
  // Without a recording, nobody could look a frame up.
  const frames = (recording === undefined ? [] : calls).flatMap(({ name, server, frame }) =>
    frame === undefined ? [] : `${name} is frame ${frame} of ${server}`,
  );
  const where = [`turn ${turn}${recording === undefined ? '' : ` of ${recording}`}`, ...frames].join(', ');
  const run = error === undefined ? `run ${repeat}` : `run ${repeat}, error`;
  return reasons.map((reason, at) => plainText(`  ${run}: ${reason}${at === 0 && turn !== '' ? ` (${where})` : ''}`));
}

function rateText({ passRate, interval: [low, high] }: Pick<EvalTotals, 'passRate' | 'interval'>): string {
  // No run was measured.
  if (low === 0 && high === 1) return '–';
  return `${percent(passRate)} (${percent(low)} to ${percent(high)})`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function tokensText({ tokens: { input, output, exact } }: Pick<EvalTotals, 'tokens'>): string {
  const mark = exact ? '' : '~';
  return `${mark}${input} in, ${mark}${output} out`;
}

/** Formats what differs from an earlier report. */
export function comparisonText({ changed, removed, added, totals }: EvalComparison, width: number | undefined): string {
  const rows = changed.map(({ name, model, before, after, isClear }) => [
    name,
    model,
    percent(before),
    percent(after),
    isClear ? 'clear' : 'may be chance',
  ]);
  const others = [
    ...added.map(({ name, model }) => `New: ${name} with ${model}`),
    ...removed.map(({ name, model }) => `Gone: ${name} with ${model}`),
  ];
  if (totals.cases === 0) {
    return [...others.map((line) => plainText(line)), 'No case was measured in both, so nothing is compared.'].join(
      '\n',
    );
  }
  const verdict = totals.isClear
    ? 'The difference is clear.'
    : 'The difference may be chance: repeat the cases more often.';
  const isSame = totals.before.passRate === totals.after.passRate;
  const about = `Of the ${countOf(totals.cases, 'case')} of both: before ${rateText(totals.before)}, now ${rateText(totals.after)}.`;
  return [
    ...(rows.length > 0
      ? [table(['CASE', 'MODEL', 'BEFORE', 'NOW', ''], rows, width)]
      : ['No case has another pass rate.']),
    ...others.map((line) => plainText(line)),
    `${about}${isSame ? '' : ` ${verdict}`}`,
  ].join('\n');
}
