import { BOM_BYTES, JSON_DEPTH } from '@/lib/json/parse';
import { skipSpace, stringEnd, valueEnd } from '@/lib/json/scan';
import { runToEnd } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';
import type { FoundSecret, SecretScan } from './found-secret';
import { manifestReadings } from './layouts';
import { MappedText } from './mapped-text';
import { isSecretValue, judgeSecret, schemeLength } from './named-value';
import { REDACTED_SLICE_BYTES, scanInSlices, scanText } from './scan-text';
import { columnSecret, isWorkingDirectory, type NamedSecret, namedSecret } from './secret-names';
import { basicPassword } from './shapes';

/** Bytes of the longest string that is scanned at once. A longer string is scanned later, in slices. */
const REDACTED_STRING_BYTES = 256 * 1024;
/** A frame with more places of secrets is replaced completely. */
export const REDACTED_PLACES = 20_000;
/** Characters shown of names and paths. */
const REDACTED_NAME_CHARS = 80;

/** Reports every secret in a frame's byte text, in any order and possibly more than once. Takes linear time. */
export function scanFrame(text: string, scan: SecretScan): void {
  runToEnd(frameSlices(text, scan));
}

/** Scans in slices of a few milliseconds each. */
export function* frameSlices(text: string, scan: SecretScan): Generator<void> {
  const whole = MappedText.whole(text);
  const from = mayBeJson(text) ? yield* scanJson(whole, scan, nowhere) : 0;
  if (from >= text.length) return;
  const rest = { from, to: text.length };
  yield* scanInSlices(whole, { ...rest, escaped: false }, scan, nowhere);
  // Escaped JSON may be printed in the middle of a line.
  if (/\\u00(?:[2-7]|1[bB])/.test(text)) yield* scanInSlices(whole, { ...rest, escaped: true }, scan, nowhere);
}

const nowhere = () => '';

const NONE: readonly never[] = [];
/** Text after invalid JSON is scanned from this many characters before it, because they may hold a name. */
const NAME_BEFORE_CHARS = 16;
/** Characters at the start of a long string that identify it. */
const LONG_HEAD_CHARS = 4096;

/** Levels of JSON inside JSON strings that are scanned. */
const MOST_NESTING = 4;

/**
 * Reports every secret in a JSON text. Only strings become secrets by their name, so a schema's structure does not, but
 * its `default`, `const`, `enum` and `examples` count as values of the property. Returns where the JSON ends; the rest
 * is text. Runs in slices. Very long strings are scanned as text, whatever they contain.
 */
