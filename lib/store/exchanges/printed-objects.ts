import { SparseColumn } from '../columns/collections';

/**
 * Maximum size of a printed object, in lines and bytes. A list of a thousand tools fits. Larger ones stay single lines.
 */
const MOST_LINES = 50_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** The start of an object or a batch. */
const FIRST_LINE = /^\s*(?:\{|\[\s*(?:\{|$))/;

/** An object that a server printed over several lines. */
export interface PrintedObject {
  /** seqs of its lines, at least two. */
  readonly lines: readonly number[];
  /** Size of all its lines, including the line feeds between them. */
  readonly bytes: number;
}

/** An object whose last line has not arrived yet. */
interface Unfinished {
  readonly seqs: number[];
  /** True if strings may have single quotes, as in Python. */
  readonly python: boolean;
  depth: number;
  /** Size including line feeds. */
  bytes: number;
}

/**
 * Finds objects that a server printed over several lines of stdout: a line that opens a bracket, up to the line that
 * closes it. Reads each character once.
 */
export class PrintedObjects {
  #unfinished: Unfinished | undefined;
  /** seq of the first line of each line's object. */
  readonly #firsts = new SparseColumn();
  /** Objects by the seq of their first line. */
  readonly #objects = new Map<number, PrintedObject>();
  #foldedLines = 0;

  /** Number of lines of objects, without the first lines. */
  get foldedLines(): number {
    return this.#foldedLines;
  }

  /** True while the last line of an object is missing. */
  get isOpen(): boolean {
    return this.#unfinished !== undefined;
  }

  /** Adds a line of stdout that is not a message. Returns the object that it completes. */
  addLine(seq: number, text: string, bytes: number): PrintedObject | undefined {
    const open = this.#unfinished ?? begun(text);
    if (!open) return undefined;
    this.#unfinished = open;
    open.seqs.push(seq);
    open.bytes += bytes + 1;
    open.depth = depthAfter(text, open);
    if (open.depth > 0 && open.seqs.length < MOST_LINES && open.bytes < MOST_BYTES) return undefined;
    this.#unfinished = undefined;
    if (open.depth > 0 || open.seqs.length === 1) return undefined;
    const first = open.seqs[0]!;
    const object = { lines: open.seqs, bytes: open.bytes };
    for (const line of open.seqs) this.#firsts.set(line - 1, first);
    this.#objects.set(first, object);
    this.#foldedLines += object.lines.length - 1;
    return object;
  }

  /** Discards the unfinished object, because a message interrupted it. */
  discardOpen(): void {
    this.#unfinished = undefined;
  }

  /** Returns the object that contains this line. */
  objectWithLine(seq: number): PrintedObject | undefined {
    return this.#objects.get(this.#firsts.get(seq - 1));
  }

  /** Returns the object that starts with this line. */
  objectStartingAt(seq: number): PrintedObject | undefined {
    return this.#objects.get(seq);
  }
}

function begun(text: string): Unfinished | undefined {
  if (!FIRST_LINE.test(text)) return undefined;
  return { seqs: [], python: /^\s*\[?\s*\{\s*'/.test(text), depth: 0, bytes: -1 };
}

/** Returns the number of open brackets after a line. Strings end with the line. */
function depthAfter(text: string, { depth, python }: Unfinished): number {
  let quote: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quote !== undefined) {
      if (character === '\\') at++;
      else if (character === quote) quote = undefined;
    } else if (character === '"' || (python && character === "'")) quote = character;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      // The outermost bracket is closed, so the object ends here.
      if (depth === 0) return 0;
    }
  }
  return depth;
}
