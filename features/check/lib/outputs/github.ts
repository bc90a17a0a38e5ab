import { dataText, propertyText } from '@/lib/ci/github';
import type { Severity } from '@/lib/problems/rule';
import { type CheckReport, findingsOf } from '../report';
import { framesText } from './labels';
import { summaryLine } from './text';

const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/** Formats a report as annotations of GitHub Actions: a workflow command per finding, then the summary. */
export function githubReport(report: CheckReport): string {
  const lines = findingsOf(report).map(({ source, finding }) => {
    const { severity, rule, message, path, frames, advice } = finding;
    const where = [...(path === undefined ? [] : [path]), ...framesText(frames)].join(', ');
    const file = source.location ?? source.file;
    const properties = [
      ...(file === undefined ? [] : [`file=${propertyText(file)}`]),
      `title=${propertyText(`mcp-inspect: ${rule}`)}`,
    ].join(',');
    const said = `${source.name}: ${message}${where === '' ? '' : ` (${where})`} ${advice}`;
    return `::${COMMANDS[severity]} ${properties}::${dataText(said)}`;
  });
  return [...lines, summaryLine(report)].join('\n');
}
