import { readBatchHeader } from '@/lib/wire/batch';
import type { Event, RecordingProgress } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';
import type { DirectLink, RecordingListener } from './direct-link';
import type { DoneEvent } from './pending-commands';

/** The way to who writes recordings. */
export interface RecordingProxy {
  /** Rejects with a Failure. */
  record(connection: string, key: string, begin: boolean): Promise<DoneEvent>;
  end(connection: string): Promise<unknown>;
  /** False if there is no open socket. */
  send(batch: ArrayBuffer): boolean;
  /** A connection is not recorded, or not any more. */
  stopped(): void;
}

/**
 * `asked`: the proxy is to say what it has. `on`: its frames go there. `off`: it is not recorded, or not any more.
 */
type Phase = 'asked' | 'on' | 'off';

/** Nothing was to be recorded. Of all else a person has to know: what was to be recorded is not. */
const SILENT_FAILURES: ReadonlySet<string> = new Set(['recording-off', 'not-recorded', 'no-recorder']);
/** Failures that say as much themselves. */
const COMPLETE_SENTENCES: ReadonlySet<string> = new Set(['recording-failed', 'too-many-recordings']);

const NOTHING: RecordingProgress = { frames: 0, ended: false };

/**
 * Has the proxy record what the page itself connects: hands on what the worker makes of each log, a batch at a time, over whatever
 * socket there is. A socket that is lost costs nothing: the next one goes on where the file ends.
 */
export class DirectRecorder implements RecordingListener {
  readonly #link: DirectLink;
  readonly #proxy: RecordingProxy;
  readonly #phases = new Map<string, Phase>();
  /** Those that are recorded to their end. */
  readonly #over = new Set<string>();
  #open = false;
  /** Goes up with each socket, so that nothing is taken for an answer on another one. */
  #turn = 0;
  /** Of which connection a batch is on its way, while the worker waits. */
  #out: string | undefined;

  constructor(link: DirectLink, proxy: RecordingProxy) {
    this.#link = link;
    this.#proxy = proxy;
    link.recordWith(this);
  }

  /** True for a connection of the page's that is recorded, or will be once there is a socket. */
  records(id: string): boolean {
    return this.#phases.get(id) !== 'off';
  }

  /** There is a socket. */
  onOpen(): void {
    this.#open = true;
    for (const id of this.#link.ownConnections()) this.onConnection(id);
  }

  /** The socket is gone, and what was on its way may not have arrived. */
  onDrop(): void {
    this.#open = false;
    this.#turn++;
    for (const [id, phase] of this.#phases) {
      if (phase === 'off') continue;
      this.#phases.delete(id);
      this.#link.pauseRecording(id);
    }
    this.#over.clear();
    this.#release();
  }

  onConnection(id: string): void {
    if (this.#open && !this.#phases.has(id)) void this.#begin(id);
  }

  onBatch(batch: ArrayBuffer, turn: number): void {
    this.#out = readBatchHeader(batch).connection;
    const isOn = turn === this.#turn && this.#phases.get(this.#out) === 'on';
    if (!isOn || !this.#proxy.send(batch)) this.#release();
  }

  /** The proxy has answered the batch that is on its way, even if it can not tell whose it is. */
  onBatchRecorded({ failure }: Extract<Event, { type: 'recorded' }>): void {
    if (failure !== undefined && this.#out !== undefined) this.#giveUp(this.#out, failure);
    this.#release();
  }

  onComplete(id: string): void {
    // Of a socket that is lost meanwhile the next one ends it.
    if (this.#phases.get(id) !== 'on') return;
    this.#proxy.end(id).catch(() => {});
    this.#over.add(id);
    this.#link.recordingComplete(id);
  }

  onForgotten(id: string): boolean {
    return this.records(id) && !this.#over.has(id);
  }

  async #begin(id: string): Promise<void> {
    const turn = this.#turn;
    this.#phases.set(id, 'asked');
    const { key, begin } = this.#link.recordingOf(id);
    try {
      const { recorded } = await this.#proxy.record(id, key, begin);
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
    this.#proxy.stopped();
  }

  #release(): void {
    if (this.#out === undefined) return;
    this.#out = undefined;
    this.#link.batchRecorded();
  }
}
