import type { Log } from '@/lib/store/log';
import { errorPlace } from '../rows/error-place';
import { reasonInLog } from './log-reason';
import { type PrintedError, printedErrors, REASON_LINES } from './reason';

/** Characters of an error's text that are searched. */
const READ_CHARS = 20_000;
/** Characters of a message from which on it is unlikely to be in a text by accident. */
const TELLING_CHARS = 4;

/** The name of an exception's type, and its message. */
const EXCEPTION = /^((?:[\w$]+\.)*[\w$]+)(?: \[[\w.]+\])?(?:: ?(.*))?$/;

/** The error on stderr that explains why a call failed. */
export interface CallError {
  /** One line, without colours: `KeyError: 'temp'`. */
  readonly text: string;
  /** Index of the line that states it. */
  readonly index: number;
  /** The place where it was raised, as `file:line`, if its traceback or stack says so. */
  readonly place: string | undefined;
  /** The response has the same error. Otherwise it was only printed meanwhile. */
  readonly isSame: boolean;
}

/**
 * Finds the error that explains a failed call among the lines printed during it. `said`: texts of the error in the
 * response. An exception that agrees with them comes first, then a line that does, then the newest other one.
 */
export function callError(lines: readonly string[], said: readonly string[]): CallError | undefined {
  const errors = printedErrors(lines);
  const texts = said.map((text) => oneLine(text.slice(0, READ_CHARS)));
  const agreeing = errors.filter((error) => texts.some((text) => agrees(error, text)));
  const best = newest(agreeing) ?? newest(errors);
  if (!best) return undefined;
  let first = best;
  while (first.cause) first = first.cause;
  const { text, index } = first;
  return { text, index, place: placeOf(first) ?? placeOf(best), isSame: agreeing.length > 0 };
}

function newest(errors: readonly PrintedError[]): PrintedError | undefined {
  return errors.findLast(({ isException }) => isException) ?? errors.at(-1);
}

function placeOf({ report }: PrintedError): string | undefined {
  return errorPlace(report);
}

/** Returns true if a text repeats the message of an error, or if the error ends with the text. */
function agrees({ text, line }: PrintedError, said: string): boolean {
  return [text, line].some((printed) => {
    const [, type, message = ''] = EXCEPTION.exec(printed) ?? [];
    return endsWith(printed, said) || hasWords(said, message === '' ? (type ?? printed) : message);
  });
}

function endsWith(printed: string, said: string): boolean {
  return (
    said.length >= TELLING_CHARS && printed.endsWith(said) && !/\w\w$/.test(printed.slice(0, -said.length) + said[0])
  );
}

/** Returns true if a text contains words, and not only as a part of other ones. Very short ones must be at its end. */
function hasWords(text: string, words: string): boolean {
  const bare = /^(['"])(.*)\1$/.exec(words)?.[2];
  if (text === words || text === bare || text.endsWith(`: ${words}`)) return true;
  if (words.length < TELLING_CHARS) return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before, after] = [text.slice(at - 1, at + 1), text.slice(at + words.length - 1, at + words.length + 1)];
    if ((at === 0 || !/^\w\w/.test(before)) && !/^\w\w/.test(after)) return true;
  }
  return false;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** An error that explains why a call failed, and its frame. */
export interface LoggedCallError extends Omit<CallError, 'index'> {
  readonly stream: 'stderr' | 'stdout';
  readonly seq: number;
}

/** Finds the error that explains a failed call in the log. `stderr`: the frames of the lines printed during it. */
export function callErrorInLog(
  log: Log,
  stderr: readonly number[],
  said: readonly string[],
): LoggedCallError | undefined {
  const seqs = stderr.slice(-REASON_LINES);
  const found = callError(linesOf(log, seqs), said);
  return found && { ...found, stream: 'stderr', seq: seqs[found.index]! };
}

/** Finds the error that ended the process during a call. `stderr`: the frames of the lines printed during the call. */
export function crashInLog(log: Log, stderr: readonly number[]): LoggedCallError | undefined {
  const reason = reasonInLog(log);
  if (!reason) return undefined;
  const { text, stream, seq } = reason;
  const seqs = stderr.slice(-REASON_LINES);
  const error = printedErrors(linesOf(log, seqs)).findLast(({ index }) => seqs[index] === seq);
  return { text, stream, seq, place: error && placeOf(error), isSame: true };
}

function linesOf(log: Log, seqs: readonly number[]): readonly string[] {
  return seqs.map((seq) => log.text(seq - 1));
}
