import { shownUrl } from '@/lib/hub/url-launch';
import { ConnectionError } from '@/lib/transports/transport';
import type { Command, ConnectionSummary, Event, RecordingProgress, UrlTarget } from '@/lib/wire/command';
import { canSend, type Failure } from '@/lib/wire/lifecycle';
import { isUrl } from '@/lib/wire/url';
import type { KeptRecordingsRequest, PageToWorker, TabKey, WorkerReply, WorkerToPage } from '@/lib/wire/worker-message';
import { type DoneEvent, PendingCommands } from './pending-commands';
import { type DecidedRecordings, randomText } from './tab-storage';

/** A command that is answered. */
export type RefCommand = Exclude<Command, { readonly type: 'attach' }>;

/** What is used of a Worker. */
export interface WorkerLike {
  onmessage: ((message: { data: WorkerToPage }) => void) | null;
  onerror: (() => void) | null;
  postMessage(message: PageToWorker, transfer?: Transferable[]): void;
}

export interface DirectDeps {
  /** Starts the worker. */
  spawn(): WorkerLike;
  /** The tab's key, made if there is none. */
  tabKey(): TabKey | undefined;
  /** True if this tab may have kept logs: then the worker is started for them alone. */
  mayHaveKept(): boolean;
  /** Keys of recordings that have begun, or never do, for as long as the tab lives. */
  readonly settled: Pick<DecidedRecordings, 'has' | 'add'>;
}

/** Who has the page's own connections recorded. */
export interface RecordingListener {
  /** The page has this connection. */
  onConnection(connection: string): void;
  /** Frames of the worker's, of the newest turn that it was asked in. To be answered by `recorded`. */
  onBatch(batch: ArrayBuffer, turn: number): void;
  /** A connection has ended, and all of it was handed over. */
  onComplete(connection: string): void;
  /** The page has it no more. Returns true if it has yet to be recorded to its end. */
  onForgotten(connection: string): boolean;
}

/** What a {@link DirectLink} tells. */
export interface DirectListener {
  onEvent(event: Event): void;
  /** A batch of frames (wire/batch), which others read too. */
  onBatch(message: ArrayBuffer): void;
}

const WORKER_FAILED: Failure = {
  code: 'worker-failed',
  message: 'The part of the page that talks to servers directly did not start.',
  advice: 'Reload the page; if that does not help, see that its host serves /direct/worker.js as JavaScript.',
};

/**
 * The connections that the page makes itself, in a worker: it is spoken to as the proxy is. Started by the first direct
 * connection, or by what a reload left.
 */
export class DirectLink {
  readonly #deps: DirectDeps;
  readonly #pending = new PendingCommands();
  readonly #listeners = new Set<DirectListener>();
  readonly #summaries = new Map<string, ConnectionSummary>();
  /** Those that were forgotten and have yet to be recorded to their end. */
  readonly #leaving = new Map<string, ConnectionSummary>();
  /** What was asked for, headers and all: for the person who wants the same through the proxy. Never stored. */
  readonly #targets = new Map<string, UrlTarget>();
  /** What was asked for, until the command is answered. */
  readonly #given = new Map<string, WorkerReply>();
  /** Those that a reload left. */
  readonly #kept = new Set<string>();
  /** Of this page, where it has no tab's name of its own. */
  readonly #name = randomText(12);
  #recorder: RecordingListener | undefined;
  #worker: WorkerLike | undefined;
  #welcome = false;
  #failed = false;
  #keeps = false;
  #ready: Promise<void> = Promise.resolve();
  #begun: () => void = () => {};

  constructor(deps: DirectDeps) {
    this.#deps = deps;
  }

  /** True for what the worker has to carry out. */
  static concerns(command: Command): boolean {
    if (command.type === 'connect') return command.target.transport !== 'stdio' && command.target.via === 'direct';
    return DirectLink.owns(command.connection);
  }

  /** True for ids that the worker gives; the proxy's begin with a `c`. */
  static owns(connection: string): boolean {
    return connection.startsWith('d');
  }

  /** Who has the page's own connections recorded; another one takes the place of the one before. */
  recordWith(recorder: RecordingListener): void {
    this.#recorder = recorder;
  }

