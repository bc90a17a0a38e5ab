import { FLAG, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { Found, Scan } from './found';
import type { KnownPlace, KnownValue } from './known-forms';
import type { KnownValues } from './known-values';
import { isMasked } from './placeholders';
import { mayBeJson } from './scan-frame';

/** Of a private key that is printed line by line: one of 16,384 bits has 210. */
const PRIVATE_KEY_LINES = 250;

/** What the frames before tell of the next ones: secrets that are printed over several lines, each a frame of its own. */
export class MultiLineSecrets {
  readonly #keys = new PrivateKeyLines();
  readonly #wrapped = new WrappedValues();

  /** True while something goes on: no frame can be passed by. */
  get waiting(): boolean {
    return this.#keys.waiting || this.#wrapped.waiting;
  }

  /** To be called with every frame, in order: what of it goes on with a secret that began before. */
  findContinuations(text: string, stream: FrameStream): readonly Found[] {
    return [this.#keys.findKeyLine(text, stream), this.#wrapped.findContinuation(text, stream)].filter(
      (found) => found !== undefined,
    );
  }

  /** Known values and lines of keys in a text of the newest frame. */
  findKnown(
    known: KnownValues,
    text: string,
    stream: FrameStream,
    report: Parameters<NonNullable<Scan['inText']>>[1],
  ): void {
    for (const place of known.find(text)) {
      report(place.known.rule, place.from, place.to, place.known.value);
      if (place.rest !== undefined) this.#wrapped.expectRest(place, text, stream);
    }
    if (this.#keys.isLine(text)) report('private-key', 0, text.length);
  }
}

/** What of a frame says which stream it is a line of, or a piece of one; a frame that says nothing is of one with all others. */
export type FrameStream = Partial<Pick<Frame, 'channel' | 'direction' | 'flags'>>;

/** By which a stream is told from others. */
function streamName({ channel = 'protocol', direction = 'to-client' }: FrameStream): string {
  return `${channel} ${direction}`;
}

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const END = '-----END ';

/**
 * Private keys that are printed line by line, each a frame of its own: once one has begun, the frames of its stream are its lines up to its end,
 * at most `PRIVATE_KEY_LINES`. Of frames of JSON only strings that look like such lines are.
 */
class PrivateKeyLines {
  /** Lines to come, by stream. */
  readonly #left = new Map<string, number>();
  /** The newest frame came after one that began. */
  #isLine = false;

  /** True while a key has begun somewhere. */
  get waiting(): boolean {
    return this.#left.size > 0;
  }

  /** To be called with every frame, in order. The whole of a frame that is a line of a key that began before; undefined for any other. */
  findKeyLine(text: string, of: FrameStream): Found | undefined {
    const stream = streamName(of);
    const left = this.#left.get(stream) ?? 0;
    const begun = text.includes('-----BEGIN ') ? [...text.matchAll(BEGIN)].at(-1)?.index : undefined;
    this.#isLine = left > 0;
    if (left === 0 && begun === undefined) return undefined;
    const json = isJson(text);
    if (begun !== undefined && !text.includes(END, begun)) this.#left.set(stream, PRIVATE_KEY_LINES);
    else if (left <= 1 || text.includes(END)) this.#left.delete(stream);
    else this.#left.set(stream, left - 1);
    if (json || left === 0 || text.trim() === '' || isMasked(text)) return undefined;
    return { rule: 'private-key', value: text, from: 0, to: text.length, shape: true, place: () => '' };
  }

  /** True for a string of that frame that is a line of a key. */
  isLine(string: string): boolean {
    return this.#isLine && LINE_OF_KEY.test(string) && string.replace(/\s/g, '').length % 4 === 0;
  }
}

/** Base64; a word of a log is shorter, or has no digit. */
const LINE_OF_KEY = /^\s*(?=[^\s]*[\d+/=])[A-Za-z0-9+/]{4,128}={0,2}\s*$/;

function isJson(text: string): boolean {
  try {
    return mayBeJson(text) && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** Shorter lines are no part of a secret that tells it. */
const LINE = 24;

/** The long lines of a secret of several, each of which may be printed by itself; none of any other. Byte text. */
export function longLinesOf(secret: string): readonly string[] {
  if (!/[\r\n]|\\n/.test(secret)) return [];
  return secret.split(/[\r\n]+|(?:\\r)?\\n/).filter((line) => line.length >= LINE && !line.startsWith('-----'));
}

/** Characters that tell where a line goes on with a value. */
const REST_HEAD_CHARS = 8;

/** Known values that are printed over several lines, each a frame of its own: where one ended with a part of a value, the next goes on with it. */
class WrappedValues {
  /** What has to come, by stream. */
  readonly #rests = new Map<string, { readonly known: KnownValue; readonly rest: string }>();

  /** True while a value has begun somewhere. */
  get waiting(): boolean {
    return this.#rests.size > 0;
  }

  /** To be called with every frame, in order: what of it goes on with a value that began before. */
  findContinuation(text: string, stream: FrameStream): Found | undefined {
    const name = streamName(stream);
    const waiting = this.#rests.get(name);
    if (!waiting || text.trim() === '') return undefined;
    this.#rests.delete(name);
    const { rest, known } = waiting;
    const from = text.indexOf(rest.slice(0, REST_HEAD_CHARS));
    if (from < 0) return undefined;
    let length = Math.min(rest.length, REST_HEAD_CHARS);
    while (length < rest.length && text[from + length] === rest[length]) length++;
    const to = from + length;
    this.expectRest({ from, to, known, rest: rest.slice(length) }, text, stream);
    return { ...known, from, to, place: () => '' };
  }

  /** A place of a value in a text of a stream: if both end there, it may go on. */
  expectRest({ to, known, rest = '' }: KnownPlace, text: string, stream: FrameStream): void {
    if (rest !== '' && text.slice(to).trim() === '') this.#rests.set(streamName(stream), { known, rest });
  }
}

/** What has to come of a value: it begins the next frame of the stream. */
interface Rest {
  readonly known: KnownValue;
  readonly rest: string;
}

/** Longer values are not looked for at a cut. */
const MOST_CUT_VALUE_CHARS = 512;

/** True for a frame whose line goes on in the next one. */
export function isCut({ flags = 0 }: FrameStream): boolean {
  return (flags & FLAG.continued) !== 0;
}

/** Known values across the cut in a line that came in pieces, each a frame of its own: as they are, in no other form. */
export class CutValues {
  readonly #rests = new Map<string, readonly Rest[]>();

  /** True if the next frame of this stream may go on with a value. */
  isWaiting(stream: FrameStream): boolean {
    return this.#rests.has(streamName(stream));
  }

  /** To be called with every frame, in order: what at its beginning ends a value, and what at its end begins one and is long enough to tell. */
  findAcrossCut(text: string, stream: FrameStream, known: KnownValues): readonly Found[] {
    const name = streamName(stream);
    const due = this.#rests.get(name) ?? [];
    this.#rests.delete(name);
    const ended = longest(due.filter(({ rest }) => text.startsWith(rest)));
    const found = ended ? [foundRest(ended, 0, ended.rest.length)] : [];
    if (!isCut(stream)) return found;
    const within = due.filter(({ rest }) => rest.length > text.length && rest.startsWith(text));
    const begun = restsOf(text, known);
    const rests = [...within.map((one) => ({ ...one, rest: one.rest.slice(text.length) })), ...begun];
    if (rests.length > 0) this.#rests.set(name, rests);
    if (within[0]) return [foundRest(within[0], 0, text.length)];
    const telling = longest(begun.filter((one) => saidOf(one) >= LIMITS.secretChars));
    return telling ? [...found, foundRest(telling, text.length - saidOf(telling), text.length)] : found;
  }
}

/** Each known value that a text ends with the beginning of, and what it would go on with. */
function restsOf(text: string, known: KnownValues): readonly Rest[] {
  const rests: Rest[] = [];
  for (const one of known.values()) {
    const { value } = one;
    if (value.length > MOST_CUT_VALUE_CHARS) continue;
    for (let length = Math.min(value.length - 1, text.length); length > 0; length--) {
      if (!text.endsWith(value.slice(0, length))) continue;
      rests.push({ known: one, rest: value.slice(length) });
      break;
    }
  }
  return rests;
}

/** How much of the value has come. */
function saidOf({ known, rest }: Rest): number {
  return known.value.length - rest.length;
}

/** The one of the longest value. */
function longest(rests: readonly Rest[]): Rest | undefined {
  return rests.toSorted((a, b) => b.known.value.length - a.known.value.length)[0];
}

function foundRest({ known }: Rest, from: number, to: number): Found {
  return { ...known, from, to, place: () => '' };
}
