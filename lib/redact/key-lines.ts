import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { Found } from './found';
import { isTakenOut } from './placeholder';
import { mayBeJson } from './scan-json';

/** What of a frame says which stream it is a line of, or a piece of one; a frame that says nothing is of one with all others. */
export type StreamOf = Partial<Pick<Frame, 'channel' | 'direction' | 'flags'>>;

/** By which a stream is told from others. */
export function streamName({ channel = 'protocol', direction = 'to-client' }: StreamOf): string {
  return `${channel} ${direction}`;
}

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const END = '-----END ';

/**
 * Private keys that are printed line by line, each a frame of its own: once one has begun, the frames of its stream are its lines up to its end,
 * at most `LIMITS.privateKeyLines`. Of frames of JSON only strings that look like such lines are.
 */
export class KeyLines {
  /** Lines to come, by stream. */
  readonly #left = new Map<string, number>();
  /** The newest frame came after one that began. */
  #isLine = false;

  /** True while a key has begun somewhere. */
  get waiting(): boolean {
    return this.#left.size > 0;
  }

  /** To be called with every frame, in order. The whole of a frame that is a line of a key that began before; undefined for any other. */
  next(text: string, of: StreamOf): Found | undefined {
    const stream = streamName(of);
    const left = this.#left.get(stream) ?? 0;
    const begun = text.includes('-----BEGIN ') ? [...text.matchAll(BEGIN)].at(-1)?.index : undefined;
    this.#isLine = left > 0;
    if (left === 0 && begun === undefined) return undefined;
    const json = isJson(text);
    if (begun !== undefined && !text.includes(END, begun)) this.#left.set(stream, LIMITS.privateKeyLines);
    else if (left <= 1 || text.includes(END)) this.#left.delete(stream);
    else this.#left.set(stream, left - 1);
    if (json || left === 0 || text.trim() === '' || isTakenOut(text)) return undefined;
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
export function linesOf(secret: string): readonly string[] {
  if (!/[\r\n]|\\n/.test(secret)) return [];
  return secret.split(/[\r\n]+|(?:\\r)?\\n/).filter((line) => line.length >= LINE && !line.startsWith('-----'));
}
