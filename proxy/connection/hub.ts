import { randomUUID } from 'node:crypto';
import { type Duplex, Readable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Credentials } from '@/lib/auth/credentials';
import { Connection } from '@/lib/hub/connection';
import type { EndedConnection } from '@/lib/hub/ended-connection';
import type { FrameLog } from '@/lib/hub/frame-log';
import { Hub, type HubConnection } from '@/lib/hub/hub';
import type { RecordedConnection } from '@/lib/hub/recorded-connection';
import type { StandingStore } from '@/lib/hub/standing-answers';
import { launchAs, type UrlLaunch } from '@/lib/hub/url-launch';
import type { CloseReason } from '@/lib/mcp/live-connection';
import type { RuleSet } from '@/lib/mcp/message-interceptor';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError, type HttpSink, type Transport } from '@/lib/transports/transport';
import type { ClientProfile } from '@/lib/wire/client-profile';
import { type Clock, systemClock } from '@/lib/wire/clock';
import { entryOf, type StdioTarget, type Target, type UrlTarget } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { inflateOnThread, runningSha256 } from '@/proxy/files/native-codecs';
import { SpillFile } from '@/proxy/files/spill-file';
import type { ServerTelemetry } from '@/proxy/otel/server-telemetry';
import type { ConnectionRecorder } from '@/proxy/recorder/connection-recorder';
import type { OpenedFile } from '@/proxy/recorder/open-file';
import type { Recorder } from '@/proxy/recorder/recorder';
import type { ServerEras } from '@/proxy/recorder/server-eras';
import {
  type Launch,
  type LookFurther,
  launchSecrets,
  type Preset,
  prepareLaunch,
  presetOf,
  printedUrlLaunch,
  type StdioLaunch,
  serverDigest,
  serverIdentity,
  skipsVerification,
  startEvent,
} from './launch';
import { PageRecordings } from './page-recordings';
import { SocketLink } from './socket-link';
import { readSocket } from './viewer-socket';

/** The facts that are known when somebody connects to a server. */
export interface ServerUse {
  readonly launch: Launch;
  readonly target: Target;
  /** Set once the connection is open. */
  readonly opened?: true;
  /** The name that the server gave itself. */
  readonly serverName?: string | undefined;
  /** Id of the kept server that was edited into this one. */
  readonly replaces?: string | undefined;
  /** The launch of the connection that was edited into this one, and whether that failed to open. */
  readonly before?: { readonly launch: Launch; readonly failed: boolean } | undefined;
}

/** Reads a log as it grows. */
interface LogFollower {
  onLogGrown(): void;
  /** Resolves when the whole log was read. */
  end(): Promise<void>;
}

/** The process's services for the hub. */
export interface ProxyHubOptions {
  readonly clock: Clock;
  readonly version: string;
  /** The servers that a target's `base` can name. */
  readonly presets: readonly Preset[];
  /** Keeps a server that somebody connects to. Called again when it is open. Absent: none is kept. */
  remember?(use: ServerUse): void;
  /** How long servers outlive the last viewer, in ms. */
  readonly graceMs?: number;
  openTransport(launch: Launch, sink: HttpSink, telemetry: ServerTelemetry | undefined): Transport;
  /** Receives the OpenTelemetry of this server. Absent, or undefined: it is not received. */
  telemetryOf?(launch: Launch): ServerTelemetry | undefined;
  /** Rejects with a ConnectionError if a command may not start. Absent: all may. */
  confirm?(launch: StdioLaunch, target: StdioTarget): Promise<void>;
  /** Rejects with a ConnectionError if key and token files may not be used at this URL. Absent: all may. */
  confirmSecretFiles?(launch: UrlLaunch, target: UrlTarget): Promise<void>;
  /** Tokens from authorization servers, shared by all connections. */
  readonly credentials?: Credentials;
  readonly lookFurther: LookFurther;
  /** Absent: nothing is recorded. */
  readonly recorder?: Recorder;
  /** Rules of interception for every connection. */
  readonly rules?: readonly RuleSet[];
  /** Absent: each new connection in auto mode probes. */
  readonly eras?: ServerEras;
  /** Absent: people answer all questions. */
  readonly standing?: StandingStore;
  /** Further logs, which are attached to, read and shared like those of connections, but are not listed. */
  readonly further?: {
    get(id: string): EndedConnection<Launch> | undefined;
    inboxChanged(connection: Connection<Launch>): void;
    /** Called once a connection is gone. */
    forgotten(id: string): void;
  };
  /** Exports live connections. Absent: nothing is exported. */
  readonly exporter?: {
    /** Exports a log from its first frame on. */
    follow(connection: {
      readonly log: FrameLog;
      readonly redactor: CaptureRedactor;
      readonly secrets: readonly string[];
      readonly recording?: { readonly id: string; readonly path: string } | undefined;
    }): LogFollower;
    end(): Promise<void>;
  };
}

