import type { JsonOutline } from '@/lib/json/outline';
import { imageTypeOf } from './string-content';

/** A JSON text in the tree: the message, or JSON embedded in one of its strings. */
export interface TreeDocument {
  readonly number: number;
  readonly outline: JsonOutline;
  /** The string that contains this text; undefined for the message itself. */
  readonly host: TreeValueRef | undefined;
  /** Depth of its root in the tree. */
  readonly depth: number;
  /** State of each node: {@link INITIAL}, {@link OPEN}, {@link CLOSED} or {@link AS_JSON}. */
  readonly shown: Uint8Array;
}

/** A value in the tree. */
export interface TreeValueRef {
  readonly document: TreeDocument;
  readonly node: number;
}

/** Values above this depth are open initially, unless they have more children than {@link OPEN_CHILDREN}. */
const OPEN_DEPTH = 4;
const OPEN_CHILDREN = 100;
/** Largest image shown initially, in characters of base64. */
const OPEN_IMAGE_CHARACTERS = 2_000_000;
/** Longest value that never has a block below its line, in bytes with quotes. */
const NO_BLOCK_BYTES = 3;
/** Longest string without a block for its whole text, in bytes with quotes. */
const ONE_LINE_BYTES = 48;
/** Most rows shown. All are visited on each change, and their images must fit in a browser's tallest element. */
export const MAX_ROWS = 100_000;
/** Height of an image block, in px. */
const IMAGE_HEIGHT = 220;

/** State of a node that the user has not opened or closed. */
const INITIAL = 0;
/** Shows the children, or the whole text or image of a string. */
const OPEN = 1;
const CLOSED = 2;
/** Shows the JSON in a string. */
const AS_JSON = 3;

/** Which values of a tree are open, and the rows that result. After a change, call {@link TreeModel.rows} again. */
export class TreeModel {
  #documents: readonly TreeDocument[] = [];
  #rows: { readonly rows: TreeRows; readonly columns: number } | undefined;

  constructor(outline: JsonOutline) {
    this.#add(outline, undefined, 0);
  }

  /** The message, then the strings shown as JSON. A new array when one is added. */
  get documents(): readonly TreeDocument[] {
    return this.#documents;
  }

  get root(): TreeDocument {
    return this.#documents[0]!;
  }

  /** Returns the rows for a width of `columns` characters; the same object until something changes. */
  rows(columns: number): TreeRows {
    if (this.#rows === undefined || (this.#rows.columns !== columns && this.#rows.rows.wraps)) {
      const rows = new TreeRows(this.#documents);
      this.#walk(rows, columns, this.root, 0, 0, 0);
      this.#rows = { rows, columns };
    }
    return this.#rows.rows;
  }

  /** Returns true if a value has more to show than its line. */
  canOpen({ document: { outline }, node }: TreeValueRef): boolean {
    if (outline.isBranch(node)) return outline.childCount(node) > 0;
    return outline.kind(node) === 'string' && outline.end(node) - outline.start(node) > ONE_LINE_BYTES;
  }

  /** Returns true if the children, or the whole text, image or JSON of a string, are shown. */
  isOpen({ document, node, depth }: TreeValueRef & { readonly depth: number }): boolean {
    const shown = document.shown[node];
    if (shown !== INITIAL) return shown !== CLOSED;
    const { outline } = document;
    if (outline.isBranch(node)) return depth - document.depth < OPEN_DEPTH && outline.childCount(node) <= OPEN_CHILDREN;
    return imageTypeOf(outline, node) !== undefined && outline.end(node) - outline.start(node) <= OPEN_IMAGE_CHARACTERS;
  }

  setOpen({ document, node }: TreeValueRef, open: boolean): void {
    document.shown[node] = open ? OPEN : CLOSED;
    this.#rows = undefined;
  }

  /** Opens a value and everything inside it. */
  openAll({ document: { outline, shown }, node }: TreeValueRef): void {
    for (let at = node; at < outline.next(node); at++) if (outline.isBranch(at)) shown[at] = OPEN;
    this.#rows = undefined;
  }

  /** Opens the ancestors of a value, so that it gets a row. */
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

  /** Returns the number of ancestors of a value, including those of the string that holds its document. */
  depthOf({ document, node }: TreeValueRef): number {
    let depth = document.depth;
    for (let at = document.outline.parent(node); at !== undefined; at = document.outline.parent(at)) depth++;
    return depth;
  }

  /** Returns the JSON in a string if it was read before. */
  embedded({ document, node }: TreeValueRef): TreeDocument | undefined {
    return this.#documents.find(({ host }) => host?.document === document && host.node === node);
  }

  /** Shows the JSON in a string. */
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
      for (let child = node + 1, at = 0; child < end && rows.count < MAX_ROWS; child = outline.next(child), at++) {
        this.#walk(rows, columns, document, child, depth + 1, at);
      }
    } else if (outline.end(node) - outline.start(node) > NO_BLOCK_BYTES && this.isOpen({ document, node, depth })) {
      this.#below(rows, columns, { document, node, depth });
    }
  }

  /** Adds the rows below an open string. */
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

/** `line`: a value or its start; `text` and `image`: a block with the whole text or the image of the string above. */
export type TreeRowKind = 'line' | 'text' | 'image';
const KINDS: readonly TreeRowKind[] = ['line', 'text', 'image'];

export interface TreeRow {
  readonly document: TreeDocument;
  readonly node: number;
  readonly depth: number;
  readonly kind: TreeRowKind;
  /** Index in the parent array or object. */
  readonly siblingIndex: number;
}

/**
 * The rows of a tree, in four numbers each, because there may be very many. Only rows taller than a line store a
 * height.
 */
export class TreeRows {
  readonly #documents: readonly TreeDocument[];
  readonly #document: number[] = [];
  readonly #node: number[] = [];
  /** Depth and kind in one number. */
  readonly #nature: number[] = [];
  readonly #place: number[] = [];
  /** Rows taller than a line, with the extra height of all of them up to there. */
  readonly #tall: { readonly index: number; readonly until: number }[] = [];

  #wraps = false;

  constructor(documents: readonly TreeDocument[]) {
    this.#documents = documents;
  }

  get count(): number {
    return this.#node.length;
  }

  /** True if the height of a row depends on the width. */
  get wraps(): boolean {
    return this.#wraps;
  }

  /** Total height in px. */
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

  /** Returns the top of a row in px; for `count`, the end of the last row. */
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

  /** Returns the row at a position in px, or the last row if there is none. */
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

  /** Returns the row of a value, or -1 if an ancestor is closed. */
  indexOf(document: TreeDocument, node: number): number {
    return this.#node.findIndex(
      (candidate, index) =>
        candidate === node &&
        this.#nature[index]! % KINDS.length === 0 &&
        this.#documents[this.#document[index]!] === document,
    );
  }
}

/** Height of a line of text in a block, and of the block's padding, in px. */
const TEXT_LINE_HEIGHT = 18;
const BLOCK_PADDING = 14;
const MAX_LINES = 18;

/** Returns the height in px of a block of text wrapped at `columns` characters, up to {@link MAX_LINES}. */
function textHeight(text: string, columns: number): number {
  const width = Math.max(20, columns);
  let lines = 0;
  for (const line of text.split('\n')) {
    lines += Math.max(1, Math.ceil(line.length / width));
    if (lines >= MAX_LINES) return MAX_LINES * TEXT_LINE_HEIGHT + BLOCK_PADDING;
  }
  return lines * TEXT_LINE_HEIGHT + BLOCK_PADDING;
}
