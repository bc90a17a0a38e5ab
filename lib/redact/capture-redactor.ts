import type { Frame } from '@/lib/wire/frame';
import { atOnce, inTurns } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';
import { byteText, byteTextOf } from './byte-text';
import { CutValues, isCut } from './cut-values';
import type { Found } from './found';
import { linesOf, type StreamOf } from './key-lines';
import { KnownValues } from './known-values';
import { LineMemory } from './line-memory';
import { outermost } from './outermost';
import { Placeholders } from './placeholder';
import { frameSlices, scanFrame } from './scan-frame';
import { mayBeJson } from './scan-json';
import { spliced } from './splice';
import { hasTrigger } from './triggers';
import { isTelling } from './value-words';

/** The policy that {@link CaptureRedactor} stands for, as a recording's header names it. */
export const CAPTURE_POLICY = 'capture/2';

/**
 * Takes secrets out of frames before they are written to a file: what is certain to be one, by its shape, its name, or its
 * value that was seen before, and nothing else, since a recording shows what was on the wire. One of it for a recording.
 */
export class CaptureRedactor {
  #known = new KnownValues();
  readonly #lines = new LineMemory();
  readonly #cut = new CutValues();
  #placeholders = new Placeholders();

  /** `given`: values that the server was given as secrets. Shorter ones than `LIMITS.secretChars` would be in everything. */
  constructor(given: readonly string[]) {
    warmUp();
    this.give(given);
  }

  /** More of what the server was given. */
  give(values: readonly string[]): void {
    for (const value of values) this.#known.add({ rule: 'given', value: byteTextOf(value) });
  }

  /**
   * Values that were masked elsewhere, in headers for example: from now on they are found by themselves. What may be a word is not
   * taken, since a server chooses some of them.
   */
  learn(values: readonly string[]): void {
    for (const value of values) {
      const text = byteTextOf(value);
      if (isTelling(text)) this.#known.add({ rule: 'secret', value: text });
    }
  }

  /**
   * For going through the same frames once more, beside this one: it knows all that this one gets to know, and has the same
   * placeholders, but no place in a stream.
   */
  again(): CaptureRedactor {
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
  apply<T extends Pick<Frame, 'bytes'> & StreamOf>(frame: T): T {
    return this.#isCut(frame) || this.#mayHaveSome(frame.bytes) ? atOnce(this.#redacted(frame)) : frame;
  }

  /** The same for a frame of any size, each step of which is short. No other frame may come in between. */
  *applyInSlices<T extends Pick<Frame, 'bytes'> & StreamOf>(frame: T): Generator<void, T> {
    const { bytes } = frame;
    if (bytes.length <= LIMITS.redactedAtOnceBytes) return this.apply(frame);
    if (this.#isCut(frame)) return yield* this.#redacted(frame);
    for (let at = 0; at < bytes.length; at += LIMITS.redactedSliceBytes) {
      // What stands across the border is in one of them.
      if (this.#mayHaveSome(bytes.subarray(Math.max(0, at - ACROSS), at + LIMITS.redactedSliceBytes)))
        return yield* this.#redacted(frame);
      yield;
    }
    return frame;
  }

  /** The same: where it takes long, others have their turn in between. */
  applyInTurns<T extends Pick<Frame, 'bytes'> & StreamOf>(frame: T): T | Promise<T> {
    return inTurns(this.applyInSlices(frame));
  }

  /** A line goes on from the frame before, or in the next one. */
  #isCut(frame: StreamOf): boolean {
    return isCut(frame) || this.#cut.waits(frame);
  }

  #mayHaveSome(bytes: Uint8Array): boolean {
    return this.#lines.waiting || hasTrigger(bytes) || this.#known.mayBeIn(bytes);
  }

  *#redacted<T extends Pick<Frame, 'bytes'> & StreamOf>(frame: T): Generator<void, T> {
    const text = byteText(frame.bytes);
    const begun = [...this.#lines.next(text, frame), ...this.#cut.next(text, frame, this.#known)];
    let secrets = [...begun, ...(yield* this.#foundIn(text, frame))];
    if (secrets.length === 0) return frame;
    // What it gave away at its end may stand at its beginning as well.
    const isNew = yield* this.#remember(secrets);
    if (isNew && secrets.length <= LIMITS.redactedPlaces) secrets = [...begun, ...(yield* this.#foundIn(text, frame))];
    const all = { from: 0, to: frame.bytes.length, rule: 'too-many', value: 'too-many', place: () => '' } as const;
    const left =
      secrets.length > LIMITS.redactedPlaces ? [{ ...all, quote: mayBeJson(text) ? '"' : '' }] : outermost(secrets);
    return { ...frame, bytes: yield* spliced(frame.bytes, left, this.#placeholders) };
  }

  /** What is certain to be a secret, or is known; a few more than `LIMITS.redactedPlaces` at most. */
  *#foundIn(text: string, stream: StreamOf): Generator<void, readonly Found[]> {
    const secrets: Found[] = [];
    const slices = frameSlices(text, {
      weak: false,
      inText: (part, report) => {
        this.#lines.find(this.#known, part, stream, report);
      },
      found: (secret) => {
        secrets.push(secret);
      },
    });
    for (const _ of slices) {
      if (secrets.length > LIMITS.redactedPlaces) break;
      yield;
    }
    return secrets;
  }

  /** True if some were not known. From here on they are known by value: of very many the last, since the others would be forgotten for them. */
  *#remember(secrets: readonly Found[]): Generator<void, boolean> {
    const values = new Map<string, Found['rule']>();
    for (const { rule, value } of secrets) {
      for (const part of [value, ...linesOf(value)]) if (isTelling(part)) values.set(part, rule);
    }
    let left = values.size;
    let isNew = false;
    for (const [value, rule] of values) {
      if (left-- > LIMITS.redactedValues) this.#known.passOver();
      else if (this.#known.add({ rule, value })) isNew = true;
      if (left % REMEMBERED === 0) yield;
    }
    return isNew;
  }
}

/** Bytes that are looked at for anything at all a second time, with the next slice: names and beginnings are shorter. */
const ACROSS = 256;
/** Values that are made ready to be found in a step. */
const REMEMBERED = 8;

let warm = false;

/** The first look of all compiles every expression, which takes long enough to be felt where frames wait to be written. */
function warmUp(): void {
  if (warm) return;
  warm = true;
  const text = '{"name":"x","arguments":{"password":"***","a":"--api-key=*** https://h/?code=***&state=***"}}';
  scanFrame(text, { weak: false, found: () => {} });
  hasTrigger(new TextEncoder().encode(text));
}