/** The proxy's connections. It starts servers, records them, and ends them some time after the last viewer has left. */
export class ProxyHub extends Hub<Launch> {
  readonly #options: ProxyHubOptions;
  readonly #pageRecordings: PageRecordings;
  readonly #graceMs: number;
  /** By connection id. */
  readonly #recorders = new Map<string, ConnectionRecorder>();
  readonly #recordingSoon = new Set<ConnectionRecorder>();
  /** Exports of live connections, by connection id. */
  readonly #followers = new Map<string, LogFollower>();
  /** Servers that have yet to say their name, by connection id. */
  readonly #unnamed = new Set<string>();
  /** How each server was connected to, by the id of its first run. */
  readonly #uses = new Map<string, ServerUse>();
  /** Redacts texts that belong to no connection. Created on first use, because that takes time. */
  #textRedactor: CaptureRedactor | undefined;
  #cancelGrace: (() => void) | undefined;
  /** True after the last viewer has left, until another one comes. */
  #abandoned = false;
  #closed = false;
  #confirming = 0;

  constructor(options: ProxyHubOptions) {
    const { clock, version, graceMs = LIMITS.viewerGraceMs } = options;
    super({ clock, version, graceMs, idPrefix: 'c' });
    this.#options = options;
    this.#graceMs = graceMs;
    this.#pageRecordings = new PageRecordings(options.recorder, clock);
  }

  override get recorder(): PageRecordings {
    return this.#pageRecordings;
  }

