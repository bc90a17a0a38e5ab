import { byteText, byteTextOf, findBase64Texts, lengthAt, tokenRuns } from './byte-text';
import { nameAt, namedValue, wordAt } from './context';
import type { SecretScan } from './found-secret';
import { scanGuesses } from './guesses';
import { type Literal, LiteralFinder, type OtherTexts } from './literal-finder';
import { MappedText } from './mapped-text';
import { secretName } from './names';
import { isMasked } from './placeholders';
import { NOUNS, saidAt } from './prose';
import type { RuleId } from './rules';
import { SHAPES } from './shape-rows';
import type { Shape } from './shapes';
import { isInsideWord, VENDOR_STARTS, type VendorKind, vendorTokenAt } from './vendor-tokens';
import { NAME_PARTS } from './word-rows';

/** Bytes scanned in one step, a few milliseconds of work. */
export const REDACTED_SLICE_BYTES = 64 * 1024;

interface Begin extends Literal {
  readonly shapes: readonly Shape[];
  /** Kinds of tokens that services give out. */
  readonly kinds: readonly VendorKind[];
  readonly isName: boolean;
  readonly isNoun: boolean;
  readonly hides: boolean;
}

const begin = (text: string, more: Partial<Begin> = {}): Begin => ({
  ...{ text, shapes: [], kinds: [], isName: false, isNoun: false, hides: false, ...more },
});

/** Every text at which a secret or its name may begin. */
const BEGINS: readonly Begin[] = [
  ...SHAPES.flatMap((shape) => shape.starts.map((text) => begin(text, { shapes: [shape] }))),
  ...VENDOR_STARTS.map(({ text, kinds }) => begin(text, { kinds })),
  ...NOUNS.map((text) => begin(text, { anyCase: true, isName: true, isNoun: true })),
  ...NAME_PARTS.map((text) => begin(text, { anyCase: true, isName: true })),
];

/** An escaped ASCII character, which programs rarely write, so it may hide something; and the start of a colour. */
const HIDERS = ['\\u00', '\u001b[', '&#', '%25'].map((text) => begin(text, { hides: true }));
const HIDING = new LiteralFinder(HIDERS);

const IN_TEXT = new LiteralFinder(BEGINS);

/** Two characters that numbers and times in every frame have. They would stop the search everywhere. */
const EVERYWHERE = /^[:\d].$/;
/** Nouns that names have. Those of other sentences are only looked for when sharing. */
const IN_NAMES = /^(?:token|secret|key|pass|pwd|credential|kennwort)/;
/** Finds the texts that are looked for in every frame. */
const IN_FRAME = new LiteralFinder([
  ...BEGINS.filter(({ text, isNoun }) => !EVERYWHERE.test(text) && (!isNoun || IN_NAMES.test(text))),
  ...HIDERS,
]);

/** See {@link OtherTexts}: the beginnings of the texts that are looked for in every frame. */
export const FRAME_STARTS = IN_FRAME.starts;

/** Returns true if a frame has to be scanned. Any other frame has no certain secret and none of the known values. */
export function hasTrigger(bytes: Uint8Array, known?: OtherTexts): boolean {
  let text: string | undefined;
  const next = (from: number) => IN_FRAME.nextInBytes(bytes, from, known);
  for (let place = next(0); place; place = next(place.at + 1)) {
    const { at, literals } = place;
    if (literals.length === 0) return true;
    if (literals.some(({ shapes }) => shapes.length > 0)) return true;
    if (literals.some((one) => one.hides && mayHide(bytes, at, one))) return true;
    text ??= byteText(bytes);
    if (vendorTokenAt(text, at, kindsOf(literals)) || (literals.some(({ isName }) => isName) && mayName(text, at)))
      return true;
  }
  return false;
}

const kindsOf = (literals: readonly Begin[]) =>
  literals.length === 1 ? literals[0]!.kinds : literals.flatMap(({ kinds }) => kinds);

/** Returns true for bytes in which a value may be written so that only decoding finds it. */
export function mayHideText(bytes: Uint8Array): boolean {
  let place = HIDING.nextInBytes(bytes, 0);
  while (place && !place.literals.some((one) => mayHide(bytes, place!.at, one)))
    place = HIDING.nextInBytes(bytes, place.at + 1);
  return place !== undefined;
}

function mayHide(bytes: Uint8Array, at: number, { text }: Begin): boolean {
  return text !== HIDERS[0]!.text || isAsciiEscape(bytes[at + text.length], bytes[at + text.length + 1]);
}

