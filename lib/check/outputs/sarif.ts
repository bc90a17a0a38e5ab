import type { Severity } from '@/lib/problems/rule';
import { fingerprintOf } from '../baseline';
import { type CheckReport, findingsOf, type PlacedFinding } from '../report';
import { plainLine, quietJson } from '../server-text';

const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

/** Formats a report as SARIF 2.1.0, with one run. */
export function sarifReport(report: CheckReport): string {
  const placed = findingsOf(report);
  const rules = [...new Map(placed.map(({ finding }) => [finding.rule, finding])).values()];
  const indexes = new Map(rules.map(({ rule }, index) => [rule, index]));
  return `${quietJson(
    {
      $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'mcp-inspect',
              semanticVersion: report.version,
              informationUri: 'https://github.com/mcp-inspect/mcp-inspect',
              rules: rules.map(({ rule, title, severity, advice, spec }) => ({
                id: rule,
                shortDescription: { text: sarifText(title) },
                help: { text: sarifText(advice) },
                ...(spec !== undefined && { helpUri: spec }),
                defaultConfiguration: { level: LEVELS[severity] },
              })),
            },
          },
          columnKind: 'utf16CodeUnits',
          results: placed.map((each) => result(each, indexes.get(each.finding.rule)!)),
        },
      ],
    },
    2,
  )}\n`;
}

function result({ source, finding }: PlacedFinding, ruleIndex: number) {
  const { rule, severity, message, path } = finding;
  const place = plainLine([source.name, path].filter(Boolean).join(': '));
  return {
    ruleId: rule,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: sarifText(`${source.name}: ${message}`) },
    locations: [
      {
        // A server has no file in the repository; a recording has one.
        ...(source.file !== undefined && {
          physicalLocation: { artifactLocation: { uri: fileUri(source.file) }, region: { startLine: 1 } },
        }),
        logicalLocations: [{ fullyQualifiedName: place, kind: 'member' }],
      },
    ],
    partialFingerprints: { 'mcpInspect/v1': fingerprintOf(finding) },
  };
}

/** Escapes brackets, because viewers turn `[text](target)` in a message into a link. */
function sarifText(text: string): string {
  return plainLine(text).replace(/[\\[\]]/g, '\\$&');
}

/** Returns a path as a relative or absolute URI reference. */
function fileUri(path: string): string {
  const encoded = path.toWellFormed().replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return encoded.startsWith('/') ? `file://${encoded}` : encoded;
}
