import { Connection } from '@/lib/hub/connection';
import type { HubConnection, PageRecorder, RecordingSource } from '@/lib/hub/hub';
import { RedactedLog } from '@/lib/hub/redacted-log';
import { MemoryStanding } from '@/lib/hub/standing-answers';
import { launchAs, resolveUrl, type UrlLaunch, urlSecrets, urlStart } from '@/lib/hub/url-launch';
import type { ViewerLink } from '@/lib/hub/viewer';
import { runningDigest } from '@/lib/recording/digests';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { ConnectionError, type HttpSink, type Transport } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { RecordingProgress, Target } from '@/lib/wire/command';
import { formatBytes } from '@/lib/wire/format';
import { nextTask } from '@/lib/wire/in-slices';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import type { KeptRecordingsRequest, PageToWorker, WorkerReply } from '@/lib/wire/worker-message';
import type { BrowserRecordings } from './browser-recordings';
import { isForbiddenHeader } from './cors';
import { DIRECT_KEPT_BYTES, type LogKeeper, type RestoredLog } from './log-keeper';
import type { LogRecorder } from './log-recorder';
import { blobSource, InPageHub, type OnOpening } from './page-hub';
import type { FetchedFile } from './remote-file';
import { RestoredConnection } from './restored-connection';

/** The worker's services for the hub. */
interface DirectHubOptions {
  readonly clock: Clock;
  /** Version of mcp-inspect, sent to servers in `clientInfo`. */
  readonly version: string;
  readonly page: ViewerLink;
  /** Absent: a reload loses the logs. */
  readonly keeper?: Pick<LogKeeper, 'add' | 'logGrew' | 'forget'>;
  /** Absent: the connections are not recorded. */
  readonly recorder?: Pick<LogRecorder, 'follow' | 'unfollow' | 'logChanged'>;
  /** The recordings that the browser keeps. Absent: it keeps none. */
  readonly kept?: BrowserRecordings;
  openTransport(launch: UrlLaunch, sink: HttpSink): Transport;
  /** Opens the file at a URL. Rejects with a ConnectionError. */
  openRemote(url: string, signal: AbortSignal, onProgress: OnOpening): Promise<FetchedFile>;
  /** Sends the page the data that the request `ref` asked for. */
  reply(ref: string, reply: WorkerReply): void;
}

/** A connection that this page made, now or before it was reloaded. */
type OwnConnection = Connection<UrlLaunch> | RestoredConnection;

/** The connections that one page makes itself, and the recordings that it opened. */
export class DirectHub extends InPageHub {
  readonly #options: DirectHubOptions;
  /** Not stored: any program that later serves the page's port could read and change what a browser stores for it. */
  readonly #standing = new MemoryStanding();
  /** Forgotten connections that may not be fully recorded yet. */
  readonly #leaving = new Map<string, OwnConnection>();

  constructor(options: DirectHubOptions) {
    super(options.page, options);
    this.#options = options;
  }

  /** Restores the connections that the page had before its reload, then tells the page that it may send commands. */
  override begin(kept: readonly RestoredLog[] = []): void {
    const restored = kept
      .map((log) => RestoredConnection.of(log, (connection) => this.onGrown(connection)))
      .filter((connection) => connection !== undefined)
      .sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
    for (const connection of restored) this.add(connection);
    super.begin();
  }

  /** Opens the file at a URL as a recording and answers `ref` with its connection. Never rejects. */
  openUrl(ref: string, url: string, onOpening: OnOpening): Promise<void> | undefined {
    const find = async (signal: AbortSignal): Promise<RecordingSource> => {
      const file = await this.#options.openRemote(url, signal, onOpening);
      return remoteSource(file);
    };
    return this.openSource(ref, find, onOpening);
  }

  override connect(target: Target, protocol: ProtocolChoice): Connection<UrlLaunch> {
    if (target.transport === 'stdio') throw new ConnectionError(NO_COMMANDS);
    const launch = resolveUrl(target, protocol, undefined);
    const forbidden = launch.headers.map(([name]) => name).filter(isForbiddenHeader);
    if (forbidden.length > 0) throw new ConnectionError(forbiddenHeaders(forbidden));
    return this.start(launch);
  }

  protected override start(launch: UrlLaunch): Connection<UrlLaunch> {
    return this.open(
      (id, deps) =>
        new Connection(id, launch, {
          ...deps,
          via: 'direct',
          secrets: urlSecrets(launch),
          standing: { store: this.#standing, server: digestOf(launch.url) },
          start: (to, at) => ({ ...urlStart(to, at), via: 'direct' }),
          openTransport: (to, kind, sink) => this.#options.openTransport(launchAs(to, kind), sink),
        }),
    );
  }

  protected override add(connection: HubConnection<UrlLaunch>): void {
    if (connection instanceof Connection) {
      this.#options.keeper?.add(
        connection.id,
        new RedactedLog(connection.log, connection.redactor),
        connection.launch.laterRun,
      );
    }
    super.add(connection);
  }

  protected override onGrown(connection: HubConnection<UrlLaunch>): void {
    super.onGrown(connection);
    this.#options.recorder?.logChanged(connection.id);
    this.#options.keeper?.logGrew(connection.id);
  }

  protected override onChanged(connection: HubConnection<UrlLaunch>): void {
    super.onChanged(connection);
    this.#options.recorder?.logChanged(connection.id);
  }

