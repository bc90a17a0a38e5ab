import { lengthAt } from './byte-text';
import type { RuleId } from './rules';
import { VENDOR_FACTS } from './vendor-facts';

/** A kind of token that a service gives out. */
export interface VendorKind {
  /** The service and the thing, for people: `GitHub personal token`. */
  readonly name: string;
  readonly rule: RuleId;
  /** The shape, as in `vendor-facts.ts`. */
  readonly shape: string;
  /** Literals to look for. A token has one of them `lead` characters after its start. */
  readonly starts: readonly string[];
  /** The characters before the literal. */
  readonly lead: { readonly least: number; readonly most: number; readonly alphabet: RegExp };
  readonly check: CheckId | undefined;
}

/** A token in a text. */
export interface VendorToken {
  readonly kind: VendorKind;
  readonly from: number;
  readonly to: number;
  /** Whether the checksum inside is right, if this kind has one. A token with a wrong one may be a mistyped one. */
  readonly checksum: 'right' | 'wrong' | undefined;
}

/**
 * Returns the longest token of these kinds whose literal stands at `at`; undefined if there is none. It starts at or
 * after `after`.
 */
export function vendorTokenAt(
  text: string,
  at: number,
  kinds: readonly VendorKind[],
  after = 0,
): VendorToken | undefined {
  let best: VendorToken | undefined;
  for (const kind of kinds) {
    const from = startBefore(text, at, kind);
    if (from < after || isInsideWord(text, from)) continue;
    const pattern = patternOf(kind);
    const to = from + lengthAt(pattern, text, from);
    if (to <= (best?.to ?? from)) continue;
    const verdict = kind.check ? CHECKS[kind.check](text.slice(from, to)) : true;
    if (verdict === false) continue;
    best = { kind, from, to, checksum: verdict === true ? undefined : verdict };
  }
  return best;
}

/** Characters of a piece without a most. Expressions of much longer texts can exhaust the stack. */
const MOST_CHARS = 16_384;

/** Returns where a token with its literal at `at` starts; -1 if it can't. */
function startBefore(text: string, at: number, { lead: { least, most, alphabet } }: VendorKind): number {
  if (least === most) return at - least;
  let from = at;
  while (from > 0 && at - from <= most && alphabet.test(text[from - 1]!)) from--;
  return at - from >= least && at - from <= most ? from : -1;
}

/** Returns true if a word continues here. The end of an escape is not part of a word. */
export function isInsideWord(text: string, at: number): boolean {
  if (at === 0 || !isWordCode(text.charCodeAt(at))) return false;
  const before = text.charCodeAt(at - 1);
  if (before !== 0x2d && !isWordCode(before)) return false;
  if (text[at - 2] === '\\') return !'bfnrt'.includes(text[at - 1]!);
  return !(text[at - 3] === '%' && /^%[0-9A-Fa-f]{2}$/.test(text.slice(at - 3, at)));
}

/** Returns true for letters, digits and `_`. Without a regular expression, because most literals are inside words. */
function isWordCode(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
}

/** The characters of an alphabet of `vendor-facts.ts`, as the inside of a character class. */
const ALPHABETS: Readonly<Record<string, string>> = {
  ...{ d: '0-9', h: '0-9a-f', x: '0-9a-fA-F', l: 'a-z', L: 'A-Za-z', n: 'a-z0-9', N: 'A-Z0-9', m: 'A-Za-z0-9' },
  ...{ i: 'A-Za-z0-9-', w: 'A-Za-z0-9_', u: 'A-Za-z0-9_-', v: 'A-Za-z0-9_.=-', y: 'A-Za-z0-9_=-' },
  ...{ t: 'A-Za-z0-9_~.-', b: 'A-Za-z0-9+/', p: 'A-Za-z0-9+/=_-', c: 'A-Za-z0-9+/=_%-' },
  ...{ g: 'A-Za-z0-9+/_\\\\-', s: 'A-Za-z0-9@/\\\\-', k: 'A-Z0-9 ' },
};
const PIECES: Readonly<Record<string, string>> = {
  uuid: '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
  pem: '(?:[^-]|-(?!----)){16,16384}',
};
const PART = /\{(uuid|pem|([a-zA-Z])(\d+)(?:-(\d+))?(\+)?)\}|\\?./g;

