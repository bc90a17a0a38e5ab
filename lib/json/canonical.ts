import { JsonSource } from './source';

/**
 * One text for all ways to write the same JSON value, in the manner of RFC 8785: members sorted by name, no white space, strings
 * escaped one way, of repeated names the last. But numbers keep all their digits, so that 2^53 and 2^53 + 1 differ; `1.0`, `1` and
 * `10e-1` are one. A text that is no JSON comes back as it is. For comparing, not for sending.
 */
export function canonicalJson(text: string): string {
  const source = JsonSource.parse(text);
  return source === undefined ? text : canonicalSource(source);
}

/** The same of a value where it stands; members of its own that are named in `except` are left out. */
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

/** An object's members by name: of those with one name the last, as parsers have it. */
export function lastMembers(source: JsonSource): ReadonlyMap<string, JsonSource> {
  const { children } = source.children(Number.POSITIVE_INFINITY);
  return new Map(children.map((child) => [child.name!, child.source]));
}

const NOTHING: ReadonlySet<string> = new Set();
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const ZERO = 0x30;

/** `-?digits`, or with an exponent; neither leading nor trailing zeros. */
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
