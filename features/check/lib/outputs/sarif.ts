import { plainLine, quietJson } from '@/lib/ci/server-text';
import { SEVERITY_RANK, type Severity } from '@/lib/problems/rule';
import { countOf } from '@/lib/wire/format';
import { textHash } from '@/lib/wire/text-hash';
import { fingerprintOf } from '../baseline';
import { type CheckReport, findingsOf, type PlacedFinding } from '../report';

const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

/**
 * Results that code scanning of GitHub shows: the most severe ones. It refuses a file with more than 25,000, or one of
 * more than 10 MB when compressed, which this many can’t reach.
 */
const MOST_RESULTS = 5000;

/** Formats a report as SARIF 2.1.0, with one run. Each result has a place in a file of the repository. */
export function sarifReport(report: CheckReport): string {
  const all = [...findingsOf(report)].sort(
    (a, b) => SEVERITY_RANK[b.finding.severity] - SEVERITY_RANK[a.finding.severity],
  );
  const placed = all.slice(0, MOST_RESULTS);
  const rules = [...new Map(placed.map(({ finding }) => [finding.rule, finding])).values()];
  const indexes = new Map(rules.map(({ rule }, index) => [rule, index]));
  const fingerprints = new Map<string, number>();
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
                name: rule,
                shortDescription: { text: sarifText(title) },
                fullDescription: { text: sarifText(`${title}. ${advice}`) },
                help: { text: sarifText(advice) },
                ...(spec !== undefined && { helpUri: spec }),
                defaultConfiguration: { level: LEVELS[severity] },
              })),
            },
          },
          ...(all.length > placed.length && { invocations: [cutNotice(all.length - placed.length)] }),
          columnKind: 'utf16CodeUnits',
          results: placed.map((each) => result(each, indexes.get(each.finding.rule)!, fingerprints)),
        },
      ],
    },
    2,
  )}\n`;
}

function cutNotice(left: number): object {
  const text = `${countOf(left, 'result')} left out, because code scanning shows ${MOST_RESULTS}. The --json of check has all.`;
  return { executionSuccessful: true, toolExecutionNotifications: [{ level: 'note', message: { text } }] };
}

/** `known`: how often each fingerprint came before. */
function result({ source, finding }: PlacedFinding, ruleIndex: number, known: Map<string, number>) {
  const { rule, severity, message, path } = finding;
  const place = plainLine([source.name, path].filter(Boolean).join(': '));
  const file = source.location ?? source.file;
  const hash = textHash(`${source.name} ${fingerprintOf(finding)}`).replaceAll(' ', '.');
  const times = (known.get(hash) ?? 0) + 1;
  known.set(hash, times);
  return {
    ruleId: rule,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: sarifText(`${source.name}: ${message}`) },
    locations: [
      {
        ...(file !== undefined && {
          physicalLocation: { artifactLocation: { uri: fileUri(file) }, region: { startLine: 1 } },
        }),
        logicalLocations: [{ fullyQualifiedName: place, kind: 'member' }],
      },
    ],
    // GitHub tells alerts apart by it. Without one it takes a hash of the line, which all results share.
    partialFingerprints: { primaryLocationLineHash: `${hash}:${times}` },
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
