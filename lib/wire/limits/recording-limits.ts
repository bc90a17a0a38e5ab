/** Recordings: the format, writing, reading, keeping and listing them. */
export const RECORDING_LIMITS = {
  /**
   * A string of a message that is as long is a line of its own in a recording, so many of one message. A frame may refer to the newest of
   * these lines, so many and so much of them together: what one frame has at most fits (`recordedTextBytes`). They are part of the format.
   */
  blobBytes: 64 * 1024,
  blobsPerFrame: 32,
  blobs: 64,
  blobsBytes: 64 * 1024 * 1024,
  /** In a recording, a longer frame is base64 (its text, escaped, might be longer than a string can be), and longer JSON a string. */
  recordedTextBytes: 64 * 1024 * 1024,
  recordedJsonChars: 4 * 1024 * 1024,
  /** The longest line that is read, which a frame of `frameBytes` fits into as base64; the first line. */
  recordedLineBytes: 352 * 1024 * 1024,
  recordingHeaderBytes: 1024 * 1024,
  /** Beyond this a line has to be base64: read as text it would take several times its size. */
  recordedPlainBytes: 128 * 1024 * 1024,
  /** All bytes of a recording, unpacked; and of its frames, where all of them are held at a time. */
  recordingBytes: 2 * 1024 ** 3,
  /** All that is put back into the frames of a recording is no more than `recordingBytes`, and so many times the bytes of its file up to there. */
  putBackTimes: 100,
  /** Bytes of messages with blobs put back that are in the log of a recording which is smaller than a page holds; beyond it they are skims. */
  expandedBytes: 32 * 1024 * 1024,
  /** Frames of a recording that are read at a time, and what a page reads of one to see whether its end vouches for it. */
  recordedPortionBytes: 8 * 1024 * 1024,
  pageDigestBytes: 64 * 1024 * 1024,
  /** Missing frames of a recording that are frames of their own, so that those behind keep their numbers: a line may claim any number. */
  missingFrames: 100_000,
  /** Lines without a frame that a recording may have beyond as many as it has frames: a small gzip of blank lines would be read for hours. */
  framelessLines: 20_000,
  /** Damaged lines that are told by their numbers. */
  damagedLines: 20,
  /** Of a string that is longer nothing stands in a skim; a message with a longer skim is not skimmed. */
  skimmedStringBytes: 200,
  skimBytes: 1024,
  /** Frames of one index in a recording; indexes that an end may name; bytes of a whole frame that stands in one, and of all of one, unpacked. */
  indexedFrames: 4096,
  indexes: 2000,
  indexedBytes: 4096,
  indexLineBytes: 32 * 1024 * 1024,
  /** A file that was opened by its indexes is held against them once nobody has been sent any of it for so long, so many bytes at a time, with rests. */
  indexCheckMs: 3000,
  indexCheckBytes: 256 * 1024,
  /** Frames that a recorder writes in one go, and how many times as long it rests after that while more comes in. */
  recordedAtOnce: 256,
  recorderRest: 40,
  /** No rest is longer. The process is looked at for so long at a time: if it is busy for less than this share of it, nobody needs the rest. */
  recorderRestMs: 500,
  recorderLookMs: 100,
  recorderQuietLoad: 0.1,
  /**
   * Connections that pages make themselves: how many are recorded at a time, or remembered; the longest frame of one; how long a page
   * may be away before its recordings end.
   */
  pageRecordings: 500,
  pageFrameBytes: 80 * 1024 * 1024,
  pageRecordingAwayMs: 30_000,
  /** Recordings that a browser keeps where there is no proxy, in bytes of lines; portions of them that are read at a time. */
  browserKeptBytes: 256_000_000,
  shelfPortions: 256,
  /** Recordings are kept this long, and this much of them. */
  recordingsKeptMs: 30 * 24 * 60 * 60_000,
  recordingsKeptBytes: 1_000_000_000,
  /** Was nothing written for longer, but in the last day, then it may be the clock that leapt; files that nobody finished for so long are left. */
  clockLeapMs: 60 * 24 * 60 * 60_000,
  leftoverMs: 24 * 60 * 60_000,
  /** What a person may choose instead: days, and bytes. */
  keepDaysMost: 3650,
  keepBytesMost: 1_000_000_000_000,
  /** Newest recordings that are listed, bytes looked at, at each end, to say what one is, and what those of a gzipped one unpack to at most. */
  recordingsListed: 500,
  recordingGlanceBytes: 64 * 1024,
  recordingGlanceUnpacked: 4 * 1024 * 1024,
  /** A recording that is imported, which has to arrive within `bodyMs`; a name and a note on their way; what is looked through for problems. */
  importedBytes: 500_000_000,
  aboutBodyBytes: 64 * 1024,
  countedRecordingBytes: 16 * 1024 * 1024,
  /** Characters of a note, and of a recording's name; frames of one log that may have a note. */
  noteChars: 10_000,
  recordingNameChars: 200,
  notedFrames: 5000,
  /** Whoever adds to a recording waits so long for another who does, and looks so often. */
  lockWaitMs: 10_000,
  lockLookMs: 20,
  /**
   * Whoever records touches the file so often. Of who can't be looked for, on another machine or in another container, it is taken that
   * they still write a file without an end, or hold a lock, that was touched so lately.
   */
  touchMs: 60_000,
  strangeWriterMs: 10 * 60_000,
  /** An HTTP Archive, which is read whole. */
  harBytes: 256 * 1024 * 1024,
  /** Milliseconds that something in an HTTP Archive may have taken, or have begun after the first: more is no time. */
  harMs: 30 * 24 * 60 * 60_000,
} as const;
