import { LIMITS } from '@/lib/wire/limits';
import type { TimeLimit } from '@/lib/wire/time-limit';
import { byteTextOf, strictlyReadable } from './byte-text';
import { type ExtraPattern, PatternError } from './findings';
import { KnownValues } from './known-values';

/** Most patterns that a person can give. */
const REDACTION_PATTERNS = 50;
/** Characters of the longest pattern. */
export const REDACTION_PATTERN_CHARS = 500;
/** Characters of the shortest pattern. A shorter one would match everywhere. */
const LEAST_PATTERN_CHARS = 3;

/** Milliseconds that patterns may take on a text, and the bytes for which there is one more. */
const PATTERN_MS = 500;
const BYTES_PER_MS = 1000;

/**
 * Runs work with patterns on so many bytes, and stops it if it takes too long. Without a limit, the caller has to
 * stop it. Throws {@link PatternError}.
 */
export function withLimit<T>(within: TimeLimit | undefined, bytes: number, work: () => T): T {
  if (!within) return work();
  let made: { readonly value: T } | undefined;
  within(PATTERN_MS + Math.ceil(bytes / BYTES_PER_MS), () => {
    made = { value: work() };
  });
  if (!made) throw new PatternError(...TOO_SLOW);
  return made.value;
}

/** Reports where a person's own patterns match in byte text. */
export type PatternFinder = (text: string, report: (from: number, to: number, value: string) => void) => void;

/**
 * Prepares patterns. A regular expression may run for ever: a page runs it in a Worker that it can terminate, anything
 * else calls it with {@link withLimit}. Throws {@link PatternError}.
 */
export function patternFinder(patterns: readonly ExtraPattern[]): PatternFinder {
  if (patterns.length > REDACTION_PATTERNS) throw new PatternError(...TOO_MANY);
  const literals = new KnownValues();
  const regexes: RegExp[] = [];
  for (const pattern of patterns) {
    const text = 'regex' in pattern ? pattern.regex : pattern.literal;
    if (text.length > REDACTION_PATTERN_CHARS) throw new PatternError(...TOO_LONG);
    const regex = 'regex' in pattern ? compiled(text) : undefined;
    if (text.length < LEAST_PATTERN_CHARS) throw new PatternError(...TOO_SHORT);
    if (regex) regexes.push(regex);
    else if (text.length < LIMITS.secretChars)
      regexes.push(new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'gu'));
    else literals.add({ rule: 'pattern', value: byteTextOf(text) });
  }
  return (text, report) => {
    for (const { from, to, known } of literals.find(text)) report(from, to, known.value);
    if (regexes.length > 0) matches(regexes, text, (from, to) => report(from, to, text.slice(from, to)));
  };
}

/**
 * Reports where regular expressions match in byte text. They match whole characters, not bytes, but in text that is not
 * UTF-8 they see bytes.
 */
function matches(regexes: readonly RegExp[], bytes: string, found: (from: number, to: number) => void): void {
  const text = strictlyReadable(bytes) ?? bytes;
  for (const regex of regexes) {
    let [place, at] = [0, 0];
    /** Returns the byte at which the character at a place starts. */
    const byteAt = (until: number): number => {
      at += text === bytes ? until - place : byteTextOf(text.slice(place, until)).length;
      place = until;
      return at;
    };
    for (const { 0: match, index } of text.matchAll(regex)) {
      if (match.length === 0) continue;
      // Without the flag u, a match may start or end inside a character. Then the whole character counts.
      found(
        byteAt(isInside(text, index) ? index - 1 : index),
        byteAt(index + match.length + isInside(text, index + match.length)),
      );
    }
  }
}

/** Returns 1 if a place is between the halves of a character. */
function isInside(text: string, place: number): 0 | 1 {
  return place > 0 && text.codePointAt(place - 1)! > 0xffff ? 1 : 0;
}

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

const TOO_SLOW = [
  'pattern-too-slow',
  'The patterns to mask took too long on one text.',
  'Avoid repetitions inside repetitions, or mask the text literally.',
] as const;
const TOO_SHORT = [
  'pattern-too-short',
  `A pattern of fewer than ${LEAST_PATTERN_CHARS} characters would match everywhere.`,
  'Use more characters of the text to mask.',
] as const;
const TOO_LONG = [
  'pattern-too-long',
  `A pattern may have at most ${REDACTION_PATTERN_CHARS} characters.`,
  'Use only the distinctive part of the text.',
] as const;
const TOO_MANY = [
  'too-many-patterns',
  `There are more than ${REDACTION_PATTERNS} patterns.`,
  'Join some of them with `|` as a regular expression.',
] as const;
