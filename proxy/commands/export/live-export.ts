import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { TapHost } from '@/lib/mcp/log-tap';
import type { SecretSink } from '@/lib/redact/capture-redactor';
import type { Frame } from '@/lib/wire/frame';
import { isFailure } from '@/lib/wire/lifecycle';
import { usageError } from '@/proxy/cli/exit-code';
import { type ExportFeed, ExportThread } from '@/proxy/otel/export-thread';
import { type OtlpSettings, readOtlpSettings } from '@/proxy/otel/otlp-settings';

/** How long the end of a command waits for the receiver, in ms. */
const END_MS = 5000;

/** Reads the value of an option, by default `--otel export`: a URL, or `env`. Throws an ExitError. */
export function otlpSettings(given: string, option?: string): OtlpSettings {
  try {
    return readOtlpSettings(given, process.env, option);
  } catch (error) {
    throw isFailure(error) ? usageError(`${error.message} ${error.advice}`) : error;
  }
}

/** Settings of a {@link LiveExport}. */
export interface LiveExportOptions {
  /** The value of `--otel export`. */
  readonly otlp: string;
  readonly version: string;
  readonly secrets: readonly string[];
  /** The recording. Absent: there is none. */
  readonly recording?: { readonly id: string; readonly path: string } | undefined;
  note(sentence: string): void;
}

/** Exports the traffic of a command. What arrives in one turn of the event loop is handed over at its end. */
export class LiveExport {
  readonly #thread: ExportThread;
  readonly #feed: ExportFeed;
  #waiting: Frame[] = [];
  #frames = 0;

  /** Throws an ExitError. */
  constructor({ otlp, version, secrets, recording, note }: LiveExportOptions) {
    this.#thread = new ExportThread(otlpSettings(otlp), { version, note });
    const seed = recording?.id ?? randomUUID();
    const part = { seed, ...(recording && { recording: seed, file: basename(recording.path) }) };
    this.#feed = this.#thread.begin(part, secrets);
  }

  /** Exports every frame, and passes it to `next`. */
  tap(next: TapHost['append']): TapHost['append'] {
    return (channel, direction, flags, time, source, start, end) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#handOver());
      const seq = ++this.#frames;
      this.#waiting.push({ seq, time, channel, direction, flags, bytes: source.subarray(start, end) });
      return next(channel, direction, flags, time, source, start, end);
    };
  }

  /** Takes further secrets to mask. */
  get secrets(): SecretSink {
    return this.#feed;
  }

  /** Exports the rest. Never rejects. */
  async end(): Promise<void> {
    this.#handOver();
    this.#feed.end();
    await this.#thread.end(END_MS);
  }

  #handOver(): void {
    this.#feed.add(this.#waiting);
    this.#waiting = [];
  }
}