  /**
   * Adds the viewer behind a socket, which writes to `wire`. The guard has checked it, and the caller handles its
   * errors.
   */
  accept(socket: WebSocket, wire: Duplex): void {
    // Real sockets take real time, whatever the clock of the hub says.
    const link = new SocketLink(socket, wire, systemClock);
    const viewer = this.addViewer(link);
    this.#cancelGrace?.();
    this.#abandoned = false;
    readSocket(socket, link, viewer, {
      clock: this.#options.clock,
      runCommand: (command) => void this.runCommand(viewer, command),
      addBatch: (message) => this.#pageRecordings.addBatch(viewer, message),
    });
    socket.on('close', () => {
      this.removeViewer(viewer);
      this.#pageRecordings.viewerLeft(viewer);
      if (this.hasViewers || this.#closed) return;
      this.#abandoned = true;
      this.#startGrace();
    });
    this.welcome(viewer);
    if (this.#confirming > 0) viewer.sendEvent({ type: 'confirming', commands: this.#confirming });
  }

  /** Tells the pages how many commands wait for confirmation in the terminal. */
  showConfirming(commands: number): void {
    this.#confirming = commands;
    this.broadcast({ type: 'confirming', commands });
  }

  override get(id: string): HubConnection<Launch> {
    return this.#options.further?.get(id) ?? super.get(id);
  }

  /** Returns the newest run of an entry, apart from those that only try another profile. Throws ConnectionError. */
  newestRunOf(entry: string): Connection<Launch> {
    const isRun = ({ summary }: Connection<Launch>) => entryOf(summary) === entry && summary.trial === undefined;
    return this.#live().findLast(isRun) ?? this.live(entry);
  }

  override async connect(target: Target, protocol: ProtocolChoice, replaces?: string): Promise<Connection<Launch>> {
    if (Buffer.byteLength(JSON.stringify(target)) > TARGET_BYTES) throw new ConnectionError(TARGET_TOO_LONG);
    const earlier = this.#live();
    const { presets, remember, confirm, confirmSecretFiles } = this.#options;
    const known = [...presets, ...earlier.map((one) => presetOf(one.id, one.launch))];
    const launch = await prepareLaunch(target, protocol, known);
    if (launch.transport === 'stdio') await confirm?.(launch, target as StdioTarget);
    else await confirmSecretFiles?.(launch, target as UrlTarget);
    const connection = this.start(launch);
    const before = earlier.find(({ id }) => id === target.base);
    const edited = before && { launch: before.launch, failed: hasNeverOpened(before) };
    const use: ServerUse = { launch, target, replaces, before: edited };
    remember?.(use);
    this.#unnamed.add(connection.id);
    this.#uses.set(connection.id, use);
    return connection;
  }

  override setProfile(id: string, profile: ClientProfile): void {
    super.setProfile(id, profile);
    this.#rememberProfile(this.live(id));
  }

  override async restart(id: string, profile?: ClientProfile): Promise<Connection<Launch>> {
    const connection = await super.restart(id, profile);
    if (profile) this.#rememberProfile(connection);
    return connection;
  }

  /** Keeps the client settings that a connected server has now, for the next time. */
  #rememberProfile({ launch: { profile }, summary }: Connection<Launch>): void {
    const use = this.#uses.get(entryOf(summary));
    if (use) this.#options.remember?.({ launch: { ...use.launch, profile }, target: use.target });
  }

  override start(given: Launch): Connection<Launch> {
    if (this.#closed) throw new ConnectionError(SHUTTING_DOWN);
    const { openTransport, lookFurther, eras, standing, rules, exporter } = this.#options;
    const server = serverIdentity(given);
    const launch = {
      ...given,
      remembered: given.remembered ?? eras?.read(server),
      ...(rules && { rules: given.rules ?? rules }),
    };
    const telemetry = this.#options.telemetryOf?.(launch);
    const secrets = [...launchSecrets(launch), ...(telemetry?.secrets ?? [])];
    const connection = this.open(
      (id, deps) =>
        new Connection(id, launch, {
          ...deps,
          start: (started, at) => startEvent(started, at, telemetry?.names),
          openTransport: (to, kind, sink) => openTransport(launchAs(to, kind), sink, telemetry),
          telemetry,
          traced: telemetry !== undefined || exporter !== undefined,
          openSpill: () => new SpillFile(),
          onEraFound: (found) => eras?.remember(server, found),
          ...(standing && { standing: { store: standing, server: serverDigest(launch) } }),
          secrets,
          insecure: skipsVerification(launch),
          lookFurther: async (where, sink, signal, printed) => {
            const to = launch.transport === 'stdio' ? printed && printedUrlLaunch(printed) : launch;
            if (to) await lookFurther(to, where, sink, signal);
          },
        }),
    );
    this.#record(connection, secrets);
    // A restart may finish after the last viewer has left.
    if (this.#abandoned) this.#startGrace();
    return connection;
  }

  /** Records a new connection. Call this after the log’s first frame, because a failure to record is logged. */
  #record(connection: Connection<Launch>, secrets: readonly string[]): void {
    const { launch, log, redactor, summary } = connection;
    const failed = (message: string) => connection.logEvent({ event: 'recording-failed', message });
    // Recordings of trials lie beside those of the server, and would look alike.
    const name = [launch.name, summary.trial].filter(Boolean).join(', ');
    const id = randomUUID();
    const about = { name, transport: launch.transport, at: summary.startedAt, redactor, id, as: summary.as };
    const recorder = this.#options.recorder?.record(log, about, failed);
    const follower = this.#options.exporter?.follow({
      log,
      redactor,
      secrets,
      recording: recorder && { id, path: recorder.path },
    });
    if (follower) this.#followers.set(connection.id, follower);
    follower?.onLogGrown();
    if (!recorder) return;
    this.#recorders.set(connection.id, recorder);
    connection.recordedIn(recorder.path);
    recorder.onBacklog((frames) => connection.recordingIsBehind(frames));
    if (connection.ended) this.#endRecording(connection, recorder);
  }

