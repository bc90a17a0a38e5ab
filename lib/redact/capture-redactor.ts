import type { Frame } from '@/lib/wire/frame';
import { runToEnd, runYielding } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';
import { byteText, byteTextOf, byteTextSlices } from './byte-text';
import { type FoundSecret, mergeOverlaps } from './found-secret';
import { FrameSecrets, type ScannedFrame } from './frame-secrets';
import { KnownValues } from './known-values';
import { Placeholders, replaceSecrets } from './placeholders';
import { mayBeJson, REDACTED_PLACES, scanFrame } from './scan-frame';
import { hasTrigger, REDACTED_SLICE_BYTES } from './scan-text';
import { CutValues, type FrameStream } from './split-secrets';
import { isSearchable } from './values';

/** Bytes of the largest frame that is redacted in one step. A larger frame takes several steps. */
const REDACTED_AT_ONCE_BYTES = 4 * 1024;

/** Takes values that must not be in what is written from now on. */
export type SecretSink = Pick<CaptureRedactor, 'addGivenSecrets' | 'addMaskedSecrets'>;

/** Name of this redaction policy in a recording's header. */
export const CAPTURE_POLICY = 'capture/2';

/**
 * Removes secrets from frames before they are written. A recording should show what was on the wire, so only certain
 * secrets are removed: those known by shape, by name, or by a value seen before. Use one redactor per recording.
 */
export class CaptureRedactor {
  readonly #known: KnownValues;
  readonly #placeholders: Placeholders;
  #secrets: FrameSecrets;
  #cut = new CutValues();
  #told: SecretSink | undefined;

  /**
   * `given`: values that the server was given as secrets. Very short ones are ignored because they occur everywhere.
   * `like`: a redactor whose values and placeholders it shares.
   */
  constructor(given: readonly string[], like?: CaptureRedactor) {
    warmUp();
    this.#known = like ? like.#known : new KnownValues(LIMITS.redactedValues);
    this.#placeholders = like ? like.#placeholders : new Placeholders();
    this.#secrets = new FrameSecrets({ weak: false, known: this.#known });
    this.addGivenSecrets(given);
  }

  /** Passes values that are added from now on to `sink` too. Those that are found in frames are not. */
  tell(sink: SecretSink): void {
    this.#told = sink;
  }

  /** Adds values that the server was given as secrets. */
  addGivenSecrets(values: readonly string[]): void {
    this.#told?.addGivenSecrets(values);
    for (const value of values) this.#known.add({ rule: 'given', value: byteTextOf(value) });
  }

  /**
   * Adds values that were masked elsewhere, in headers for example, so that repetitions are found. Ordinary words are
   * ignored, since a server chooses some of these values.
   */
  addMaskedSecrets(values: readonly string[]): void {
    this.#told?.addMaskedSecrets(values);
    for (const value of values) {
      const text = byteTextOf(value);
      if (isSearchable(text)) this.#known.add({ rule: 'secret', value: text });
    }
  }

  /**
   * Returns a redactor for a second pass over the same frames. It shares known values and placeholders, but has its own
   * position in each stream.
   */
  fork(): CaptureRedactor {
    return new CaptureRedactor([], this);
  }

  /** Takes over the position in each stream of a redactor that this one is a fork of. */
  goOnAs(other: CaptureRedactor): void {
    this.#cut = other.#cut;
    this.#secrets = other.#secrets;
  }

  /** How many values were forgotten. Repetitions of them are no longer removed. */
  get forgotten(): number {
    return this.#known.forgotten;
  }

