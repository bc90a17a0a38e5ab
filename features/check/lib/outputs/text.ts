import { verdictLine } from '@/features/host-judge';
import { plainLine } from '@/lib/ci/server-text';
import { SEVERITY_RANK } from '@/lib/problems/rule';
import { groupBy } from '@/lib/store/columns/collections';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';
import {
  type CheckedSource,
  type CheckFinding,
  type CheckReport,
  countSeverities,
  durationOf,
  findingsOf,
  hasFailed,
  recordingsOf,
} from '../report';
import { factsText, framesText } from './labels';

/** Problems of one rule, and skipped steps, that the text lists. JSON has all. */
const LISTED = 10;

/** Formats a report for people: each source with its problems by rule, the most severe first, then one summary. */
export function checkText(report: CheckReport): string {
  return [...report.sources.flatMap(sourceLines), summaryLine(report)].join('\n');
}

function sourceLines(source: CheckedSource): readonly string[] {
  const { steps, notes } = source;
  const facts = factsText(source.facts);
  const findings = steps.flatMap((step) => step.findings);
  return [
    `# ${plainLine(source.name)}${facts === '' ? '' : ` (${plainLine(facts)})`}`,
    ...(source.facts.hosts ?? []).map((host) => `  host     ${plainLine(verdictLine(host, host.obstacles))}`),
    ...byRule(findings).flatMap(ruleLines),
    ...skippedLines(steps),
    ...recordingsOf(source).map(
      (file) => `  recorded ${plainLine(`${file}: see its frames with \`mcp-inspect open\``)}`,
    ),
    ...notes.map((note) => `  note     ${plainLine(note)}`),
    `  ${findings.length === 0 ? 'No problems' : countsText(source)} in ${formatDuration(durationOf(source) * 1000)}.`,
    '',
  ];
}

function skippedLines(steps: CheckedSource['steps']): readonly string[] {
  const skipped = steps.filter((step) => step.skipped !== undefined);
  const more = skipped.length - LISTED;
  return [
    ...skipped.slice(0, LISTED).map((step) => `  skipped  ${plainLine(`${step.name}: ${step.skipped}`)}`),
    ...(more > 0 ? [`  skipped  … and ${more} more, see --json`] : []),
  ];
}

/** Groups findings with the same rule and advice, the most severe first. */
function byRule(findings: readonly CheckFinding[]): readonly (readonly CheckFinding[])[] {
  const groups = groupBy(findings, ({ rule, advice }) => JSON.stringify([rule, advice]));
  return [...groups.values()].sort((a, b) => SEVERITY_RANK[b[0]!.severity] - SEVERITY_RANK[a[0]!.severity]);
}

function ruleLines(findings: readonly CheckFinding[]): readonly string[] {
  const { severity, rule, title, advice, spec } = findings[0]!;
  const more = findings.length - LISTED;
  return [
    `  ${severity.padEnd(7)}  ${rule}: ${title}`,
    ...findings.slice(0, LISTED).flatMap(({ message, path, frames }) => {
      const where = [...(path === undefined ? [] : [plainLine(path)]), ...framesText(frames)].join(', ');
      return [`           - ${plainLine(message)}`, ...(where === '' ? [] : [`             at ${where}`])];
    }),
    ...(more > 0 ? [`           - … and ${more} more, see --json`] : []),
    `           → ${plainLine(advice)}`,
    ...(spec === undefined ? [] : [`             ${spec}`]),
  ];
}

function countsText({ steps }: Pick<CheckedSource, 'steps'>): string {
  const { error, warning, info } = countSeverities(steps.flatMap(({ findings }) => findings));
  return `${countOf(error, 'error')}, ${countOf(warning, 'warning')}, ${countOf(info, 'hint')}`;
}

/** Sums up a report in one line. */
export function summaryLine(report: CheckReport): string {
  const { error, warning, info } = countSeverities(findingsOf(report).map(({ finding }) => finding));
  const off = report.off === undefined ? '' : ` ${report.off} turned off.`;
  const verdict = hasFailed(report) ? 'Failed' : 'Passed';
  return `${verdict}: ${countOf(error, 'error')}, ${countOf(warning, 'warning')}, ${countOf(info, 'hint')}.${baselineText(report)}${off}`;
}

/** Says what the baseline holds; '' without one. */
export function baselineText({ baseline }: Pick<CheckReport, 'baseline'>): string {
  return baseline
    ? ` Baseline: ${countOf(baseline.problems, 'problem')}, ${formatCount(baseline.found)} found again.`
    : '';
}
