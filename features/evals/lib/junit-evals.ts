import { junitXml } from '@/lib/ci/junit-xml';
import type { CaseReport, EvalReport } from './report';

/** Formats a report as JUnit XML: a suite for each file, and a test case for each case and model. */
export function junitEvals({ cases }: EvalReport): string {
  const files = [...new Set(cases.map(({ file }) => file))];
  const suites = files.map((file) => ({
    name: file,
    cases: cases.filter((one) => one.file === file).map((one) => testCase(one)),
  }));
  return junitXml(suites, 'mcp-inspect eval');
}

function testCase({ model, name, runs, passed, failures, errors, latency }: CaseReport) {
  const lines = failures.flatMap(({ repeat, reasons, turn, recording }) =>
    reasons.map(
      (reason) => `Run ${repeat}, turn ${turn}${recording === undefined ? '' : ` of ${recording}`}: ${reason}`,
    ),
  );
  const message = `${passed} of ${runs} runs passed${errors > 0 ? `, ${errors} could not be made` : ''}`;
  return {
    className: model,
    name,
    failures: lines,
    ms: latency.median,
    failure: lines.length === 0 ? undefined : { type: errors === runs ? 'error' : 'eval', message },
  };
}
