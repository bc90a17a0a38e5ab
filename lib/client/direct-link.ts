import { OPENING_CANCELLED } from '@/lib/recording/opening-cancelled';
import { ConnectionError } from '@/lib/transports/transport';
import type { Command, ConnectionSummary, Event, RecordingProgress, UrlTarget } from '@/lib/wire/command';
import { canSend, type Failure } from '@/lib/wire/lifecycle';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import type { KeptRecordingsRequest, PageToWorker, TabKey, WorkerReply, WorkerToPage } from '@/lib/wire/worker-message';
import { type DoneEvent, PendingCommands } from './pending-commands';
import { type DecidedRecordings, randomText } from './tab-storage';

/** A command that the worker or proxy answers with an event. */
export type RefCommand = Exclude<Command, { readonly type: 'attach' }>;

/** The used part of a Worker. */
export interface LinkWorker {
  onmessage: ((message: { data: WorkerToPage }) => void) | null;
  onerror: (() => void) | null;
  postMessage(message: PageToWorker, transfer?: Transferable[]): void;
}

interface DirectDeps {
  /** Starts the worker. */
  spawn(): LinkWorker;
  /** Returns the tab's key, and makes one if there is none. */
  tabKey(): TabKey | undefined;
  /** Returns true if this tab may have kept logs, which the worker then has to restore. */
  mayHaveKept(): boolean;
  /** Keys of recordings that have begun or were refused, kept for the lifetime of the tab. */
  readonly decided: Pick<DecidedRecordings, 'has' | 'add'>;
}

/** Gets the frames of the page's own connections, to record them. */
export interface RecordingListener {
  /** Called when the page has a connection. */
  onConnection(connection: string): void;
  /**
   * Called with frames to record, and with the `turn` of the `record` call that requested them. Call `batchRecorded`
   * for each batch.
   */
  onBatch(batch: ArrayBuffer, turn: number): void;
  /** Called when a connection has ended and all of its frames were handed over. */
  onComplete(connection: string): void;
  /** Called when a connection was forgotten. Returns true if it is not fully recorded yet. */
  onForgotten(connection: string): boolean;
}

/** Listens to a {@link DirectLink}. */
interface DirectListener {
  onEvent(event: Event): void;
  /** Called with a batch of frames (wire/batch). All listeners read the same buffer, so don't transfer it. */
  onBatch(message: ArrayBuffer): void;
}

/** A file, or the URL of one that a person agreed to. */
export type FileToOpen = File | { readonly name: string; readonly url: string };

/** How to open a file. */
export interface OpenOptions {
  readonly signal?: AbortSignal;
  readonly onOpening?: (progress: ReadingProgress) => void;
}

const WORKER_FAILED: Failure = {
  code: 'worker-failed',
  message: 'The worker for direct connections did not start.',
  advice: 'Reload the page. If that does not help, check that its host serves /direct/worker.js as JavaScript.',
};

/**
 * The page's own connections, in a worker that runs the same commands as the proxy. The first direct connection starts
 * the worker. So does a log that was kept over a reload.
 */
export class DirectLink {
  readonly #deps: DirectDeps;
  readonly #pending = new PendingCommands();
  readonly #listeners = new Set<DirectListener>();
  readonly #summaries = new Map<string, ConnectionSummary>();
  /** Forgotten connections that are not fully recorded yet. */
  readonly #leaving = new Map<string, ConnectionSummary>();
  /** Targets with all values, to connect the same way through the proxy. Never stored. */
  readonly #targets = new Map<string, UrlTarget>();
  /** Data that the worker sent, by the `ref` of the request, until the request is done. */
  readonly #replies = new Map<string, WorkerReply>();
  /** Listeners to the progress of files that are being opened, by `ref`. */
  readonly #openings = new Map<string, (progress: ReadingProgress) => void>();
  /** Connections that were restored after a reload. */
  readonly #restored = new Set<string>();
  /** Identifies this page in the names of recordings if the tab has no key. */
  readonly #name = randomText(12);
  #recorder: RecordingListener | undefined;
  #worker: LinkWorker | undefined;
  #welcomed = false;
  #failed = false;
  #keeps = false;
  #ready: Promise<void> = Promise.resolve();
  #resolveReady: () => void = () => {};

  constructor(deps: DirectDeps) {
    this.#deps = deps;
  }

  /** Returns true for commands that the worker runs. */
  static handles(command: Command): boolean {
    if (command.type === 'connect') return command.target.transport !== 'stdio' && command.target.via === 'direct';
    return DirectLink.owns(command.connection);
  }

  /** Returns true if {@link withBaseValues} has to complete the command. */
  static needsBaseValues(command: RefCommand): boolean {
    if (command.type !== 'connect' || command.target.transport === 'stdio') return false;
    const { base, via } = command.target;
    return base !== undefined && (DirectLink.owns(base) || via === 'direct');
  }

