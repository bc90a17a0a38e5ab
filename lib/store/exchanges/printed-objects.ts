import { SparseColumn } from '../columns/collections';

/** Most lines and bytes of one printed object. Larger ones stay single lines. A list of a thousand tools fits. */
const MOST_LINES = 50_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** How the first line of an object or a batch begins. */
const FIRST_LINE = /^\s*(?:\{|\[\s*(?:\{|$))/;

/** An object that a server printed over several lines. */
export interface PrintedObject {
  /** seqs of its lines, two or more. */
  readonly lines: readonly number[];
  /** Size of all its lines, with the line feeds between them. */
  readonly bytes: number;
}

/** An object whose last line has not come yet. */
interface Unfinished {
  readonly seqs: number[];
  /** Strings may be in single quotes, as in Python. */
  readonly python: boolean;
  depth: number;
  /** With the line feeds between them. */
  bytes: number;
}

/**
 * Finds the objects that a server printed over several lines of stdout, where a message is one line: a line that opens
 * a bracket and the lines up to the one that closes it. Each character is looked at once.
 */
export class PrintedObjects {
  #unfinished: Unfinished | undefined;
  /** By line: seq of the first line of its object. */
  readonly #firsts = new SparseColumn();
  /** By the seq of the first line. */
  readonly #objects = new Map<number, PrintedObject>();
  #foldedLines = 0;

  /** Lines of objects, but for the first ones. */
  get foldedLines(): number {
    return this.#foldedLines;
  }

  /** True while the last line of an object has not come. */
  get isOpen(): boolean {
    return this.#unfinished !== undefined;
  }

  /** Takes in the next line of stdout, unless it is a message. Returns the object that it ends. */
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

  /** A message came on stdout: what was unfinished is not an object. */
  discardOpen(): void {
    this.#unfinished = undefined;
  }

  /** The object that this frame is a line of, if any. */
  of(seq: number): PrintedObject | undefined {
    return this.#objects.get(this.#firsts.get(seq - 1));
  }

  /** The same, if this frame is its first line. */
  from(seq: number): PrintedObject | undefined {
    return this.#objects.get(seq);
  }
}

function begun(text: string): Unfinished | undefined {
  if (!FIRST_LINE.test(text)) return undefined;
  return { seqs: [], python: /^\s*\[?\s*\{\s*'/.test(text), depth: 0, bytes: -1 };
}

/** How many brackets are open after a line. Strings end with their line. */
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
      // The outermost bracket closes, so the object ends here.
      if (depth === 0) return 0;
    }
  }
  return depth;
}