  protected override async onForgotten(connection: HubConnection<UrlLaunch>): Promise<void> {
    if (isOwn(connection) && this.#options.recorder) this.#leaving.set(connection.id, connection);
    await this.#options.keeper?.forget(connection.id);
  }

  /** Adds an event to a log whose rest is not kept over a reload. */
  logNotKept(id: string): void {
    const connection = this.#own(id);
    if (!(connection instanceof Connection)) return;
    const size = formatBytes(DIRECT_KEPT_BYTES);
    connection.logEvent({
      event: 'spill-failed',
      message: `The browser keeps the first ${size} of this log. After a reload, the log ends here.`,
    });
  }

  /** Sends the page the first frames of a log as a recording without secrets, and answers `ref`. Never rejects. */
  readLog(ref: string, id: string, frames: number): Promise<void> | undefined {
    return this.answer(this.viewer, ref, async () => {
      this.#options.reply(ref, await toBlob(this.redactedLines(id, frames)));
      return { connection: id };
    });
  }

  /** Adds frames to a recording that the browser keeps. Never rejects. */
  async addToRecording(batch: ArrayBuffer): Promise<void> {
    const added = await this.#options.kept?.addBatch(batch, (id) => this.#own(id)?.summary.serverName);
    if (added) this.viewer.sendEvent({ type: 'recorded', ...added });
  }

  /** Runs a request about the recordings that the browser keeps, and answers `ref`. Never rejects. */
  handleRecordingRequest(ref: string, request: KeptRecordingsRequest): Promise<void> | undefined {
    const { kept, reply } = this.#options;
    return this.answer(this.viewer, ref, async () => {
      if (!kept) throw new ConnectionError(NOTHING_KEPT);
      if (request.want === 'open') {
        const { id } = await this.openRecording(blobSource(request.id, await kept.read(request.id)));
        return { connection: id };
      }
      if (request.want === 'list') reply(ref, await kept.list());
      else if (request.want === 'file') reply(ref, await kept.read(request.id));
      else if (request.want === 'delete') await kept.remove(request.id);
      else await kept.describe(request.id, request.about);
      return {};
    });
  }

  override get recorder(): PageRecorder {
    const { kept } = this.#options;
    if (!kept) return super.recorder;
    return {
      record: (_viewer, { connection, key, begin }) => kept.record(connection, key, begin),
      end: (_viewer, connection) => kept.end(connection),
    };
  }

  /** Starts to hand over the frames that a connection's recording lacks. See {@link LogRecorder}. */
  record(id: string, recorded: RecordingProgress, turn: number): void {
    const connection = this.#own(id) ?? this.#leaving.get(id);
    if (!connection) return;
    const log =
      connection instanceof RestoredConnection
        ? connection.toRecord(recorded)
        : new RedactedLog(connection.log, connection.redactor);
    this.#options.recorder?.follow(connection, log, recorded.frames, turn);
  }

  /**
   * Stops recording a connection. `again`: recording may go on later. `failure` is a sentence for the connection's log.
   */
  stopRecording({
    connection: id,
    failure,
    again,
  }: Omit<Extract<PageToWorker, { type: 'record-stop' }>, 'type'>): void {
    this.#options.recorder?.unfollow(id);
    if (!again) this.#leaving.delete(id);
    if (failure !== undefined) this.#own(id)?.logEvent({ event: 'recording-failed', message: failure });
  }

  #own(id: string): OwnConnection | undefined {
    return this.members.filter(isOwn).find((connection) => connection.id === id);
  }
}

/** True unless the connection is a recording that was opened. */
function isOwn(connection: HubConnection<UrlLaunch>): connection is OwnConnection {
  return connection instanceof Connection || connection instanceof RestoredConnection;
}

function digestOf(url: string): string {
  const digest = runningDigest();
  digest.update(new TextEncoder().encode(url));
  return digest.hex();
}

function remoteSource(remote: FetchedFile): RecordingSource {
  const { name, host } = remote;
  if ('whole' in remote) return { ...blobSource(name, remote.whole), from: host };
  const { parts } = remote;
  return {
    file: name,
    from: host,
    length: parts.size,
    inParts: true,
    wholeBytes: 0,
    // Only its index and the lines that are shown are read.
    bytes: () => new ReadableStream(),
    parts: async () => parts,
    reader: () => new RecordingReader(),
  };
}

/** Joins the pieces, one per task, so that connections are served meanwhile. */
async function toBlob(pieces: AsyncIterable<Uint8Array>): Promise<Blob> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) {
    all.push(piece as Uint8Array<ArrayBuffer>);
    await nextTask();
  }
  return new Blob(all);
}

const NOTHING_KEPT = {
  code: 'nothing-kept',
  message: 'This page does not keep recordings.',
  advice: 'Share the log as a file to keep it.',
};

const NO_COMMANDS = {
  code: 'no-commands',
  message: 'A page cannot start commands.',
  advice: 'Run mcp-inspect with the command in a terminal.',
};

function forbiddenHeaders(names: readonly string[]) {
  return {
    code: 'header-forbidden',
    message: `Browsers do not let pages send ${names.join(', ')}.`,
    advice: `Remove ${names.length === 1 ? 'this header' : 'these headers'}, or connect through the proxy.`,
  };
}
