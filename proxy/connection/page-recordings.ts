import type { Viewer } from '@/lib/hub/viewer';
import { ConnectionError } from '@/lib/transports/transport';
import { type BatchHeader, readUntrustedBatch } from '@/lib/wire/batch';
import type { Clock } from '@/lib/wire/clock';
import type { Command, RecordingProgress } from '@/lib/wire/command';
import { LIMITS } from '@/lib/wire/limits';
import { PageRecording } from '../recorder/page-recording';
import type { Recorder } from '../recorder/recorder';

export const PAGE_RECORDING_AWAY_MS = 30_000;

/** A recording and who sends to it. */
interface Kept {
  readonly recording: PageRecording;
  /** One batch after the other. */
  working: Promise<void>;
  /** Whose frames are taken, and as which connection; undefined: the page is away. */
  sender: { readonly viewer: Viewer; readonly connection: string } | undefined;
  /** Calls off the end that comes when the page stays away. */
  stay: (() => void) | undefined;
}

/** The recordings of connections that pages make themselves, of this run: a file each, whatever page sends to it by its key. */
export class PageRecordings {
  readonly #recorder: Recorder | undefined;
  readonly #clock: Clock;
  /** By key, oldest first. */
  readonly #kept = new Map<string, Kept>();

  /** Without a recorder nothing is recorded. */
  constructor(recorder: Recorder | undefined, clock: Clock) {
    this.#recorder = recorder;
    this.#clock = clock;
  }

  /**
   * From now on takes what this viewer sends of a connection; of the last that sent to it nothing more. Resolves with what is there
   * once all that came before is. Rejects with a ConnectionError: `recording-off`, `not-recorded`, `recording-failed`,
   * `too-many-recordings`.
   */
  async record(
    viewer: Viewer,
    { connection, key, begin }: Extract<Command, { type: 'record' }>,
  ): Promise<RecordingProgress> {
    if (!this.#recorder) throw new ConnectionError(OFF);
    const kept = this.#kept.get(key) ?? (begin ? this.#add(key, this.#recorder) : undefined);
    if (!kept) throw new ConnectionError(NOT_RECORDED);
    const { recording } = kept;
    this.#leave(viewer, connection);
    kept.stay?.();
    kept.sender = { viewer, connection };
    await kept.working;
    const { failure } = recording;
    if (failure !== undefined) throw new ConnectionError({ code: 'recording-failed', message: failure, advice: '' });
    recording.resume();
    return recording.progress;
  }

  /** The connection has ended, and all of it is here. Throws ConnectionError `not-recorded`. */
  async end(viewer: Viewer, connection: string): Promise<void> {
    const kept = this.#find(viewer, connection);
    if (!kept) throw new ConnectionError(NOT_RECORDED);
    await kept.working;
    kept.recording.end();
  }

  /** Takes a binary message of a viewer's, and answers it whatever it is. False for what is no batch of a connection that it has recorded. */
  addBatch(viewer: Viewer, message: ArrayBuffer): boolean {
    const header = readUntrustedBatch(message);
    const kept = header && this.#find(viewer, header.connection);
    if (kept) kept.working = kept.working.then(() => this.#write(viewer, kept, message, header));
    // Whoever sends batches waits for their answer, and for nothing else.
    else
      viewer.sendEvent({ type: 'recorded', connection: header?.connection ?? '', failure: header ? LEFT : NO_BATCH });
    return kept !== undefined;
  }

  /** The page is gone, or loaded again: it has a while to come back. */
  viewerLeft(viewer: Viewer): void {
    for (const kept of this.#kept.values()) {
      if (kept.sender?.viewer === viewer) this.#awaitSender(kept);
    }
  }

  async #write(viewer: Viewer, { recording }: Kept, message: ArrayBuffer, header: BatchHeader): Promise<void> {
    await recording.addBatch(message, header);
    const { failure } = recording;
    viewer.sendEvent({ type: 'recorded', connection: header.connection, ...(failure !== undefined && { failure }) });
  }

  /** What it sends under this name belongs to one recording. */
  #leave(viewer: Viewer, connection: string): void {
    const before = this.#find(viewer, connection);
    if (before) this.#awaitSender(before);
  }

  #awaitSender(kept: Kept): void {
    kept.sender = undefined;
    kept.stay?.();
    kept.stay = this.#clock.after(PAGE_RECORDING_AWAY_MS, () => kept.recording.abandon());
  }

  #find(viewer: Viewer, connection: string): Kept | undefined {
    for (const kept of this.#kept.values()) {
      if (kept.sender?.viewer === viewer && kept.sender.connection === connection) return kept;
    }
    return undefined;
  }

  #add(key: string, recorder: Recorder): Kept {
    if (this.#kept.size >= LIMITS.pageRecordings) this.#forgetOne();
    const kept = {
      recording: new PageRecording(recorder),
      working: Promise.resolve(),
      sender: undefined,
      stay: undefined,
    };
    this.#kept.set(key, kept);
    return kept;
  }

  /** The oldest that is over. */
  #forgetOne(): void {
    for (const [key, { recording }] of this.#kept) {
      if (recording.isOver) return void this.#kept.delete(key);
    }
    throw new ConnectionError(TOO_MANY);
  }

  /** The connections go on in their pages, without us. */
  close(): void {
    for (const { recording, stay } of this.#kept.values()) {
      stay?.();
      recording.abandon();
    }
  }
}

const LEFT = 'This mcp-inspect records nothing more of that connection from this page.';
const NO_BATCH = 'What the page sent is no part of a connection’s log, so it is not recorded.';

const OFF = {
  code: 'recording-off',
  message: 'This mcp-inspect records nothing.',
  advice: 'Start it without `--no-record`.',
};

const NOT_RECORDED = {
  code: 'not-recorded',
  message: 'This mcp-inspect has no recording of that connection.',
  advice: 'Connect again: what is connected now is recorded.',
};

const TOO_MANY = {
  code: 'too-many-recordings',
  message: `Of pages’ own connections, ${LIMITS.pageRecordings} are recorded at a time, so this one is not.`,
  advice: 'Close pages or disconnect servers.',
};
