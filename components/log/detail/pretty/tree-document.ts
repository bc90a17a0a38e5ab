import type { JsonOutline } from '@/lib/store/json-outline';

/** A JSON text in the tree: the message, or what a string of it holds. */
export interface TreeDocument {
  readonly number: number;
  readonly outline: JsonOutline;
  /** The string that it is in. */
  readonly host: TreePlace | undefined;
  /** Of its root, in the tree. */
  readonly depth: number;
  /** How each value is shown. */
  readonly shown: Uint8Array;
}

/** A value in the tree. */
export interface TreePlace {
  readonly document: TreeDocument;
  readonly node: number;
}
