import type { BucketListing, BucketReplies, BucketRequest } from '@/features/team/lib/summary/bucket-api';
import { findRecordings, readQuery } from '@/features/team/lib/summary/find-recordings';
import type { ListedRecording } from '@/features/team/lib/summary/listed-recording';
import { RecordingError } from '@/lib/recording/errors';
import { ConnectionError } from '@/lib/transports/transport';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import type { BucketRecordings, FillProgress } from './bucket-recordings';
import { RECORDINGS, readKey } from './keys';
import { type BucketRecording, download, findRemote, type ReadableStore, type RemoteName } from './remote-recording';
import { type S3Address, s3Url } from './s3-address';
import { storeCancelled } from './store-error';

/** Services of the page's process for the viewer of a bucket. */
export interface BucketPage {
  /** Opens a recording in parts, as a connection, and resolves with its id. Rejects with a Failure. */
  open(remote: BucketRecording): Promise<string>;
  /** Writes a download to a temporary file, and opens it. */
  openDownload(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string>;
  /** Copies a download into the folder of recordings, and resolves with its id there. */
  keep(bytes: AsyncIterable<Uint8Array>): Promise<string>;
}

/**
 * Opens a recording in parts, and resolves with the id of its connection. One without an index is downloaded, or as
 * `otherwise` does it. Rejects with a Failure.
 */
export async function openRemote(
  store: ReadableStore,
  name: RemoteName,
  page: BucketPage,
  otherwise: () => Promise<string> = () =>
    page.openDownload(name.key.slice(name.key.lastIndexOf('/') + 1), download(store, name)),
): Promise<string> {
  const remote = await findRemote(store, name);
  try {
    return await page.open(remote);
  } catch (error) {
    if (error instanceof RecordingError && error.code === 'recording-without-index') return otherwise();
    throw error;
  }
}

interface BucketViewerOptions {
  readonly store: ReadableStore;
  readonly address: S3Address;
  readonly recordings: BucketRecordings;
  readonly page: BucketPage;
}

/** The recordings of a bucket, as the page lists and opens them. */
export class BucketViewer {
  readonly #options: BucketViewerOptions;
  #fill: { readonly stop: AbortController; progress: FillProgress } | undefined;
  #download: { readonly stop: AbortController; progress: ReadingProgress | undefined } | undefined;
  #ended: Pick<BucketListing, 'failure' | 'cancelled'> = {};
  /** The result of the last query. */
  #found: {
    readonly query: string;
    readonly of: readonly ListedRecording[];
    readonly rows: readonly ListedRecording[];
  } = { query: '', of: [], rows: [] };

  constructor(options: BucketViewerOptions) {
    this.#options = options;
  }

  /** Carries out a request of the page. Rejects with a Failure. */
  async run(
    request: Exclude<BucketRequest, { kind: 'read-on' | 'open' }>,
  ): Promise<BucketReplies[keyof BucketReplies] | undefined> {
    switch (request.kind) {
      case 'list':
        return this.#list(request.query, request.from, request.most);
      case 'fill':
        this.#startFill(request.all);
        return undefined;
      case 'cancel':
        this.#fill?.stop.abort();
        this.#download?.stop.abort();
        return undefined;
      case 'save':
        return { id: await this.#downloaded(request.key, (bytes) => this.#options.page.keep(bytes)) };
    }
  }

  close(): void {
    this.#fill?.stop.abort();
    this.#download?.stop.abort();
  }

  /** Opens a recording, resolves with the id of its connection. `whole`: downloads it first. Rejects with a Failure. */
  async open(key: string, whole: boolean): Promise<string> {
    const { store, page } = this.#options;
    const downloaded = () =>
      this.#downloaded(key, (bytes) => page.openDownload(key.slice(key.lastIndexOf('/') + 1), bytes));
    return whole ? downloaded() : openRemote(store, this.#named(key), page, downloaded);
  }

  #list(query: string, from: number, most: number): BucketListing {
    const { recordings, address } = this.#options;
    const { recordings: of, unlisted, checkedAt } = recordings;
    const wanted = readQuery(query, Date.now());
    if (this.#found.query !== query || this.#found.of !== of || hasRelativeTime(query)) {
      this.#found = { query, of, rows: 'wrong' in wanted ? of : findRecordings(of, wanted) };
    }
    const { rows } = this.#found;
    const downloading = this.#download?.progress;
    return {
      place: s3Url(address),
      host: new URL(address.endpoint).host,
      known: of.length,
      found: rows.length,
      rows: rows.slice(from, from + most),
      unlisted,
      ...(checkedAt !== undefined && { checkedAt }),
      ...(this.#fill ? { filling: this.#fill.progress } : this.#ended),
      ...(downloading && { downloading }),
      ...('wrong' in wanted && wanted),
    };
  }

  #startFill(all: boolean): void {
    if (this.#fill) return;
    const fill = { stop: new AbortController(), progress: { done: 0, of: 0, listing: true } };
    this.#fill = fill;
    this.#ended = {};
    const onProgress = (progress: FillProgress): void => {
      fill.progress = progress;
    };
    this.#options.recordings
      .fill({ all, signal: fill.stop.signal, onProgress })
      .catch((error: unknown) => {
        this.#ended = fill.stop.signal.aborted ? { cancelled: true } : { failure: failureOf(error) };
      })
      .finally(() => {
        this.#fill = undefined;
      });
  }

  /** Downloads one recording at a time. Rejects with a Failure. */
  async #downloaded<Result>(key: string, use: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>): Promise<Result> {
    if (this.#download) throw new ConnectionError(BUSY);
    const name = this.#named(key);
    const running = { stop: new AbortController(), progress: undefined as ReadingProgress | undefined };
    this.#download = running;
    const { signal } = running.stop;
    const onRead = (progress: ReadingProgress): void => {
      running.progress = progress;
    };
    try {
      return await use(download(this.#options.store, name, { signal, onRead }));
    } catch (error) {
      throw signal.aborted ? storeCancelled() : error;
    } finally {
      this.#download = undefined;
    }
  }

  /** Returns the name of a recording that the page asks for. Throws a ConnectionError for any other object. */
  #named(key: string): RemoteName {
    if (!key.startsWith(RECORDINGS) || !readKey(key)) throw new ConnectionError(NOT_LISTED);
    return { address: this.#options.address, key };
  }
}

/** Returns true for a query that finds others a minute later. */
function hasRelativeTime(query: string): boolean {
  return /\b(?:since|until):/i.test(query);
}

function failureOf(error: unknown): Failure {
  if (isFailure(error)) return { code: error.code, message: error.message, advice: error.advice };
  return { code: 'internal', message: `mcp-inspect failed to read the bucket: ${error}.`, advice: 'Try again.' };
}

const NOT_LISTED: Failure = {
  code: 'not-listed',
  message: 'The page may open only recordings that mcp-inspect pushed.',
  advice: 'Use `mcp-inspect open` for any other object.',
};

const BUSY: Failure = {
  code: 'downloading',
  message: 'Another recording is being downloaded.',
  advice: 'Wait for it, or cancel it.',
};
