/**
 * Bounds that several rooms or the wire format share, in bytes, milliseconds, characters or counts, as the names say. A
 * bound that only one file uses stands in that file.
 */
export const LIMITS = {
  /** Bytes of a line. A longer one becomes several frames and is not a message. V8's longest string is 512 MiB. */
  frameBytes: 256 * 1024 * 1024,
  /** Frames in one batch. */
  batchFrames: 1024,
  /** Most frames that one `again` command requests, and most bytes. A larger frame comes alone. */
  againFrames: 1024,
  againBytes: 8 * 1024 * 1024,
  /** The longest delay of a timer: 32 bits, signed. */
  timerMs: 2 ** 31 - 1,
  /** Lifetime of a launch code. */
  launchCodeMs: 60_000,
  /** Time that servers stay connected after the last tab closed. */
  viewerGraceMs: 10 * 60_000,
  /** First and last lines of stderr shown for a failed start. */
  stderrHeadLines: 20,
  stderrTailLines: 40,
  /** Request timeout: default without progress, and maximum in spite of progress. */
  requestMs: 60_000,
  requestMaxMs: 10 * 60_000,
  /** Time to wait for the response to `initialize`. A cold start that downloads packages is slow. */
  handshakeMs: 60_000,
  /** Requests of one server that can wait for the user. Further ones are refused. */
  waitingQuestions: 20,
  /** Roots of one connection. */
  roots: 100,
  /** Pages of one list. A server with more is taken to loop. */
  listPages: 1000,
  /** Characters kept of a progress message. */
  progressChars: 160,
  /**
   * Ids, progress tokens, tools and cursors of one connection that the rules and the log remember. The oldest are
   * dropped first.
   */
  rulesMemory: 10_000,
  /** Characters of each text of a certificate that are shown. */
  certificateChars: 300,
  /** Redirects followed for one request. */
  redirects: 5,
  /** Bytes of an HTTP body or of one event of a stream, decompressed. A longer one ends its exchange. */
  httpBodyBytes: 64 * 1024 * 1024,
  /** Bytes shown of a body that is not JSON. */
  httpTextBytes: 64 * 1024,
  /**
   * Delay before a lost event stream is reopened, unless the server sets one: the first, and the longest after
   * doubling.
   */
  streamRetryFirstMs: 1000,
  streamRetryLastMs: 30_000,
  /** Failures in a row after which a stream is not reopened. */
  streamRetries: 5,
  /** Bytes of a recording's longest line. A frame of `frameBytes` fits as base64. */
  recordedLineBytes: 352 * 1024 * 1024,
  /** Bytes of a line that is read as text, which takes several times its size. A longer one must be base64. */
  recordedPlainBytes: 128 * 1024 * 1024,
  /** Bytes of a recording, unpacked. */
  recordingBytes: 2 * 1024 ** 3,
  /** Restored strings can make the frames up to this many times as large as the file, within `recordingBytes`. */
  putBackTimes: 100,
  /** Bytes of a recording that a subcommand reads whole, which also finds damage. A longer one is read by its index. */
  wholeRecordingBytes: 64 * 1024 * 1024,
  /** Bytes at the start of a recording in which the recorder looks for secrets that got their names later. */
  earlyBytes: 64 * 1024 * 1024,
  /** Bytes of a recording whose digest is checked. */
  pageDigestBytes: 64 * 1024 * 1024,
  /**
   * Missing frames that get a placeholder, so that later frames keep their numbers. A damaged line can claim any
   * number.
   */
  missingFrames: 100_000,
  /** Bytes of the longest skim of a message. */
  skimBytes: 1024,
  /** Frames in one index of a recording; indexes of a recording; bytes of a frame that an index includes whole. */
  indexedFrames: 4096,
  indexes: 2000,
  indexedBytes: 4096,
  /** Quiet time after which a file that was opened with its indexes is checked against them. */
  indexCheckMs: 3000,
  /** Direct connections of pages that are recorded at a time, or remembered. */
  pageRecordings: 500,
  /** Age at which recordings are deleted by default. */
  recordingsKeptMs: 30 * 24 * 60 * 60_000,
  /** Highest retention settings: the age in days, and the total bytes. */
  keepDaysMost: 3650,
  keepBytesMost: 1_000_000_000_000,
  /** Newest recordings that are listed. */
  recordingsListed: 500,
  /** Bytes of a recording that the list opens to count its problems. */
  countedRecordingBytes: 16 * 1024 * 1024,
  /** Characters of a note, and of a recording's name. */
  noteChars: 10_000,
  recordingNameChars: 200,
  /**
   * A file that was changed this recently counts as being written. Its process may run on another machine or in a
   * container.
   */
  strangeWriterMs: 10 * 60_000,
  /** Characters of the shortest secret that is searched for by its value. A shorter one would match everywhere. */
  secretChars: 8,
  /** Places of secrets that the end of a recording lists, because their names came later. */
  earlyPlaces: 1000,
  /** Newest masked values of a recording that are searched for by their value. */
  redactedValues: 1000,
  /**
   * Characters of a link with a recording: the length that works everywhere (Safari and chat programs are the
   * strictest), and the longest that any browser opens. Bytes that such a link can unpack to.
   */
  linkEverywhereChars: 32_000,
  linkChars: 2_000_000,
  linkUnpackedBytes: 64 * 1024 * 1024,
  /** Characters of a name or argument shown when a replay finds no match. */
  replayShownChars: 200,
  /** Sessions of a replay over HTTP. The oldest ends first. */
  replaySessions: 100,
  /** Schemas visited to flatten one schema. More are taken for references that expand on purpose. */
  schemaSteps: 1000,
  /** Time to check arguments or make a sample. A pattern from a server can take for ever. */
  schemaWorkMs: 500,
  /** Characters of a schema that is handed to the editor's worker. */
  editorSchemaChars: 1_000_000,
  /** Time for the rules to check a portion of frames. A schema's pattern can take for ever. */
  rulesMs: 5000,
  /** Time for a portion without schema checks, including the start of the worker. Only a hang takes this long. */
  rulesBlindMs: 30_000,
  /** Bytes of one log's frames that a page holds. It drops the text of older messages and loads it again on demand. */
  pageLogBytes: 192 * 1024 * 1024,
  /** Bytes of a frame that is formatted to copy or compare it, or shown as plain text. More would freeze the page. */
  formattedBytes: 2_000_000,
  /** Characters of Markdown that is rendered. Parsing more would freeze the page. */
  markdownChars: 20_000,
  /** A log that has yet to receive this many frames counts as far behind and is drawn less often. */
  farBehindFrames: 20_000,
  /** Argument sets saved by name for a tool. */
  savedCalls: 200,
  /**
   * Characters of one argument set, of its name, and of its server and tool. Longer sets, mostly files, are not kept.
   */
  keptCallChars: 50_000,
  savedCallNameChars: 200,
  callKeyChars: 1000,
  /** Servers whose destructive tools are called without asking. */
  unconfirmedServers: 500,
  /** Extra milliseconds for a worker's reply, which may wait in the queue of a blocked page. */
  regexGraceMs: 50,
} as const;
