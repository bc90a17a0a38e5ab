/** A file that can be read at any offset. Its size stays what it was when opened, even if the file grows. */
export interface RandomAccess {
  readonly size: number;
  /** Reads the bytes `[from, to)`. Rejects with the system's error, and if the file got shorter. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Stops reading. Never rejects. */
  close(): Promise<void>;
}

/** Reads a file that the user gave to the page. */
export function blobAccess(blob: Blob): RandomAccess {
  return {
    size: blob.size,
    read: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
    close: async () => {},
  };
}

/** Bytes read at a time. */
const CHUNK_BYTES = 1024 * 1024;

/** Reads all bytes from an offset in portions. Reads the next portion ahead. */
export async function* readFrom(
  file: RandomAccess,
  from: number,
  chunk = CHUNK_BYTES,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const portion = (at: number) => file.read(at, Math.min(file.size, at + chunk));
  let next = from < file.size ? portion(from) : undefined;
  for (let at = from; next; ) {
    const bytes = await next;
    at += bytes.length;
    next = at < file.size ? portion(at) : undefined;
    // If the caller stops early, nothing awaits this promise, and its rejection would be unhandled.
    next?.catch(() => {});
    yield bytes;
  }
}
