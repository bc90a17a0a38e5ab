/** A file of which any part can be read, however it is held. What it was at first, its size stays, even if it grows. */
export interface RandomAccess {
  readonly size: number;
  /** The bytes `[from, to)`. Rejects with the system's error, and if the file has become shorter. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
  /** No more is read. Never rejects. */
  close(): Promise<void>;
}

/** A file that a page was given. */
export function blobAccess(blob: Blob): RandomAccess {
  return {
    size: blob.size,
    read: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
    close: async () => {},
  };
}

const CHUNK_BYTES = 1024 * 1024;

/** All bytes from a place on, in portions; the next one is read while one is looked at. */
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
    // Nobody awaits it yet, and perhaps nobody ever does.
    next?.catch(() => {});
    yield bytes;
  }
}
