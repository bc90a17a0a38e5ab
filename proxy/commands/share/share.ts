import { basename, resolve } from 'node:path';
import type { Outline } from '@/lib/recording/large/outline';
import { recordingLacks } from '@/lib/recording/read-header';
import { recordingBytes } from '@/lib/recording/recording-bytes';
import { RecordingReader, unlookedPart } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import { setsOf } from '@/lib/redact/findings';
import type { Placeholders } from '@/lib/redact/placeholders';
import { type ReviewedSource, reviewSource } from '@/lib/sharing/review-source';
import { type FrameSelection, isSelected, OPENING_WORDS, SelectionCompleter } from '@/lib/sharing/selection';
import type { CompletedSelection, ShareSource } from '@/lib/sharing/share-job';
import { writeSharedCopy } from '@/lib/sharing/shared-recording';
import { parseJson } from '@/lib/store/classify';
import { countOf, progressText } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import type { ReadingProgress, RecordingReport } from '@/lib/wire/recording-facts';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, type CommandRequest, lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { runningSha256, sha256Of } from '@/proxy/files/native-codecs';
import { recordingFile, withLocalFile } from '@/proxy/query/recording-files';
import { type OpenedFile, openErrorText, openFile } from '@/proxy/recorder/open-file';
import { damageSentences, openOutline, secretSentences } from '@/proxy/recorder/read-traffic';

import { fileAccess } from '../shared/bucket-options';
import { terminalJson } from '../shared/format-content';
import { readFrames } from '../shared/frame-range';
import { type Output, readOutput } from '../shared/output-options';
import { exitingOnInterrupt } from '../shared/until-interrupted';
import {
  factsText,
  findingsJson,
  patternsText,
  policyText,
  readChoices,
  reviewText,
  uncheckedTexts,
} from './share-choices';
import { SHARE_FORMS, writePage, writeShared } from './share-outputs';
import { readPolicy, type SharePolicy } from './share-policy';

/** Shares a recording with its secrets masked. */
export const run: RunCommand = (context) =>
  exitingOnInterrupt(context, async () => {
    const { request } = context;
    const { given, words } = request;
    const chosen = readSelection(request);
    const isAsked = ['format', 'out'].some((name) => given.has(name));
    if (!isAsked && !given.has('review')) {
      throw usageError('No output is named: add `--out FILE`, `--format`, or `--review`.');
    }
    const output = isAsked ? readShareOutput(given) : undefined;
    const policy = await readPolicy(lastValue(given, 'policy'));
    const file = await recordingFile(words[0]!, fileAccess(context));
    return withLocalFile(file, async (path) => {
      const { source, looked } = await openReviewed(path, chosen, context.status, { shown: file.shown });
      try {
        return await shareFrom(source, looked, { chosen, output, policy, name: basename(path) }, context);
      } finally {
        await source.close();
      }
    });
  });

function readShareOutput(given: CommandRequest['given']): Output {
  const forms = Object.fromEntries(Object.entries(SHARE_FORMS).map(([form, { ends }]) => [form, ends]));
  const output = readOutput(given, forms, undefined);
  const { needsFile, ends } = SHARE_FORMS[output.format]!;
  if (output.out === undefined && (needsFile || given.has('json'))) {
    const why = needsFile ? `\`--format ${output.format}\` needs a file` : '`--json` is about the file that is written';
    throw usageError(`${why}: add \`--out NAME${ends[0]}\`.`);
  }
  if (output.format === 'link' && !given.has('page')) {
    throw usageError('`--format link` needs the address of a page: add `--page URL`.');
  }
  return output;
}

interface WantedShare {
  readonly chosen: FrameSelection;
  readonly output: Output | undefined;
  readonly policy: Awaited<ReturnType<typeof readPolicy>>;
  /** Name of the file. */
  readonly name: string;
}

