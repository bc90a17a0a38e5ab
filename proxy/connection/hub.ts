import { Readable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Credentials } from '@/lib/auth/credentials';
import { runCommand } from '@/lib/hub/commands';
import { Connection } from '@/lib/hub/connection';
import { RecordedConnection } from '@/lib/hub/recorded-connection';
import { redactedLines } from '@/lib/hub/redacted-log';
import { Viewer } from '@/lib/hub/viewer';
import type { CloseReason } from '@/lib/mcp/live-connection';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError, type HttpSink, type Transport, type TransportEnd } from '@/lib/transports/transport';
import type { ConnectionsReply, ServersReply } from '@/lib/wire/api';
import type { Clock } from '@/lib/wire/clock';
import type { Event, Target } from '@/lib/wire/command';
import type { ConnectionState, Failure, ProtocolChoice } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { inflateOnThread, runningSha256 } from '@/proxy/files/native-codecs';
import { SpillFile } from '@/proxy/files/spill-file';
import type { ConnectionRecorder } from '@/proxy/recorder/connection-recorder';
import type { OpenedFile } from '@/proxy/recorder/open-file';
import type { Recorder } from '@/proxy/recorder/recorder';
import type { ServerEras } from '@/proxy/recorder/server-eras';
import {
  isInsecure,
  type Launch,
  type LookFurther,
  launchAs,
  launchSecrets,
  type Preset,
  presetOf,
  resolveLaunch,
  serverIdentity,
  startEvent,
} from './launch';
import { PageRecordings } from './page-recordings';
import { readSocket, SocketLink } from './viewer-socket';

/** What the hub needs from the process around it. */
export interface HubOptions {
  readonly clock: Clock;
  readonly version: string;
  readonly presets: readonly Preset[];
  /** How long servers outlive the last viewer, in ms. */
  readonly graceMs?: number;
  openTransport(launch: Launch, sink: HttpSink): Transport;
  /** What authorization servers granted, shared by all connections. */
  readonly credentials?: Credentials;
  readonly lookFurther: LookFurther;
  /** Absent: nothing is recorded. */
  readonly recorder?: Recorder;
  /** Absent: each new connection in auto mode probes. */
  readonly eras?: ServerEras;
}

type Member = Connection<Launch> | RecordedConnection;

