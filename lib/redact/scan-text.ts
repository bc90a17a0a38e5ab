import { byteText, byteTextOf, decodeBase64Text, findBase64Texts, matchAt } from './byte-text';
import { columnsAt, manifestEntries } from './columns';
import { nameAt, namedValue, wordAt } from './context';
import type { SecretScan } from './found-secret';
import { scanGuesses } from './guesses';
import { type Literal, LiteralFinder, type LiteralHit } from './literal-finder';
import { MappedText } from './mapped-text';
import { secretName } from './names';
import { isMasked } from './placeholders';
import { NOUNS, saidAt } from './prose';
import type { RuleId } from './rules';
import { SHAPES, type Shape } from './shapes';
import { canBeValue } from './values';
import { VENDOR_STARTS, type VendorKind, vendorTokenAt } from './vendor-tokens';

/** Bytes scanned in one step, a few milliseconds of work. */
export const REDACTED_SLICE_BYTES = 64 * 1024;

/** Text that names of secrets contain, other than the nouns of sentences. */
const NAME_PARTS = [
  ...[
    'pass',
    'creds',
    'cookie',
    'authorization',
    'bearer',
    'session',
    'jwt',
    'verifier',
    'assertion',
    'saml',
    'devicecode',
  ],
  ...[
    'device_code',
    'auth_code',
    'authcode',
    'signature',
    'code=',
    'state=',
    'sig=',
    'hmac=',
    '_auth',
    '-auth',
    'auth=',
    'auth"',
  ],
  ...[
    'auth\\',
    'auth:',
    'ticket=',
    'sid"',
    'sid=',
    'sid\\',
    'sessid',
    'pat"',
    'pat=',
    'pat\\',
    '_pat',
    'mnemonic',
    'seed',
  ],
  ...['phrase', 'recovery', 'chl\u00fcssel', 'schluessel', 'mdp', 'pw"', 'pw=', 'pw:'],
];

interface Begins extends Literal {
  readonly shapes?: readonly Shape[];
  /** Kinds of tokens that services give out. */
  readonly kinds?: readonly VendorKind[];
  readonly isNoun?: boolean;
}

/** Every text at which a secret or its name may begin, each once. */
const ALL: readonly Begins[] = [
  ...SHAPES.flatMap((shape) => shape.starts.map((text): Begins => ({ text, shapes: [shape] }))),
  ...VENDOR_STARTS,
  ...NOUNS.map((text) => ({ text, anyCase: true, isNoun: true })),
  ...NAME_PARTS.map((text) => ({ text, anyCase: true })),
];
const LITERALS: readonly Begins[] = [...new Set(ALL.map(({ text }) => text))].map((text) => {
  const same = ALL.filter((one) => one.text === text);
  return Object.assign({}, ...same, { shapes: same.flatMap(({ shapes = [] }) => shapes) });
});

/** An escaped ASCII character, which programs rarely write, so it may hide something; and the start of a colour. */
const HIDERS: readonly Literal[] = [{ text: '\\u00' }, { text: '\u001b[' }, { text: '&#' }, { text: 'kind: Secret' }];

/** With byte text. */
const READ = LITERALS.map((literal) => ({ ...literal, text: byteTextOf(literal.text) }));
/** Whether a literal is or ends in part of a name. */
const ENDS_IN_NAME = LITERALS.map(({ text }) =>
  LITERALS.some((one) => one.anyCase && text.toLowerCase().endsWith(one.text)),
);

const IN_TEXT = new LiteralFinder(LITERALS);

/** Two characters that numbers and times in every frame have. They would stop the search everywhere. */
const EVERYWHERE = /^[:\d].$/;
/** Nouns that names have. Those of other sentences are only looked for when sharing. */
const IN_NAMES = /^(?:token|secret|key|pass|pwd|credential|kennwort)/;
/** The index of each literal that is looked for in every frame. */
const FRAME_LITERALS = LITERALS.map((literal, index) => ({ ...literal, index })).filter(
  ({ text, isNoun }) => !EVERYWHERE.test(text) && (!isNoun || IN_NAMES.test(text)),
);
const IN_FRAME = new LiteralFinder([...FRAME_LITERALS.map(({ index }) => LITERALS[index]!), ...HIDERS]);

