import type { Severity } from '@/lib/problems/rule';
import { type CheckReport, findingsOf } from '../report';
import { plainLine } from '../server-text';
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

/** Formats a warning as an annotation of GitHub Actions. */
export function githubWarning(text: string): string {
  return `::warning title=mcp-inspect::${dataText(text)}`;
}

/** Escapes text for the data of a workflow command. */
function dataText(text: string): string {
  return plainLine(text).replaceAll('%', '%25');
}

/** Escapes text for a property of a workflow command. */
function propertyText(text: string): string {
  return dataText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
