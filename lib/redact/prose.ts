import { byteTextOf, matchAt } from './byte-text';
import { PLACEHOLDER_START } from './placeholders';
import { isMixed } from './secret-values';
import { canBeValue, isDistinctive, isIdentifier } from './values';
import { KEY_WORDS, PASSWORD_WORDS } from './word-rows';

/** These words in both cases, where JavaScript knows the case of a letter but byte text does not. */
const bothCases = (words: readonly string[]) =>
  new Set(words.flatMap((word) => (/^[\0-\x7f]/.test(word) ? [word] : [word, word[0]!.toUpperCase() + word.slice(1)])));
const OF_PASSWORDS = new Set(Array.from(bothCases(PASSWORD_WORDS), byteTextOf));

/** Every word after which a sentence may give a secret. */
export const NOUNS: readonly string[] = [...bothCases(PASSWORD_WORDS), ...bothCases(KEY_WORDS)];

/** Text between the word and its value: the rest of the word, more words, and a sign or verb. */
const VALUE = '[^\\s"\'`<>{}\\[\\](),;]';
/** Signs that need no space around them. They are letters in byte text. */
const WIDE_SIGNS = byteTextOf('(?:：|は|是)');
const SAID = new RegExp(
  `(?=((?:(?!${WIDE_SIGNS})[\\w\\x80-\uffff’-]){0,24}))\\1(?:[^\\n"\`<>{}=:]{0,40}?${byteTextOf('(?::|：|=|は|是|\\s(?:is|are|to|was|est|ist|lautet|es|é|è|e|jest|är|er|on|adalah|là|—|–|-|->|with|for you|of)(?=[\\s:]))')}[\\s"'\`:*_]{0,4}| ["'\`]?)(?=${VALUE}{0,100}[\\d^%!#$*+~])(?=(${VALUE}{5,400}))`,
  'y',
);
const SHORT_NOUN_CHARS = 4;
/** Matches words that say that a fact about a secret follows. */
const ABOUT =
  /\b(?:identifier|id|usage|algorithm|size|type|version|count|length|limit|fingerprint|hash|name|expires?|expiry|at|after|in|since)s?\b/i;
/** Addresses, paths, times, calls and code. */
const NOT_SAID =
  /^(?:[A-Za-z]:\\|[a-z][a-z+.-]*:\/\/|\.{0,2}\/|[\d.,:/%+-]+[a-z]{0,3}$)|^[A-Za-z_.]+=|^[\w.+-]+@[\w-]+(?:\.|$)|\w\(|^[a-z]\w*\.[A-Z]\w+$|^(?:arn|aws):|^\w+\.\w+\.\w+$|^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/;

/** Returns the value that a sentence names: `The password for it is …`, `Пароль: …`. The noun stands at `at`. */
export function saidAt(
  text: string,
  at: number,
  noun: string,
): { readonly from: number; readonly to: number } | undefined {
  const said = matchAt(SAID, text, at + noun.length);
  if (!said || said[0].includes(PLACEHOLDER_START) || ABOUT.test(said[0])) return undefined;
  // Part of another word: monkey.
  if (noun.length <= SHORT_NOUN_CHARS && /[a-z]/.test(text[at - 1] ?? '')) return undefined;
  const written = said[2]!;
  const value = written.replace(/[.:!?]+$/, '');
  if (!canBeValue(value) || NOT_SAID.test(value)) return undefined;
  const isPassword = OF_PASSWORDS.has(noun) && (isMixed(value) || isDistinctive(value));
  // A space alone proves little, unless a password follows.
  const isKey = /[^\s"'`]/.test(said[0]) && isDistinctive(value) && !isIdentifier(value);
  if (!isPassword && !isKey) return undefined;
  const from = at + noun.length + said[0].length;
  return { from, to: from + (/[!?]$/.test(written) ? written.length : value.length) };
}
