/** Results that are not held against their tools' schemas, which took for ever before: these, by seq, and all from one on. */
export interface Unchecked {
  readonly seqs: readonly number[];
  readonly from?: number;
}
