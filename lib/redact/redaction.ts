import { joinBytes } from '@/lib/json/typed-arrays';
import { cutFrame } from '@/lib/wire/cut-message';
import type { CutMessage, CutString, Frame } from '@/lib/wire/frame';
import { runToEnd } from '@/lib/wire/in-slices';
import type { TimeLimit } from '@/lib/wire/time-limit';
import { byteText } from './byte-text';
import { type PatternFinder, withLimit } from './extra-patterns';
import { type FoundSecret, mergeOverlaps, type SecretScan } from './found-secret';
import { FrameSecrets, type ScannedFrame } from './frame-secrets';
import type { KnownValues } from './known-values';
import { type Placeholders, replaceSecrets } from './placeholders';
import type { RuleId, ShareDecision } from './rules';
import { scanFrame } from './scan-frame';
import type { FrameStream } from './split-secrets';

/** The input of a redaction. Values are byte text. */
interface RedactionPlan {
  readonly decided: ReadonlyMap<string, ShareDecision>;
  /** Returns what happens to other values. */
  readonly undecided: (rule: RuleId) => ShareDecision;
  /** Values to remove wherever they are repeated, in any form, except those that a person keeps. */
  readonly known: KnownValues;
  readonly except: ReadonlySet<string>;
  readonly inPattern: PatternFinder | undefined;
  /** Stops patterns that take too long. */
  readonly within: TimeLimit | undefined;
  readonly placeholders: Placeholders;
  /** Frames that need no scan unless a known value is in them. */
  readonly clean: CleanFrames;
}

/** Removes the values that a person decided to mask from frames and texts. Made by a `ShareReview`. */
export class Redaction {
  readonly #by: RedactionPlan;
  #secrets: FrameSecrets;
  /** The long strings of messages without their secrets. */
  readonly #strings = new WeakMap<Uint8Array, Uint8Array>();
  #seq = 0;
  #count = 0;

  constructor(by: RedactionPlan) {
    this.#by = by;
    this.#secrets = this.#newSecrets();
  }

  /** Number of places masked so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Returns the frame without these values, or the same object if it has none. JSON stays JSON, and everything else
   * stays as it is. Call it in the recording's order.
   */
  apply<T extends Pick<Frame, 'bytes' | 'cut'> & FrameStream & Partial<Pick<Frame, 'seq'>>>(frame: T): T {
    // The frames start again from the first.
    if ((frame.seq ?? 0) < this.#seq) this.#secrets = this.#newSecrets();
    this.#seq = frame.seq ?? 0;
    const cut = this.#secrets.cutOf(frame);
    if (!cut && !this.#secrets.waiting && this.#isClean(frame.bytes)) return frame;
    const secrets = this.#masked(this.#found(this.#secrets, frame));
    if (secrets.length === 0) return frame;
    const changed = cut && this.#replaceAround(cut, secrets);
    return changed ? cutFrame(frame, changed) : { ...frame, bytes: this.#replace(frame.bytes, secrets) };
  }

  /** Redacts other text that is shared with the recording: its name, a note. */
  applyText(text: string): string {
    const bytes = new TextEncoder().encode(text);
    if (this.#isClean(bytes)) return text;
    const secrets = this.#masked(this.#found(this.#newSecrets(), { bytes }));
    if (secrets.length === 0) return text;
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#replace(bytes, secrets));
  }

  #newSecrets(): FrameSecrets {
    const { known, except, inPattern } = this.#by;
    return new FrameSecrets({
      weak: true,
      known,
      except,
      ...(inPattern && {
        inText: (text, report) => inPattern(text, (from, to, value) => report('pattern', from, to, value)),
      }),
    });
  }

  #found(secrets: FrameSecrets, frame: ScannedFrame): readonly FoundSecret[] {
    const { inPattern, within } = this.#by;
    // Reading the bytes of a message would put its long strings into it.
    if (!inPattern || !within) return secrets.find(frame);
    return withLimit(within, frame.cut?.length ?? frame.bytes.length, () => secrets.find(frame));
  }

  #isClean(bytes: Uint8Array): boolean {
    const { inPattern, clean, known } = this.#by;
    return !inPattern && clean.has(bytes) && !known.mayBeIn(bytes);
  }

  #masked(secrets: readonly FoundSecret[]): readonly FoundSecret[] {
    const { decided, undecided } = this.#by;
    const apart = mergeOverlaps(
      secrets.filter(({ rule, value }) => rule === 'pattern' || (decided.get(value) ?? undecided(rule)) === 'mask'),
    );
    this.#count += apart.length;
    return apart;
  }

