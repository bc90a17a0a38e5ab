import { asksForHidden, asksForText, compileFilter } from '@/lib/filter/compile';
import type { FilterSubject } from '@/lib/filter/keys/filter-key';
import type { Filter, RegexSource } from '@/lib/filter/language/ast';
import type { FilterFault } from '@/lib/filter/language/grammar';
import { parseFilter } from '@/lib/filter/parse';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { ProblemList } from '@/lib/problems/problem-list';
import { RECORDED_PORTION_BYTES } from '@/lib/recording/tolerant-reader';
import { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { rowLabel } from '@/lib/store/rows/row-text';
import { VisibleRows } from '@/lib/store/rows/visible-rows';
import { appendWithoutLongStrings } from '@/lib/store/without-long-strings';
import { docsUrl } from '@/lib/wire/docs-url';
import { countOf, progressText } from '@/lib/wire/format';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, RunCommand } from '@/proxy/cli/grammar';
import type { Line } from '@/proxy/cli/output';
import { recordingFiles, withLocalFile } from '@/proxy/commands/shared/recording-files';
import { type OpenedFile, openErrorText, openFile } from '@/proxy/recorder/open-file';
import { lossText, readPortions } from '@/proxy/recorder/read-traffic';
import { boundedRegexTest } from './shared/bounded-regex';
import { fileAccess } from './shared/file-access';
import { terminalJson } from './shared/format-content';
import { chosenOf, type Limit, moreText, readLimit } from './shared/limit';
import type { ReadRecording } from './shared/recording-file';
import { exitingOnInterrupt } from './shared/until-interrupted';

/** Most characters shown of a message. */
const SHOWN = 160;

/** Lines that are written together: a write for each of a million would take a gigabyte. */
const LINES_AT_ONCE = 1000;

/** Prints the frames of recordings that a filter selects. Without files, searches the recordings that are kept. */
export const run: RunCommand = (context) =>
  exitingOnInterrupt(context, async () => {
    const { request, printNote } = context;
    const [filter, ...words] = request.words;
    const parsed = parseFilter(filter!);
    if (!parsed.ok) throw usageError(faultText(filter!, parsed.fault));
    const files = await recordingFiles(words, fileAccess(context));
    const limit = readLimit(request.given);
    let [found, skipped] = [0, 0];
    for (const file of files) {
      const searched = { filter: parsed.filter, limit, before: found };
      const matches = await withLocalFile(file, (path) => searchFile({ ...file, path }, searched, context));
      found += matches?.rows.count ?? 0;
      if (found > limit.last) break;
      skipped += matches?.slow.size ?? 0;
    }
    if (skipped > 0)
      printNote(`mcp-inspect: A regular expression took too long on ${countOf(skipped, 'frame')}, which may match.`);
    if (found > limit.last) printNote(`mcp-inspect: ${moreText(limit)}`);
    if (found === 0) printNote(`mcp-inspect: No frame matches in ${countOf(files.length, 'recording')}.`);
    return found > 0 ? EXIT.fine : EXIT.serverError;
  });

/** A search in one recording. */
interface Searched {
  readonly filter: Filter | undefined;
  readonly limit: Limit;
  /** Frames that were found in the recordings before. */
  readonly before: number;
}

/** Prints the selected frames of one recording. */
async function searchFile(
  file: ReadRecording,
  { filter, limit, before }: Searched,
  context: CommandContext,
): Promise<Matches | undefined> {
  const { request, printLines, status } = context;
  const json = request.given.has('json');
  const subject = await readLog(file, context, (log, problems) => new Matches(log, problems, filter, !json));
  if (!subject) return undefined;
  const { log, again, matches } = subject;
  if (matches.late.size > 0) for await (const seqs of again((index) => matches.late.has(index))) matches.update(seqs);
  const { count } = matches.rows;
  status.end();
  const [from, to] = chosenOf(limit, before, count);
  if (!json && to > from) printLines([[{ text: `${file.shown}: ${countOf(count, 'frame')}`, tone: 'strong' }]]);
  let at = from;
  const print = (until: number) => {
    const lines: Line[] = [];
    const flush = () => lines.length > 0 && printLines(lines.splice(0));
    for (; at < to && matches.rows.at(at) < until; at++) {
      const index = matches.rows.at(at);
      const row = log.row(index);
      lines.push(json ? [terminalJson({ file: file.shown, ...factsOf(row) })] : lineOf(row, matches.preview(index)));
      if (lines.length >= LINES_AT_ONCE) flush();
    }
    flush();
  };
  if (!json && matches.lacksPreviews)
    for await (const seqs of again((index) => matches.lacksPreview(index))) print(seqs.at(-1)!);
  print(log.size);
  return matches;
}

function faultText(text: string, { message, at }: FilterFault): string {
  return `The filter has an error at character ${at + 1}: ${message} \`${text.slice(0, at)}⟨here⟩${text.slice(at)}\`. ${docsUrl('filter')} describes the language.`;
}

/** Bytes of a recording that are held. Older frames are read again to search their text and to show them. */
const HELD_BYTES = 128 * 1024 * 1024;
/** Bytes of frames that were read again and are held. A portion of frames has fewer, or is one frame. */
const AGAIN_BYTES = 2 * RECORDED_PORTION_BYTES;

/** Characters of previews that are kept while a file is read. Those of later rows are read again. */
const PREVIEWS_CHARS = 64 * 1024 * 1024;

