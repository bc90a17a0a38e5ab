import type { CutMessage, Frame } from './frame';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Long strings as written, by their bytes. Messages share them, so each is decoded once. */
const decoded = new WeakMap<Uint8Array, string>();

function writtenString(bytes: Uint8Array): string {
  let text = decoded.get(bytes);
  if (text === undefined) {
    text = decoder.decode(bytes);
    decoded.set(bytes, text);
  }
  return text;
}

/** Returns the text of a message. It is joined from strings, which costs nothing until somebody reads it. */
export function cutText({ text, strings }: CutMessage): string {
  let [joined, read] = ['', 0];
  for (const { at, bytes } of strings) {
    joined += decoder.decode(text.subarray(read, at)) + writtenString(bytes);
    read = at;
  }
  return joined + decoder.decode(text.subarray(read));
}

/** Long strings without escapes, by their bytes. */
const values = new WeakMap<Uint8Array, string>();

function stringValue(bytes: Uint8Array): string {
  let value = values.get(bytes);
  if (value === undefined) {
    const text = writtenString(bytes);
    value = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
    values.set(bytes, value);
  }
  return value;
}

/** Stands for a long string while the rest is parsed. */
const MARK = '\u0000cut:';
const WRITTEN_MARK = '\\u0000cut:';

/**
 * Parses a message as JSON.parse does, without reading its long strings. Messages that share a string get the same one.
 * Returns undefined for invalid JSON, and if a long string is only a part of a value, or a name: parse the whole then.
 */
export function cutValue({ text, strings }: CutMessage): unknown {
  const marks = strings.map(({ at }, index) => ({ at, bytes: encoder.encode(`${WRITTEN_MARK}${index}`) }));
  const length = marks.reduce((sum, { bytes }) => sum + bytes.length, text.length);
  const byMark = new Map(strings.map(({ bytes }, index) => [`${MARK}${index}`, bytes]));
  let found = 0;
  try {
    const value: unknown = JSON.parse(
      decoder.decode(joinMessage({ text, strings: marks, length })),
      (_, each: unknown) => {
        const bytes = typeof each === 'string' ? byMark.get(each) : undefined;
        if (bytes === undefined) return each;
        found++;
        return stringValue(bytes);
      },
    );
    return found === strings.length ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a message with its long strings back in their places. */
export function joinMessage({ text, strings, length }: CutMessage): Uint8Array {
  const bytes = new Uint8Array(length);
  let [read, written] = [0, 0];
  for (const { at, bytes: string } of strings) {
    bytes.set(text.subarray(read, at), written);
    written += at - read;
    bytes.set(string, written);
    written += string.length;
    read = at;
  }
  bytes.set(text.subarray(read), written);
  return bytes;
}

/** Returns the length of a frame in bytes, without putting them together. */
export function messageLength(frame: Pick<Frame, 'bytes' | 'cut'>): number {
  return frame.cut?.length ?? frame.bytes.length;
}

/** Returns a copy of a frame with another message, whose bytes are put together when they are first read. */
export function cutFrame<F extends object>(frame: F, cut: CutMessage): F & Pick<Frame, 'bytes' | 'cut'> {
  const copy: Record<string, unknown> = {};
  // Spreading the frame would read its bytes.
  for (const key of Object.keys(frame)) if (key !== 'bytes') copy[key] = frame[key as keyof F];
  let joined: Uint8Array | undefined;
  const bytes = (): Uint8Array => {
    joined ??= joinMessage(cut);
    return joined;
  };
  Object.defineProperty(copy, 'bytes', { enumerable: true, get: bytes });
  // `{ ...frame, bytes }` has other bytes, so it must not have the message.
  Object.defineProperty(copy, 'cut', { enumerable: false, value: cut });
  return copy as F & Pick<Frame, 'bytes' | 'cut'>;
}
