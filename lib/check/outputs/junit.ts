import { type CheckedSource, type CheckReport, type CheckStep, durationOf, type Finding, isFailing } from '../report';
import { plainLine } from '../server-text';
import { framesText } from './labels';

/** Formats a report as JUnit XML: a suite per source, and a test case with its time per step. */
export function junitReport(report: CheckReport): string {
  const { sources, at } = report;
  const failing = (step: CheckStep) => step.findings.filter((finding) => isFailing(finding, report.failOn));
  const countsOf = (steps: readonly CheckStep[], ms: number) => {
    const failures = steps.filter((step) => failing(step).length > 0).length;
    const skipped = steps.filter((step) => step.skipped !== undefined && failing(step).length === 0).length;
    return `tests="${steps.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${seconds(ms)}"`;
  };
  const suite = (source: CheckedSource) => [
    `  <testsuite name="${xmlText(source.name)}" timestamp="${at.slice(0, 19)}" ${countsOf(source.steps, durationOf(source))}>`,
    ...source.steps.flatMap((step) => testCase(source, step, failing(step))),
    '  </testsuite>',
  ];
  const all = sources.flatMap(({ steps }) => steps);
  const total = sources.reduce((sum, source) => sum + durationOf(source), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    // The attribute `skipped` of the root is not in the usual schema.
    `<testsuites name="mcp-inspect check" ${countsOf(all, total).replace(/ skipped="\d+"/, '')}>`,
    ...sources.flatMap(suite),
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(source: CheckedSource, step: CheckStep, failures: readonly Finding[]): readonly string[] {
  const others = step.findings.filter((finding) => !failures.includes(finding));
  const start = `    <testcase classname="${xmlText(source.name)}" name="${xmlText(step.name)}" time="${seconds(step.ms)}"`;
  const [first] = failures;
  const inside = [
    ...(first
      ? [
          `      <failure type="${xmlText(first.rule)}" message="${xmlText(first.message)}">${xmlLines(failures)}</failure>`,
        ]
      : step.skipped === undefined
        ? []
        : [`      <skipped message="${xmlText(step.skipped)}"/>`]),
    ...(others.length === 0 ? [] : [`      <system-out>${xmlLines(others)}</system-out>`]),
  ];
  return inside.length === 0 ? [`${start}/>`] : [`${start}>`, ...inside, '    </testcase>'];
}

function xmlLines(findings: readonly Finding[]): string {
  return findings
    .map(({ severity, rule, message, path, frames, advice }) => {
      const where = [...(path === undefined ? [] : [path]), ...framesText(frames)].join(', ');
      return xmlText(`${severity} ${rule}: ${message}${where === '' ? '' : ` (${where})`} ${advice}`);
    })
    .join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes text for XML 1.0, as one line. */
function xmlText(text: string): string {
  return plainLine(text)
    .replace(/[\ufffe\uffff]/g, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
