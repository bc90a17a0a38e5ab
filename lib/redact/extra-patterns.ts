import { LIMITS } from '@/lib/wire/limits';
import { byteTextOf } from './byte-text';
import { type ExtraPattern, PatternError } from './finding';
import { KnownValues } from './known-values';
import { readText } from './read-text';

/** Says where in a byte text a person's own patterns stand. */
export type PatternFinder = (text: string, report: (from: number, to: number, value: string) => void) => void;

/**
 * Patterns made ready. A regular expression may take for ever, and it is the person's own: whoever runs it for a page does so in a Worker
 * that can be ended. Throws {@link PatternError}.
 */
export function patternFinder(patterns: readonly ExtraPattern[]): PatternFinder {
  if (patterns.length > LIMITS.redactionPatterns) throw TOO_MANY;
  const literals = new KnownValues();
  const short: string[] = [];
  const regexes: RegExp[] = [];
  for (const pattern of patterns) {
    const text = 'regex' in pattern ? pattern.regex : pattern.literal;
    if (text.length > LIMITS.redactionPatternChars) throw TOO_LONG;
    const regex = 'regex' in pattern ? compiled(text) : undefined;
    if (text.length < LEAST) throw TOO_SHORT;
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

/** Where regular expressions stand in a byte text: they are about characters, and what they find is whole ones. */
function matches(regexes: readonly RegExp[], bytes: string, found: (from: number, to: number) => void): void {
  const { text, bytesAt } = readText(bytes);
  for (const regex of regexes) {
    let [place, at] = [0, 0];
    /** The byte at which the character at a place begins, or one that begins before it ends. */
    const goTo = (until: number): number => {
      while (place < until) {
        at += bytesAt(place);
        place += text.codePointAt(place)! > 0xffff ? 2 : 1;
      }
      return at;
    };
    for (const { 0: match, index } of text.matchAll(regex)) {
      if (match.length === 0) continue;
      // Without the flag u half a character can be found: all of it is meant.
      const begin = isSecondHalf(text, index) ? index - 1 : index;
      found(goTo(begin), goTo(index + match.length));
    }
  }
}

function isSecondHalf(text: string, place: number): boolean {
  return place > 0 && text.codePointAt(place - 1)! > 0xffff;
}

/** A shorter text would be in everything. */
const LEAST = 3;

function compiled(source: string): RegExp {
  try {
    return new RegExp(source, 'giu');
  } catch {
    // Some write escapes that only the older syntax has.
  }
  try {
    return new RegExp(source, 'gi');
  } catch (error) {
    throw new PatternError(
      'pattern-not-regex',
      `\`${source}\` is no regular expression: ${error instanceof Error ? error.message : String(error)}.`,
      'Correct it, or mask the text as it stands.',
    );
  }
}

const TOO_SHORT = new PatternError(
  'pattern-too-short',
  `A pattern of less than ${LEAST} characters would be found everywhere.`,
  'Give more of the text that you want masked.',
);
const TOO_LONG = new PatternError(
  'pattern-too-long',
  `A pattern may have ${LIMITS.redactionPatternChars} characters.`,
  'Give only the part of the text that tells it from others.',
);
const TOO_MANY = new PatternError(
  'too-many-patterns',
  `There are more than ${LIMITS.redactionPatterns} patterns.`,
  'Join some of them by `|`, as a regular expression.',
);
