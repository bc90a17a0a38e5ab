import type { Frame } from '@/lib/wire/frame';
import { runToEnd, runYielding } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';
import { byteText, byteTextOf } from './byte-text';
import { type Found, mergeOverlaps } from './found';
import { KnownValues } from './known-values';
import { Placeholders, replaceSecrets } from './placeholders';
import { frameSlices, mayBeJson, REDACTED_PLACES, scanFrame } from './scan-frame';
import { REDACTED_SLICE_BYTES } from './scan-text';
import { isDistinctive } from './secret-values';
import { CutValues, type FrameStream, isCut, longLinesOf, MultiLineSecrets } from './split-secrets';
import { hasTrigger } from './triggers';

/**
 * Secrets of a larger frame are looked for in slices of so much, between which others have their turn, as they have between frames. A longer string of a message is a text, whatever
 * is in it. A frame with more places of secrets is left out as a whole.
 */
const REDACTED_AT_ONCE_BYTES = 4 * 1024;

/** The policy that {@link CaptureRedactor} stands for, as a recording's header names it. */
export const CAPTURE_POLICY = 'capture/2';

/**
 * Takes secrets out of frames before they are written to a file: what is certain to be one, by its shape, its name, or its
 * value that was seen before, and nothing else, since a recording shows what was on the wire. One of it for a recording.
 */
export class CaptureRedactor {
  #known = new KnownValues();
  readonly #lines = new MultiLineSecrets();
  readonly #cut = new CutValues();
  #placeholders = new Placeholders();

  /** `given`: values that the server was given as secrets. Shorter ones than `LIMITS.secretChars` would be in everything. */
  constructor(given: readonly string[]) {
    warmUp();
    this.addGivenSecrets(given);
  }

  /** More of what the server was given. */
  addGivenSecrets(values: readonly string[]): void {
    for (const value of values) this.#known.add({ rule: 'given', value: byteTextOf(value) });
  }

  /**
   * Values that were masked elsewhere, in headers for example: from now on they are found by themselves. What may be a word is not
   * taken, since a server chooses some of them.
   */
  addMaskedSecrets(values: readonly string[]): void {
    for (const value of values) {
      const text = byteTextOf(value);
      if (isDistinctive(text)) this.#known.add({ rule: 'secret', value: text });
    }
  }

  /**
   * For going through the same frames once more, beside this one: it knows all that this one gets to know, and has the same
   * placeholders, but no place in a stream.
   */
  fork(): CaptureRedactor {
    const other = new CaptureRedactor([]);
    other.#known = this.#known;
    other.#placeholders = this.#placeholders;
    return other;
  }

  /** How many values were forgotten: where they are repeated from then on, they stay. */
  get forgotten(): number {
    return this.#known.forgotten;
  }

  /** The frame without secrets; the same object if there are none. JSON stays JSON, and all else stays to the byte. To be called in their order. */
  apply<T extends Pick<Frame, 'bytes'> & FrameStream>(frame: T): T {
    return this.#isCut(frame) || this.#mayHaveSome(frame.bytes) ? runToEnd(this.#redacted(frame)) : frame;
  }

  /** The same for a frame of any size, each step of which is short. No other frame may come in between. */
  *applyInSlices<T extends Pick<Frame, 'bytes'> & FrameStream>(frame: T): Generator<void, T> {
    const { bytes } = frame;
    if (bytes.length <= REDACTED_AT_ONCE_BYTES) return this.apply(frame);
    if (this.#isCut(frame)) return yield* this.#redacted(frame);
    for (let at = 0; at < bytes.length; at += REDACTED_SLICE_BYTES) {
      // What stands across the border is in one of them.
      if (this.#mayHaveSome(bytes.subarray(Math.max(0, at - SLICE_OVERLAP_BYTES), at + REDACTED_SLICE_BYTES)))
        return yield* this.#redacted(frame);
      yield;
    }
    return frame;
  }

  /** The same: where it takes long, others have their turn in between. */
  applyInTurns<T extends Pick<Frame, 'bytes'> & FrameStream>(frame: T): T | Promise<T> {
    return runYielding(this.applyInSlices(frame));
  }

  /** A line goes on from the frame before, or in the next one. */
  #isCut(frame: FrameStream): boolean {
    return isCut(frame) || this.#cut.isWaiting(frame);
  }

  #mayHaveSome(bytes: Uint8Array): boolean {
    return this.#lines.waiting || hasTrigger(bytes) || this.#known.mayBeIn(bytes);
  }

  *#redacted<T extends Pick<Frame, 'bytes'> & FrameStream>(frame: T): Generator<void, T> {
    const text = byteText(frame.bytes);
    const begun = [...this.#lines.findContinuations(text, frame), ...this.#cut.findAcrossCut(text, frame, this.#known)];
    let secrets = [...begun, ...(yield* this.#foundIn(text, frame))];
    if (secrets.length === 0) return frame;
    // What it gave away at its end may stand at its beginning as well.
    const isNew = yield* this.#remember(secrets);
    if (isNew && secrets.length <= REDACTED_PLACES) secrets = [...begun, ...(yield* this.#foundIn(text, frame))];
    const all = { from: 0, to: frame.bytes.length, rule: 'too-many', value: 'too-many', place: () => '' } as const;
    const left =
      secrets.length > REDACTED_PLACES ? [{ ...all, quote: mayBeJson(text) ? '"' : '' }] : mergeOverlaps(secrets);
    return { ...frame, bytes: yield* replaceSecrets(frame.bytes, left, this.#placeholders) };
  }

  /** What is certain to be a secret, or is known; a few more than `REDACTED_PLACES` at most. */
  *#foundIn(text: string, stream: FrameStream): Generator<void, readonly Found[]> {
    const secrets: Found[] = [];
    const slices = frameSlices(text, {
      weak: false,
      inText: (part, report) => {
        this.#lines.findKnown(this.#known, part, stream, report);
      },
      found: (secret) => {
        secrets.push(secret);
      },
    });
    for (const _ of slices) {
      if (secrets.length > REDACTED_PLACES) break;
      yield;
    }
    return secrets;
  }

  /** True if some were not known. From here on they are known by value: of very many the last, since the others would be forgotten for them. */
  *#remember(secrets: readonly Found[]): Generator<void, boolean> {
    const values = new Map<string, Found['rule']>();
    for (const { rule, value } of secrets) {
      for (const part of [value, ...longLinesOf(value)]) if (isDistinctive(part)) values.set(part, rule);
    }
    let left = values.size;
    let isNew = false;
    for (const [value, rule] of values) {
      if (left-- > LIMITS.redactedValues) this.#known.countAsForgotten();
      else if (this.#known.add({ rule, value })) isNew = true;
      if (left % VALUES_PER_STEP === 0) yield;
    }
    return isNew;
  }
}

/** Bytes that are looked at for anything at all a second time, with the next slice: names and beginnings are shorter. */
const SLICE_OVERLAP_BYTES = 256;
/** Values that are made ready to be found in a step. */
const VALUES_PER_STEP = 8;

let warm = false;

/** The first look of all compiles every expression, which takes long enough to be felt where frames wait to be written. */
function warmUp(): void {
  if (warm) return;
  warm = true;
  const text = '{"name":"x","arguments":{"password":"***","a":"--api-key=*** https://h/?code=***&state=***"}}';
  scanFrame(text, { weak: false, found: () => {} });
  hasTrigger(new TextEncoder().encode(text));
}
