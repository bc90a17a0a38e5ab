import { type ListedRecording, readListed } from '@/features/team/lib/summary/listed-recording';
import { SUMMARY_BYTES } from '@/features/team/lib/summary/recording-summary';
import { readKey, recordingKey, SUMMARIES, summariesOfDay } from './keys';
import type { ObjectStore, StoredObject } from './object-store';
import { StoreError, storeCancelled } from './store-error';
import type { CachedSummary, SummaryCache } from './summary-cache';

/** Summaries that are read at the same time. */
const READ_AT_ONCE = 16;
/** Summaries that are written to the cache together, so that a cancelled or killed fill keeps what it has read. */
export const WRITTEN_AT_ONCE = 200;
/** Keys of one listing. A bucket that goes on for ever has more. */
const MOST_KEYS = 2_000_000;
/** Days before the newest summary that are listed again: a recording can be pushed days after it was made. */
const LATE_DAYS = 7;
/** After this time in ms everything is listed again, for recordings that were pushed later still, or expired. */
const LISTING_AGE_MS = 24 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** How far a fill is. `of` grows while the bucket is being listed. */
export interface FillProgress {
  readonly done: number;
  readonly of: number;
  readonly listing: boolean;
}

export interface FillOptions {
  /** First day to list, such as `2026-11-26`; '' or absent: all. */
  readonly since?: string | undefined;
  /** Lists everything again. */
  readonly all?: boolean;
  readonly signal?: AbortSignal | undefined;
  onProgress?(progress: FillProgress): void;
}

/** The recordings of a bucket, as far as their summaries are on this machine. */
export class BucketRecordings {
  readonly #store: Pick<ObjectStore, 'list' | 'read'>;
  readonly #cache: SummaryCache;
  readonly #now: () => number;
  readonly #writtenAtOnce: number;
  /** Newest first; undefined after a change. */
  #sorted: readonly ListedRecording[] | undefined;
  #unlisted = 0;
  /** End of the last fill here. */
  #checkedAt: string | undefined;

  constructor(
    store: Pick<ObjectStore, 'list' | 'read'>,
    cache: SummaryCache,
    now: () => number,
    writtenAtOnce = WRITTEN_AT_ONCE,
  ) {
    this.#store = store;
    this.#cache = cache;
    this.#now = now;
    this.#writtenAtOnce = writtenAtOnce;
  }

  /** All that are known, newest first. */
  get recordings(): readonly ListedRecording[] {
    this.#sorted ??= this.#sort();
    return this.#sorted;
  }

  /** Number of summaries that can't be listed: damaged, of a newer version, or of another recording. */
  get unlisted(): number {
    this.#sorted ??= this.#sort();
    return this.#unlisted;
  }

  /** Time when the bucket was last asked for new recordings, ISO 8601; undefined if it never was. */
  get checkedAt(): string | undefined {
    return this.#checkedAt ?? this.#cache.state?.at;
  }

