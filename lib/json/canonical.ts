import { JsonSource } from './source';

/**
 * Returns one text for all spellings of a JSON value, much like RFC 8785: members sorted by name, no white space, one
 * way to escape, only the last of repeated names. Unlike in RFC 8785, numbers keep all digits, so 2^53 and 2^53 + 1
 * differ, while `1.0`, `1` and `10e-1` are equal. Invalid JSON is returned as it is. Use it to compare, not to send.
 */
export function canonicalJson(text: string): string {
  const source = JsonSource.parse(text);
  return source === undefined ? text : canonicalSource(source);
}

/** Returns the canonical text of a value. Leaves out those of its own members that are named in `except`. */
export function canonicalSource(source: JsonSource, except: ReadonlySet<string> = NOTHING): string {
  if (source.kind === 'object') {
    const written = [...lastMembers(source)]
      .filter(([name]) => !except.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalSource(member)}`);
    return `{${written.join(',')}}`;
  }
  if (source.kind === 'array') {
    const items = source.children(Number.POSITIVE_INFINITY).children;
    return `[${items.map((item) => canonicalSource(item.source)).join(',')}]`;
  }
  if (source.kind === 'string') return JSON.stringify(source.value);
  return source.kind === 'number' ? canonicalNumber(source.text) : source.text;
}

/** Returns an object's members by name. The last of repeated names wins, as in parsers. */
export function lastMembers(source: JsonSource): ReadonlyMap<string, JsonSource> {
  const { children } = source.children(Number.POSITIVE_INFINITY);
  return new Map(children.map((child) => [child.name!, child.source]));
}

const NOTHING: ReadonlySet<string> = new Set();
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const ZERO = 0x30;

/** Writes digits without leading or trailing zeros, and an exponent if needed. */
function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (start < end && digits.charCodeAt(start) === ZERO) start++;
  while (end > start && digits.charCodeAt(end - 1) === ZERO) end--;
  if (start === end) return '0';
  const power = Number(exponent) - fraction.length + digits.length - end;
  if (!Number.isSafeInteger(power)) return text;
  return `${sign}${digits.slice(start, end)}${power === 0 ? '' : `e${power}`}`;
}
