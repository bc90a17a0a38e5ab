import { errorEvent } from '@/lib/hub/commands';
import { Connection } from '@/lib/hub/connection';
import { RedactedLog, redactedLines } from '@/lib/hub/redacted-log';
import { resolveUrl, type UrlLaunch, urlSecrets, urlStart } from '@/lib/hub/url-launch';
import type { ViewerLink } from '@/lib/hub/viewer';
import type { TransportKind } from '@/lib/mcp/live-connection';
import { ConnectionError, type HttpSink, type Transport } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { RecordingProgress, Target } from '@/lib/wire/command';
import { formatBytes } from '@/lib/wire/format';
import { nextTask } from '@/lib/wire/in-slices';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import type { KeptRecordingsRequest, PageToWorker, WorkerReply } from '@/lib/wire/worker-message';
import type { BrowserRecordings } from './browser-recordings';
import { isForbiddenHeader } from './cors';
import type { LogKeeper, RestoredLog } from './log-keeper';
import { DIRECT_KEPT_BYTES } from './log-keeper';
import type { LogRecorder } from './log-recorder';
import { type PageConnection, PageHub, type Recordings } from './page-hub';
import { RestoredConnection } from './restored-connection';

/** What the hub needs from the worker around it. */
export interface DirectHubOptions {
  readonly clock: Clock;
  /** Ours, told to servers as `clientInfo`. */
  readonly version: string;
  /** The page. */
  readonly page: ViewerLink;
  /** Absent: a reload loses the logs. */
  readonly keeper?: Pick<LogKeeper, 'add' | 'logGrew' | 'forget'>;
  /** Absent: the page has nobody who records. */
  readonly recorder?: Pick<LogRecorder, 'follow' | 'unfollow' | 'logChanged'>;
  /** Where the browser keeps recordings; absent: nowhere. */
  readonly kept?: BrowserRecordings;
  openTransport(launch: UrlLaunch, sink: HttpSink): Transport;
  /** Gives the page what it asked for. */
  reply(ref: string, given: WorkerReply): void;
}

/** The connections that one page makes itself, and the recordings that it opened. */
export class DirectHub extends PageHub {
  readonly #options: DirectHubOptions;
  /** Those that were forgotten, and may not be recorded to their end yet. */
  readonly #leaving = new Map<string, Connection<UrlLaunch> | RestoredConnection>();

  constructor(options: DirectHubOptions) {
    super(options.page, options.clock);
    this.#options = options;
  }

  override get recordings(): Recordings {
    const { kept } = this.#options;
    if (!kept) return super.recordings;
    return {
      record: (_viewer, { connection, key, begin }) => kept.record(connection, key, begin),
      end: (_viewer, connection) => kept.end(connection),
    };
  }

