/** Servers at a URL: connecting, bodies, event streams, signing in, and finding out what failed. */
export const HTTP_LIMITS = {
  /** How long one address may take to accept a connection, and then to agree on TLS. Answers and idle bodies may take for ever. */
  connectMs: 10_000,
  tlsMs: 10_000,
  /** Characters of a certificate's texts, and names in it, that are shown. */
  certificateChars: 300,
  certificateNames: 20,
  /** A PEM file that is larger is none. */
  pemBytes: 4 * 1024 * 1024,
  /** Redirects of one request that are followed. */
  redirects: 5,
  /** One HTTP body, or one event of a stream, after decompression; a longer one ends its exchange. */
  httpBodyBytes: 64 * 1024 * 1024,
  /** How much of a body that is no JSON is shown. */
  httpTextBytes: 64 * 1024,
  /** How long a response to a cancelled request is still read. */
  cancelledMs: 5000,
  /** How long the goodbye of a session (DELETE) may take. */
  httpCloseMs: 2000,
  /**
   * How long the handshake waits over HTTP until the server has taken `notifications/initialized` and opened its stream: so
   * many times what `initialize` took, for a machine under load takes its time here too, but no less and no more than this.
   */
  introductionTimes: 5,
  introductionFirstMs: 500,
  introductionLastMs: 5000,
  /** How long the first event of HTTP+SSE, the address for messages, may take. */
  endpointMs: 30_000,
  /** Wait before a lost event stream is opened again: the first and the longest after doubling, if the server sets none. */
  streamRetryFirstMs: 1000,
  streamRetryLastMs: 30_000,
  /** What a server's own `retry` may ask for. */
  streamRetryMinMs: 20,
  streamRetryMaxMs: 10 * 60_000,
  /** Failures in a row after which a stream is given up. */
  streamRetries: 5,
  /**
   * Wait before a server that can't be reached is tried again: the first, and the longest after doubling. A dev server
   * is back within a second or two; one that is down for hours costs little.
   */
  serverRetryFirstMs: 500,
  serverRetryLastMs: 15_000,
  /** How long an attempt waits for an answer once connected. Longer than connecting and TLS may take. */
  serverRetryAnswerMs: 30_000,
  /** A connection that held this long after a recovery has recovered: the next loss starts from the first delay. */
  recoveredMs: 3000,
  /** Checks in a row whether a server restarted that may fail before we stop. */
  restartChecks: 5,
  /**
   * Sessions that may be lost within this time, each sooner than `recoveredMs`, before the connection counts as failed.
   */
  sessionsLost: 3,
  sessionsLostMs: 60_000,
  /** Refusals of one request that are answered with another `Authorization`: a token that is old, missing or too narrow. */
  authorizations: 3,
  /** How long a person may take to sign in, one OAuth request may take, and its answer's size. */
  signInMs: 10 * 60_000,
  oauthMs: 30_000,
  oauthBodyBytes: 256 * 1024,
  /** What the connection doctor reads of a log, which is about beginnings, and quotes of a body. */
  doctorFrames: 20_000,
  doctorExchanges: 100,
  doctorEvents: 50,
  doctorQuoteChars: 300,
  /** How long the questions to a failed server's neighbouring addresses may take. */
  furtherMs: 5000,
  /** How long one request may take by which a page finds out why an answer was kept from it. */
  corsProbeMs: 5000,
  /** What a page keeps of a direct connection's log over a reload: for how long, and how much of it. */
  directKeptMs: 24 * 60 * 60_000,
  directKeptBytes: 32 * 1024 * 1024,
  /** How long a page that was loaded again waits for its own worker of before to let go of what it kept. */
  directHandoverMs: 2000,
} as const;
