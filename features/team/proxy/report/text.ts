import { type AnswerRow, checksText, type Source } from '@/features/team/lib/summary/questions/question';
import type { ReportAnswer, TeamReport } from '@/features/team/lib/summary/questions/report';
import { codeSpan } from '@/lib/ci/code-span';
import { shellQuote } from '@/lib/sharing/snippets/shell-commands';
import { countOf, formatDate } from '@/lib/wire/format';
import type { Line } from '@/proxy/cli/output';
import { plainText } from '@/proxy/cli/plain-text';
import { table } from '@/proxy/cli/table';

/** Characters of a cell in Markdown. */
const CELL_CHARS = 120;
/** Characters of a path or an address in Markdown: whatever `open` takes. */
const PLACE_CHARS = 4200;

/** Returns the heading of a report: “Report on 12 recordings”. */
export function reportTitle({ recordings }: TeamReport): string {
  return `Report on ${countOf(recordings, 'recording')}`;
}

/** Returns the facts under the heading: “2 servers, 340 requests, 2026-01-31 12:00:00 to …”. */
export function reportFacts(report: TeamReport): string {
  const { servers, requests, from, to } = report;
  const span = from === '' ? '' : `, ${formatDate(from)} to ${formatDate(to)}`;
  return `${countOf(servers, 'server')}, ${countOf(requests, 'request')}${span}${checksText(report)}`;
}

/** Formats a report for a terminal of this many columns. */
export function teamText(report: TeamReport, width: number | undefined): readonly Line[] {
  return [
    [{ text: reportTitle(report), tone: 'strong' }],
    [reportFacts(report)],
    ...report.answers.flatMap((answer) => answerLines(answer, width)),
  ];
}

function answerLines(answer: ReportAnswer, width: number | undefined): readonly Line[] {
  const { title, basis, empty, columns, rows, rowsLeftOut } = answer;
  const head: Line[] = [[''], [{ text: title, tone: 'strong' }], [{ text: basis, tone: 'muted' }]];
  if (rows.length === 0) return [...head, [empty]];
  const titles = [...columns.map((column) => column.title.toUpperCase()), 'SEE'];
  const places = [...new Set(rows.flatMap(({ sources: [first] }) => first?.place ?? []))];
  const cells = rows.map((row) => [...row.cells, seeText(row, (place) => `[${places.indexOf(place) + 1}]`)]);
  return [
    ...head,
    ...table(titles, cells, width)
      .split('\n')
      .map((line): Line => [line]),
    ...places.map((place, at): Line => [{ text: `[${at + 1}] mcp-inspect open ${quoted(place)}`, tone: 'muted' }]),
    ...(rowsLeftOut > 0 ? [[{ text: `… and ${countOf(rowsLeftOut, 'more row')}`, tone: 'muted' } as const]] : []),
  ];
}

/** Names the recording that shows a row best. */
function seeText({ sources: [first] }: AnswerRow, shown: (place: string) => string): string {
  return first ? `${shown(first.place)}${sourceFrameText(first)}` : '';
}

function quoted(place: string): string {
  return plainText(process.platform === 'win32' ? `"${place}"` : shellQuote(place));
}

/** Names the frame of a source: ` #12`. */
export function sourceFrameText({ frame }: Source): string {
  return frame === undefined ? '' : ` #${frame}`;
}

/** Formats a report as Markdown. All text of servers and hosts stands in code, where nothing is a mention or a link. */
export function teamMarkdown(report: TeamReport, shown: (place: string) => string): string {
  return [
    `# ${reportTitle(report)}`,
    '',
    `${reportFacts(report)}.`,
    ...report.answers.flatMap((answer) => ['', ...answerMarkdown(answer, shown)]),
  ].join('\n');
}

function answerMarkdown(answer: ReportAnswer, shown: (place: string) => string): readonly string[] {
  const { title, about, basis, empty, columns, rows, rowsLeftOut } = answer;
  const head = [`## ${title}`, '', about, '', `${code(basis)}`, ''];
  if (rows.length === 0) return [...head, `${empty}.`];
  const titles = [...columns.map((column) => column.title), 'See'];
  return [
    ...head,
    `| ${titles.join(' | ')} |`,
    `| ${[...columns.map(({ isNumber }) => (isNumber ? '--:' : '---')), '---'].join(' | ')} |`,
    ...rows.map(
      (row) => `| ${[...row.cells.map((cell) => code(cell)), code(seeText(row, shown), PLACE_CHARS)].join(' | ')} |`,
    ),
    ...(rowsLeftOut > 0 ? ['', `${countOf(rowsLeftOut, 'more row')}.`] : []),
  ];
}

/** Quotes text as a code span in a cell. */
function code(text: string, most = CELL_CHARS): string {
  return codeSpan(plainText(text.replace(/\s+/g, ' ')).slice(0, most).toWellFormed().trim().replaceAll('|', '¦'));
}
