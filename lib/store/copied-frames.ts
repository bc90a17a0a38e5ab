import type { Frame } from '@/lib/wire/frame';

/** The frames on a buffer of their own: theirs holds others too, and all of it would be sent; a buffer each costs more to send. */
export function copiedFrames(frames: readonly Frame[]): (Frame & { readonly bytes: Uint8Array<ArrayBuffer> })[] {
  const all = new Uint8Array(frames.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  return frames.map((frame) => {
    const bytes = all.subarray(at, at + frame.bytes.length);
    bytes.set(frame.bytes);
    at += frame.bytes.length;
    return { ...frame, bytes };
  });
}
