import { junitXml, type TestCase } from '@/lib/ci/junit-xml';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import type { Line } from '@/proxy/cli/output';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { writeReports } from '@/proxy/commands/shared/report-files';
import { type DiffFacts, type DiffGates, failuresOf } from './gates';

/** A finished comparison of recordings or servers. */
export interface Diff {
  /** Name of its test suite. */
  readonly title: string;
  readonly facts: DiffFacts;
  readonly lines: readonly Line[];
  /** For `--json`. */
  readonly json: object;
  readonly cases: readonly TestCase[];
}

/** Returns what programs get. */
export function diffJson({ facts, json }: Diff, gates: DiffGates) {
  const failures = failuresOf(gates, facts);
  return { passed: failures.length === 0, failures, ...json };
}

/** Prints and writes what a comparison found. Returns the exit code. Rejects with an ExitError. */
export async function endDiff(diff: Diff, gates: DiffGates, context: CommandContext): Promise<ExitCode> {
  const { request, printText, printLines } = context;
  const failures = failuresOf(gates, diff.facts);
  const passed = failures.length === 0;
  if (request.given.has('json')) printText(terminalJson(diffJson(diff, gates)));
  else {
    const text = passed ? `Passed: --fail-on ${gates.text}.` : `Failed: ${failures.join(' ')}`;
    const verdict: Line = [{ text, tone: passed ? 'good' : 'bad' }];
    printLines(gates.text === undefined ? diff.lines : [...diff.lines, verdict]);
  }
  const gate: TestCase = { className: 'diff', name: `--fail-on ${gates.text}`, failures };
  const cases = gates.text === undefined ? diff.cases : [...diff.cases, gate];
  await writeReports(request.given, 'report.junit', () => junitXml([{ name: diff.title, cases }]));
  return passed ? EXIT.fine : EXIT.serverError;
}
