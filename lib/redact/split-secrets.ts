import { FLAG, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { nameAt, namedValue } from './context';
import type { FoundSecret, SecretScan } from './found-secret';
import type { KnownPlace, KnownValue } from './known-forms';
import type { KnownValues } from './known-values';
import { secretName } from './names';
import { isMasked } from './placeholders';
import { mayBeJson } from './scan-frame';

/** Lines of the longest private key. One of 16,384 bits has 210. */
const PRIVATE_KEY_LINES = 250;

/** Finds secrets printed over several lines, one frame each. */
export class MultiLineSecrets {
  readonly #keys = new PrivateKeyLines();
  readonly #wrapped = new WrappedValues();
  readonly #named = new NamesAbove();

  /** True while a secret is unfinished, so that no frame may be skipped. */
  get waiting(): boolean {
    return this.#keys.waiting || this.#wrapped.waiting || this.#named.waiting;
  }

  /** Returns the parts of a frame that continue a secret from earlier frames. Call it with every frame, in order. */
  findContinuations(text: string, stream: FrameStream): readonly FoundSecret[] {
    return [
      this.#keys.findKeyLine(text, stream),
      this.#wrapped.findContinuation(text, stream),
      this.#named.findValue(text, stream),
    ].filter((found) => found !== undefined);
  }

  /** Reports known values and lines of keys in a text of the newest frame. */
  findKnown(
    known: KnownValues,
    text: string,
    stream: FrameStream,
    report: Parameters<NonNullable<SecretScan['inText']>>[1],
  ): void {
    for (const place of known.find(text)) {
      report(place.known.rule, place.from, place.to, place.known.value);
      if (place.rest !== undefined) this.#wrapped.expectRest(place, text, stream);
    }
    if (this.#keys.isLine(text)) report('private-key', 0, text.length);
  }
}

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
class PrivateKeyLines {
  /** Expected lines, by stream. */
  readonly #left = new Map<string, number>();
  /** True if the newest frame follows the start of a key. */
  #isLine = false;

  /** True while a key is unfinished. */
  get waiting(): boolean {
    return this.#left.size > 0;
  }

  /**
   * Returns a frame that is a line of a key, as one secret; undefined for any other frame. Call it with every frame, in
   * order.
   */
  findKeyLine(text: string, of: FrameStream): FoundSecret | undefined {
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

/** The last words of a line that names what is on the next one: `Your API token:`. */
const NAME_AT_END = /((?:[\w-]{1,30} )?[\w-]{2,60})["'`*]{0,3}(?: (?:is|lautet))?\s{0,4}[:=]\s*$/;
/** A line of one word. */
const ONE_WORD = /^\s*(\S{4,2048})\s*$/;

/** Finds values on stderr whose name stands alone on the line before. */
class NamesAbove {
  #name: string | undefined;

  /** True if the next line may be a value. */
  get waiting(): boolean {
    return this.#name !== undefined;
  }

  /** Returns the value that a line of stderr is; undefined for none. Call it with every frame, in order. */
  findValue(text: string, { channel }: FrameStream): FoundSecret | undefined {
    if (channel !== 'stderr') return undefined;
    const name = this.#name;
    const [, words = ''] = NAME_AT_END.exec(text.slice(-100)) ?? [];
    const secret = secretName(words, 'text') ?? secretName(words.split(' ').at(-1)!, 'text');
    this.#name = secret && secret.grade !== 'weak' ? words : undefined;
    const [, value] = ONE_WORD.exec(text) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const line = `${name}: ${value}`;
    const found = nameAt(line, name.length - 1);
    const named = found && namedValue(line, found, false);
    if (!named) return undefined;
    const before = text.indexOf(value) - line.length + value.length;
    return {
      ...{ rule: named.secret.rule, value: named.value, from: named.from + before, to: named.to + before },
      place: () => '',
    };
  }
}

/** Characters of the shortest line that identifies a secret. */
const LEAST_LINE_CHARS = 24;

/**
 * Returns the long lines of a multi-line secret, because each may be printed alone. Returns none for a single line.
 * Byte text.
 */
export function longLinesOf(secret: string): readonly string[] {
  if (!/[\r\n]|\\n/.test(secret)) return [];
  return secret
    .split(/[\r\n]+|(?:\\r)?\\n/)
    .filter((line) => line.length >= LEAST_LINE_CHARS && !line.startsWith('-----'));
}

/** If this many characters match, a line continues a value. */
const REST_HEAD_CHARS = 8;

/**
 * Finds known values printed over several lines, one frame each. If a line ends with part of a value, the next one may
 * continue it.
 */
class WrappedValues {
  /** The rest of a value that is expected next, by stream. */
  readonly #rests = new Map<string, { readonly known: KnownValue; readonly rest: string }>();

  /** True while a value is unfinished. */
  get waiting(): boolean {
    return this.#rests.size > 0;
  }

  /**
   * Returns the part of a frame that continues a value from earlier frames; undefined if there is none. Call it with
   * every frame, in order.
   */
  findContinuation(text: string, stream: FrameStream): FoundSecret | undefined {
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

  /**
   * Notes a value found in a text of a stream. If the value ends where the text ends, the next line may continue it.
   */
  expectRest({ to, known, rest = '' }: KnownPlace, text: string, stream: FrameStream): void {
    if (rest !== '' && text.slice(to).trim() === '') this.#rests.set(streamName(stream), { known, rest });
  }
}

/** The rest of a value, expected at the start of the stream's next frame. */
interface Rest {
  readonly known: KnownValue;
  readonly rest: string;
}

/** Characters of the longest value that is looked for across a cut. */
const MOST_CUT_VALUE_CHARS = 512;

/** Returns true if the frame's line continues in the next frame. */
export function isCut({ flags = 0 }: FrameStream): boolean {
  return (flags & FLAG.continued) !== 0;
}

/** Finds known values across the cuts of a line that was split into several frames. Encoded forms are not found. */
export class CutValues {
  readonly #rests = new Map<string, readonly Rest[]>();

  /** Returns true if the next frame of this stream may continue a value. */
  isWaiting(stream: FrameStream): boolean {
    return this.#rests.size > 0 && this.#rests.has(streamName(stream));
  }

  /**
   * Returns known secrets split across two frames: a tail at the start, or a recognisable head at the end. Call it with
   * every frame, in order.
   */
  findAcrossCut(text: string, stream: FrameStream, known: KnownValues): readonly FoundSecret[] {
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

/** Returns each known value whose beginning ends the text, with the rest of the value. */
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

/** Returns how many characters of the value were seen. */
function saidOf({ known, rest }: Rest): number {
  return known.value.length - rest.length;
}

/** Returns the rest of the longest value. */
function longest(rests: readonly Rest[]): Rest | undefined {
  return rests.toSorted((a, b) => b.known.value.length - a.known.value.length)[0];
}

function foundRest({ known }: Rest, from: number, to: number): FoundSecret {
  return { ...known, from, to, place: () => '' };
}