  /** True if values were found by their name or shape, which earlier frames may hold. */
  get hasFound(): boolean {
    for (const { rule } of this.#known.values()) if (rule !== 'given') return true;
    return false;
  }

  /** Returns the places of found values in recorded bytes. There are some where a value came before its name. */
  placesIn(bytes: Uint8Array): readonly { readonly from: number; readonly to: number }[] {
    if (!this.#known.mayBeIn(bytes)) return [];
    return [...this.#known.find(byteText(bytes))].filter(({ known }) => known.rule !== 'given');
  }

  /**
   * Returns the frame without secrets, or the same object if there are none. JSON stays JSON, and everything else stays
   * as it is. Call it in the order of the frames.
   */
  apply<T extends Pick<Frame, 'bytes'> & FrameStream>(frame: T): T {
    return this.#cut.isCut(frame) || this.#mayHaveSecrets(frame.bytes) ? runToEnd(this.#redacted(frame)) : frame;
  }

  /** The values known now, for {@link CaptureRedactor.applyLooked}. */
  get knownNow(): { readonly starts: Uint8Array; readonly version: number } {
    return { starts: Uint8Array.from(this.#known.starts), version: this.#known.version };
  }

  /** Does the same as {@link apply} for a frame that has no trigger with the values known at `version`. */
  applyLooked<T extends Pick<Frame, 'bytes'> & FrameStream>(frame: T, version: number): T {
    const isNewIn = (bytes: Uint8Array) => this.#known.version !== version && this.#known.mayBeIn(bytes);
    return this.#cut.isCut(frame) || this.#secrets.waiting || isNewIn(frame.bytes)
      ? runToEnd(this.#redacted(frame))
      : frame;
  }

  /** Redacts a frame of any size in short steps. Redact no other frame in between. */
  *applyInSlices<T extends Pick<Frame, 'bytes'> & FrameStream>(frame: T): Generator<void, T> {
    const { bytes } = frame;
    if (bytes.length <= REDACTED_AT_ONCE_BYTES) return this.apply(frame);
    for (let at = 0; at < bytes.length; at += REDACTED_SLICE_BYTES) {
      // The slices overlap, so a name or the head of a value at their border is whole in one of them.
      if (this.#mayHaveSecrets(bytes.subarray(Math.max(0, at - SLICE_OVERLAP_BYTES), at + REDACTED_SLICE_BYTES)))
        return yield* this.#redacted(frame);
      yield;
    }
    if (!this.#cut.isCut(frame)) return frame;
    // A piece of an endless line is scanned as a whole only if something is at its ends.
    const begun = this.#acrossCut(frame);
    return begun.length > 0 ? yield* this.#redacted(frame, begun) : frame;
  }

  /** Redacts a frame, yielding to other work if it takes long. */
  applyInTurns<T extends Pick<Frame, 'bytes'> & FrameStream>(frame: T): T | Promise<T> {
    return runYielding(this.applyInSlices(frame));
  }

  #mayHaveSecrets(bytes: Uint8Array): boolean {
    return this.#secrets.waiting || hasTrigger(bytes, this.#known);
  }

  #acrossCut(frame: ScannedFrame): readonly FoundSecret[] {
    return this.#cut.findAcrossCut(frame, this.#known, (joined) => {
      const found: FoundSecret[] = [];
      runToEnd(this.#secrets.scan(frame, (secret) => found.push(secret), joined));
      return found;
    });
  }

  /** `across`: the secrets across the frame's cuts, if they were looked for. */
  *#redacted<T extends Pick<Frame, 'bytes'> & FrameStream>(
    frame: T,
    across?: readonly FoundSecret[],
  ): Generator<void, T> {
    const text = yield* byteTextSlices(frame.bytes);
    const begun = [...this.#secrets.keyLine(text, frame), ...(across ?? this.#acrossCut(frame))];
    let secrets = [...begun, ...(yield* this.#foundIn(frame, text))];
    if (secrets.length === 0) return frame;
    // A value found at the end may also occur at the start.
    const isNew = yield* this.#addKnown(secrets);
    if (isNew && secrets.length <= REDACTED_PLACES) secrets = [...begun, ...(yield* this.#foundIn(frame, text))];
    const all = { from: 0, to: frame.bytes.length, rule: 'too-many', value: 'too-many', place: () => '' } as const;
    const left =
      secrets.length > REDACTED_PLACES ? [{ ...all, quote: mayBeJson(text) ? '"' : '' }] : mergeOverlaps(secrets);
    return { ...frame, bytes: yield* replaceSecrets(frame.bytes, left, this.#placeholders) };
  }

  /** Finds certain and known secrets. Stops soon after there are too many. */
  *#foundIn(frame: ScannedFrame, text: string): Generator<void, readonly FoundSecret[]> {
    const secrets: FoundSecret[] = [];
    const slices = this.#secrets.scan(frame, (secret) => secrets.push(secret), text);
    for (const _ of slices) {
      if (secrets.length > REDACTED_PLACES) break;
      yield;
    }
    return secrets;
  }

  /** Adds the values of secrets to the known ones. Returns true if some were new. */
  *#addKnown(secrets: readonly FoundSecret[]): Generator<void, boolean> {
    const { version } = this.#known;
    const values = new Map(secrets.map(({ value, rule }) => [value, rule]));
    let added = 0;
    for (const [value, rule] of values) {
      if (isSearchable(value)) this.#known.add({ rule, value });
      if (++added % VALUES_PER_STEP === 0) yield;
    }
    return this.#known.version !== version;
  }
}

/** Bytes checked again with the next slice. Names and heads of values are shorter. */
const SLICE_OVERLAP_BYTES = 256;
/** Values added to the known values per step. */
const VALUES_PER_STEP = 8;

let warm = false;

/** Compiles every expression ahead of time, which would otherwise delay the first frame noticeably. */
function warmUp(): void {
  if (warm) return;
  warm = true;
  const text = '{"name":"x","arguments":{"password":"***","a":"--api-key=*** https://h/?code=***&state=***"}}';
  scanFrame(text, { weak: false, found: () => {} });
  hasTrigger(new TextEncoder().encode(text));
}
