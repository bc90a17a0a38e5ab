import { notRecorded } from '@/lib/hub/hub';
import { joinBytes } from '@/lib/json/typed-arrays';
import { encodeFrame, encodeHeaderOrEnd, FrameEncoder } from '@/lib/recording/encode-lines';
import { RECORDING_GONE } from '@/lib/recording/errors';
import { RECORDING_VERSION, type RecordingHeader } from '@/lib/recording/format';
import { isNote, lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { DAY_MS, recordingsToDelete } from '@/lib/recording/retention';
import { CAPTURE_POLICY } from '@/lib/redact/capture-redactor';
import { ConnectionError } from '@/lib/transports/transport';
import type { RecordingAbout, RecordingEntry, RecordingsReply } from '@/lib/wire/api';
import { BatchReader, readUntrustedBatch } from '@/lib/wire/batch';
import { readProfile } from '@/lib/wire/client-profile';
import type { RecordingProgress } from '@/lib/wire/command';
import { formatBytes } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingDatabase, StoredRecording } from './browser-databases';

/** Bytes of all recordings in the browser: a small part of what browsers let a page store. */
export const BROWSER_KEPT_BYTES = 256_000_000;

const KEPT = { days: LIMITS.recordingsKeptMs / DAY_MS, bytes: BROWSER_KEPT_BYTES };

/** The worker's services for the recordings. */
interface BrowserRecordingsDeps {
  /** Version of mcp-inspect. */
  readonly version: string;
  /** Rejects if the browser stores nothing. */
  openDatabase(): Promise<RecordingDatabase>;
  /** Returns ms since 1970. */
  now(): number;
  /** Returns random bytes as hex digits. */
  random(bytes: number): string;
  /** Marks a recording for other tabs as being written, until the returned function is called or this tab is closed. */
  holdWriteLock(id: string): () => void;
  /** Returns the ids of the recordings that some tab writes. */
  writeLocks(): Promise<ReadonlySet<string>>;
}

/** A recording that this tab writes. */
interface Written {
  readonly reader: BatchReader;
  readonly key: string;
  /** seq of the next frame in the page's log. */
  next: number;
  /** undefined until its first frame arrives. */
  stored: StoredRecording | undefined;
  lines(n: number, frame: Frame): readonly Uint8Array[];
  release: () => void;
}

/**
 * Recordings of a page's own connections, for pages without a proxy: the same lines as in a file, in the browser's
 * database. Old recordings are deleted, and the oldest ones when space runs out, but never those with a name or notes.
 */
export class BrowserRecordings {
  readonly #deps: BrowserRecordingsDeps;
  readonly #written = new Map<string, Written>();
  #database: Promise<RecordingDatabase> | undefined;
  #working: Promise<unknown> = Promise.resolve();

  constructor(deps: BrowserRecordingsDeps) {
    this.#deps = deps;
  }

