/** Every number that bounds something, in one place. Bytes, milliseconds or counts, as the names say. */
export const LIMITS = {
  /** A longer line is kept as several frames and is not read as a message. Below V8's longest string (512 MiB). */
  frameBytes: 256 * 1024 * 1024,
  /** The largest batch of frames in one WebSocket message, and the largest part of a frame. */
  batchBytes: 256 * 1024,
  /** Most frames in one batch. */
  batchFrames: 4096,
  /** How long frames are gathered in a flood before they leave. A frame after a quiet moment leaves at once. */
  batchMs: 16,
  /** Bytes waiting in one viewer's socket above which nothing more is handed to it until it drains. */
  viewerBufferedBytes: 1024 * 1024,
  /** Bytes of one connection's log kept in memory; older bytes move to a spill file. */
  logMemoryBytes: 32 * 1024 * 1024,
  /** Inbound WebSocket message, beyond which the socket is closed with 1009. */
  commandBytes: 4 * 1024 * 1024,
  /** Browser tabs at a time. */
  viewers: 8,
  /** Commands a viewer may send a second, as an average; a burst of as many is allowed. */
  commandsPerSecond: 200,
  /** Malformed commands in a row before the socket is closed with 1008. */
  malformedCommands: 20,
  /** A launch code's life, and the wrong guesses after which the current code is burned. */
  launchCodeMs: 60_000,
  launchGuesses: 20,
  /** How long servers live on after the last tab closed. */
  viewerGraceMs: 10 * 60_000,
  /** Request timeout: default for one silence, and the hard maximum however much progress comes. */
  requestMs: 60_000,
  requestMaxMs: 10 * 60_000,
  /** How long `server/discover` may go unanswered before the server counts as legacy. Slowest seen: 5.3 s. */
  probeMs: 15_000,
  /** How long `initialize` may take: cold starts that download packages are slow. */
  initializeMs: 60_000,
  /** Pages of one listing before it is taken for an endless one. */
  listPages: 1000,
  /** Quiet time after a list_changed before the list is read again. */
  listChangedMs: 150,
  /** The kill ladder: after stdin's end, after SIGTERM; then SIGKILL. */
  stdinEndMs: 1500,
  sigtermMs: 1500,
  /** How long output may still arrive after the exit when a grandchild holds the pipes. */
  drainMs: 500,
} as const;
