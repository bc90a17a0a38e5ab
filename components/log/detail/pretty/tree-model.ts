import type { JsonOutline } from '@/lib/json/outline';
import { imageTypeOf } from './string-content';

/** A JSON text in the tree: the message, or what a string of it holds. */
export interface TreeDocument {
  readonly number: number;
  readonly outline: JsonOutline;
  /** The string that it is in. */
  readonly host: TreeValueRef | undefined;
  /** Of its root, in the tree. */
  readonly depth: number;
  /** How each value is shown. */
  readonly shown: Uint8Array;
}

/** A value in the tree. */
export interface TreeValueRef {
  readonly document: TreeDocument;
  readonly node: number;
}

/** Depth to which values are open at first, if they have no more than so many others in them. */
const OPEN_DEPTH = 4;
const OPEN_CHILDREN = 100;
/** Pictures larger than this, in characters of base64, are drawn only when asked for. */
const IMAGE_UNASKED = 2_000_000;
/** A shorter value has nothing below its line: no string of it holds JSON worth reading, nor a picture. */
const LEAST_BYTES = 3;
/** A longer string has a block for its whole text. */
const LONG_BYTES = 48;
/** Rows shown at once: all are gone through whenever something opens, and full of pictures they are no taller than browsers bear. */
export const MOST_ROWS = 100_000;
const IMAGE_HEIGHT = 220;

/** How a value is shown: as at first, open (a string: all of its text), closed, or a string as the JSON in it. */
const AS_AT_FIRST = 0;
const OPEN = 1;
const CLOSED = 2;
const AS_JSON = 3;

/** What is open in a tree, and the rows that makes. Changes are made by its methods, and seen by asking again. */
export class TreeModel {
  #documents: readonly TreeDocument[] = [];
  #rows: { readonly rows: TreeRows; readonly columns: number } | undefined;

  constructor(outline: JsonOutline) {
    this.#add(outline, undefined, 0);
  }

  /** The message, then strings that were read as JSON; the same array until there are more. */
  get documents(): readonly TreeDocument[] {
    return this.#documents;
  }

  get root(): TreeDocument {
    return this.#documents[0]!;
  }

  /** The rows where `columns` characters stand beside each other: the same object until something changes. */
  rows(columns: number): TreeRows {
    if (this.#rows === undefined || (this.#rows.columns !== columns && this.#rows.rows.wraps)) {
      const rows = new TreeRows(this.#documents);
      this.#walk(rows, columns, this.root, 0, 0, 0);
      this.#rows = { rows, columns };
    }
    return this.#rows.rows;
  }

  /** True for what has more to show than its line. */
  canOpen({ document: { outline }, node }: TreeValueRef): boolean {
    if (outline.isBranch(node)) return outline.childCount(node) > 0;
    return outline.kind(node) === 'string' && outline.end(node) - outline.start(node) > LONG_BYTES;
  }

  /** Of an object or array: its members are shown. Of a string: its text, picture or JSON is. */
  isOpen({ document, node, depth }: TreeValueRef & { readonly depth: number }): boolean {
    const shown = document.shown[node];
    if (shown !== AS_AT_FIRST) return shown !== CLOSED;
    const { outline } = document;
    if (outline.isBranch(node)) return depth - document.depth < OPEN_DEPTH && outline.childCount(node) <= OPEN_CHILDREN;
    return imageTypeOf(outline, node) !== undefined && outline.end(node) - outline.start(node) <= IMAGE_UNASKED;
  }

  setOpen({ document, node }: TreeValueRef, open: boolean): void {
    document.shown[node] = open ? OPEN : CLOSED;
    this.#rows = undefined;
  }

  /** Opens a value and all that is in it. */
  openAll({ document: { outline, shown }, node }: TreeValueRef): void {
    for (let at = node; at < outline.next(node); at++) if (outline.isBranch(at)) shown[at] = OPEN;
    this.#rows = undefined;
  }

  /** Opens what a value is in, so that it has a row. */
  reveal({ document, node }: TreeValueRef): void {
    for (let at = document.outline.parent(node); at !== undefined; at = document.outline.parent(at)) {
      document.shown[at] = OPEN;
    }
    if (document.host) {
      document.host.document.shown[document.host.node] = AS_JSON;
      this.reveal(document.host);
    }
    this.#rows = undefined;
  }

  /** How many values it is in, those around the string that holds its document with them. */
  depthOf({ document, node }: TreeValueRef): number {
    let depth = document.depth;
    for (let at = document.outline.parent(node); at !== undefined; at = document.outline.parent(at)) depth++;
    return depth;
  }

  /** The JSON that a string holds, if it was read before. */
  embedded({ document, node }: TreeValueRef): TreeDocument | undefined {
    return this.#documents.find(({ host }) => host?.document === document && host.node === node);
  }

  /** Shows a string as the JSON in it. */
  embed({ document, node, depth }: TreeValueRef & { readonly depth: number }, outline: JsonOutline): void {
    if (!this.embedded({ document, node })) this.#add(outline, { document, node }, depth + 1);
    document.shown[node] = AS_JSON;
    this.#rows = undefined;
  }

  showsJson({ document, node }: TreeValueRef): boolean {
    return document.shown[node] === AS_JSON;
  }

  #add(outline: JsonOutline, host: TreeDocument['host'], depth: number): void {
    const shown = new Uint8Array(outline.size);
    this.#documents = [...this.#documents, { number: this.#documents.length, outline, host, depth, shown }];
  }

