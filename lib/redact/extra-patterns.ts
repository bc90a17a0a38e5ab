import { LIMITS } from '@/lib/wire/limits';
import { bytesOfText, byteTextOf } from './byte-text';
import { type ExtraPattern, PatternError } from './findings';
import { KnownValues } from './known-values';

/** Most patterns that a person can give. */
const REDACTION_PATTERNS = 50;
/** Characters of the longest pattern. */
export const REDACTION_PATTERN_CHARS = 500;

/** Reports where a person's own patterns match in byte text. */
export type PatternFinder = (text: string, report: (from: number, to: number, value: string) => void) => void;

/**
 * Prepares patterns. A regular expression may run for ever, so a page runs it in a Worker that it can terminate. Throws
 * {@link PatternError}.
 */
export function patternFinder(patterns: readonly ExtraPattern[]): PatternFinder {
  if (patterns.length > REDACTION_PATTERNS) throw TOO_MANY;
  const literals = new KnownValues();
  const short: string[] = [];
  const regexes: RegExp[] = [];
  for (const pattern of patterns) {
    const text = 'regex' in pattern ? pattern.regex : pattern.literal;
    if (text.length > REDACTION_PATTERN_CHARS) throw TOO_LONG;
    const regex = 'regex' in pattern ? compiled(text) : undefined;
    if (text.length < LEAST_PATTERN_CHARS) throw TOO_SHORT;
    if (regex) regexes.push(regex);
    else if (text.length < LIMITS.secretChars) short.push(byteTextOf(text));
    else literals.add({ rule: 'pattern', value: byteTextOf(text) });
  }
  return (text, report) => {
    for (const { from, to, known } of literals.find(text)) report(from, to, known.value);
    for (const literal of short) {
      for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length)) {
        report(at, at + literal.length, literal);
      }
    }
    if (regexes.length > 0) matches(regexes, text, (from, to) => report(from, to, text.slice(from, to)));
  };
}

/** Reports where regular expressions match in byte text. They match whole characters, not bytes. */
function matches(regexes: readonly RegExp[], bytes: string, found: (from: number, to: number) => void): void {
  const { text, bytesAt } = decodeBytes(bytes);
  for (const regex of regexes) {
    let [place, at] = [0, 0];
    /** Returns the byte at which the character at a place starts. */
    const goTo = (until: number): number => {
      while (place < until) {
        at += bytesAt(place);
        place += text.codePointAt(place)! > 0xffff ? 2 : 1;
      }
      return at;
    };
    for (const { 0: match, index } of text.matchAll(regex)) {
      if (match.length === 0) continue;
      // Without the flag u, a match may start or end inside a character. Then the whole character counts.
      const begin = isSecondHalf(text, index) ? index - 1 : index;
      found(goTo(begin), goTo(index + match.length));
    }
  }
}

function isSecondHalf(text: string, place: number): boolean {
  return place > 0 && text.codePointAt(place - 1)! > 0xffff;
}

/** Characters of the shortest pattern. A shorter one would match everywhere. */
const LEAST_PATTERN_CHARS = 3;

function compiled(source: string): RegExp {
  try {
    return new RegExp(source, 'giu');
  } catch {
    // Some patterns have escapes that only the older syntax allows.
  }
  try {
    return new RegExp(source, 'gi');
  } catch (error) {
    throw new PatternError(
      'pattern-not-regex',
      `\`${source}\` is not a regular expression: ${error instanceof Error ? error.message : String(error)}.`,
      'Correct it, or mask the text literally.',
    );
  }
}

const TOO_SHORT = new PatternError(
  'pattern-too-short',
  `A pattern of fewer than ${LEAST_PATTERN_CHARS} characters would match everywhere.`,
  'Use more characters of the text to mask.',
);
const TOO_LONG = new PatternError(
  'pattern-too-long',
  `A pattern may have at most ${REDACTION_PATTERN_CHARS} characters.`,
  'Use only the distinctive part of the text.',
);
const TOO_MANY = new PatternError(
  'too-many-patterns',
  `There are more than ${REDACTION_PATTERNS} patterns.`,
  'Join some of them with `|` as a regular expression.',
);

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const UNREADABLE = 0xfffd;

/** A decoded text, with the byte length of each character. */
interface DecodedText {
  readonly text: string;
  /** Returns the byte length of the character at a place. */
  bytesAt(place: number): number;
}

/** Decodes byte text as UTF-8. A byte that is not part of a character becomes a character of its own. */
function decodeBytes(bytes: string): DecodedText {
  if (/^[\0-\x7f]*$/.test(bytes)) return { text: bytes, bytesAt: () => 1 };
  const raw = bytesOfText(bytes);
  try {
    const text = strict.decode(raw);
    return { text, bytesAt: (place) => lengthOf(text.codePointAt(place)!) };
  } catch {
    return readDamaged(raw);
  }
}

/** Decodes one character at a time, without throwing for invalid bytes: there may be millions. */
function readDamaged(raw: Uint8Array): DecodedText {
  let text = '';
  /** Places of invalid bytes, to tell them from a U+FFFD that was sent. */
  const unreadable = new Set<number>();
  for (let at = 0; at < raw.length; ) {
    const point = pointAt(raw, at);
    if (point === undefined) unreadable.add(text.length);
    text += String.fromCodePoint(point ?? UNREADABLE);
    at += point === undefined ? 1 : lengthOf(point);
  }
  return { text, bytesAt: (place) => (unreadable.has(place) ? 1 : lengthOf(text.codePointAt(place)!)) };
}

/** Returns the code point that starts here; undefined for invalid UTF-8. */
function pointAt(raw: Uint8Array, at: number): number | undefined {
  const first = raw[at]!;
  if (first < 0x80) return first;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc0 || first > 0xf7 || at + length > raw.length) return undefined;
  let point = first & (0x7f >> length);
  for (let next = at + 1; next < at + length; next++) {
    if ((raw[next]! & 0xc0) !== 0x80) return undefined;
    point = (point << 6) | (raw[next]! & 0x3f);
  }
  const isSurrogate = point >= 0xd800 && point < 0xe000;
  return point > 0x10ffff || isSurrogate || lengthOf(point) !== length ? undefined : point;
}

/** Returns the length of a code point in UTF-8. */
function lengthOf(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