/** Returns true if a frame has to be scanned. Any other frame has no certain secret. */
export function hasTrigger(bytes: Uint8Array): boolean {
  let text: string | undefined;
  for (let hit = IN_FRAME.nextInBytes(bytes, 0); hit; hit = IN_FRAME.nextInBytes(bytes, hit.end, hit.state)) {
    const index = FRAME_LITERALS[hit.index]?.index;
    if (index === undefined) {
      if (hit.index > FRAME_LITERALS.length || isAsciiEscape(bytes[hit.end], bytes[hit.end + 1])) return true;
      continue;
    }
    const literal = LITERALS[index]!;
    if (literal.shapes!.length > 0) return true;
    const isName = ENDS_IN_NAME[index]!;
    const start = hit.end - READ[index]!.text.length;
    if (!isName && !mayStart(bytes, start, IS_LED[index]!)) continue;
    text ??= byteText(bytes);
    if (literal.kinds && vendorTokenAt(text, start, literal.kinds)) return true;
    if (!isName) continue;
    const { from, to } = wordAt(text, start);
    MAY_FOLLOW.lastIndex = to;
    if (!MAY_FOLLOW.test(text)) continue;
    const word = text.slice(from, to);
    // More names are secret in queries and variables than elsewhere.
    const secret = secretName(word, 'query') ?? secretName(word, 'variable');
    if ((secret && secret.grade !== 'weak') || /^(?:code|state)$/i.test(word)) return true;
  }
  return false;
}

/** Whether a token of each literal has characters before the literal. */
const IS_LED = LITERALS.map(({ kinds = [] }) => kinds.some(({ lead }) => lead.most > 0));

