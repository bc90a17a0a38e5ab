import { join } from 'node:path';
import type { BucketRequest } from '@/features/team/lib/summary/bucket-api';
import { BucketRecordings } from '@/features/team/proxy/bucket/bucket-recordings';
import { type BucketPage, BucketViewer, openRemote } from '@/features/team/proxy/bucket/bucket-viewer';
import { openStore } from '@/features/team/proxy/bucket/open-store';
import { readRecordingUrl } from '@/features/team/proxy/bucket/recording-url';
import type { ReadingBudget } from '@/features/team/proxy/bucket/remote-file';
import type { AddressOptions } from '@/features/team/proxy/bucket/s3-address';
import { NO_BUCKET } from '@/features/team/proxy/bucket/store-error';
import { SummaryCache } from '@/features/team/proxy/bucket/summary-cache';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { PageHub } from '@/proxy/commands/inspect/page-hub';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { writeNewFile } from '@/proxy/files/private-files';
import { folderUntilExit } from '@/proxy/files/temporary-folder';
import { KeptRecordings } from '@/proxy/recorder/kept-recordings';
import { openFile } from '@/proxy/recorder/open-file';

/** The bucket whose recordings the page lists, and how its address is completed. */
export interface PageBucket {
  /** Absent: the page lists none. */
  readonly url: string | undefined;
  readonly options: AddressOptions;
}

/** Opens recordings of buckets in the page, and lists those of the bucket that the command line names. */
export class PageBuckets {
  readonly #hub: PageHub;
  readonly #version: string;
  readonly #from: string | undefined;
  readonly #options: AddressOptions;
  /** Limits on reading the index of open recordings, by connection. */
  readonly #budgets = new Map<string, ReadingBudget>();
  /** The connections that show a recording, by its key, which is made of the digest of its bytes. */
  readonly #opened = new Map<string, string[]>();
  #viewer: Promise<BucketViewer> | undefined;

  constructor(hub: PageHub, version: string, { url, options }: PageBucket) {
    this.#hub = hub;
    this.#version = version;
    this.#from = url;
    this.#options = options;
  }

  /** Carries out a request of the page. Rejects with a Failure. */
  async run(request: BucketRequest): Promise<unknown> {
    if (request.kind === 'read-on') return this.#budgets.get(request.connection)?.allowAll();
    if (this.#from === undefined) throw new ConnectionError(NO_BUCKET);
    this.#viewer ??= this.#openViewer(this.#from).catch((error: unknown) => {
      // The next request tries again.
      this.#viewer = undefined;
      throw error;
    });
    const viewer = await this.#viewer;
    if (request.kind !== 'open') return viewer.run(request);
    const { key, whole } = request;
    return { connection: await this.#openOnce(key, whole, () => viewer.open(key, whole)) };
  }

  /**
   * Opens a recording by its URL, at least up to a frame. Resolves with the id of its connection. Rejects with a
   * Failure.
   */
  async open(url: string, frame: number): Promise<string> {
    const { place, find } = readRecordingUrl(url);
    const { store, address } = await this.#openStore(place);
    const key = await find(store).catch((error: unknown) => {
      store.close();
      throw error;
    });
    let opens = false;
    const id = await this.#openOnce(key, false, () => {
      opens = true;
      return openRemote(store, { address, key }, this.#page(frame));
    });
    if (!opens) store.close();
    return id;
  }

  /** Returns the connection that shows a recording already, or opens it. `whole`: all of it has to be here. */
  async #openOnce(key: string, whole: boolean, open: () => Promise<string>): Promise<string> {
    const known = this.#opened.get(key) ?? [];
    const suits = ({ id, recording }: ConnectionSummary) =>
      // Only one that is read in parts says where it is from.
      known.includes(id) && !(whole && recording?.from !== undefined);
    const shown = this.#hub.connections().find(suits);
    if (shown) return shown.id;
    const id = await open();
    this.#opened.set(key, [...(this.#opened.get(key) ?? []), id]);
    return id;
  }

  async close(): Promise<void> {
    (await this.#viewer?.catch(() => undefined))?.close();
  }

  async #openViewer(from: string): Promise<BucketViewer> {
    const { store, address } = await this.#openStore(from);
    const cache = await SummaryCache.open(join(ownRecordingsFolder(), '..'), address);
    const recordings = new BucketRecordings(store, cache, Date.now);
    return new BucketViewer({ store, address, recordings, page: this.#page(1) });
  }

  #openStore(url: string) {
    return openStore(url, { version: this.#version, env: process.env, ...this.#options });
  }

  #page(frame: number): BucketPage {
    return {
      open: async ({ source, budget }) => {
        const { id, log } = await this.#hub.openRecording(source);
        this.#budgets.set(id, budget);
        // The frame may be in a part of the index that would wait for a person.
        if (log.last < frame) budget.allowAll();
        return id;
      },
      openDownload: async (name, bytes) => {
        // A folder of its own, so that the file has the name of the object.
        const path = join(await folderUntilExit(), name);
        await writeNewFile(path, bytes);
        return (await this.#hub.openFile(await openFile(path))).id;
      },
      keep: (bytes) => new KeptRecordings(ownRecordingsFolder()).import(bytes),
    };
  }
}
