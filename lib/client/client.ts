import { Log } from '@/lib/store/log';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionsReply } from '@/lib/wire/api';
import { readBatchHeader } from '@/lib/wire/batch';
import { systemClock } from '@/lib/wire/clock';
import type { Command, Event, UrlTarget } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';
import { pagePath } from '@/lib/wire/page-path';
import { Api } from './api';
import { DirectLink, type RefCommand, type WorkerLike } from './direct-link';
import { DirectRecorder } from './direct-recorder';
import { ListenerSchedule, LogFeed, type SchedulePaint, schedulePaint } from './log-feed';
import { type DoneEvent, PendingCommands } from './pending-commands';
import { browserRecordings, proxyRecordings, type RecordingStore, RecordSwitch } from './recording-store';
import { type LinkStatus, openWebSocket, Socket, type SocketDeps } from './socket';
import { DecidedRecordings, makeTabKey, readTabKey } from './tab-storage';

type WithoutRef<C> = C extends { readonly ref: string } ? Omit<C, 'ref'> : never;
/** A command as a panel writes it: `ref` is the client's business. */
export type CommandBody = WithoutRef<Command>;

/**
 * `none`: a static host serves the page, and there is no proxy to have a link to. `file`: the page is a file with a recording in
 * it, and there is nothing else.
 */
export type ClientStatus = LinkStatus | 'none' | 'file';

/** The way to the proxy that serves the page. */
export interface ProxyDeps extends Omit<SocketDeps, 'isTokenRefused'> {
  readonly api: Api;
}

export interface ClientDeps {
  /** Absent: the page is on its own. */
  readonly proxy?: ProxyDeps;
  readonly direct: DirectLink;
  /** Without a proxy: whether the browser records. Absent: it does not. */
  readonly recordSwitch?: RecordSwitch;
  /** The page is a file that shows its recording, and nothing besides. */
  readonly inFile?: true;
  readonly paint: SchedulePaint;
}

const SOCKET_LOST: Failure = {
  code: 'socket-lost',
  message:
    'The link to mcp-inspect was lost before the command was answered, so it may or may not have been carried out.',
  advice: 'Check that mcp-inspect still runs in its terminal, look in the log, then try again.',
};

const NO_PROXY: Failure = {
  code: 'no-proxy',
  message: 'A static host serves this page, so there is no proxy to do this.',
  advice: 'Run `npx mcp-inspect` in a terminal and use the page that it opens.',
};

const LINK_EXPIRED: Failure = {
  code: 'link-expired',
  message: 'mcp-inspect was started anew, so this page can only be read: nothing was sent.',
  advice: 'Open a new link from the terminal where mcp-inspect runs.',
};

/**
 * A page's way to its servers, through the proxy and directly: commands out, and the logs of the connections looked at, kept
 * whole over lost sockets. Nobody above can tell by which way a log comes.
 */
export class Client {
  /** For what the proxy is asked by plain HTTP; absent without one. */
  readonly api: Api | undefined;
  /** Absent in a file, which keeps nothing. */
  readonly recordings: RecordingStore | undefined;
  readonly #socket: Socket | undefined;
  readonly #direct: DirectLink;
  readonly #recorder: DirectRecorder | undefined;
  readonly #painter: ListenerSchedule;
  readonly #alone: 'none' | 'file';
  readonly #pending = new PendingCommands();
  readonly #feeds = new Map<string, LogFeed>();
  readonly #attached = new Set<string>();
  readonly #statusListeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: Event) => void>();
  /** Sent before the first socket was open. */
  #queue: Command[] = [];
  #refs = 0;

