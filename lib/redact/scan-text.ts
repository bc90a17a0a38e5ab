import { byteText, byteTextOf, lengthAt, tokenRuns } from './byte-text';
import { isHarmless, nameAt, namedValue, wordAt } from './context';
import { CSI, DECODERS, findEncodedTexts, SIGN } from './decoders';
import type { SecretMatch, SecretScan } from './found-secret';
import { scanGuesses } from './guesses';
import { scanLayouts } from './layouts';
import { type Literal, LiteralFinder, type LiteralPlace, type OtherTexts } from './literal-finder';
import { MappedText } from './mapped-text';
import { secretName } from './names';
import { NOUNS, saidAt } from './prose';
import type { RuleId } from './rules';
import { SECRET_SHAPES } from './shape-rows';
import { type SecretShape, shapeAt } from './shapes';
import { VENDOR_STARTS, type VendorKind, vendorTokenAt } from './vendor-tokens';
import { NAME_PARTS } from './word-rows';
import { MAY_FOLLOW } from './writing-rows';

/** Bytes scanned in one step, a few milliseconds of work. */
export const REDACTED_SLICE_BYTES = 64 * 1024;

interface Begin extends Literal {
  readonly shapes: readonly SecretShape[];
  /** Kinds of tokens that services give out. */
  readonly kinds: readonly VendorKind[];
  readonly isName: boolean;
  readonly isNoun: boolean;
  readonly hides: boolean;
}

const begin = (text: string, more: Partial<Begin> = {}): Begin => ({
  text,
  shapes: [],
  kinds: [],
  isName: false,
  isNoun: false,
  hides: false,
  ...more,
});

/** Every text at which a secret or its name may begin. */
const BEGINS: readonly Begin[] = [
  ...SECRET_SHAPES.flatMap((shape) => shape.starts.map((text) => begin(text, { shapes: [shape] }))),
  ...Array.from(VENDOR_STARTS, ([text, kinds]) => begin(text, { kinds })),
  ...NOUNS.map((text) => begin(text, { anyCase: true, isName: true, isNoun: true })),
  ...NAME_PARTS.map((text) => begin(text, { anyCase: true, isName: true })),
];

/** Finds all of them. Made when it is first needed, because that takes several milliseconds of a start. */
let inText: LiteralFinder<Begin> | undefined;

/** Two characters that numbers, times and ids in every frame have. They would stop the search everywhere. */
const EVERYWHERE = /^[:\d-].$|^[KL].$/;
/** Nouns that names have. Those of other sentences are only looked for when sharing. */
const IN_NAMES = /^(?:token|secret|key|pass|pwd|cred|kennwort)/;
/** Finds the texts that are looked for in every frame. */
const IN_FRAME = new LiteralFinder([
  ...BEGINS.filter(({ text, isNoun }) => !EVERYWHERE.test(text) && (!isNoun || IN_NAMES.test(text))),
  ...['\\u00', '\u001b[', '&#', '%25'].map((text) => begin(text, { hides: true })),
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
    text ??= byteText(bytes);
    if (literals.some(({ hides }) => hides) && HIDES.test(text.slice(at, at + HIDER_CHARS))) return true;
    if (vendorTokenAt(text, at, literals) || (literals.some(({ isName }) => isName) && mayName(text, at))) return true;
  }
  return false;
}

/** Matches what may hide a text: an escaped ASCII character, which programs rarely write, or the start of a colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const HIDES = /\\u00(?:[2-7]|1b)|\u001b\[|&#|%25/i;
/** Characters of the longest match of {@link HIDES}. */
const HIDER_CHARS = 6;

/** Returns true if the word around `at` may be the name of a secret, and a value may follow. */
function mayName(text: string, at: number): boolean {
  const { from, to } = wordAt(text, at);
  if (lengthAt(MAY_FOLLOW, text, to) === 0) return false;
  const word = text.slice(from, to);
  // More names are secret in queries and variables than elsewhere.
  const secret = secretName(word, 'query') ?? secretName(word, 'variable');
  return secret !== undefined && secret.grade !== 'weak';
}

/** Text is decoded this many times, and so deep. */
const MOST_ENCODINGS = 3;

