import type { TreeDocument } from './tree-document';

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
  readonly place: number;
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

  push(document: number, node: number, depth: number, kind: TreeRowKind, place = 0, height = LINE_HEIGHT): void {
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
      place: this.#place[index]!,
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
