import { ERROR, RANK } from './line-kinds';
import { type ErrorReport, type ErrorReportKind, joined, nextLine } from './report';

const NPM = /^npm (?:error|ERR!) ?(.*)$/;
/** Lines of npm among its errors. */
const NPM_ANY = /^npm (?:ERR!|(?:error|warn|WARN|notice|info|verb|http)\b)|^\s*$/;
/** Lines of npm that give details of the error. */
const NPM_DETAIL =
  /^(?:code|errno|syscall|path|dest|cwd|command|location|workspace|signal|stack|process|file|must provide|If you|A complete|\s{4}at )\b|^(?:\d{3}|[a-z]*)\s*$|^\s{4}at /;
/** The error of a script that npm ran, among its output. */
const SCRIPT_ERROR = /not found\s*$|No such file|Cannot find|Permission denied/;

const ARROW = /^\s*(?:├─▶|╰─▶|`->|\|->)\s*/;

/** An error of a compiler: of C#, TypeScript or MSBuild, of Rust, of Go. */
const COMPILER = /^\s*\S.*\(\d+,\d+\): error \w+: |^error\[E\d+\]: |^\S+\.go:\d+:\d+: /;

/** Errors of npm, uv and compilers, and errors with a list of causes. */
export const LAUNCHER_REPORTS: readonly ErrorReportKind[] = [
  { starts: COMPILER, read: readCompiler },
  { starts: NPM, read: readNpm },
  { starts: /^\* What went wrong:\s*$/, read: readGradle },
  { starts: /^\[ERROR\] \S/, read: readMaven },
  { starts: /^\s*[×x] \S/u, read: readTree },
  { starts: /^(?:error|Error): \S/, read: readCausedBy },
  { starts: /^Error:\s*$/, read: readEyre },
  { starts: /^(?:fail|crit): \S+\[\d+\]\s*$/, read: readDotnetLog },
];

/** Reads a block of npm’s errors. If only a script failed, what the script printed says more. */
function readNpm(lines: readonly string[], at: number): ErrorReport {
  let end = at;
  while (end < lines.length && NPM_ANY.test(lines[end]!)) end++;
  const errors = lines.slice(at, end).flatMap((line, place) => {
    const text = NPM.exec(line)?.[1];
    return text === undefined ? [] : [{ text, index: at + place }];
  });
  const ofScript = errors.some(({ text }) => /^(?:command failed|Lifecycle script)/.test(text));
  const found = ofScript
    ? (errors.find(({ text }) => ERROR.test(text) && !/Lifecycle/.test(text)) ??
      errors.find(({ text }) => SCRIPT_ERROR.test(text)))
    : errors.find(({ text }) => !NPM_DETAIL.test(text));
  const index = (found ?? errors[0])?.index ?? at;
  return { text: lines[index]!.trim(), index, end, rank: found ? RANK.stated : RANK.last };
}

/** Reads the errors of a compiler. The first one mostly causes the others. */
function readCompiler(lines: readonly string[], at: number): ErrorReport {
  let end = at + 1;
  while (end < lines.length && (COMPILER.test(lines[end]!) || /^\s*$|^\s+\S|^\d+ \| /.test(lines[end]!))) end++;
  return { text: lines[at]!.trim(), index: at, end, rank: RANK.stated };
}

/** Reads a failed build of Gradle. If only a program failed that it ran, what that printed says more. */
function readGradle(lines: readonly string[], at: number): ErrorReport | undefined {
  const index = at + 1;
  let end = index;
  while (end < lines.length && !/^\* |^BUILD FAILED/.test(lines[end]!)) end++;
  const block = lines.slice(index, end).map((line) => line.replace(/^\s*> /, '').trim());
  const [error = '', cause] = block.filter((line) => line !== '');
  if (error === '') return undefined;
  if (/^BUILD FAILED/.test(lines[end] ?? '')) end++;
  const isOfProgram = block.some((line) => /non-zero exit value/.test(line));
  return { text: joined(error, cause), index, end, rank: isOfProgram ? RANK.last : RANK.stated };
}

/** Reads the errors of Maven, which end with links to its help. */
function readMaven(lines: readonly string[], at: number): ErrorReport | undefined {
  let end = at + 1;
  while (end < lines.length && /^\[ERROR\]/.test(lines[end]!)) end++;
  if (!lines.slice(at, end).some((line) => /\[Help 1\]/.test(line))) return undefined;
  return { text: lines[at]!.replace(/ -> \[Help 1\]\s*$/, '').trim(), index: at, end, rank: RANK.stated };
}

/** Reads the tree in which uv prints an error and its causes. */
function readTree(lines: readonly string[], at: number): ErrorReport | undefined {
  let end = at;
  while (end < lines.length && !/^\s*$|^\s*(?:hint|help): |^\s*\[std(?:err|out)\]/.test(lines[end]!)) end++;
  const tree = lines.slice(at, end);
  if (!tree.some((line) => ARROW.test(line))) return undefined;
  const parts: string[] = [];
  for (const line of tree) {
    const text = line.replace(ARROW, '').replace(/^\s*(?:[×x] |[│|] )?\s*/u, '');
    if (parts.length === 0 || ARROW.test(line)) parts.push(text.trim());
    else parts.push(`${parts.pop()} ${text.trim()}`);
  }
  const [first, ...causes] = parts;
  // The output of a failed command says more than the line that reports the failure.
  const printed = /--- stderr (.*)$/.exec(causes.at(-1)!)?.[1];
  const last = printed ?? (causes.length > 2 ? causes.at(-1) : undefined);
  return { text: last === undefined ? parts.reduce(joined) : joined(first!, last), index: at, end, rank: RANK.stated };
}

/** Reads an error with the last of its causes, which programs of Rust and launchers of a JVM list below it. */
function readCausedBy(lines: readonly string[], at: number): ErrorReport | undefined {
  const first = nextLine(lines, at + 1);
  if (!/^\s*Caused by:/.test(lines[first] ?? '')) return undefined;
  let cause = '';
  let index = first;
  for (; index < lines.length; index++) {
    const [, text] = /^\s*(?:Caused by:|\d+:|(?=\s{2,}\S))\s*(.*)$/.exec(lines[index]!) ?? [];
    if (text === undefined) break;
    if (text !== '') cause = text;
  }
  return { text: joined(lines[at]!, cause), index: at, end: index, rank: RANK.stated };
}

/** Reads the numbered list of causes that color-eyre prints. */
function readEyre(lines: readonly string[], at: number): ErrorReport | undefined {
  const causes: string[] = [];
  let index = at + 1;
  for (; index < lines.length; index++) {
    const [, text] = /^\s+\d+: (.*)$/.exec(lines[index]!) ?? [];
    if (text === undefined) break;
    causes.push(text);
  }
  if (causes.length === 0) return undefined;
  const text = joined(causes[0]!, causes.length > 1 ? causes.at(-1) : undefined);
  return { text: `Error: ${text}`, index: at, end: index, rank: RANK.stated };
}

/** Reads an entry of .NET’s console logger, whose message is on the next line. */
function readDotnetLog(lines: readonly string[], at: number): ErrorReport | undefined {
  const message = lines[at + 1];
  if (message === undefined || !/^\s+\S/.test(message)) return undefined;
  return { text: `${lines[at]!.trim()} ${message.trim()}`, index: at, end: at + 2, rank: RANK.stated };
}