  constructor(deps: ClientDeps) {
    const { proxy, direct, paint } = deps;
    this.api = proxy?.api;
    this.#painter = new ListenerSchedule(paint);
    this.#alone = deps.inFile ? 'file' : 'none';
    this.#direct = direct;
    direct.listen({ onEvent: (event) => this.#event(event), onBatch: (message) => this.#batch(message) });
    if (deps.inFile) return;
    const { recordSwitch } = deps;
    if (proxy) this.recordings = proxyRecordings(proxy.api);
    else if (recordSwitch) {
      this.recordings = browserRecordings(direct, recordSwitch, () => this.#ref());
      this.#recorder = this.#recordInBrowser(recordSwitch);
    }
    if (!proxy) return;
    this.#recorder = new DirectRecorder(direct, {
      record: (connection, key, begin) => this.#ask({ type: 'record', ref: this.#ref(), connection, key, begin }),
      end: (connection) => this.#ask({ type: 'record-end', ref: this.#ref(), connection }),
      send: (batch) => this.#socket?.sendBatch(batch) ?? false,
      stopped: () => this.#tellStatus(),
    });
    this.#socket = new Socket(
      { ...proxy, isTokenRefused: () => proxy.api.isTokenRefused() },
      {
        onOpen: () => this.#opened(),
        onDrop: () => this.#dropped(),
        onEvent: (event) => this.#event(event),
        onBatch: (message) => this.#batch(message),
        onStatus: () => this.#tellStatus(),
      },
    );
  }

  get status(): ClientStatus {
    return this.#socket?.status ?? this.#alone;
  }

  /** Opens the link. Idempotent. */
  start(): void {
    this.#socket?.start();
  }

  /** Closes the link; what is pending is rejected. */
  stop(): void {
    this.#socket?.stop();
    this.#dropped();
  }

