import { LIMITS } from '@/lib/wire/limits';
import { byteTextOf } from './byte-text';
import { type ExtraPattern, PatternError } from './finding';
import { KnownValues } from './known-values';

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
    for (const regex of regexes) {
      for (const match of text.matchAll(regex)) {
        if (match[0].length > 0) report(match.index, match.index + match[0].length, match[0]);
      }
    }
  };
}

/** A shorter text would be in everything. */
const LEAST = 3;

function compiled(source: string): RegExp {
  try {
    return new RegExp(byteTextOf(source), 'gi');
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
