import type { CloseReason } from '@/lib/mcp/live-connection';
import type { RuleOwner } from '@/lib/mcp/message-interceptor';
import type { RecordingReader } from '@/lib/recording/recording-reader';
import { ConnectionError } from '@/lib/transports/transport';
import type { ClientProfile } from '@/lib/wire/client-profile';
import type { Clock } from '@/lib/wire/clock';
import {
  type Command,
  type ConnectionSummary,
  type Event,
  entryOf,
  type RecordingProgress,
  type RunInfo,
  type Target,
} from '@/lib/wire/command';
import { type Failure, isFailure, type ProtocolChoice } from '@/lib/wire/lifecycle';
import type { Connection, ConnectionDeps, Launchable } from './connection';
import type { EndedConnection } from './ended-connection';
import { RecordedConnection, type RecordedDeps, recordingRefusal } from './recorded-connection';
import { redactedLines } from './redacted-log';
import { Viewer, type ViewerLink } from './viewer';

export interface HubSettings {
  readonly clock: Clock;
  /** Version of mcp-inspect, sent to servers and viewers. */
  readonly version: string;
  /** First letter of connection ids: `c` for the proxy's connections, `d` for a page's own. */
  readonly idPrefix: 'c' | 'd';
  /** How long servers outlive the last viewer, in ms. */
  readonly graceMs: number;
}

/** A connection to a server, or the log of one that is gone. */
export type HubConnection<L extends Launchable> = Connection<L> | EndedConnection<L>;

/** The hub's services for a new connection. The host adds the rest. */
type HubDeps<L extends Launchable> = Pick<ConnectionDeps<L>, 'clock' | 'version' | 'onGrown' | 'onChanged'>;

/** A file to open as a recording. */
export interface RecordingSource
  extends Pick<
    RecordedDeps,
    | 'file'
    | 'tap'
    | 'tapRuns'
    | 'rules'
    | 'laterRun'
    | 'length'
    | 'wholeBytes'
    | 'from'
    | 'inParts'
    | 'mayRead'
    | 'parts'
    | 'add'
    | 'inflate'
    | 'convertArchive'
    | 'openSpill'
    | 'signal'
    | 'onOpening'
  > {
  bytes(): ReadableStream<Uint8Array<ArrayBuffer>>;
  reader(): RecordingReader;
  /** Called once the recording is open. Returns a function that is called when the recording is closed. */
  hold?(): () => void;
}

/** Records the connections that pages make themselves. Throws, or rejects with, a ConnectionError. */
export interface PageRecorder {
  record(viewer: Viewer, asked: Extract<Command, { type: 'record' }>): Promise<RecordingProgress>;
  end(viewer: Viewer, connection: string): Promise<void>;
}

/** Returns the failure for a connection that has no recording. `where` begins its sentence: “This browser”. */
export function notRecorded(where: string): Failure {
  const message = `${where} has no recording of that connection.`;
  return { code: 'not-recorded', message, advice: 'Connect again to record it.' };
}

/**
 * Holds the connections of one proxy or one page, and the viewers that look at them. Runs the viewers' commands, and
 * sends the viewers events and frames. This base class opens recordings. A host overrides `connect` and `start` to
 * reach servers.
 */
export class Hub<L extends Launchable> {
  readonly #settings: HubSettings;
  readonly #connections = new Map<string, HubConnection<L>>();
  readonly #viewers = new Set<Viewer>();
  readonly #goneOwners = new WeakSet<RuleOwner>();
  /** The next runs of entries that are being restarted. */
  readonly #restarts = new Map<string, Promise<Connection<L>>>();
  /** Releases the files of opened recordings, by connection id. */
  readonly #releases = new Map<string, () => void>();
  #newestId = 0;

  constructor(settings: HubSettings) {
    this.#settings = settings;
  }