/** Returns true if the word around `at` may be the name of a secret, and a value may follow. */
function mayName(text: string, at: number): boolean {
  const { from, to } = wordAt(text, at);
  MAY_FOLLOW.lastIndex = to;
  if (!MAY_FOLLOW.test(text)) return false;
  const word = text.slice(from, to);
  // More names are secret in queries and variables than elsewhere.
  const secret = secretName(word, 'query') ?? secretName(word, 'variable');
  return (secret !== undefined && secret.grade !== 'weak') || /^(?:code|state)$/i.test(word);
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

/** Ways to write a character other than JSON's own. Each text that has one of the signs is decoded. */
const WRITTEN: readonly {
  readonly sign: string;
  readonly pattern: RegExp;
  readonly meaning: (written: string) => string;
}[] = [
  // URLs in URLs.
  { sign: '%25', pattern: /%25(?=[0-9A-Fa-f]{2})/g, meaning: () => '%' },
  // HTML.
  {
    sign: '&#',
    pattern: /&#(?:\d{2,3}|x[0-9A-Fa-f]{2});/gi,
    meaning: (text) => String.fromCharCode(Number.parseInt(text.replace(/^&#/, '0'), /x/i.test(text) ? 16 : 10) & 0x7f),
  },
  // JSON in JSON.
  {
    sign: '\\u00',
    pattern: /\\u00[2-7][0-9A-Fa-f]/gi,
    meaning: (text) => String.fromCharCode(Number.parseInt(text.slice(2), 16)),
  },
  // Base64, PEM and long tokens, wrapped at a width.
  {
    sign: '\n',
    pattern: /\r?\n(?<=[A-Za-z0-9+/=_-]{40}\r?\n)[ \t]{0,8}(?=[A-Za-z0-9+/=_-])/g,
    meaning: () => '',
  },
];
/** Text is decoded this many times. */
const MOST_ENCODINGS = 3;

/** Reports every secret in text that is not JSON, or in one string or name of JSON. Takes linear time. */
export function scanText(piece: MappedText, scan: SecretScan, place: () => string): void {
  let plain = piece.text.includes('\u001b[') ? piece.decoded(CSI, () => '') : piece;
  scanPlain(plain, scan, place);
  for (let times = 0; times < MOST_ENCODINGS; times++) {
    const { text } = plain;
    for (const { sign, pattern, meaning } of WRITTEN)
      if (plain.text.includes(sign)) plain = plain.decoded(pattern, meaning);
    if (plain.text.length === text.length) return;
    scanPlain(plain, scan, place);
  }
}

function scanPlain(piece: MappedText, scan: SecretScan, place: () => string): void {
  const { text } = piece;
  const report: Report = (rule, from, to, value = text.slice(from, to), more = {}) =>
    scan.found({ rule, value, from: piece.origin(from), to: piece.origin(to), place, ...more });
  scan.inText?.(text, report);
  if (scan.weak) {
    const runs = tokenRuns(text);
    scanGuesses(text, runs, (rule, from, to) => report(rule, from, to, undefined, { weak: true }));
    for (const { from, to, text: decodedText } of runs.flatMap((run) => [...findBase64Texts(run)])) {
      const found: SecretScan['found'] = ({ rule, value }) => report(rule, from, to, value);
      scanText(MappedText.whole(decodedText), { weak: false, found }, place);
    }
  }
  scanTriggers(text, scan.weak, report);
}

type Report = (rule: RuleId, from: number, to: number, value?: string, more?: object) => void;

/** Reports what stands where a shape or a name begins. */
function scanTriggers(text: string, weak: boolean, report: Report): void {
  const finder = weak ? IN_TEXT : IN_FRAME;
  for (let place = finder.nextInText(text, 0), next = 0; place; place = finder.nextInText(text, next)) {
    const { at, literals } = place;
    const kinds = kindsOf(literals);
    const found = (kinds.length > 0 ? tokenAt(text, at, kinds) : undefined) ?? shapeAt(text, at, literals);
    const end = found
      ? reportAll(found, { shape: true }, report)
      : literals.some(({ isName }) => isName)
        ? reportNamed(text, at, weak, literals, report)
        : 0;
    next = Math.max(at + 1, end);
  }
}

/** A secret in a text. */
interface Match {
  readonly rule: RuleId;
  readonly from: number;
  readonly to: number;
  readonly value?: string;
  /** The password inside it. */
  readonly password?: string | undefined;
}

/** Reports a secret and the password inside. Returns where it ends. */
function reportAll({ rule, from, to, value, password }: Match, more: object, report: Report): number {
  report(rule, from, to, value, more);
  if (password !== undefined) report('password', from, to, password);
  return to;
}

/** Reports the value of the name at a place. Returns where it ends; 0 if there is none. */
function reportNamed(text: string, at: number, weak: boolean, literals: readonly Begin[], report: Report): number {
  const name = nameAt(text, at);
  if (!name) return 0;
  const named = namedValue(text, name, weak);
  if (named) return reportAll({ ...named, rule: named.secret.rule }, { weak: named.secret.grade === 'weak' }, report);
  for (const { text: noun, isNoun } of weak ? literals : []) {
    const said = isNoun ? saidAt(text, at, byteTextOf(noun)) : undefined;
    if (said) return reportAll({ ...said, rule: 'secret-name' }, { weak: true }, report);
  }
  return 0;
}

function tokenAt(text: string, at: number, kinds: readonly VendorKind[]): Match | undefined {
  const token = vendorTokenAt(text, at, kinds);
  return token && { rule: token.kind.rule, from: token.from, to: wholeEnd(text, token.from, token.to) };
}

function shapeAt(text: string, at: number, literals: readonly Begin[]): Match | undefined {
  const shapes = literals.length === 1 ? literals[0]!.shapes : literals.flatMap((literal) => literal.shapes);
  for (const shape of shapes) {
    const begin = at - (shape.back ?? 0);
    if (begin < 0 || isInsideWord(text, at)) continue;
    shape.pattern.lastIndex = begin;
    const match = shape.pattern.exec(text);
    if (!match) continue;
    const [from, to] = (match.indices![1] ?? match.indices![0]!) as [number, number];
    const secret = text.slice(from, to);
    if (isMasked(secret) || (shape.accepts && !shape.accepts(secret))) continue;
    const password = shape.holdsPassword?.(secret);
    if (password !== undefined && isMasked(password)) continue;
    return { rule: shape.rule, from, to: wholeEnd(text, from, to), password };
  }
  return undefined;
}

/** A match of this many characters may have been cut by the bounds of its pattern. */
const CUT_CHARS = 16_384;
/** The rest of a word, and further parts of a token, which belong together. */
const REST = /[\w+/=-]*(?:\.[\w+/=-]+)*/y;
const PARTS = /(?:\.[\w-]+)*/y;

/** Returns where a secret really ends. */
function wholeEnd(text: string, from: number, to: number): number {
  return to + lengthAt(to - from < CUT_CHARS ? PARTS : REST, text, to);
}