/** Made when they are first needed, because most never are. */
const PATTERNS = new Map<string, RegExp>();

/** Returns the sticky pattern of a whole token. */
function patternOf({ shape }: VendorKind): RegExp {
  const made = PATTERNS.get(shape) ?? madePattern(shape);
  PATTERNS.set(shape, made);
  return made;
}

/** Slashes may be escaped, as in JSON. */
function madePattern(shape: string): RegExp {
  const source = shape.replace(PART, (part, piece, alphabet, least, most, open) => {
    if (PIECES[piece]) return PIECES[piece];
    if (piece) return `[${ALPHABETS[alphabet]}]{${least}${open ? `,${MOST_CHARS}` : most ? `,${most}` : ''}}`;
    if (part === '/') return '\\\\{0,3}/';
    if (part === '(') return '(?:';
    return '|)'.includes(part) || part.length > 1 ? part : part.replace(/[.*+?^$[\]\\]/, '\\$&');
  });
  // A shape ends where its last alphabet does, or before the dot of a sentence.
  const [more = ''] = /_?-?$/.exec(ALPHABETS[lastAlphabet(shape)] ?? '')!;
  return new RegExp(`(?:${source})(?<!\\.)${shape.endsWith('+}') ? '' : `(?![A-Za-z0-9${more}])`}`, 'y');
}

/** Returns the alphabet of the piece at the end of a shape; '' if it ends otherwise. */
function lastAlphabet(shape: string): string {
  return /\{([a-zA-Z])[^}]*\}$/.exec(shape)?.[1] ?? '';
}