/** All connections and all viewers of this run: fans frames and events out, and carries commands in. */
export class Hub {
  /** Of connections that pages make themselves. */
  readonly recordings: PageRecordings;
  readonly #options: HubOptions;
  readonly #graceMs: number;
  readonly #connections = new Map<string, Member>();
  /** Of connections that are recorded. */
  readonly #recorders = new Map<string, ConnectionRecorder>();
  /** Ends what keeps the files of opened recordings from being deleted. */
  readonly #shown = new Map<string, () => void>();
  readonly #viewers = new Set<Viewer>();
  readonly #restarts = new Map<string, Promise<Connection<Launch>>>();
  #shapes: CaptureRedactor | undefined;
  #made = 0;
  #cancelGrace: (() => void) | undefined;
  /** True while the last viewer has left and none has come back. */
  #abandoned = false;
  #closed = false;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#graceMs = options.graceMs ?? LIMITS.viewerGraceMs;
    this.recordings = new PageRecordings(options.recorder, options.clock);
  }

  /** For `GET /api/connections`. */
  connections(): ConnectionsReply {
    return Array.from(this.#connections.values(), (connection) => connection.summary);
  }

  /** For `GET /api/servers`. */
  servers(): ServersReply {
    return this.#options.presets.map((preset) => preset.shown);
  }

  /** Takes a socket that the guard let in, and whose protocol errors somebody listens to. */
  accept(socket: WebSocket): void {
    const { clock, version } = this.#options;
    const viewer = new Viewer(new SocketLink(socket), clock);
    this.#viewers.add(viewer);
    this.#cancelGrace?.();
    this.#abandoned = false;
    readSocket(socket, viewer, {
      clock,
      runCommand: (command) => void runCommand(this, viewer, command),
      addBatch: (message) => this.recordings.addBatch(viewer, message),
    });
    socket.on('close', () => this.#left(viewer));
    viewer.sendEvent({ type: 'welcome', version, graceMs: this.#graceMs });
  }

  /** Starts a server as a new connection. Throws ConnectionError for a target that can't be started at all. */
  connect(target: Target, protocol: ProtocolChoice): Connection<Launch> {
    const earlier = this.#live().map(({ id, launch }) => presetOf(id, launch));
    return this.start(resolveLaunch(target, protocol, [...this.#options.presets, ...earlier]));
  }

  /** Starts what was resolved before, as a new connection. */
  start(given: Launch): Connection<Launch> {
    if (this.#closed) throw new ConnectionError(SHUTTING_DOWN);
    const { clock, version, openTransport, lookFurther, eras } = this.#options;
    const server = serverIdentity(given);
    const launch = { ...given, remembered: given.remembered ?? eras?.read(server) };
    const connection = new Connection(`c${++this.#made}`, launch, {
      clock,
      version,
      start: startEvent,
      openTransport: (to, kind, sink) => openTransport(launchAs(to, kind), sink),
      openSpill: () => new SpillFile(),
      exitFailure,
      onEraFound: (found) => eras?.remember(server, found),
      secrets: launchSecrets(launch),
      insecure: isInsecure(launch),
      ...(launch.transport !== 'stdio' && {
        lookFurther: (where, sink, signal) => lookFurther(launch, where, sink, signal),
      }),
      onGrown: (grown) => {
        this.#grown(grown.id);
        this.#recorders.get(grown.id)?.onLogGrown();
        // What is said or asked later is added to it.
        if (grown.ended) void this.#recorders.get(grown.id)?.end();
      },
      onChanged: ({ summary }) => this.#broadcast({ type: 'connection', connection: summary }),
    });
    this.#connections.set(connection.id, connection);
    this.#broadcast({ type: 'connection', connection: connection.summary });
    void connection.open();
    this.#record(connection);
    // A restart may come to its end after the last tab has gone.
    if (this.#abandoned) this.#startGrace();
    return connection;
  }

  /** Opens a recording. Rejects with a RecordingError for what is none, and with the system's error. */
  async openRecording(file: OpenedFile, indexIgnored?: true): Promise<RecordedConnection> {
    const { name, bytes, parts, add } = file;
    const recorded = await RecordedConnection.open(`c${++this.#made}`, bytes, {
      file: name,
      reader: new RecordingReader(runningSha256()),
      add: (frame) => add([frame]),
      parts,
      inflate: inflateOnThread,
      ...(indexIgnored && { indexIgnored }),
      openSpill: () => new SpillFile(),
      onUnsound: (unsound) => void this.#openAnew(unsound, file),
      onGrown: ({ id }) => this.#grown(id),
      onChanged: (changed) => {
        if (this.#connections.has(changed.id)) this.#broadcast({ type: 'connection', connection: changed.summary });
      },
    });
    this.#shown.set(recorded.id, file.shown());
    this.#connections.set(recorded.id, recorded);
    this.#broadcast({ type: 'connection', connection: recorded.summary });
    return recorded;
  }

  /** Opens a recording without its indexes, in the place of what they made of it. */
  async #openAnew(unsound: RecordedConnection, file: OpenedFile): Promise<void> {
    const again = await this.openRecording(file, true).catch(() => undefined);
    if (again && this.#connections.has(unsound.id)) await this.forget(unsound);
  }

  /** Ends a connection and starts the same server as a new one. Asked twice at a time, there is still one new one. */
  restart(id: string): Promise<Connection<Launch>> {
    const old = this.get(id);
    const { launch } = old;
    const restarting = this.#restarts.get(id) ?? old.close('restart').then(() => this.start(launch));
    this.#restarts.set(id, restarting);
    return restarting.finally(() => this.#restarts.delete(id));
  }

  /** The connection with this id. Throws ConnectionError `no-connection`. */
  get(id: string): Member {
    const connection = this.#connections.get(id);
    if (connection) return connection;
    throw new ConnectionError({
      code: 'no-connection',
      message: `There is no connection ${JSON.stringify(id)}.`,
      advice: 'Reload the page to see the connections there are.',
    });
  }

  /** A text without secrets of known shapes and names, nor those of any connection of this run. */
  redactedText(text: string): string {
    this.#shapes ??= new CaptureRedactor([]);
    let bytes: Uint8Array = Buffer.from(text);
    for (const redactor of [this.#shapes, ...this.#live().map((connection) => connection.redactor)]) {
      bytes = redactor.fork().apply({ bytes }).bytes;
    }
    return Buffer.from(bytes).toString();
  }

  /** The first frames of a live connection's log as they may leave. Throws ConnectionError. */
  redactedLog(id: string, frames: number): ReadableStream<Uint8Array<ArrayBuffer>> {
    const connection = this.get(id);
    if (connection instanceof Connection) return streamOf(redactedLines(connection, frames));
    throw new ConnectionError(IS_RECORDING);
  }

  /** Forgets what was granted for the server of this connection, and says so in the logs of all that used it. */
  signOut({ launch }: Member): void {
    const url = launch.transport === 'stdio' ? undefined : launch.url;
    if (url === undefined || !this.#options.credentials?.signOut(url)) {
      throw new ConnectionError({
        code: 'not-signed-in',
        message: 'Nobody is signed in at this server.',
        advice: 'Restart the connection if it should ask again.',
      });
    }
    for (const other of this.#live()) {
      if (other.launch.transport !== 'stdio' && other.launch.url === url) other.signedOut();
    }
  }

  /** Takes an ended connection and its log away. Throws ConnectionError while the server lives. */
  async forget(connection: Member): Promise<void> {
    if (!connection.ended) {
      throw new ConnectionError({
        code: 'still-connected',
        message: 'The server is still connected.',
        advice: 'Disconnect it first.',
      });
    }
    this.#connections.delete(connection.id);
    for (const viewer of this.#viewers) viewer.detach(connection.id);
    this.#broadcast({ type: 'forgotten', connection: connection.id });
    await connection.stopBackgroundWork();
    await this.#recorders.get(connection.id)?.end();
    this.#recorders.delete(connection.id);
    this.#shown.get(connection.id)?.();
    this.#shown.delete(connection.id);
    await connection.log.close();
  }

  /** Ends every server and takes no new one. Resolves when all are gone. */
  async shutdown(): Promise<void> {
    this.#closed = true;
    this.#cancelGrace?.();
    this.recordings.close();
    await this.#closeAll('shutdown');
    await Promise.all(Array.from(this.#connections.values(), (connection) => connection.stopBackgroundWork()));
    await Promise.all(Array.from(this.#recorders.values(), (recorder) => recorder.end()));
    await Promise.all(Array.from(this.#connections.values(), ({ log }) => log.close()));
  }

  /** After the log has begun, so that a failure is not its first frame. */
  #record(connection: Connection<Launch>): void {
    const { launch, log, redactor, summary } = connection;
    const failed = (message: string) => connection.logEvent({ event: 'recording-failed', message });
    const { name, transport } = launch;
    const recorder = this.#options.recorder?.record(log, { name, transport, at: summary.startedAt, redactor }, failed);
    if (!recorder) return;
    this.#recorders.set(connection.id, recorder);
    connection.recordedIn(recorder.path);
    if (connection.ended) void recorder.end();
  }

  #live(): Connection<Launch>[] {
    return Array.from(this.#connections.values()).filter((one) => one instanceof Connection);
  }

  #grown(id: string): void {
    for (const viewer of this.#viewers) viewer.logGrew(id);
  }

  #left(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    this.recordings.viewerLeft(viewer);
    if (this.#viewers.size > 0 || this.#closed) return;
    this.#abandoned = true;
    this.#startGrace();
  }

  #startGrace(): void {
    this.#cancelGrace?.();
    this.#cancelGrace = this.#options.clock.after(this.#graceMs, () => void this.#closeAll('no-viewer'));
  }

  async #closeAll(reason: CloseReason): Promise<void> {
    await Promise.all(Array.from(this.#connections.values(), (connection) => connection.close(reason)));
  }

  #broadcast(event: Event): void {
    for (const viewer of this.#viewers) viewer.sendEvent(event);
  }
}

function streamOf(lines: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return Readable.toWeb(Readable.from(lines)) as ReadableStream<Uint8Array<ArrayBuffer>>;
}

const IS_RECORDING = {
  code: 'is-recording',
  message: 'This is a recording, which was written without secrets.',
  advice: 'Share it as it is.',
} as const;

const SHUTTING_DOWN = {
  code: 'shutting-down',
  message: 'mcp-inspect is shutting down.',
  advice: 'Start it again in the terminal.',
};

/** How a server's own end is told. */
function exitFailure(state: ConnectionState, { code, signal }: TransportEnd): Failure {
  const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
  return {
    code: 'server-exited',
    message: state === 'starting' ? `The server ${how} before it was ready.` : `The server ${how}.`,
    advice:
      code === 0
        ? 'It ended as if it had nothing to do: check that the command starts a server, and what it printed in the log.'
        : 'Read its stderr in the log, mend the cause, then restart it.',
  };
}
