import { basename, join } from 'node:path';
import { makeReport } from '@/features/team/lib/summary/questions/report';
import type { ReportReply, ReportRequest } from '@/features/team/lib/summary/report-api';
import { readBucketSummaries } from '@/features/team/proxy/bucket/bucket-summaries';
import { openStore } from '@/features/team/proxy/bucket/open-store';
import { NO_BUCKET } from '@/features/team/proxy/bucket/store-error';
import { recordingsIn, type SummariesProgress, summariesOf } from '@/features/team/proxy/summaries/summary-cache';
import { ConnectionError } from '@/lib/transports/transport';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { linkedFolder } from '@/proxy/files/data-folder';
import type { PageBucket } from '../page-buckets';
import { incompleteNotes, missingNotes, type ReportSource, unfinishedNotes } from './sources';

/** Milliseconds that a request waits for the report. Then it says how far it is, and the page asks again. */
const WAIT_MS = 400;
/** Milliseconds of rules that hang, in which the page's process answers nobody. */
const HANG_MS = 500;
const DAY_MS = 24 * 60 * 60_000;

/** Summaries that are being read. */
interface Reading {
  readonly key: string;
  readonly source: Promise<ReportSource>;
  readonly stop: AbortController;
  progress: SummariesProgress;
}

/** Answers the page's questions. Reads summaries once, whichever page asks, and goes on while nobody asks. */
export class PageReport {
  readonly #folder: string;
  readonly #version: string;
  readonly #bucket: PageBucket;
  readonly #waitMs: number;
  #reading: Reading | undefined;

  /** `folder`: the recordings folder. `bucket`: the one that the command line named. */
  constructor(folder: string, version: string, bucket: PageBucket, waitMs = WAIT_MS) {
    this.#waitMs = waitMs;
    this.#folder = folder;
    this.#version = version;
    this.#bucket = bucket;
  }

  /** Returns the report, or how far it is. Rejects with a Failure. */
  async run({ bucket, days, compare }: ReportRequest): Promise<ReportReply> {
    const since = days === 0 ? undefined : Date.now() - days * DAY_MS;
    const reading = this.#readingOf(JSON.stringify([bucket, days]), bucket, since);
    const source = await Promise.race([reading.source, wait(this.#waitMs)]);
    if (!source) return { progress: reading.progress };
    const recordings = source.recordings.filter(
      ({ summary: { at } }) => since === undefined || Date.parse(at) >= since,
    );
    return {
      report: makeReport(recordings, compare && { compare }),
      notes: [...source.notes, ...incompleteNotes(recordings)],
    };
  }

  close(): void {
    this.#reading?.stop.abort();
  }

  #readingOf(key: string, bucket: boolean, since: number | undefined): Reading {
    if (this.#reading?.key === key) return this.#reading;
    this.close();
    const stop = new AbortController();
    const onProgress = (progress: SummariesProgress) => {
      reading.progress = progress;
    };
    const source = bucket ? this.#readBucket(since, onProgress, stop.signal) : this.#readLocal(onProgress, stop.signal);
    const reading: Reading = { key, source, stop, progress: { done: 0, of: 0 } };
    this.#reading = reading;
    // The next request looks for new recordings.
    const forget = () => {
      if (this.#reading === reading) this.#reading = undefined;
    };
    source.then(forget, forget);
    return reading;
  }

  async #readLocal(onProgress: (progress: SummariesProgress) => void, signal: AbortSignal): Promise<ReportSource> {
    const linked = linkedFolder(this.#folder);
    if (linked) throw new ConnectionError(linked);
    const { paths, unfinished } = await recordingsIn(this.#folder);
    const { summaries, failed } = await summariesOf(paths, this.#folder, {
      version: this.#version,
      within: (ms, work) => runWithin(Math.min(ms, HANG_MS), work),
      onProgress,
      signal,
    });
    return {
      recordings: summaries.map(({ path, summary }) => ({ place: basename(path), summary })),
      notes: [
        ...unfinishedNotes(unfinished),
        ...missingNotes(failed.map(({ path, reason }) => ({ path: basename(path), reason }))),
      ],
    };
  }

  async #readBucket(
    since: number | undefined,
    onProgress: (progress: SummariesProgress) => void,
    signal: AbortSignal,
  ): Promise<ReportSource> {
    const { url, options } = this.#bucket;
    if (url === undefined) throw new ConnectionError(NO_BUCKET);
    const opened = await openStore(url, { version: this.#version, env: process.env, ...options });
    try {
      const { summaries } = await readBucketSummaries(opened, join(this.#folder, '..'), {
        since: since === undefined ? '' : new Date(since).toISOString().slice(0, 10),
        onProgress,
        signal,
      });
      return { recordings: summaries.map(({ key, summary }) => ({ place: key, summary })), notes: [] };
    } finally {
      opened.store.close();
    }
  }
}

function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref());
}
