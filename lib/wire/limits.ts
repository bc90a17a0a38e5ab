/** Every number that bounds something, in one place. Bytes, milliseconds or counts, as the names say. */
export const LIMITS = {
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
  /** Inbound WebSocket message, beyond which the socket is closed with 1009. */
  commandBytes: 4 * 1024 * 1024,
  /** A command's `ref`: it is echoed, so it must not be a way to fill the proxy. */
  refChars: 64,
  /** Bytes of events waiting for a viewer that reads nothing, beyond which it is cut; it comes back and resumes. */
  viewerEventBytes: 4 * 1024 * 1024,
  /** The longest wait that timers can count. */
  timerMs: 2 ** 31 - 1,
  /** Browser tabs at a time. */
  viewers: 8,
  /** Commands a viewer may send a second, as an average; a burst of as many is allowed. */
  commandsPerSecond: 200,
  /** Malformed commands in a row before the socket is closed with 1008. */
  malformedCommands: 20,
  /** A launch code's life, and the wrong guesses after which the current code is burned. */
  launchCodeMs: 60_000,
  launchGuesses: 20,
  /** The terminal prints a fresh launch link at most this often, however often a page asks for one. */
  launchRenewMs: 5000,
  /** Body of the one POST there is. */
  launchBodyBytes: 1024,
  /** A longer text is no command line: no system takes one, and splitting a word into its quotes is quadratic. */
  commandLineCharacters: 64 * 1024,
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
  /** Pings go out this often; a viewer that left as many unanswered is cut: 9 s at most. */
  heartbeatMs: 3000,
  heartbeatMisses: 2,
  /** How long viewers get to say goodbye when the proxy ends. */
  viewerCloseMs: 500,
  /** Fragments of one inbound WebSocket message, and pieces it may arrive in, beyond which the socket is closed with 1008. */
  commandFragments: 1024,
  commandChunks: 16 * 1024,
  /** How long servers live on after the last tab closed. */
  viewerGraceMs: 10 * 60_000,
  /** The longest that the command line may ask for. */
  viewerGraceMaxMs: 7 * 24 * 60 * 60_000,
  /** Request timeout: default for one silence, and the hard maximum however much progress comes. */
  requestMs: 60_000,
  requestMaxMs: 10 * 60_000,
  /**
   * How long `server/discover` may go unanswered before the server counts as legacy. A first start by npx, which downloads,
   * took 26 s; servers of either era that run answer in well under a second.
   */
  probeMs: 30_000,
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
  /** One HTTP body, or one event of a stream, after decompression; a longer one ends its exchange. */
  httpBodyBytes: 64 * 1024 * 1024,
  /** How much of a body that is no JSON is shown. */
  httpTextBytes: 64 * 1024,
  /** How long one address may take to accept a connection, and then to agree on TLS. Answers and idle bodies may take for ever. */
  connectMs: 10_000,
  tlsMs: 10_000,
  /** Characters of a certificate's texts, and names in it, that are shown. */
  certificateChars: 300,
  certificateNames: 20,
  /** A PEM file that is larger is none. */
  pemBytes: 4 * 1024 * 1024,
  /** What the connection doctor reads of a log, which is about beginnings, and quotes of a body. */
  doctorFrames: 20_000,
  doctorExchanges: 100,
  doctorEvents: 50,
  doctorQuoteChars: 300,
  /** How long the questions to a failed server's neighbouring addresses may take. */
  furtherMs: 5000,
  redirects: 5,
  /** How long one request may take by which a page finds out why an answer was kept from it. */
  corsProbeMs: 5000,
  /** What a page keeps of a direct connection's log over a reload: for how long, and how much of it. */
  directKeptMs: 24 * 60 * 60_000,
  directKeptBytes: 32 * 1024 * 1024,
  /** How long a page that was loaded again waits for its own worker of before to let go of what it kept. */
  directHandoverMs: 2000,
  /** How long a response to a cancelled request is still read. */
  cancelledMs: 5000,
  /** How long the goodbye of a session (DELETE) may take. */
  httpCloseMs: 2000,
  /** How long the handshake waits over HTTP until the server has taken `notifications/initialized` and opened its stream. */
  introductionMs: 500,
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
  /** Sessions that may be lost within this time before the connection counts as failed. */
  sessionsLost: 3,
  sessionsLostMs: 60_000,
  /** Refusals of one request that are answered with another `Authorization`: a token that is old, missing or too narrow. */
  authorizations: 3,
  /** How long a person may take to sign in, one OAuth request may take, and its answer's size. */
  signInMs: 10 * 60_000,
  oauthMs: 30_000,
  oauthBodyBytes: 256 * 1024,
  /** Newest http frames, and characters in them, whose masked values are kept while the connection lives. */
  revealFrames: 2000,
  revealCharacters: 1_000_000,
  /**
   * Connections that pages make themselves: how many are recorded at a time, or remembered; the longest frame of one; how long a page
   * may be away before its recordings end.
   */
  pageRecordings: 500,
  pageFrameBytes: 80 * 1024 * 1024,
  pageRecordingAwayMs: 30_000,
  /** Recordings that a browser keeps where there is no proxy, in bytes of lines; portions of them that are read at a time. */
  browserKeptBytes: 256 * 1024 * 1024,
  shelfPortions: 256,
  /** In a recording, a longer frame is base64 (its text, escaped, might be longer than a string can be), and longer JSON a string. */
  recordedTextBytes: 64 * 1024 * 1024,
  recordedJsonChars: 4 * 1024 * 1024,
  /**
   * A string of a message that is as long is a line of its own in a recording, so many of one message. A frame may refer to the newest of
   * these lines, so many and so much of them together: what one frame has at most fits (`recordedTextBytes`). They are part of the format.
   */
  blobBytes: 64 * 1024,
  blobsPerFrame: 32,
  blobs: 64,
  blobsBytes: 64 * 1024 * 1024,
  /** All that is put back into the frames of a recording is no more than `recordingBytes`, and so many times the bytes of its file up to there. */
  putBackTimes: 100,
  /** Frames of a recording that are read at a time, and what a page reads of one to see whether its end vouches for it. */
  recordedPortionBytes: 8 * 1024 * 1024,
  pageDigestBytes: 64 * 1024 * 1024,
  /** The longest line that is read, which a frame of `frameBytes` fits into as base64; the first line. */
  recordedLineBytes: 352 * 1024 * 1024,
  /** Beyond this a line has to be base64: read as text it would take several times its size. */
  recordedPlainBytes: 128 * 1024 * 1024,
  recordingHeaderBytes: 1024 * 1024,
  /**
   * Characters of a link that holds a recording: browsers open the first many of them everywhere (Safari and programs that pass links on are the
   * narrowest), Chromium up to 2 MiB and nobody more; and what it may unpack to.
   */
  linkEverywhereChars: 32_000,
  linkChars: 2_000_000,
  linkUnpackedBytes: 64 * 1024 * 1024,
  /** A recording in a page, gzipped: as base64 it is one string of the page. */
  pagePackedBytes: 256 * 1024 * 1024,
  /** Frames handed over to be shared at a time; and bytes of frames that a page shares by itself: what is larger is for the command line. */
  sharedAtOnce: 2048,
  sharedBytes: 256 * 1024 * 1024,
  /** All bytes of a recording, unpacked; and of its frames, where all of them are held at a time. */
  recordingBytes: 2 * 1024 ** 3,
  /** Bytes of messages with blobs put back that are in the log of a recording which is smaller than a page holds; beyond it they are skims. */
  expandedBytes: 32 * 1024 * 1024,
  /** Frames that a recorder writes in one go, and how many times as long it rests after that while more comes in. */
  recordedAtOnce: 256,
  recorderRest: 40,
  /** No rest is longer. */
  recorderRestMs: 500,
  /** Recordings are kept this long, and this much of them. */
  recordingsKeptMs: 30 * 24 * 60 * 60_000,
  recordingsKeptBytes: 1024 ** 3,
  /** Recorded calls that a request without a match is compared with, names told of, and characters of each. */
  replayCandidates: 200,
  replayNames: 50,
  replayShownChars: 200,
  /** Messages that wait for a replay's client to open its stream; the oldest are dropped first. */
  replayWaiting: 1000,
  /** How long a replay on stdio waits between what it told and an answer, so that clients do not read both in one piece. */
  replayApartMs: 50,
  /** How long a replay goes on answering once its client has said all. */
  replayFinishMs: 60_000,
  /** Request line and headers of a replay's client: some repeat arguments (2026-07-28). */
  replayHeaderBytes: 256 * 1024,
  /** Sessions of a replay over HTTP; the oldest ends first. */
  replaySessions: 100,
  /** What a person may choose instead: days, and bytes. */
  keepDaysMost: 3650,
  keepBytesMost: 1024 ** 4,
  /** A recording that is imported, which has to arrive within `bodyMs`; a name and a note on their way; what is looked through for problems. */
  importedBytes: 512 * 1024 * 1024,
  aboutBodyBytes: 64 * 1024,
  countedRecordingBytes: 16 * 1024 * 1024,
  /** Rules look at one portion of a recording's frames no longer than this: a schema's pattern may take for ever. Frames and bytes of a portion. */
  rulesMs: 5000,
  /** Schemas that hang, beyond which no result of that log is held against one any more. */
  rulesHangs: 3,
  /** The same for a portion of a log over which no schema was begun, the worker's start included: it only ends what would never. */
  rulesBlindMs: 30_000,
  rulesFrames: 256,
  rulesBytes: 1024 * 1024,
  /** A shorter value is no secret to be found again by itself: it would be in everything. */
  secretChars: 8,
  /** Values taken out of one recording that are looked for by themselves, the newest, their characters, and placeholders that are kept at hand. */
  redactedValues: 1000,
  redactedValueChars: 2_000_000,
  /**
   * Secrets of a larger frame are looked for in slices of so much, between which others have their turn, as they have between frames. A longer string of a message is a text, whatever
   * is in it. A frame with more places of secrets is left out as a whole.
   */
  redactedAtOnceBytes: 4 * 1024,
  redactedSliceBytes: 64 * 1024,
  redactedStringBytes: 256 * 1024,
  redactedPlaces: 20_000,
  /** Of a private key that is printed line by line: one of 16,384 bits has 210. */
  privateKeyLines: 250,
  /** Of names and places that a finding tells of. */
  redactedNameChars: 80,
  /** Findings of one review before a recording is shared, the characters of their values, and places told of each. */
  findings: 2000,
  findingCharacters: 4_000_000,
  findingPlaces: 20,
  /** Notes and the like of a recording that is shared, which are asked about. */
  tellingFacts: 500,
  /** A person's own patterns for what is to be masked, and the characters of each. */
  redactionPatterns: 50,
  redactionPatternChars: 500,
  /** Newest recordings that are listed, bytes looked at, at each end, to say what one is, and what those of a gzipped one unpack to at most. */
  recordingsListed: 500,
  recordingGlanceBytes: 64 * 1024,
  recordingGlanceUnpacked: 4 * 1024 * 1024,
  /** Characters of a note, and of a recording's name; frames of one log that may have a note. */
  noteChars: 10_000,
  recordingNameChars: 200,
  notedFrames: 5000,
  /** Whoever adds to a recording waits so long for another who does, and looks so often. */
  lockWaitMs: 10_000,
  lockLookMs: 20,
  /** Damaged lines that are told by their numbers. */
  damagedLines: 20,
  /** Missing frames of a recording that are frames of their own, so that those behind keep their numbers: a line may claim any number. */
  missingFrames: 100_000,
  /** Lines without a frame that a recording may have beyond as many as it has frames: a small gzip of blank lines would be read for hours. */
  framelessLines: 20_000,
  /** A stderr line longer than this, or unfinished for this long, is shown in several frames. */
  stderrLineBytes: 64 * 1024,
  stderrPartialMs: 100,
  /** Newest stderr frames that a log's state points to. */
  stderrSeqs: 1000,
  /** Lines of it shown beside a start: the first, the last, and the characters of each. */
  stderrHeadLines: 20,
  stderrTailLines: 40,
  stderrShownChars: 2000,
  /** Bytes of a frame looked at for the short text in its row, and the characters of that text. */
  previewBytes: 512,
  previewChars: 160,
  /** The same of a line on stderr that a logger wrote as JSON: its message often comes last. */
  loggedBytes: 4096,
  /** Schemas looked at to flatten one: beyond it, it is taken for a bomb of references. */
  schemaSteps: 1000,
  /** Objects and arrays of a schema gone through for the places that references name. */
  schemaNodes: 500_000,
  /** Schemas looked at to make one form node and call its branches: unions within unions come to any number. */
  viewSteps: 3000,
  /** Schemas compared with a value to find the branch of a union it belongs to, and how deep. */
  fitSteps: 2000,
  fitDepth: 4,
  /** A longer frame is not laid out anew to be copied or compared, nor shown as text that is no JSON: the page would freeze. */
  formattedBytes: 2_000_000,
  /** A longer schema is not handed to the editor's worker. */
  editorSchemaChars: 1_000_000,
  /** Markdown that is longer, makes more tokens or nests deeper is shown as text: parsing it would freeze the page. */
  markdownChars: 20_000,
  markdownTokens: 20_000,
  markdownDepth: 32,
  /** Elements and texts drawn of Markdown; what comes after them is shown as it was written. */
  markdownNodes: 3000,
  /** Bytes of one log's frames that a page holds; of what is older the text of messages leaves, and comes back when looked at. */
  pageLogBytes: 192 * 1024 * 1024,
  /** Bytes of frames that came back; those looked at last stay. */
  pageAgainBytes: 32 * 1024 * 1024,
  /** Of a string that is longer nothing stands in a skim; a message with a longer skim is not skimmed. */
  skimmedStringBytes: 200,
  skimBytes: 1024,
  /** Frames of one index in a recording; indexes that an end may name; bytes of a whole frame that stands in one, and of all of one, unpacked. */
  indexedFrames: 4096,
  indexes: 2000,
  indexedBytes: 4096,
  indexLineBytes: 32 * 1024 * 1024,
  /** A file that was opened by its indexes is held against them this long afterwards, so many bytes at a time, with rests. */
  indexCheckMs: 3000,
  indexCheckBytes: 256 * 1024,
  /** Characters kept of what a request's newest progress says. */
  progressChars: 160,
  /** Frames asked for again at a time, and the bytes of them: one larger frame comes alone. */
  againFrames: 1024,
  againBytes: 8 * 1024 * 1024,
  /** Quiet time after a key before the server is asked to complete, and before arguments are checked. */
  completionMs: 200,
  checkPauseMs: 120,
  /** How long a server may take to complete an argument: nobody waits longer while typing. */
  completeMs: 5000,
  /** How long checking arguments or making a sample may take: a pattern of a server's may take for ever. */
  schemaWorkMs: 500,
  /** Fields of one schema that are counted for a report. */
  fieldsCounted: 20_000,
  /** Problems of one document that are told. */
  problemsTold: 500,
  /** A larger message is not parsed but read where it lies, in slices: from here on parsing can be felt. */
  outlinedBytes: 128 * 1024,
  /** Parsed messages a log keeps at hand, and the characters of all of them. */
  parsedMessages: 32,
  parsedCharacters: 64 * 1024 * 1024,
  /** Pieces of a filter text, and parentheses within one another. */
  filterTokens: 300,
  filterDepth: 50,
  /** Values of a key that a log is searched for, in how many rows at a time, and how many are offered at once. */
  filterVocabulary: 5000,
  filterVocabularyRows: 100_000,
  filterOptions: 60,
  /** Regular expressions in a filter: a bit each. */
  filterExpressions: 6,
  /** How long the worker may take for a portion of frames, or for a single one, before an expression counts as hanging. */
  regexMs: 700,
  /** What it gets on top for an answer that is there already, if the page stood still meanwhile. */
  regexGraceMs: 50,
  /** Frames handed to it at a time, and the bytes of them: one larger frame goes alone. */
  regexFrames: 1024,
  regexBytes: 512 * 1024,
  /** Frames that hang before the search is given up. */
  regexSkips: 3,
  /** How long rows are held against a filter before the page gets a turn. */
  filterSliceMs: 24,
  /** How long a log of an earlier moment is filled before the page gets a turn, and how long a moment stays before the address has it. */
  pastSliceMs: 12,
  momentSettledMs: 250,
  /** Ids, progress tokens, tools and cursors of one connection that the rules and the log remember; the oldest are forgotten first. */
  rulesMemory: 10_000,
  /** Unfinished requests, and tasks, of one connection that later requests may go on with; the oldest are forgotten first. */
  relationsMemory: 1000,
  /** Methods whose durations are kept apart; those of all others are one. */
  latencyMethods: 200,
  /** Problems of one rule that are told apart, the last standing for all others; frames that each names. */
  problemsPerRule: 200,
  framesPerProblem: 50,
  /** Problems that a frame is remembered to have which do not name it, besides graver ones than these. */
  marksPerFrame: 4,
  /** Frames handed to the rules' worker at a time, and the bytes of them: one larger frame goes alone. */
  checkedFrames: 512,
  checkedBytes: 1024 * 1024,
  /** Nodes of a tool's schema that are looked at, and of a result of which all faults are told, not the first alone. */
  faultNodes: 20_000,
  /** Faults of one structured result that are told. */
  outputFaults: 50,
  /** Comparing: a longer string is compared as it stands, and one that a server made up, to be sent back, is no longer than this. */
  normalisedChars: 1_000_000,
  opaqueChars: 4096,
  /** Differences told of one value, items and steps looked at to find an item's counterpart, and characters shown of a value. */
  differencesTold: 50,
  differenceItems: 50,
  differenceSteps: 2_000_000,
  differenceChars: 160,
  /** How often a task is asked for that was over in a recording, and how long is waited in between. */
  taskPolls: 240,
  taskPollMs: 250,
  /** Bytes of two logs that a page compares: what they say is held once more for that. */
  comparedLogBytes: 128 * 1024 * 1024,
  /** Schemas looked at in the comparison of two, and changes of one list of things that are told. */
  comparedSchemas: 20_000,
  changesTold: 2000,
  /** Wait before a lost socket is opened again: the first, and the longest after doubling. */
  reconnectFirstMs: 250,
  reconnectLastMs: 5000,
  /** How long a tab without a token waits for another tab's. */
  askTabsMs: 300,
  /** How often a log that changed tells its listeners in a hidden tab, which paints no frames, and while it is far behind. */
  seldomPaintedMs: 250,
  /** Lines of a sequence diagram: beyond it nobody can read one, and Mermaid draws none. */
  diagramLines: 400,
  /** An HTTP Archive, which is read whole. */
  harBytes: 256 * 1024 * 1024,
  /** Milliseconds that something in an HTTP Archive may have taken, or have begun after the first: more is no time. */
  harMs: 30 * 24 * 60 * 60_000,
  /** New rows in one drawing of a log, beyond which none of them is seen for long: a log in flood is drawn every other time. */
  floodRows: 40,
  /** Frames that are still to come, from which on a log is far behind: drawing what passes by would only keep them off. */
  farBehindFrames: 20_000,
} as const;
