import { byteTextOf, lengthAt, matchAt, percentDecoded } from './byte-text';
import { JOINTS } from './joint-rows';
import type { NamePlace, SecretName } from './name-rows';
import { isWorkingDirectory, secretName } from './names';
import { PLACEHOLDER_START } from './placeholders';
import { isSecretValue, LEAST_WEAK_CHARS, type Tie } from './secret-values';
import { basicPassword } from './shapes';
import { isDistinctive } from './values';

/** The name of a value in a text. */
export interface NameInText {
  readonly from: number;
  readonly to: number;
  readonly place: NamePlace;
}

/** A secret value in a text, and what its name makes of it. */
interface NamedValue {
  readonly from: number;
  readonly to: number;
  readonly secret: SecretName;
  /** The value with percent-encoding decoded. */
  readonly value: string;
  /** The password of a Basic credential. */
  readonly password?: string | undefined;
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
  return { from: isFlag ? from : from - lengthBefore(text, from, to), to, isFlag };
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
/** Words before a noun that make it the name of a secret: `API key`, `seed phrase`, `mot de passe`. */
const TWO_WORDS =
  /(?:^|[\s"'*(])((?:api|access|secret|private|account|license|master|admin|service|subscription|encryption|signing|seed|recovery|backup|wallet|shared|clé|mot de|auth|client|refresh|bot|app|bearer|webhook|session) )[\w-]+$/i;

/** Returns the length of the words, with their space, that belong to the name from `from` to `to`. */
function lengthBefore(text: string, from: number, to: number): number {
  if (text[from - 1] !== ' ' || to - from > 10) return 0;
  const [, first = ''] = TWO_WORDS.exec(text.slice(Math.max(0, from - 16), to)) ?? [];
  return first.length;
}

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

/** Letters, digits, `_`, `-`, `.`, `%`, and the bytes of other letters. */
function isNameCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x25 ||
    code >= 0x80
  );
}

/** Characters of the longest value. A longer one is cut. */
const MOST_VALUE_CHARS = 16_384;
const SEPARATOR = new RegExp(
  byteTextOf(
    '(?:\\\\{0,7}["\'`])?[\\]}]?\\*{0,2}\\s{0,4}(?:=>|[:=]|%3[dD]|\uff1a)\\*{0,2}[ \\t]{0,8}(?:\\r?\\n[ \\t]{1,40}(?=(?:- )?(?:string\\(\\d{1,6}\\) )?\\S{6,400}[ \\t]*(?:[\\r\\n]|$)))?',
  ),
  'y',
);
const FLAG_SEPARATOR = /["']?(?:\s{1,4}|=)(?!-)|\\{0,7}["'],\s{0,8}(?=\\{0,7}["'](?!-))/y;

/** A name, and how it is tied to the value that follows. */
interface Naming {
  readonly name: NameInText;
  readonly secret: SecretName;
  readonly tie: Tie;
  /** Nothing but the name and its value stands on the line. */
  readonly isLine: boolean;
  readonly pattern: RegExp | undefined;
}

