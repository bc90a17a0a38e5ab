import { joinBytes } from '@/lib/json/typed-arrays';
import type { ContentDigest, RunningDigest } from '@/lib/recording/digests';
import { encodeHeaderOrEnd, FrameEncoder } from '@/lib/recording/encode-lines';
import { RECORDING_VERSION, type RecordingEnd, type RecordingHeader } from '@/lib/recording/format';
import { FrameNumbers, renumberedNote } from '@/lib/recording/frame-numbers';
import { encodeEvent, isNote, lifecycleEventOf, recordingAbout } from '@/lib/recording/lifecycle-event';
import type { Redaction } from '@/lib/redact/redaction';
import type { Frame } from '@/lib/wire/frame';
import { withoutDetails } from './personal-details';
import { type FrameSelection, isSelected, selectionFacts } from './selection';
import type { ShareSource } from './share-job';

/** How a recording is written anew. */
export interface CopyOptions {
  readonly selection: FrameSelection;
  /** Frames of the whole. */
  readonly of: number;
  /** What is taken out on the way. */
  readonly redaction: Pick<Redaction, 'apply' | 'applyText'>;
  /** Facts that a person wants out, by their ids. */
  readonly dropped?: ReadonlySet<string>;
  /** Program and version that write it. */
  readonly by: string;
  /** Absent: the last line says nothing of the bytes before it. */
  readonly digest?: RunningDigest;
  /** How the strings are told apart that are written once. */
  readonly contentDigest?: ContentDigest;
}

/** Bytes that are handed on at a time: many lines in one write. */
const CHUNK_BYTES = 64 * 1024;

/** A recording that holds what was chosen of another, in chunks of whole lines. Frames are numbered anew. */
export async function* writeSharedCopy(
  source: ShareSource,
  form: CopyOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let lines: Uint8Array[] = [];
  let length = 0;
  for await (const line of sharedLines(source, form)) {
    lines.push(line);
    length += line.length;
    if (length < CHUNK_BYTES) continue;
    yield joinBytes(lines);
    [lines, length] = [[], 0];
  }
  yield joinBytes(lines);
}

async function* sharedLines(source: ShareSource, form: CopyOptions): AsyncGenerator<Uint8Array> {
  const { digest } = form;
  const encoder = new FrameEncoder(form.contentDigest);
  const hashed = (line: Uint8Array) => {
    digest?.update(line);
    return line;
  };
  yield hashed(encodeHeaderOrEnd(headerOf(source, form)));
  let [n, t, notes] = [0, 0, 0];
  let about: RecordingEnd['about'];
  for await (const frame of sharedFrames(source, form)) {
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
    // What stayed in the recording for that may be in the copy.
    ...(source.about.forgotten && { forgotten: source.about.forgotten }),
    ...(digest && { sha256: digest.hex() }),
    ...(about && { about }),
  });
}

/** A frame that goes on. */
export interface SharedFrame extends Frame {
  /** Its seq in the whole. */
  readonly was: number;
}

const NONE: ReadonlySet<string> = new Set();

/** The frames that go on, numbered anew, without what is taken out. */
export async function* sharedFrames(
  source: ShareSource,
  { selection, redaction, dropped = NONE }: Pick<CopyOptions, 'selection' | 'redaction' | 'dropped'>,
): AsyncGenerator<SharedFrame> {
  const numbers = new FrameNumbers();
  let seq = 0;
  for await (const frame of source.frames()) {
    if (!isSelected(selection, frame)) continue;
    const left = withoutDetails(frame, dropped);
    const isEvent = frame.channel === 'lifecycle';
    const bytes = isEvent && left ? copiedEvent(left, (on) => numbers.seqOf(on)) : left;
    // A note on what is left out stays behind as well.
    if (!bytes) continue;
    numbers.addFrame(++seq, frame.seq);
    yield redaction.apply({ ...frame, seq, bytes, was: frame.seq });
  }
}

/** Of what is missing a copy knows how much: lines and numbers are those of the whole. */
function copiedEvent(bytes: Uint8Array, to: (on: number) => number | undefined): Uint8Array | undefined {
  const event = lifecycleEventOf(bytes);
  if (event?.event !== 'missing' || event.frames === undefined) return renumberedNote(bytes, to);
  return encodeEvent({ event: 'missing', frames: event.frames });
}

/** Whoever made what is shared may have written anything in its first line. */
function headerOf({ about }: ShareSource, { selection, of, redaction, by }: CopyOptions): RecordingHeader {
  const facts = selectionFacts(selection, of);
  return {
    mcpr: RECORDING_VERSION,
    id: /^[a-z0-9-]{8,64}$/.test(about.id) ? about.id : crypto.randomUUID(),
    at: about.at || new Date(0).toISOString(),
    by,
    mode: about.mode ?? 'client',
    name: redaction.applyText(about.name),
    transport: about.transport,
    redaction: { policy: 'share/1' },
    ...(facts && { selection: facts }),
    // The copy has its end, and must not pass for a whole one by it.
    ...(about.lacks && { lacks: about.lacks }),
  };
}