/** Reports every secret in text that is not JSON, or in one string or name of JSON. Takes linear time. */
export function scanText(piece: MappedText, scan: SecretScan, place: () => string, depth = 0): void {
  let plain = piece.text.includes('\u001b[') ? piece.decoded(CSI, () => '') : piece;
  scanPlain(plain, scan, place, depth);
  for (let times = 0; times < MOST_ENCODINGS && SIGN.test(plain.text); times++) {
    const { text } = plain;
    for (const { sign, when, pattern, meaning } of DECODERS)
      if (plain.text.includes(sign) && (!when || when.test(plain.text))) plain = plain.decoded(pattern, meaning);
    if (plain.text.length === text.length) return;
    scan.decoded?.();
    scanPlain(plain, scan, place, depth);
  }
}

function scanPlain(piece: MappedText, scan: SecretScan, place: () => string, depth: number): void {
  const { text } = piece;
  const report: Report = (rule, from, to, value = text.slice(from, to), more = {}) =>
    scan.found({ rule, value, from: piece.origin(from), to: piece.origin(to), place, ...more });
  scan.inText?.(text, report);
  const runs = scan.weak || depth > 0 ? tokenRuns(text) : [];
  if (scan.weak) scanGuesses(text, runs, (rule, from, to) => report(rule, from, to, undefined, { weak: true }));
  if (depth < MOST_ENCODINGS) {
    for (const { from, to, text: inner } of runs.flatMap((run) => [...findEncodedTexts(run)])) {
      scan.decoded?.();
      // All of the run goes: what is around a secret often tells it.
      const found: SecretScan['found'] = ({ rule, value }) => report(rule, from, to, value);
      scanText(MappedText.whole(inner), { ...scan, weak: false, found }, place, depth + 1);
    }
  }
  const hasNames = scanTriggers(text, scan.weak, report);
  if (scan.weak && hasNames)
    scanLayouts(text, (from, to) => report('secret-name', from, to, undefined, { weak: true }));
}

type Report = (rule: RuleId, from: number, to: number, value?: string, more?: object) => void;

/** Reports what stands where a shape or a name begins. Returns true if there may be names. */
function scanTriggers(text: string, weak: boolean, report: Report): boolean {
  if (weak) inText ??= new LiteralFinder(BEGINS);
  const finder = (weak && inText) || IN_FRAME;
  let hasNames = false;
  let named = 0;
  for (let place = finder.nextInText(text, 0); place; ) {
    // Part of a token may look like a name and its value, or be such a value.
    const match = place.at < named ? tokenAt(text, place) : matchOf(text, place, weak);
    hasNames ||= place.literals.some(({ isName }) => isName);
    if (match) report(match.rule, match.from, match.to, match.value, { weak: match.weak, shape: match.shape });
    if (match?.password !== undefined) report('password', match.from, match.to, match.password);
    if (match && !match.shape) named = match.to;
    place = finder.nextInText(text, Math.max(place.at + 1, match?.shape ? match.to : 0));
  }
  return hasNames;
}

/** Returns the secret that begins at a place: a token of a service, another shape, or the value of a name. */
function matchOf(text: string, { at, literals }: LiteralPlace<Begin>, weak: boolean): SecretMatch | undefined {
  const token = tokenAt(text, { at, literals });
  if (token) return token;
  for (const shape of literals.flatMap(({ shapes }) => shapes)) {
    const match = shapeAt(text, at, shape);
    if (match) return { ...match, to: wholeEnd(text, match) };
  }
  const name = literals.some(({ isName }) => isName) ? nameAt(text, at) : undefined;
  if (!name) return undefined;
  return namedValue(text, name, weak) ?? (weak && !isHarmless(text, name) ? said(text, at, literals) : undefined);
}

/** Returns the token of a service that begins at a place. */
function tokenAt(text: string, { at, literals }: LiteralPlace<Begin>): SecretMatch | undefined {
  const token = vendorTokenAt(text, at, literals);
  return token && { rule: token.kind.rule, from: token.from, to: wholeEnd(text, token), shape: true };
}

/** A shape of this many characters may have been cut by the bounds of its pattern. Then the rest belongs to it. */
const CUT_CHARS = 16_384;
const REST = /[\w+/=-]*(?:\.[\w+/=-]+)*/y;

function wholeEnd(text: string, { from, to }: Pick<SecretMatch, 'from' | 'to'>): number {
  return to - from < CUT_CHARS ? to : to + lengthAt(REST, text, to);
}

function said(text: string, at: number, literals: readonly Begin[]): SecretMatch | undefined {
  for (const { text: noun } of literals.filter(({ isNoun }) => isNoun)) {
    const value = saidAt(text, at, byteTextOf(noun));
    if (value) return { ...value, rule: 'secret-name', weak: true };
  }
  return undefined;
}
