import { joinBytes } from '@/lib/json/typed-arrays';
import { joinMessage } from '@/lib/wire/cut-message';
import type { CutMessage, CutString } from '@/lib/wire/frame';
import { byteText } from './byte-text';
import type { FoundSecret } from './found-secret';
import { REDACTED_STRING_BYTES } from './scan-frame';

/**
 * Stands for a long string. It is like a password, so that a name that makes its value secret is noticed; and short, so
 * that scanning it takes no time.
 */
const STAND_IN = new TextEncoder().encode('k7Qm2Zx9Rt4Lw8Vb');

/** Returns the secrets in a message's text; undefined if one may go on in the next frame. */
type Scan = (text: string) => readonly FoundSecret[] | undefined;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A long string of a message, and its secrets. Their offsets count from the start of the string. */
export interface ScannedString {
  readonly bytes: Uint8Array;
  readonly found: readonly FoundSecret[];
}

/**
 * Remembers the secrets in long strings, so that a string of thousands of messages is scanned once. Names around it are
 * judged in each message.
 */
export class CutMessages {
  readonly #scan: Scan;
  readonly #version: () => number;
  /** The secrets of a string, and the version at which it was scanned. Without secrets, it needs its message. */
  readonly #strings = new WeakMap<Uint8Array, { readonly version: number } & Partial<ScannedString>>();

  /** `scan` may find something else after each change of `version`. */
  constructor(scan: Scan, version: () => number = () => 0) {
    this.#scan = scan;
    this.#version = version;
  }

  /**
   * Returns the long strings of a message with the secrets in them. All others are then in its text without them.
   * Returns undefined if the whole message has to be scanned. `whole` returns its byte text.
   */
  stringsOf(cut: CutMessage, whole: () => string): readonly ScannedString[] | undefined {
    const { strings } = cut;
    // A shorter string is scanned for JSON, too.
    if (strings.some(({ bytes }) => bytes.length <= REDACTED_STRING_BYTES)) return undefined;
    const version = this.#version();
    if (strings.some(({ bytes }) => this.#strings.get(bytes)?.version !== version)) this.#judge(cut, whole(), version);
    const judged = strings.map(({ bytes }) => ({ bytes, found: this.#strings.get(bytes)!.found }));
    if (!judged.every((one): one is ScannedString => one.found !== undefined)) return undefined;
    const standIns = strings.map(({ at }) => ({ at, bytes: STAND_IN }));
    const around = this.#scan(byteText(joinedWith(cut.text, standIns)));
    const places = spansOf(standIns).map((span) => around?.filter((secret) => overlaps(span, secret)) ?? []);
    // The stand-in itself looks random.
    if (!around || places.flat().some(({ rule }) => rule !== 'random')) return undefined;
    return judged.map(({ bytes, found }, index) => ({
      bytes,
      found: found.map((secret) => ({ ...secret, place: places[index]![0]?.place ?? secret.place })),
    }));
  }

  #judge({ strings }: CutMessage, text: string, version: number): void {
    const found = this.#scan(text);
    const spans = spansOf(strings);
    for (const [index, { bytes }] of strings.entries()) {
      const { from, to } = spans[index]!;
      const inside = found?.filter((secret) => overlaps({ from, to }, secret));
      // A secret that is the whole string may be one because of its name.
      const isApart = inside?.every(
        (secret) => secret.from >= from && secret.to <= to && secret.to - secret.from < to - from,
      );
      // The lines of a key that begins here may follow in other frames.
      const isKey = text.slice(from, to).includes('-----BEGIN ');
      const moved = inside?.map((secret) => ({ ...secret, from: secret.from - from, to: secret.to - from }));
      this.#strings.set(bytes, { version, ...(isApart && !isKey && moved && { bytes, found: moved }) });
    }
  }
}

/** Returns a message with other long strings, and with `change` applied to each part between: a part and its offset. */
export function changeAround(
  { text, strings }: CutMessage,
  changed: readonly Uint8Array[],
  change: (part: Uint8Array, from: number) => Uint8Array,
): CutMessage {
  const parts: Uint8Array[] = [];
  const moved: CutString[] = [];
  let [read, at] = [0, 0];
  const add = (to: number): void => {
    const part = change(text.subarray(read, to), read);
    parts.push(part);
    at += part.length;
    read = to;
  };
  for (const [index, string] of strings.entries()) {
    add(string.at);
    moved.push({ at, bytes: changed[index]! });
  }
  add(text.length);
  const length = at + changed.reduce((sum, bytes) => sum + bytes.length, 0);
  return { text: joinBytes(parts), strings: moved, length };
}

function joinedWith(text: Uint8Array, strings: readonly CutString[]): Uint8Array {
  const length = text.length + strings.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return joinMessage({ text, strings, length });
}

/** Returns where the strings are in the joined message. */
function spansOf(strings: readonly CutString[]): readonly Span[] {
  let before = 0;
  return strings.map(({ at, bytes }) => {
    const from = at + before;
    before += bytes.length;
    return { from, to: from + bytes.length };
  });
}

function overlaps(span: Span, { from, to }: Span): boolean {
  return from < span.to && to > span.from;
}