  #walk(rows: TreeRows, columns: number, document: TreeDocument, node: number, depth: number, place: number): void {
    const { number, outline } = document;
    rows.addRow(number, node, depth, 'line', place);
    if (outline.isBranch(node)) {
      if (!this.isOpen({ document, node, depth })) return;
      const end = outline.next(node);
      for (let child = node + 1, at = 0; child < end && rows.count < MOST_ROWS; child = outline.next(child), at++) {
        this.#walk(rows, columns, document, child, depth + 1, at);
      }
    } else if (outline.end(node) - outline.start(node) > LEAST_BYTES && this.isOpen({ document, node, depth })) {
      this.#below(rows, columns, { document, node, depth });
    }
  }

  /** What stands below an open string. */
  #below(rows: TreeRows, columns: number, place: TreeValueRef & { readonly depth: number }): void {
    const { document, node, depth } = place;
    const { number, outline } = document;
    if (this.showsJson(place)) {
      this.#walk(rows, columns, this.embedded(place)!, 0, depth + 1, 0);
    } else if (imageTypeOf(outline, node) !== undefined) {
      rows.addRow(number, node, depth + 1, 'image', 0, IMAGE_HEIGHT);
    } else if (outline.kind(node) === 'string') {
      const height = textHeight(outline.stringStart(node).text, columns - 2 * depth);
      rows.addRow(number, node, depth + 1, 'text', 0, height);
    }
  }
}

/** Height of a line, in px. */
export const LINE_HEIGHT = 20;

/** `line`: a value, or where one begins; `text`: all of the string above; `image`: the picture that the string above is. */
export type TreeRowKind = 'line' | 'text' | 'image';
const KINDS: readonly TreeRowKind[] = ['line', 'text', 'image'];

/** One row of a tree as it is shown now. */
export interface TreeRow {
  readonly document: TreeDocument;
  readonly node: number;
  readonly depth: number;
  readonly kind: TreeRowKind;
  /** Which one it is of those in the same array or object, from 0. */
  readonly siblingIndex: number;
}

/** The rows of a tree, of which a million may be open: four numbers each. Most are a line high; the others are listed. */
export class TreeRows {
  readonly #documents: readonly TreeDocument[];
  readonly #document: number[] = [];
  readonly #node: number[] = [];
  /** Depth and kind. */
  readonly #nature: number[] = [];
  readonly #place: number[] = [];
  /** Rows higher than a line, and by how much all of them up to there are. */
  readonly #tall: { readonly index: number; readonly until: number }[] = [];

  #wraps = false;

  constructor(documents: readonly TreeDocument[]) {
    this.#documents = documents;
  }

  get count(): number {
    return this.#node.length;
  }

  /** True if it depends on the width how high they are. */
  get wraps(): boolean {
    return this.#wraps;
  }

  /** In px. */
  get height(): number {
    return this.top(this.count);
  }

  addRow(document: number, node: number, depth: number, kind: TreeRowKind, place = 0, height = LINE_HEIGHT): void {
    this.#wraps ||= kind === 'text';
    if (height !== LINE_HEIGHT) {
      const until = (this.#tall.at(-1)?.until ?? 0) + height - LINE_HEIGHT;
      this.#tall.push({ index: this.count, until });
    }
    this.#document.push(document);
    this.#node.push(node);
    this.#place.push(place);
    this.#nature.push(depth * KINDS.length + (kind === 'line' ? 0 : KINDS.indexOf(kind)));
  }

  at(index: number): TreeRow {
    const nature = this.#nature[index]!;
    return {
      document: this.#documents[this.#document[index]!]!,
      node: this.#node[index]!,
      depth: Math.floor(nature / KINDS.length),
      kind: KINDS[nature % KINDS.length]!,
      siblingIndex: this.#place[index]!,
    };
  }

  /** Where a row begins, in px; of the count where the last one ends. */
  top(index: number): number {
    let low = 0;
    let high = this.#tall.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#tall[middle]!.index < index) low = middle + 1;
      else high = middle;
    }
    return index * LINE_HEIGHT + (this.#tall[low - 1]?.until ?? 0);
  }

  /** The row at a height in px; the last one for anything below. */
  indexAt(y: number): number {
    let low = 0;
    let high = Math.max(0, this.count - 1);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.top(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The line of a value; -1 if it is in something closed. */
  indexOf(document: TreeDocument, node: number): number {
    return this.#node.findIndex(
      (candidate, index) =>
        candidate === node &&
        this.#nature[index]! % KINDS.length === 0 &&
        this.#documents[this.#document[index]!] === document,
    );
  }
}

/** Of a line of text within a row, in px, and what is around all of them. */
const LINE = 18;
const AROUND = 14;
const MOST_LINES = 18;

/** How high a box for wrapped text is, of which `columns` characters stand beside each other: its lines, up to a bound. */
function textHeight(text: string, columns: number): number {
  const width = Math.max(20, columns);
  let lines = 0;
  for (const line of text.split('\n')) {
    lines += Math.max(1, Math.ceil(line.length / width));
    if (lines >= MOST_LINES) return MOST_LINES * LINE + AROUND;
  }
  return lines * LINE + AROUND;
}
