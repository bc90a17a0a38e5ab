import { crc32 } from 'node:zlib';
import { ALPHABETS } from './vendor-facts';
import type { VendorKind } from './vendor-tokens';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const MIXED = DIGITS + UPPER + LOWER;
const CHARACTERS: Readonly<Record<string, string>> = {
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  x: `${DIGITS}abcdefABCDEF`,
  l: LOWER,
  L: UPPER + LOWER,
  n: DIGITS + LOWER,
  N: DIGITS + UPPER,
  m: MIXED,
  i: MIXED,
  w: MIXED,
  u: MIXED,
  v: MIXED,
  y: MIXED,
  t: MIXED,
  b: MIXED,
  p: MIXED,
  c: MIXED,
  g: MIXED,
  s: MIXED,
  k: UPPER,
  B: MIXED.replace(/[0OIl]/g, ''),
};

let seed = 1;

/** Returns a number below `most`. The same run makes the same numbers. */
function next(most: number): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * most);
}

function random(characters: string, length: number): string {
  return Array.from({ length }, () => characters[next(characters.length)]).join('');
}

/** A part of an example that can lose a character. */
export interface Example {
  readonly text: string;
  /** The same with one character less than the shape allows, in its longest part; undefined without such a part. */
  readonly short: string | undefined;
}

/** Returns a shape without alternatives. Of so many ways, `choose` takes one. */
function plainShape(shape: string, choose: (ways: number) => number): string {
  let plain = shape;
  for (let before = ''; before !== plain; ) {
    before = plain;
    // Innermost alternatives first.
    plain = plain.replace(/(?<!\\)\(([^()]*)\)/, (_, inside: string) => {
      const ways = inside.split(/(?<!\\)\|/);
      return ways[choose(ways.length)]!;
    });
  }
  return plain;
}

/** The characters of an alphabet of the product. */
const charactersOf = (alphabet: string) =>
  Array.from({ length: 95 }, (_, code) => String.fromCharCode(32 + code))
    .filter((one) => new RegExp(`[${ALPHABETS[alphabet]}]`).test(one))
    .join('');

/** Characters by which a piece without a most is longer than its least. */
const OPEN_CHARS = 120;

/** Makes a token of any length and characters that the shape allows. */
export function memberOf({ shape, check }: VendorKind): string {
  return plainShape(shape, next)
    .match(/\{[^}]+\}|\\.|[^{\\]+/g)!
    .map((part): string => {
      if (part === '{uuid}') return [8, 4, 4, 4, 12].map((length) => random('0123456789abcdef', length)).join('-');
      const [, alphabet, least, most, open] = /^\{([a-zA-Z])(\d+)(?:-(\d+))?(\+)?\}/.exec(part) ?? [];
      if (alphabet === undefined) return part.replace('\\', '');
      const longest = open ? Number(least) + OPEN_CHARS : Number(most ?? least);
      const characters = charactersOf(alphabet);
      const made = random(characters, Number(least) + next(longest - Number(least) + 1));
      if (!/digit|cases|mixed/.test(check ?? '') || made.length < 8) return made;
      const end = Array.from('a7Z').filter((one) => characters.includes(one));
      return made.slice(0, -end.length || undefined) + end.join('');
    })
    .join('')
    .replace(/\.$/, 'x');
}

/**
 * Makes an example of the least length from a shape, so that no token stands in our source. Alternatives take turns by
 * `turn`.
 */
export function exampleOf({ shape, check }: VendorKind, turn = 0): Example {
  const plain = plainShape(shape, (ways) => turn % ways);
  const parts = plain.match(/\{[^}]+\}|\\.|[^{\\]+/g)!.map((part): string => {
    if (part === '{uuid}') return [8, 4, 4, 4, 12].map((length) => random('0123456789abcdef', length)).join('-');
    if (part === '{pem}') return `\n${random(MIXED, 64)}\n${random(MIXED, 40)}\n`;
    const [, alphabet, least] = /^\{([a-zA-Z])(\d+)/.exec(part) ?? [];
    if (alphabet === undefined) return part.replace('\\', '');
    // A digit and both cases at its ends, for the checks.
    const made = random(CHARACTERS[alphabet]!, Number(least));
    return 'muB'.includes(alphabet) ? made.replace(/^(.+)...$/, '$1a7Z') : made;
  });
  const longest = parts.reduce((best, part, at) => (part.length > parts[best]!.length ? at : best), 0);
  const fixed = /\}$|[=\w]$/.test(plain) && !plain.includes('{pem}');
  const text = withChecksum(parts.join(''), check).replace(/\.$/, '');
  const short = parts.with(longest, parts[longest]!.slice(1)).join('');
  return { text, short: fixed && /\{\w[2-9]\d|\{\w1\d\d/.test(plain) ? short : undefined };
}

function withChecksum(text: string, check: VendorKind['check']): string {
  if (check === 'base62') {
    const [from, to] = [text.indexOf('_') + 1, text.length - 6];
    return text.slice(0, to) + base62(crc32(text.slice(from, to))).padStart(6, '0');
  }
  if (check === 'grafana') {
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(text.slice(0, -9)));
    return text.slice(0, -8) + sum.toString('hex');
  }
  if (check === 'cloudflare') {
    const [begin, end] = [text.indexOf('_') + 1, text.length - 8];
    return text.slice(0, end) + crc32(text.slice(begin, end)).toString(16).padStart(8, '0');
  }
  if (check === 'routable') {
    const whole = `${text}.01.1a`;
    return `${whole}${crc32(whole).toString(36).padStart(7, '0')}`;
  }
  return check === 'bech32' ? bech32('AGE-SECRET-KEY-', text.length - 22) : text;
}

const BECH32 = 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L';

/** Returns random data in Bech32 (BIP 173). */
function bech32(prefix: string, length: number): string {
  const codes = Array.from(prefix.toLowerCase(), (one) => one.charCodeAt(0));
  const data = Array.from({ length }, () => next(32));
  const all = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...data, 0, 0, 0, 0, 0, 0];
  const generator = [0x3b6a57b2n, 0x26508e6dn, 0x1ea119fan, 0x3d4233ddn, 0x2a1462b3n];
  const sum = all.reduce((before, value) => {
    const shifted = ((before & 0x1ffffffn) << 5n) ^ BigInt(value);
    return generator.reduce((mixed, term, bit) => ((before >> BigInt(25 + bit)) & 1n ? mixed ^ term : mixed), shifted);
  }, 1n);
  const last = [25n, 20n, 15n, 10n, 5n, 0n].map((bits) => Number(((sum ^ 1n) >> bits) & 31n));
  return `${prefix}1${[...data, ...last].map((value) => BECH32[value]).join('')}`;
}

function base62(value: number): string {
  const digits = DIGITS + UPPER + LOWER;
  return value === 0 ? '' : base62(Math.floor(value / 62)) + digits[value % 62];
}
