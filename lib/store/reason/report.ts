import type { LineRank } from './line-kinds';

/** Lines that belong together and report one error. */
export interface ErrorReport {
  /** The error, as one line. */
  readonly text: string;
  /** Index of the line that states it. */
  readonly index: number;
  /** Index after the report's last line. */
  readonly end: number;
  readonly rank: LineRank;
}

/**
 * Reads the report that line `at` begins or belongs to; undefined if there is none. Lines from `from` on belong to no
 * report yet.
 */
export type ReadReport = (lines: readonly string[], at: number, from: number) => ErrorReport | undefined;

/** A kind of report, and how its lines are recognised. */
export interface ErrorReportKind {
  readonly starts: RegExp;
  readonly read: ReadReport;
}

/** Returns the first index from `at` on whose line is not blank. */
export function nextLine(lines: readonly string[], at: number): number {
  let index = at;
  while (index < lines.length && lines[index]!.trim() === '') index++;
  return index;
}

/** Returns the index of the line above `at` that is not blank; -1 if there is none from `from` on. */
export function lineAbove(lines: readonly string[], at: number, from: number): number {
  let index = at - 1;
  while (index >= from && lines[index]!.trim() === '') index--;
  return index >= from ? index : -1;
}

/** Returns the number of white-space characters that a line begins with. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Puts an error and what it says about its cause on one line. */
export function joined(error: string, cause: string | undefined): string {
  const head = error.trim();
  if (cause === undefined || cause.trim() === '') return head;
  return `${head}${head.endsWith(':') ? '' : ':'} ${cause.trim()}`;
}
