import { RANK } from './line-kinds';
import { type ErrorReport, type ErrorReportKind, indentOf, joined, lineAbove, nextLine } from './report';

/** Lines of a message that are quoted. */
const MESSAGE_LINES = 3;

/** The type of an exception at the end of its line. */
const RUBY = /\((?:[A-Z]\w*::)*([A-Z]\w*)\)\s*$/;

/** Crashes of programs in Rust, Go, Ruby, PHP and Elixir. */
export const CRASH_REPORTS: readonly ErrorReportKind[] = [
  { starts: /^thread '.*?' (?:\(\d+\) )?panicked at /, read: readRust },
  { starts: /^(?:panic|fatal error): \S/, read: readGo },
  { starts: RUBY, read: readRuby },
  { starts: /^(?:PHP )?(?:Fatal error|Parse error|Recoverable fatal error): +\S/, read: readPhp },
  { starts: /^In \S+ line \d+:\s*$/, read: (lines, at) => readMessageBelow(lines, at, '') },
  { starts: /^\s{2,}(?:\w+\\)*[A-Z]\w*(?:Exception|Error)\s*$/, read: readCollision },
  { starts: /^ {8,}$/, read: readSymfonyBox },
  { starts: /^\*\* \((?:EXIT|[A-Z][\w.]*)/, read: readElixir },
];

/** Reads a panic of Rust. Since 1.73 the message is below the line that says where. */
function readRust(lines: readonly string[], at: number): ErrorReport {
  let end = at + 1;
  while (end < lines.length && !/^(?:note: run with|stack backtrace:)|^\s*$/.test(lines[end]!)) end++;
  const message = lines.slice(at + 1, Math.min(end, at + 1 + MESSAGE_LINES)).map((line) => line.trim());
  while (end < lines.length && /^(?:note: |stack backtrace:)|^\s+(?:\d+: |at )|^\s*$/.test(lines[end]!)) end++;
  return { text: joined(lines[at]!, message.join(' ')), index: at, end, rank: RANK.fatal };
}

/** Reads a panic of Go, or an error of its runtime. `panic: A [recovered]` has the newer panic below it. */
function readGo(lines: readonly string[], at: number): ErrorReport | undefined {
  let end = at + 1;
  let index = at;
  for (; end < lines.length; end++) {
    const line = lines[end]!;
    if (/^\s+panic: /.test(line)) index = end;
    else if (
      !/^\s|^$|^(?:goroutine|created by|exit status|\[signal)\b|^\[signal|^[\w./*()[\]{}-]+\(.*\)$|^runtime/.test(line)
    )
      break;
  }
  const hasStack = lines.slice(at, end).some((line) => /^goroutine \d+ \[/.test(line));
  if (!hasStack) return undefined;
  return { text: lines[index]!.trim(), index, end, rank: RANK.fatal };
}

/** Reads an exception of Ruby. Its causes, and the causes' stacks, follow its stack. */
function readRuby(lines: readonly string[], at: number): ErrorReport | undefined {
  const line = lines[at]!;
  const [, type = ''] = RUBY.exec(line) ?? [];
  const hasPlace = /:\d+:(?:in | )/.test(line);
  const isNamed = /(?:Error|Exception)$/.test(type) && /^\w+: /.test(line);
  if (!hasPlace && !isNamed) return undefined;
  let end = at + 1;
  while (end < lines.length && (/^\s/.test(lines[end]!) || RUBY.test(lines[end]!))) end++;
  return { text: line.trim(), index: at, end, rank: RANK.fatal };
}

/** Reads an error of PHP. An exception follows those that it was made from, after `Next`. */
function readPhp(lines: readonly string[], at: number): ErrorReport {
  let [index, end] = [at, at + 1];
  for (; end < lines.length; end++) {
    const line = lines[end]!;
    if (/^Next \S/.test(line)) index = end;
    else if (!/^\s|^$|^(?:#\d+ |Stack trace:)/.test(line)) break;
  }
  return { text: lines[index]!.trim().replace(/^Next /, ''), index, end, rank: RANK.fatal };
}

/** Reads the box in which a console of Symfony prints an exception. */
function readMessageBelow(lines: readonly string[], at: number, type: string): ErrorReport | undefined {
  const index = nextLine(lines, at + 1);
  const text = lines[index]?.trim();
  if (text === undefined || indentOf(lines[index]!) === 0) return undefined;
  return { text: type === '' ? text : joined(type, text), index, end: index + 1, rank: RANK.fatal };
}

/** Reads the box in which a console of Symfony prints an error of its own: lines of one width. */
function readSymfonyBox(lines: readonly string[], at: number): ErrorReport | undefined {
  const width = lines[at]!.length;
  const line = lines[at + 1] ?? '';
  if (line.length !== width || !/^ {2}\S/.test(line)) return undefined;
  let end = at + 1;
  while (end < lines.length && lines[end]!.length === width && lines[end]!.startsWith('  ')) end++;
  return { text: line.trim(), index: at + 1, end, rank: RANK.fatal };
}

/** Reads an exception as Laravel prints it: the type, a blank line, the message. */
function readCollision(lines: readonly string[], at: number, from: number): ErrorReport | undefined {
  const isApart = lineAbove(lines, at, from) < at - 1 && (lines[at + 1] ?? '').trim() === '';
  return isApart ? readMessageBelow(lines, at, lines[at]!.trim()) : undefined;
}

function readElixir(lines: readonly string[], at: number): ErrorReport {
  let end = at + 1;
  while (end < lines.length && /^\s+\S/.test(lines[end]!)) end++;
  return { text: lines[at]!.trim(), index: at, end, rank: RANK.fatal };
}
