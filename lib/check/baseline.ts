import { isObject, own } from '@/lib/json/value';
import { type CheckReport, type Finding, findingsOf } from './report';

/** Findings that somebody has accepted, by fingerprint. */
export type Baseline = ReadonlySet<string>;

/**
 * Identifies a finding in later runs: its rule, path and message. Numbers do not count, because ids, times and indexes
 * differ between runs. Frames do not count either.
 */
export function fingerprintOf({ rule, path, message }: Pick<Finding, 'rule' | 'path' | 'message'>): string {
  return JSON.stringify([rule, withoutNumbers(path ?? ''), withoutNumbers(message)]);
}

/** Hexadecimal ids of 8 or more digits, UUIDs, and numbers that are not part of a name. */
function withoutNumbers(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b/gi, '0')
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi, '0')
    .replace(/(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-])/g, '0');
}

/** Reads the report of an earlier run with `--json`. Returns a sentence if it is not one. */
export function readBaseline(text: string): Baseline | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  const problems = isObject(parsed) ? own(parsed, 'problems') : undefined;
  if (!Array.isArray(problems)) return 'it has no `problems`';
  const known = new Set<string>();
  for (const [index, each] of problems.entries()) {
    if (!isObject(each)) return `problems[${index}] is not an object`;
    const [rule, path, message] = [own(each, 'rule'), own(each, 'path'), own(each, 'message')];
    if (typeof rule !== 'string' || typeof message !== 'string') return `problems[${index}] has no rule or message`;
    known.add(fingerprintOf({ rule, path: typeof path === 'string' ? path : undefined, message }));
  }
  return known;
}

/** Leaves out the findings that the baseline accepts, and counts them. */
export function withoutAccepted(report: CheckReport, baseline: Baseline): CheckReport {
  const sources = report.sources.map((source) => ({
    ...source,
    steps: source.steps.map((step) => ({
      ...step,
      findings: step.findings.filter((finding) => !baseline.has(fingerprintOf(finding))),
    })),
  }));
  const left = findingsOf({ sources }).length;
  return { ...report, sources, accepted: report.accepted + findingsOf(report).length - left };
}
