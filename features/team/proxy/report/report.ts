import { homedir } from 'node:os';
import type { QuestionOptions, ReportedRecording } from '@/features/team/lib/summary/questions/question';
import { REGRESSIONS } from '@/features/team/lib/summary/questions/regressions';
import { makeReport, type TeamReport } from '@/features/team/lib/summary/questions/report';
import { formatCount } from '@/lib/wire/format';
import { choiceOf } from '@/proxy/cli/choice';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import { lastValue, type RunCommand } from '@/proxy/cli/grammar';
import type { Line } from '@/proxy/cli/output';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { type Limit, readLimit } from '@/proxy/commands/shared/limit';
import { type OutputForms, readOutputChoice, writeOutput } from '@/proxy/commands/shared/output-options';
import { exitingOnInterrupt } from '@/proxy/commands/shared/until-interrupted';
import { htmlReport } from './html';
import { incompleteNotes, readSource } from './sources';
import { teamMarkdown, teamText } from './text';

/** Answers questions over many recordings, or says how a host uses its server. */
export const run: RunCommand = (context) =>
  exitingOnInterrupt(context, async () => {
    const { given, words } = context.request;
    if (given.has('usage')) return (await import('./usage')).printUsage(context);
    const failsOn = lastValue(given, 'fail-on');
    if (failsOn !== undefined) choiceOf('--fail-on', failsOn, ['regression']);
    const { printLines, printNote, status, version } = context;
    const output = readOutputChoice(given, FORMS, 'text');
    const asked = readBetween(lastValue(given, 'between'));
    const { recordings, notes: found } = await readSource(words, context, ({ done, of }) =>
      status.show(`Reading recordings: ${formatCount(done)} of ${formatCount(of)}`),
    );
    status.end();
    const notes = [...found, ...incompleteNotes(recordings)];
    for (const note of notes) printNote(`mcp-inspect: ${note}`);
    const { format, out } = output;
    const limit = readLimit(given, format === 'text' ? TEXT_ROWS : undefined);
    const mostRows = given.has('limit') ? limit.last : undefined;
    const whole = makeReport(recordings, { ...asked, withChecks: given.has('all'), ...(mostRows && { mostRows }) });
    const report = limited(whole, limit);
    if (format === 'text' && out === undefined) printLines(teamText(report, process.stdout.columns));
    else {
      const texts: Readonly<Record<string, () => string>> = {
        text: () => teamText(report, undefined).map(plainLine).join('\n'),
        json: () => terminalJson({ ...reportJson(report), notes }),
        md: () => teamMarkdown(report, homePath),
        html: () => htmlReport(report, { version, at: new Date(), shown: homePath }),
      };
      await writeOutput(output, texts[format]!(), context);
    }
    if (!failsOn) return EXIT.fine;
    const { rows, empty, comparedNothing } = whole.answers.find(({ id }) => id === REGRESSIONS.id)!;
    if (comparedNothing) printNote(`mcp-inspect: ${empty}, so nothing was compared and \`--fail-on\` fails.`);
    return rows.length > 0 || comparedNothing ? EXIT.serverError : EXIT.fine;
  });

/** Rows of a table as text. */
const TEXT_ROWS = 15;

/** Leaves only some rows of each table. */
function limited(report: TeamReport, limit: Limit): TeamReport {
  const answers = report.answers.map((answer) => {
    const rows = answer.rows.slice(limit.first - 1, limit.last);
    return { ...answer, rows, rowsLeftOut: answer.rowsLeftOut + answer.rows.length - rows.length };
  });
  return { ...report, answers };
}

/** Forms of a report, by the ends of file names. */
const FORMS: OutputForms = { text: ['.txt'], json: ['.json'], md: ['.md'], html: ['.html', '.htm'] };

function plainLine(line: Line): string {
  return line.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

/** Returns what programs need of a report: facts in place of cells. */
function reportJson({ answers, ...report }: TeamReport): object {
  return {
    ...report,
    answers: answers.map(({ columns: _, about: __, empty: ___, rows, ...answer }) => ({
      ...answer,
      rows: rows.map(({ facts, recordings, sources }) => ({ ...facts, recordings, sources })),
    })),
  };
}

/** Reads `A..B`. Throws an ExitError. */
export function readBetween(text: string | undefined): QuestionOptions {
  if (text === undefined) return {};
  const at = text.indexOf('..');
  const [before, after] = [text.slice(0, at), text.slice(at + 2)];
  if (at > 0 && after !== '') return { compare: [before, after] };
  throw usageError(`\`--between ${text.slice(0, 60)}\` is not a pair: give two commits, versions or tags as A..B.`);
}

/** Writes a path below the home folder with `~`, because a report may be sent to others. */
function homePath(place: ReportedRecording['place']): string {
  const home = homedir();
  return home.length > 1 && place.startsWith(`${home}/`) ? `~${place.slice(home.length)}` : place;
}
