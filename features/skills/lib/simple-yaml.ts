import type { JsonObject } from '@/lib/json/value';

// The YAML that frontmatter usually has, for the page, where a whole parser would be a quarter of all its panels.
// Anything else is left to `frontmatter.ts`. A test compares both.

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** Thrown for text that only a whole parser can read. */
class Unsupported extends Error {}

/** Parses simple YAML: mappings, lists, scalars on one line, and block scalars. undefined for other text. */
export function parseSimpleYaml(yaml: string): JsonObject | undefined {
  const raw = yaml.split('\n').map((text) => ({ indent: /^ */.exec(text)![0].length, text: text.replace(/^ +/, '') }));
  if (/[\t\r]/.test(yaml)) return undefined;
  try {
    const reader = new Reader(raw);
    const value = reader.block(0);
    return reader.isDone && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Deepest nesting. */
const MOST_DEPTH = 16;
const KEY = /^([A-Za-z_][\w.-]*):(?: +(.*))?$/;

class Reader {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  get isDone(): boolean {
    return this.#next() === undefined;
  }

  /** Returns the next line that is neither empty nor a comment, without spaces at its end. */
  #next(): Line | undefined {
    while (this.#at < this.#lines.length && /^(?:#.*)?$/.test(this.#lines[this.#at]!.text)) this.#at++;
    const line = this.#lines[this.#at];
    return line && { indent: line.indent, text: line.text.replace(/ +$/, '') };
  }

  /** Reads the mapping or list that begins at the next line. */
  block(depth: number): unknown {
    const first = this.#next();
    if (first === undefined || depth > MOST_DEPTH) throw new Unsupported();
    return first.text.startsWith('- ') ? this.#list(first.indent) : this.#mapping(first.indent, depth);
  }

  #mapping(indent: number, depth: number): JsonObject {
    const fields: [string, unknown][] = [];
    for (let line = this.#next(); line && line.indent >= indent; line = this.#next()) {
      const [, key, text = ''] = KEY.exec(line.text) ?? [];
      if (line.indent > indent || key === undefined) throw new Unsupported();
      if (key === '__proto__' || typed(key) !== key || fields.some(([name]) => name === key)) throw new Unsupported();
      this.#at++;
      fields.push([key, this.#value(text, indent, depth)]);
    }
    return Object.fromEntries(fields);
  }

  #value(text: string, indent: number, depth: number): unknown {
    if (/^[|>]-?$/.test(text)) return this.#blockScalar(text, indent);
    if (text !== '') {
      const next = this.#next();
      // The text may go on in the next line.
      if (next && next.indent > indent) throw new Unsupported();
      return scalar(text);
    }
    const next = this.#next();
    if (next && next.indent > indent) return this.block(depth + 1);
    if (next?.indent === indent && next.text.startsWith('- ')) throw new Unsupported();
    return null;
  }

  /** Reads a list of scalars. */
  #list(indent: number): readonly unknown[] {
    const items: unknown[] = [];
    for (let line = this.#next(); line && line.indent >= indent; line = this.#next()) {
      if (line.indent > indent || !line.text.startsWith('- ')) throw new Unsupported();
      const text = line.text.slice(2).replace(/^ +/, '');
      if (text.startsWith('- ') || KEY.test(text)) throw new Unsupported();
      items.push(scalar(text));
      this.#at++;
    }
    return items;
  }

  #blockScalar(style: string, indent: number): string {
    const lines: Line[] = [];
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!;
      if (line.text !== '' && line.indent <= indent) break;
      lines.push(line);
    }
    while (lines.at(-1)?.text === '' && lines.at(-1)?.indent === 0) lines.pop();
    const [first] = lines;
    // Deeper lines and empty lines have rules of their own, and so have spaces at the end.
    if (!first || lines.some(({ indent: own, text }) => text === '' || text.endsWith(' ') || own !== first.indent))
      throw new Unsupported();
    const text = lines.map((line) => line.text).join(style.startsWith('|') ? '\n' : ' ');
    return style.endsWith('-') ? text : `${text}\n`;
  }
}

const PLAIN = /^[^\s#&*!|>%@`"'{}[\],?:-](?:(?!: |:$| #).)*$/;

function scalar(text: string): unknown {
  if (text.startsWith('"')) return quoted(text);
  if (text.startsWith("'")) {
    if (!/^'(?:[^']|'')*'$/.test(text)) throw new Unsupported();
    return text.slice(1, -1).replaceAll("''", "'");
  }
  if (text.startsWith('[')) return flowList(text);
  if (!PLAIN.test(text)) throw new Unsupported();
  return typed(text);
}

function quoted(text: string): string {
  // Only escapes that JSON has as well.
  if (!/^"(?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"$/.test(text)) throw new Unsupported();
  return JSON.parse(text) as string;
}

function flowList(text: string): readonly unknown[] {
  if (!/^\[[^[\]{}"']*\]$/.test(text)) throw new Unsupported();
  const inner = text.slice(1, -1).replace(/^ +| +$/g, '');
  if (inner === '') return [];
  return inner.split(',').map((item) => scalar(item.replace(/^ +| +$/g, '')));
}

/** Returns a plain scalar with its type of YAML 1.2. Numbers in unusual notations are left out. */
function typed(text: string): unknown {
  if (/^(?:null|Null|NULL|~)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text)) return Number(text);
  if (/^[+.\d]/.test(text) && !/^\d+(?:\.\d+){2,}$/.test(text) && !/^\d{4}-\d\d-\d\d$/.test(text))
    throw new Unsupported();
  return text;
}
