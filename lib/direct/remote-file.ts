import { joinBytes } from '@/lib/json/typed-arrays';
import { inBlocks } from '@/lib/recording/large/block-cache';
import type { RandomAccess } from '@/lib/recording/large/random-access';
import { isHar } from '@/lib/recording/recording-bytes';
import { ConnectionError } from '@/lib/transports/transport';
import { isGzip } from '@/lib/wire/gzip';
import { LIMITS } from '@/lib/wire/limits';
import { readCount } from '@/lib/wire/read-count';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import type { Fetch } from './fetch-link';
import { type RemoteReason, remoteFailure, statusReason } from './remote-failures';

/** Bytes of the largest file that is fetched whole. A longer one is read by its index. */
const WHOLE_BYTES = LIMITS.wholeRecordingBytes;
/** Bytes of the first request: enough to tell what the file is. */
const FIRST_BYTES = 128 * 1024;
/** Bytes between two reports of the progress. */
const REPORTED_BYTES = 1024 * 1024;
/** Time for a part, in ms: a host that hangs must not stop the log for good. */
const PART_MS = 60_000;
/** Slowest host that is waited for, in bytes per ms (64 KB/s). A file that is fetched whole has a long last part. */
const SLOWEST_BYTES_PER_MS = 64;

/** A file at a URL: fetched whole, or read in parts. */
export type FetchedFile = { readonly name: string; readonly host: string } & (
  | { readonly whole: Blob }
  | { readonly parts: RandomAccess }
);

interface RemoteDeps {
  readonly fetch: Fetch;
  /** Origin of the page. */
  readonly origin: string;
  readonly signal: AbortSignal;
  /** Called while a file is fetched whole. */
  onProgress(progress: ReadingProgress): void;
}

/**
 * Opens the file at a URL that a person agreed to. Sends no header but `Range`, and follows no redirect. Rejects with a
 * ConnectionError, which never has the URL.
 */
export async function openRemoteFile(url: string, deps: RemoteDeps): Promise<FetchedFile> {
  const { host, pathname } = new URL(url);
  const named = { name: pathname.slice(pathname.lastIndexOf('/') + 1) || host, host };
  const source = new RemoteSource(url, deps);
  const asked = await source.request(0, FIRST_BYTES);
  const hidesSize = asked?.status === 206 && sizeOf(asked) === undefined;
  if (hidesSize) await asked.body?.cancel();
  // Some hosts refuse the header in their preflight, or hide the size, but send the whole file.
  const first = asked && !hidesSize ? asked : await source.requestWhole();
  const size = sizeOf(first);
  if (first.status === 200) {
    if (size !== undefined && size > WHOLE_BYTES) await source.refuse(first, hidesSize ? 'no-size' : 'no-ranges');
    return { ...named, whole: new Blob([await source.readBody(first, WHOLE_BYTES, 'no-ranges')]) };
  }
  if (size === undefined || size > LIMITS.recordingBytes) return source.refuse(first, 'too-large');
  source.remember(first, size);
  const beginning = await source.readBody(first, Math.min(size, FIRST_BYTES), 'changed');
  if (size <= WHOLE_BYTES) {
    const rest = size > beginning.length ? await source.read(beginning.length, size) : new Uint8Array(0);
    return { ...named, whole: new Blob([beginning, rest]) };
  }
  if (isGzip(beginning) || isHar(beginning)) throw source.failure('compressed');
  return {
    ...named,
    parts: inBlocks({ size, read: (from, to) => source.read(from, to), close: async () => source.close() }),
  };
}

/** Bytes of the whole file; undefined if the page can't read the header that says so. */
function sizeOf({ status, headers }: Response): number | undefined {
  const text =
    status === 206
      ? /^bytes \d+-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
      : headers.get('content-length');
  return readCount(text);
}

/** Returns the validators of a file, as far as the page can read them. */
function versionOf(response: Response): string {
  const { headers } = response;
  return JSON.stringify([headers.get('etag'), headers.get('last-modified'), sizeOf(response)]);
}

