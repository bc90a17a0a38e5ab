import { Log } from '@/lib/store/log';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionsReply } from '@/lib/wire/api';
import { readBatchHeader } from '@/lib/wire/batch';
import { systemClock } from '@/lib/wire/clock';
import type { Command, Event, UrlTarget } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';
import { pagePath } from '@/lib/wire/page-path';
import { Api } from './api';
import { DirectLink, type FileToOpen, type LinkWorker, type OpenOptions, type RefCommand } from './direct-link';
import { DirectRecorder } from './direct-recorder';
import { ListenerSchedule, LogFeed, type SchedulePaint, schedulePaint } from './log-feed';
import { type DoneEvent, PendingCommands } from './pending-commands';
import { browserRecordings, proxyRecordings, type RecordingsPlace, RecordSwitch } from './recording-store';
import { type LinkStatus, openWebSocket, Socket, type SocketDeps } from './socket';
import { DecidedRecordings, makeTabKey, readTabKey } from './tab-storage';
import { sendWithProgress } from './upload';

type WithoutRef<C> = C extends { readonly ref: string } ? Omit<C, 'ref'> : never;
/** A command without its `ref`, which the client adds. */
export type CommandBody = WithoutRef<Command>;

/**
 * `none`: there is no proxy, because a static host serves the page. `file`: the page is a file that holds a recording.
 */
export type ClientStatus = LinkStatus | 'none' | 'file';

/** How to reach the proxy that serves the page. */
interface ProxyDeps extends Omit<SocketDeps, 'isTokenRefused'> {
  readonly api: Api;
}

interface ClientDeps {
  /** Absent: there is no proxy. */
  readonly proxy?: ProxyDeps;
  readonly direct: DirectLink;
  /** Whether the browser records if there is no proxy. Absent: it does not. */
  readonly recordSwitch?: RecordSwitch;
  /** Set if the page is a file that shows its recording. */
  readonly inFile?: true;
  readonly paint: SchedulePaint;
}

const SOCKET_LOST: Failure = {
  code: 'socket-lost',
  message: 'The link to mcp-inspect was lost, so the last command may or may not have run.',
  advice: 'Check that mcp-inspect still runs, look in the log, then try again.',
};

const NO_PROXY: Failure = {
  code: 'no-proxy',
  message: 'This page has no proxy, because a static host serves it.',
  advice: 'Run `npx mcp-inspect` in a terminal and use the page that it opens.',
};

const LINK_EXPIRED: Failure = {
  code: 'link-expired',
  message: 'mcp-inspect was restarted, so this page is read-only. Nothing was sent.',
  advice: 'Open a new link from the terminal where mcp-inspect runs.',
};

/**
 * A page's connections, direct and through the proxy. Sends commands. After a socket was lost, the next socket brings
 * the frames that attached connections lack. Callers need not know whether a connection is direct.
 */
export class Client {
  /** Plain HTTP requests to the proxy. Absent without a proxy. */
  readonly api: Api | undefined;
  /** Absent in a file. */
  readonly recordings: RecordingsPlace | undefined;
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
  /** Commands sent before the first socket was open. */
  #queue: Command[] = [];
  #refs = 0;

  constructor(deps: ClientDeps) {
    const { proxy, direct, paint } = deps;
    this.api = proxy?.api;
    this.#painter = new ListenerSchedule(paint);
    this.#alone = deps.inFile ? 'file' : 'none';
    this.#direct = direct;
    direct.listen({ onEvent: (event) => this.#onEvent(event), onBatch: (message) => this.#onBatch(message) });
    if (deps.inFile) return;
    const { recordSwitch } = deps;
    if (!proxy) {
      if (!recordSwitch) return;
      this.recordings = browserRecordings(direct, recordSwitch, () => this.#nextRef());
      this.#recorder = this.#recorderBy(
        (command) => direct.send(command),
        (batch) => direct.sendForRecording(batch),
        () => recordSwitch.on,
      );
      this.#recorder.onOpen();
      return;
    }
    this.recordings = proxyRecordings(proxy.api);
    this.#recorder = this.#recorderBy(
      (command) => this.#sendToProxy(command),
      (batch) => this.#socket?.sendBatch(batch) ?? false,
    );
    this.#socket = new Socket(
      { ...proxy, isTokenRefused: () => proxy.api.isTokenRefused() },
      {
        onOpen: () => this.#onOpen(),
        onDrop: () => this.#onDrop(),
        onEvent: (event) => this.#onEvent(event),
        onBatch: (message) => this.#onBatch(message),
        onStatus: () => this.#notifyStatus(),
      },
    );
  }

