import { BOM_BYTES, JSON_DEPTH } from '@/lib/json/parse';
import { skipSpace, stringEnd, valueEnd } from '@/lib/json/scan';
import { joinMessage } from '@/lib/wire/cut-message';
import type { CutMessage, CutString } from '@/lib/wire/frame';
import { runToEnd } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';
import { byteText } from './byte-text';
import { schemeLength } from './context';
import type { SecretScan } from './found-secret';
import { type JsonLevel, joinPath, type NamedString, namedHere, openLevel, secretOfValue } from './json-levels';
import { MappedText } from './mapped-text';
import { KIND, LABEL, LABELLED } from './name-rows';
import { secretName } from './names';
import type { RuleId } from './rules';
import { scanInSlices } from './scan-slices';
import { REDACTED_SLICE_BYTES, scanText } from './scan-text';
import { isSecretValue } from './secret-values';
import { passwordIn } from './shapes';

/** Bytes of the longest string that is scanned at once. A longer string is scanned later, in slices. */
export const REDACTED_STRING_BYTES = 256 * 1024;
/** A frame with more places of secrets is replaced completely. */
export const REDACTED_PLACES = 20_000;
/** Characters shown of names and paths. */
const REDACTED_NAME_CHARS = 80;
/** Text after invalid JSON is scanned from this many characters before it, because they may hold a name. */
const NAME_BEFORE_CHARS = 16;
/** Characters at the start of a long string that identify it. */
const LONG_HEAD_CHARS = 4096;
/** Columns of a table that are remembered. */
const MOST_COLUMNS = 200;
/** Levels of JSON inside JSON strings that are scanned. */
const MOST_NESTING = 4;

const NONE: readonly never[] = [];
const nowhere = () => '';

/** Reports every secret in a frame's byte text, in any order and possibly more than once. Takes linear time. */
export function scanFrame(text: string, scan: SecretScan): void {
  runToEnd(frameSlices(text, scan));
}

/** Scans in slices of a few milliseconds each. */
export function* frameSlices(text: string, scan: SecretScan): Generator<void> {
  const whole = MappedText.whole(text);
  const from = mayBeJson(text) ? yield* new JsonScan(whole, scan, nowhere, 0).run() : 0;
  if (from >= text.length) return;
  const rest = { from, to: text.length };
  if (text.length - from < REDACTED_STRING_BYTES) scanJsonInText(whole, from, scan, nowhere, 1);
  yield* scanInSlices(whole, { ...rest, escaped: false }, scan, nowhere);
  // A program may print escapes outside JSON, such as those of colours.
  if (/\\u00(?:[2-7]|1[bB])/.test(text)) yield* scanInSlices(whole, { ...rest, escaped: true }, scan, nowhere);
}

/** Scans a message whose long strings are apart. Places are those in the whole message. */
export function* cutSlices(cut: CutMessage, scan: SecretScan): Generator<void> {
  const text = byteText(cut.text);
  const json = new JsonScan(MappedText.whole(text, cut.strings), scan, nowhere, 0, cut.strings);
  const read = yield* json.run();
  if (read < text.length || !json.hasReadStrings) yield* frameSlices(byteText(joinMessage(cut)), scan);
}

/** Returns true for text that may be a JSON object or array. */
export function mayBeJson(text: string): boolean {
  const first = text[jsonStart(text)];
  return first === '{' || first === '[';
}

/** Returns where the JSON in a byte text begins, after a byte order mark. */
function jsonStart(text: string): number {
  return skipSpace(text, text.startsWith('\xef\xbb\xbf') ? BOM_BYTES : 0);
}

/**
 * Reports every secret in a JSON text. Only strings become secrets by their name, so a schema's structure does not, but
 * its `default`, `const`, `enum` and `examples` count as values of the property. Very long strings are scanned as text,
 * whatever they contain.
 */
class JsonScan {
  readonly #piece: MappedText;
  readonly #text: string;
  readonly #scan: SecretScan;
  readonly #outer: () => string;
  readonly #nested: number;
  readonly #levels: JsonLevel[] = [];
  /** Strings too long to scan in one step. */
  readonly #long: { readonly from: number; readonly to: number }[] = [];
  /** Strings that are apart and not read yet, by their offset. */
  readonly #apart: Map<number, CutString> | undefined;

  constructor(piece: MappedText, scan: SecretScan, place: () => string, nested: number, apart?: readonly CutString[]) {
    this.#piece = piece;
    this.#text = piece.text;
    this.#scan = scan;
    this.#outer = place;
    this.#nested = nested;
    this.#apart = apart && new Map(apart.map((string) => [string.at, string]));
  }

