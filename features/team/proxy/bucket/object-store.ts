/** An object in the store. */
export interface StoredObject {
  /** Below the prefix of the address. */
  readonly key: string;
  readonly bytes: number;
  /** Without quotes. '' if the store gives none. */
  readonly etag: string;
  /** When it was written, ISO 8601 in UTC. */
  readonly at: string;
}

/** The content of an object to write. It is read repeatedly: for its digest, and again when a request is retried. */
export interface ObjectBody {
  readonly bytes: number;
  /** Media type. */
  readonly type: string;
  /** Reads bytes from `from` up to, without, `to`. */
  read(from: number, to: number): Promise<Uint8Array>;
}

/** An upload in parts, to be continued after a crash. JSON. */
export interface UploadState {
  readonly id: string;
  /** Bytes of each part but the last. */
  readonly partBytes: number;
  /** ETags of the parts that the store has, in order from the first. */
  readonly parts: readonly string[];
}

export interface WriteOptions {
  /** `*`: an object that is there already stays, and that is a success. */
  readonly ifNoneMatch?: '*';
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes that the store has. */
  onProgress?(done: number): void;
  /** An upload of the same bytes to the same key that was interrupted. */
  readonly resume?: UploadState | undefined;
  /** Called after each part; undefined when the upload is over. Keep the newest to resume. */
  onState?(state: UploadState | undefined): void | Promise<void>;
}

/** Result of a write. `existed`: the object was there already. */
export type Written = 'written' | 'existed';

export interface ReadOptions {
  /** First byte, and the byte after the last. */
  readonly range?: readonly [from: number, to: number];
  /** Rejects with `store-missing` if the object is not the one with this ETag. */
  readonly etag?: string;
  /** Most bytes of an object that is read whole. */
  readonly most?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Objects below a prefix of a bucket. All rejections are StoreErrors. Requests that fail for a passing reason are
 * repeated a few times. Nothing is ever overwritten with other bytes, because keys name their content.
 */
export interface ObjectStore {
  /** Objects whose key starts with `prefix`, in the order of their keys, from the first after `after`. */
  list(
    prefix: string,
    options?: { readonly after?: string; readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<StoredObject>;
  /** Reads an object or a range of it. Bytes are checked against the length that the store declared. */
  read(key: string, options?: ReadOptions): Promise<Uint8Array>;
  /** Resolves with undefined if there is no such object. */
  head(key: string, signal?: AbortSignal): Promise<StoredObject | undefined>;
  write(key: string, body: ObjectBody, options?: WriteOptions): Promise<Written>;
  /** Ends an upload in parts without an object, so that its parts cost nothing. */
  abandon(key: string, state: UploadState, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** Returns a body of bytes in memory. */
export function bodyOf(bytes: Uint8Array, type: string): ObjectBody {
  return { bytes: bytes.length, type, read: async (from, to) => bytes.subarray(from, to) };
}
