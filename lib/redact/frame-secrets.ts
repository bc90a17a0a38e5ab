import type { CutMessage, Frame } from '@/lib/wire/frame';
import { runToEnd } from '@/lib/wire/in-slices';
import { byteText } from './byte-text';
import type { FoundSecret, SecretScan } from './found-secret';
import type { KnownValues } from './known-values';
import { MappedText } from './mapped-text';
import { cutSlices, frameSlices, REDACTED_STRING_BYTES } from './scan-frame';
import { scanInSlices } from './scan-slices';
import { type FrameStream, PrivateKeyLines } from './split-secrets';

/** A frame to scan. */
export type ScannedFrame = Pick<Frame, 'bytes' | 'cut'> & FrameStream;

interface Wanted extends Pick<SecretScan, 'weak' | 'inText'> {
  readonly known: KnownValues;
  /** Known values that are not looked for. */
  readonly except?: ReadonlySet<string>;
}

/** The secrets of a long string, whose places count from its start. */
interface ScannedString {
  readonly version: number;
  /** The lines of a key that begins here may follow in other frames. */
  readonly isKey: boolean;
  readonly found: readonly FoundSecret[];
}

/**
 * Finds the secrets of frames, in their order: known values, what names and shapes make a secret, and private keys
 * printed over several frames. A long string of thousands of messages is scanned once, if it is apart from them.
 */
export class FrameSecrets {
  readonly #wanted: Wanted;
  readonly #keys = new PrivateKeyLines();
  readonly #strings = new WeakMap<Uint8Array, ScannedString>();
  #hasDecoded = false;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  /** True while a secret is unfinished, so that no frame may be skipped. */
  get waiting(): boolean {
    return this.#keys.waiting;
  }

  /** True if a text in the newest frame was decoded. */
  get hasDecoded(): boolean {
    return this.#hasDecoded;
  }

  /** Returns the long strings of a message that can be scanned apart from it; undefined if it has to be whole. */
  cutOf({ cut }: ScannedFrame): CutMessage | undefined {
    if (!cut || this.waiting) return undefined;
    // A shorter string is scanned for JSON, too.
    const isApart = cut.strings.every(
      ({ bytes }) => bytes.length > REDACTED_STRING_BYTES && !this.#scanned(bytes).isKey,
    );
    return isApart ? cut : undefined;
  }

  /** Returns all secrets of a frame. Call it with every frame, in order. `kept` is called at once for each of them. */
  find(frame: ScannedFrame, kept = (secret: FoundSecret) => secret): readonly FoundSecret[] {
    this.#hasDecoded = false;
    const cut = this.cutOf(frame);
    const text = byteText(cut?.text ?? frame.bytes);
    const found = this.keyLine(text, frame).map(kept);
    runToEnd(this.scan(frame, (secret) => found.push(kept(secret)), cut ? undefined : text));
    return found;
  }

  /** Returns a frame that is a line of a key. Call it first, once for every frame. */
  keyLine(text: string, of: FrameStream): readonly FoundSecret[] {
    return this.#keys.findKeyLine(text, of);
  }

  /** Reports the other secrets in slices of a few milliseconds. `text`: the frame's, if it is known. */
  scan(frame: ScannedFrame, found: SecretScan['found'], text?: string): Generator<void> {
    const cut = text === undefined ? this.cutOf(frame) : undefined;
    if (!cut) return frameSlices(text ?? byteText(frame.bytes), this.#scan(found));
    return cutSlices(cut, { ...this.#scan(found), inLong: (bytes) => this.#scanned(bytes).found });
  }

  #scan(found: SecretScan['found']): SecretScan {
    const { known, except, weak, inText } = this.#wanted;
    return {
      weak,
      found,
      decoded: () => {
        this.#hasDecoded = true;
      },
      inText: (text, report) => {
        for (const place of known.find(text, except)) report(place.known.rule, place.from, place.to, place.known.value);
        if (this.#keys.isLine(text)) report('private-key', 0, text.length);
        inText?.(text, report);
      },
    };
  }

  #scanned(bytes: Uint8Array): ScannedString {
    const { version } = this.#wanted.known;
    const same = this.#strings.get(bytes);
    if (same?.version === version) return same;
    const text = byteText(bytes);
    const found: FoundSecret[] = [];
    const scan = this.#scan((secret) => found.push(secret));
    const isKey = text.includes('-----BEGIN ');
    if (!isKey)
      runToEnd(scanInSlices(MappedText.whole(text), { from: 0, to: text.length, escaped: true }, scan, () => ''));
    const scanned = { version, isKey, found };
    this.#strings.set(bytes, scanned);
    return scanned;
  }
}