/** Matches text before a name that begins its line. */
const LINE_START = /(?:^|[\r\n]|\\n)[ \t]{0,40}(?:- |export |set |setx |ENV |[+~] )?["']?$/;

/** Returns the secret value of a name in a text; undefined if what follows is none. */
export function namedValue(text: string, name: NameInText, weak: boolean): NamedValue | undefined {
  const { from: begin, to, place } = name;
  const secret = secretIn(text, name);
  if (!secret || (secret.grade === 'weak' && !weak)) return undefined;
  const before = text.slice(Math.max(0, begin - 150), begin);
  const [mark] =
    matchAt(SEPARATOR, text, to) ?? (place === 'flag' ? matchAt(FLAG_SEPARATOR, text, to) : undefined) ?? [];
  if (mark !== undefined) {
    const isLine = LINE_START.test(before.slice(-60));
    const isTight = mark === '=' || place === 'query' || place === 'flag';
    const isSetting = place === 'text' ? isTight && isLine : isTight || isLine;
    const naming = { name, secret, tie: isSetting ? 'setting' : 'prose', isLine, pattern: undefined } as const;
    return valueAt(text, to + mark.length, naming, weak);
  }
  for (const { tie, before: needed, behind, value: pattern } of JOINTS) {
    const [joint] = matchAt(behind, text, to) ?? [];
    if (joint === undefined || (needed && !needed.test(before))) continue;
    if (tie === 'words' && !weak && place === 'text' && !/is|was|["']/.test(joint)) continue;
    return valueAt(text, to + joint.length, { name, secret, tie, isLine: false, pattern }, weak);
  }
  return undefined;
}

const OAUTH =
  /oauth|authori[sz]|callback|redirect|client_id|response_type|grant_type|code_verifier|sso|log-?in|sign-?in|openid/i;
/** Characters read before and after a name. */
const AROUND = 200;

/** In a URL or form of OAuth, `code` and `state` are secrets. Elsewhere they are ordinary words. */
function secretIn(text: string, { from, to, place }: NameInText): SecretName | undefined {
  const name = percentDecoded(text.slice(from, to));
  if (!/^(?:code|state)$/i.test(name)) return secretName(name, place);
  if (place !== 'query') return undefined;
  const around = `${/[^\s"'<>]*$/.exec(text.slice(Math.max(0, from - AROUND), from))![0]}${/^[^\s"'<>]*/.exec(text.slice(from, to + AROUND))![0]}`;
  const isOAuth = OAUTH.test(around) || (/(?:^|[?&#;])code=/i.test(around) && /(?:^|[?&#;])state=/i.test(around));
  return isOAuth ? { rule: 'oauth', grade: 'sure' } : undefined;
}

/** Characters by which a value is judged, as in the patterns below. */
const JUDGED_CHARS = 2048;
const QUOTE = /(?:(?:b|u|r|rb|br|f|@|\$)(?=["'`]))?(\\{0,7})("""|'''|["'`])/y;
const BARE = /[^\s"'`,;&<>()[\]{}\\|]{1,2048}/y;
const IN_URL = /(?:(?!%26|%22)[^\s"'`&#<>()[\]{}\\|;,]){1,2048}/y;
/** A value that is the rest of its line, perhaps before a comment. Shell code is none: `$(…)`, or a call. */
const IN_LINE =
  /(?![\s"'`$\\])(?!\w{1,64}[(.[]\S)(?:(?!\\[nrt])[^\s]){1,2048}?(?=[,;]?[ \t]{0,200}(?:#[^\r\n]{0,200})?(?:[\r\n]|\\[nrt]|$))/y;
/** An app password of a mail provider: four groups of four letters. */
const IN_FOURS = /[a-z]{4}(?: [a-z]{4}){3}(?=[ \t]{0,200}(?:[\r\n]|$))/y;
/** Wrappers of values: brackets (but not a placeholder's) and the names that programs give to unprintable values. */
const WRAPPING =
  /(?:string\(\d{1,6}\) |\(string\) \(len=\d{1,6}\) |\$\{|<|(?:(?:Some|Just|Secret\w{0,12}|Hidden|Sensitive|Password|Token|String)?\(|(?!\[redacted:)[[{]){1,3})\s{0,2}(?:\\{0,7}["'])?/y;
/** A YAML scalar on the next line, and the mark before the first item of a YAML list. */
const BLOCK = /(?:[|>][+-]?\d?)[ \t]{0,4}(?:\r?\n|\\n)[ \t]{1,40}|-[ \t]{1,4}(?=[^\s-])/y;
const COOKIES =
  /(?:[\w.%!~-]{1,100}=[^\s;"'\\]{0,1024}(?:;[ \t]?(?:Path|Domain|Expires|Max-Age|HttpOnly|Secure|SameSite)[^;"'\\\r\n]{0,80})*(?:;[ \t]{0,4}|(?=[\s"'\\]|$))){1,40}/iy;

/** Returns the secret that starts at a place. */
function valueAt(text: string, start: number, naming: Naming, weak: boolean): NamedValue | undefined {
  const { name, secret, isLine, pattern } = naming;
  let at = start + lengthAt(BLOCK, text, start);
  const quote = pattern ? undefined : matchAt(QUOTE, text, at);
  at += quote?.[0].length ?? 0;
  if (quote) at += schemeLength(text, at);
  const wrapping = quote || pattern ? 0 : lengthAt(WRAPPING, text, at);
  at += wrapping;
  if (secret.rule === 'authorization') at += schemeLength(text, at);
  const bare = pattern ?? (name.place === 'query' ? IN_URL : BARE);
  let to = quote ? quoteEnd(text, at, quote[2]!, quote[1]!.length) : at + lengthAt(bare, text, at);
  let tie = naming.tie;
  if (tie === 'prose' && quote) tie = 'data';
  if (tie === 'setting' && wrapping > 0) tie = 'prose';
  if (!quote && !pattern && wrapping === 0) {
    const cookies = secret.rule === 'cookie' ? lengthAt(COOKIES, text, at) : 0;
    if (cookies > 0) [to, tie] = [at + cookies, 'setting'];
    else if (secret.rule === 'cookie' && name.place === 'text') return undefined;
    else if (isLine) to = Math.max(to, at + (lengthAt(IN_FOURS, text, at) || lengthAt(IN_LINE, text, at)));
    // A call, not a value: `token=getToken()`.
    if (name.place === 'text' && text[to] === '(') return undefined;
    if (tie !== 'setting') while (to > at && '.:'.includes(text[to - 1]!)) to--;
  }
  const written = text.slice(at, to);
  const value = name.place === 'query' ? percentDecoded(written) : written;
  // In a connection string or a form, `PWD` is a password.
  const isPath =
    !/[;&]/.test(`${text[name.from - 1]}${text[to]}`) && isWorkingDirectory(text.slice(name.from, name.to), value);
  if (isPath || !isSecretValue(value, secret, tie)) return undefined;
  const isSuspicion = tie === 'words' && !(value.length >= LEAST_WEAK_CHARS && isDistinctive(value));
  if (isSuspicion && !weak) return undefined;
  const isBasic = secret.pair || /basic\s{1,4}$/i.test(text.slice(Math.max(0, at - 9), at));
  const password = isBasic ? basicPassword(value) : undefined;
  const graded: SecretName = isSuspicion ? { ...secret, grade: 'weak' } : secret;
  if (quote || to - at < JUDGED_CHARS) return { from: at, to, secret: graded, value, password };
  // Longer values are judged by their beginning.
  for (let more = lengthAt(bare, text, to); more > 0; more = lengthAt(bare, text, to)) to += more;
  return { from: at, to, secret: graded, value: text.slice(at, to), password };
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

const AUTH_SCHEME =
  /(?:Bearer|Basic|Digest|Token|ApiKey|Api-Key|Negotiate|AWS4-HMAC-SHA256|DPoP|SSWS|GenieKey|Bot)[ \t]{1,8}/iy;

/** Returns the length of a scheme before a credential, such as `Bearer `; 0 if there is none. */
export function schemeLength(text: string, at: number): number {
  return lengthAt(AUTH_SCHEME, text, at);
}
