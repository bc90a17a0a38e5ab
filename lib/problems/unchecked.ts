/** Results that are not held against their tools' schemas, which took for ever before: these, by seq, and all from one on. */
export interface Unchecked {
  readonly seqs: readonly number[];
  readonly from?: number;
}

/** True for the seq of such a result. */
export function isLeft(unchecked: Unchecked | undefined, seq: number): boolean {
  if (!unchecked) return false;
  return unchecked.seqs.includes(seq) || (unchecked.from !== undefined && seq >= unchecked.from);
}
