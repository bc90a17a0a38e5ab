import { cutFrame } from '@/lib/wire/cut-message';
import type { CutMessage, Frame } from '@/lib/wire/frame';
import { runToEnd } from '@/lib/wire/in-slices';
import { byteText } from './byte-text';
import { CutMessages, changeAround, type ScannedString } from './cut-messages';
import type { PatternFinder } from './extra-patterns';
import { type FoundSecret, mergeOverlaps } from './found-secret';
import type { KnownValues } from './known-values';
import { type Placeholders, replaceSecrets } from './placeholders';
import { type CleanFrames, RepeatedStrings } from './repeated-frames';
import type { Decision, RuleId } from './rules';
import { scanFrame } from './scan-frame';
import { type FrameStream, MultiLineSecrets } from './split-secrets';

/** The input of a redaction. Values are byte text. */
interface RedactionPlan {
  readonly decided: ReadonlyMap<string, Decision>;
  /** Returns what happens to other values. */
  readonly undecided: (rule: RuleId) => Decision;
  /** Values to remove wherever they are repeated, in any form. */
  readonly known: KnownValues;
  readonly inPattern?: PatternFinder;
  readonly placeholders: Placeholders;
  /** Frames that need no scan unless a known value is in them. */
  readonly clean: CleanFrames;
}

const NONE: readonly FoundSecret[] = [];

/** Removes the values that a person decided to mask from frames and texts. Made by a `ShareReview`. */
export class Redaction {
  readonly #by: RedactionPlan;
  #lines = new MultiLineSecrets();
  readonly #cut = new CutMessages((text) => this.#secretsIn(text));
  /** The long strings of messages without their secrets. */
  readonly #strings = new WeakMap<Uint8Array, Uint8Array>();
  readonly #repeated = new RepeatedStrings(() => 0);
  #seq = 0;
  #count = 0;

  constructor(by: RedactionPlan) {
    this.#by = by;
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
    if ((frame.seq ?? 0) < this.#seq) this.#lines = new MultiLineSecrets();
    this.#seq = frame.seq ?? 0;
    const { cut } = frame;
    const strings = cut && !this.#lines.waiting ? this.#cut.stringsOf(cut, () => byteText(frame.bytes)) : undefined;
    if (strings) return this.#applyToCut(frame, cut!, strings);
    const bytes = this.#redacted(frame.bytes, frame);
    return bytes === frame.bytes ? frame : { ...frame, bytes };
  }

  #applyToCut<T extends object>(frame: T, cut: CutMessage, strings: readonly ScannedString[]): T {
    const apart = mergeOverlaps(this.#secretsIn(byteText(cut.text)) ?? NONE);
    if (apart.length === 0 && strings.every(({ found }) => found.length === 0)) return frame;
    this.#count += apart.length;
    const redacted = strings.map((string) => this.#redactedString(string));
    const changed = changeAround(cut, redacted, (part, start) => {
      const within = apart.filter(({ from, to }) => from >= start && to <= start + part.length);
      return this.#replace(part, movedBack(within, start));
    });
    return cutFrame(frame, changed);
  }

  /** Returns the same array for the same string, so that it is written once. */
  #redactedString({ bytes, found }: ScannedString): Uint8Array {
    const apart = mergeOverlaps(found);
    this.#count += apart.length;
    const known = this.#strings.get(bytes);
    if (known) return known;
    const redacted = this.#replace(bytes, apart);
    this.#strings.set(bytes, redacted);
    return redacted;
  }

  #replace(bytes: Uint8Array, apart: readonly FoundSecret[]): Uint8Array {
    return apart.length === 0 ? bytes : runToEnd(replaceSecrets(bytes, apart, this.#by.placeholders));
  }

  /** Finds what to mask in a message that nothing of earlier frames continues in. */
  #secretsIn(text: string): readonly FoundSecret[] | undefined {
    const lines = new MultiLineSecrets();
    const secrets = this.#scan(text, lines, {});
    return lines.waiting ? undefined : secrets;
  }

  /** Redacts other text that is shared with the recording: its name, a note. */
  applyText(text: string): string {
    const bytes = new TextEncoder().encode(text);
    const redacted = this.#redacted(bytes);
    return redacted === bytes ? text : new TextDecoder('utf-8', { ignoreBOM: true }).decode(redacted);
  }

  #redacted(bytes: Uint8Array, stream?: FrameStream): Uint8Array {
    const { known, inPattern, clean } = this.#by;
    const lines = stream ? this.#lines : new MultiLineSecrets();
    if (!inPattern && !lines.waiting && clean.has(bytes) && !known.mayBeIn(bytes)) return bytes;
    const text = byteText(bytes);
    const continued = lines.findContinuations(text, stream ?? {}).filter((found) => this.#isMasked(found));
    const secrets = [...continued, ...this.#scan(text, lines, stream ?? {})];
    if (secrets.length === 0) return bytes;
    const apart = mergeOverlaps(secrets);
    this.#count += apart.length;
    return this.#replace(bytes, apart);
  }

  #scan(text: string, lines: MultiLineSecrets, stream: FrameStream): readonly FoundSecret[] {
    const { known, inPattern } = this.#by;
    const secrets: FoundSecret[] = [];
    scanFrame(text, {
      weak: true,
      repeated: this.#repeated,
      inText: (part, report) => {
        inPattern?.(part, (from, to, value) => report('pattern', from, to, value));
        lines.findKnown(known, part, stream, report);
      },
      found: (secret) => {
        if (this.#isMasked(secret)) secrets.push(secret);
      },
    });
    return secrets;
  }

  #isMasked({ rule, value }: FoundSecret): boolean {
    if (rule === 'pattern') return true;
    return (this.#by.decided.get(value) ?? this.#by.undecided(rule)) === 'mask';
  }
}

function movedBack(secrets: readonly FoundSecret[], by: number): readonly FoundSecret[] {
  return secrets.map((secret) => ({ ...secret, from: secret.from - by, to: secret.to - by }));
}

/** Returns the number of places in a frame that a person's own patterns would mask. */
export function countPatternMatches(inPattern: PatternFinder, bytes: Uint8Array): number {
  const found: FoundSecret[] = [];
  scanFrame(byteText(bytes), {
    weak: false,
    inText: (part, report) => inPattern(part, (from, to, value) => report('pattern', from, to, value)),
    found: (place) => {
      if (place.rule === 'pattern') found.push(place);
    },
  });
  return mergeOverlaps(found).length;
}
