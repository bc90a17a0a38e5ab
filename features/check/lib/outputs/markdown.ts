import { verdictLine } from '@/features/host-judge';
import { codeSpan } from '@/lib/ci/code-span';
import { plainLine } from '@/lib/ci/server-text';
import { SEVERITY_RANK } from '@/lib/problems/rule';
import { countOf } from '@/lib/wire/format';
import { type CheckedSource, type CheckReport, countSeverities, findingsOf, hasFailed, recordingsOf } from '../report';
import { factsText, framesText } from './labels';
import { baselineText } from './text';

/** Findings that a comment lists. GitHub takes 65,536 characters. */
const LISTED = 50;
/** Characters of a quotation, so that a comment stays within its limit. */
const QUOTED_CHARS = 400;

/** Formats a report as Markdown for a comment. All text from the server stands in code, where nothing is a mention. */
export function checkMarkdown(report: CheckReport): string {
  const all = findingsOf(report);
  const { error, warning, info } = countSeverities(all.map(({ finding }) => finding));
  const counts = [countOf(error, 'error'), countOf(warning, 'warning'), countOf(info, 'hint')].join(', ');
  const listed = new Set(
    [...all]
      .sort((a, b) => SEVERITY_RANK[b.finding.severity] - SEVERITY_RANK[a.finding.severity])
      .slice(0, LISTED)
      .map(({ finding }) => finding),
  );
  return [
    `### mcp-inspect check: ${hasFailed(report) ? 'failed' : 'passed'}`,
    '',
    `${counts}.${baselineText(report)}${report.off === undefined ? '' : ` ${report.off} turned off.`}`,
    '',
    ...report.sources.flatMap((source) => [
      ...sourceLines(source),
      ...source.steps.flatMap(({ findings }) =>
        findings
          .filter((finding) => listed.has(finding))
          .flatMap(({ severity, rule, message, path, frames, advice, spec, known }) => {
            const where = [...(path === undefined ? [] : [code(path)]), ...framesText(frames)].join(', ');
            return [
              `- **${severity}** \`${rule}\`: ${code(message)}`,
              `  ${where === '' ? '' : `${where.replaceAll('#', '\\#')}<br>`}${code(advice)}${spec === undefined ? '' : ` ([${known ? 'source' : 'specification'}](${spec}))`}`,
            ];
          }),
      ),
      '',
    ]),
    ...(all.length > listed.size ? [`${all.length - listed.size} more.`, ''] : []),
  ].join('\n');
}

function sourceLines(source: CheckedSource): readonly string[] {
  const { name, facts, notes } = source;
  const about = factsText(facts);
  const recorded = recordingsOf(source).map((file) => `- Recorded: ${code(file)}`);
  const noted = [...(facts.hosts ?? []).map((host) => verdictLine(host, host.obstacles)), ...notes].map(
    (note) => `- ${code(note)}`,
  );
  return [`**${code(name)}**${about === '' ? '' : ` ${code(about)}`}`, '', ...recorded, ...noted];
}

function code(text: string): string {
  return codeSpan(plainLine(text).slice(0, QUOTED_CHARS).toWellFormed().trim() || '(empty)');
}
