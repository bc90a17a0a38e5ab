import { encodeFrame, encodeLine } from '@/lib/recording/encode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { FrameNumbers } from '@/lib/recording/frame-numbers';
import { type FrameSelection, isSelected, selectionFacts } from '@/lib/recording/frame-selection';
import { movedNote } from '@/lib/recording/moved-note';
import type { ShareSource } from './share-source';

/** SHA-256 of bytes that come one after the other. */
export interface Digest {
  update(bytes: Uint8Array): void;
  /** In hexadecimal digits. */
  hex(): string | Promise<string>;
}

/** How a recording is written anew. */
export interface SharedForm {
  readonly selection: FrameSelection;
  /** Program and version that write it. */
  readonly by: string;
  readonly digest: Digest;
}

/** Bytes that are handed on at a time: many lines in one write. */
const GATHERED = 64 * 1024;

/** A recording that holds what was chosen of another, in chunks of whole lines. Frames are numbered anew. */
export async function* sharedRecording(source: ShareSource, form: SharedForm): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let lines: Uint8Array[] = [];
  let length = 0;
  for await (const line of sharedLines(source, form)) {
    lines.push(line);
    length += line.length;
    if (length < GATHERED) continue;
    yield joined(lines, length);
    [lines, length] = [[], 0];
  }
  yield joined(lines, length);
}

async function* sharedLines(source: ShareSource, { selection, by, digest }: SharedForm): AsyncGenerator<Uint8Array> {
  const { id, at, name, transport } = source.about;
  const facts = selectionFacts(selection, await countFrames(source));
  const hashed = (line: Uint8Array) => {
    digest.update(line);
    return line;
  };
  yield hashed(
    encodeLine({
      ...{ mcpr: RECORDING_VERSION, id, at, by, mode: 'client', name, transport },
      redaction: { policy: 'capture/1' },
      ...(facts && { selection: facts }),
    }),
  );
  const numbers = new FrameNumbers();
  let n = 0;
  let t = 0;
  for await (const frame of source.frames()) {
    if (!isSelected(selection, frame.seq, frame.channel)) continue;
    const note = frame.channel === 'lifecycle';
    const bytes = note ? movedNote(frame.bytes, (on) => numbers.seqOf(on)) : frame.bytes;
    // A note on what is left out stays behind as well.
    if (!bytes) continue;
    t = frame.time;
    numbers.add(++n, frame.seq);
    yield hashed(encodeFrame(n, { ...frame, bytes }));
  }
  yield encodeLine({ k: 'end', t, frames: n, sha256: await digest.hex() });
}

async function countFrames(source: ShareSource): Promise<number> {
  let count = 0;
  for await (const _ of source.frames()) count++;
  return count;
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
