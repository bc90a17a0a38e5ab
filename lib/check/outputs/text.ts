import { SEVERITY_RANK } from '@/lib/problems/rule';
import { countOf, formatDuration } from '@/lib/wire/format';
import { type CheckedSource, type CheckReport, countSeverities, durationOf, findingsOf, hasFailed } from '../report';
import { plainLine } from '../server-text';
import { factsText, framesText } from './labels';

/** Formats a report for people: each source with its findings, the most severe first, then one summary. */
export function textReport(report: CheckReport): string {
  return [...report.sources.flatMap(sourceLines), summaryLine(report)].join('\n');
}

function sourceLines(source: CheckedSource): readonly string[] {
  const findings = source.steps
    .flatMap((step) => step.findings.map((finding) => ({ step, finding })))
    .sort((a, b) => SEVERITY_RANK[b.finding.severity] - SEVERITY_RANK[a.finding.severity]);
  const facts = factsText(source.facts);
  return [
    `# ${plainLine(source.name)}${facts === '' ? '' : ` (${plainLine(facts)})`}`,
    ...findings.flatMap(({ finding }) => {
      const { severity, rule, message, advice, path, frames, spec } = finding;
      const where = [...(path === undefined ? [] : [`at ${plainLine(path)}`]), ...framesText(frames)].join(', ');
      return [
        `  ${severity.padEnd(7)}  ${rule}: ${plainLine(message)}`,
        ...(where === '' ? [] : [`           ${where}`]),
        `           → ${plainLine(advice)}${spec === undefined ? '' : ` ${spec}`}`,
      ];
    }),
    ...source.steps.flatMap(({ name, skipped }) =>
      skipped === undefined ? [] : [`  skipped  ${plainLine(`${name}: ${skipped}`)}`],
    ),
    ...source.notes.map((note) => `  note     ${plainLine(note)}`),
    `  ${findings.length === 0 ? 'No problems' : countsText(source)} in ${formatDuration(durationOf(source) * 1000)}.`,
    '',
  ];
}

function countsText({ steps }: Pick<CheckedSource, 'steps'>): string {
  const { error, warning, info } = countSeverities(steps.flatMap(({ findings }) => findings));
  return `${countOf(error, 'error')}, ${countOf(warning, 'warning')}, ${countOf(info, 'hint')}`;
}

/** Sums up a report in one line. */
export function summaryLine(report: CheckReport): string {
  const { error, warning, info } = countSeverities(findingsOf(report).map(({ finding }) => finding));
  const accepted = report.accepted === 0 ? '' : ` ${report.accepted} in the baseline.`;
  const verdict = hasFailed(report) ? 'Failed' : 'Passed';
  return `${verdict}: ${countOf(error, 'error')}, ${countOf(warning, 'warning')}, ${countOf(info, 'hint')}.${accepted}`;
}
