/** Processes that are servers: their command lines, their end, and what they say on stderr. */
export const PROCESS_LIMITS = {
  /** A longer text is no command line: no system takes one, and splitting a word into its quotes is quadratic. */
  commandLineCharacters: 64 * 1024,
  /** Ctrl-C under `npm start` comes twice, from the terminal and from npm: what is closer together than this is one. */
  signalEchoMs: 500,
  /** The kill ladder: after stdin's end, after SIGTERM, and how long the dead may take to go after SIGKILL. */
  stdinEndMs: 1500,
  sigtermMs: 1500,
  sigkillMs: 1000,
  /** How long output may still arrive after the exit when a grandchild holds the pipes. */
  drainMs: 500,
  /** Bytes waiting for a server that doesn't read its stdin, above which nothing more is sent to it. */
  stdinBufferedBytes: 64 * 1024 * 1024,
  /** A stderr line longer than this, or unfinished for this long, is shown in several frames. */
  stderrLineBytes: 64 * 1024,
  stderrPartialMs: 100,
  /** Newest stderr frames that a log's state points to. */
  stderrSeqs: 1000,
  /** Lines of it shown beside a start: the first, the last, and the characters of each. */
  stderrHeadLines: 20,
  stderrTailLines: 40,
  stderrShownChars: 2000,
} as const;
