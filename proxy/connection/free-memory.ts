/** Bytes above which freeing memory at once costs less than it saves. */
const LARGE_BYTES = 16 * 1024;

/** A port that nobody listens to. */
let nowhere: MessagePort | undefined;

/** Returns true for memory that is worth freeing, and that nothing else is part of. */
export function isWorthFreeing({ buffer, length }: Buffer): boolean {
  return length >= LARGE_BYTES && length >= buffer.byteLength / 2;
}

/** Frees the memory of a buffer that nobody needs any more, by transferring it to nobody. */
export function freeMemory({ buffer }: Buffer): void {
  if (!nowhere) {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    nowhere = port1;
  }
  nowhere.postMessage(undefined, [buffer as ArrayBuffer]);
}