/** Prints the review and writes the output. Throws an ExitError. */
async function shareFrom(
  source: FileSource,
  looked: ReviewedSource,
  { chosen, output, policy, name }: WantedShare,
  context: CommandContext,
): Promise<ExitCode> {
  const { request, version } = context;
  const [review, json] = [request.given.has('review'), request.given.has('json')];
  const { review: reviewed, of, selection } = looked;
  if ((chosen.from ?? 1) > of) {
    throw usageError(`\`--frames ${lastValue(request.given, 'frames')}\` is beyond the end: the last frame is ${of}.`);
  }
  const findings = reviewed.findings();
  const choices = readChoices(request, reviewed, looked.facts, policy);
  // Patterns that can't be used fail before anything is written.
  choices.redaction(reviewed);
  if (review && !json) {
    const facts = factsText(looked.facts, setsOf(findings.list).length, choices.dropped);
    const patterns = await patternsText(choices, () => chosenFrames(source, selection));
    context.printText(reviewText(findings, choices, process.stdout.columns) + facts + patterns);
  }
  for (const sentence of source.notes) context.printNote(sentence);
  if (policy && choices.keptByPolicy.length > 0) context.printNote(policyText(policy.file, choices.keptByPolicy));
  if (!review) for (const sentence of uncheckedTexts(findings)) context.printNote(sentence);
  const left = choices.open.length + findings.unlisted + findings.unchecked;
  if (request.given.get('mask')?.includes('strict') && left > 0) {
    if (!review) {
      const { list } = findings;
      const listed = { list, unlisted: 0, unchecked: 0 };
      context.printNote(reviewText(listed, choices, process.stderr.columns, choices.open));
    }
    context.printNote(
      `${countOf(left, 'possible secret')} left, so nothing was written. Decide with --mask, --keep or a policy.`,
    );
    return EXIT.serverError;
  }
  const redaction = choices.redaction(reviewed);
  let bytes: number | undefined;
  if (output) {
    const copy = { selection, of, redaction, dropped: choices.dropped, by: `mcp-inspect/${version}` };
    const form = { ...copy, contentDigest: sha256Of };
    bytes = await writeShared(output, { source, form, digest: runningSha256(), name, run: context });
    if (redaction.count > 0) context.printNote(`${countOf(redaction.count, 'place')} masked.`);
  }
  const kept = findings.list.filter((finding) => finding.kind === 'secret' && choices.decisionOf(finding) === 'keep');
  if (output && kept.length > 0) {
    context.printNote(`${countOf(kept.length, 'possible secret')} kept; --review lists them.`);
  }
  if (json) {
    const file = output && { format: output.format, file: output.out, bytes, masked: redaction.count };
    context.printText(terminalJson({ ...file, undecided: left, findings: findingsJson(findings, choices) }));
  }
  return EXIT.fine;
}

/** Writes a recording as a page that opens on a panel, with what `share` masks by itself. Throws as `share` does. */
export async function sharePage(file: string, path: string, panel: string, context: CommandContext): Promise<void> {
  const request: CommandRequest = { command: 'share', words: [file], given: new Map(), server: [] };
  const { source, looked } = await openReviewed(file, WHOLE, context.status);
  try {
    const { review, of, selection, facts } = looked;
    const choices = readChoices(request, review, facts, await readPolicy(undefined));
    const copy = { selection, of, redaction: choices.redaction(review), dropped: choices.dropped };
    const form = { ...copy, by: `mcp-inspect/${context.version}`, contentDigest: sha256Of };
    const shared = { source, form, digest: runningSha256(), name: basename(file), run: { ...context, request } };
    await writePage(path, shared, panel);
  } finally {
    await source.close();
  }
}

/** All frames. */
const WHOLE: FrameSelection = { without: [] };

/** The copy that `share` makes of a whole recording by itself, with the decisions of a policy. */
export interface AutomaticCopy {
  /** Writes the copy. Its digest is in the end line. */
  write(): AsyncIterable<Uint8Array>;
  /** Number of values that nobody decided on and that are possibly secret, and of places that could not be checked. */
  readonly left: number;
  /** Number of places masked so far. */
  masked(): number;
  close(): Promise<void>;
}