  /** Records a connection from now on. Resolves with how much is recorded already. Rejects with a ConnectionError. */
  record(connection: string, key: string, begin: boolean): Promise<RecordingProgress> {
    return this.#inTurn(async () => {
      const database = await this.#open();
      const stored = (await database.all()).find((one) => one.key === key);
      if (!stored && !begin) throw new ConnectionError(NOT_RECORDED);
      this.#written.get(connection)?.release();
      const encoder = new FrameEncoder();
      this.#written.set(connection, {
        key,
        stored,
        next: (stored?.frames ?? 0) + 1,
        reader: new BatchReader(),
        // After a reload, the names of earlier blobs are unknown, so frames are written whole.
        lines: (n, frame) => (stored ? [encodeFrame(n, frame)] : encoder.encodeLines(n, frame)),
        release: stored ? this.#deps.holdWriteLock(stored.id) : () => {},
      });
      return { frames: stored?.frames ?? 0, ended: stored?.ended ?? false };
    });
  }

  /**
   * Adds a batch. Resolves with its connection ('' if it is not a batch), and with a sentence if recording has failed.
   * `serverOf` returns the server's own name. Never rejects.
   */
  addBatch(
    batch: ArrayBuffer,
    serverOf: (connection: string) => string | undefined = () => undefined,
  ): Promise<{ readonly connection: string; readonly failure?: string }> {
    const { connection, first } = readUntrustedBatch(batch) ?? { connection: '', first: 0 };
    return this.#inTurn(async () => {
      const written = this.#written.get(connection);
      try {
        if (!written) throw new Error('this connection is not being recorded');
        if (first !== written.next) throw new Error('frames are missing, or came twice');
        const { frames } = written.reader.read(batch);
        if (frames.length > 0) await this.#write(written, frames, serverOf(connection));
        written.next += frames.length;
        return { connection };
      } catch (error) {
        written?.release();
        this.#written.delete(connection);
        return { connection, failure: `The browser stopped recording this connection: ${reason(error)}.` };
      }
    });
  }

  /** Marks a recording as complete: its connection has ended. */
  end(connection: string): Promise<void> {
    return this.#inTurn(async () => {
      const written = this.#written.get(connection);
      if (!written?.stored) throw new ConnectionError(NOT_RECORDED);
      written.stored = { ...(await this.#get(written.stored.id)), ended: true };
      await (await this.#open()).put(written.stored, undefined);
      written.release();
    });
  }

  /** Lists all recordings, newest first. Rejects with a ConnectionError. */
  async list(): Promise<RecordingsReply> {
    const [stored, held] = await Promise.all([
      this.#open().then((database) => database.all()),
      this.#deps.writeLocks(),
    ]);
    const recordings = stored.map((one) => entryOf(one, held)).sort((a, b) => (a.at < b.at ? 1 : -1));
    return { folder: '', keep: KEPT, recordings };
  }

  /** Returns the file of a recording. Rejects with a ConnectionError `no-recording`. */
  async read(id: string): Promise<Blob> {
    const database = await this.#open();
    const { header, frames, notes, time, ended, about, chunks } = await this.#get(id);
    const parts: BlobPart[] = [encodeHeaderOrEnd(header) as Uint8Array<ArrayBuffer>];
    for (let from = 0; from < chunks; ) {
      const portions = await database.read(id, from);
      if (portions.length === 0) break;
      parts.push(new Blob([...portions]));
      from += portions.length;
    }
    const said = { ...(notes > 0 && { notes }), ...(about && { about }) };
    if (ended) parts.push(encodeHeaderOrEnd({ k: 'end', t: time, frames, ...said }) as Uint8Array<ArrayBuffer>);
    return new Blob(parts);
  }

  /** Rejects with a ConnectionError: `no-recording`, or `still-recorded` while a tab writes it. */
  async remove(id: string): Promise<void> {
    await this.#get(id);
    if ((await this.#deps.writeLocks()).has(id)) throw new ConnectionError(STILL_RECORDED);
    await (await this.#open()).remove(id);
  }

  /** Adds a frame with the recording's name and description. Rejects with a ConnectionError. */
  describe(id: string, { name, text }: RecordingAbout): Promise<void> {
    return this.#inTurn(async () => {
      const stored = await this.#get(id);
      if ((await this.#deps.writeLocks()).has(id)) throw new ConnectionError(STILL_RECORDED);
      const event: LifecycleEvent = { event: 'about', name, text };
      const bytes = new TextEncoder().encode(JSON.stringify(event));
      const [n, time] = [stored.frames + 1, stored.time];
      const frame = { time, channel: 'lifecycle', direction: 'to-client', flags: 0, bytes } as const;
      await this.#add(
        { ...stored, about: { name, text }, frames: n, notes: stored.notes + 1 },
        encodeFrame(n, frame),
        false,
      );
    });
  }

  async #write(written: Written, frames: readonly Frame[], server: string | undefined): Promise<void> {
    const isNew = written.stored === undefined;
    // Another tab may have described the recording. A recording that another tab has deleted stays deleted, since
    // `isNew` is not set.
    const before = written.stored
      ? ((await this.#find(written.stored.id)) ?? written.stored)
      : this.#begin(written.key, frames[0]!);
    let { frames: n, time } = before;
    const lines = frames.flatMap((frame) => {
      time = Math.max(time, frame.time);
      return written.lines(++n, { ...frame, time });
    });
    const notes = before.notes + frames.filter(isNote).length;
    const after = { ...before, frames: n, notes, time, ...(server !== undefined && { server }) };
    written.stored = await this.#add(after, joinBytes(lines), isNew);
    if (isNew) written.release = this.#deps.holdWriteLock(written.stored.id);
  }

  async #add(stored: StoredRecording, lines: Uint8Array, isNew: boolean): Promise<StoredRecording> {
    const database = await this.#open();
    await this.#makeRoom(database, stored, lines.length);
    const { chunks, bytes } = stored;
    const after = { ...stored, chunks: chunks + 1, bytes: bytes + lines.length, changedAt: this.#deps.now() };
    await database.put(after, lines as Uint8Array<ArrayBuffer>, isNew);
    return after;
  }

  /** Deletes recordings that are too old or exceed the space. Never deletes those being written or with notes. */
  async #makeRoom(database: RecordingDatabase, own: StoredRecording, more: number): Promise<void> {
    const held = await this.#deps.writeLocks();
    const others = (await database.all()).filter(({ id }) => id !== own.id);
    const isDeletable = (one: StoredRecording) => one.notes === 0 && !held.has(one.id);
    const staying = others.filter((one) => !isDeletable(one)).reduce((sum, { bytes }) => sum + bytes, 0);
    const keep = { ...KEPT, bytes: KEPT.bytes - staying };
    const bytes = own.bytes + more;
    if (bytes > keep.bytes) throw new Error(`the limit is ${formatBytes(KEPT.bytes)}`);
    const deletable = [{ ...own, bytes, changedAt: Number.POSITIVE_INFINITY }, ...others.filter(isDeletable)];
    for (const { one } of recordingsToDelete(deletable, keep, this.#deps.now())) await database.remove(one.id);
  }

  #begin(key: string, first: Frame): StoredRecording {
    const start = first.channel === 'lifecycle' ? lifecycleEventOf(first.bytes) : undefined;
    if (start?.event !== 'start') throw new Error('its log has no start');
    const { transport } = start;
    const { as } = readProfile(start);
    const [name, at] = [start.name.slice(0, LIMITS.recordingNameChars), new Date(start.at).toISOString()];
    const header: RecordingHeader = {
      mcpr: RECORDING_VERSION,
      id: this.#deps.random(16),
      at,
      by: `mcp-inspect/${this.#deps.version}`,
      mode: 'client',
      ...(as !== undefined && { as }),
      name,
      transport,
      redaction: { policy: CAPTURE_POLICY },
    };
    const id = `${at.replace(/\.\d+|[-:]/g, '')}-${slug(name)}-${this.#deps.random(4)}.mcpr.jsonl`;
    return { id, key, header, changedAt: 0, chunks: 0, bytes: 0, frames: 0, notes: 0, time: 0, ended: false };
  }

  async #find(id: string): Promise<StoredRecording | undefined> {
    return (await (await this.#open()).all()).find((one) => one.id === id);
  }

  async #get(id: string): Promise<StoredRecording> {
    const found = await this.#find(id);
    if (!found) throw new ConnectionError(RECORDING_GONE);
    return found;
  }

  async #open(): Promise<RecordingDatabase> {
    this.#database ??= this.#deps.openDatabase();
    return this.#database.catch(() => {
      this.#database = undefined;
      throw new ConnectionError(KEEPS_NOTHING);
    });
  }

  /** Runs one action after the other, since each depends on the result of the last. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#working.then(act);
    this.#working = turn.catch(() => {});
    return turn;
  }
}

function entryOf(stored: StoredRecording, held: ReadonlySet<string>): RecordingEntry {
  const { id, header, bytes, frames, notes, time, ended, server, about } = stored;
  const live = held.has(id);
  return {
    id,
    name: header.name,
    at: header.at,
    bytes,
    frames: frames - notes,
    durationUs: time,
    live,
    incomplete: !ended && !live,
    ...(server !== undefined && { server }),
    ...(about && { about }),
    ...(notes > 0 && { stays: true }),
  };
}

function slug(name: string): string {
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.slice(0, 40).replace(/^-+|-+$/g, '') || 'server';
}

function reason(error: unknown): string {
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'its disk space is used up';
  return error instanceof Error ? error.message : String(error);
}

const NOT_RECORDED = notRecorded('This browser');

const STILL_RECORDED = {
  code: 'still-recorded',
  message: 'A tab is still writing this recording.',
  advice: 'Disconnect in that tab, or close it.',
};

const KEEPS_NOTHING = {
  code: 'recording-failed',
  message: 'The browser does not store data for this page, so nothing is recorded.',
  advice: 'Allow the page to store data, or share the log as a file.',
};
