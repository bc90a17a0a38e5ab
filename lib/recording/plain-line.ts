import { isPlainJson } from '@/lib/json/plain-json';
import { BYTE, equalsAt } from '@/lib/json/scan';
import {
  type FrameToRecord,
  NUMBER_START,
  PLAIN_BYTES,
  PLAIN_HEAD_BYTES,
  PLAIN_HEADS,
  PLAIN_TIME,
} from './encode-lines';

/** A frame and its number, of a line that most lines are like. */
export interface PlainLine {
  readonly n: number;
  readonly frame: FrameToRecord;
}

/** Digits of the longest number that is read here, which a double holds exactly. */
const MOST_DIGITS = 15;
const [ZERO, NINE, LETTER_R] = [0x30, 0x39, 0x72];

/** The bytes between the time and the content of each channel and direction. */
const HEADS = [...PLAIN_HEADS].flatMap(([channel, heads]) =>
  (['to-client', 'to-server'] as const).map((direction) => ({ channel, direction, bytes: heads[direction] })),
);

/**
 * Reads a line that our writer wrote for a plain frame without removed values; undefined for any other line. Makes no
 * string of it, which takes a quarter of the time.
 */
export function readPlainLine(line: Uint8Array): PlainLine | undefined {
  if (line.length > PLAIN_BYTES + PLAIN_HEAD_BYTES || line.at(-1) !== BYTE.closeObject) return undefined;
  if (!equalsAt(line, 0, NUMBER_START.length, NUMBER_START)) return undefined;
  const nEnd = digitsEnd(line, NUMBER_START.length);
  const timeStart = nEnd + PLAIN_TIME.length;
  if (nEnd < 0 || !equalsAt(line, nEnd, timeStart, PLAIN_TIME)) return undefined;
  const timeEnd = digitsEnd(line, timeStart);
  if (timeEnd < 0) return undefined;
  for (const { channel, direction, bytes: head } of HEADS) {
    if (!equalsAt(line, timeEnd, timeEnd + head.length, head)) continue;
    const bytes = line.subarray(timeEnd + head.length, -1);
    if (bytes.length > PLAIN_BYTES || mayHaveMask(bytes) || !isPlainJson(bytes)) return undefined;
    const n = numberIn(line, NUMBER_START.length, nEnd);
    const time = numberIn(line, timeStart, timeEnd);
    return n === 0 ? undefined : { n, frame: { time, channel, direction, flags: 0, bytes } };
  }
  return undefined;
}

/** Returns the end of a number without leading zeros; -1 if there is none, or a very long one. */
function digitsEnd(line: Uint8Array, start: number): number {
  let at = start;
  while (line[at]! >= ZERO && line[at]! <= NINE) at++;
  const count = at - start;
  return count === 0 || count > MOST_DIGITS || (count > 1 && line[start] === ZERO) ? -1 : at;
}

function numberIn(line: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = 10 * value + line[at]! - ZERO;
  return value;
}

/** Returns true if `[r` occurs, with which placeholders of removed values begin. The others are not ASCII. */
function mayHaveMask(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(BYTE.openArray); at >= 0; at = bytes.indexOf(BYTE.openArray, at + 1))
    if (bytes[at + 1] === LETTER_R) return true;
  return false;
}
