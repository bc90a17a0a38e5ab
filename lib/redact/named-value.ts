import { matchAt, percentDecoded } from './byte-text';
import { PLACEHOLDER_START } from './placeholders';
import { isWorkingDirectory, type NamedSecret, type NamePlace, namedSecret } from './secret-names';
import { canBeValue, isDistinctive, isRandom, isSeedPhrase, seedPhraseAt, WORDS_CHARS } from './secret-values';
import { basicPassword, isBasic } from './shapes';
import { type NameInText, type Separator, separatorBehind } from './triggers';

/** A value in a text, and the kind of secret its name makes it. */
interface NamedValue {
  readonly from: number;
  readonly to: number;
  readonly secret: NamedSecret;
  /** The value with percent-encoding decoded. */
  readonly value: string;
  /** The password of a Basic credential. */
  readonly password?: string | undefined;
}

const SEPARATOR = /(?:\\{0,7}["'`]|[\]}])?\*{0,2}\s{0,4}(:|=>?|%3[dD])\*{0,2}\s{0,4}/y;
const FLAG_SEPARATOR = /["']?(?:\s{1,4}|=)(?!-)/y;

/**
 * Returns the secret value of a name: `password=x`, `"token": "x"`, `--api-key x`, `?code=x`, `<token>x</token>`.
 * Returns undefined if the value is not a secret. A quoted value ends at the same quote. `lines` was made for this
 * text.
 */
export function namedValue(text: string, name: NameInText, weak: boolean, lines: CookieLines): NamedValue | undefined {
  const { to, place } = name;
  const secret = secretNamed(text, name);
  if (!secret || (secret.weak && !weak)) return undefined;
  const separator = matchAt(SEPARATOR, text, to) ?? (place === 'flag' ? matchAt(FLAG_SEPARATOR, text, to) : undefined);
  const markup = separator ? undefined : separatorBehind(text, name);
  if (!separator && !markup) return undefined;
  const start = to + (separator?.[0].length ?? markup?.length ?? 0);
  const line = separator?.[0] === '=' ? lineSpan(text, name, start) : undefined;
  const span = line ?? spanAt(text, start, place, secret, lines, markup);
  if (!span) return undefined;
  const { from } = span;
  const written = text.slice(from, span.to);
  const value = place === 'query' ? percentDecoded(written) : written;
  if (separator && place === 'text' && isWorkingDirectory(text.slice(name.from, to), value) && !isLogin(text, name))
    return undefined;
  const required = (row: NamedSecret) => requiredLook(row, span, place, separator, markup);
  const judged = judgeSecret(value, secret, weak, required);
  if (!judged) return undefined;
  const isBasic64 = secret.value === 'pair' || BASIC.test(text.slice(Math.max(0, from - 9), from));
  const password = isBasic64 ? basicPassword(value) : undefined;
  return { from, to: span.to, secret: judged, value, password };
}

function spanAt(
  text: string,
  start: number,
  place: NameInText['place'],
  secret: NamedSecret,
  lines: CookieLines,
  markup: Separator | undefined,
): ValueSpan | undefined {
  if (markup?.kind === 'element') return elementSpan(text, start);
  if (markup?.kind === 'netrc') return netrcSpan(text, start);
  const phrase = secret.value === 'phrase' ? seedPhraseAt(text, start) : undefined;
  return phrase ? { ...phrase, quoted: true } : valueSpan(text, start, place, secret, lines);
}

/** Judges a value by its name: a certain secret, a suspicion (only if `weak`), or undefined. */
export function judgeSecret(
  value: string,
  secret: NamedSecret,
  weak: boolean,
  required = (row: NamedSecret): NamedSecret['value'] => row.value,
): NamedSecret | undefined {
  if (isSecretValue(value, required(secret))) return !secret.weak || weak ? secret : undefined;
  const { suspectedIf } = secret;
  if (!weak || suspectedIf === undefined || !isSecretValue(value, required({ ...secret, value: suspectedIf })))
    return undefined;
  return { rule: 'secret-name', value: suspectedIf, weak: true };
}

const LOGIN = /;\s*$|(?:^|[\s;"'])(?:uid|user(?: ?id)?|server|dsn|driver|data source|host|database)\s*=/i;

/**
 * Returns true if a name stands in a connection string: `Server=h;UID=sa;PWD=…`. Looks only at the name's line, up to
 * `AROUND` characters away.
 */
function isLogin(text: string, { from, to }: NameInText): boolean {
  const before = /[^\r\n]*$/.exec(text.slice(Math.max(0, from - AROUND), from))![0];
  const behind = /^[^\r\n]*/.exec(text.slice(to, to + AROUND))![0];
  return LOGIN.test(before) || LOGIN.test(behind);
}

const BASIC = /basic\s{1,4}$/i;

/**
 * Returns the look that a value needs. Prose and code also have names before colons and brackets, so a value there has
 * to look like a secret.
 */
function requiredLook(
  secret: NamedSecret,
  { quoted, wrapped }: ValueSpan,
  place: NameInText['place'],
  separator: RegExpExecArray | undefined,
  markup: Separator | undefined,
): NamedSecret['value'] {
  if (secret.value === 'phrase') return 'phrase';
  if (markup?.kind === 'netrc') return 'any';
  if (markup?.kind === 'phrase') return 'unlike-words';
  if (wrapped || markup?.kind === 'quoted') return secret.value === 'opaque' ? 'opaque' : 'solid';
  const spread = separator ? separator[1] === ':' || /[\s\]}]/.test(separator[0]) : markup?.kind === 'tuple';
  const loose = markup?.kind === 'tuple' || (!quoted && place === 'text');
  return loose && (spread || secret.value === 'not-a-word') ? lookInProse(secret.value) : secret.value;
}

function lookInProse(value: NamedSecret['value']): NamedSecret['value'] {
  return value === 'solid' || value === 'opaque' ? value : 'distinctive';
}

function secretNamed(text: string, { from, to, place }: NameInText): NamedSecret | undefined {
  // Part of a placeholder.
  if (text.startsWith(PLACEHOLDER_START, from - PLACEHOLDER_START.length)) return undefined;
  const name = percentDecoded(text.slice(from, to));
  if (place !== 'query' || !/^(?:code|state)$/i.test(name)) return namedSecret(name, place);
  return isOAuthAround(text, from, to) ? { rule: 'oauth', value: 'any' } : undefined;
}

/** Returns true for `user:password`, plain or in base64. */
function isPair(value: string): boolean {
  const [, password] = /^[^\s:/]{1,100}:(?!\/\/)(\S{4,})$/.exec(value) ?? [];
  return password === undefined ? isBasic(value) : isDistinctive(password);
}

/** Matches table cells that are not secrets: words, numbers, times, names of variables, paths and URLs. */
const NO_CELL = /[ \t\r\n]|^[A-Za-z]*$|^[\d.,:/+-]*$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[:/].*[:/]|\(\)/;
/** Matches hex and UUIDs. */
const MACHINE_MADE = /^(?=.*\d)(?=.*[a-f])(?:[0-9a-f]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** A value with this many characters is too long for a name or number of a thing. */
const OPAQUE_CHARS = 16;
/** A value with this many characters is too long for a word with a digit in prose. */
const UNLIKE_WORDS_CHARS = 12;

/** Returns true if a value has the required look. */
export function isSecretValue(value: string, required: NamedSecret['value']): boolean {
  if (!canBeValue(value)) return false;
  if (required === 'any') return true;
  if (required === 'pair') return isPair(value);
  if (required === 'phrase') return isSeedPhrase(value);
  if (required === 'not-a-word') return !/^[A-Za-z]{1,15}$/.test(value);
  if (required === 'cell' || (required === 'solid-cell' && isDistinctive(value)))
    return value.length >= 4 && !NO_CELL.test(value);
  if (required === 'solid-cell') return false;
  if (required === 'random') return isRandom(value) || MACHINE_MADE.test(value);
  if (!isDistinctive(value)) return false;
  if (required === 'unlike-words') return value.length >= UNLIKE_WORDS_CHARS && /^(?=.*\d)[^\s]+$/.test(value);
  return (
    required === 'distinctive' || (required === 'solid' ? !/\s|^[\d.,]+$/.test(value) : value.length >= OPAQUE_CHARS)
  );
}

const OAUTH =
  /oauth|authori[sz]|callback|redirect|client_id|response_type|grant_type|code_verifier|sso|log-?in|sign-?in|openid/i;
/** Characters read before and after a name. */
const AROUND = 200;

/**
 * Returns true if the name is in a URL or form of OAuth. There `code` and `state` are secrets; elsewhere they are
 * ordinary words.
 */
function isOAuthAround(text: string, start: number, end: number): boolean {
  const before = /[^\s"'<>]*$/.exec(text.slice(Math.max(0, start - AROUND), start))![0];
  const behind = /^[^\s"'<>]*/.exec(text.slice(end, end + AROUND))![0];
  const around = `${before}${text.slice(start, end)}${behind}`;
  return OAUTH.test(around) || (/(?:^|[?&#;])code=/i.test(around) && /(?:^|[?&#;])state=/i.test(around));
}

/** The span of a value after its name. */
interface ValueSpan {
  readonly from: number;
  readonly to: number;
  /** In quotes. Then any text is a value. */
  readonly quoted: boolean;
  /** In brackets. They have many other uses, so the value has to look like a secret. */
  readonly wrapped?: true;
}

const QUOTE = /(?:(?:b|u|r|rb|br)(?=["']))?(\\{0,7})(["'`])/y;
/** Characters of the longest value. A longer one is cut. */
const MOST_VALUE_CHARS = 16_384;
const BARE = new RegExp(`[^\\s"'\`,;&<>()[\\]{}\\\\|]{1,${MOST_VALUE_CHARS}}`, 'y');
const IN_URL = new RegExp(`(?:(?!%26)[^\\s"'\`&#<>()[\\]{}\\\\|;]){1,${MOST_VALUE_CHARS}}`, 'y');
const IN_LINE = new RegExp(`[^\\r\\n"'\\\\]{1,${MOST_VALUE_CHARS}}`, 'y');
const IN_ELEMENT = new RegExp(`[^<]{1,${MOST_VALUE_CHARS}}?(?=\\s{0,20}<\\\\?/)`, 'y');
const IN_NETRC = new RegExp(`[^\\s"'\`\\\\]{1,${MOST_VALUE_CHARS}}`, 'y');
/** Multi-line quotes of Python and TOML. */
const QUOTES = new RegExp(`("""|''')\\s{0,4}([^"']{1,${MOST_VALUE_CHARS}})`, 'y');
/** Wrappers of values: brackets (but not a placeholder's) and the names that programs give to unprintable values. */
const WRAPPING =
  /(?:\$\{|<|(?:(?:Some|Just|Secret\w{0,12}|Hidden|Sensitive|Password|Token|String)?\(|(?!\[redacted:)[[{]){1,3})(?:\\{0,7}["'])?/y;
/** Matches the mark before the first item of a YAML list. */
const ITEM = /-[ \t]{1,4}(?=[^\s-])/y;
/** A YAML scalar that starts on the next line. */
const BLOCK = /[|>][+-]?\d?[ \t]{0,4}\r?\n[ \t]{1,40}/y;

/** Returns the value at a place; undefined if there is none. */
function valueSpan(
  text: string,
  at: number,
  place: NamePlace,
  secret: NamedSecret,
  lines: CookieLines,
): ValueSpan | undefined {
  const { rule } = secret;
  const block = matchAt(BLOCK, text, at);
  if (block) return bare(IN_LINE, text, at + block[0].length);
  const item = place === 'text' && matchAt(ITEM, text, at);
  if (item) return valueSpan(text, at + item[0].length, 'flag', secret, lines);
  const quotes = matchAt(QUOTES, text, at);
  if (quotes) return { from: at + quotes[0].length - quotes[2]!.length, to: at + quotes[0].length, quoted: true };
  const quote = matchAt(QUOTE, text, at);
  let from = at + (quote?.[0].length ?? 0);
  if (rule === 'authorization') from += schemeLength(text, from);
  if (quote) {
    const to = quoteEnd(text, from, quote[2]!, quote[1]!.length);
    // Code uses backticks too.
    if (quote[2] === '`') return to > from ? { from, to, quoted: false, wrapped: true } : undefined;
    return to > from ? { from, to, quoted: true } : undefined;
  }
  const wrapping = matchAt(WRAPPING, text, from);
  if (wrapping) {
    const inside = from + wrapping[0].length;
    const found = bare(BARE, text, inside + (rule === 'authorization' ? schemeLength(text, inside) : 0));
    return found && { ...found, wrapped: true };
  }
  if (rule === 'cookie' && place === 'text') return cookies(lines, from);
  const found = bare(place === 'query' ? IN_URL : BARE, text, from);
  // A call, not a value: `token=getToken()`.
  return found && place === 'text' && text[found.to] === '(' ? undefined : found;
}

function cookies(lines: CookieLines, from: number): ValueSpan | undefined {
  const to = lines.endOf(from, MOST_VALUE_CHARS);
  return to === from || lines.areWords(from, to) ? undefined : { from, to, quoted: false };
}

/** `API_KEY=` at the start of a line, as in settings files. */
const SETTING = /(?:^|[\r\n])[ \t]{0,8}(?:export |set |ENV )?$/;
/** Matches the unquoted value of a setting. Skips shell code: `$(…)`, a call, or a value followed by another word. */
const SET = new RegExp(
  `(?![\\s"'\`$])(?!\\w{1,64}[(.[])(?:(?!\\\\[nrt])\\S){1,${MOST_VALUE_CHARS}}(?=[ \\t]{0,200}(?:#[^\\r\\n]{0,200})?(?:[\\r\\n]|\\\\[nrt]|$))`,
  'y',
);
/** An app password of a mail provider: four groups of four letters. */
const IN_FOURS = /[a-z]{4}(?: [a-z]{4}){3}(?=[ \t]{0,200}(?:[\r\n]|$))/y;

/**
 * Returns the value of a setting on a line of its own. It may have characters that end other values. Returns undefined
 * if there is no such setting.
 */
function lineSpan(text: string, { from, to }: Pick<ValueSpan, 'from' | 'to'>, at: number): ValueSpan | undefined {
  if (!/^[A-Z][A-Z0-9_]*$/.test(text.slice(from, to)) || !SETTING.test(text.slice(Math.max(0, from - 16), from))) {
    return undefined;
  }
  return bare(IN_FOURS, text, at) ?? bare(SET, text, at);
}

/** Returns the word of a `.netrc` at a place. Characters that end other values belong to it. */
function netrcSpan(text: string, at: number): ValueSpan | undefined {
  return bare(IN_NETRC, text, at);
}

/** Returns the text of a markup element at a place. */
function elementSpan(text: string, at: number): ValueSpan | undefined {
  return bare(IN_ELEMENT, text, at);
}

function bare(pattern: RegExp, text: string, from: number): ValueSpan | undefined {
  const found = matchAt(pattern, text, from);
  return found && { from, to: from + found[0].length, quoted: false };
}

/**
 * Returns where a quoted text ends: at the same quote with at most this many backslashes before it, or at the end of
 * the line.
 */
function quoteEnd(text: string, from: number, quote: string, slashes: number): number {
  const last = Math.min(text.length, from + MOST_VALUE_CHARS);
  for (let at = from; at < last; at++) {
    if (text[at] === '\n') return at;
    if (text[at] !== quote) continue;
    let before = 0;
    while (before <= at - from && text[at - 1 - before] === '\\') before++;
    if (before <= slashes) return at - before;
  }
  return last;
}

const AUTH_SCHEME = /(?:Bearer|Basic|Digest|Token|ApiKey|Negotiate|AWS4-HMAC-SHA256|DPoP)\s{1,4}/iy;

/** Returns the length of a scheme before a credential, such as `Bearer `; 0 if there is none. */
export function schemeLength(text: string, at: number): number {
  AUTH_SCHEME.lastIndex = at;
  return AUTH_SCHEME.exec(text)?.[0].length ?? 0;
}

/**
 * Finds the end of the line, where cookie values end. Names of cookies may stand close together, so each line is read
 * once for all of them.
 */
export class CookieLines {
  readonly #ends: NextMatch;
  readonly #digits: NextMatch;
  readonly #spaces: NextMatch;

  constructor(text: string) {
    this.#ends = new NextMatch(text, /[\r\n"'\\]/g);
    this.#digits = new NextMatch(text, /\d/g);
    this.#spaces = new NextMatch(text, /\s/g);
  }

  /** Returns the end of the line at `from`, at most `most` characters away. */
  endOf(from: number, most: number): number {
    return Math.min(this.#ends.indexFrom(from), from + most);
  }

  /** Returns true for a span of words without anything that a secret has (see `isDistinctive`). */
  areWords(from: number, to: number): boolean {
    return to - from >= WORDS_CHARS && this.#spaces.indexFrom(from) < to && this.#digits.indexFrom(from) >= to;
  }
}

/**
 * Finds the next match of a pattern at or after a place. If the places mostly move forward, each part of the text is
 * read only once, however often the pattern is looked for.
 */
class NextMatch {
  readonly #text: string;
  readonly #pattern: RegExp;
  #from = 0;
  #next = -1;

  /** `pattern`: a global expression that matches one character. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** Returns the index of the match, or the text's length if there is none. */
  indexFrom(at: number): number {
    if (at >= this.#from && at <= this.#next) return this.#next;
    this.#pattern.lastIndex = at;
    this.#next = this.#pattern.exec(this.#text)?.index ?? this.#text.length;
    this.#from = at;
    return this.#next;
  }
}