  /** Ends a recording. If the command could not be started, there is nothing to keep. */
  #endRecording(connection: HubConnection<Launch>, recorder: ConnectionRecorder): void {
    const isEmpty = connection instanceof Connection && connection.server.neverStarted;
    if (!isEmpty || !this.#options.recorder?.discard(recorder)) {
      void recorder.end();
      return;
    }
    this.#recorders.delete(connection.id);
    connection.recordedIn(undefined);
  }

  protected override onGrown(connection: HubConnection<Launch>): void {
    super.onGrown(connection);
    this.#followers.get(connection.id)?.onLogGrown();
    const recorder = this.#recorders.get(connection.id);
    if (!recorder) return;
    if (!connection.ended) this.#recordSoon(recorder);
    else {
      // Notes and probes after the end are added to the recording.
      recorder.onLogGrown();
      this.#endRecording(connection, recorder);
    }
  }

  /** Writes to a recording right after the viewers' sockets, before any other input is read. */
  #recordSoon(recorder: ConnectionRecorder): void {
    if (this.#recordingSoon.size === 0) {
      process.nextTick(() => {
        const soon = [...this.#recordingSoon];
        this.#recordingSoon.clear();
        for (const one of soon) one.onLogGrown();
      });
    }
    this.#recordingSoon.add(recorder);
  }

  protected override onChanged(connection: HubConnection<Launch>): void {
    super.onChanged(connection);
    if (connection instanceof Connection) this.#options.further?.inboxChanged(connection);
    if (!this.#unnamed.has(connection.id)) return;
    const { serverName, state } = connection.summary;
    if (serverName === undefined && state !== 'open') return;
    this.#unnamed.delete(connection.id);
    this.#options.remember?.({ ...this.#uses.get(connection.id)!, opened: true, serverName });
  }

  protected override async onForgotten({ id, summary }: HubConnection<Launch>): Promise<void> {
    this.#unnamed.delete(id);
    const entry = entryOf(summary);
    if (this.members.every((other) => entryOf(other.summary) !== entry)) this.#uses.delete(entry);
    this.#options.further?.forgotten(id);
    await Promise.all([this.#recorders.get(id)?.end(), this.#followers.get(id)?.end()]);
    this.#followers.delete(id);
    this.#recorders.delete(id);
  }

  /** As {@link forget}, and deletes the recording unless somebody named or noted it. */
  async forgetWithRecording(connection: Connection<Launch>): Promise<void> {
    const recorder = this.#recorders.get(connection.id);
    await this.forget(connection);
    if (recorder) this.#options.recorder?.deleteUnmarked(recorder);
  }

  /** Opens a file as a recording. Rejects with a RecordingError for other files, and with the system's error. */
  openFile(
    { name, bytes, length, parts, add, shown, convertArchive }: OpenedFile,
    onOpening: (progress: ReadingProgress) => void = () => {},
  ): Promise<RecordedConnection> {
    return this.openRecording({
      file: name,
      bytes: () => bytes,
      length,
      onOpening,
      parts,
      reader: () => new RecordingReader(runningSha256()),
      add: (frame) => add([frame]),
      inflate: inflateOnThread,
      convertArchive,
      openSpill: () => new SpillFile(),
      hold: shown,
    });
  }

  /**
   * Returns a text without secrets of known shapes and names, and without those of any connection or earlier text of
   * this run.
   */
  redactedText(text: string): string {
    this.#textRedactor ??= new CaptureRedactor([]);
    let bytes: Uint8Array = Buffer.from(text);
    for (const redactor of [this.#textRedactor, ...this.#live().map((connection) => connection.redactor)]) {
      bytes = redactor.fork().apply({ bytes }).bytes;
    }
    return Buffer.from(bytes).toString();
  }

  /** Returns the first frames of a live connection's log as a recording without secrets. Throws ConnectionError. */
  redactedLog(id: string, frames: number): ReadableStream<Uint8Array<ArrayBuffer>> {
    const lines = Readable.from(this.redactedLines(id, frames));
    return Readable.toWeb(lines) as ReadableStream<Uint8Array<ArrayBuffer>>;
  }

  /** Forgets the tokens for the connection's server, and logs it on every connection that used them. */
  override signOut({ launch }: Connection<Launch>): void {
    const url = launch.transport === 'stdio' ? undefined : launch.url;
    if (url === undefined || !this.#options.credentials?.signOut(url)) throw new ConnectionError(NOT_SIGNED_IN);
    for (const other of this.#live()) {
      if (other.launch.transport === 'stdio' || other.launch.url !== url) continue;
      other.logEvent({ event: 'authorization', phase: 'signed-out' });
    }
  }

  /** Keeps the sign-in of the connection's server for later runs. Rejects with a ConnectionError. */
  override async keepSignIn(connection: Connection<Launch>): Promise<void> {
    const { launch } = connection;
    const url = launch.transport === 'stdio' ? undefined : launch.url;
    const isKept = url !== undefined && (await this.#options.credentials?.keepBeyondRun(url));
    if (!isKept) throw new ConnectionError(NOT_KEPT);
    connection.logEvent({ event: 'auth-step', step: 'keep', phase: 'done' });
  }

  /** Ends every server and accepts no new one. Resolves when all are gone. */
  async shutdown(): Promise<void> {
    this.#closed = true;
    this.#cancelGrace?.();
    this.#pageRecordings.close();
    await this.#closeAll('shutdown');
    await Promise.all(this.members.map((connection) => connection.stopBackgroundWork()));
    await Promise.all([this.#endExport(), ...Array.from(this.#recorders.values(), (recorder) => recorder.end())]);
    await Promise.all(this.members.map(({ log }) => log.close()));
  }

  /** Never rejects. The exporter decides how long it waits. */
  async #endExport(): Promise<void> {
    const { exporter } = this.#options;
    if (!exporter) return;
    await Promise.all(Array.from(this.#followers.values(), (follower) => follower.end()));
    await exporter.end();
  }

  /** Returns what {@link shutdown} waits for, as a sentence for people; undefined if nothing is left. */
  waitsFor(): string | undefined {
    const running = this.#live().filter(({ ended }) => !ended);
    if (running.length > 0) {
      const names = running.map(({ summary }) => `\`${summary.name}\``).join(', ');
      return this.redactedText(`Waiting for ${names} to exit.`);
    }
    const left = Array.from(this.#recorders.values(), (recorder) => recorder.left).reduce((sum, one) => sum + one, 0);
    if (left === 0) return undefined;
    return `Writing the last ${left.toLocaleString('en')} messages to the recording. Another Ctrl-C leaves them out.`;
  }

  async #closeAll(reason: CloseReason): Promise<void> {
    await Promise.all(this.members.map((connection) => this.close(connection, reason)));
  }

  #startGrace(): void {
    this.#cancelGrace?.();
    this.#cancelGrace = this.#options.clock.after(this.#graceMs, () => void this.#closeAll('no-viewer'));
  }

  #live(): Connection<Launch>[] {
    return this.members.filter((connection) => connection instanceof Connection);
  }
}

function hasNeverOpened({ server: { negotiated, failure } }: Connection<Launch>): boolean {
  return negotiated === undefined && failure !== undefined;
}

/** Bytes of a target from a page as JSON. Every page gets it several times. */
const TARGET_BYTES = 512 * 1024;

const TARGET_TOO_LONG = {
  code: 'command-too-long',
  message: `The server’s command or URL, with its arguments, variables and headers, is longer than ${TARGET_BYTES / 1024} KiB.`,
  advice: 'Shorten it, or pass large values in a file.',
};

const NOT_SIGNED_IN = {
  code: 'not-signed-in',
  message: 'You are not signed in to this server.',
  advice: 'Restart the connection to sign in.',
};

const NOT_KEPT = {
  code: 'not-kept',
  message: 'There is no sign-in that can be kept. Tokens that are bound to a key (DPoP) can’t be.',
  advice: 'Sign in first.',
};

const SHUTTING_DOWN = {
  code: 'shutting-down',
  message: 'mcp-inspect is shutting down.',
  advice: 'Start it again in the terminal.',
};
