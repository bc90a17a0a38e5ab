import { resolve } from 'node:path';
import { recordingLacks } from '@/lib/recording/read-header';
import { recordingBytes } from '@/lib/recording/recording-bytes';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import { type ReviewedSource, reviewSource } from '@/lib/sharing/review-source';
import { type FrameSelection, isSelected } from '@/lib/sharing/selection';
import type { ShareSource } from '@/lib/sharing/share-job';
import type { Frame } from '@/lib/wire/frame';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import { runningSha256, sha256Of } from '@/proxy/files/native-codecs';
import { type OpenedFile, openErrorText, openFile } from '@/proxy/recorder/open-file';
import { damageSentences } from '@/proxy/recorder/read-traffic';
import type { FileRequest, FileRun, FileSubcommand } from '../file-subcommand';
import { factsText, patternsText, readChoices, reviewText } from './share-choices';
import { SHARE_OUTPUTS } from './share-outputs';

/** A file whose frames are shared. */
export interface FileSource extends ShareSource {
  /** What of it can't be read or is not there, in sentences, once all frames were gone through. */
  readonly notes: readonly string[];
}

/**
 * A recording in a file, as long as it is now, read anew each time. Rejects, as going through its frames does, with a RecordingError
 * for what is none or another file since, and with the system's error. `onRead` is told again and again how much of it was gone through, 0 to 1.
 */
export async function fileSource(path: string, onRead: (share: number) => void = () => {}): Promise<FileSource> {
  const file = await openFile(path);
  const { header } = await headOf(file);
  const { id, at, mode, name, transport, lacks: before } = header!;
  let recorded: TolerantReader | undefined;
  return {
    get about() {
      const lacks = recordingLacks(recorded?.report, before);
      const forgotten = recorded?.report?.forgotten;
      return { id, at, mode, name, transport, ...(lacks && { lacks }), ...(forgotten && { forgotten }) };
    },
    get notes() {
      const { report, failure } = recorded ?? {};
      return report ? damageSentences({ header: header!, report, ...(failure !== undefined && { failure }) }) : [];
    },
    async *frames() {
      recorded = new TolerantReader(new RecordingReader(runningSha256()));
      const opened = await openFile(path, file);
      yield* framesOf(recorded, { ...opened, bytes: opened.bytes.pipeThrough(counted(opened.length, onRead)) });
    },
  };
}

async function* framesOf(recorded: TolerantReader, { bytes }: OpenedFile): AsyncGenerator<Frame> {
  for await (const frames of recorded.portions(recordingBytes(bytes))) yield* frames;
}

function counted(length: number, onRead: (share: number) => void): TransformStream<Bytes, Bytes> {
  let read = 0;
  return new TransformStream({
    transform(chunk, controller) {
      read += chunk.length;
      onRead(read / Math.max(1, length));
      controller.enqueue(chunk);
    },
  });
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads as far as there is a header. */
async function headOf({ bytes }: OpenedFile): Promise<RecordingReader> {
  const recorded = new TolerantReader();
  for await (const _ of recorded.portions(recordingBytes(bytes))) if (recorded.reader.header) break;
  return recorded.reader;
}

/** Writes a recording anew, to be given away, without what must not leave. */
export const share: FileSubcommand = async (run) => {
  const { request, version } = run;
  const chosen = readSelection(request);
  const outputs = SHARE_OUTPUTS.flatMap((output) => {
    const value = request.given.get(output.option)?.at(-1);
    return value === undefined ? [] : [{ output, value }];
  });
  const review = request.given.has('review');
  if (outputs.length === 0 && !review) {
    throw usageError(
      'Nothing says where it goes: add `--out`, `--html`, `--link`, `--md`, `--har`, `--mermaid` or `--review`.',
    );
  }
  for (const { output, value } of outputs) output.check(value);
  const { source, looked } = await open(request.words[0]!, chosen, run.progress);
  const { review: reviewed, of, selection } = looked;
  if ((chosen.from ?? 1) > of) {
    throw usageError(`\`--frames ${request.given.get('frames')?.at(-1)}\` is beyond the end: the last frame is ${of}.`);
  }
  const findings = reviewed.findings();
  const choices = readChoices(request, findings, looked.facts);
  // What can't be done is told before anything is, even if nothing is made.
  choices.redaction(reviewed);
  if (review) {
    const facts = factsText(looked.facts, findings.list.length, choices.dropped);
    const patterns = await patternsText(choices, () => chosenFrames(source, selection));
    run.printText(reviewText(findings, choices, process.stdout.columns) + facts + patterns);
  }
  for (const sentence of source.notes) run.printNote(sentence);
  for (const { output, value } of outputs) {
    const redaction = choices.redaction(reviewed);
    const form = { selection, of, redaction, dropped: choices.dropped, by: `mcp-inspect/${version}` };
    await output.write(value, { source, form: { ...form, contentDigest: sha256Of }, digest: runningSha256(), run });
    const { count } = redaction;
    if (count > 0) run.printNote(`${count} ${count === 1 ? 'place' : 'places'} masked; --review says which.`);
  }
  const kept = findings.list.filter((finding) => finding.kind === 'secret' && choices.decisionOf(finding) === 'keep');
  if (outputs.length > 0 && kept.length > 0) {
    run.printNote(`${kept.length} possible ${kept.length === 1 ? 'secret' : 'secrets'} kept; --review lists them.`);
  }
  return EXIT.fine;
};

/** Reads all of it once: what can't be read is told before anything is made. */
async function open(
  file: string,
  selection: FrameSelection,
  onRead: FileRun['progress'],
): Promise<{ source: FileSource; looked: ReviewedSource }> {
  try {
    const source = await fileSource(resolve(file), onRead);
    return { source, looked: await reviewSource(source, selection) };
  } catch (error) {
    throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, 'after `share`')}`);
  }
}

async function* chosenFrames(source: ShareSource, selection: FrameSelection): AsyncGenerator<Frame> {
  for await (const frame of source.frames()) if (isSelected(selection, frame)) yield frame;
}

function readSelection({ given }: FileRequest): FrameSelection {
  const range = given.get('frames')?.at(-1);
  const [, from, to] = /^(\d{1,15})?-(\d{1,15})?$/.exec(range ?? '-') ?? [];
  const ends = { ...(from !== undefined && { from: Number(from) }), ...(to !== undefined && { to: Number(to) }) };
  const empty = Object.keys(ends).length === 0 || (ends.from ?? 1) > (ends.to ?? Number.POSITIVE_INFINITY);
  if (range !== undefined && empty) {
    throw usageError(`\`--frames ${range}\` is no range: write \`--frames 10-40\`, \`10-\` or \`-40\`.`);
  }
  return { ...ends, without: (['stderr', 'http'] as const).filter((channel) => given.has(`no-${channel}`)) };
}
