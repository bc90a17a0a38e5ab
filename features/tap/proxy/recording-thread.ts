import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { OtlpSettings } from '@/proxy/otel/otlp-settings';
import type { UploadSettings } from '@/proxy/recorder/recording-uploads';
import { Gaps, type Missed } from './gaps';
import { RecordingFeed } from './recording-feed';
import type { Passed } from './ring';

/** The facts of a tapped session that its recording needs. */
export interface TapSession {
  readonly version: string;
  /** Folder of recordings. */
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The server's variables. Only their names are recorded; the values tell secrets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of further variables, which make the server send its OpenTelemetry to the tap. */
  readonly telemetry?: readonly string[] | undefined;
  /** Further values that nobody else should see. */
  readonly secrets?: readonly string[] | undefined;
  readonly name?: string | undefined;
  readonly host?: string | undefined;
  /** Identifies the session. */
  readonly session: string;
  /** Its start, from which all times count; ISO 8601. */
  readonly at: string;
  readonly mostBytes: number;
  readonly mostMs: number;
  /** The receiver of its exchanges. */
  readonly otlp?: OtlpSettings | undefined;
  readonly upload?: UploadSettings | undefined;
}

/** The last things to record: what is missing at the end, and events. `time` is in µs since the start. */
export interface LastRecords {
  readonly time: number;
  readonly missed: readonly Missed[];
  readonly events: readonly LifecycleEvent[];
}

/** Bytes of a record at most, so that it is never most of the ring. */
const RECORD_BYTES = 128 * 1024;
const LINE_FEED = 10;
/** The thread's file in the package. */
const WORKER = new URL('./tap-worker.js', import.meta.url);

/** Hands copies of what has passed to the thread that records it. Never throws. */
export class RecordingThread {
  readonly #feed: RecordingFeed<LastRecords>;
  readonly #gaps = new Gaps();

  /** Calls `onFailed` once, with a sentence, when nothing more is recorded. `file`: another one for tests. */
  constructor(session: Omit<TapSession, 'at'>, onFailed: (sentence: string) => void, file = WORKER) {
    this.#feed = new RecordingFeed(session, onFailed, file);
  }

  /** Records a copy of bytes that are to be passed on. Returns a promise for which they should wait. */
  onPassing(stream: Passed, passed: Buffer): Promise<void> | undefined {
    if (this.#feed.isOff) return undefined;
    if (this.#feed.catchUp())
      for (const gap of this.#gaps.take()) this.#feed.put('missed', Buffer.from(JSON.stringify(gap)));
    const chunk = this.#gaps.withoutEnd(stream, passed);
    if (this.#feed.isLate) return void this.#gaps.miss(stream, chunk);
    for (let at = 0; at < chunk.length; at += RECORD_BYTES) {
      const piece = chunk.length <= RECORD_BYTES ? chunk : chunk.subarray(at, at + RECORD_BYTES);
      if (!this.#feed.put(stream, piece)) return void this.#gaps.miss(stream, chunk.subarray(at));
    }
    // The beginning of a line waits only for room, since it can't be recorded before its end.
    const mayPass = this.#feed.keepsUp || (this.#feed.hasRoom && !chunk.includes(LINE_FEED));
    return mayPass ? undefined : this.written();
  }

  /** Resolves as {@link RecordingFeed.written} does. */
  written(): Promise<void> {
    return this.#feed.written();
  }

  logEvent(event: LifecycleEvent): void {
    if (!this.#feed.isOff && !this.#feed.put('event', Buffer.from(JSON.stringify(event)))) this.#gaps.missEvent();
  }

  /** Adds the last events and ends the recording. Resolves when it is written, or after `mostMs`. */
  async end(events: readonly LifecycleEvent[], mostMs: number): Promise<void> {
    await this.#feed.end({ time: this.#feed.now(), missed: this.#gaps.take(), events }, mostMs);
  }
}