  /** What this page connected, or had connected before it was loaded again, and what of that still has to be recorded. */
  ownConnections(): readonly string[] {
    return [...this.#summaries.values(), ...this.#leaving.values()]
      .filter(({ recording }) => !recording)
      .map(({ id }) => id);
  }

  /**
   * What the recording of a connection of ours is called, by nobody else and over reloads; and whether it may begin now: of what a
   * reload left, only if it was not settled before whether it is recorded.
   */
  recordingOf(connection: string): { readonly key: string; readonly begin: boolean } {
    const place = this.#keeps ? this.#deps.tabKey()?.tab : undefined;
    const { startedAt = '' } = this.#summaries.get(connection) ?? this.#leaving.get(connection) ?? {};
    const key = [place ?? this.#name, connection, startedAt].join('.');
    return { key, begin: !this.#kept.has(connection) || !this.#deps.settled.has(key) };
  }

  /** It is settled whether the recording of this key begins, also for after a reload. */
  decideRecording(key: string): void {
    this.#deps.settled.add(key);
  }

  record(connection: string, recorded: RecordingProgress, turn: number): void {
    this.#worker?.postMessage({ type: 'record', connection, recorded, turn });
  }

  /** The batch to be recorded was taken, or nobody wants it any more. */
  batchRecorded(): void {
    this.#worker?.postMessage({ type: 'recorded' });
  }

  /** For good. `failure`: why, for its log. */
  stopRecording(connection: string, failure?: string): void {
    this.#leaving.delete(connection);
    this.#worker?.postMessage({ type: 'record-stop', connection, ...(failure !== undefined && { failure }) });
  }

  /** Until it is asked for again. */
  pauseRecording(connection: string): void {
    this.#worker?.postMessage({ type: 'record-stop', connection, again: true });
  }

  /** All of it is recorded: of what was forgotten nothing is needed any more. */
  recordingComplete(connection: string): void {
    if (this.#leaving.has(connection)) this.stopRecording(connection);
  }

  /** Tells this one from now on. */
  listen(listener: DirectListener): void {
    this.#listeners.add(listener);
  }

  /** The connections of this page, once those that a reload left are here too. */
  async connections(): Promise<readonly ConnectionSummary[]> {
    if (!this.#worker && this.#deps.mayHaveKept()) this.#start();
    await this.#ready;
    return [...this.#summaries.values()];
  }

  /** True if leaving the page would end a server's connection and lose its log. */
  get wouldLose(): boolean {
    return !this.#keeps && Array.from(this.#summaries.values()).some(({ state }) => canSend(state));
  }

  /** What a connection of this page was made from; undefined after a reload. */
  targetOf(connection: string): UrlTarget | undefined {
    return this.#targets.get(connection);
  }

  /**
   * The command with the values that a connection of ours gives as its base, which nobody but the page has. A base of the
   * proxy's stays where the proxy is asked, and has no values here.
   */
  completed(command: RefCommand): RefCommand {
    if (command.type !== 'connect' || command.target.transport === 'stdio') return command;
    const { base, ...rest } = command.target;
    if (base === undefined || !(DirectLink.owns(base) || rest.via === 'direct')) return command;
    return { ...command, target: withValues(rest, this.#targets.get(base)) };
  }

  /** Carries out a command. Rejects with a Failure. */
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

  /** Opens a file as a recording, which is a connection of the page's then. Rejects with a Failure. */
  async open(ref: string, file: File): Promise<DoneEvent> {
    return this.#asked({ type: 'open', ref, name: file.name, file });
  }

  /** The first frames of a connection's log, as a recording that has no secret which its worker knows. Rejects with a Failure. */
  async readLog(ref: string, connection: string, frames: number): Promise<Blob> {
    await this.#asked({ type: 'read-log', ref, connection, frames });
    return this.#take(ref) as Blob;
  }

  /** About the recordings that the browser keeps: what is given, if anything is. Rejects with a Failure. */
  async askRecordings(
    ref: string,
    request: KeptRecordingsRequest,
  ): Promise<{ readonly given: WorkerReply | undefined; readonly connection: string }> {
    const { connection } = await this.#asked({ type: 'kept', ref, ...request });
    return { given: this.#take(ref), connection };
  }

  /** Frames that the worker is to keep by itself. */
  sendForRecording(batch: ArrayBuffer): void {
    this.#worker?.postMessage({ type: 'keep', batch }, [batch]);
  }

  /** Asks the worker, started if need be. Rejects with a Failure. */
  #asked(message: Extract<PageToWorker, { ref: string }>): Promise<DoneEvent> {
    const worker = this.#worker ?? this.#start();
    if (this.#failed) return Promise.reject(new ConnectionError(WORKER_FAILED));
    const answer = this.#pending.add(message.ref);
    worker.postMessage(message);
    return answer;
  }

  #take(ref: string): WorkerReply | undefined {
    const given = this.#given.get(ref);
    this.#given.delete(ref);
    return given;
  }

  attach(connection: string, after: number): void {
    this.#worker?.postMessage({ type: 'command', command: { type: 'attach', connection, after } });
  }

  #start(): WorkerLike {
    const worker = this.#deps.spawn();
    this.#worker = worker;
    this.#ready = new Promise((resolve) => {
      this.#begun = resolve;
    });
    worker.onmessage = ({ data }) => this.#message(worker, data);
    worker.onerror = () => {
      this.#failed = true;
      this.#begun();
      this.#pending.rejectAll(WORKER_FAILED);
    };
    worker.postMessage({ type: 'begin', tab: this.#deps.tabKey() });
    return worker;
  }

  #message(worker: WorkerLike, message: WorkerToPage): void {
    if (message.type === 'keeping') this.#keeps = message.keeps;
    else if (message.type === 'given') this.#given.set(message.ref, message.given);
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
    // Nothing that the page knows of the proxy is stale because the worker has begun.
    if (event.type === 'welcome') {
      this.#welcome = true;
      this.#begun();
      return;
    }
    if (event.type === 'connection') {
      const { id, recording } = event.connection;
      if (!this.#welcome) this.#kept.add(id);
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

/**
 * A target made from an earlier one, with that one's values: its headers, while the origin is the same, and what its URL shows
 * masked, while that is the URL. What the new one says itself counts; null takes a header away.
 */
export function withValues(target: UrlTarget, earlier: UrlTarget | undefined): UrlTarget {
  const same = earlier !== undefined && originOf(earlier.url) === originOf(target.url);
  const headers = new Map<string, readonly [string, string]>();
  for (const [name, value] of Object.entries({ ...(same && earlier.headers), ...target.headers })) {
    if (value === null) headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), [name, value]);
  }
  const url = same && shownUrl(earlier.url) === target.url ? earlier.url : target.url;
  const inputs = [...((same && earlier.inputs) || []), ...(target.inputs ?? [])];
  return { ...target, ...(inputs.length > 0 && { inputs }), url, headers: Object.fromEntries(headers.values()) };
}

/** undefined for what is no URL, which is the origin of nothing. */
function originOf(url: string): string | undefined {
  return isUrl(url) ? new URL(url).origin : undefined;
}
