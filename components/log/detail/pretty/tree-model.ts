import type { JsonOutline } from '@/lib/store/json-outline';
import { imageType } from './image-string';
import { textHeight } from './text-height';
import type { TreeDocument, TreePlace } from './tree-document';
import { TreeRows } from './tree-rows';

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
  canOpen({ document: { outline }, node }: TreePlace): boolean {
    if (outline.isBranch(node)) return outline.childCount(node) > 0;
    return outline.kind(node) === 'string' && outline.end(node) - outline.start(node) > LONG_BYTES;
  }

  /** Of an object or array: its members are shown. Of a string: its text, picture or JSON is. */
  isOpen({ document, node, depth }: TreePlace & { readonly depth: number }): boolean {
    const shown = document.shown[node];
    if (shown !== AS_AT_FIRST) return shown !== CLOSED;
    const { outline } = document;
    if (outline.isBranch(node)) return depth - document.depth < OPEN_DEPTH && outline.childCount(node) <= OPEN_CHILDREN;
    return imageType(outline, node) !== undefined && outline.end(node) - outline.start(node) <= IMAGE_UNASKED;
  }

  setOpen({ document, node }: TreePlace, open: boolean): void {
    document.shown[node] = open ? OPEN : CLOSED;
    this.#rows = undefined;
  }

  /** Opens a value and all that is in it. */
  openAll({ document: { outline, shown }, node }: TreePlace): void {
    for (let at = node; at < outline.next(node); at++) if (outline.isBranch(at)) shown[at] = OPEN;
    this.#rows = undefined;
  }

  /** Opens what a value is in, so that it has a row. */
  reveal({ document, node }: TreePlace): void {
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
  depthOf({ document, node }: TreePlace): number {
    let depth = document.depth;
    for (let at = document.outline.parent(node); at !== undefined; at = document.outline.parent(at)) depth++;
    return depth;
  }

  /** The JSON that a string holds, if it was read before. */
  embedded({ document, node }: TreePlace): TreeDocument | undefined {
    return this.#documents.find(({ host }) => host?.document === document && host.node === node);
  }

  /** Shows a string as the JSON in it. */
  embed({ document, node, depth }: TreePlace & { readonly depth: number }, outline: JsonOutline): void {
    if (!this.embedded({ document, node })) this.#add(outline, { document, node }, depth + 1);
    document.shown[node] = AS_JSON;
    this.#rows = undefined;
  }

  showsJson({ document, node }: TreePlace): boolean {
    return document.shown[node] === AS_JSON;
  }

  #add(outline: JsonOutline, host: TreeDocument['host'], depth: number): void {
    const shown = new Uint8Array(outline.size);
    this.#documents = [...this.#documents, { number: this.#documents.length, outline, host, depth, shown }];
  }

  #walk(rows: TreeRows, columns: number, document: TreeDocument, node: number, depth: number, place: number): void {
    const { number, outline } = document;
    rows.push(number, node, depth, 'line', place);
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
  #below(rows: TreeRows, columns: number, place: TreePlace & { readonly depth: number }): void {
    const { document, node, depth } = place;
    const { number, outline } = document;
    if (this.showsJson(place)) {
      this.#walk(rows, columns, this.embedded(place)!, 0, depth + 1, 0);
    } else if (imageType(outline, node) !== undefined) {
      rows.push(number, node, depth + 1, 'image', 0, IMAGE_HEIGHT);
    } else if (outline.kind(node) === 'string') {
      const height = textHeight(outline.stringStart(node).text, columns - 2 * depth);
      rows.push(number, node, depth + 1, 'text', 0, height);
    }
  }
}
