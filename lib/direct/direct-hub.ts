import { failed } from '@/lib/hub/commands';
import { Connection } from '@/lib/hub/connection';
import { redactedLines } from '@/lib/hub/redacted-lines';
import { RedactedLog } from '@/lib/hub/redacted-log';
import { resolveUrl, type UrlLaunch, urlStart } from '@/lib/hub/url-launch';
import { urlSecrets } from '@/lib/hub/url-secrets';
import type { ViewerLink } from '@/lib/hub/viewer';
import type { TransportKind } from '@/lib/mcp/live-host';
import { ConnectionError, type HttpSink, type Transport } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { RecordedSoFar, Target } from '@/lib/wire/command';
import { formatBytes } from '@/lib/wire/format-bytes';
import { turn } from '@/lib/wire/in-slices';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { Given, KeptRequest, ToWorker } from '@/lib/wire/worker-message';
import type { BrowserRecordings } from './browser-recordings';
import { KeptConnection } from './kept-connection';
import type { KeptLog, LogKeeper } from './log-keeper';
import type { LogRecorder } from './log-recorder';
import { isForbiddenHeader } from './page-headers';
import { type PageConnection, PageHub, type Recordings } from './page-hub';

/** What the hub needs from the worker around it. */
export interface DirectHubOptions {
  readonly clock: Clock;
  /** Ours, told to servers as `clientInfo`. */
  readonly version: string;
  /** The page. */
  readonly page: ViewerLink;
  /** Absent: a reload loses the logs. */
  readonly keeper?: Pick<LogKeeper, 'add' | 'grown' | 'forget'>;
  /** Absent: the page has nobody who records. */
  readonly recorder?: Pick<LogRecorder, 'follow' | 'leave' | 'changed'>;
  /** Where the browser keeps recordings; absent: nowhere. */
  readonly kept?: BrowserRecordings;
  openTransport(launch: UrlLaunch, sink: HttpSink): Transport;
  /** Gives the page what it asked for. */
  give(ref: string, given: Given): void;
}

/** The connections that one page makes itself, and the recordings that it opened. */
export class DirectHub extends PageHub {
  readonly #options: DirectHubOptions;
  /** Those that were forgotten, and may not be recorded to their end yet. */
  readonly #leaving = new Map<string, Connection<UrlLaunch> | KeptConnection>();

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
  begin(kept: readonly KeptLog[]): void {
    const connections = kept
      .map((log) => KeptConnection.of(log, ({ id }) => this.#grown(id)))
      .filter((one) => one !== undefined);
    for (const connection of connections.sort((a, b) => numberOf(a.id) - numberOf(b.id))) {
      this.made = Math.max(this.made, numberOf(connection.id));
      this.connections.set(connection.id, connection);
      this.viewer.tell({ type: 'connection', connection: connection.summary });
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
  full(id: string): void {
    const connection = this.connections.get(id);
    if (!(connection instanceof Connection)) return;
    connection.note({
      event: 'spill-failed',
      message: `The browser keeps no more of this log, of which it takes ${formatBytes(LIMITS.directKeptBytes)}: after a reload it ends here.`,
    });
  }

  /** Gives the page the first frames of a connection's log as a recording that may leave, and answers as to a command. Never rejects. */
  async readLog(ref: string, id: string, frames: number): Promise<void> {
    try {
      const connection = this.get(id);
      if (!isOwn(connection)) throw new ConnectionError(IS_RECORDING);
      this.#options.give(ref, await gathered(redactedLines(connection, frames)));
      this.viewer.tell({ type: 'done', ref, connection: id });
    } catch (error) {
      this.viewer.tell(failed(error, ref));
    }
  }

  /** Keeps frames of a connection of ours in the browser. Never rejects. */
  async keep(batch: ArrayBuffer): Promise<void> {
    const taken = await this.#options.kept?.take(batch, (id) => this.connections.get(id)?.summary.serverName);
    if (taken) this.viewer.tell({ type: 'recorded', ...taken });
  }

  /** Does what is wanted of the recordings that the browser keeps, and answers as to a command. Never rejects. */
  async askKept(ref: string, request: KeptRequest): Promise<void> {
    const { kept, give } = this.#options;
    try {
      if (!kept) throw new ConnectionError(NOTHING_KEPT);
      if (request.want === 'open') {
        await this.openRecording(ref, request.id, await kept.read(request.id));
        return;
      }
      if (request.want === 'list') give(ref, await kept.list());
      else if (request.want === 'file') give(ref, await kept.read(request.id));
      else if (request.want === 'delete') await kept.remove(request.id);
      else await kept.describe(request.id, request.about);
      this.viewer.tell({ type: 'done', ref, connection: '' });
    } catch (error) {
      this.viewer.tell(failed(error, ref));
    }
  }

  /** Has a connection recorded, of which there is so much already; see LogRecorder. */
  record(id: string, recorded: RecordedSoFar, turn: number): void {
    const connection = this.connections.get(id) ?? this.#leaving.get(id);
    if (!connection || !isOwn(connection)) return;
    const log =
      connection instanceof KeptConnection
        ? connection.toRecord(recorded)
        : new RedactedLog(connection.log, connection.redactor);
    this.#options.recorder?.follow(connection, log, recorded.frames, turn);
  }

  /** Nobody records it, for now or for good. `failure` is a sentence that says why, for its log. */
  stopRecording({ connection: id, failure, again }: Omit<Extract<ToWorker, { type: 'record-stop' }>, 'type'>): void {
    this.#options.recorder?.leave(id);
    if (!again) this.#leaving.delete(id);
    const connection = this.connections.get(id);
    if (failure === undefined || !connection || !isOwn(connection)) return;
    connection.note({ event: 'recording-failed', message: failure });
  }

  #grown(id: string): void {
    this.viewer.grown(id);
    this.#options.recorder?.changed(id);
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
        keeper?.grown(id);
      },
      onChanged: ({ id, summary }) => {
        this.viewer.tell({ type: 'connection', connection: summary });
        this.#options.recorder?.changed(id);
      },
    });
    this.connections.set(connection.id, connection);
    keeper?.add(connection.id, new RedactedLog(connection.log, connection.redactor));
    this.viewer.tell({ type: 'connection', connection: connection.summary });
    void connection.open();
    return connection;
  }
}

function launchAs(launch: UrlLaunch, kind: TransportKind): UrlLaunch {
  return kind === 'stdio' ? launch : { ...launch, transport: kind };
}

/** True for what this page connected, and not opened from a file. */
function isOwn(connection: PageConnection): connection is Connection<UrlLaunch> | KeptConnection {
  return connection instanceof Connection || connection instanceof KeptConnection;
}

/** Everything as one file, made with rests, so that connections go on meanwhile. */
async function gathered(pieces: AsyncIterable<Uint8Array>): Promise<Blob> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) {
    all.push(piece as Uint8Array<ArrayBuffer>);
    await turn();
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
