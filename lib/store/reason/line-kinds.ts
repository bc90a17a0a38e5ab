/** How well a line explains the end of a process. The highest rank wins; among equals, the newest line. */
export const RANK = {
  /** Hints, links, stack frames, progress. They are never a reason. */
  never: -2,
  /** Warnings, usage, messages about what went well, and wrappers that only say that their command failed. */
  last: -1,
  plain: 0,
  /** Has a word for something that went wrong. */
  suspect: 1,
  /** States an error: `error: …`, `docker: …`, a log line with ERROR. */
  stated: 2,
  /** Ended the program: an uncaught exception, a panic. */
  fatal: 3,
} as const;

export type LineRank = (typeof RANK)[keyof typeof RANK];

/** Matches a runtime's error line: `TypeError: …`, `panic: …`, `FATAL: …`. */
export const ERROR =
  /(?:^|[^\w.])(?:(?:[\w$]+\.)*[\w$]*(?:Error|Exception)|error(?:\[\w+\])?|panic|fatal|FATAL|ERROR|Fatal|Panic)(?: \[[\w.]+\])?:\s+\S/;

/** Matches the type of an exception without a message. */
export const BARE_EXCEPTION = /(?:^|[\s"])(?:[\w$]+\.)*[\w$]*(?:Error|Exception)(?: \[\w+\])?:?\s*$/;

/** A line of the stack that Node, Deno, Bun, .NET or a JVM prints below an error. */
export const STACK_LINE = /^\s+at .*[(:/.<]/;

/** A log line of a level that says that nothing went wrong. */
export const CALM =
  /(?:^|[\s[|(])(?:INFO|DEBUG|TRACE|VERBOSE|NOTICE|INF|DBG|TRC)(?=[\s\]:|)[-])|\blevel=(?:info|debug|trace)\b|"level":\s*(?:"(?:info|debug|trace)"|[123]0\b)|^(?:info|dbug|trce|debug): |^\[(?:info|debug|trace)\]/;

/** A log line that warns. */
export const WARNING =
  /(?:^|[\s[|(])WARN(?:ING)?(?=[\s\]:|)[-])|(?:^|\s)[Ww]arning: |Warning: |\blevel=warn|"level":\s*(?:"warn|40\b)|^(?:npm|yarn) warn|^warn: |^\[warn/;

const LOGGED_ERROR =
  /(?:^|[\s[|(])(?:ERROR|FATAL|CRITICAL|SEVERE|EMERG|ERR|FTL|CRT|ERRO|FATA)(?=[\s\]:|)[-])|\blevel=(?:error|fatal|panic|critical)\b|"level":\s*(?:"(?:error|fatal|critical)"|[56]0\b)|^(?:fail|crit): |^\[(?:error|fatal)\]/;

/** Progress of programs that install, build or start something. */
const PROGRESS = [
  /^\s*(?:Resolved|Prepared|Installed|Uninstalled|Audited|Bytecode compiled) (?:\d|in )/,
  /^\s*(?:Downloading|Downloaded|Download|Building|Built|Updating|Updated|Fetching|Fetched|Compiling|Compiled|Finished|Installing|Collecting|Requirement already|Cloning|Unpacking|Extracting|Restoring|Restored|Determining projects|Initialize|Check file:) ?\S/,
  /^(?:Using (?:CPython|PyPy|Python|default tag)|Creating virtual environment|Removed virtual environment|Reading inline script)/,
  /^\s*[+-] [\w.-]+==\S+/,
  /^(?:\S+: )?(?:Pulling|Digest:|Status: |Already exists|Verifying Checksum|Waiting$)/,
  /^[0-9a-f]{12}: \S/,
  /^(?:Trying to pull|Getting image source|Copying (?:blob|config)|Writing manifest|Storing signatures)/,
  /^(?:added|removed|changed|up to date|audited)[, ].{0,80}(?:packages?|in \d)/,
  /^\d+ packages? (?:is|are) looking for funding/,
  /^[>$] \S/,
  /^\s*[━╸╺█░▒#=-]{3,}|^\s*\d{1,3}(?:\.\d+)?% /,
];

/** Advice, links, and parts of a report whose other lines state the error. */
const HINTS = [
  /^\s*(?:hint|help|tip|note|Note|Hint|Help|Tip|info|Suggestion): /,
  /^\s*= (?:note|help): /,
  /^(?:Run|See|Try|Use|Type) [`'"‘].{1,120}(?:help|more|details)/i,
  /^(?:Please )?(?:[Rr]un|[Tt]ry) [`'"‘]|^Install missing /,
  /^(?:See|Visit|Read) https?:|^See (?:the|our) .{0,80}\b(?:section|readme|docs|documentation|guide)\b/i,
  /\b[Ff]or (?:more|further|usage) (?:information|details|help)\b/,
  /^\(Use `node --trace-/,
  /A complete log of this run|You can find more information|Learn (?:more|about)\b/,
  /^Possible reasons for this include|^operable program or batch file/,
  /RUST_BACKTRACE|RUST_LIB_BACKTRACE|--stacktrace|--trace-warnings|--show-trace/,
  /^\s*<?https?:\/\/\S+>?\s*$/,
  /^\s*run `npm fund`/,
  /^\(?Press (?:CTRL|Ctrl)/,
  // The body of a usage screen.
  /^\s*(?:[\w ]{1,30} )?(?:arguments|commands|examples|flags|options|positionals|subcommands):\s*$/i,
  /^(?:\s*-{1,2}\w[\w-]*(?:[\s,=<[]|$)|\s{2,}\w[\w-]*(?: [<[][\w.-]+[>\]])* {2,}\S)/,
  /^If (?:you need help|this problem persists)|^This is a problem related to/,
];

/** Parts of reports: frames of stacks, source code with its marker, versions, brackets. */
const PARTS = [
  STACK_LINE,
  /^[\s{}[\](),;^~│╭╰╯╮─*]*$/,
  /^(?:Node\.js v\d|Bun v\d|Deno \d)/,
  /^\s*File "[^"]+", line \d+/,
  /^\s+\.\.\. \d+ (?:more|common frames)/,
  /^\s*(?:Caused by|Suppressed|\[cause\]): /,
  /^\s*(?:--->|<---|--- End of )/,
  /^\s+from \S+:\d+|^\s+\d+: from /,
  /^\s*#\d+ \S|^Stack trace:|^\s+thrown in |^stack backtrace:|^\s*Stack:$/,
  /^goroutine \d+ \[|^created by |^\t\/\S+:\d+|^\[signal /,
  /^\s*\d+: +0x[0-9a-f]+|^----- (?:Native|JS) /,
  /^\s*-->? \S+:\d+:\d+$|^\s*\d* \| /,
  /^Traceback \(most recent call last\):/,
  /^(?:During handling of the above|The above exception was)/,
  /^stack traceback:|^\t\S+: in |^CallStack \(from|^\s+\w+, called at /,
];

/** The first line of a usage screen. */
export const USAGE = /^\s*(?:usage|Usage|USAGE)(?::|\s*$)/;

/** Words of a wrapper that only says that what it ran has failed, and of usage. */
const CONSEQUENCES = [
  /\bexit(?:ed)? (?:with )?(?:an? )?(?:code|status|value|signal)\b|^exit status \d/i,
  /(?:ELIFECYCLE|Lifecycle script|could not compile|aborting due to|^make(?:\[\d+\])?: \*\*\* \[|^BEGIN failed--)/,
  /process didn't exit successfully|app crashed - waiting|^The build failed\b|non-zero exit/,
  /^Error: (?:Could not create the Java Virtual Machine|A fatal exception has occurred)|^error: compilation failed\s*$/,
  /Application startup failed\. Exiting/,
  USAGE,
];

/** Statements of launchers and runtimes that give up. */
const STATEMENTS = [
  ERROR,
  /^docker: \S|^Error response from daemon|^(?:failed|Cannot) (?:to )?connect to the [Dd]ocker|^error during connect/,
  /^permission denied while trying to connect|^invalid reference format|^unknown (?:shorthand )?flag|^the input device is not a TTY/,
  /^exec \S+: \S|exec format error/,
  /is not provided by package|does not provide any executables|^No executables? /,
  /^Could not execute because|^You must install (?:or update )?\.NET|^The command could not be loaded|^Couldn't find a project/,
  /(?:^|[\s:])(?:error|fatal error) [A-Z]{2,}\d+: \S/,
  /\bERR_PNPM_\w+|^error (?!:)[A-Z]\S* /,
  /(?:command )?not found(?: in \S+| on \S+)?\s*$|: No such file or directory\s*$|: Permission denied\s*$/,
  /command not found: \S|^\s*what\(\): /,
  /is not recognized as an internal or external command|is not recognized as (?:the|a) name of a cmdlet/,
  /^The system cannot find|^Access is denied/,
  /can't open file|Could not open input file|Unable to access jarfile|Cannot find module|Cannot find package|No module named/,
  /^Unrecognized (?:VM )?option\b|^No version is set for /,
  /\bbad option\b|is not allowed in NODE_OPTIONS|^Unknown (?:command|option)|\berror: \S/,
  /[Aa]ddress already in use|\bEADDRINUSE\b/,
  /^\s*(?:×|✖|✗|✘|❌|⨯) \S/u,
];

const SUSPECT =
  /\b(?:fail(?:ed|ure|s)?|cannot|can[’']t|could ?n[o’']t|unable|missing|required?|requires|invalid|denied|refused|unauthorized|not set|not found|must|no such|unknown|unsupported|not exist|expired|timed out|abort(?:ed|ing)|killed|segmentation fault|out of memory|panic|error|exception|crash(?:ed)?)\b/i;

/** In order of precedence. A line of no kind is plain. */
const KINDS: readonly (readonly [rank: LineRank, patterns: readonly RegExp[]])[] = [
  [RANK.never, PARTS],
  // uv only warns about it, and then exits. .NET adds a link to the same line. PHP consoles print `   ERROR  …`.
  [RANK.stated, [/is not provided by package/, /^Process terminated\. \S/, /^\s+(?:ERROR|FAIL) {2}\S/]],
  [RANK.never, HINTS],
  [RANK.last, [CALM, WARNING]],
  [RANK.last, CONSEQUENCES],
  [RANK.stated, [LOGGED_ERROR]],
  [RANK.stated, STATEMENTS],
  [RANK.suspect, [SUSPECT]],
];

/** Returns the rank of a line by itself. */
export function rankOf(line: string): LineRank {
  for (const [rank, patterns] of KINDS) {
    if (patterns.some((pattern) => pattern.test(line))) return rank;
  }
  return PROGRESS.some((pattern) => pattern.test(line)) ? RANK.never : RANK.plain;
}
