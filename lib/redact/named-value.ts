import { percentDecoded } from './byte-text';
import type { CookieLines } from './cookie-lines';
import { type Joint, jointBehind } from './markup';
import { PLACEHOLDER_START } from './placeholder';
import { isWorkingDirectory, type NamedSecret, namedSecret } from './secret-names';
import { isSeedPhrase, seedPhraseAt } from './seed-phrase';
import { basicPassword, isBasic } from './shapes';
import { sticky } from './sticky';
import type { NameInText } from './triggers';
import { elementSpan, lineSpan, netrcSpan, type ValueSpan, valueSpan } from './value-span';
import { isTelling, isValue } from './value-words';
import { isRandom } from './weak-shapes';

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

const SEPARATOR = /(?:\\{0,7}["'`]|[\]}])?\*{0,2}\s{0,4}(:|=>?|%3[dD])\*{0,2}\s{0,4}/y;
const FLAG_SEPARATOR = /["']?(?:\s{1,4}|=)(?!-)/y;

/**
 * The secret value of a name: `password=x`, `"token": "x"`, `--api-key x`, `?code=x`, `<token>x</token>`. undefined if it is none. What a quote
 * begins goes to the same quote. `lines`: of this text.
 */
export function namedValue(text: string, name: NameInText, weak: boolean, lines: CookieLines): NamedValue | undefined {
  const { to, place } = name;
  const secret = secretCalled(text, name);
  if (!secret || (secret.weak && !weak)) return undefined;
  const separator = sticky(SEPARATOR, text, to) ?? (place === 'flag' ? sticky(FLAG_SEPARATOR, text, to) : undefined);
  const joint = separator ? undefined : jointBehind(text, name);
  if (!separator && !joint) return undefined;
  const start = to + (separator?.[0].length ?? joint?.length ?? 0);
  const line = separator?.[0] === '=' ? lineSpan(text, name, start) : undefined;
  const span = line ?? spanAt(text, start, place, secret, lines, joint);
  if (!span) return undefined;
  const { from } = span;
  const written = text.slice(from, span.to);
  const value = place === 'query' ? percentDecoded(written) : written;
  if (separator && place === 'text' && isWorkingDirectory(text.slice(name.from, to), value) && !isLogin(text, name))
    return undefined;
  const needs = (row: NamedSecret) => neededOf(row, span, place, separator, joint);
  const judged = judgedSecret(value, secret, weak, needs);
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
  joint: Joint | undefined,
): ValueSpan | undefined {
  if (joint?.kind === 'element') return elementSpan(text, start);
  if (joint?.kind === 'netrc') return netrcSpan(text, start);
  const phrase = secret.value === 'phrase' ? seedPhraseAt(text, start) : undefined;
  return phrase ? { ...phrase, quoted: true } : valueSpan(text, start, place, secret, lines);
}

/** What a value is by its name: certain, only a reason to ask, if that is wanted (`weak`), or undefined for no secret. */
export function judgedSecret(
  value: string,
  secret: NamedSecret,
  weak: boolean,
  needs = (row: NamedSecret): NamedSecret['value'] => row.value,
): NamedSecret | undefined {
  if (isSecretValue(value, needs(secret))) return !secret.weak || weak ? secret : undefined;
  const { asked } = secret;
  if (!weak || asked === undefined || !isSecretValue(value, needs({ ...secret, value: asked }))) return undefined;
  return { rule: 'secret-name', value: asked, weak: true };
}

const LOGIN = /;\s*$|(?:^|[\s;"'])(?:uid|user(?: ?id)?|server|dsn|driver|data source|host|database)\s*=/i;

/** True if a name stands in a connection string: `Server=h;UID=sa;PWD=…`. Looks at its line, as far as `AROUND`. */
function isLogin(text: string, { from, to }: NameInText): boolean {
  const before = /[^\r\n]*$/.exec(text.slice(Math.max(0, from - AROUND), from))![0];
  const behind = /^[^\r\n]*/.exec(text.slice(to, to + AROUND))![0];
  return LOGIN.test(before) || LOGIN.test(behind);
}

const BASIC = /basic\s{1,4}$/i;

/** What a value has to look like. Prose and code have names before colons and brackets as well: there it has to look like a secret. */
function neededOf(
  secret: NamedSecret,
  { quoted, wrapped }: ValueSpan,
  place: NameInText['place'],
  separator: RegExpExecArray | undefined,
  joint: Joint | undefined,
): NamedSecret['value'] {
  if (secret.value === 'phrase') return 'phrase';
  if (joint?.kind === 'netrc') return 'any';
  if (joint?.kind === 'phrase') return 'unlike-words';
  if (wrapped || joint?.kind === 'quoted') return secret.value === 'opaque' ? 'opaque' : 'solid';
  const spread = separator ? separator[1] === ':' || /[\s\]}]/.test(separator[0]) : joint?.kind === 'tuple';
  const loose = joint?.kind === 'tuple' || (!quoted && place === 'text');
  return loose && (spread || secret.value === 'word-no') ? worded(secret.value) : secret.value;
}

function worded(value: NamedSecret['value']): NamedSecret['value'] {
  return value === 'solid' || value === 'opaque' ? value : 'telling';
}

function secretCalled(text: string, { from, to, place }: NameInText): NamedSecret | undefined {
  // Within what was taken out already.
  if (text.startsWith(PLACEHOLDER_START, from - PLACEHOLDER_START.length)) return undefined;
  const name = percentDecoded(text.slice(from, to));
  if (place !== 'query' || !/^(?:code|state)$/i.test(name)) return namedSecret(name, place);
  return isOAuthAround(text, from, to) ? { rule: 'oauth', value: 'any' } : undefined;
}

/** `user:password`, or that in base64. */
function isPair(value: string): boolean {
  const [, password] = /^[^\s:/]{1,100}:(?!\/\/)(\S{4,})$/.exec(value) ?? [];
  return password === undefined ? isBasic(value) : isTelling(password);
}

/** In tables: words, numbers, times, names of variables, paths and addresses. */
const NO_CELL = /[ \t\r\n]|^[A-Za-z]*$|^[\d.,:/+-]*$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[:/].*[:/]|\(\)/;
/** Hex, and UUIDs. */
const MADE = /^(?=.*\d)(?=.*[a-f])(?:[0-9a-f]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Characters of what is no name or number of a thing any more. */
const OPAQUE = 16;
/** Of what prose may have a digit in. */
const UNLIKE_WORDS = 12;

/** Whether a value is what its name demands. */
export function isSecretValue(value: string, needs: NamedSecret['value']): boolean {
  if (!isValue(value)) return false;
  if (needs === 'any') return true;
  if (needs === 'pair') return isPair(value);
  if (needs === 'phrase') return isSeedPhrase(value);
  if (needs === 'word-no') return !/^[A-Za-z]{1,15}$/.test(value);
  if (needs === 'cell' || (needs === 'solid-cell' && isTelling(value)))
    return value.length >= 4 && !NO_CELL.test(value);
  if (needs === 'solid-cell') return false;
  if (needs === 'random') return isRandom(value) || MADE.test(value);
  if (!isTelling(value)) return false;
  if (needs === 'unlike-words') return value.length >= UNLIKE_WORDS && /^(?=.*\d)[^\s]+$/.test(value);
  return needs === 'telling' || (needs === 'solid' ? !/\s|^[\d.,]+$/.test(value) : value.length >= OPAQUE);
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
