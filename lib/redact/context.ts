import { asciiCodes, byteTextOf, lengthAt, matchAt, percentDecodedBytes } from './byte-text';
import type { SecretMatch } from './found-secret';
import { JOINTS } from './joint-rows';
import type { NamePlace, SecretName } from './name-rows';
import { isHarmlessName, secretName } from './names';
import { PLACEHOLDER_START } from './placeholders';
import { isLongToken, isSecretValue, type Tie } from './secret-values';
import { passwordIn } from './shapes';
import {
  AUTH_SCHEME,
  BARE,
  BLOCK,
  COOKIES,
  IN_LINE,
  IN_URL,
  LINE_START,
  PARAMETERS,
  QUOTE,
  TWO_WORDS,
  WRAPPING,
} from './writing-rows';

/** The name of a value in a text. */
interface NameInText {
  readonly from: number;
  readonly to: number;
  readonly place: NamePlace;
}

/** Returns the word, or two words, around `at`. */
export function wordAt(
  text: string,
  at: number,
): { readonly from: number; readonly to: number; readonly isFlag: boolean } {
  let begin = at;
  while (begin > 0 && at - begin < NAME_BEFORE_CHARS && isNameCode(text.charCodeAt(begin - 1))) begin--;
  let to = at;
  while (to < text.length && to - at < NAME_AFTER_CHARS && isNameCode(text.charCodeAt(to))) {
    if ((text[to] === '%' && text[to + 1] === '3') || text.startsWith(WIDE_COLON, to)) break;
    to++;
  }
  // A letter after a backslash belongs to an escape.
  if (text[begin - 1] === '\\' && 'bfnrt'.includes(text[begin]!)) begin++;
  let from = begin;
  while (text[from] === '-' || text[from] === '.' || text[from] === '_' || text[from] === '%') from++;
  while (to > from && text[to - 1] === '.') to--;
  const isFlag = text[begin] === '-';
  const isShort = !isFlag && text[from - 1] === ' ' && to - from <= 10;
  const [, first = ''] = (isShort && TWO_WORDS.exec(text.slice(Math.max(0, from - 16), to))) || [];
  return { from: from - first.length, to, isFlag };
}

/** Returns the word, or two words, around `at` as a name. Returns undefined for a placeholder or a type. */
export function nameAt(text: string, at: number): NameInText | undefined {
  const { from, to, isFlag } = wordAt(text, at);
  if (text.startsWith(PLACEHOLDER_START, from - PLACEHOLDER_START.length)) return undefined;
  // The type of a resource: AWS::SecretsManager::Secret, arn:aws:secretsmanager:…:secret:name.
  if (text[from - 1] === ':' && /::$|\barn:[\w:-]{0,80}$/.test(text.slice(Math.max(0, from - 90), from)))
    return undefined;
  const isVariable = /^[A-Z][A-Z\d_]{2,}$/.test(text.slice(from, to));
  return { from, to, place: isQuery(text, from, to) ? 'query' : isFlag ? 'flag' : isVariable ? 'variable' : 'text' };
}

/** The colon of Chinese and Japanese, whose bytes are letters in byte text. */
const WIDE_COLON = byteTextOf('\uff1a');
/** Most characters that a name may have before the part that was found, and from that part on. */
const NAME_BEFORE_CHARS = 64;
const NAME_AFTER_CHARS = 40;

/** Characters in which the next parameter of a form is looked for. */
const FORM_CHARS = 300;

/** Returns true if a name belongs to a URL's query or fragment, or to a form. A form may start with the name. */
function isQuery(text: string, from: number, to: number): boolean {
  if (from === 0) return text[to] === '=' && text.slice(to, to + FORM_CHARS).includes('&');
  return (
    '?&#'.includes(text[from - 1]!) ||
    text.endsWith('&amp;', from) ||
    (text[from - 3] === '%' && /^(?:3F|26|23)$/i.test(text.slice(from - 2, from)))
  );
}

/** By ASCII code: 1 for letters, digits, `_`, `-`, `.` and `%`. */
const NAME_CODES = asciiCodes(/[\w.%-]/);

/** The bytes of other letters belong to a name, too. */
function isNameCode(code: number): boolean {
  return code >= NAME_CODES.length || NAME_CODES[code] === 1;
}

/** A name, and how it is tied to the value that follows. */
interface Naming {
  readonly place: NamePlace;
  readonly secret: SecretName;
  readonly tie: Tie;
  /** Nothing but the name and its value stands on the line. */
  readonly isLine: boolean;
  readonly pattern: RegExp | undefined;
}

/** Returns true for a name in a text that only sounds like a secret's. */
export function isHarmless(text: string, { from, to, place }: NameInText): boolean {
  return isHarmlessName(percentDecodedBytes(text.slice(from, to)), place);
}