/** Returns false if no token can have its literal at `start`, because of the bytes before it. */
function mayStart(bytes: Uint8Array, start: number, isLed: boolean): boolean {
  const isBehindWord = isWordByte(bytes[start - 1] ?? 0);
  const isBehindEscape = bytes[start - 2] === BACKSLASH || bytes[start - 3] === PERCENT;
  return isLed ? isBehindWord : !isBehindWord || isBehindEscape;
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;

/** Letters, digits, `_` and `-`. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    byte === 0x5f ||
    byte === 0x2d
  );
}

/** Text that may stand between a name and its value, or after a column's name. */
const MAY_FOLLOW =
  /(?:\\[nrt]|[\\"'`\]}*\s]){0,8}(?:[a-z]{0,12}:|\\[nrt]|[:=,;|>\]\t\r\n(]|%3[dD]|\s(?:is|was|es|est|lautet)\s|["'`\s]|\uff1a|\u00ef\u00bc)/y;

/** Returns true if the two digits after `\u00` are of an ASCII character (20 to 7f) or begin a colour (1b). */
function isAsciiEscape(byte = 0, next = 0): boolean {
  return (byte >= 0x32 && byte <= 0x37) || (byte === 0x31 && (next | 0x20) === 0x62);
}

/** Terminal colours, which loggers put around names and values. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CSI = /\u001b\[[0-?]{0,32}[ -/]{0,4}[@-~]/g;

/** Ways to write a character other than JSON's own: in URLs in URLs, in HTML, in nested JSON. */
const WRITTEN: readonly {
  readonly sign: string;
  readonly pattern: RegExp;
  readonly meaning: (written: string) => string;
}[] = [
  { sign: '%25', pattern: /%25(?=[0-9A-Fa-f]{2})/g, meaning: () => '%' },
  {
    sign: '&#',
    pattern: /&#(?:\d{2,3}|x[0-9A-Fa-f]{2});/gi,
    meaning: (text) => String.fromCharCode(Number.parseInt(text.replace(/^&#/, '0'), /x/i.test(text) ? 16 : 10) & 0x7f),
  },
  {
    sign: '\\u00',
    pattern: /\\u00[2-7][0-9A-Fa-f]/gi,
    meaning: (text) => String.fromCharCode(Number.parseInt(text.slice(2), 16)),
  },
];
/** Text is decoded this many times. */
const MOST_ENCODINGS = 3;

/** Reports every secret in text that is not JSON, or in one string or name of JSON. Takes linear time. */
export function scanText(piece: MappedText, scan: SecretScan, place: () => string): void {
  let plain = piece.text.includes('\u001b[') ? piece.without(CSI) : piece;
  scanPlain(plain, scan, place);
  for (let times = 0; times < MOST_ENCODINGS; times++) {
    const { text } = plain;
    for (const { sign, pattern, meaning } of WRITTEN)
      if (plain.text.includes(sign)) plain = plain.decoded(pattern, meaning);
    if (plain.text.length === text.length) return;
    scanPlain(plain, scan, place);
  }
}

/** Line breaks inside base64, PEM and long tokens that were wrapped at a width. */
const WRAPS = /\r?\n(?<=[A-Za-z0-9+/=_-]{40}\r?\n)[ \t]{0,8}(?=[A-Za-z0-9+/=_-])/g;

function scanPlain(piece: MappedText, scan: SecretScan, place: () => string): void {
  const { text } = piece;
  const report = (rule: RuleId, from: number, to: number, value = text.slice(from, to), more = {}) =>
    scan.found({ rule, value, from: piece.origin(from), to: piece.origin(to), place, ...more });
  scan.inText?.(text, report);
  if (scan.inText && text.includes('\n')) {
    const unwrapped = piece.without(WRAPS);
    if (unwrapped.text.length < text.length) {
      scan.inText(unwrapped.text, (rule, from, to, value = unwrapped.text.slice(from, to)) =>
        scan.found({ rule, value, from: unwrapped.origin(from), to: unwrapped.origin(to), place }),
      );
    }
  }
  if (scan.weak) {
    scanGuesses(text, (rule, from, to) => report(rule, from, to, undefined, { weak: true }));
    for (const { from, to, decodedText } of findBase64Texts(text)) {
      const found: SecretScan['found'] = ({ rule, value }) => report(rule, from, to, value);
      scanText(MappedText.whole(decodedText), { weak: false, found }, place);
    }
  }
  scanTriggers(text, scan.weak, report);
  if (!text.includes('kind: ') || !MANIFEST.test(text)) return;
  for (const { from, to, base64 } of manifestEntries(text)) {
    const decoded = base64 ? decodeBase64Text(text.slice(from, to))?.trim() : undefined;
    if (!canBeValue(text.slice(from, to))) continue;
    report('secret', from, to);
    if (decoded) report('secret', from, to, decoded);
  }
}

const MANIFEST = /\bkind: ["']?Secret\b/;

type Report = (rule: RuleId, from: number, to: number, value?: string, more?: object) => void;

/** Reports what stands where a shape or a name begins. */
function scanTriggers(text: string, weak: boolean, report: Report): void {
  /** The lines before this offset have been read as a table. */
  let tabled = 0;
  let behind: Pick<LiteralHit, 'end' | 'state'> = { end: 0, state: 0 };
  const goOn = (to: number) => {
    if (to > behind.end) behind = { end: to, state: 0 };
  };
  for (;;) {
    const hit = IN_TEXT.nextInText(text, behind.end, behind.state);
    if (!hit) return;
    behind = hit;
    const { text: literal, shapes = [], kinds, isNoun } = READ[hit.index]!;
    const at = hit.end - literal.length;
    const token = kinds && vendorTokenAt(text, at, kinds);
    const found = token
      ? {
          rule: token.kind.rule,
          from: token.from,
          to: restOf(text, restOf(text, token.to, token.to - token.from < CUT_CHARS ? REST : NEXT_PART)),
        }
      : shapeAt(text, at, shapes);
    if (found) {
      report(found.rule, found.from, found.to, undefined, { shape: true });
      if ('password' in found && found.password !== undefined) report('password', found.from, found.to, found.password);
      goOn(found.to);
      continue;
    }
    if (!ENDS_IN_NAME[hit.index]) continue;
    const name = nameAt(text, at);
    const named = name && namedValue(text, name, weak);
    if (named) {
      const { secret, from, to, value, password } = named;
      report(secret.rule, from, to, value, { weak: secret.grade === 'weak' });
      if (password !== undefined) report('password', from, to, password);
      const changed = CHANGED.exec(text.slice(to, to + MOST_CHANGED_CHARS));
      if (changed) report(secret.rule, to + changed[0].length - changed[1]!.length, to + changed[0].length);
      goOn(to);
      continue;
    }
    const said = weak && name && isNoun ? saidAt(text, at, literal) : undefined;
    if (said) {
      report('secret-name', said.from, said.to, undefined, { weak: true });
      goOn(said.to);
    } else if (name && at >= tabled) {
      const { cells, end } = columnsAt(text, name);
      for (const { from, to, secret } of cells)
        report(secret.rule, from, to, undefined, { weak: secret.grade === 'weak' });
      tabled = end;
    }
  }
}

/** Terraform prints a change as `"before" -> "after"`. */
const CHANGED = /^\\{0,7}"\s{1,4}->\s{1,4}\\{0,7}"([^"\\\r\n]{4,500})/;
/** Characters of the longest match of the pattern above. */
const MOST_CHANGED_CHARS = 520;

function shapeAt(text: string, at: number, shapes: readonly Shape[]) {
  for (const shape of shapes) {
    const begin = at - (shape.back ?? 0);
    if (begin < 0 || (/^\w/.test(shape.starts[0]!) && isInsideWord(text, begin))) continue;
    shape.pattern.lastIndex = begin;
    const match = shape.pattern.exec(text);
    if (!match) continue;
    const [from, to] = (match.indices![1] ?? match.indices![0]!) as [number, number];
    const secret = text.slice(from, to);
    if (isMasked(secret) || (shape.accepts && !shape.accepts(secret))) continue;
    const password = shape.holdsPassword?.(secret);
    if (password !== undefined && isMasked(password)) continue;
    return { rule: shape.rule, from, to: uncut(text, from, to), password };
  }
  return undefined;
}

/** A match of this many characters may have been cut by the bounds of its pattern. */
const CUT_CHARS = 16_384;
const REST = /[\w-]+(?:\.[\w-]+)*/y;

/** Returns the real end of a match that is as long as its pattern allows. */
function uncut(text: string, from: number, to: number): number {
  return to - from < CUT_CHARS ? to : restOf(text, to);
}

/** Returns where the word ends that continues at `to`. A longer token than the one known belongs together. */
function restOf(text: string, to: number, pattern = REST): number {
  return to + (matchAt(pattern, text, to)?.[0].length ?? 0);
}

const NEXT_PART = /(?:\.[\w-]+)*/y;

/** Returns true if a word continues here. The end of an escape is not part of a word. */
function isInsideWord(text: string, at: number): boolean {
  if (at === 0 || !/[A-Za-z0-9_-]/.test(text[at - 1]!)) return false;
  return !/(?:%[0-9A-Fa-f]{2}|\\[bfnrt])$/.test(text.slice(Math.max(0, at - 3), at));
}

/** Characters by which slices overlap. Nothing that is looked for is longer. */
const OVERLAP_CHARS = 20_000;

/** The span of a text to scan, and whether JSON escapes are decoded in it. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly escaped: boolean;
}

/**
 * Reports every secret in a long text, slice by slice. Slices overlap so that nothing is cut; a secret in two slices is
 * reported twice.
 */
export function* scanInSlices(
  piece: MappedText,
  { from, to, escaped }: Stretch,
  scan: SecretScan,
  place: () => string,
): Generator<void> {
  for (let at = from; at < to; ) {
    const next = whole(piece.text, Math.min(to, at + REDACTED_SLICE_BYTES), at);
    const end = whole(piece.text, Math.min(to, next + OVERLAP_CHARS), next);
    scanText(escaped ? piece.unescaped(at, end) : piece.slice(at, end), scan, place);
    yield;
    at = next;
  }
}

/** Characters of two UTF-16 escapes, and most backslashes before a place that are checked. */
const ESCAPE_CHARS = 12;
const BACKSLASH_CHARS = 64;

/** Returns a nearby place, not after `at`, that does not split an escape. */
function whole(text: string, at: number, least: number): number {
  const start = Math.max(0, at - ESCAPE_CHARS);
  const slash = text.slice(start, at + 1).lastIndexOf('\\');
  if (at >= text.length || slash < 0) return at;
  let from = start + slash;
  while (from > least + 1 && at - from < BACKSLASH_CHARS && text[from - 1] === '\\') from--;
  return from > least ? from : at;
}
