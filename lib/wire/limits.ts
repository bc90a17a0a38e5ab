/**
 * Numbers that bound something and that several rooms or the wire format share. A bound with one reader stands beside it.
 * Bytes, milliseconds, characters or counts, as the names say.
 */
export const LIMITS = {
  /** A longer line is kept as several frames and is not read as a message. Below V8's longest string (512 MiB). */
  frameBytes: 256 * 1024 * 1024,
  /** Most frames in one batch, and the header of one that a page sends. */
  batchFrames: 1024,
  /** Frames asked for again at a time, and the bytes of them: one larger frame comes alone. */
  againFrames: 1024,
  againBytes: 8 * 1024 * 1024,
  /** The longest wait that timers can count. */
  timerMs: 2 ** 31 - 1,
  /** A launch code's life, and the wrong guesses after which the current code is burned. */
  launchCodeMs: 60_000,
  /** How long servers live on after the last tab closed. */
  viewerGraceMs: 10 * 60_000,
  /** Lines of it shown beside a start: the first, the last, and the characters of each. */
  stderrHeadLines: 20,
  stderrTailLines: 40,
  /** Request timeout: default for one silence, and the hard maximum however much progress comes. */
  requestMs: 60_000,
  requestMaxMs: 10 * 60_000,
  /** Questions of one server's that may wait for a person; what it asks beyond them is refused. */
  waitingQuestions: 20,
  /** Roots of one connection, and the characters of each. */
  roots: 100,
  /** Pages of one listing before it is taken for an endless one. */
  listPages: 1000,
  /** Characters kept of what a request's newest progress says. */
  progressChars: 160,
  /** Ids, progress tokens, tools and cursors of one connection that the rules and the log remember; the oldest are forgotten first. */
  rulesMemory: 10_000,
  /** Characters of a certificate's texts, and names in it, that are shown. */
  certificateChars: 300,
  /** Redirects of one request that are followed. */
  redirects: 5,
  /** One HTTP body, or one event of a stream, after decompression; a longer one ends its exchange. */
  httpBodyBytes: 64 * 1024 * 1024,
  /** How much of a body that is no JSON is shown. */
  httpTextBytes: 64 * 1024,
  /** Wait before a lost event stream is opened again: the first and the longest after doubling, if the server sets none. */
  streamRetryFirstMs: 1000,
  streamRetryLastMs: 30_000,
  /** Failures in a row after which a stream is given up. */
  streamRetries: 5,
  /** The longest line that is read, which a frame of `frameBytes` fits into as base64; the first line. */
  recordedLineBytes: 352 * 1024 * 1024,
  /** Beyond this a line has to be base64: read as text it would take several times its size. */
  recordedPlainBytes: 128 * 1024 * 1024,
  /** All bytes of a recording, unpacked; and of its frames, where all of them are held at a time. */
  recordingBytes: 2 * 1024 ** 3,
  /** All that is put back into the frames of a recording is no more than `recordingBytes`, and so many times the bytes of its file up to there. */
  putBackTimes: 100,
  pageDigestBytes: 64 * 1024 * 1024,
  /** Missing frames of a recording that are frames of their own, so that those behind keep their numbers: a line may claim any number. */
  missingFrames: 100_000,
  skimBytes: 1024,
  /** Frames of one index in a recording; indexes that an end may name; bytes of a whole frame that stands in one, and of all of one, unpacked. */
  indexedFrames: 4096,
  indexes: 2000,
  indexedBytes: 4096,
  /** A file that was opened by its indexes is held against them once nobody has been sent any of it for so long, so many bytes at a time, with rests. */
  indexCheckMs: 3000,
  /**
   * Connections that pages make themselves: how many are recorded at a time, or remembered; the longest frame of one; how long a page
   * may be away before its recordings end.
   */
  pageRecordings: 500,
  /** Recordings are kept this long, and this much of them. */
  recordingsKeptMs: 30 * 24 * 60 * 60_000,
  /** What a person may choose instead: days, and bytes. */
  keepDaysMost: 3650,
  keepBytesMost: 1_000_000_000_000,
  /** Newest recordings that are listed, bytes looked at, at each end, to say what one is, and what those of a gzipped one unpack to at most. */
  recordingsListed: 500,
  countedRecordingBytes: 16 * 1024 * 1024,
  /** Characters of a note, and of a recording's name; frames of one log that may have a note. */
  noteChars: 10_000,
  recordingNameChars: 200,
  strangeWriterMs: 10 * 60_000,
  /** A shorter value is no secret to be found again by itself: it would be in everything. */
  secretChars: 8,
  /** Values taken out of one recording that are looked for by themselves, the newest, their characters, and placeholders that are kept at hand. */
  redactedValues: 1000,
  /**
   * Characters of a link that holds a recording: browsers open the first many of them everywhere (Safari and programs that pass links on are the
   * narrowest), Chromium up to 2 MiB and nobody more; and what it may unpack to.
   */
  linkEverywhereChars: 32_000,
  linkChars: 2_000_000,
  linkUnpackedBytes: 64 * 1024 * 1024,
  replayShownChars: 200,
  /** Sessions of a replay over HTTP; the oldest ends first. */
  replaySessions: 100,
  /** Schemas looked at to flatten one: beyond it, it is taken for a bomb of references. */
  schemaSteps: 1000,
  /** How long checking arguments or making a sample may take: a pattern of a server's may take for ever. */
  schemaWorkMs: 500,
  /** A longer schema is not handed to the editor's worker. */
  editorSchemaChars: 1_000_000,
  /** Rules look at one portion of a recording's frames no longer than this: a schema's pattern may take for ever. Frames and bytes of a portion. */
  rulesMs: 5000,
  /** The same for a portion of a log over which no schema was begun, the worker's start included: it only ends what would never. */
  rulesBlindMs: 30_000,
  /** Bytes of one log's frames that a page holds; of what is older the text of messages leaves, and comes back when looked at. */
  pageLogBytes: 192 * 1024 * 1024,
  /** A longer frame is not laid out anew to be copied or compared, nor shown as text that is no JSON: the page would freeze. */
  formattedBytes: 2_000_000,
  /** Markdown that is longer, makes more tokens or nests deeper is shown as text: parsing it would freeze the page. */
  markdownChars: 20_000,
  /** Frames that are still to come, from which on a log is far behind: drawing what passes by would only keep them off. */
  farBehindFrames: 20_000,
  savedCalls: 200,
  /**
   * Characters of one set, of its name, and of the names of server and tool. Longer sets, mostly files, are not kept.
   */
  keptCallChars: 50_000,
  savedCallNameChars: 200,
  callKeyChars: 1000,
  /** Extra milliseconds for a worker's reply that is already queued because the page was blocked. */
  regexGraceMs: 50,
} as const;
