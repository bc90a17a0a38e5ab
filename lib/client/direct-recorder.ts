import { readBatchHeader } from '@/lib/wire/batch';
import type { Event, RecordingProgress } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';
import type { DirectLink, RecordingListener } from './direct-link';
import type { DoneEvent } from './pending-commands';

/** Writes the recordings: the proxy, or the worker if there is no proxy. */
interface FrameRecorder {
  /** Rejects with a Failure. */
  record(connection: string, key: string, begin: boolean): Promise<DoneEvent>;
  end(connection: string): Promise<unknown>;
  /** Returns false if no socket is open. */
  send(batch: ArrayBuffer): boolean;
  /** Called when a connection is not, or no longer, recorded. */
  onStopped(): void;
}

/** `asked`: the recorder was asked which frames it has. `on`: frames are sent. `off`: not recorded, or no longer. */
type Phase = 'asked' | 'on' | 'off';

/** Failures that need no message: nothing should be recorded. */
const SILENT_FAILURES: ReadonlySet<string> = new Set(['recording-off', 'not-recorded', 'no-recorder']);
/** Failures whose messages are shown without a prefix. */
const COMPLETE_SENTENCES: ReadonlySet<string> = new Set(['recording-failed', 'too-many-recordings']);

const NOTHING: RecordingProgress = { frames: 0, ended: false };

/**
 * Records the page's own connections. It forwards frames from their worker to the recorder, one batch at a time. After
 * a lost socket, it continues where the recording ends.
 */
export class DirectRecorder implements RecordingListener {
  readonly #link: DirectLink;
  readonly #recorder: FrameRecorder;
  readonly #phases = new Map<string, Phase>();
  /** Connections that are recorded to their end. */
  readonly #complete = new Set<string>();
  #open = false;
  /** Number of lost sockets, so that late answers from an old socket are ignored. */
  #turn = 0;
  /** Connection of the batch that waits for its answer. */
  #inFlight: string | undefined;

  constructor(link: DirectLink, recorder: FrameRecorder) {
    this.#link = link;
    this.#recorder = recorder;
    link.recordWith(this);
  }

  /** Returns true for a connection that is recorded, or will be once a socket is open. */
  records(id: string): boolean {
    return this.#phases.get(id) !== 'off';
  }

  /** Called when a socket is open. */
  onOpen(): void {
    this.#open = true;
    for (const id of this.#link.ownConnections()) this.onConnection(id);
  }

  /** Called when the socket is lost. Batches on their way may not have arrived. */
  onDrop(): void {
    this.#open = false;
    this.#turn++;
    for (const [id, phase] of this.#phases) {
      if (phase === 'off') continue;
      this.#phases.delete(id);
      this.#link.pauseRecording(id);
    }
    this.#complete.clear();
    this.#release();
  }

  onConnection(id: string): void {
    if (this.#open && !this.#phases.has(id)) void this.#begin(id);
  }

  onBatch(batch: ArrayBuffer, turn: number): void {
    this.#inFlight = readBatchHeader(batch).connection;
    const isOn = turn === this.#turn && this.#phases.get(this.#inFlight) === 'on';
    if (!isOn || !this.#recorder.send(batch)) this.#release();
  }

  /** Called when the recorder has answered the batch in flight. The event's `connection` may be empty. */
  onBatchRecorded({ failure }: Extract<Event, { type: 'recorded' }>): void {
    if (failure !== undefined && this.#inFlight !== undefined) this.#giveUp(this.#inFlight, failure);
    this.#release();
  }

  onComplete(id: string): void {
    // If the socket is lost now, the recording is ended over the next socket.
    if (this.#phases.get(id) !== 'on') return;
    this.#recorder.end(id).catch(() => {});
    this.#complete.add(id);
    this.#link.recordingComplete(id);
  }

  onForgotten(id: string): boolean {
    return this.records(id) && !this.#complete.has(id);
  }

  async #begin(id: string): Promise<void> {
    const turn = this.#turn;
    this.#phases.set(id, 'asked');
    const { key, begin } = this.#link.recordingOf(id);
    try {
      const { recorded } = await this.#recorder.record(id, key, begin);
      this.#link.decideRecording(key);
      if (turn !== this.#turn) return;
      this.#phases.set(id, 'on');
      this.#link.record(id, recorded ?? NOTHING, turn);
    } catch (error) {
      const { code, message } = error as Failure;
      if (SILENT_FAILURES.has(code)) this.#link.decideRecording(key);
      if (turn !== this.#turn) return;
      const sentence = COMPLETE_SENTENCES.has(code) ? message : `This connection is not recorded: ${message}`;
      this.#giveUp(id, SILENT_FAILURES.has(code) ? undefined : sentence);
    }
  }

  #giveUp(id: string, sentence: string | undefined): void {
    this.#phases.set(id, 'off');
    this.#link.stopRecording(id, sentence);
    this.#recorder.onStopped();
  }

  #release(): void {
    if (this.#inFlight === undefined) return;
    this.#inFlight = undefined;
    this.#link.batchRecorded();
  }
}
