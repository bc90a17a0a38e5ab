import { joinBytes } from '@/lib/json/typed-arrays';
import type { ContentDigest, RunningDigest } from '@/lib/recording/digests';
import { encodeHeaderOrEnd, FrameEncoder } from '@/lib/recording/encode-lines';
import { RECORDING_VERSION, type RecordingEnd, type RecordingHeader } from '@/lib/recording/format';
import { FrameNumbers, renumberedNote } from '@/lib/recording/frame-numbers';
import { encodeEvent, isNote, lifecycleEventOf, recordingAbout } from '@/lib/recording/lifecycle-event';
import type { Redaction } from '@/lib/redact/redaction';
import { cutFrame } from '@/lib/wire/cut-message';
import type { Frame } from '@/lib/wire/frame';
import { withoutDetails } from './personal-details';
import { type FrameSelection, isSelected, selectionFacts } from './selection';
import type { ShareSource } from './share-job';

/** How a recording is copied. */
export interface CopyOptions {
  readonly selection: FrameSelection;
  /** Number of frames in the whole recording. */
  readonly of: number;
  /** Removes secrets from the copy. */
  readonly redaction: Pick<Redaction, 'apply' | 'applyText'>;
  /** Ids of personal details to leave out. */
  readonly dropped?: ReadonlySet<string>;
  /** Program and version that write the copy. */
  readonly by: string;
  /** Absent: the end line has no digest. */
  readonly digest?: RunningDigest;
  /** Identifies long strings by content, so that each is written only once. */
  readonly contentDigest?: ContentDigest;
}

/** Bytes collected before they are passed on: many lines in one write. */
const CHUNK_BYTES = 64 * 1024;

/** Writes the chosen part of a recording, in chunks of whole lines. Frames are numbered from 1. */
export function writeSharedCopy(source: ShareSource, options: CopyOptions): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return writeCopyOf(sharedFrames(source, options), source, options);
}

/** Writes frames from {@link sharedFrames} of this source. */
export async function* writeCopyOf(
  frames: AsyncIterable<SharedFrame>,
  source: Pick<ShareSource, 'about'>,
  options: CopyOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let lines: Uint8Array[] = [];
  let length = 0;
  for await (const line of linesOf(frames, source, options)) {
    lines.push(line);
    length += line.length;
    if (length < CHUNK_BYTES) continue;
    yield joinBytes(lines);
    [lines, length] = [[], 0];
  }
  yield joinBytes(lines);
}

async function* linesOf(
  frames: AsyncIterable<SharedFrame>,
  source: Pick<ShareSource, 'about'>,
  options: CopyOptions,
): AsyncGenerator<Uint8Array> {
  const { digest } = options;
  const encoder = new FrameEncoder(options.contentDigest);
  const hashed = (line: Uint8Array) => {
    digest?.update(line);
    return line;
  };
  yield hashed(encodeHeaderOrEnd(headerOf(source, options)));
  let [n, t, notes] = [0, 0, 0];
  let about: RecordingEnd['about'];
  for await (const frame of frames) {
    n = frame.seq;
    t = frame.time;
    if (isNote(frame)) notes++;
    about = recordingAbout(frame) ?? about;
    for (const line of encoder.encodeLines(n, frame)) yield hashed(line);
  }
  yield encodeHeaderOrEnd({
    k: 'end',
    t,
    frames: n,
    ...(notes > 0 && { notes }),
    // Values that stayed in the recording may also be in the copy.
    ...(source.about.forgotten && { forgotten: source.about.forgotten }),
    ...(digest && { sha256: digest.hex() }),
    ...(about && { about }),
  });
}

/** A shared frame. */
export interface SharedFrame extends Frame {
  /** Its seq in the whole recording. */
  readonly originalSeq: number;
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the shared frames, redacted and numbered from 1. */
export async function* sharedFrames(
  source: ShareSource,
  { selection, redaction, dropped = NONE }: Pick<CopyOptions, 'selection' | 'redaction' | 'dropped'>,
): AsyncGenerator<SharedFrame> {
  const numbers = new FrameNumbers();
  let seq = 0;
  for await (const frame of source.frames(selection)) {
    if (!isSelected(selection, frame)) continue;
    const event = frame.channel === 'lifecycle' ? sharedEvent(frame, dropped, numbers) : frame;
    // A note on a frame that is left out is left out too.
    if (!event) continue;
    numbers.addFrame(++seq, frame.seq);
    yield redaction.apply(numbered(event, seq, frame.seq));
  }
}

function sharedEvent(frame: Frame, dropped: ReadonlySet<string>, numbers: FrameNumbers): Frame | undefined {
  const left = withoutDetails(frame, dropped);
  const bytes = left && copiedEvent(left, (on) => numbers.seqOf(on));
  return bytes && { ...frame, bytes };
}

function numbered(frame: Frame, seq: number, originalSeq: number): SharedFrame {
  const { time, direction, channel, flags, cut } = frame;
  const about = { seq, time, direction, channel, flags, originalSeq };
  return cut ? cutFrame(about, cut) : { ...about, bytes: frame.bytes };
}

/** Keeps only the number of missing frames in a copy, since lines and numbers refer to the whole. */
function copiedEvent(bytes: Uint8Array, to: (on: number) => number | undefined): Uint8Array | undefined {
  const event = lifecycleEventOf(bytes);
  if (event?.event !== 'missing' || event.frames === undefined) return renumberedNote(bytes, to);
  return encodeEvent({ event: 'missing', frames: event.frames });
}

/** The shared file may have an invalid header. */
function headerOf(
  { about }: Pick<ShareSource, 'about'>,
  { selection, of, redaction, by }: CopyOptions,
): RecordingHeader {
  const facts = selectionFacts(selection, of);
  return {
    mcpr: RECORDING_VERSION,
    id: /^[a-z0-9-]{8,64}$/.test(about.id) ? about.id : crypto.randomUUID(),
    at: about.at || new Date(0).toISOString(),
    by,
    mode: about.mode ?? 'client',
    ...(about.as !== undefined && { as: about.as }),
    name: redaction.applyText(about.name),
    transport: about.transport,
    redaction: { policy: 'share/1' },
    ...(facts && { selection: facts }),
    // The copy has an end line, which must not make it look complete.
    ...(about.lacks && { lacks: about.lacks }),
  };
}
