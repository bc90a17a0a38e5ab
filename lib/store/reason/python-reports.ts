import { type LineRank, RANK } from './line-kinds';
import { type ErrorReport, type ErrorReportKind, indentOf, joined, lineAbove, nextLine } from './report';

/** The first line of a traceback. Loggers such as that of uvicorn put their own words before it. */
const HEADER = /^([ |+]*)(?:[^\s|+].{0,160}?[:\]-] +)?(?:Exception Group )?Traceback \(most recent call last\):/;
/** Lines that Python prints above an exception that does not end the program. */
const NOT_FATAL =
  /^(?:Exception ignored |Task exception was never retrieved|future: <|--- Logging error ---|Error in (?:atexit|sys))/;
/** Exceptions by which programs are ended or tasks are cancelled. */
const ENDINGS = /^(?:\w+\.)*(?:KeyboardInterrupt|CancelledError|SystemExit|GeneratorExit)\b/;

/** Tracebacks, those of exception groups too, boxes of rich, and syntax errors. */
export const PYTHON_REPORTS: readonly ErrorReportKind[] = [
  {
    starts: HEADER,
    read: (lines, at, from) => (isGroup(lines[at]!) ? readGroup(lines, at) : readTraceback(lines, at, from)),
  },
  { starts: /^\s*╭─+ .{0,40}Traceback \(most recent call last\)/, read: readBox },
  { starts: /^ {2}File "[^"]+", line \d+\s*$/, read: readSyntaxError },
  { starts: /^\S.*:\d+: (?:\w+\.)*\w*Warning: /, read: readWarning },
];

function isGroup(header: string): boolean {
  return /^ *[|+]/.test(header);
}

function readTraceback(lines: readonly string[], at: number, from: number): ErrorReport | undefined {
  const indent = indentOf(lines[at]!);
  for (let index = at + 1; index < lines.length; index++) {
    const line = lines[index]!;
    // The library loguru marks the frame that logged the exception.
    if (line.trim() === '' || indentOf(line) > indent || /^> File "/.test(line)) continue;
    if (HEADER.test(line)) return undefined;
    const above = lineAbove(lines, at, from);
    return {
      text: withFields(lines, index),
      index,
      end: index + 1,
      rank: rankBelow(above < 0 ? '' : lines[above]!, line),
    };
  }
  return undefined;
}

function rankBelow(above: string, exception: string): LineRank {
  return NOT_FATAL.test(above) || ENDINGS.test(exception.trim()) ? RANK.suspect : RANK.fatal;
}

/** Returns an exception. One of pydantic has its first field, and one that ends with a colon the next line. */
function withFields(lines: readonly string[], index: number): string {
  const line = lines[index]!.trim();
  if (line.endsWith(':')) return joined(line, lines[nextLine(lines, index + 1)]);
  if (!/\d validation errors? for /.test(line)) return line;
  const [first = '', second = ''] = lines.slice(index + 1, index + 3);
  const problem = (text: string): string => text.trim().replace(/ \[type=.*/, '');
  // A value that has no fields has its problem at once.
  return joined(line, indentOf(first) > indentOf(lines[index]!) ? problem(first) : joined(first, problem(second)));
}

/** An exception inside a group. */
interface Member {
  readonly text: string;
  readonly index: number;
  readonly depth: number;
  /** Counts the group's members, so that exceptions of one chain have the same. */
  readonly block: number;
}

/** Reads an exception group: the innermost exception, without the bars of the tree. */
function readGroup(lines: readonly string[], at: number): ErrorReport | undefined {
  const found: Member[] = [];
  let [block, index, isOpen] = [0, at, false];
  for (; index < lines.length; index++) {
    const [, indent, mark, content = ''] = /^( *)([|+])(?: ?)(.*)$/.exec(lines[index]!) ?? [];
    if (mark === undefined) break;
    if (mark === '+' && /^[+-]?-/.test(content)) {
      block++;
      isOpen = true;
    } else if (/^(?:Exception Group )?Traceback \(most/.test(content)) isOpen = true;
    else if (isOpen && /^\S/.test(content)) {
      found.push({ text: content, index, depth: indent!.length, block });
      isOpen = false;
    }
  }
  const errors = found.filter(({ text }) => !ENDINGS.test(text));
  const deepest = Math.max(...errors.map(({ depth }) => depth));
  const first = errors.find(({ depth }) => depth === deepest);
  const last = errors.findLast(({ depth, block: its }) => depth === deepest && its === first?.block);
  if (!last) return undefined;
  const plain = lines.map((line) => line.replace(/^ *\| ?/, ''));
  return { text: withFields(plain, last.index), index: last.index, end: index, rank: RANK.fatal };
}

/** Reads a traceback in a box of the library rich, with the exceptions of a group in boxes below it. */
function readBox(lines: readonly string[], at: number): ErrorReport | undefined {
  const bottom = lines.findIndex((line, index) => index > at && /^\s*╰─+╯\s*$/.test(line));
  const index = bottom < 0 ? lines.length : nextLine(lines, bottom + 1);
  const text = lines[index]?.trim();
  if (text === undefined) return undefined;
  const isOfGroup = /^(?:\w+\.)*(?:Base)?ExceptionGroup\b/.test(text);
  if (!isOfGroup) return { text, index, end: index + 1, rank: ENDINGS.test(text) ? RANK.suspect : RANK.fatal };
  const end = lines.findIndex((line, place) => place > index && !/^\s*[╭│╰]/.test(line));
  const members = lines.slice(index + 1, end < 0 ? lines.length : end);
  const inner = members.findLastIndex((line) => /^[\s│]*(?:\w+\.)*\w+(?:Error|Exception)\b/.test(line));
  if (inner < 0) return { text, index, end: index + 1, rank: RANK.fatal };
  const member = members[inner]!.replace(/^[\s│]+|[\s│]+$/g, '');
  return { text: member, index: index + 1 + inner, end: index + 1 + members.length, rank: RANK.fatal };
}

/** Reads an error of the parser, which has no header. */
function readSyntaxError(lines: readonly string[], at: number): ErrorReport | undefined {
  const index = lines.findIndex((line, place) => place > at && /^\S/.test(line));
  const text = lines[index];
  if (text === undefined || !/^\w*Error: /.test(text)) return undefined;
  return { text, index, end: index + 1, rank: RANK.fatal };
}

/** Reads a warning, and the line of source code below it. */
function readWarning(lines: readonly string[], at: number): ErrorReport {
  const hasCode = indentOf(lines[at + 1] ?? '') > 0;
  return { text: lines[at]!.trim(), index: at, end: at + (hasCode ? 2 : 1), rank: RANK.last };
}