  /** Takes up what was kept before the page was loaded again, and tells the page that it is ready. */
  begin(kept: readonly RestoredLog[]): void {
    const connections = kept
      .map((log) => RestoredConnection.of(log, ({ id }) => this.#grown(id)))
      .filter((one) => one !== undefined);
    for (const connection of connections.sort((a, b) => numberOf(a.id) - numberOf(b.id))) {
      this.made = Math.max(this.made, numberOf(connection.id));
      this.connections.set(connection.id, connection);
      this.viewer.sendEvent({ type: 'connection', connection: connection.summary });
    }
    this.welcome(this.#options.version);
  }

  override connect(target: Target, protocol: ProtocolChoice): Connection<UrlLaunch> {
    if (target.transport === 'stdio') throw new ConnectionError(NO_COMMANDS);
    const launch = resolveUrl(target, protocol, undefined);
    const forbidden = launch.headers.map(([name]) => name).filter(isForbiddenHeader);
    if (forbidden.length > 0) throw new ConnectionError(forbiddenHeaders(forbidden));
    return this.#start(launch);
  }

  override async restart(id: string): Promise<Connection<UrlLaunch>> {
    const { launch } = this.get(id);
    await this.get(id).close('restart');
    return this.#start(launch);
  }

  override async forget(connection: PageConnection): Promise<void> {
    await super.forget(connection);
    if (isOwn(connection) && this.#options.recorder) this.#leaving.set(connection.id, connection);
    await this.#options.keeper?.forget(connection.id);
  }

  /** Nothing more of this log is kept. */
  logNotKept(id: string): void {
    const connection = this.connections.get(id);
    if (!(connection instanceof Connection)) return;
    connection.logEvent({
      event: 'spill-failed',
      message: `The browser keeps no more of this log, of which it takes ${formatBytes(DIRECT_KEPT_BYTES)}: after a reload it ends here.`,
    });
  }

  /** Gives the page the first frames of a connection's log as a recording that may leave, and answers as to a command. Never rejects. */
  async readLog(ref: string, id: string, frames: number): Promise<void> {
    try {
      const connection = this.get(id);
      if (!isOwn(connection)) throw new ConnectionError(IS_RECORDING);
      this.#options.reply(ref, await toBlob(redactedLines(connection, frames)));
      this.viewer.sendEvent({ type: 'done', ref, connection: id });
    } catch (error) {
      this.viewer.sendEvent(errorEvent(error, ref));
    }
  }

  /** Keeps frames of a connection of ours in the browser. Never rejects. */
  async addToRecording(batch: ArrayBuffer): Promise<void> {
    const taken = await this.#options.kept?.addBatch(batch, (id) => this.connections.get(id)?.summary.serverName);
    if (taken) this.viewer.sendEvent({ type: 'recorded', ...taken });
  }

  /** Does what is wanted of the recordings that the browser keeps, and answers as to a command. Never rejects. */
  async handleRecordingRequest(ref: string, request: KeptRecordingsRequest): Promise<void> {
    const { kept, reply } = this.#options;
    try {
      if (!kept) throw new ConnectionError(NOTHING_KEPT);
      if (request.want === 'open') {
        await this.openRecording(ref, request.id, await kept.read(request.id));
        return;
      }
      if (request.want === 'list') reply(ref, await kept.list());
      else if (request.want === 'file') reply(ref, await kept.read(request.id));
      else if (request.want === 'delete') await kept.remove(request.id);
      else await kept.describe(request.id, request.about);
      this.viewer.sendEvent({ type: 'done', ref, connection: '' });
    } catch (error) {
      this.viewer.sendEvent(errorEvent(error, ref));
    }
  }

  /** Has a connection recorded, of which there is so much already; see LogRecorder. */
  record(id: string, recorded: RecordingProgress, turn: number): void {
    const connection = this.connections.get(id) ?? this.#leaving.get(id);
    if (!connection || !isOwn(connection)) return;
    const log =
      connection instanceof RestoredConnection
        ? connection.toRecord(recorded)
        : new RedactedLog(connection.log, connection.redactor);
    this.#options.recorder?.follow(connection, log, recorded.frames, turn);
  }

  /** Nobody records it, for now or for good. `failure` is a sentence that says why, for its log. */
  stopRecording({
    connection: id,
    failure,
    again,
  }: Omit<Extract<PageToWorker, { type: 'record-stop' }>, 'type'>): void {
    this.#options.recorder?.unfollow(id);
    if (!again) this.#leaving.delete(id);
    const connection = this.connections.get(id);
    if (failure === undefined || !connection || !isOwn(connection)) return;
    connection.logEvent({ event: 'recording-failed', message: failure });
  }

  #grown(id: string): void {
    this.viewer.logGrew(id);
    this.#options.recorder?.logChanged(id);
  }

  #start(launch: UrlLaunch): Connection<UrlLaunch> {
    const { clock, version, keeper, openTransport } = this.#options;
    const connection = new Connection(`d${++this.made}`, launch, {
      clock,
      version,
      via: 'direct',
      secrets: urlSecrets(launch),
      start: (to, at) => ({ ...urlStart(to, at), via: 'direct' }),
      openTransport: (to, kind, sink) => openTransport(launchAs(to, kind), sink),
      onGrown: ({ id }) => {
        this.#grown(id);
        keeper?.logGrew(id);
      },
      onChanged: ({ id, summary }) => {
        this.viewer.sendEvent({ type: 'connection', connection: summary });
        this.#options.recorder?.logChanged(id);
      },
    });
    this.connections.set(connection.id, connection);
    keeper?.add(connection.id, new RedactedLog(connection.log, connection.redactor));
    this.viewer.sendEvent({ type: 'connection', connection: connection.summary });
    void connection.open();
    return connection;
  }
}

function launchAs(launch: UrlLaunch, kind: TransportKind): UrlLaunch {
  return kind === 'stdio' ? launch : { ...launch, transport: kind };
}

/** True for what this page connected, and not opened from a file. */
function isOwn(connection: PageConnection): connection is Connection<UrlLaunch> | RestoredConnection {
  return connection instanceof Connection || connection instanceof RestoredConnection;
}

/** Everything as one file, made with rests, so that connections go on meanwhile. */
async function toBlob(pieces: AsyncIterable<Uint8Array>): Promise<Blob> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) {
    all.push(piece as Uint8Array<ArrayBuffer>);
    await nextTask();
  }
  return new Blob(all);
}

/** The number in one of our ids. */
function numberOf(id: string): number {
  return Number(id.slice(1));
}

const NOTHING_KEPT = {
  code: 'nothing-kept',
  message: 'This page keeps no recordings.',
  advice: 'Share what is to be kept as a file.',
};

const IS_RECORDING = {
  code: 'is-recording',
  message: 'This is a recording, which was written without secrets.',
  advice: 'Share it as it is.',
};

const NO_COMMANDS = {
  code: 'no-commands',
  message: 'A page can not start commands.',
  advice: 'Run mcp-inspect with the command in a terminal.',
};

function forbiddenHeaders(names: readonly string[]) {
  return {
    code: 'header-forbidden',
    message: `Browsers let no page send ${names.join(', ')}.`,
    advice: 'Leave it out, or connect through the proxy, which may send it.',
  };
}
