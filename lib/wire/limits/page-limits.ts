/** What a page holds, looks through and draws. */
export const PAGE_LIMITS = {
  /** Bytes of one log's frames that a page holds; of what is older the text of messages leaves, and comes back when looked at. */
  pageLogBytes: 192 * 1024 * 1024,
  /** Bytes of frames that came back; those looked at last stay. */
  pageAgainBytes: 32 * 1024 * 1024,
  /** Parsed messages a log keeps at hand, and the characters of all of them. */
  parsedMessages: 32,
  parsedCharacters: 64 * 1024 * 1024,
  /** A larger message is not parsed but read where it lies, in slices: from here on parsing can be felt. */
  outlinedBytes: 128 * 1024,
  /** Bytes of a frame looked at for the short text in its row, and the characters of that text. */
  previewBytes: 512,
  previewChars: 160,
  /** The same of a line on stderr that a logger wrote as JSON: its message often comes last. */
  loggedBytes: 4096,
  /** A longer frame is not laid out anew to be copied or compared, nor shown as text that is no JSON: the page would freeze. */
  formattedBytes: 2_000_000,
  /** Markdown that is longer, makes more tokens or nests deeper is shown as text: parsing it would freeze the page. */
  markdownChars: 20_000,
  markdownTokens: 20_000,
  markdownDepth: 32,
  /** Elements and texts drawn of Markdown; what comes after them is shown as it was written. */
  markdownNodes: 3000,
  /** Methods whose durations are kept apart; those of all others are one. */
  latencyMethods: 200,
  /** How often a log that changed tells its listeners in a hidden tab, which paints no frames, and while it is far behind. */
  seldomPaintedMs: 500,
  /** New rows in one drawing of a log, beyond which none of them is seen for long: a log in flood is drawn every other time. */
  floodRows: 40,
  /** Frames that are still to come, from which on a log is far behind: drawing what passes by would only keep them off. */
  farBehindFrames: 20_000,
  /** How long a log of an earlier moment is filled before the page gets a turn, and how long a moment stays before the address has it. */
  pastSliceMs: 12,
  momentSettledMs: 250,
  /** Argument sets that are remembered of a tool, and saved by name. */
  recentCalls: 20,
  savedCalls: 200,
  /**
   * Characters of one set, of its name, and of the names of server and tool. Longer sets, mostly files, are not kept.
   */
  keptCallChars: 50_000,
  savedCallNameChars: 200,
  callKeyChars: 1000,
  /**
   * Bytes of a change in transit: JSON may escape a character with six. Bytes of the file, which is read and written
   * whole. Tools in it.
   */
  callBodyBytes: 6 * 50_000 + 16 * 1024,
  callsFileBytes: 4 * 1024 * 1024,
  callTools: 2000,
  /** Pieces of a filter text, and parentheses within one another. */
  filterTokens: 300,
  filterDepth: 50,
  /** Values of a key that a log is searched for, in how many rows at a time, and how many are offered at once. */
  filterVocabulary: 5000,
  filterVocabularyRows: 100_000,
  filterOptions: 60,
  /** Regular expressions in a filter: a bit each. */
  filterExpressions: 6,
  /** How long rows are held against a filter before the page gets a turn. */
  filterSliceMs: 24,
  /** How long the worker may take for a portion of frames, or for a single one, before an expression counts as hanging. */
  regexMs: 700,
  /** What it gets on top for an answer that is there already, if the page stood still meanwhile. */
  regexGraceMs: 50,
  /** Frames handed to it at a time, and the bytes of them: one larger frame goes alone. */
  regexFrames: 1024,
  regexBytes: 512 * 1024,
  /** Frames that hang before the search is given up. */
  regexSkips: 3,
} as const;
