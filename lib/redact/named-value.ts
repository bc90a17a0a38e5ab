import { percentDecoded } from './byte-text';
import { jointBehind } from './markup';
import { type NamedSecret, type NamePlace, namedSecret } from './secret-names';
import { basicPassword } from './shapes';
import type { NameInText } from './triggers';
import { isTelling, isValue } from './value-words';

/** Where a value stands in a text, and what its name makes of it. */
export interface NamedValue {
  readonly from: number;
  readonly to: number;
  readonly secret: NamedSecret;
  /** As it is meant: percent-encoding read. */
  readonly value: string;
  /** Of a Basic credential. */
  readonly password?: string | undefined;
}

const TAKEN_OUT = '[redacted:';
const SEPARATOR = /(?:\\{0,7}["'])?\s{0,4}(:|=|%3[dD])\s{0,4}/y;
const FLAG_SEPARATOR = /["']?(?:\s{1,4}|=)(?!-)/y;
const QUOTE = /(\\{0,7})(["'])/y;
/** Longer ones are cut. */
const VALUE = '{1,16384}';
const BARE = new RegExp(`[^\\s"'\`,;&<>()[\\]{}\\\\|]${VALUE}`, 'y');
const IN_URL = new RegExp(`(?:(?!%26)[^\\s"'\`&#<>()[\\]{}\\\\|;])${VALUE}`, 'y');
const IN_LINE = new RegExp(`[^\\r\\n"'\\\\]${VALUE}`, 'y');
const SCHEME = /(?:Bearer|Basic|Digest|Token|ApiKey|Negotiate|AWS4-HMAC-SHA256|DPoP)\s{1,4}/iy;

/**
 * The secret value of a name: `password=x`, `"token": "x"`, `--api-key x`, `?code=x`, `<token>x</token>`. undefined if it is none. What a quote
 * begins goes to the same quote.
 */
export function namedValue(text: string, name: NameInText, weak: boolean): NamedValue | undefined {
  const { to, place } = name;
  const secret = secretCalled(text, name);
  if (!secret || (secret.weak && !weak)) return undefined;
  const separator = sticky(SEPARATOR, text, to) ?? (place === 'flag' ? sticky(FLAG_SEPARATOR, text, to) : undefined);
  const joint = separator ? undefined : jointBehind(text, name);
  if (!separator && !joint) return undefined;
  const spread = separator ? separator[1] === ':' || /\s/.test(separator[0]) : joint?.kind === 'tuple';
  const start = to + (separator?.[0].length ?? joint?.length ?? 0);
  const span = joint?.kind === 'element' ? inElement(text, start) : valueSpan(text, start, place, secret);
  if (!span) return undefined;
  const { from, quoted } = span;
  const written = text.slice(from, span.to);
  const value = place === 'query' ? percentDecoded(written) : written;
  // Prose and code have names before colons as well: there the value has to look like one.
  const loose = joint?.kind === 'tuple' || (!quoted && place === 'text');
  const needs = loose && (spread || secret.value === 'word-no') ? worded(secret.value) : secret.value;
  if (!isSecretValue(value, needs)) return undefined;
  const password = BASIC.test(text.slice(Math.max(0, from - 9), from)) ? basicPassword(value) : undefined;
  return { from, to: span.to, secret, value, password };
}

const BASIC = /basic\s{1,4}$/i;
const IN_ELEMENT = /[^<]{1,16384}?(?=\s{0,20}<\\?\/)/y;

function inElement(text: string, at: number) {
  const found = sticky(IN_ELEMENT, text, at);
  return found && { from: at, to: at + found[0].length, quoted: false };
}

function worded(value: NamedSecret['value']): NamedSecret['value'] {
  return value === 'solid' || value === 'opaque' ? value : 'telling';
}

function secretCalled(text: string, { from, to, place }: NameInText): NamedSecret | undefined {
  // Within what was taken out already.
  if (text.startsWith(TAKEN_OUT, from - TAKEN_OUT.length)) return undefined;
  const name = percentDecoded(text.slice(from, to));
  if (place !== 'query' || !/^(?:code|state)$/i.test(name)) return namedSecret(name, place);
  return isOAuthAround(text, from, to) ? { rule: 'oauth', value: 'any' } : undefined;
}

/** Characters of what is no name or number of a thing any more. */
const OPAQUE = 16;

/** Whether a value is what its name demands. */
export function isSecretValue(value: string, needs: NamedSecret['value']): boolean {
  if (!isValue(value)) return false;
  if (needs === 'any') return true;
  if (needs === 'word-no') return !/^[A-Za-z]{1,15}$/.test(value);
  if (!isTelling(value)) return false;
  return needs === 'telling' || (needs === 'solid' ? !/\s|^[\d.,]+$/.test(value) : value.length >= OPAQUE);
}

/** Characters of the scheme, `Bearer ` or the like, that stands before a credential; 0 without one. */
export function schemeLength(text: string, at: number): number {
  return sticky(SCHEME, text, at)?.[0].length ?? 0;
}

function valueSpan(text: string, at: number, place: NamePlace, { rule }: NamedSecret) {
  const quote = sticky(QUOTE, text, at);
  let from = at + (quote?.[0].length ?? 0);
  if (rule === 'authorization') from += schemeLength(text, from);
  if (quote) {
    const to = quoteEnd(text, from, quote[2]!, quote[1]!.length);
    return to > from ? { from, to, quoted: true } : undefined;
  }
  const pattern = rule === 'cookie' && place === 'text' ? IN_LINE : place === 'query' ? IN_URL : BARE;
  const found = sticky(pattern, text, from);
  // A call, not a value: `token=getToken()`.
  if (!found || (place === 'text' && text[from + found[0].length] === '(')) return undefined;
  return { from, to: from + found[0].length, quoted: false };
}

const MOST = 16_384;

/** Where the quote is that ends what began behind one with so many backslashes before it; the line's end without one. */
function quoteEnd(text: string, from: number, quote: string, slashes: number): number {
  const last = Math.min(text.length, from + MOST);
  for (let at = from; at < last; at++) {
    if (text[at] === '\n') return at;
    if (text[at] !== quote) continue;
    let before = 0;
    while (before <= at - from && text[at - 1 - before] === '\\') before++;
    if (before <= slashes) return at - before;
  }
  return last;
}

const OAUTH =
  /oauth|authori[sz]|callback|redirect|client_id|response_type|grant_type|code_verifier|sso|log-?in|sign-?in|openid/i;
const AROUND = 200;

/** `code` and `state` are secrets in URLs and forms of OAuth; elsewhere they are any words. */
function isOAuthAround(text: string, start: number, end: number): boolean {
  const before = /[^\s"'<>]*$/.exec(text.slice(Math.max(0, start - AROUND), start))![0];
  const behind = /^[^\s"'<>]*/.exec(text.slice(end, end + AROUND))![0];
  const around = `${before}${text.slice(start, end)}${behind}`;
  return OAUTH.test(around) || (/(?:^|[?&#;])code=/i.test(around) && /(?:^|[?&#;])state=/i.test(around));
}

function sticky(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