  #replace(bytes: Uint8Array, apart: readonly FoundSecret[]): Uint8Array {
    return apart.length === 0 ? bytes : runToEnd(replaceSecrets(bytes, apart, this.#by.placeholders));
  }

  /** Replaces secrets in a message and in its long strings. Returns undefined if one is in both. */
  #replaceAround({ text, strings }: CutMessage, secrets: readonly FoundSecret[]): CutMessage | undefined {
    const parts: Uint8Array[] = [];
    const moved: CutString[] = [];
    let [read, before, length, used] = [0, 0, 0, 0];
    const within = (from: number, to: number) => {
      const inside = secrets.filter((secret) => secret.from >= from && secret.to <= to);
      used += inside.length;
      return inside.map((secret) => ({ ...secret, from: secret.from - from, to: secret.to - from }));
    };
    const addPart = (to: number) => {
      parts.push(this.#replace(text.subarray(read, to), within(read + before, to + before)));
      length += parts.at(-1)!.length;
      read = to;
    };
    for (const { at, bytes } of strings) {
      addPart(at);
      const inside = within(at + before, at + before + bytes.length);
      before += bytes.length;
      moved.push({ at: length, bytes: this.#replaceInString(bytes, inside) });
    }
    addPart(text.length);
    if (used !== secrets.length) return undefined;
    const all = length + moved.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return { text: joinBytes(parts), strings: moved, length: all };
  }

  /** Returns the same array for the same string, so that it is written once. */
  #replaceInString(bytes: Uint8Array, secrets: readonly FoundSecret[]): Uint8Array {
    // The name of a string may make it a secret in this message only.
    const isShared = secrets.every(({ from, to }) => to - from < bytes.length);
    const same = isShared ? this.#strings.get(bytes) : undefined;
    if (same) return same;
    const replaced = this.#replace(bytes, secrets);
    if (isShared) this.#strings.set(bytes, replaced);
    return replaced;
  }
}

/** Most frames that are remembered as clean. */
const MOST_CLEAN = 500_000;

/** Frames in which nothing was found, by a hash of 53 bits of their bytes. */
export class CleanFrames {
  readonly #hashes = new Set<number>();

  add(bytes: Uint8Array): void {
    if (this.#hashes.size < MOST_CLEAN) this.#hashes.add(hashOf(bytes));
  }

  has(bytes: Uint8Array): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(hashOf(bytes));
  }
}

function hashOf(bytes: Uint8Array): number {
  let [high, low] = [bytes.length, ~bytes.length];
  for (let at = 0; at < bytes.length; at++) {
    high = Math.imul(high ^ bytes[at]!, 0x9e3779b1);
    low = Math.imul(low ^ bytes[at]!, 0x85ebca77) ^ (low >>> 15);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}

/** Returns the number of places in a frame that a person's own patterns would mask. */
export function countPatternMatches(inPattern: PatternFinder, bytes: Uint8Array, within?: TimeLimit): number {
  const found: FoundSecret[] = [];
  const scan: SecretScan = {
    weak: false,
    inText: (part, report) => inPattern(part, (from, to, value) => report('pattern', from, to, value)),
    found: (place) => {
      if (place.rule === 'pattern') found.push(place);
    },
  };
  withLimit(within, bytes.length, () => scanFrame(byteText(bytes), scan));
  return mergeOverlaps(found).length;
}