  /**
   * Reads the summaries that are new. Rejects with a StoreError, also if it is cancelled, or there are more than can be
   * kept: then the newest are. Those read until then stay.
   */
  async fill({ since = '', all = false, signal, onProgress = () => {} }: FillOptions = {}): Promise<void> {
    const { from, isRepeat } = this.#start(since, all);
    const { most } = this.#cache;
    const newest: StoredObject[] = [];
    let [done, found, listed] = [0, 0, 0];
    let read: CachedSummary[] = [];
    const keep = async () => {
      const some = read;
      read = [];
      this.#sorted = undefined;
      // A full disk only means that they are read again next time.
      await this.#cache.add(some).catch(() => {});
    };
    const work = async (object: StoredObject): Promise<void> => {
      const summary = await this.#readSummary(object, signal);
      // Another array than before the wait, if the others were written meanwhile.
      read.push(summary);
      done++;
      onProgress({ done, of: found, listing: false });
      if (read.length >= this.#writtenAtOnce) await keep();
    };
    const running = new Set<Promise<void>>();
    let failure: unknown;
    try {
      for await (const object of this.#list(from, signal)) {
        if (!keyIn(object)) continue;
        listed++;
        newest.push(object);
        if (newest.length >= 2 * most) newest.splice(0, most);
        if (!this.#cache.has(keyIn(object)!) && found++ % 100 === 0) onProgress({ done, of: found, listing: true });
      }
      newest.splice(0, newest.length - most);
      const fresh = newest.filter((object) => !this.#cache.has(keyIn(object)!));
      found = fresh.length;
      for (const object of fresh) {
        const one: Promise<void> = work(object)
          .catch((error) => {
            failure ??= error;
          })
          .finally(() => running.delete(one));
        running.add(one);
        while (running.size >= READ_AT_ONCE && failure === undefined) await Promise.race(running);
        if (failure !== undefined) throw failure;
      }
      await Promise.all(running);
      if (failure !== undefined) throw failure;
    } finally {
      await Promise.all(running);
      await keep();
    }
    const there = new Set(newest.map(keyIn));
    await this.#cache.keepOnly(from, (key) => there.has(key)).catch(() => {});
    this.#sorted = undefined;
    if (listed > newest.length) throw tooMany(most);
    const at = new Date(this.#now()).toISOString();
    this.#checkedAt = at;
    if (!isRepeat) await this.#cache.setState({ from, at }).catch(() => {});
  }

  /** Returns the first day to list, and whether earlier days were listed lately. */
  #start(since: string, all: boolean): { readonly from: string; readonly isRepeat: boolean } {
    const { state, newestDay } = this.#cache;
    const age = state === undefined ? Number.NaN : this.#now() - Date.parse(state.at);
    const isFresh = age >= 0 && age < LISTING_AGE_MS;
    if (all || !isFresh || state!.from > since || newestDay === undefined) return { from: since, isRepeat: false };
    // A recording from a clock that was wrong can be dated years ahead.
    const newest = Math.min(Date.parse(newestDay), this.#now());
    const late = new Date(newest - LATE_DAYS * DAY_MS).toISOString().slice(0, 10);
    return { from: late > since ? late : since, isRepeat: true };
  }

  /** Lists the objects with summaries. Rejects if the store repeats itself or never ends. */
  async *#list(from: string, signal: AbortSignal | undefined): AsyncGenerator<StoredObject> {
    const after = from === '' ? undefined : summariesOfDay(from);
    let [last, count] = ['', 0];
    for await (const object of this.#store.list(SUMMARIES, { ...(after !== undefined && { after }), signal })) {
      if (signal?.aborted) throw storeCancelled();
      if (object.key <= last || ++count > MOST_KEYS) throw endless();
      last = object.key;
      yield object;
    }
  }

  async #readSummary({ key, bytes, etag }: StoredObject, signal: AbortSignal | undefined): Promise<CachedSummary> {
    const named = readKey(key)!;
    const recording = recordingKey(named);
    if (bytes > SUMMARY_BYTES) return { key: recording, unlisted: 'large' };
    const content = await this.#store.read(key, { most: SUMMARY_BYTES, signal, ...(etag !== '' && { etag }) });
    const listed = readListed(content, recording, named.sha256);
    return typeof listed === 'string' ? { key: recording, unlisted: listed } : listed;
  }

  #sort(): readonly ListedRecording[] {
    const listed: ListedRecording[] = [];
    this.#unlisted = 0;
    for (const summary of this.#cache.values()) {
      if ('unlisted' in summary) this.#unlisted++;
      else listed.push(summary);
    }
    return listed.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.key < b.key ? -1 : 1));
  }
}

/** Returns the key of the recording of a summary; undefined for any other object. */
function keyIn({ key }: StoredObject): string | undefined {
  const read = key.startsWith(SUMMARIES) ? readKey(key) : undefined;
  return read && recordingKey(read);
}

function endless(): StoreError {
  return new StoreError(
    'store-damaged',
    'The store’s list of objects repeats itself or does not end.',
    'Check the endpoint: it does not answer as S3 does.',
  );
}

function tooMany(most: number): StoreError {
  return new StoreError(
    'store-refused',
    `The bucket has more than ${most.toLocaleString('en')} recordings, so older ones are not listed.`,
    'Give a later start, such as --since 30d, or a longer prefix.',
  );
}
