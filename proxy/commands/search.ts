import { join, resolve } from 'node:path';
import { createContext, Script } from 'node:vm';
import { asksForHidden, asksForText, compileFilter } from '@/lib/filter/compile';
import { type FilterFault, parseFilter } from '@/lib/filter/parse';
import type { RegexSource } from '@/lib/filter/regex-job';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { ProblemList } from '@/lib/problems/problem-list';
import { RECORDED_PORTION_BYTES } from '@/lib/recording/tolerant-reader';
import { type Classified, classifyFrame } from '@/lib/store/classify';
import { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { rowLabel } from '@/lib/store/rows/row-text';
import { VisibleRows } from '@/lib/store/rows/visible-rows';
import { countOf, progressText } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, RunCommand } from '@/proxy/cli/grammar';
import type { Line } from '@/proxy/cli/output';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { listRecordings } from '@/proxy/recorder/list-recordings';
import { type OpenedFile, openErrorText, openFile } from '@/proxy/recorder/open-file';
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
    const { log, again } = subject;
    const slow = new Set<number>();
    const expressions = { testFor: (source: RegexSource) => boundedTest(source, log, slow) };
    const test = parsed.filter && compileFilter(parsed.filter, subject, expressions);
    const hides = (index: number) => log.isNote(index) || log.isHttpDetail(index);
    const rows = new VisibleRows(log, test, asksForHidden(parsed.filter) ? undefined : hides);
    rows.update();
    if (log.evictedUpTo > 0 && asksForText(parsed.filter)) for await (const _ of again(() => true)) rows.update();
    const { count } = rows;
    found += count;
    skipped += slow.size;
    status.end();
    if (!request.given.has('json') && count > 0)
      printLines([[{ text: `${file}: ${countOf(count, 'frame')}`, tone: 'strong' }]]);
    let at = 0;
    const print = (before: number) => {
      for (; at < count && rows.at(at) < before; at++) {
        const index = rows.at(at);
        const row = log.row(index);
        if (request.given.has('json')) printText(terminalJson({ file, ...factsOf(row) }));
        else printLines([lineOf(row, log.preview(index))]);
      }
    };
    const isShown = (index: number) => rows.position(index) >= 0;
    if (log.evictedUpTo > 0 && count > 0 && !request.given.has('json'))
      for await (const seq of again(isShown)) print(seq);
    print(log.size);
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

/** Bytes of a recording that are held. Older frames are read again to search their text and to show them. */
const HELD_BYTES = 128 * 1024 * 1024;
/** Bytes of frames that were read again and are held. A portion of frames has fewer, or is one frame. */
const AGAIN_BYTES = 2 * RECORDED_PORTION_BYTES;

/** The frames and problems of a recording. */
interface SearchedLog {
  readonly log: Log;
  readonly problems: ProblemList;
  /** Reads the file again, and puts the wanted frames into the log for a while. Yields the newest seq of a portion. */
  again(isWanted: (index: number) => boolean): AsyncGenerator<number>;
}

/** Reads a recording. A file that was not named is skipped with a note if it can't be read. */
async function readLog(
  file: string,
  { status, printNote }: CommandContext,
  isNamed: boolean,
): Promise<SearchedLog | undefined> {
  const path = resolve(file);
  const log = new Log('', { held: HELD_BYTES, again: AGAIN_BYTES });
  const [finder, problems] = [new ProblemFinder(), new ProblemList()];
  const portionsOf = (opened: OpenedFile) =>
    readPortions(opened, (progress) => status.show(`Reading ${file}: ${progressText(progress)}`));
  try {
    const opened = await openFile(path);
    const { reader, portions } = portionsOf(opened);
    for await (const frames of portions) {
      appendWithoutLongStrings(log, frames);
      for (const frame of frames) finder.addFrame(frame);
      problems.addResults({ changed: finder.takeChanged(), marks: finder.takeMarks() });
    }
    log.flush();
    if (reader.failure !== undefined) printNote(`${file}: ${reader.failure}`);
    const again = async function* (isWanted: (index: number) => boolean) {
      for await (const frames of portionsOf(await openFile(path, opened)).portions) {
        log.restore(frames.filter(({ seq }) => isWanted(seq - 1)));
        if (frames.length > 0) yield frames.at(-1)!.seq;
      }
    };
    return { log, problems, again };
  } catch (error) {
    const sentence = `\`${file}\` can’t be opened. ${openErrorText(error, 'after `search`')}`;
    if (isNamed) throw usageError(sentence);
    printNote(`mcp-inspect: ${sentence}`);
    return undefined;
  }
}

/** Adds frames. Those with long strings count as evicted, since their strings may be a thousand times the file. */
function appendWithoutLongStrings(log: Log, frames: readonly Frame[]): void {
  const known = new Map<number, Classified>();
  const short = frames.map((frame) => {
    const { seq, time, direction, channel, flags, cut } = frame;
    if (!cut || channel !== 'protocol') return frame;
    known.set(seq, classifyFrame(frame));
    return { seq, time, direction, channel, flags, bytes: cut.text, skimOf: cut.length };
  });
  log.append(short, known);
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
    if (!log.hasBytes(index + 1)) return undefined;
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
