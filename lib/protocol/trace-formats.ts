import { parseTraceparent } from '@/lib/wire/trace-context';

// The values of the keys of `_meta` that carry a trace context. https://www.w3.org/TR/trace-context/ and
// https://www.w3.org/TR/baggage/

/** Checks a `traceparent`. */
export function traceparentFault(text: string): string | undefined {
  return parseTraceparent(text) ? undefined : 'is not 00-(32 hex digits)-(16 hex digits)-(2 hex digits)';
}

/** Most members of a `tracestate`. */
const TRACESTATE_MEMBERS = 32;
const STATE_KEY = /^(?:[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}|[a-z][a-z0-9_*/-]{0,255})$/;
/** Printable ASCII without comma and equals sign. */
const STATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,256}$/;

/** Checks a `tracestate`: a list of `key=value`. Empty members are allowed. */
export function tracestateFault(text: string): string | undefined {
  const members = text
    .split(',')
    .map((member) => member.trim())
    .filter(Boolean);
  if (members.length > TRACESTATE_MEMBERS) return `has more than ${TRACESTATE_MEMBERS} members`;
  const keys = new Set<string>();
  for (const member of members) {
    const [key, value] = halves(member);
    if (value === undefined || !STATE_KEY.test(key) || !STATE_VALUE.test(value))
      return `has the invalid member ${JSON.stringify(member.slice(0, 40))}`;
    if (keys.has(key)) return `has the key ${key.slice(0, 40)} twice`;
    keys.add(key);
  }
  return undefined;
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
/** Printable ASCII without space, quote, comma, semicolon and backslash. */
const BAGGAGE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** Checks a `baggage`: a list of `key=value`, each with properties after semicolons. */
export function baggageFault(text: string): string | undefined {
  for (const member of text.split(',')) {
    const [pair = '', ...properties] = member.split(';').map((part) => part.trim());
    if (isPair(pair, true) && properties.every((property) => isPair(property, false))) continue;
    return `has the invalid member ${JSON.stringify(member.slice(0, 40))}`;
  }
  return undefined;
}

function isPair(text: string, needsValue: boolean): boolean {
  const [key, value] = halves(text);
  if (!TOKEN.test(key.trim())) return false;
  return value === undefined ? !needsValue : BAGGAGE_VALUE.test(value.trim());
}

/** Splits at the first equals sign. */
function halves(text: string): readonly [key: string, value: string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