  /** Returns true for the worker's ids, which begin with `d`. The proxy's begin with `c`. */
  static owns(connection: string): boolean {
    return connection.startsWith('d');
  }

  /** Sets the recorder of the page's own connections. */
  recordWith(recorder: RecordingListener): void {
    this.#recorder = recorder;
  }

  /** Returns the ids of connections that this page made, and of forgotten connections that are not fully recorded. */
  ownConnections(): readonly string[] {
    return [...this.#summaries.values(), ...this.#leaving.values()]
      .filter(({ recording }) => !recording)
      .map(({ id }) => id);
  }

  /**
   * Returns the key of a connection's recording, which is unique and survives a reload. `begin`: the recording may
   * begin now. A restored connection whose recording was decided before the reload does not begin another.
   */
  recordingOf(connection: string): { readonly key: string; readonly begin: boolean } {
    const place = this.#keeps ? this.#deps.tabKey()?.tab : undefined;
    const { startedAt = '' } = this.#summaries.get(connection) ?? this.#leaving.get(connection) ?? {};
    const key = [place ?? this.#name, connection, startedAt].join('.');
    return { key, begin: !this.#restored.has(connection) || !this.#deps.decided.has(key) };
  }

  /** Remembers, even after a reload, that this recording was begun or refused. */
  decideRecording(key: string): void {
    this.#deps.decided.add(key);
  }

  record(connection: string, recorded: RecordingProgress, turn: number): void {
    this.#worker?.postMessage({ type: 'record', connection, recorded, turn });
  }

  /** Tells the worker that the batch was recorded or dropped. */
  batchRecorded(): void {
    this.#worker?.postMessage({ type: 'recorded' });
  }

  /** Stops recording for good. `failure`: the reason, for the log. */
  stopRecording(connection: string, failure?: string): void {
    this.#leaving.delete(connection);
    this.#worker?.postMessage({ type: 'record-stop', connection, ...(failure !== undefined && { failure }) });
  }

  /** Stops recording until it is requested again. */
  pauseRecording(connection: string): void {
    this.#worker?.postMessage({ type: 'record-stop', connection, again: true });
  }

  /** Called when a connection is fully recorded. Drops the connection if it was forgotten. */
  recordingComplete(connection: string): void {
    if (this.#leaving.has(connection)) this.stopRecording(connection);
  }

  /** Adds a listener. */
  listen(listener: DirectListener): void {
    this.#listeners.add(listener);
  }

  /** Returns the connections of this page. Waits until the connections from before a reload are restored. */
  async connections(): Promise<readonly ConnectionSummary[]> {
    if (!this.#worker && this.#deps.mayHaveKept()) this.#start();
    await this.#ready;
    return [...this.#summaries.values()];
  }

  /** True if leaving the page would end a connection and lose its log. */
  get wouldLose(): boolean {
    return !this.#keeps && Array.from(this.#summaries.values()).some(({ state }) => canSend(state));
  }

  /** Returns the target of a connection. undefined after a reload. */
  targetOf(connection: string): UrlTarget | undefined {
    return this.#targets.get(connection);
  }

  /**
   * Fills in secret values if the command connects like an earlier connection, its `base`. Only the page knows the
   * values of its own connections. The proxy fills in those of its connections, and never gives them to the page.
   */
  async withBaseValues(command: RefCommand): Promise<RefCommand> {
    if (command.type !== 'connect' || command.target.transport === 'stdio') return command;
    const { base, ...rest } = command.target;
    const { withValues } = await import('./base-values');
    return { ...command, target: withValues(rest, this.#targets.get(base ?? '')) };
  }

  /** Sends a command. Rejects with a Failure. */
  async send(command: RefCommand): Promise<DoneEvent> {
    const worker = this.#worker ?? this.#start();
    if (this.#failed) throw new ConnectionError(WORKER_FAILED);
    const answer = this.#pending.add(command.ref);
    worker.postMessage({ type: 'command', command });
    const done = await answer;
    const target = command.type === 'connect' ? command.target : this.#targets.get(command.connection);
    const makes = command.type === 'connect' || command.type === 'restart';
    if (makes && target && target.transport !== 'stdio') this.#targets.set(done.connection, target);
    return done;
  }

  /**
   * Opens a file as a recording. Calls `onOpening` with the progress. Rejects with a Failure; that of an aborted
   * `signal` is `cancelled`, and then no connection is left.
   */
  async open(ref: string, file: FileToOpen, { signal, onOpening }: OpenOptions = {}): Promise<DoneEvent> {
    if (signal?.aborted) throw new ConnectionError(OPENING_CANCELLED);
    if (onOpening) this.#openings.set(ref, onOpening);
    const opened = this.#request(
      'url' in file ? { type: 'open-url', ref, url: file.url } : { type: 'open', ref, name: file.name, file },
    );
    // The worker may be busy, so nobody waits for it.
    let cancel = () => {};
    const cancelled = new Promise<never>((_, reject) => {
      cancel = () => reject(new ConnectionError(OPENING_CANCELLED));
    });
    signal?.addEventListener('abort', cancel);
    try {
      return await Promise.race([opened, cancelled]);
    } catch (error) {
      if (signal?.aborted) this.#undoOpen(ref, opened);
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#openings.delete(ref);
    }
  }

  /** Stops opening a file, and closes it if it was open before the worker got the message. */
  #undoOpen(ref: string, opened: Promise<DoneEvent>): void {
    this.#worker?.postMessage({ type: 'cancel-open', ref });
    opened.then(
      ({ connection }) => void this.send({ type: 'forget', ref, connection }).catch(() => {}),
      () => {},
    );
  }

  /**
   * Returns the first frames of a log as a recording, without the secrets that the worker knows. Rejects with a
   * Failure.
   */
  async readLog(ref: string, connection: string, frames: number): Promise<Blob> {
    await this.#request({ type: 'read-log', ref, connection, frames });
    return this.#takeReply(ref) as Blob;
  }

  /**
   * Sends a request about the recordings in the browser. Returns the reply, if there is one. Rejects with a Failure.
   */
  async askRecordings(
    ref: string,
    request: KeptRecordingsRequest,
  ): Promise<{ readonly given: WorkerReply | undefined; readonly connection: string }> {
    const { connection } = await this.#request({ type: 'kept', ref, ...request });
    return { given: this.#takeReply(ref), connection };
  }

  /** Sends frames for the worker to record. Returns false if there is no worker. */
  sendForRecording(batch: ArrayBuffer): boolean {
    this.#worker?.postMessage({ type: 'keep', batch }, [batch]);
    return this.#worker !== undefined;
  }

  /** Sends a request to the worker, and starts the worker if it does not run. Rejects with a Failure. */
  #request(message: Extract<PageToWorker, { ref: string }>): Promise<DoneEvent> {
    const worker = this.#worker ?? this.#start();
    if (this.#failed) return Promise.reject(new ConnectionError(WORKER_FAILED));
    const answer = this.#pending.add(message.ref);
    worker.postMessage(message);
    return answer;
  }

  #takeReply(ref: string): WorkerReply | undefined {
    const given = this.#replies.get(ref);
    this.#replies.delete(ref);
    return given;
  }

  attach(connection: string, after: number): void {
    this.#worker?.postMessage({ type: 'command', command: { type: 'attach', connection, after } });
  }

  #start(): LinkWorker {
    const worker = this.#deps.spawn();
    this.#worker = worker;
    this.#ready = new Promise((resolve) => {
      this.#resolveReady = resolve;
    });
    worker.onmessage = ({ data }) => this.#message(worker, data);
    worker.onerror = () => {
      this.#failed = true;
      this.#resolveReady();
      this.#pending.rejectAll(WORKER_FAILED);
    };
    worker.postMessage({ type: 'begin', tab: this.#deps.tabKey() });
    return worker;
  }

  #message(worker: LinkWorker, message: WorkerToPage): void {
    if (message.type === 'keeping') this.#keeps = message.keeps;
    else if (message.type === 'given') this.#replies.set(message.ref, message.given);
    else if (message.type === 'opening') this.#openings.get(message.ref)?.(message.progress);
    else if (message.type === 'event') this.#event(message.event);
    else if (message.type === 'all-recorded') this.#recorder?.onComplete(message.connection);
    else if (message.type === 'to-record') {
      if (this.#recorder) this.#recorder.onBatch(message.batch, message.turn);
    } else {
      for (const { onBatch } of this.#listeners) onBatch(message.batch);
      worker.postMessage({ type: 'taken' });
    }
  }

  #event(event: Event): void {
    // Listeners don't get this event: they would reload the proxy's data, which is not stale.
    if (event.type === 'welcome') {
      this.#welcomed = true;
      this.#resolveReady();
      return;
    }
    if (event.type === 'connection') {
      const { id, recording } = event.connection;
      if (!this.#welcomed) this.#restored.add(id);
      this.#summaries.set(id, event.connection);
      if (!recording) this.#recorder?.onConnection(id);
    }
    if (event.type === 'forgotten') {
      const summary = this.#summaries.get(event.connection);
      this.#summaries.delete(event.connection);
      if (summary && !summary.recording) {
        if (this.#recorder?.onForgotten(event.connection)) this.#leaving.set(event.connection, summary);
        else this.stopRecording(event.connection);
      }
      this.#targets.delete(event.connection);
    }
    this.#pending.settle(event);
    for (const listener of this.#listeners) listener.onEvent(event);
  }
}