  /** Sends this viewer events from now on, and frames of the logs it attaches to. */
  protected addViewer(link: ViewerLink): Viewer {
    const viewer = new Viewer(link, this.#settings.clock);
    this.#viewers.add(viewer);
    return viewer;
  }

  /** Forgets a viewer that is gone. Its rules go too, and the messages that they hold are passed on. */
  protected removeViewer(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    this.#goneOwners.add(viewer.ruleOwner);
    for (const connection of this.#connections.values()) connection.removeRules((owner) => owner === viewer.ruleOwner);
  }

  protected get clock(): Clock {
    return this.#settings.clock;
  }

  protected get hasViewers(): boolean {
    return this.#viewers.size > 0;
  }

  /** Sends the viewer's first event, after which the viewer may send commands. */
  protected welcome(viewer: Viewer): void {
    const { version, graceMs } = this.#settings;
    viewer.sendEvent({ type: 'welcome', version, graceMs });
  }

  /** Runs a command and answers it with an event. Returns undefined if that is done. Never throws or rejects. */
  runCommand(viewer: Viewer, command: Command): Promise<void> | undefined {
    // The handler and the command have the same type, which the compiler can't follow through the table.
    const handler = HANDLERS[command.type] as Handler<Command>;
    const connection = 'connection' in command ? command.connection : '';
    return this.answer(viewer, refOf(command), () => handler(this, viewer, command), connection);
  }

  /**
   * Answers `ref` with the result of `run`, or with its error. `connection` is for a result that names none. Returns
   * undefined if that is done. Never throws or rejects.
   */
  protected answer(
    viewer: Viewer,
    ref: string | undefined,
    run: () => ReturnType<Handler<Command>>,
    connection = '',
  ): Promise<void> | undefined {
    const succeed = (done: Partial<Done> | undefined): void => {
      if (ref !== undefined) viewer.sendEvent({ type: 'done', ref, connection, ...done });
    };
    const fail = (error: unknown): void => {
      const failure = isFailure(error) ? error : { ...INTERNAL, message: `${INTERNAL.message} ${error}` };
      const { code, message, advice } = failure;
      viewer.sendEvent({ type: 'error', ref, code, message, advice });
    };
    try {
      const result = run();
      if (result instanceof Promise) return result.then((done) => succeed(done ?? undefined)).catch(fail);
      succeed(result ?? undefined);
    } catch (error) {
      fail(error);
    }
    return undefined;
  }

  /** All connections, oldest first. */
  connections(): readonly ConnectionSummary[] {
    return Array.from(this.#connections.values(), (connection) => connection.summary);
  }

  protected get members(): readonly HubConnection<L>[] {
    return [...this.#connections.values()];
  }

  /** Returns the connection with this id. Throws ConnectionError `no-connection`. */
  get(id: string): HubConnection<L> {
    const connection = this.#connections.get(id);
    if (connection) return connection;
    throw new ConnectionError({
      code: 'no-connection',
      message: `There is no connection ${JSON.stringify(id)}.`,
      advice: 'Reload the page to see the current connections.',
    });
  }

  /** Returns a connection that has, or had, a server. Throws ConnectionError if only its log is left. */
  live(id: string): Connection<L> {
    const connection = this.get(id);
    if (connection.server) return connection;
    throw new ConnectionError(connection.refusal);
  }

  /** Starts a server as a new connection. `replaces`: see the command. Throws, or rejects with, a ConnectionError. */
  connect(_target: Target, _protocol: ProtocolChoice, _replaces?: string): Connection<L> | Promise<Connection<L>> {
    throw new ConnectionError(ONLY_RECORDINGS);
  }

  /** Starts a server again as a new connection. Throws ConnectionError. */
  protected start(_launch: L): Connection<L> {
    throw new ConnectionError(ONLY_RECORDINGS);
  }

  /**
   * Ends the newest run of a connection's entry, and starts the same server as the next run, with this profile if one
   * is given. Concurrent restarts share the new run.
   */
  async restart(id: string, profile?: ClientProfile): Promise<Connection<L>> {
    const entry = entryOf(this.get(id).summary);
    // A run that starts meanwhile has the profile of before.
    while (profile && this.#restarts.has(entry)) await this.#restarts.get(entry)?.catch(() => {});
    const newest = this.#newestRun(entry);
    const launch = { ...newest.launch, ...(profile && { profile }), laterRun: this.#laterRun(entry) };
    const restarting = this.#restarts.get(entry) ?? this.close(newest, 'restart').then(() => this.start(launch));
    this.#restarts.set(entry, restarting);
    return restarting.finally(() => this.#restarts.delete(entry));
  }

  /** Changes how mcp-inspect presents itself to a server. Throws ConnectionError. */
  setProfile(id: string, profile: ClientProfile): void {
    this.live(id).setProfile(profile);
  }

  /** Starts the server of a connection again with another profile, beside the present run. Throws ConnectionError. */
  tryProfile(id: string, profile: ClientProfile, trial: string): Connection<L> {
    const { launch, summary } = this.live(id);
    const laterRun = { ...this.#laterRun(entryOf(summary)), trial };
    return this.start({ ...launch, profile, subscribed: [], laterRun });
  }

  /** Returns the newest run of an entry, apart from those that only try another profile. */
  #newestRun(entry: string): HubConnection<L> {
    const runs = this.members.filter(({ summary }) => entryOf(summary) === entry);
    return runs.findLast(({ summary }) => summary.trial === undefined) ?? runs.at(-1)!;
  }

  #laterRun(entry: string): RunInfo {
    const runs = this.members.filter(({ summary }) => entryOf(summary) === entry);
    return { entry, run: Math.max(...runs.map(({ summary: { run = 1 } }) => run)) + 1 };
  }

  /** Ends the connection's server, if it has one. */
  async close(connection: HubConnection<L>, reason: CloseReason): Promise<void> {
    await connection.server?.close(reason);
  }

  /**
   * Adds a connection and opens it. `create` comes from the host, so that a page that only opens recordings does not
   * load the engine.
   */
  protected open(create: (id: string, deps: HubDeps<L>) => Connection<L>): Connection<L> {
    const { clock, version } = this.#settings;
    const connection = create(this.#nextId(), {
      clock,
      version,
      onGrown: (grown) => this.onGrown(grown),
      onChanged: (changed) => this.onChanged(changed),
    });
    this.add(connection);
    // A restart took the rules of a page that has left meanwhile.
    connection.removeRules((owner) => this.#goneOwners.has(owner));
    void connection.open();
    return connection;
  }

  /**
   * Opens a recording. Rejects with a RecordingError if the file is not a recording, and with the system's error if it
   * can't be read.
   */
  async openRecording(source: RecordingSource, indexIgnored?: true): Promise<RecordedConnection> {
    const { bytes, reader, hold, ...deps } = source;
    const recorded = await RecordedConnection.open(this.#nextId(), bytes(), {
      ...deps,
      reader: reader(),
      ...(indexIgnored && { indexIgnored }),
      onGrown: (grown) => this.onGrown(grown),
      onChanged: (changed) => this.onChanged(changed),
      onUnsound: (unsound) => void this.#openWithoutIndex(unsound, source),
    });
    if (hold) this.#releases.set(recorded.id, hold());
    this.add(recorded);
    return recorded;
  }

  /** Replaces a recording whose index was wrong. */
  async #openWithoutIndex(unsound: RecordedConnection, source: RecordingSource): Promise<void> {
    const again = await this.openRecording(source, true).catch(() => undefined);
    if (again && this.#connections.has(unsound.id)) await this.forget(unsound);
  }

  protected add(connection: HubConnection<L>): void {
    this.#connections.set(connection.id, connection);
    // New connections must not get the ids of those that were restored after a reload.
    this.#newestId = Math.max(this.#newestId, Number(connection.id.slice(1)));
    this.onChanged(connection);
  }

  /** Removes an ended connection and its log. Throws ConnectionError while the server runs. */
  async forget(connection: HubConnection<L>): Promise<void> {
    const { id } = connection;
    if (!connection.ended) throw new ConnectionError(STILL_CONNECTED);
    this.#connections.delete(id);
    this.logForgotten(id);
    await connection.stopBackgroundWork();
    await this.onForgotten(connection);
    this.#releases.get(id)?.();
    this.#releases.delete(id);
    await connection.log.close();
  }

  /** Sends no more frames of a log, and tells the viewers that it is gone. */
  logForgotten(id: string): void {
    for (const viewer of this.#viewers) viewer.detach(id);
    this.broadcast({ type: 'forgotten', connection: id });
  }

  /** Called before the log of a forgotten connection is closed. */
  protected async onForgotten(_connection: HubConnection<L>): Promise<void> {}

  /** Called when a log has new frames, once for all frames of one chunk. */
  protected onGrown({ id }: HubConnection<L>): void {
    this.logGrew(id);
  }

  /** Sends the new frames of a log to the viewers that are attached to it. */
  logGrew(id: string): void {
    for (const viewer of this.#viewers) viewer.logGrew(id);
  }

  /** Called when a summary has changed. */
  protected onChanged({ id, summary }: HubConnection<L>): void {
    // A recording changes while it is opened, before viewers know it.
    if (this.#connections.has(id)) this.broadcast({ type: 'connection', connection: summary });
  }

  protected broadcast(event: Event): void {
    for (const viewer of this.#viewers) viewer.sendEvent(event);
  }

  /** Returns the first frames of a log as lines of a recording, without secrets. Throws ConnectionError. */
  protected redactedLines(id: string, frames: number): AsyncIterable<Uint8Array> {
    const { log, redactor, summary } = this.get(id);
    if (redactor) return redactedLines({ log, redactor, summary }, frames);
    throw new ConnectionError(
      recordingRefusal('and its secrets were removed when it was written', 'Share it as it is.'),
    );
  }

  get recorder(): PageRecorder {
    throw new ConnectionError(NO_RECORDER);
  }

  /** Forgets the authorization for the server of a connection. Throws ConnectionError. */
  signOut(_connection: Connection<L>): void {
    throw new ConnectionError(NOT_SIGNED_IN);
  }

  /** Keeps the sign-in of the connection's server for later runs. Rejects with a ConnectionError. */
  async keepSignIn(_connection: Connection<L>): Promise<void> {
    throw new ConnectionError(NOT_SIGNED_IN);
  }

  /** Turns re-run on save on or off for the entry of a connection. Rejects with a ConnectionError. */
  async watch(_id: string, _on: boolean): Promise<void> {
    throw new ConnectionError(NOT_WATCHED);
  }

  #nextId(): string {
    return `${this.#settings.idPrefix}${++this.#newestId}`;
  }
}

/** The fields of a `done` event, without its type and `ref`. */
type Done = Omit<Extract<Event, { type: 'done' }>, 'type' | 'ref'>;

/** Runs a command. Returns further fields of the `done` event. Throws ConnectionError for an `error` event. */
type Handler<K extends Command> = <L extends Launchable>(
  hub: Hub<L>,
  viewer: Viewer,
  command: K,
) => Partial<Done> | void | Promise<Partial<Done>> | Promise<void>;

const HANDLERS: { readonly [T in Command['type']]: Handler<Extract<Command, { type: T }>> } = {
  connect: async (hub, _, { target, protocol, replaces }) => ({
    connection: (await hub.connect(target, protocol, replaces)).id,
  }),
  restart: async (hub, _, { connection, profile }) => ({ connection: (await hub.restart(connection, profile)).id }),
  'set-profile': (hub, _, { connection, profile }) => hub.setProfile(connection, profile),
  'try-profile': (hub, _, { connection, profile, trial }) => ({
    connection: hub.tryProfile(connection, profile, trial).id,
  }),
  close: (hub, _, { connection }) => hub.close(hub.get(connection), 'user'),
  forget: (hub, _, { connection }) => hub.forget(hub.get(connection)),
  watch: (hub, _, { connection, on }) => hub.watch(connection, on),

  attach: (hub, viewer, { connection, after }) => viewer.attach(connection, hub.get(connection).log, after),
  read: (hub, viewer, { connection, from, to }) => viewer.sendAgain(connection, hub.get(connection).log, from, to),

  request: (hub, _, { connection, method, params, timeoutMs, task }) => ({
    seq: hub.live(connection).request(method, params, { timeoutMs, task, followsTask: true }).seq,
  }),
  notify: (hub, _, { connection, method, params }) => ({ seq: hub.live(connection).server.notify(method, params) }),
  'send-raw': (hub, _, { connection, text, terminate }) => ({
    seq: hub.live(connection).server.sendRaw(text, terminate),
  }),
  cancel: (hub, _, { connection, id }) => hub.live(connection).server.cancel(id),
  answer: (hub, _, { connection, id, key, answer, always }) => hub.live(connection).answer(id, key, answer, always),
  standing: async (hub, _, { connection, change }) => ({
    standing: await hub.live(connection).standingAnswers(change),
  }),
  'set-roots': (hub, _, { connection, roots }) => hub.live(connection).setRoots(roots),
  'log-level': (hub, _, { connection, level }) => hub.live(connection).server.setLogLevel(level ?? undefined),
  retry: (hub, _, { connection }) => hub.live(connection).server.retry(),
  'look-further': (hub, _, { connection, where }) => hub.live(connection).lookFurther(where),

  reveal: (hub, _, { connection, seq, field }) => ({ secret: hub.get(connection).reveal(seq, field) }),
  'app-message': (hub, _, { connection, direction, text }) => {
    hub.live(connection).server.logAppMessage(direction, text);
  },
  note: (hub, _, { connection, on, text, bookmark }) => hub.get(connection).annotate({ on, text, bookmark }),

  'cancel-sign-in'(hub, _, { connection }) {
    if (!hub.live(connection).server.cancelSignIn()) throw new ConnectionError(NO_SIGN_IN);
  },
  'sign-out': (hub, _, { connection }) => hub.signOut(hub.live(connection)),
  'keep-sign-in': (hub, _, { connection }) => hub.keepSignIn(hub.live(connection)),
  'auth-step': (hub, _, { connection, step }) => hub.live(connection).runAuthStep(step),

  'set-rules': (hub, viewer, { connection, rules }) => hub.get(connection).setRules(viewer.ruleOwner, rules),
  'read-held': async (hub, _, { connection, hold }) => ({ held: heldText(await hub.get(connection).readHeld(hold)) }),
  decide: (hub, _, { connection, hold, decision }) => hub.get(connection).decide(hold, decision),
  'set-overlay': (hub, viewer, { connection, overlay }) => hub.get(connection).setOverlay(viewer.ruleOwner, overlay),

  record: async (hub, viewer, command) => ({ recorded: await hub.recorder.record(viewer, command) }),
  'record-end': (hub, viewer, { connection }) => hub.recorder.end(viewer, connection),
};

/** Returns the id that the answer to a command carries. */
export function refOf(command: Command): string | undefined {
  return 'ref' in command ? command.ref : undefined;
}

/** Decodes a held message for the page. */
function heldText(bytes: Uint8Array): { readonly text: string; readonly invalidUtf8?: true } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text };
  } catch {
    return { text, invalidUtf8: true };
  }
}

const INTERNAL = {
  code: 'internal',
  message: 'mcp-inspect itself failed.',
  advice: 'Try again. If it happens again, report it.',
};

const ONLY_RECORDINGS = {
  code: 'only-to-read',
  message: 'This page only shows a recording and cannot connect to a server.',
  advice: 'Run mcp-inspect to connect to a server.',
};

const STILL_CONNECTED = {
  code: 'still-connected',
  message: 'The server is still connected.',
  advice: 'Disconnect it first.',
};

const NO_SIGN_IN = {
  code: 'no-sign-in',
  message: 'This connection is not waiting for a sign-in.',
  advice: 'See its message log for what happened.',
};

const NO_RECORDER = {
  code: 'no-recorder',
  message: 'A page cannot record without the proxy.',
  advice: 'Connect through the proxy to record.',
};

const NOT_WATCHED = {
  code: 'not-watched',
  message: 'A page can’t watch files.',
  advice: 'Connect through the proxy to run again on save.',
};

const NOT_SIGNED_IN = {
  code: 'not-signed-in',
  message: 'A direct connection cannot sign in.',
  advice: 'Give a header with a token, or connect through the proxy.',
};
