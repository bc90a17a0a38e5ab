/** What a client says to a server, and how long it waits for what. */
export const PROTOCOL_LIMITS = {
  /** Request timeout: default for one silence, and the hard maximum however much progress comes. */
  requestMs: 60_000,
  requestMaxMs: 10 * 60_000,
  /**
   * How long `server/discover` may go unanswered over HTTP, and by a process remembered as modern. A first start by
   * npx, which downloads, took 26 s; servers of either era that run answer in well under a second.
   */
  probeMs: 30_000,
  /**
   * Silence of a process after `server/discover` before `initialize` is sent too. Servers that run answer within a
   * second; those that ignore unknown methods never do. Slower starts lose nothing: the probe stays outstanding.
   */
  probeQuietMs: 2000,
  /**
   * How long the era of a server is remembered: one that was upgraded under the same name and version is probed again
   * after that.
   */
  eraKeptMs: 24 * 60 * 60_000,
  /** Servers whose era is remembered; those probed longest ago are forgotten first. */
  erasKept: 200,
  /** Characters kept of a remembered server's name and version together. */
  eraServerChars: 200,
  /** The longest `--timeout` of a subcommand. */
  commandMaxMs: 24 * 60 * 60_000,
  /** How long `initialize` may take: cold starts that download packages are slow. */
  initializeMs: 60_000,
  /** Rounds in which a server may ask for more input before it is taken for an endless one. */
  inputRounds: 10,
  /** Questions of one server's that may wait for a person; what it asks beyond them is refused. */
  waitingQuestions: 20,
  /** Questions of one log that are told of, the newest of those that are over. */
  questionsKept: 200,
  /** Roots of one connection, and the characters of each. */
  roots: 100,
  rootChars: 4096,
  /** Pages of one listing before it is taken for an endless one. */
  listPages: 1000,
  /** Quiet time after a list_changed before the list is read again. */
  listChangedMs: 150,
  /** Quiet time after a key before the server is asked to complete, and before arguments are checked. */
  completionMs: 200,
  checkPauseMs: 120,
  /** How long a server may take to complete an argument: nobody waits longer while typing. */
  completeMs: 5000,
  /** Characters kept of what a request's newest progress says. */
  progressChars: 160,
  /** Ids, progress tokens, tools and cursors of one connection that the rules and the log remember; the oldest are forgotten first. */
  rulesMemory: 10_000,
  /** Unfinished requests, and tasks, of one connection that later requests may go on with; the oldest are forgotten first. */
  relationsMemory: 1000,
} as const;