/** Returns the literals that a shape without a lead starts with: one for each way through its alternatives. */
function literalsOf(shape: string): string[] {
  const [, text = '', alternatives, rest = ''] = /^((?:[^({\\]|\\.)*)(?:\(([^(){}]*)\)(.*))?/s.exec(shape)!;
  const plain = text.replaceAll('\\', '');
  if (alternatives === undefined) return [plain];
  return alternatives.split(/(?<!\\)\|/).flatMap((one) => literalsOf(rest).map((more) => plain + one + more));
}

/** Returns a literal of one character with each character that may follow it, because one alone is too common. */
function pairsOf(literal: string, shape: string): string[] {
  const [, next = ''] = /[^{]\{([a-zA-Z])/.exec(shape)!;
  const alphabet = new RegExp(`[${ALPHABETS[next]}]`);
  const ascii = Array.from({ length: 94 }, (_, code) => String.fromCharCode(33 + code));
  return ascii.filter((one) => alphabet.test(one)).map((one) => literal + one);
}

const NEVER = /$^/;

function kindOf(rule: RuleId, line: string): VendorKind {
  const [, name = '', shape = '', check] = /^(.+?): (.+?)(?: #(\w+))?$/.exec(line)!;
  const [lead] = /^(?:\{\w[\d-]*\})*/.exec(shape)!;
  const pieces = Array.from(lead.matchAll(PART), ([, , alphabet, least, most = least]) => ({
    ...{ characters: ALPHABETS[alphabet!]!, least: Number(least), most: Number(most) },
  }));
  const total = (bound: 'least' | 'most') => pieces.reduce((sum, piece) => sum + piece[bound], 0);
  const starts = literalsOf(shape.slice(lead.length)).flatMap((start) =>
    start.length > 1 ? [start] : pairsOf(start, shape),
  );
  return {
    ...{ name, rule, shape, check: check as CheckId | undefined },
    starts: starts.flatMap((start) => (start.includes('/') ? [start, start.replaceAll('/', '\\/')] : [start])),
    lead: {
      ...{ least: total('least'), most: total('most') },
      alphabet: pieces.length > 0 ? new RegExp(`[${pieces.map(({ characters }) => characters).join('')}]`) : NEVER,
    },
  };
}

/** All kinds. */
export const VENDOR_KINDS: readonly VendorKind[] = VENDOR_FACTS.trim()
  .split(/^\[/m)
  .slice(1)
  .flatMap((section) => {
    const [rule, ...lines] = section.trim().split('\n');
    return lines.map((line) => kindOf(rule!.slice(0, -1) as RuleId, line));
  });

/** A literal to look for, and its kinds. Alone it proves nothing: use {@link vendorTokenAt}. */
export interface VendorStart {
  readonly text: string;
  readonly kinds: readonly VendorKind[];
}

/** All literals. */
export const VENDOR_STARTS: readonly VendorStart[] = Array.from(startsOf(VENDOR_KINDS), ([text, kinds]) => ({
  text,
  kinds,
}));

function startsOf(all: readonly VendorKind[]): Map<string, VendorKind[]> {
  const byText = new Map<string, VendorKind[]>();
  for (const kind of all) {
    for (const text of kind.starts) byText.set(text, [...(byText.get(text) ?? []), kind]);
  }
  return byText;
}

/** Result of a check: whether the text is a token at all, or what its checksum says. */
type Verdict = boolean | 'right' | 'wrong';
type CheckId = keyof typeof CHECKS;

const checksum = (isRight: boolean): Verdict => (isRight ? 'right' : 'wrong');

/** Checks that a shape can't express. */
const CHECKS = {
  /** For shapes that words also have. */
  digit: (token: string) => /\d/.test(token.slice(3)) && /[A-Za-z]/.test(token.slice(3)),
  cases: (token: string) => /[a-z]/.test(token.slice(3)) && /[A-Z]/.test(token),
  mixed: (token: string) => /\d/.test(token) && /[a-z]/.test(token) && /[A-Z]/.test(token),
  /** GitHub and npm: thirty characters, then their CRC-32 in six digits to base 62. */
  base62: (token: string) => {
    const value = token.slice(token.indexOf('_') + 1);
    return value.length !== 36 || checksum(toBase(62, crc32(value.slice(0, 30))).padStart(6, '0') === value.slice(30));
  },
  /** GitLab's tokens with a dot end in the CRC-32 of all before, in seven digits to base 36. */
  routable: (token: string) => {
    const [, text, sum] = /^(.+\.[0-9a-z]{2}\.[0-9a-z]{2})([0-9a-z]{7})$/.exec(token) ?? [];
    return text === undefined || checksum(toBase(36, crc32(text)).padStart(7, '0') === sum);
  },
  /** The last part is the CRC-32 of the rest, least byte first. */
  grafana: (token: string) => {
    const bytes = crc32(token.slice(0, -9)).toString(16).padStart(8, '0').match(/../g)!;
    return checksum(bytes.reverse().join('') === token.slice(-8).toLowerCase());
  },
  /** Forty characters, then their CRC-32 in hex. */
  cloudflare: (token: string) => {
    const [, value = '', sum] = /_(.{40})(.{8})$/.exec(token)!;
    return checksum(crc32(value).toString(16).padStart(8, '0') === sum);
  },
  bech32: (token: string) => checksum(isBech32(token.toLowerCase())),
} satisfies Readonly<Record<string, (token: string) => Verdict>>;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function toBase(base: 36 | 62, value: number): string {
  if (base === 36) return value.toString(36);
  let [text, left] = ['', value];
  for (; left > 0; left = Math.floor(left / base)) text = DIGITS[left % base] + text;
  return text;
}

/** CRC-32 as in zip files, of ASCII text. Bit by bit, because tokens are short and few. */
function crc32(text: string): number {
  let crc = -1;
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ -1) >>> 0;
}

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BECH32_GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Returns true if the last six characters of `text` are its checksum (BIP 173). */
function isBech32(text: string): boolean {
  const split = text.lastIndexOf('1');
  const prefix = Array.from(text.slice(0, split), (one) => one.charCodeAt(0));
  const values = Array.from(text.slice(split + 1), (one) => BECH32.indexOf(one));
  let sum = 1;
  for (const value of [...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31), ...values]) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of BECH32_GENERATOR.entries()) if ((top >> bit) & 1) sum ^= generator;
  }
  return sum === 1 && !values.includes(-1);
}
