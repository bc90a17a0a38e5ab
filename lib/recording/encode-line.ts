import { parseBounded } from '@/lib/wire/bounded-json';
import { FLAG, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { toBase64 } from './base64';
import type { BlobPlace, RecordedFrame, RecordingEnd, RecordingHeader } from './format';

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What a line tells of a frame; its number is the line's business. */
export type FrameToRecord = Omit<Frame, 'seq'>;

/** The first or the last line, line feed included. */
export function encodeLine(line: RecordingHeader | RecordingEnd): Uint8Array {
  return encoder.encode(`${JSON.stringify(line)}\n`);
}

/**
 * A frame as a line, line feed included, from which its exact bytes can be had again: JSON is spliced in as it stands (`m`,
 * the last key), other text is a JSON string (`text`), what is no UTF-8 is base64 (`b64`).
 */
export function encodeFrame(n: number, frame: FrameToRecord): Uint8Array {
  const [key, content] = contentOf(frame.bytes, frame.flags);
  return joined(startOf(n, frame), key, content);
}

/** A frame whose blobs were cut out of its JSON: `rest` is what is left of it. */
export function encodeCut(n: number, frame: FrameToRecord, blobs: readonly BlobPlace[], rest: Uint8Array): Uint8Array {
  return joined({ ...startOf(n, frame), blobs }, 'cut', rest);
}

function startOf(n: number, { time, channel, direction, flags }: FrameToRecord): RecordedFrame {
  return { n, t: time, c: channel, d: direction === 'to-server' ? '>' : '<', ...(flags !== 0 && { f: flags }) };
}

function joined(about: RecordedFrame, key: string, content: Uint8Array): Uint8Array {
  const start = encoder.encode(`${JSON.stringify(about).slice(0, -1)},"${key}":`);
  const line = new Uint8Array(start.length + content.length + 2);
  line.set(start);
  line.set(content, start.length);
  line.set(LINE_END, start.length + content.length);
  return line;
}

const LINE_END = encoder.encode('}\n');

function contentOf(bytes: Uint8Array, flags: number): readonly ['m' | 'text' | 'b64', Uint8Array] {
  const text = bytes.length > LIMITS.recordedTextBytes ? undefined : textOf(bytes);
  if (text === undefined) return inBase64(bytes);
  // A part of an over-long line is no message, even if it looks like one.
  if ((flags & FLAG.continued) === 0 && isSplicable(text)) return ['m', bytes];
  const escaped = encoder.encode(JSON.stringify(text));
  return escaped.length + LONGEST_HEAD > LIMITS.recordedPlainBytes ? inBase64(bytes) : ['text', escaped];
}

/** Characters of a line besides its content, at most. */
const LONGEST_HEAD = 200;

function inBase64(bytes: Uint8Array): readonly ['b64', Uint8Array] {
  return ['b64', encoder.encode(`"${toBase64(bytes)}"`)];
}

/** The text that these bytes are; undefined if they are no UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** An object or array that can stand in a line and be cut out of it again to the byte. */
export function isSplicable(text: string | undefined): boolean {
  if (
    text === undefined ||
    text.length > LIMITS.recordedJsonChars ||
    !/^[{[].*[}\]]$/.test(text) ||
    /[\r\n]/.test(text)
  )
    return false;
  try {
    parseBounded(text);
    return true;
  } catch {
    return false;
  }
}
