import { LineSplitter } from '@/lib/recording/line-splitter';

/** Bytes of a line between a page's proxy and a tap: a held message fits, even if each of its bytes is escaped. */
export const CONTROL_LINE_BYTES = 26 * 1024 * 1024;
/** Bytes of the first line, which has the token. */
export const FIRST_LINE_BYTES = 256;

/** A line of the tap: that the token is right, or the answer to a request. `held`: a held message in base64. */
export type ControlAnswer =
  | { readonly ready: true }
  | { readonly ref: number; readonly held?: string }
  | { readonly ref: number; readonly code: string; readonly message: string; readonly advice: string };

/** Encodes a message as a line. */
export function controlLine(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

/** Returns the messages that end in each chunk. It throws at a line that is too long, or is not JSON. */
export function controlReader(mostBytes: number): (chunk: Buffer) => Generator<unknown> {
  const lines = new LineSplitter(mostBytes);
  return function* (chunk) {
    for (const line of lines.splitChunk(chunk)) {
      if (!line) throw new Error('too long');
      yield JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.length).toString()) as unknown;
    }
    // What is held of a line that is too long is dropped, but its end may never come.
    if (lines.pendingBytes >= mostBytes) throw new Error('too long');
  };
}
