import { FLAG, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { byteText } from './byte-text';
import type { FoundSecret } from './found-secret';
import type { KnownValues } from './known-values';
import { isMasked } from './placeholders';
import { mayBeJson } from './scan-frame';

/** Lines of the longest private key. One of 16,384 bits has 210. */
const PRIVATE_KEY_LINES = 250;

/** The fields of a frame that identify its stream. Frames without them share one stream. */
export type FrameStream = Partial<Pick<Frame, 'channel' | 'direction' | 'flags'>>;

/** Returns the key of a stream. */
function streamName({ channel = 'protocol', direction = 'to-client' }: FrameStream): string {
  return `${channel} ${direction}`;
}

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const END = '-----END ';

/**
 * Finds private keys printed line by line, one frame each. After a key's first line, the following frames of the stream
 * belong to it until its last line, up to a limit. In JSON frames, only strings that look like such lines count.
 */
export class PrivateKeyLines {
  /** Expected lines, by stream. */
  readonly #left = new Map<string, number>();
  /** True if the newest frame follows the start of a key. */
  #isLine = false;

  /** True while a key is unfinished, so that no frame may be skipped. */
  get waiting(): boolean {
    return this.#left.size > 0;
  }

  /** Returns a frame that is a line of a key, as one secret; none for others. Call it with every frame, in order. */
  findKeyLine(text: string, of: FrameStream): readonly FoundSecret[] {
    const stream = streamName(of);
    const left = this.#left.get(stream) ?? 0;
    const begun = text.includes('-----BEGIN ') ? [...text.matchAll(BEGIN)].at(-1)?.index : undefined;
    this.#isLine = left > 0;
    if (left === 0 && begun === undefined) return [];
    const json = isJson(text);
    if (begun !== undefined && !text.includes(END, begun)) this.#left.set(stream, PRIVATE_KEY_LINES);
    else if (left <= 1 || text.includes(END)) this.#left.delete(stream);
    else this.#left.set(stream, left - 1);
    if (json || left === 0 || text.trim() === '' || isMasked(text)) return [];
    return [{ rule: 'private-key', value: text, from: 0, to: text.length, shape: true, place: () => '' }];
  }

  /** Returns true if a string in the newest frame is a line of a key. */
  isLine(string: string): boolean {
    return this.#isLine && LINE_OF_KEY.test(string) && string.replace(/\s/g, '').length % 4 === 0;
  }
}

/** Matches base64. Words in logs are shorter or have no digit. */
const LINE_OF_KEY = /^\s*(?=[^\s]*[\d+/=])[A-Za-z0-9+/]{4,128}={0,2}\s*$/;

function isJson(text: string): boolean {
  try {
    return mayBeJson(text) && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** Characters before and after a cut that are looked at. A JSON Web Token has thousands. */
const CUT_CHARS = 4096;

/** Finds secrets across the cuts of a line that was split into several frames. */
export class CutValues {
  /** The end of the line so far, by stream. */
  readonly #ends = new Map<string, string>();

  /** Returns true if the frame continues a line, or its line continues in the next frame. */
  isCut(stream: FrameStream): boolean {
    return isUnfinished(stream) || (this.#ends.size > 0 && this.#ends.has(streamName(stream)));
  }

  /**
   * Returns the parts of secrets at the start of a frame and, if they are of known values and long enough to be
   * certain, at its end. Call it with every frame, in order. `scan` returns the secrets of any text.
   */
  findAcrossCut(
    { bytes, ...stream }: FrameStream & Pick<Frame, 'bytes'>,
    known: KnownValues,
    scan: (text: string) => readonly FoundSecret[],
  ): readonly FoundSecret[] {
    const name = streamName(stream);
    const before = this.#ends.get(name) ?? '';
    const after = `${before}${byteText(bytes.subarray(-CUT_CHARS))}`.slice(-CUT_CHARS);
    const found: FoundSecret[] = [];
    const add = (one: Pick<FoundSecret, 'rule' | 'value'>, from: number, to: number) =>
      found.push({ rule: one.rule, value: one.value, from: Math.max(0, from), to, place: () => '' });
    if (before !== '') {
      // The server chooses where its line is cut, so a shape or a name may be before the cut and the value after it.
      for (const one of scan(before + byteText(bytes.subarray(0, CUT_CHARS))))
        if (one.to > before.length) add(one, one.from - before.length, one.to - before.length);
    }
    if (!isUnfinished(stream)) this.#ends.delete(name);
    else {
      this.#ends.set(name, after);
      for (const one of known.values()) {
        const length = beginningAtEnd(one.value, after);
        if (length >= LIMITS.secretChars) add(one, bytes.length - length, bytes.length);
      }
    }
    return found;
  }
}

function isUnfinished({ flags = 0 }: FrameStream): boolean {
  return (flags & FLAG.continued) !== 0;
}

/** Returns how many characters of a value's beginning end the text. */
function beginningAtEnd(value: string, text: string): number {
  let length = Math.min(value.length - 1, text.length);
  while (length > 0 && !text.endsWith(value.slice(0, length))) length--;
  return length;
}
