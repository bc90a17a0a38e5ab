/** Kinds of pieces of code. The order is the encoding in {@link CodeRuns}. */
export const CODE_KINDS = ['plain', 'keyword', 'string', 'comment', 'value', 'name'] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

/**
 * Pairs of the index after a run, in UTF-16 units, and its kind. The text itself stays with the reader, so that nothing
 * can be hidden or changed.
 */
export type CodeRuns = Uint32Array<ArrayBuffer>;
