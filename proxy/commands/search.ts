import { join, resolve } from 'node:path';
import { createContext, Script } from 'node:vm';
import { asksForHidden, compileFilter } from '@/lib/filter/compile';
import { type FilterFault, parseFilter } from '@/lib/filter/parse';
import type { RegexSource } from '@/lib/filter/regex-job';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { ProblemList } from '@/lib/problems/problem-list';
import { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { rowLabel } from '@/lib/store/rows/row-text';
import { VisibleRows } from '@/lib/store/rows/visible-rows';
import { countOf, progressText } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, RunCommand } from '@/proxy/cli/grammar';
import type { Line } from '@/proxy/cli/output';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { listRecordings } from '@/proxy/recorder/list-recordings';
import { openErrorText, openFile } from '@/proxy/recorder/open-file';
import { readPortions } from '@/proxy/recorder/read-traffic';
import { terminalJson } from './format-content';

/** Most milliseconds of a regular expression on one frame. */
const REGEX_MS = 700;
/** Most characters shown of a message. */
const SHOWN = 160;

/** Prints the frames of recordings that a filter selects. Without files, searches the recordings that are kept. */
export const run: RunCommand = async (context) => {
  const { request, printLines, printText, printNote, status } = context;
  const [filter, ...named] = request.words;
  const parsed = parseFilter(filter!);
  if (!parsed.ok) throw usageError(faultText(filter!, parsed.fault));
  const files = named.length > 0 ? named : await keptFiles();
  let [found, skipped] = [0, 0];
  for (const file of files) {
    const subject = await readLog(file, context, named.length > 0);
    if (!subject) continue;
    const slow = new Set<number>();
    const expressions = { testFor: (source: RegexSource) => boundedTest(source, subject.log, slow) };
    const test = parsed.filter && compileFilter(parsed.filter, subject, expressions);
    const { log } = subject;
    const hides = (index: number) => log.isNote(index) || log.isHttpDetail(index);
    const rows = new VisibleRows(log, test, asksForHidden(parsed.filter) ? undefined : hides);
    const count = rows.update();
    found += count;
    skipped += slow.size;
    status.end();
    if (!request.given.has('json') && count > 0)
      printLines([[{ text: `${file}: ${countOf(count, 'frame')}`, tone: 'strong' }]]);
    for (let at = 0; at < count; at++) {
      const index = rows.at(at);
      const row = log.row(index);
      if (request.given.has('json')) printText(terminalJson({ file, ...factsOf(row) }));
      else printLines([lineOf(row, log.preview(index))]);
    }
  }
  if (skipped > 0)
    printNote(`mcp-inspect: A regular expression took too long on ${countOf(skipped, 'frame')}, which may match.`);
  if (found === 0) printNote(`mcp-inspect: No frame matches in ${countOf(files.length, 'recording')}.`);
  return found > 0 ? EXIT.fine : EXIT.serverError;
};

function faultText(text: string, { message, at }: FilterFault): string {
  return `The filter has an error at character ${at + 1}: ${message} \`${text.slice(0, at)}⟨here⟩${text.slice(at)}\`. docs/filter.md describes the language.`;
}

async function keptFiles(): Promise<readonly string[]> {
  const folder = ownRecordingsFolder();
  const { recordings } = await listRecordings(folder, Number.POSITIVE_INFINITY);
  return recordings.filter(({ unreadable }) => !unreadable).map(({ id }) => join(folder, id));
}

/** The frames and problems of a recording. A file that was not named is skipped with a note if it can't be read. */
async function readLog(file: string, { status, printNote }: CommandContext, isNamed: boolean) {
  const log = new Log('', { held: Number.POSITIVE_INFINITY, again: 0 });
  const [finder, problems] = [new ProblemFinder(), new ProblemList()];
  let held = 0;
  try {
    const { reader, portions } = readPortions(
      await openFile(resolve(file)),
      (progress) => status.show(`Reading ${file}: ${progressText(progress)}`),
      () => held > LIMITS.recordingBytes,
    );
    for await (const frames of portions) {
      log.append(frames);
      for (const frame of frames) {
        held += frame.bytes.length;
        finder.addFrame(frame);
      }
      problems.addResults({ changed: finder.takeChanged(), marks: finder.takeMarks() });
    }
    log.flush();
    if (reader.failure !== undefined) printNote(`${file}: ${reader.failure}`);
  } catch (error) {
    const sentence = `\`${file}\` can’t be opened. ${openErrorText(error, 'after `search`')}`;
    if (isNamed) throw usageError(sentence);
    printNote(`mcp-inspect: ${sentence}`);
    return undefined;
  }
  return { log, problems };
}

/** Tests frames with a regular expression in a context of its own, where it can be stopped. */
function boundedTest(
  { source, flags }: RegexSource,
  log: Log,
  slow: Set<number>,
): (index: number) => boolean | undefined {
  const context = createContext({ source, flags, text: '' });
  new Script('const expression = new RegExp(source, flags)').runInContext(context);
  const test = new Script('expression.test(text)');
  return (index) => {
    context.text = log.text(index);
    try {
      return test.runInContext(context, { timeout: REGEX_MS }) as boolean;
    } catch {
      slow.add(index);
      return undefined;
    }
  };
}

function lineOf(row: Row, preview: string | undefined): Line {
  const { what, about } = rowLabel(row);
  const arrow = row.direction === 'to-server' ? '→' : '←';
  const content = (preview ?? '').slice(0, SHOWN);
  return [
    { text: `  #${row.seq}`.padEnd(10), tone: 'muted' },
    { text: `${(row.time / 1e6).toFixed(3)} s`.padStart(12), tone: 'muted' },
    `  ${arrow} `,
    { text: what, tone: row.status === 'error' || row.kind === 'error' ? 'bad' : 'strong' },
    ...(about === undefined ? [] : [` ${about.slice(0, SHOWN)}`]),
    ...(content === '' ? [] : [{ text: `  ${content}`, tone: 'muted' } as const]),
  ];
}

/** The facts of a row, for programs. `time` and `duration` in seconds. */
function factsOf({ seq, time, direction, channel, kind, method, name, status, durationUs, bytes, peer }: Row): object {
  return {
    ...{ seq, time: time / 1e6, direction, channel, kind, method, name, status, bytes, peer },
    ...(durationUs !== undefined && { duration: durationUs / 1e6 }),
  };
}
