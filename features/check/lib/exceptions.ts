import { isObject, own } from '@/lib/json/value';
import { type CheckFinding, type CheckReport, type CheckStep, findingsOf } from './report';

/** An agreement to live with the problems of a rule for a while. */
export interface Exception {
  readonly rule: string;
  /** The source that it is about, such as a server of a config. Absent: all. */
  readonly server?: string;
  /** Who answers for it. */
  readonly owner: string;
  /** The last day on which it counts: YYYY-MM-DD, in UTC. */
  readonly until: string;
}

const MEMBERS: readonly string[] = ['rule', 'server', 'owner', 'until', 'reason'];

/** Reads `exceptions` of the settings. Returns what is wrong as the end of a sentence, if something is. */
export function readExceptions(value: unknown, isRule: (id: string) => boolean): readonly Exception[] | string {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return '`exceptions` is not a list';
  const exceptions: Exception[] = [];
  for (const [index, each] of value.entries()) {
    const at = `exceptions[${index}]`;
    if (!isObject(each)) return `\`${at}\` is not an object`;
    const unknown = Object.keys(each).find((key) => !MEMBERS.includes(key));
    if (unknown !== undefined) return `\`${at}.${unknown}\` is unknown: it may have ${MEMBERS.join(', ')}`;
    const [rule, server, owner, until] = ['rule', 'server', 'owner', 'until'].map((key) => own(each, key));
    if (typeof rule !== 'string' || !isRule(rule)) return `\`${at}.rule\` is not the id of a rule`;
    if (typeof owner !== 'string' || owner.trim() === '') return `\`${at}.owner\` is missing: name who answers for it`;
    if (typeof until !== 'string' || !isDay(until)) return `\`${at}.until\` is not a day such as 2027-01-31`;
    if (server !== undefined && typeof server !== 'string') return `\`${at}.server\` is not a text`;
    exceptions.push({ rule, owner, until, ...(server !== undefined && { server }) });
  }
  return exceptions;
}

function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/**
 * Leaves out the findings that an exception covers, and counts them as accepted. A finding whose exception has expired
 * stays, and its advice says whose exception it was.
 */
export function withExceptions(report: CheckReport, exceptions: readonly Exception[]): CheckReport {
  if (exceptions.length === 0) return report;
  const today = report.at.slice(0, 10);
  const judged = (source: string) => (finding: CheckFinding) => {
    const own = exceptions.filter(({ rule, server }) => rule === finding.rule && (server ?? source) === source);
    if (own.some(({ until }) => until >= today)) return [];
    const [expired] = own;
    if (!expired) return [finding];
    const advice = `The exception of ${expired.owner} ended on ${expired.until}. ${finding.advice}`;
    return [{ ...finding, advice }];
  };
  const sources = report.sources.map((source) => ({
    ...source,
    steps: source.steps.map((step): CheckStep => ({ ...step, findings: step.findings.flatMap(judged(source.name)) })),
  }));
  const left = findingsOf({ sources }).length;
  return { ...report, sources, accepted: report.accepted + findingsOf(report).length - left };
}