  /** True once every string that is apart has had its turn. */
  get hasReadStrings(): boolean {
    return !this.#apart?.size;
  }

  /** Runs in slices. Returns where the JSON ends; the rest is text. */
  *run(): Generator<void, number> {
    const text = this.#text;
    let at = jsonStart(text);
    let begun = 0;
    let rested = 0;
    while (at < text.length) {
      const next = this.#token(at);
      // The text before the invalid place may be the name of the value after it.
      if (next < 0) return Math.max(0, Math.min(begun, at - NAME_BEFORE_CHARS));
      if (text[at] === '"' || text[at] === ',') begun = at;
      at = skipSpace(text, next);
      // Allocates nothing if there are no long strings, because this runs for every token.
      for (const stretch of this.#long.length > 0 ? this.#long.splice(0) : NONE)
        yield* scanInSlices(this.#piece, { ...stretch, escaped: true }, this.#scan, this.#place);
      if (at - rested > REDACTED_SLICE_BYTES) {
        rested = at;
        yield;
      }
      if (this.#levels.length === 0) return at;
    }
    return begun;
  }

  /** Steps over a token and returns the offset after it; -1 for invalid JSON. */
  #token(at: number): number {
    const level = this.#levels.at(-1);
    const sign = this.#text[at]!;
    if (sign === ']' || sign === '}') {
      this.#close();
      return at + 1;
    }
    if (sign === ',') {
      if (level) {
        level.index++;
        level.full = false;
      }
      return at + 1;
    }
    if (level?.full) return -1;
    if (level) level.full = true;
    if (sign === '{' || sign === '[') {
      if (this.#levels.length >= JSON_DEPTH) return -1;
      this.#levels.push(openLevel(this.#levels, sign === '['));
      return at + 1;
    }
    return sign === '"' && level && !level.array ? this.#member(level, at) : this.#value(level, at);
  }

  #close(): void {
    const level = this.#levels.pop()!;
    const holder = this.#levels.at(-1);
    if (level.value) this.#named(secretOfValue(level), level.value, 'value');
    if (level.array && level.columns && holder) holder.columns = level.columns;
  }

  /** Reads a name and the value after it, unless that is an object or array. */
  #member(level: JsonLevel, at: number): number {
    const text = this.#text;
    const end = stringEnd(text, at);
    if (end < 0) return -1;
    const name = this.#piece.unescaped(at + 1, end - 1);
    level.key = name.text;
    if (name.text.length >= LIMITS.secretChars) scanText(name, this.#scan, this.#place);
    const colon = skipSpace(text, end);
    if (text[colon] !== ':') return -1;
    const start = skipSpace(text, colon + 1);
    if (text[start] !== '{' && text[start] !== '[') return this.#value(level, start);
    level.full = false;
    return start;
  }

  #value(level: JsonLevel | undefined, at: number): number {
    const text = this.#text;
    const end = valueEnd(text, at);
    if (end < 0) return -1;
    const apart = this.#apart?.get(at + 1);
    if (apart) this.#stringApart(level, apart);
    else if (text[at] === '"' && end - at > REDACTED_STRING_BYTES) this.#longString(level, at + 1, end - 1);
    else if (text[at] === '"') this.#string(level, this.#piece.unescaped(at + 1, end - 1));
    else if (!this.#scalar(level, at, end)) return -1;
    return end;
  }

  #string(level: JsonLevel | undefined, piece: MappedText): void {
    const { text } = piece;
    this.#named(namedHere(this.#levels, text), piece);
    const json = this.#nested < MOST_NESTING && mayBeJson(text);
    const from = json ? runToEnd(new JsonScan(piece, this.#scan, this.#place, this.#nested + 1).run()) : 0;
    if (from < text.length) {
      scanText(from === 0 ? piece : piece.slice(from), this.#scan, this.#place);
      if (this.#nested < MOST_NESTING && /[{[]/.test(text))
        scanJsonInText(piece, from, this.#scan, this.#place, this.#nested + 1);
    }
    if (!level) return;
    level.before = text.slice(0, REDACTED_NAME_CHARS);
    if (level.array && level.columns && level.index === level.columns.length && level.index < MOST_COLUMNS)
      level.columns.push(level.before);
    if (KIND.test(level.key)) level.kind = level.before;
    if (LABEL.test(level.key)) level.label = level.before;
    if (LABELLED.test(level.key)) level.value = piece;
  }

  /** Reports the whole string if its name makes it a secret. Otherwise its content is scanned later. */
  #longString(level: JsonLevel | undefined, from: number, to: number): void {
    const head = this.#piece.slice(from, from + LONG_HEAD_CHARS).text;
    if (!this.#isNamed(level, head, this.#piece.origin(from), this.#piece.origin(to))) this.#long.push({ from, to });
  }

  #stringApart(level: JsonLevel | undefined, { at, bytes }: CutString): void {
    this.#apart!.delete(at);
    const from = this.#piece.origin(at);
    const head = byteText(bytes.subarray(0, LONG_HEAD_CHARS));
    if (this.#isNamed(level, head, from, from + bytes.length)) return;
    for (const one of this.#scan.inLong?.(bytes) ?? NONE)
      this.#scan.found({ ...one, from: from + one.from, to: from + one.to, place: this.#place });
  }

  /** Reports a long string that its name makes a secret, judging by its beginning. Returns false for others. */
  #isNamed(level: JsonLevel | undefined, head: string, from: number, to: number): boolean {
    const named = namedHere(this.#levels, head);
    if (level) level.before = undefined;
    if (!this.#isSecret(named, head)) return false;
    const { rule, grade } = named.secret;
    this.#scan.found({ rule, value: head, from, to, weak: grade === 'weak', place: this.#place });
    return true;
  }

  #isSecret(named: NamedString | undefined, value: string): named is NamedString {
    if (!named || (named.secret.grade === 'weak' && !this.#scan.weak)) return false;
    return isSecretValue(value, named.secret, named.tie);
  }

  /** Reports a number that may be a password. Returns false for invalid JSON, such as `('password', 'x')`. */
  #scalar(level: JsonLevel | undefined, from: number, to: number): boolean {
    const text = this.#text.slice(from, to);
    if (!/^-?\d/.test(text)) return /^(?:true|false|null)$/.test(text);
    const quote = `${'\\'.repeat(2 ** this.#nested - 1)}"`;
    const span = { from: this.#piece.origin(from), to: this.#piece.origin(to) };
    const report = (rule: RuleId, value: string) =>
      this.#scan.found({ rule, value, ...span, quote, place: this.#place });
    const secret = level && !level.array ? secretName(level.key, 'member') : undefined;
    if (secret?.rule === 'password' && (secret.grade !== 'weak' || this.#scan.weak)) report(secret.rule, text);
    this.#scan.inText?.(text, (rule, begin, end, value) => {
      if (begin === 0 && end === text.length) report(rule, value ?? text);
    });
    return true;
  }

  /** Reports a string that its name makes a secret, and the password inside. */
  #named(named: NamedString | undefined, piece: MappedText, member?: string): void {
    if (!named) return;
    const { secret } = named;
    const { text } = piece;
    const from = secret.rule === 'authorization' || secret.pair ? schemeLength(text, 0) : 0;
    const value = text.slice(from);
    if (!this.#isSecret(named, value)) return;
    const found = {
      from: piece.origin(from),
      to: piece.origin(text.length),
      weak: secret.grade === 'weak',
      place: member === undefined ? this.#place : () => joinPath(this.#place(), member),
    };
    this.#scan.found({ ...found, rule: secret.rule, value });
    const password = secret.pair || /^basic /i.test(text) ? passwordIn(value) : undefined;
    if (password !== undefined) this.#scan.found({ ...found, rule: 'password', value: password });
  }

  readonly #place = (): string =>
    this.#levels.reduce<string>(
      (path, { array, key, index }) =>
        array ? `${path}[${index}]` : joinPath(path, key.slice(0, REDACTED_NAME_CHARS)),
      this.#outer(),
    );
}

/** Matches where JSON may begin in a text. Only the first such places are tried, because most of them are code. */
const JSON_IN_TEXT = /[{[](?=\s{0,40}(?:"[^"\\]{0,80}"\s{0,4}[:,\]]|[{[]\s{0,40}["{[]))/g;
const MOST_TRIED = 8;

/** Reports the secrets in JSON that stands in the middle of a text, such as a log line or a code block. */
function scanJsonInText(piece: MappedText, from: number, scan: SecretScan, place: () => string, nested: number): void {
  const { text } = piece;
  let tried = 0;
  for (let at = nextJson(text, from); at >= 0 && tried++ < MOST_TRIED; ) {
    const read = runToEnd(new JsonScan(piece.slice(at), scan, place, nested).run());
    at = nextJson(text, at + Math.max(1, read));
  }
}

function nextJson(text: string, from: number): number {
  JSON_IN_TEXT.lastIndex = from;
  return JSON_IN_TEXT.exec(text)?.index ?? -1;
}
