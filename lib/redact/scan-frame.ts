import { BOM_BYTES, JSON_DEPTH } from '@/lib/json/parse';
import { skipSpace, stringEnd, valueEnd } from '@/lib/json/scan';
import { runToEnd } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';
import { decodeBase64Text } from './byte-text';
import { schemeLength } from './context';
import type { FoundSecret, SecretScan } from './found-secret';
import {
  COLUMNS,
  type Entry,
  joinPath,
  LABEL,
  LABELLED,
  type Level,
  MOST_COLUMNS,
  openLevel,
  ROWS,
  secretOf,
} from './json-levels';
import { MappedText } from './mapped-text';
import { isWorkingDirectory, type SecretName, secretName } from './names';
import { scanInSlices } from './scan-slices';
import { REDACTED_SLICE_BYTES, scanText } from './scan-text';
import { isSecretValue, type Tie } from './secret-values';
import { basicPassword } from './shapes';
import { canBeValue } from './values';

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
  // Escaped JSON may be printed in the middle of a line.
  if (/\\u00(?:[2-7]|1[bB])/.test(text)) yield* scanInSlices(whole, { ...rest, escaped: true }, scan, nowhere);
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
  readonly #levels: Level[] = [];
  /** Strings too long to scan in one step. */
  readonly #long: { readonly from: number; readonly to: number }[] = [];

  constructor(piece: MappedText, scan: SecretScan, place: () => string, nested: number) {
    this.#piece = piece;
    this.#text = piece.text;
    this.#scan = scan;
    this.#outer = place;
    this.#nested = nested;
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
      for (const stretch of this.#long.length > 0 ? this.#long.splice(0) : NONE) yield* this.#scanLong(stretch);
      if (at - rested > REDACTED_SLICE_BYTES) {
        rested = at;
        yield;
      }
      if (this.#levels.length === 0) return at;
    }
    return begun;
  }

  *#scanLong({ from, to }: { readonly from: number; readonly to: number }): Generator<void> {
    const { repeated, found } = this.#scan;
    const stretch = { from, to, escaped: true };
    if (!repeated || this.#nested > 0) return yield* scanInSlices(this.#piece, stretch, this.#scan, this.#place);
    const text = this.#text.slice(from, to);
    const known = repeated.foundIn(text);
    for (const one of known ?? NONE) found({ ...one, from: from + one.from, to: from + one.to, place: this.#place });
    if (known) return;
    const inString = repeated.begin(text);
    const noting: SecretScan['found'] = ({ place, ...one }) => {
      inString.push({ ...one, from: one.from - from, to: one.to - from });
      found({ ...one, place });
    };
    yield* scanInSlices(this.#piece, stretch, { ...this.#scan, found: noting }, this.#place);
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
    const { label, value, isManifest, entries } = this.#levels.pop()!;
    if (label !== undefined) this.#column(label);
    const secret = label !== undefined && value ? secretName(label, 'variable') : undefined;
    if (secret && value && !isWorkingDirectory(label!, value.text)) this.#named(value, secret, 'setting', 'value');
    if (isManifest) for (const entry of entries ?? NONE) this.#entry(entry);
  }

  /** Notes the name of a column from an item in a list of columns. */
  #column(name: string): void {
    const [list, owner] = [this.#levels.at(-1), this.#levels.at(-2)];
    if (!list?.array || !owner || owner.array || list.index >= MOST_COLUMNS || !COLUMNS.test(owner.key)) return;
    const secret = secretName(name, 'member');
    if (!secret) return;
    owner.columns ??= [];
    owner.columns[list.index] = secret;
  }

  /** Returns the kind of secret in the next item of a row, by its column. */
  #ofColumn({ index }: Level): SecretName | undefined {
    const [rows, owner] = [this.#levels.at(-2), this.#levels.at(-3)];
    return owner?.columns && rows?.array && ROWS.test(owner.key) ? owner.columns[index] : undefined;
  }

  /** Reports a Kubernetes Secret's value, both as it stands and decoded, and what is in a decoded settings file. */
  #entry({ list, key, piece }: Entry): void {
    if (!canBeValue(piece.text)) return;
    const place = () => joinPath(joinPath(this.#place(), list), key);
    const found = { from: piece.origin(0), to: piece.origin(piece.text.length), place, rule: 'secret' } as const;
    this.#scan.found({ ...found, value: piece.text });
    const decoded = list === 'data' ? decodeBase64Text(piece.text)?.trim() : undefined;
    if (!decoded) return;
    this.#scan.found({ ...found, value: decoded });
    const inside: SecretScan['found'] = ({ rule, value }) => this.#scan.found({ ...found, rule, value });
    scanText(MappedText.whole(decoded), { weak: false, found: inside }, place);
  }

  /** Reads a name and the value after it, unless that is an object or array. */
  #member(level: Level, at: number): number {
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

  #value(level: Level | undefined, at: number): number {
    const text = this.#text;
    const end = valueEnd(text, at);
    if (end < 0) return -1;
    if (text[at] === '"' && end - at > REDACTED_STRING_BYTES) this.#longString(level, at + 1, end - 1);
    else if (text[at] === '"') this.#string(level, this.#piece.unescaped(at + 1, end - 1));
    else if (!this.#scalar(level, at, end)) return -1;
    return end;
  }

  #string(level: Level | undefined, piece: MappedText): void {
    const { text } = piece;
    const here = level && this.#secretHere(level, text);
    if (here) this.#named(piece, here.secret, here.tie);
    const json = this.#nested < MOST_NESTING && mayBeJson(text);
    const from = json ? runToEnd(new JsonScan(piece, this.#scan, this.#place, this.#nested + 1).run()) : 0;
    if (from < text.length) {
      scanText(from === 0 ? piece : piece.slice(from), this.#scan, this.#place);
      if (this.#nested < MOST_NESTING && /[{[]/.test(text))
        scanJsonInText(piece, from, this.#scan, this.#place, this.#nested + 1);
    }
    if (!level) return;
    level.before = text.slice(0, REDACTED_NAME_CHARS);
    if (LABEL.test(level.key)) level.label = level.before;
    if (LABELLED.test(level.key)) level.value = piece;
    if (level.array) this.#column(level.before);
    else if (level.key === 'kind' && text === 'Secret') level.isManifest = true;
    else this.#mayBeEntry(level, piece);
  }

  #mayBeEntry({ key }: Level, piece: MappedText): void {
    const outer = this.#levels.at(-2);
    if (!outer || outer.array || (outer.key !== 'data' && outer.key !== 'stringData')) return;
    outer.entries ??= [];
    if (outer.entries.length <= REDACTED_PLACES) outer.entries.push({ list: outer.key, key, piece });
  }

  /** Reports the whole string if its name is a secret name. Otherwise its content is scanned later. */
  #longString(level: Level | undefined, from: number, to: number): void {
    const head = this.#piece.slice(from, from + LONG_HEAD_CHARS);
    const here = level && this.#secretHere(level, head.text);
    const isFound =
      here && (here.secret.grade !== 'weak' || this.#scan.weak) && isSecretValue(head.text, here.secret, here.tie);
    if (isFound) {
      const { rule, grade } = here.secret;
      const [start, end] = [this.#piece.origin(from), this.#piece.origin(to)];
      this.#scan.found({ rule, value: head.text, from: start, to: end, weak: grade === 'weak', place: this.#place });
    } else this.#long.push({ from, to });
    if (level) level.before = undefined;
  }

  /** Reports a number that may be a password. Returns false for invalid JSON, such as `('password', 'x')`. */
  #scalar(level: Level | undefined, from: number, to: number): boolean {
    const text = this.#text.slice(from, to);
    if (!/^-?\d/.test(text)) return /^(?:true|false|null)$/.test(text);
    const report = (rule: FoundSecret['rule'], value: string) =>
      this.#scan.found({
        rule,
        value,
        from: this.#piece.origin(from),
        to: this.#piece.origin(to),
        quote: `${'\\'.repeat(2 ** this.#nested - 1)}"`,
        place: this.#place,
      });
    const secret = level && (level.array ? this.#ofColumn(level) : secretName(level.key, 'member'));
    if (secret?.rule === 'password' && (secret.grade !== 'weak' || this.#scan.weak)) report(secret.rule, text);
    this.#scan.inText?.(text, (rule, begin, end, value) => {
      if (begin === 0 && end === text.length) report(rule, value ?? text);
    });
    return true;
  }

  /** Returns the kind of secret in the next string, judging by its name; undefined for none. */
  #secretHere(level: Level, text: string): { readonly secret: SecretName; readonly tie: Tie } | undefined {
    const as = (secret: SecretName | undefined, tie: Tie) => secret && { secret, tie };
    if (!level.array) {
      if (!level.secret && isWorkingDirectory(level.key, text)) return undefined;
      // The private part of a JSON Web Key.
      if (level.key === 'd' && /^[\w-]{40,}$/.test(text)) return as({ rule: 'private-key', grade: 'likely' }, 'data');
      const own = secretOf(level, level.place);
      return as(own, level.place === 'member' || own === level.secret ? 'data' : 'setting');
    }
    const ofColumn = this.#ofColumn(level);
    if (ofColumn) return as(ofColumn, 'data');
    const { before, index } = level;
    if (before?.startsWith('-') && !text.startsWith('-'))
      return as(secretName(before.replace(/^-+/, ''), 'flag'), 'setting');
    const outer = this.#levels.at(-2);
    const above = this.#levels.at(-3);
    // Names and values alternate, as in Node's `rawHeaders`, or come in pairs.
    const listed = outer?.array ? index === 1 && above?.key : index % 2 === 1 && outer?.key;
    if (listed && before !== undefined && /headers$/i.test(listed)) return as(secretName(before, 'header'), 'setting');
    return as(level.secret && { ...level.secret, grade: level.secret.grade === 'weak' ? 'weak' : 'likely' }, 'data');
  }

  #named(piece: MappedText, secret: SecretName, tie: Tie, member?: string): void {
    const { text } = piece;
    const from = secret.rule === 'authorization' || secret.pair ? schemeLength(text, 0) : 0;
    const value = text.slice(from);
    if ((secret.grade === 'weak' && !this.#scan.weak) || !isSecretValue(value, secret, tie)) return;
    const found = {
      ...{ from: piece.origin(from), to: piece.origin(text.length), weak: secret.grade === 'weak' },
      place: member === undefined ? this.#place : () => joinPath(this.#place(), member),
    };
    this.#scan.found({ ...found, rule: secret.rule, value });
    const isPair = secret.pair || /^basic /i.test(text);
    const password = isPair
      ? (basicPassword(value) ?? (secret.pair ? value.slice(value.indexOf(':') + 1) : undefined))
      : undefined;
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
