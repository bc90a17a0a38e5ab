import { blanked, type ConfigPlaces, type NamedValue, type Splice, spaceBefore, type TextSpan } from './config-places';

/** A value, and the keys that lead to it from the top. */
interface Assignment extends NamedValue {
  readonly path: readonly string[];
  /** Start of the last part of a dotted key. */
  readonly keyStart: number;
  /** The value is in a table on one line, where commas are between values. */
  readonly isInline: boolean;
}

/** Finds values in TOML. The text must be valid. What it takes for a value is checked again after each change. */
export class TomlPlaces implements ConfigPlaces {
  readonly bare: string;
  readonly #text: string;
  readonly #assignments: readonly Assignment[];
  readonly #items: ReadonlyMap<number, readonly TextSpan[]>;

  constructor(text: string) {
    const scanner = new TomlScanner(text);
    this.#text = text;
    this.#assignments = scanner.assignments;
    this.#items = scanner.items;
    this.bare = blanked(text, scanner.comments);
  }

  find(path: readonly string[]): NamedValue | undefined {
    return this.#assignments.find(
      (one) => one.path.length === path.length && one.path.every((key, i) => key === path[i]),
    );
  }

  items(list: TextSpan): readonly TextSpan[] {
    return this.#items.get(list.start) ?? [];
  }

  added(after: NamedValue, name: string, value: string): Splice {
    const { isInline, nameStart, keyStart, nameEnd, start, end } = this.#assignment(after);
    const equals = this.bare.slice(nameEnd, start);
    // `servers.files.command` is followed by `servers.files.args`.
    const added = `${this.#text.slice(nameStart, keyStart)}${name}${equals}${value}`;
    if (isInline) return { start: end, end, text: `, ${added}` };
    const line = lineEnd(this.#text, end);
    const breaks = /\r\n/.test(this.#text) ? '\r\n' : '\n';
    const indent = spaceBefore(this.bare, nameStart).replace(/^\r?\n/, '');
    return { start: line, end: line, text: `${breaks}${indent}${added}` };
  }

  removed(value: NamedValue): Splice | undefined {
    const { isInline, nameStart, end } = this.#assignment(value);
    const before = this.bare.slice(0, nameStart).trimEnd().length;
    const start = isInline ? before - 1 : nameStart - spaceBefore(this.bare, nameStart).length;
    if (isInline && this.bare[start] !== ',') return undefined;
    return this.bare.slice(start, end) === this.#text.slice(start, end) ? { start, end, text: '' } : undefined;
  }

  #assignment(value: NamedValue): Assignment {
    return this.#assignments.find(({ start }) => start === value.start)!;
  }
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

const BARE_KEY = /[A-Za-z0-9_-]+/y;
const SPACE = /[ \t]*/y;
const SPACE_AND_LINES = /[ \t\r\n]*/y;
const COMMENT = /#[^\r\n]*/y;
/** Numbers, dates and words. A date may have a space before its time. */
const SCALAR = /[^,\]}#\r\n]*/y;
/** Strings, the long ones first. Up to two quotes may stand before the closing ones. */
const STRING = /"""(?:\\[\s\S]|(?!""")[^\\])*"""{1,3}|'''(?:(?!''')[\s\S])*'''{1,3}|"(?:\\.|[^"\\\r\n])*"|'[^'\r\n]*'/y;

/** Reads valid TOML once, and notes where values are. */
class TomlScanner {
  readonly assignments: Assignment[] = [];
  /** Items of lists, by the offset of the list. */
  readonly items = new Map<number, readonly TextSpan[]>();
  readonly #text: string;
  readonly comments: TextSpan[] = [];
  #keyStart = 0;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith('\uFEFF')) this.#at = 1;
    this.#readDocument();
  }

  #readDocument(): void {
    let table: readonly string[] = [];
    for (this.#skip(true); this.#at < this.#text.length; this.#skip(true)) {
      const from = this.#at;
      if (this.#text[from] === '[') {
        const isList = this.#text[from + 1] === '[';
        this.#at += isList ? 2 : 1;
        // Tables in lists are not searched.
        table = [...(isList ? ['\0'] : []), ...this.#readKey()];
        this.#at = lineEnd(this.#text, this.#at);
      } else this.#readAssignment(table, false);
      // The text was valid, so this happens only if it uses a syntax that we don't know.
      if (this.#at === from) return;
    }
  }

  #readAssignment(table: readonly string[], isInline: boolean): void {
    const nameStart = this.#at;
    const path = [...table, ...this.#readKey()];
    const [keyStart, nameEnd] = [this.#keyStart, this.#at];
    this.#skip(false);
    if (this.#text[this.#at] !== '=') return;
    this.#at++;
    this.#skip(false);
    const start = this.#at;
    this.#readValue(path);
    this.assignments.push({ path, nameStart, keyStart, nameEnd, start, end: this.#at, isInline });
  }

  /** Reads a dotted key. Stops after its last part. */
  #readKey(): readonly string[] {
    const keys: string[] = [];
    for (;;) {
      this.#match(SPACE);
      this.#keyStart = this.#at;
      const quoted = this.#match(STRING);
      keys.push(quoted === '' ? this.#match(BARE_KEY) : unquoted(quoted));
      const end = this.#at;
      this.#match(SPACE);
      if (this.#text[this.#at] !== '.') {
        this.#at = end;
        return keys;
      }
      this.#at++;
    }
  }

  #readValue(path: readonly string[]): void {
    const start = this.#at;
    const first = this.#text[start];
    if (first === '[') {
      const items: TextSpan[] = [];
      this.#readMembers(']', () => {
        const from = this.#at;
        this.#readValue([...path, '\0']);
        items.push({ start: from, end: this.#at });
      });
      this.items.set(start, items);
    } else if (first === '{') this.#readMembers('}', () => this.#readAssignment(path, true));
    else if (this.#match(STRING) === '') this.#at = start + this.#match(SCALAR).trimEnd().length;
  }

  #readMembers(close: string, read: () => void): void {
    this.#at++;
    for (this.#skip(true); this.#at < this.#text.length && this.#text[this.#at] !== close; this.#skip(true)) {
      const from = this.#at;
      read();
      this.#skip(true);
      if (this.#text[this.#at] === ',') this.#at++;
      if (this.#at === from) return;
    }
    this.#at++;
  }

  /** Skips white space and comments. */
  #skip(lines: boolean): void {
    for (;;) {
      const from = this.#at;
      this.#match(lines ? SPACE_AND_LINES : SPACE);
      const start = this.#at;
      if (lines && this.#match(COMMENT) !== '') this.comments.push({ start, end: this.#at });
      if (this.#at === from) return;
    }
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}

/** Returns the text of a quoted key. One with escapes that JSON does not have stays as written, and matches nothing. */
function unquoted(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1);
  try {
    return JSON.parse(key) as string;
  } catch {
    return key;
  }
}