function* scanJson(piece: MappedText, scan: SecretScan, place: () => string): Generator<void, number> {
  return yield* new JsonScan(piece, scan, place, 0).run();
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
      for (const stretch of this.#long.length > 0 ? this.#long.splice(0) : NONE) {
        yield* scanInSlices(this.#piece, { ...stretch, escaped: true }, this.#scan, this.#place);
      }
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
    const ends = ',]}'.includes(this.#text[at]!);
    if (level?.full && !ends) return -1;
    if (level && !ends) level.full = true;
    switch (this.#text[at]) {
      case '{':
      case '[':
        return this.#open(this.#text[at] === '[') ? at + 1 : -1;
      case '}':
      case ']':
        this.#close();
        return at + 1;
      case ',':
        if (level) {
          level.index++;
          level.full = false;
        }
        return at + 1;
      case '"':
        return level && !level.array ? this.#member(level, at) : this.#value(level, at);
      default:
        return this.#value(level, at);
    }
  }

  #open(array: boolean): boolean {
    if (this.#levels.length >= JSON_DEPTH) return false;
    this.#levels.push(openLevel(this.#levels, array));
    return true;
  }

  #close(): void {
    const { label, value, isSecret, entries, directory, hasLogin } = this.#levels.pop()!;
    if (label !== undefined) this.#column(label);
    const secret = label !== undefined && value ? namedSecret(label, 'member') : undefined;
    if (secret && value && !isWorkingDirectory(label!, value.text)) this.#named(value, secret, 'value');
    const password = directory && hasLogin ? namedSecret('PWD', 'member') : undefined;
    if (directory && password) this.#named(directory, password, 'PWD');
    if (isSecret) for (const entry of entries ?? NONE) this.#entry(entry);
  }

  /** Notes the name of a column from an item in a list of columns. */
  #column(name: string): void {
    const [list, owner] = [this.#levels.at(-1), this.#levels.at(-2)];
    if (!list?.array || !owner || owner.array || list.index >= MOST_COLUMNS || !COLUMNS.test(owner.key)) return;
    const secret = columnSecret(name, 'rows');
    if (!secret) return;
    owner.columns ??= [];
    owner.columns[list.index] = secret;
  }

  /** Returns the kind of secret in the next item of a row, by its column. */
  #ofColumn({ index }: Level): NamedSecret | undefined {
    const [rows, owner] = [this.#levels.at(-2), this.#levels.at(-3)];
    return owner?.columns && rows?.array && ROWS.test(owner.key) ? owner.columns[index] : undefined;
  }

  /** Reports a Kubernetes Secret's value, both as it stands and decoded. */
  #entry({ list, key, piece }: Entry): void {
    const place = () => joinPath(joinPath(this.#place(), list), key);
    const found = { from: piece.origin(0), to: piece.origin(piece.text.length), place };
    const readings = manifestReadings(piece.text, list === 'data');
    for (const value of readings) this.#scan.found({ ...found, rule: 'secret', value });
    // The decoded value may be a settings file.
    const inside: SecretScan['found'] = ({ rule, value }) => this.#scan.found({ ...found, rule, value });
    if (readings[1]) scanText(MappedText.whole(readings[1]), { weak: false, found: inside }, place);
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
    const secret = level && this.#secretHere(level, text);
    if (secret) this.#named(piece, secret);
    else if (level && !level.array && isWorkingDirectory(level.key, text)) level.directory = piece;
    else if (level && LOGIN.test(level.key) && !/^\d+$/.test(text)) level.hasLogin = true;
    const json = this.#nested < MOST_NESTING && mayBeJson(text);
    const from = json ? runToEnd(new JsonScan(piece, this.#scan, this.#place, this.#nested + 1).run()) : 0;
    if (from < text.length) scanText(from === 0 ? piece : piece.slice(from), this.#scan, this.#place);
    if (!level) return;
    level.before = text.slice(0, REDACTED_NAME_CHARS);
    if (LABEL.test(level.key)) level.label = level.before;
    if (LABELLED.test(level.key)) level.value = piece;
    if (level.array) this.#column(level.before);
    else if (level.key === 'kind' && text === 'Secret') level.isSecret = true;
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
    const secret = level && this.#secretHere(level, head.text);
    if (secret && (!secret.weak || this.#scan.weak) && isSecretValue(head.text, secret.value)) {
      const { rule, weak = false } = secret;
      const [start, end] = [this.#piece.origin(from), this.#piece.origin(to)];
      this.#scan.found({ rule, value: head.text, from: start, to: end, weak, place: this.#place });
    } else this.#long.push({ from, to });
    if (level) level.before = undefined;
  }

  /** Reports a number that may be a password. Returns false for invalid JSON, such as `('password', 'x')`. */
  #scalar(level: Level | undefined, from: number, to: number): boolean {
    const text = this.#text.slice(from, to);
    const report = (rule: FoundSecret['rule'], value: string) =>
      this.#scan.found({
        rule,
        value,
        from: this.#piece.origin(from),
        to: this.#piece.origin(to),
        quote: `${'\\'.repeat(2 ** this.#nested - 1)}"`,
        place: this.#place,
      });
    if (!/^-?\d/.test(text)) return /^(?:true|false|null)$/.test(text);
    const secret = level && (level.array ? this.#ofColumn(level) : namedSecret(level.key, 'member'));
    if (secret?.numbers && (!secret.weak || this.#scan.weak)) report(secret.rule, text);
    this.#scan.inText?.(text, (rule, begin, end, value) => {
      if (begin === 0 && end === text.length) report(rule, value ?? text);
    });
    return true;
  }

  /** Returns the kind of secret in the next string, judging by its name; undefined for none. */
  #secretHere(level: Level, text: string): NamedSecret | undefined {
    if (!level.array) return !level.secret && isWorkingDirectory(level.key, text) ? undefined : secretOf(level);
    const ofColumn = this.#ofColumn(level);
    if (ofColumn) return ofColumn;
    const { before, index } = level;
    if (before?.startsWith('-') && !text.startsWith('-')) return namedSecret(before.replace(/^-+/, ''), 'flag');
    const outer = this.#levels.at(-2);
    const above = this.#levels.at(-3);
    // Names and values alternate, as in Node's `rawHeaders`, or come in pairs.
    const listed = outer?.array ? index === 1 && above?.key : index % 2 === 1 && outer?.key;
    if (listed && before !== undefined && /headers$/i.test(listed)) return namedSecret(before, 'header');
    return level.secret && { ...level.secret, value: 'distinctive' };
  }

  #named(piece: MappedText, secret: NamedSecret, member?: string): void {
    const { text } = piece;
    const from = secret.rule === 'authorization' ? schemeLength(text, 0) : 0;
    const value = text.slice(from);
    const judged = judgeSecret(value, secret, this.#scan.weak);
    if (!judged) return;
    const found = {
      ...{ from: piece.origin(from), to: piece.origin(text.length), weak: judged.weak ?? false },
      place: member === undefined ? this.#place : () => joinPath(this.#place(), member),
    };
    this.#scan.found({ ...found, rule: judged.rule, value });
    const password =
      secret.value === 'pair' ? (basicPassword(value) ?? value.slice(value.indexOf(':') + 1)) : undefined;
    if (password !== undefined) this.#scan.found({ ...found, rule: 'password', value: password });
  }

  readonly #place = (): string =>
    this.#levels.reduce<string>(
      (path, { array, key, index }) =>
        array ? `${path}[${index}]` : joinPath(path, key.slice(0, REDACTED_NAME_CHARS)),
      this.#outer(),
    );
}

/** An object or array being read. */
export interface Level {
  readonly array: boolean;
  /** Name of the current member; '' in arrays. */
  key: string;
  /** Number of members or items before this one. */
  index: number;
  /** Only a comma or the end may follow. */
  full: boolean;
  /** Set if the object's or array's own name is a secret's name. */
  readonly secret: NamedSecret | undefined;
  /** The string before this item. */
  before: string | undefined;
  /** For `{"name": "Authorization", "value": "…"}`: the name that the object gives itself, and its value. */
  label: string | undefined;
  value: MappedText | undefined;
  /** The kind of secret in each column of its rows, once the columns are known. Sparse. */
  columns: (NamedSecret | undefined)[] | undefined;
  /** Set for a Kubernetes Secret, with the entries of its `data` and `stringData`. */
  isSecret: boolean;
  /** The object's `PWD` if that is a path. Next to a login it is still a password. */
  directory: MappedText | undefined;
  hasLogin: boolean;
  entries: Entry[] | undefined;
}

/** An entry of a Kubernetes Secret. */
export interface Entry {
  /** `data` or `stringData`. */
  readonly list: string;
  readonly key: string;
  readonly piece: MappedText;
}

/** Opens an object or array within `outer`. */
function openLevel(outer: readonly Level[], array: boolean): Level {
  const holder = outer.at(-1);
  const secret = holder && !LISTS_OF_NAMES.test(outer.at(-2)?.key ?? '') ? secretOf(holder) : undefined;
  return {
    array,
    key: '',
    index: 0,
    full: false,
    secret,
    before: undefined,
    label: undefined,
    value: undefined,
    columns: undefined,
    isSecret: false,
    directory: undefined,
    hasLogin: false,
    entries: undefined,
  };
}

/**
 * Members that give an object its name, and those that hold its value: `Name` and `Value`, `ParameterKey` and
 * `ParameterValue`.
 */
const LABEL = /^(?:[a-z]{0,20}(?:Name|Key)|name|key|header|field)$/i;
const LABELLED = /^[a-z]{0,20}value$/i;
/** Members of an ODBC connection, where `PWD` is a password. Environments have only `UID` of these, as a number. */
const LOGIN = /^(?:uid|user ?id|dsn|driver|data ?source|(?:initial ?)?catalog)$/i;
/** Members that list column names, and those that list rows. */
const COLUMNS = /^(?:columns|cols|fields|headers?|columnNames|column_names)$/;
const ROWS = /^(?:rows|data|values|records|results?|items)$/;
/** Most columns of a table that are judged. */
const MOST_COLUMNS = 4096;
/** Members that hold the value of something with a secret's name, in a schema or a wrapper. */
const VALUES = /^(?:value|default|const|enum|examples?|data|raw|current)$/;
/** Schema keywords whose members list names. */
const LISTS_OF_NAMES = /^(?:dependentRequired|dependencies)$/;

/** Members that describe their object, and schema keywords. */
const ABOUT =
  /^(?:[$].*|type|format|pattern|title|description|name|label|kind|url|uri|href|required|properties|patternProperties|additionalProperties|propertyNames|items|prefixItems|anyOf|oneOf|allOf|not|if|then|else|definitions|dependent\w+|content\w+|createdAt|created_at|updatedAt|updated_at|expires\w*)$/;

/** Returns the kind of secret in the next strings of a level. */
function secretOf(level: Level): NamedSecret | undefined {
  const { array, key, secret } = level;
  if (array) return secret;
  const named = namedSecret(key, 'member');
  if (!secret || (named && !named.weak)) return named;
  if (VALUES.test(key)) return named ?? secret;
  return secret.weak || ABOUT.test(key) ? named : { ...secret, value: 'solid', numbers: undefined };
}

/** Returns the path of a member. */
function joinPath(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
