import { junitXml, type TestCase } from '@/lib/ci/junit-xml';
import { plainLine } from '@/lib/ci/server-text';
import {
  type CheckedSource,
  type CheckFinding,
  type CheckReport,
  type CheckStep,
  durationOf,
  isFailing,
} from '../report';
import { framesText } from './labels';

/** Formats a report as JUnit XML: a suite per source, and a test case with its time per step. */
export function junitReport({ sources, at, failOn }: CheckReport): string {
  const suites = sources.map((source) => ({
    name: plainLine(source.name),
    cases: source.steps.map((step) => testCase(source, step, failOn)),
    at,
    ms: durationOf(source),
  }));
  return junitXml(suites, 'mcp-inspect check');
}

function testCase({ name: source }: CheckedSource, step: CheckStep, failOn: CheckReport['failOn']): TestCase {
  const failures = step.findings.filter((finding) => isFailing(finding, failOn));
  const others = step.findings.filter((finding) => !failures.includes(finding));
  const [first] = failures;
  return {
    className: plainLine(source),
    name: plainLine(step.name),
    failures: failures.map(lineOf),
    failure: first && { type: plainLine(first.rule), message: plainLine(first.message) },
    skipped: step.skipped === undefined ? undefined : plainLine(step.skipped),
    output: others.length === 0 ? undefined : others.map(lineOf).join('\n'),
    ms: step.ms,
  };
}

function lineOf({ severity, rule, message, path, frames, advice }: CheckFinding): string {
  const where = [...(path === undefined ? [] : [path]), ...framesText(frames)].join(', ');
  return plainLine(`${severity} ${rule}: ${message}${where === '' ? '' : ` (${where})`} ${advice}`);
}