  /** Calls back when `status` changes, or what `isRecorded` says. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  };

  /** Calls back with every event that answers no command of ours, `done` events of ours included. */
  onEvent(listener: (event: Event) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** All connections there are, the proxy's and the page's own, each oldest first. Rejects with a Failure. */
  async connections(signal?: AbortSignal): Promise<ConnectionsReply> {
    const [proxied, direct] = await Promise.all([
      this.api?.get('/api/connections', signal) ?? [],
      this.#direct.connections(),
    ]);
    return [...proxied, ...direct];
  }

  /** What a direct connection of this page was made from; undefined for any other, and after a reload. */
  readonly directTarget = (connection: string): UrlTarget | undefined => this.#direct.targetOf(connection);

  /** True for a direct connection that the proxy records, or would if it answered. */
  readonly isRecorded = (connection: string): boolean =>
    this.#recorder !== undefined && DirectLink.owns(connection) && this.#recorder.records(connection);

  /** Carries out a command. Rejects with a Failure: the proxy's or the worker's, or `socket-lost`. */
  send(body: CommandBody): Promise<DoneEvent> {
    const command = this.#direct.completed({ ...body, ref: this.#ref() } as RefCommand);
    return DirectLink.concerns(command) ? this.#direct.send(command) : this.#ask(command);
  }

  /** Has the proxy carry out a command. */
  #ask(command: RefCommand): Promise<DoneEvent> {
    if (!this.#socket) return Promise.reject(new ConnectionError(NO_PROXY));
    if (this.status === 'refused') return Promise.reject(new ConnectionError(LINK_EXPIRED));
    if (this.status === 'lost') return Promise.reject(new ConnectionError(SOCKET_LOST));
    const done = this.#pending.add(command.ref);
    if (!this.#socket.send(command)) this.#queue.push(command);
    return done;
  }

  /** Opens a file as a recording and gives the connection that it is. Rejects with a Failure. */
  async openRecording(file: File): Promise<string> {
    return (await this.#direct.open(this.#ref(), file)).connection;
  }

  /**
   * The first frames of a connection's log as a recording without the secrets that are known where the connection is: what it was
   * given, and what was masked before it was a frame. Rejects with a Failure.
   */
  async readLog(connection: string, frames: number): Promise<ReadableStream<Uint8Array>> {
    if (DirectLink.owns(connection)) {
      return (await this.#direct.readLog(this.#ref(), connection, frames)).stream();
    }
    if (!this.api) throw new ConnectionError(NO_PROXY);
    return this.api.readLog(connection, frames);
  }

  /** The log of a connection, empty until it is attached. The same object until the connection is forgotten. */
  log(connection: string): Log {
    return this.#feed(connection).log;
  }

  /** The log of a connection, from now on kept up to date. Idempotent. */
  attach(connection: string): Log {
    const feed = this.#feed(connection);
    if (!this.#attached.has(connection)) {
      this.#attached.add(connection);
      if (DirectLink.owns(connection)) this.#direct.attach(connection, feed.resume());
      else this.#socket?.send({ type: 'attach', connection, after: feed.resume() });
    }
    return feed.log;
  }

  #feed(connection: string): LogFeed {
    const known = this.#feeds.get(connection);
    if (known) return known;
    const log = new Log(connection);
    const read = (from: number, to: number) => this.send({ type: 'read', connection, from, to });
    const feed = new LogFeed(log, read, () => this.#painter.logGrew(log));
    this.#feeds.set(connection, feed);
    return feed;
  }

  /** Without a proxy the worker keeps what it is asked to, by the same steps. */
  #recordInBrowser(asked: RecordSwitch): DirectRecorder {
    const recorder = new DirectRecorder(this.#direct, {
      record: (connection, key, begin) =>
        this.#direct.send({ type: 'record', ref: this.#ref(), connection, key, begin: begin && asked.on }),
      end: (connection) => this.#direct.send({ type: 'record-end', ref: this.#ref(), connection }),
      send: (batch) => {
        this.#direct.sendForRecording(batch);
        return true;
      },
      stopped: () => this.#tellStatus(),
    });
    recorder.onOpen();
    return recorder;
  }

  #tellStatus(): void {
    for (const listener of [...this.#statusListeners]) listener();
  }

  #ref(): string {
    return `r${++this.#refs}`;
  }

  #opened(): void {
    for (const connection of this.#attached) {
      if (DirectLink.owns(connection)) continue;
      this.#socket?.send({ type: 'attach', connection, after: this.#feed(connection).resume() });
    }
    for (const command of this.#queue.splice(0)) this.#socket?.send(command);
    this.#recorder?.onOpen();
  }

  #dropped(): void {
    this.#queue = [];
    this.#pending.rejectAll(SOCKET_LOST);
    this.#recorder?.onDrop();
  }

  #event(event: Event): void {
    this.#pending.settle(event);
    if (event.type === 'recorded') this.#recorder?.onBatchRecorded(event);
    if (event.type === 'forgotten') {
      this.#attached.delete(event.connection);
      this.#feeds.delete(event.connection);
    }
    for (const listener of [...this.#eventListeners]) listener(event);
  }

  /**
   * Frames go into the log as they come: while this takes long, the browser reads no more from the socket, which is what
   * tells the proxy to wait. Listeners hear of it once an animation frame.
   */
  #batch(message: ArrayBuffer): void {
    const feed = this.#feeds.get(connectionOf(message));
    if (!feed) return;
    if (feed.addBatch(message)) this.#painter.logGrew(feed.log);
    else if (!DirectLink.owns(feed.log.connection)) this.#socket?.reset();
  }
}

/** '' for what is no batch. */
function connectionOf(message: ArrayBuffer): string {
  try {
    return readBatchHeader(message).connection;
  } catch {
    return '';
  }
}

// In a variable, so that no bundler takes the worker for its own: it has to be a file of this very name.
const WORKER = '/direct/worker.js';

let direct: DirectLink | undefined;

/** The client of this page; without a token one that has no proxy. Call `start()` to open its link. */
export function createClient(token: string | undefined): Client {
  // The page's own connections outlive a client: another one has another proxy.
  direct ??= openDirectLink();
  if (token === undefined)
    return new Client({ direct, recordSwitch: new RecordSwitch(() => window.localStorage), paint: schedulePaint });
  const api = new Api(token, (path, init) => fetch(pagePath(path), init));
  return new Client({ proxy: { token, api, open: openWebSocket, clock: systemClock }, direct, paint: schedulePaint });
}

function openDirectLink(): DirectLink {
  const storage = () => window.sessionStorage;
  const link = new DirectLink({
    spawn: () => new Worker(pagePath(WORKER), { type: 'module' }) as WorkerLike,
    tabKey: () => makeTabKey(storage),
    mayHaveKept: () => readTabKey(storage) !== undefined,
    settled: new DecidedRecordings(storage),
  });
  window.addEventListener('beforeunload', (event) => {
    if (link.wouldLose) event.preventDefault();
  });
  return link;
}