/** The requests for one file. */
class RemoteSource {
  readonly #url: string;
  readonly #deps: RemoteDeps;
  readonly #closed = new AbortController();
  /** Version and size of the file, once its first part is here. */
  #known: { readonly version: string; readonly size: number } | undefined;

  constructor(url: string, deps: RemoteDeps) {
    this.#url = url;
    this.#deps = deps;
  }

  /**
   * Requests the bytes `[from, to)`. Resolves with a response of 200 or 206; undefined if the browser withholds the
   * first one, which may be because of the header.
   */
  async request(from: number, to: number): Promise<Response | undefined> {
    const limit = AbortSignal.timeout(PART_MS + Math.ceil((to - from) / SLOWEST_BYTES_PER_MS));
    const response = await this.#fetch({ range: `bytes=${from}-${to - 1}` }, limit);
    if (!response && (this.#known || this.#isOver)) throw this.failure('broken');
    return response && this.#accept(response, [200, 206]);
  }

  /** Requests the whole file. Resolves with a response of 200. */
  async requestWhole(): Promise<Response> {
    const response = await this.#fetch({});
    if (!response) throw this.failure(this.#isOver ? 'broken' : 'unreadable');
    return this.#accept(response, [200]);
  }

  /** Reads the bytes `[from, to)`. Rejects if the file is not the one that it was at first. */
  async read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.request(from, to);
    if (response?.status !== 206 || versionOf(response) !== this.#known?.version)
      return this.refuse(response, 'changed');
    const bytes = await this.readBody(response, to - from, 'changed', from);
    if (bytes.length !== to - from) throw this.failure('broken');
    return bytes;
  }

  /** Reads a body of at most `most` bytes. Rejects with `beyond` for a longer one. `from`: its place in the file. */
  async readBody(response: Response, most: number, beyond: RemoteReason, from = 0): Promise<Uint8Array<ArrayBuffer>> {
    const of = this.#known?.size ?? sizeOf(response) ?? 0;
    const pieces: Uint8Array[] = [];
    let [length, reported] = [0, 0];
    const reader = response.body!.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        length += next.value.length;
        if (length > most) throw this.failure(beyond);
        pieces.push(next.value);
        if (of > WHOLE_BYTES || length - reported < REPORTED_BYTES) continue;
        reported = length;
        this.#deps.onProgress({ done: from + length, of: Math.max(of, from + length) });
      }
    } catch (error) {
      void reader.cancel().catch(() => {});
      throw error instanceof ConnectionError ? error : this.failure('broken');
    }
    return joinBytes(pieces);
  }

  remember(response: Response, size: number): void {
    this.#known = { version: versionOf(response), size };
  }

  /** Ends a response that is not wanted, and rejects. */
  async refuse(response: Response | undefined, reason: RemoteReason): Promise<never> {
    void response?.body?.cancel().catch(() => {});
    throw this.failure(reason, response?.status);
  }

  failure(reason: RemoteReason, status = 0): ConnectionError {
    return new ConnectionError(
      remoteFailure(reason, { host: new URL(this.#url).host, origin: this.#deps.origin, status }),
    );
  }

  close(): void {
    this.#closed.abort();
  }

  get #isOver(): boolean {
    return this.#deps.signal.aborted || this.#closed.signal.aborted;
  }

  /** Resolves to undefined if there is no response, or the browser withholds it. */
  async #fetch(headers: Record<string, string>, ...limits: AbortSignal[]): Promise<Response | undefined> {
    const signal = AbortSignal.any([this.#deps.signal, this.#closed.signal, ...limits]);
    return this.#deps.fetch(this.#url, { headers, redirect: 'manual', signal }).catch(() => undefined);
  }

  async #accept(response: Response, statuses: readonly number[]): Promise<Response> {
    return statuses.includes(response.status) ? response : this.refuse(response, statusReason(response.status));
  }
}
