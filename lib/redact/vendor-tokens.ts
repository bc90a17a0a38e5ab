import { lengthAt } from './byte-text';
import type { RuleId } from './rules';
import { ALPHABETS, CHECKS, PIECES, VENDOR_FACTS } from './vendor-facts';

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
  readonly check: keyof typeof CHECKS | undefined;
  /**
   * Its literals occur nowhere else. Such a token may stand inside a word, and all of the run belongs to it: half of a
   * token would look masked.
   */
  readonly isDistinct: boolean;
}

/** A token in a text. */
export interface VendorToken {
  readonly kind: VendorKind;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the longest token of the kinds of these literals, which stand at `at`; undefined if there is none. It starts
 * at or after `after`.
 */
export function vendorTokenAt(
  text: string,
  at: number,
  literals: readonly { readonly kinds: readonly VendorKind[] }[],
  after = 0,
): VendorToken | undefined {
  let best: VendorToken | undefined;
  // Data of zeros has a literal at every byte, so nothing is allocated for one.
  for (const { kinds } of literals) {
    for (const kind of kinds) {
      const from = startBefore(text, at, kind);
      if (from < after || (!kind.isDistinct && isInsideWord(text, from))) continue;
      const pattern = patternOf(kind);
      const to = from + lengthAt(pattern, text, from);
      if (to <= (best?.to ?? from)) continue;
      if (!kind.check || CHECKS[kind.check](text.slice(from, to))) best = { kind, from, to };
    }
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

const PART = /\{(uuid|pem|([a-zA-Z])(\d+)(?:-(\d+))?(\+)?)\}|\\?./g;

/** Made when they are first needed, because most never are. */
const PATTERNS = new Map<string, RegExp>();

/** Returns the sticky pattern of a whole token. */
function patternOf(kind: VendorKind): RegExp {
  const made = PATTERNS.get(kind.shape) ?? madePattern(kind);
  PATTERNS.set(kind.shape, made);
  return made;
}

/** Slashes may be escaped, as in JSON. */
function madePattern({ shape, isDistinct }: VendorKind): RegExp {
  const source = shape.replace(PART, (part, piece, alphabet, least, most, open, at) => {
    if (PIECES[piece]) return PIECES[piece];
    if (piece && isDistinct && at + part.length === shape.length)
      return `[${ALPHABETS[alphabet]}]{${least}}[A-Za-z0-9${ALPHABETS[alphabet]}]{0,${MOST_CHARS}}`;
    if (piece) return `[${ALPHABETS[alphabet]}]{${least}${open ? `,${MOST_CHARS}` : most ? `,${most}` : ''}}`;
    if (part === '/') return '\\\\{0,3}/';
    if (part === '(') return '(?:';
    return '|)'.includes(part) || part.length > 1 ? part : part.replace(/[.*+?^$[\]\\]/, '\\$&');
  });
  // A shape ends where its last alphabet does, or before the dot of a sentence.
  const [more = ''] = /_?-?$/.exec(ALPHABETS[lastAlphabet(shape)] ?? '')!;
  const isOpen = isDistinct || shape.endsWith('+}');
  return new RegExp(`(?:${source})(?<!\\.)${isOpen ? '' : `(?![A-Za-z0-9${more}])`}`, 'y');
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
/** Texts that no word has, nor base64: with `_` or `-`. */
const DISTINCT = /^(?=.*[_-]).{4}/;

function kindOf(rule: RuleId, line: string): VendorKind {
  const [, name = '', shape = '', check] = /^(.+?): (.+?)(?: #(\w+))?$/.exec(line)!;
  const [lead] = /^(?:\{\w[\d-]*\})*/.exec(shape)!;
  const pieces = Array.from(lead.matchAll(PART), ([, , alphabet, least, most = least]) => ({
    characters: ALPHABETS[alphabet!]!,
    least: Number(least),
    most: Number(most),
  }));
  const total = (bound: 'least' | 'most') => pieces.reduce((sum, piece) => sum + piece[bound], 0);
  const starts = literalsOf(shape.slice(lead.length)).flatMap((start) =>
    start.length > 1 ? [start] : pairsOf(start, shape),
  );
  return {
    name,
    rule,
    shape,
    check: check as keyof typeof CHECKS | undefined,
    isDistinct:
      lead === '' && !/^(?:digit|cases|mixed)$/.test(check ?? '') && starts.every((start) => DISTINCT.test(start)),
    starts: starts.flatMap((start) => (start.includes('/') ? [start, start.replaceAll('/', '\\/')] : [start])),
    lead: {
      least: total('least'),
      most: total('most'),
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

/** All literals, and the kinds of each. A literal alone proves nothing: use {@link vendorTokenAt}. */
export const VENDOR_STARTS: ReadonlyMap<string, readonly VendorKind[]> = startsOf(VENDOR_KINDS);

function startsOf(all: readonly VendorKind[]): Map<string, VendorKind[]> {
  const byText = new Map<string, VendorKind[]>();
  for (const kind of all) for (const text of kind.starts) byText.set(text, [...(byText.get(text) ?? []), kind]);
  return byText;
}
