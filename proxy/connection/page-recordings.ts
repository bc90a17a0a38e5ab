import { notRecorded } from '@/lib/hub/hub';
import type { Viewer } from '@/lib/hub/viewer';
import { ConnectionError } from '@/lib/transports/transport';
import { type BatchHeader, readUntrustedBatch } from '@/lib/wire/batch';
import type { Clock } from '@/lib/wire/clock';
import type { Command, RecordingProgress } from '@/lib/wire/command';
import { LIMITS } from '@/lib/wire/limits';
import { PageRecording } from '../recorder/page-recording';
import type { Recorder } from '../recorder/recorder';

/** How long the recording of a page that left stays open, in ms: a reload takes a few seconds. */
export const PAGE_RECORDING_AWAY_MS = 30_000;

/** A recording and the page that sends to it. */
interface PageRecordingState {
  readonly recording: PageRecording;
  /** Resolves when the last batch has been written. */
  writing: Promise<void>;
  /** The page that sends frames, and its connection; undefined while the page is away. */
  sender: { readonly viewer: Viewer; readonly connection: string } | undefined;
  /** Cancels the end of a recording whose page stays away. */
  cancelAbandon: (() => void) | undefined;
}

/** Recordings of pages' own connections in this run: one file for each key, whichever page sends to it. */
export class PageRecordings {
  readonly #recorder: Recorder | undefined;
  readonly #clock: Clock;
  /** By key, oldest first. */
  readonly #kept = new Map<string, PageRecordingState>();

  /** Without a recorder nothing is recorded. */
  constructor(recorder: Recorder | undefined, clock: Clock) {
    this.#recorder = recorder;
    this.#clock = clock;
  }

  /**
   * From now on, records the frames of a connection that this viewer sends, and no longer those of the previous
   * sender. Waits until earlier batches are written, then resolves with what the recording has. Rejects with a
   * ConnectionError: `recording-off`, `not-recorded`, `recording-failed`, `too-many-recordings`.
   */
  async record(
    viewer: Viewer,
    { connection, key, begin }: Extract<Command, { type: 'record' }>,
  ): Promise<RecordingProgress> {
    if (!this.#recorder) throw new ConnectionError(OFF);
    const kept = this.#kept.get(key) ?? (begin ? this.#add(key, this.#recorder) : undefined);
    if (!kept) throw new ConnectionError(NOT_RECORDED);
    const { recording } = kept;
    this.#endEarlier(viewer, connection);
    kept.cancelAbandon?.();
    kept.sender = { viewer, connection };
    await kept.writing;
    const { failure } = recording;
    if (failure !== undefined) throw new ConnectionError({ code: 'recording-failed', message: failure, advice: '' });
    recording.resume();
    return recording.progress;
  }

  /** Ends the recording of a connection that has ended. Throws ConnectionError `not-recorded`. */
  async end(viewer: Viewer, connection: string): Promise<void> {
    const kept = this.#find(viewer, connection);
    if (!kept) throw new ConnectionError(NOT_RECORDED);
    // Batches that come meanwhile wait for the end.
    kept.writing = kept.writing.then(() => kept.recording.end());
    await kept.writing;
  }

  /**
   * Records a viewer's binary message and always answers it. Returns false if it is not a batch of a recorded
   * connection.
   */
  addBatch(viewer: Viewer, message: ArrayBuffer): boolean {
    const header = readUntrustedBatch(message);
    const kept = header && this.#find(viewer, header.connection);
    if (kept) kept.writing = kept.writing.then(() => this.#write(viewer, kept, message, header));
    // The sender waits for an answer to each batch.
    else
      viewer.sendEvent({
        type: 'recorded',
        connection: header?.connection ?? '',
        failure: header ? NO_LONGER_RECORDED : NO_BATCH,
      });
    return kept !== undefined;
  }

  /** Keeps the recordings of a page that left open for a while: it may only be reloading. */
  viewerLeft(viewer: Viewer): void {
    for (const kept of this.#kept.values()) {
      if (kept.sender?.viewer === viewer) this.#abandonLater(kept);
    }
  }

  async #write(
    viewer: Viewer,
    { recording }: PageRecordingState,
    message: ArrayBuffer,
    header: BatchHeader,
  ): Promise<void> {
    await recording.addBatch(message, header);
    const { failure } = recording;
    viewer.sendEvent({ type: 'recorded', connection: header.connection, ...(failure !== undefined && { failure }) });
  }

  /** Ends the viewer's earlier recording under the same connection id. */
  #endEarlier(viewer: Viewer, connection: string): void {
    const before = this.#find(viewer, connection);
    if (before) this.#abandonLater(before);
  }

  #abandonLater(kept: PageRecordingState): void {
    kept.sender = undefined;
    kept.cancelAbandon?.();
    kept.cancelAbandon = this.#clock.after(PAGE_RECORDING_AWAY_MS, () => kept.recording.abandon());
  }

  #find(viewer: Viewer, connection: string): PageRecordingState | undefined {
    for (const kept of this.#kept.values()) {
      if (kept.sender?.viewer === viewer && kept.sender.connection === connection) return kept;
    }
    return undefined;
  }

  #add(key: string, recorder: Recorder): PageRecordingState {
    if (this.#kept.size >= LIMITS.pageRecordings) this.#forgetOne();
    const kept = {
      recording: new PageRecording(recorder),
      writing: Promise.resolve(),
      sender: undefined,
      cancelAbandon: undefined,
    };
    this.#kept.set(key, kept);
    return kept;
  }

  /** Forgets the oldest finished recording. */
  #forgetOne(): void {
    for (const [key, { recording }] of this.#kept) {
      if (recording.isOver) return void this.#kept.delete(key);
    }
    throw new ConnectionError(TOO_MANY);
  }

  /** Stops writing. The connections go on in their pages. */
  close(): void {
    for (const { recording, cancelAbandon } of this.#kept.values()) {
      cancelAbandon?.();
      recording.abandon();
    }
  }
}

const NO_LONGER_RECORDED = 'mcp-inspect no longer records that connection from this page.';
const NO_BATCH = 'The page sent frames that are not part of a connection’s log, so they are not recorded.';

const OFF = {
  code: 'recording-off',
  message: 'Recording is off in this mcp-inspect.',
  advice: 'Start it without `--record off`.',
};

const NOT_RECORDED = notRecorded('This mcp-inspect');

const TOO_MANY = {
  code: 'too-many-recordings',
  message: `This connection is not recorded, because ${LIMITS.pageRecordings} connections of pages are recorded already.`,
  advice: 'Close pages or disconnect servers.',
};
