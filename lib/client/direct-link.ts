import { ConnectionError } from '@/lib/transports/transport';
import type { Command, ConnectionSummary, Event, UrlTarget } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';
import type { FromWorker, TabKey, ToWorker } from '@/lib/wire/worker-message';
import { type DoneEvent, PendingCommands } from './pending-commands';
import { withValues } from './target-values';

/** A command that is answered. */
export type RefCommand = Exclude<Command, { readonly type: 'attach' }>;

/** What is used of a Worker. */
export interface WorkerLike {
  onmessage: ((message: { data: FromWorker }) => void) | null;
  onerror: (() => void) | null;
  postMessage(message: ToWorker): void;
}

export interface DirectDeps {
  /** Starts the worker. */
  spawn(): WorkerLike;
  /** The tab's key, made if there is none. */
  tabKey(): TabKey | undefined;
  /** True if this tab may have kept logs: then the worker is started for them alone. */
  mayHaveKept(): boolean;
}

/** What a {@link DirectLink} tells. */
export interface DirectListener {
  event(event: Event): void;
  /** A batch of frames (wire/batch), which others read too. */
  batch(message: ArrayBuffer): void;
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
  /** What was asked for, headers and all: for the person who wants the same through the proxy. Never stored. */
  readonly #targets = new Map<string, UrlTarget>();
  /** Files that were asked for, until their command is answered. */
  readonly #files = new Map<string, Blob>();
  #worker: WorkerLike | undefined;
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
    return !this.#keeps && Array.from(this.#summaries.values()).some(({ state }) => state === 'open');
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
    const worker = this.#worker ?? this.#start();
    if (this.#failed) throw new ConnectionError(WORKER_FAILED);
    const answer = this.#pending.add(ref);
    worker.postMessage({ type: 'open', ref, name: file.name, file });
    return answer;
  }

  /** The first frames of a connection's log, as a recording that has no secret which its worker knows. Rejects with a Failure. */
  async readLog(ref: string, connection: string, frames: number): Promise<Blob> {
    const worker = this.#worker ?? this.#start();
    if (this.#failed) throw new ConnectionError(WORKER_FAILED);
    const answer = this.#pending.add(ref);
    worker.postMessage({ type: 'read-log', ref, connection, frames });
    await answer;
    const file = this.#files.get(ref)!;
    this.#files.delete(ref);
    return file;
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

  #message(worker: WorkerLike, message: FromWorker): void {
    if (message.type === 'keeping') this.#keeps = message.keeps;
    else if (message.type === 'log') this.#files.set(message.ref, message.file);
    else if (message.type === 'event') this.#event(message.event);
    else {
      for (const { batch } of this.#listeners) batch(message.batch);
      worker.postMessage({ type: 'taken' });
    }
  }

  #event(event: Event): void {
    // Nothing that the page knows of the proxy is stale because the worker has begun.
    if (event.type === 'welcome') {
      this.#begun();
      return;
    }
    if (event.type === 'connection') this.#summaries.set(event.connection.id, event.connection);
    if (event.type === 'forgotten') {
      this.#summaries.delete(event.connection);
      this.#targets.delete(event.connection);
    }
    this.#pending.settle(event);
    for (const listener of this.#listeners) listener.event(event);
  }
}