/**
 * The rows of a recording that a filter selects. They are tested, and what is shown of them is kept, while the file is
 * read and their text is in memory: reading it again takes as long as reading it.
 */
class Matches {
  readonly rows: VisibleRows;
  /** Rows to test again once their text is back, because they changed after it was gone. */
  readonly late = new Set<number>();
  /** Rows on which a regular expression took too long. */
  readonly slow = new Set<number>();
  /** True if the filter tests for problems, which take as long to find as everything else. */
  readonly asksForProblems: boolean;
  readonly #log: Log;
  readonly #problems: ProblemList;
  readonly #previews: Map<number, string> | undefined;
  #chars = 0;
  #problemsSeen = 0;
  #previewed = 0;

  constructor(log: Log, problems: ProblemList, filter: Filter | undefined, showsPreviews: boolean) {
    this.#log = log;
    this.#problems = problems;
    this.#previews = showsPreviews ? new Map() : undefined;
    const expressions = { testFor: (source: RegexSource) => boundedRegexTest(source, log, this.slow) };
    let asksForProblems = false;
    const subject: FilterSubject = {
      log,
      get problems() {
        asksForProblems = true;
        return problems;
      },
    };
    const test = filter && compileFilter(filter, subject, expressions);
    this.asksForProblems = asksForProblems;
    const testText = (index: number) => {
      if (log.hasBytes(index + 1)) this.late.delete(index);
      else this.late.add(index);
      return test?.(index);
    };
    const hides = (index: number) => log.isNote(index) || log.isHttpDetail(index);
    this.rows = new VisibleRows(log, asksForText(filter) ? testText : test, asksForHidden(filter) ? undefined : hides);
  }

  /** Tests rows that are new or have changed. `seqs`: frames whose text is back. */
  update(seqs: readonly number[] = []): void {
    this.rows.update();
    for (; this.#problemsSeen < this.#problems.changes; this.#problemsSeen++)
      this.rows.recheck(this.#problems.changed(this.#problemsSeen) - 1);
    for (; this.#previewed < this.#log.size; this.#previewed++) this.#keepPreview(this.#previewed);
    for (const seq of seqs) this.#keepPreview(seq - 1);
  }

  #keepPreview(index: number): void {
    if (!this.#previews || this.#chars > PREVIEWS_CHARS || !this.lacksPreview(index) || !this.#hasText(index)) return;
    const text = (this.#log.preview(index) ?? '').slice(0, SHOWN);
    this.#previews.set(index, text);
    this.#chars += text.length;
  }

  #hasText(index: number): boolean {
    return this.#log.hasBytes(index + 1);
  }

  /** True for a selected row whose preview is not kept. */
  lacksPreview(index: number): boolean {
    return this.rows.position(index) >= 0 && this.#previews?.has(index) !== true;
  }

  /** True if there are rows whose text has to be read again before they can be printed. */
  get lacksPreviews(): boolean {
    for (let at = 0; at < this.rows.count; at++) {
      const index = this.rows.at(at);
      if (!this.#hasText(index) && this.lacksPreview(index)) return true;
    }
    return false;
  }

  preview(index: number): string | undefined {
    return this.#previews?.get(index) ?? this.#log.preview(index);
  }
}

/** A recording that was read. */
interface SearchedLog {
  readonly log: Log;
  readonly matches: Matches;
  /** Reads the file again, and puts the wanted frames into the log for a while. Yields their seqs, by portion. */
  again(isWanted: (index: number) => boolean): AsyncGenerator<readonly number[]>;
}

/** Reads a recording. A file that was not named is skipped with a note if it can't be read. */
async function readLog(
  { path, shown: file, isNamed }: ReadRecording,
  { status, printNote }: CommandContext,
  search: (log: Log, problems: ProblemList) => Matches,
): Promise<SearchedLog | undefined> {
  const log = new Log('', { held: HELD_BYTES, again: AGAIN_BYTES });
  const [finder, problems] = [new ProblemFinder(), new ProblemList()];
  const matches = search(log, problems);
  const portionsOf = (opened: OpenedFile) =>
    readPortions(opened, (progress) => status.show(`Reading ${file}: ${progressText(progress)}`));
  try {
    const opened = await openFile(path);
    const { reader, portions } = portionsOf(opened);
    for await (const frames of portions) {
      appendWithoutLongStrings(log, frames);
      if (matches.asksForProblems) {
        for (const frame of frames) finder.addFrame(frame);
        problems.addResults({ changed: finder.takeChanged(), marks: finder.takeMarks() });
      }
      matches.update();
    }
    log.flush();
    matches.update();
    const lacks = lossText(reader);
    if (lacks !== undefined) printNote(`mcp-inspect: ${file}: ${lacks}`);
    const again = async function* (isWanted: (index: number) => boolean) {
      for await (const frames of portionsOf(await openFile(path, opened)).portions) {
        const wanted = frames.filter(({ seq }) => isWanted(seq - 1));
        log.restore(wanted);
        if (wanted.length > 0) yield wanted.map(({ seq }) => seq);
      }
    };
    return { log, matches, again };
  } catch (error) {
    const sentence = `\`${file}\` can’t be opened. ${openErrorText(error, 'after `search`')}`;
    if (isNamed) throw usageError(sentence);
    printNote(`mcp-inspect: ${sentence}`);
    return undefined;
  }
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
    seq,
    time: time / 1e6,
    direction,
    channel,
    kind,
    method,
    name,
    status,
    bytes,
    peer,
    ...(durationUs !== undefined && { duration: durationUs / 1e6 }),
  };
}