interface AutomaticOptions extends Pick<CommandContext, 'version' | 'status'> {
  /** The same ones make the same copy. */
  readonly placeholders: Placeholders;
  /** Once it is aborted, reading fails. */
  readonly signal?: AbortSignal;
  /** See `openErrorText`. */
  readonly where: string;
  /** Name of the file for people. Absent: its path. */
  readonly shown?: string;
}

/** Reviews a recording for such a copy. Throws an ExitError. */
export async function automaticCopy(
  file: string,
  policy: SharePolicy | undefined,
  { version, status, ...opening }: AutomaticOptions,
): Promise<AutomaticCopy> {
  const { source, looked } = await openReviewed(file, WHOLE, status, opening);
  const { review, of, selection, facts } = looked;
  const request: CommandRequest = { command: 'share', words: [file], given: new Map(), server: [] };
  try {
    const choices = readChoices(request, review, facts, policy);
    const redaction = choices.redaction(review);
    const { unlisted, unchecked } = review.findings();
    const form = { selection, of, redaction, dropped: choices.dropped, by: `mcp-inspect/${version}` };
    return {
      write: () => writeSharedCopy(source, { ...form, contentDigest: sha256Of, digest: runningSha256() }),
      left: choices.open.length + unlisted + unchecked,
      masked: () => redaction.count,
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Reads the whole file once, so that an unreadable one fails before anything is written. */
async function openReviewed(
  file: string,
  selection: FrameSelection,
  status: CommandContext['status'],
  {
    placeholders,
    signal,
    where = 'after `share`',
    shown = file,
  }: Partial<Omit<AutomaticOptions, 'version' | 'status'>> = {},
): Promise<{ source: FileSource; looked: ReviewedSource }> {
  let source: FileSource | undefined;
  const onRead = ({ done, of }: ReadingProgress): void => {
    if (done < of) status.show(`Reading ${shown}: ${progressText({ done, of })}`);
    else status.end();
  };
  try {
    source = await fileSource(resolve(file), onRead, signal);
    return { source, looked: await reviewSource(source, selection, placeholders) };
  } catch (error) {
    await source?.close();
    throw usageError(`\`${shown}\` can’t be opened. ${openErrorText(error, where)}`);
  }
}

/** A recording in a file, to be shared. */
interface FileSource extends ShareSource {
  /** Sentences about damaged or missing parts, known after all frames were read. */
  readonly notes: readonly string[];
  /** Closes the file. */
  close(): Promise<void>;
}

/**
 * Opens a recording in a file at its present length. Each pass reads the file again. Rejects, like its frames, with a
 * RecordingError if it is not a recording or was replaced, with the system’s error, and with the reason of `signal`.
 * `onRead` gets the progress of each pass.
 */
export async function fileSource(
  path: string,
  onRead: (progress: ReadingProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<FileSource> {
  const file = await openFile(path);
  const { header } = await headOf(file);
  const { id, at, mode, name, transport, lacks: before } = header!;
  let recorded: TolerantReader | undefined;
  let outlined: OutlinedRange | undefined;
  return {
    get about() {
      // A file with an index is complete.
      const lacks = outlined && !recorded ? before : recordingLacks(recorded?.report, before);
      const { forgotten, early } = recorded?.report ?? outlined?.found ?? {};
      const found = { ...(forgotten && { forgotten }), ...(early && { early }) };
      return { id, at, mode, name, transport, ...(lacks && { lacks }), ...found };
    },
    get notes() {
      const { report, failure } = recorded ?? {};
      if (!report && outlined) return secretSentences({ ...outlined.found, unlooked: outlined.unlooked });
      return report ? damageSentences({ header: header!, report, ...(failure !== undefined && { failure }) }) : [];
    },
    async close() {
      await outlined?.close();
    },
    async complete(chosen) {
      outlined = await outlineRange(file, chosen);
      return outlined;
    },
    async *frames(selection) {
      if (outlined && selection === outlined.selection) {
        yield* outlined.frames();
        return;
      }
      recorded = new TolerantReader(new RecordingReader(runningSha256()));
      const opened = await openFile(path, file);
      const { length: of, convertArchive } = opened;
      const bytes = recordingBytes(opened.bytes, { convertArchive, onRead: (done) => onRead({ done, of }) });
      for await (const frames of recorded.portions(bytes)) {
        signal?.throwIfAborted();
        yield* frames;
      }
    },
  };
}

/** Longest range whose frames are read one by one. Reading the whole file is as fast for a longer one. */
const OUTLINED_FRAMES = 50_000;

/** A range of a recording that is read by its index. */
interface OutlinedRange extends CompletedSelection {
  readonly found: Outline['found'];
  /** See {@link RecordingReport}. */
  readonly unlooked: RecordingReport['unlooked'];
  /** The frames of the selection. Throws a RecordingError if the file has changed. */
  frames(): Iterable<Frame>;
  close(): Promise<void>;
}

/** Resolves with undefined if the range is long, or the file has no index or a wrong one. */
async function outlineRange(file: OpenedFile, chosen: FrameSelection): Promise<OutlinedRange | undefined> {
  const { from = 1, to = Number.POSITIVE_INFINITY } = chosen;
  const outline = to - from < OUTLINED_FRAMES ? await openOutline(file) : undefined;
  if (!outline) return undefined;
  const exchanges = new SelectionCompleter(chosen);
  const seqs = new Set<number>();
  for await (const chunk of outline.chunks()) {
    if (!chunk) {
      await outline.close();
      return undefined;
    }
    const first = outline.count - chunk.count + 1;
    const isSettled = exchanges.isSettledAt(first) && !OPENING_WORDS.some((word) => chunk.text.includes(word));
    for (const frame of chunk.frames) {
      if (frame.channel === 'lifecycle') seqs.add(frame.seq);
      // The last frame of a chunk may carry the first message of the next one.
      if (!isSettled || frame.seq === outline.count) exchanges.addFrame(frame, () => parseJson(frame.text));
    }
  }
  const selection = exchanges.selection();
  for (const seq of selection.also ?? []) seqs.add(seq);
  for (let seq = from; seq <= Math.min(to, outline.count); seq++) seqs.add(seq);
  const ordered = [...seqs].sort((a, b) => a - b);
  // Our own events go along from anywhere in the file. They have no text of the server's that a name could follow.
  const last = Math.max(1, Math.min(to, outline.count), ...(selection.also ?? []));
  const { found, count: of } = outline;
  const isCapture = outline.header.policy.startsWith('capture/');
  const unlooked = isCapture ? unlookedPart(true, outline.lineOf(last)) : undefined;
  return {
    ...{ selection, of, found, unlooked },
    close: () => outline.close(),
    *frames() {
      for (const seq of ordered) yield outline.frame(seq);
    },
  };
}

/** Reads up to the header. */
async function headOf({ bytes, convertArchive }: OpenedFile): Promise<RecordingReader> {
  const recorded = new TolerantReader();
  for await (const _ of recorded.portions(recordingBytes(bytes, { convertArchive }))) if (recorded.reader.header) break;
  return recorded.reader;
}

async function* chosenFrames(source: ShareSource, selection: FrameSelection): AsyncGenerator<Frame> {
  for await (const frame of source.frames(selection)) if (isSelected(selection, frame)) yield frame;
}

const CHANNELS = ['stderr', 'http', 'otel'] as const;

function readChannel(word: string): (typeof CHANNELS)[number] {
  const channel = CHANNELS.find((known) => known === word);
  if (channel) return channel;
  throw usageError(`\`--without ${word.slice(0, 60)}\` is unknown: choose from ${CHANNELS.join(', ')}.`);
}

function readSelection({ given }: CommandRequest): FrameSelection {
  return { ...readFrames(given), without: (given.get('without') ?? []).map(readChannel) };
}
