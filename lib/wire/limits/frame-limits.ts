/** Frames: what one may be, how batches of them travel, and how many of a log are kept in memory. */
export const FRAME_LIMITS = {
  /** A longer line is kept as several frames and is not read as a message. Below V8's longest string (512 MiB). */
  frameBytes: 256 * 1024 * 1024,
  /** Nesting, and members and items in all, beyond which a text is a frame but is not read as a message. */
  jsonDepth: 256,
  jsonNodes: 4_000_000,
  /** The largest batch of frames in one WebSocket message, and the largest part of a frame. */
  batchBytes: 256 * 1024,
  /** Most frames in one batch, and the header of one that a page sends. */
  batchFrames: 1024,
  batchHeaderBytes: 1024,
  /** How long frames are gathered in a flood before they leave. */
  batchMs: 16,
  /** What may leave at once within `batchMs` before frames are gathered: a few calls and their answers, but no flood. */
  batchesAtOnce: 32,
  bytesAtOnce: 64 * 1024,
  /** Bytes waiting in one viewer's socket above which nothing more is handed to it until it drains. */
  viewerBufferedBytes: 1024 * 1024,
  /** Bytes of one connection's log kept in memory; older bytes move to a spill file. */
  logMemoryBytes: 32 * 1024 * 1024,
  /** Frames asked for again at a time, and the bytes of them: one larger frame comes alone. */
  againFrames: 1024,
  againBytes: 8 * 1024 * 1024,
  /** The longest wait that timers can count. */
  timerMs: 2 ** 31 - 1,
} as const;
