import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ListedRecording, UnlistedReason } from '@/features/team/lib/summary/listed-recording';
import { SUMMARY_VERSION } from '@/features/team/lib/summary/recording-summary';
import { jsonIn } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { CacheFolder } from '@/proxy/files/cache-files';
import { isDay, RECORDINGS, readKey } from './keys';
import type { S3Address } from './s3-address';

/** Version of the files. Those of another version are made again, as when a newer version reads more of a summary. */
const CACHE_VERSION = `3.${SUMMARY_VERSION}`;
/** Most summaries that are kept, newest first: about 60 MB. Older ones are neither read nor listed. */
export const MOST_SUMMARIES = 200_000;
/** Largest file of a day, in bytes. */
const DAY_BYTES = 256 * 1024 * 1024;
const STATE_FILE = 'state.json';
const STATE_BYTES = 4096;
const DAY_FILE = /^(\d{4}-\d\d-\d\d)\.jsonl$/;

/** A line: a recording, or the key of one that can't be listed. */
export type CachedSummary = ListedRecording | { readonly key: string; readonly unlisted: UnlistedReason };

/** How much of the bucket was listed, and when. */
export interface CacheState {
  /** First day that was listed; '' for all. */
  readonly from: string;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * The summaries of a bucket that were read, on this machine: a file for each day of recordings, with a line for each.
 * Objects of a bucket never change, so a key that is here is not read again. A file that can't be used is made again.
 */
export class SummaryCache {
  readonly #folder: CacheFolder;
  /** Most summaries that are kept. */
  readonly most: number;
  /** By key of the recording. */
  readonly #kept = new Map<string, CachedSummary>();
  #state: CacheState | undefined;

  private constructor(folder: CacheFolder, most: number) {
    this.#folder = folder;
    this.most = most;
  }

  /** Reads the cache of an address below the folder of our data. */
  static async open(dataFolder: string, address: S3Address, most = MOST_SUMMARIES): Promise<SummaryCache> {
    const { endpoint, bucket, prefix } = address;
    const name = createHash('sha256').update([CACHE_VERSION, endpoint, bucket, prefix].join('\n')).digest('hex');
    const cache = new SummaryCache(new CacheFolder(join(dataFolder, 'buckets', name.slice(0, 24))), most);
    await cache.#read();
    return cache;
  }

  get state(): CacheState | undefined {
    return this.#state;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Newest day with a summary; undefined if there is none. */
  get newestDay(): string | undefined {
    let newest = '';
    for (const key of this.#kept.keys()) if (key > newest) newest = key;
    return readKey(newest)?.day;
  }

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  values(): Iterable<CachedSummary> {
    return this.#kept.values();
  }

  /** Adds summaries, and writes them. Rejects with the system's error; they are known until the process ends anyway. */
  async add(summaries: readonly CachedSummary[]): Promise<void> {
    const days = new Map<string, string[]>();
    for (const summary of summaries) {
      const day = readKey(summary.key)?.day;
      if (day === undefined || this.#kept.has(summary.key)) continue;
      this.#kept.set(summary.key, summary);
      const lines = days.get(day);
      if (lines) lines.push(JSON.stringify(summary));
      else days.set(day, [JSON.stringify(summary)]);
    }
    for (const [day, lines] of days) await this.#folder.append(`${day}.jsonl`, `${lines.join('\n')}\n`);
  }

  /**
   * Drops summaries that are no longer in the bucket, and the oldest beyond the limit. `isThere` is asked for each from
   * `fromDay` on.
   */
  async keepOnly(fromDay: string, isThere: (key: string) => boolean): Promise<void> {
    const gone = [...this.#kept.keys()].filter((key) => (readKey(key)?.day ?? '') >= fromDay && !isThere(key));
    for (const key of gone) this.#kept.delete(key);
    const over = this.#kept.size - this.most;
    for (const key of over > 0 ? [...this.#kept.keys()].sort().slice(0, over) : []) {
      this.#kept.delete(key);
      gone.push(key);
    }
    await this.#rewrite(new Set(gone.map((key) => readKey(key)!.day)));
  }

  /** Remembers what was listed. */
  async setState(state: CacheState): Promise<void> {
    this.#state = state;
    await this.#folder.replace(STATE_FILE, JSON.stringify(state));
  }

  async #rewrite(days: ReadonlySet<string>): Promise<void> {
    for (const day of days) {
      const lines = [...this.#kept.values()].filter(({ key }) => readKey(key)?.day === day);
      if (lines.length === 0) await this.#folder.remove(`${day}.jsonl`);
      else await this.#folder.replace(`${day}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }
  }

  async #read(): Promise<void> {
    // Newest first, so that the limit drops the oldest.
    for (const name of (await this.#folder.names()).toReversed()) {
      const day = DAY_FILE.exec(name)?.[1];
      if (day === undefined) continue;
      if (this.#kept.size >= this.most) {
        await this.#folder.remove(name).catch(() => {});
        continue;
      }
      for (const value of linesOf((await this.#folder.read(name, DAY_BYTES)) ?? '')) {
        const summary = summaryIn(value, day);
        if (summary) this.#kept.set(summary.key, summary);
      }
    }
    const state = jsonIn((await this.#folder.read(STATE_FILE, STATE_BYTES)) ?? '');
    const [from, at] = ['from', 'at'].map((name) => (isObject(state) ? own(state, name) : undefined));
    // A damaged state is as none: everything is listed again.
    if (typeof from === 'string' && typeof at === 'string' && (from === '' || isDay(from))) this.#state = { from, at };
  }
}

/** Parses the lines of a file: all at once, which takes half the time, or each if one is torn, such as by a crash. */
function linesOf(text: string): readonly unknown[] {
  const all = jsonIn(`[${text.trimEnd().replaceAll('\n', ',')}]`);
  return Array.isArray(all) ? all : text.split('\n').map(jsonIn);
}

/** Returns a summary that we wrote. Others are left out, and their objects are read again. */
function summaryIn(value: unknown, day: string): CachedSummary | undefined {
  const key = isObject(value) ? own(value, 'key') : undefined;
  if (typeof key !== 'string') return undefined;
  const read = readKey(key);
  return read?.day === day && key.startsWith(RECORDINGS) ? (value as unknown as CachedSummary) : undefined;
}