  get status(): ClientStatus {
    return this.#socket?.status ?? this.#alone;
  }

  /** Opens the socket. Idempotent. */
  start(): void {
    this.#socket?.start();
  }

  /** Closes the socket and rejects pending commands. */
  stop(): void {
    this.#socket?.stop();
    this.#onDrop();
  }

  /** Calls back when `status` or a result of `isRecorded` changes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  };

  /** Calls back with every event. */
  onEvent(listener: (event: Event) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Returns all connections, the proxy's first, each group oldest first. Rejects with a Failure. */
  async connections(signal?: AbortSignal): Promise<ConnectionsReply> {
    const [proxied, direct] = await Promise.all([
      this.api?.get('/api/connections', signal) ?? [],
      this.#direct.connections(),
    ]);
    return [...proxied, ...direct];
  }

  /** Returns the target of a direct connection; undefined for other connections and after a reload. */
  readonly directTarget = (connection: string): UrlTarget | undefined => this.#direct.targetOf(connection);

  /** Returns true for a direct connection that is recorded, or will be once the proxy responds. */
  readonly isRecorded = (connection: string): boolean =>
    this.#recorder !== undefined && DirectLink.owns(connection) && this.#recorder.records(connection);

  /** Sends a command. Rejects with the Failure of the proxy or the worker, or with `socket-lost`. */
  send(body: CommandBody): Promise<DoneEvent> {
    const command = { ...body, ref: this.#nextRef() } as RefCommand;
    return DirectLink.needsBaseValues(command)
      ? this.#direct.withBaseValues(command).then((complete) => this.#dispatch(complete))
      : this.#dispatch(command);
  }

  #dispatch(command: RefCommand): Promise<DoneEvent> {
    return DirectLink.handles(command) ? this.#direct.send(command) : this.#sendToProxy(command);
  }

  /** Sends a command to the proxy. */
  #sendToProxy(command: RefCommand): Promise<DoneEvent> {
    if (!this.#socket) return Promise.reject(new ConnectionError(NO_PROXY));
    if (this.status === 'refused') return Promise.reject(new ConnectionError(LINK_EXPIRED));
    if (this.status === 'lost') return Promise.reject(new ConnectionError(SOCKET_LOST));
    const done = this.#pending.add(command.ref);
    if (!this.#socket.send(command)) this.#queue.push(command);
    return done;
  }

  /**
   * Opens a file as a recording and returns its connection's id. Rejects with a Failure, which is `cancelled` after an
   * abort.
   */
  async openRecording(file: FileToOpen, options?: OpenOptions): Promise<string> {
    return (await this.#direct.open(this.#nextRef(), file, options)).connection;
  }

  /**
   * Returns the first frames of a connection's log as a recording. The proxy or the worker removes its secrets.
   * Rejects with a Failure.
   */
  async readLog(connection: string, frames: number): Promise<ReadableStream<Uint8Array>> {
    if (DirectLink.owns(connection)) {
      return (await this.#direct.readLog(this.#nextRef(), connection, frames)).stream();
    }
    if (!this.api) throw new ConnectionError(NO_PROXY);
    return this.api.readLog(connection, frames);
  }

  /**
   * Returns a connection's log, empty until it is attached. The object stays the same until the connection is
   * forgotten.
   */
  log(connection: string): Log {
    return this.#feed(connection).log;
  }

  /** Returns a connection's log and keeps it up to date from now on. Idempotent. */
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

  /** Returns the recorder of direct connections. It sends the same commands to the proxy or to the worker. */
  #recorderBy(
    send: (command: RefCommand) => Promise<DoneEvent>,
    sendBatch: (batch: ArrayBuffer) => boolean,
    mayBegin = () => true,
  ): DirectRecorder {
    return new DirectRecorder(this.#direct, {
      record: (connection, key, begin) =>
        send({ type: 'record', ref: this.#nextRef(), connection, key, begin: begin && mayBegin() }),
      end: (connection) => send({ type: 'record-end', ref: this.#nextRef(), connection }),
      send: sendBatch,
      onStopped: () => this.#notifyStatus(),
    });
  }

  #notifyStatus(): void {
    for (const listener of [...this.#statusListeners]) listener();
  }

  #nextRef(): string {
    return `r${++this.#refs}`;
  }

  #onOpen(): void {
    for (const connection of this.#attached) {
      if (DirectLink.owns(connection)) continue;
      this.#socket?.send({ type: 'attach', connection, after: this.#feed(connection).resume() });
    }
    for (const command of this.#queue.splice(0)) this.#socket?.send(command);
    this.#recorder?.onOpen();
  }

  #onDrop(): void {
    this.#queue = [];
    this.#pending.rejectAll(SOCKET_LOST);
    this.#recorder?.onDrop();
  }

  #onEvent(event: Event): void {
    this.#pending.settle(event);
    if (event.type === 'recorded') this.#recorder?.onBatchRecorded(event);
    if (event.type === 'forgotten') {
      this.#attached.delete(event.connection);
      this.#feeds.delete(event.connection);
    }
    for (const listener of [...this.#eventListeners]) listener(event);
  }

  /**
   * Adds frames to their log at once. Meanwhile the browser reads nothing from the socket, so the proxy waits if this
   * is slow. Listeners are called once an animation frame.
   */
  #onBatch(message: ArrayBuffer): void {
    const feed = this.#feeds.get(connectionOf(message));
    if (!feed) return;
    if (feed.addBatch(message)) this.#painter.logGrew(feed.log);
    else if (!DirectLink.owns(feed.log.connection)) this.#socket?.reset();
  }
}

/** Returns '' if the message is not a batch. */
function connectionOf(message: ArrayBuffer): string {
  try {
    return readBatchHeader(message).connection;
  } catch {
    return '';
  }
}

// The path is in a variable, because a bundler renames a worker whose path is a literal. The server's CSP names this
// path.
const WORKER = '/direct/worker.js';

let direct: DirectLink | undefined;

/** Creates the client of this page. Without a token, it has no proxy. Call `start()` to open its socket. */
export function createClient(token: string | undefined): Client {
  // A page gets a new client when the proxy was restarted, but keeps its direct connections.
  direct ??= openDirectLink();
  if (token === undefined)
    return new Client({ direct, recordSwitch: new RecordSwitch(() => window.localStorage), paint: schedulePaint });
  const api = new Api(token, (path, init, progress) =>
    progress ? sendWithProgress(pagePath(path), init, progress) : fetch(pagePath(path), init),
  );
  return new Client({ proxy: { token, api, open: openWebSocket, clock: systemClock }, direct, paint: schedulePaint });
}

function openDirectLink(): DirectLink {
  const storage = () => window.sessionStorage;
  const link = new DirectLink({
    spawn: () => new Worker(pagePath(WORKER), { type: 'module' }) as LinkWorker,
    tabKey: () => makeTabKey(storage),
    mayHaveKept: () => readTabKey(storage) !== undefined,
    decided: new DecidedRecordings(storage),
  });
  window.addEventListener('beforeunload', (event) => {
    if (link.wouldLose) event.preventDefault();
  });
  return link;
}
