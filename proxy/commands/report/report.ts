import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Asked, ReportedRecording } from '@/lib/summary/questions/question';
import { makeReport, type Report } from '@/lib/summary/questions/report';
import { formatCount } from '@/lib/wire/format';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import { lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { terminalJson } from '../shared/format-content';
import { checkReports, writeReports } from '../shared/report-files';
import { htmlReport } from './html';
import { incompleteNotes, readSource } from './sources';
import { markdownReport, textReport } from './text';

/** Answers questions over many recordings. */
export const run: RunCommand = async (context) => {
  const { request, version, printText, printLines, printNote, status } = context;
  const { given, words } = request;
  checkReports(given, 'out');
  const since = readSince(lastValue(given, 'since'), Date.now());
  const asked = readCompare(lastValue(given, 'compare'));
  const { recordings, notes: found } = await readSource(words[0], {
    ...{ version, given, since },
    onProgress: ({ done, of }) => status.show(`Reading recordings: ${formatCount(done)} of ${formatCount(of)}`),
  });
  status.end();
  const wanted = recordings.filter(({ summary: { at } }) => since === undefined || Date.parse(at) >= since);
  const notes = [...found, ...incompleteNotes(wanted)];
  for (const note of notes) printNote(`mcp-inspect: ${note}`);
  const report = makeReport(wanted, { ...asked, withChecks: given.has('checks') });
  await writeReports(given, 'out', () => htmlReport(report, { version, at: new Date(), shown: homePath }));
  if (given.has('json')) printText(terminalJson({ ...reportJson(report), notes }));
  else if (given.has('md')) printText(markdownReport(report, homePath));
  else if (given.has('out'))
    printNote(
      `mcp-inspect: Wrote ${given
        .get('out')!
        .map((path) => resolve(path))
        .join(', ')}.`,
    );
  else printLines(textReport(report, process.stdout.columns));
  return EXIT.fine;
};

/** Returns what programs need of a report: facts in place of cells. */
function reportJson({ answers, ...report }: Report): object {
  return {
    ...report,
    answers: answers.map(({ columns: _, about: __, empty: ___, rows, ...answer }) => ({
      ...answer,
      rows: rows.map(({ facts, recordings, sources }) => ({ ...facts, recordings, sources })),
    })),
  };
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Reads `7d`, `12h`, `2w` or a date, as Unix ms. Throws an ExitError. */
export function readSince(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const span = /^(\d{1,4})([hdw])$/.exec(text);
  if (span) return now - Number(span[1]) * UNITS[span[2]!]!;
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw usageError(`\`--since ${text.slice(0, 60)}\` is not a time: give a date such as 2026-01-31, or 12h, 7d, 2w.`);
}

/** Reads `A..B`. Throws an ExitError. */
export function readCompare(text: string | undefined): Asked {
  if (text === undefined) return {};
  const at = text.indexOf('..');
  const [before, after] = [text.slice(0, at), text.slice(at + 2)];
  if (at > 0 && after !== '') return { compare: [before, after] };
  throw usageError(`\`--compare ${text.slice(0, 60)}\` is not a pair: give two commits, versions or tags as A..B.`);
}

/** Writes a path below the home folder with `~`, because a report may be sent to others. */
function homePath(place: ReportedRecording['place']): string {
  const home = homedir();
  return home.length > 1 && place.startsWith(`${home}/`) ? `~${place.slice(home.length)}` : place;
}
