import type { CutMessage, Frame } from './frame';

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
