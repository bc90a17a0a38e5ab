/** The link between a page and the proxy: launch codes, HTTP, the socket, and how long servers outlive it. */
export const PAGE_LINK_LIMITS = {
  /** A launch code's life, and the wrong guesses after which the current code is burned. */
  launchCodeMs: 60_000,
  launchGuesses: 20,
  /** The terminal prints a fresh launch link at most this often, however often a page asks for one. */
  launchRenewMs: 5000,
  /** Body of the one POST there is. */
  launchBodyBytes: 1024,
  /** Ports tried, from the default one up, before we give up. */
  portTries: 20,
  /** Request line and headers together. */
  headerBytes: 16 * 1024,
  /** How long a request's headers, and all of a request, may take to arrive; how often that is looked at. */
  headersMs: 3000,
  bodyMs: 5000,
  stalledCheckMs: 500,
  /** How long an HTTP socket may stay silent: between requests, or while its reader takes nothing. */
  idleSocketMs: 5000,
  /** Browser tabs at a time. */
  viewers: 8,
  /** Inbound WebSocket message, beyond which the socket is closed with 1009. */
  commandBytes: 4 * 1024 * 1024,
  /** A command's `ref`: it is echoed, so it must not be a way to fill the proxy. */
  refChars: 64,
  /** Commands a viewer may send a second, as an average; a burst of as many is allowed. */
  commandsPerSecond: 200,
  /** Malformed commands in a row before the socket is closed with 1008. */
  malformedCommands: 20,
  /** Fragments of one inbound WebSocket message, and pieces it may arrive in, beyond which the socket is closed with 1008. */
  commandFragments: 1024,
  commandChunks: 16 * 1024,
  /** Bytes of events waiting for a viewer that reads nothing, beyond which it is cut; it comes back and resumes. */
  viewerEventBytes: 4 * 1024 * 1024,
  /** Pings go out this often; a viewer that left as many unanswered is cut: 9 s at most. */
  heartbeatMs: 3000,
  heartbeatMisses: 2,
  /** How long viewers get to say goodbye when the proxy ends. */
  viewerCloseMs: 500,
  /** How long servers live on after the last tab closed. */
  viewerGraceMs: 10 * 60_000,
  /** The longest that the command line may ask for. */
  viewerGraceMaxMs: 7 * 24 * 60 * 60_000,
  /** Wait before a lost socket is opened again: the first, and the longest after doubling. */
  reconnectFirstMs: 250,
  reconnectLastMs: 5000,
  /** How long a tab without a token waits for another tab's. */
  askTabsMs: 300,
  /** Newest http frames, and characters in them, whose masked values are kept while the connection lives. */
  revealFrames: 2000,
  revealCharacters: 1_000_000,
} as const;
