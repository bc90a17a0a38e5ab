import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { FrameLog } from '@/lib/hub/frame-log';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ExportThread, type ExportThreadParts } from './export-thread';
import { LogFollower } from './log-follower';
import type { OtlpSettings } from './otlp-settings';

/** How long the end waits for the receiver, in ms. */
const END_MS = 5000;

/** A live connection, as its export needs it. */
export interface FollowedConnection {
  readonly log: FrameLog;
  /** Learns secrets as the connection goes on. */
  readonly redactor: CaptureRedactor;
  /** Values that the server was given as secrets. */
  readonly secrets: readonly string[];
  /** Absent: it is not recorded. */
  readonly recording?: { readonly id: string; readonly path: string } | undefined;
}

/** Exports the live connections of the page. */
export class PageExport {
  readonly #thread: ExportThread;

  constructor(settings: OtlpSettings, parts: ExportThreadParts) {
    this.#thread = new ExportThread(settings, parts);
  }

  /** Exports a log from its first frame on. */
  follow({ log, redactor, secrets, recording }: FollowedConnection): LogFollower {
    const seed = recording?.id ?? randomUUID();
    const part = { seed, ...(recording && { recording: seed, file: basename(recording.path) }) };
    const feed = this.#thread.begin(part, secrets);
    redactor.tell(feed);
    return new LogFollower(log, this.#thread, feed);
  }

  /** Exports the rest, for some seconds. Never rejects. */
  async end(): Promise<void> {
    await this.#thread.end(END_MS);
  }
}
