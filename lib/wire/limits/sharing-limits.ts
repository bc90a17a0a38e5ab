/** Giving a recording away: what is looked for in it, what is taken out, and what may become of it. */
export const SHARING_LIMITS = {
  /** Frames handed over to be shared at a time; and bytes of frames that a page shares by itself: what is larger is for the command line. */
  sharedAtOnce: 2048,
  sharedBytes: 256 * 1024 * 1024,
  /** A shorter value is no secret to be found again by itself: it would be in everything. */
  secretChars: 8,
  /** Values taken out of one recording that are looked for by themselves, the newest, their characters, and placeholders that are kept at hand. */
  redactedValues: 1000,
  redactedValueChars: 2_000_000,
  /**
   * Secrets of a larger frame are looked for in slices of so much, between which others have their turn, as they have between frames. A longer string of a message is a text, whatever
   * is in it. A frame with more places of secrets is left out as a whole.
   */
  redactedAtOnceBytes: 4 * 1024,
  redactedSliceBytes: 64 * 1024,
  redactedStringBytes: 256 * 1024,
  redactedPlaces: 20_000,
  /** Of a private key that is printed line by line: one of 16,384 bits has 210. */
  privateKeyLines: 250,
  /** Of names and places that a finding tells of. */
  redactedNameChars: 80,
  /** Findings of one review before a recording is shared, the characters of their values, and places told of each. */
  findings: 2000,
  findingCharacters: 4_000_000,
  findingPlaces: 20,
  /** Notes and the like of a recording that is shared, which are asked about. */
  tellingFacts: 500,
  /** A person's own patterns for what is to be masked, and the characters of each. */
  redactionPatterns: 50,
  redactionPatternChars: 500,
  /**
   * Characters of a link that holds a recording: browsers open the first many of them everywhere (Safari and programs that pass links on are the
   * narrowest), Chromium up to 2 MiB and nobody more; and what it may unpack to.
   */
  linkEverywhereChars: 32_000,
  linkChars: 2_000_000,
  linkUnpackedBytes: 64 * 1024 * 1024,
  /** A recording in a page, gzipped: as base64 it is one string of the page. */
  pagePackedBytes: 256 * 1024 * 1024,
  /** Lines of a sequence diagram: beyond it nobody can read one, and Mermaid draws none. */
  diagramLines: 400,
} as const;