/** Returns the secret value of a name in a text; undefined if what follows is none. */
export function namedValue(text: string, name: NameInText, weak: boolean): SecretMatch | undefined {
  const { from, to, place } = name;
  const secret = secretName(percentDecodedBytes(text.slice(from, to)), place);
  if (!secret || (secret.grade === 'weak' && !weak)) return undefined;
  const before = text.slice(Math.max(0, from - 150), from);
  for (const { tie, place: needed, before: start, behind, value: pattern } of JOINTS) {
    const [joint] = needed && needed !== place ? [] : (matchAt(behind, text, to) ?? []);
    if (joint === undefined || (start && !start.test(before))) continue;
    if (tie === 'words' && !weak && place === 'text' && !/is|was|["']/.test(joint)) continue;
    const isLine = !tie && LINE_START.test(before.slice(-60));
    const naming = { place, secret, tie: tie ?? tieOfSign(joint, place, isLine), isLine, pattern };
    return secretAt(text, to + joint.length, naming, weak);
  }
  return undefined;
}

function tieOfSign(sign: string, place: NamePlace, isLine: boolean): Tie {
  const isTight = sign === '=' || place === 'query' || place === 'flag';
  return (place === 'text' ? isTight && isLine : isTight || isLine) ? 'setting' : 'prose';
}

/** Characters by which a value is judged, as in the patterns of `writing-rows.ts`. */
const JUDGED_CHARS = 2048;
/** Characters of the longest value in quotes. A longer one is cut. */
const MOST_VALUE_CHARS = 16_384;

/** Returns the secret that starts at a place. */
function secretAt(text: string, start: number, naming: Naming, weak: boolean): SecretMatch | undefined {
  const { place, secret } = naming;
  const value = valueAt(text, start, naming);
  if (!value) return undefined;
  const { from, tie, more } = value;
  let { to } = value;
  const read = () => (place === 'query' ? percentDecodedBytes(text.slice(from, to)) : text.slice(from, to));
  const written = read();
  if (!isSecretValue(written, secret, tie)) return undefined;
  const isSuspicion = tie === 'words' && !isLongToken(written);
  if (isSuspicion && !weak) return undefined;
  const isBasic = secret.pair || /basic\s{1,4}$/i.test(text.slice(Math.max(0, from - 9), from));
  const password = isBasic ? passwordIn(written) : undefined;
  // Longer values are judged by their beginning.
  while (more && to - from >= JUDGED_CHARS && lengthAt(more, text, to) > 0) to += lengthAt(more, text, to);
  return { rule: secret.rule, from, to, value: read(), password, weak: isSuspicion || secret.grade === 'weak' };
}

/** The place of a value, and the pattern that the rest of a very long one has. */
interface WrittenValue {
  readonly from: number;
  readonly to: number;
  readonly tie: Tie;
  readonly more?: RegExp;
}

/** Reads what follows a name: in quotes, as far as a pattern, or as it stands. */
function valueAt(text: string, start: number, { place, secret, tie, ...naming }: Naming): WrittenValue | undefined {
  let from = start + lengthAt(BLOCK, text, start);
  const quote = naming.pattern ? undefined : matchAt(QUOTE, text, from);
  from += quote?.[0].length ?? 0;
  const wrapping = quote || naming.pattern ? 0 : lengthAt(WRAPPING, text, from);
  from += wrapping;
  if (quote || secret.rule === 'authorization') from += schemeLength(text, from);
  if (quote)
    return { from, to: quoteEnd(text, from, quote[2]!, quote[1]!.length), tie: tie === 'prose' ? 'data' : tie };
  const more = naming.pattern ?? (place === 'query' ? IN_URL : BARE);
  let to = from + lengthAt(more, text, from);
  if (naming.pattern) return { from, to, tie, more };
  if (wrapping > 0) return { from, to, tie: tie === 'setting' ? 'prose' : tie, more };
  if (secret.rule === 'authorization') to = Math.max(to, from + lengthAt(PARAMETERS, text, from));
  if (secret.rule === 'cookie') {
    const cookies = lengthAt(COOKIES, text, from);
    if (cookies > 0) return { from, to: from + cookies, tie: 'setting', more };
    if (place === 'text') return undefined;
  } else if (naming.isLine) to = Math.max(to, from + lengthAt(IN_LINE, text, from));
  // A call, not a value: `token=getToken()`.
  if (place === 'text' && text[to] === '(') return undefined;
  if (tie !== 'setting') while (to > from && '.:'.includes(text[to - 1]!)) to--;
  return { from, to, tie, more };
}

/**
 * Returns where a quoted text ends: at the same quote with at most this many backslashes before it, or at the end of
 * the line.
 */
function quoteEnd(text: string, from: number, quote: string, slashes: number): number {
  const last = Math.min(text.length, from + MOST_VALUE_CHARS);
  for (let at = from; at < last; at++) {
    if (text[at] === '\n' && quote.length === 1) return at;
    if (!text.startsWith(quote, at)) continue;
    let before = 0;
    while (before <= at - from && text[at - 1 - before] === '\\') before++;
    if (before <= slashes) return at - before;
  }
  return last;
}

/** Returns the length of a scheme before a credential, such as `Bearer `; 0 if there is none. */
export function schemeLength(text: string, at: number): number {
  return lengthAt(AUTH_SCHEME, text, at);
}
