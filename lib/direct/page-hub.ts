import { type Commanded, errorEvent, runCommand } from '@/lib/hub/commands';
import { RecordedConnection } from '@/lib/hub/recorded-connection';
import type { UrlLaunch } from '@/lib/hub/url-launch';
import { type Batch, Viewer, type ViewerLink } from '@/lib/hub/viewer';
import { runningDigest } from '@/lib/recording/digests';
import { blobAccess } from '@/lib/recording/large/random-access';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { Command, ConnectionSummary, Event, RecordingProgress, Target } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { WorkerToPage } from '@/lib/wire/worker-message';

/** A connection that a page has by itself. */
export interface PageConnection extends Commanded {
  readonly ended: boolean;
  readonly summary: ConnectionSummary;
  /** What can be started again. Throws ConnectionError where nothing can be. */
  readonly launch: UrlLaunch;
  stopBackgroundWork(): Promise<void>;
}

/** Who records this page's own connections. Each throws ConnectionError, or rejects with one. */
export interface Recordings {
  record(viewer: Viewer, asked: Extract<Command, { type: 'record' }>): RecordingProgress | Promise<RecordingProgress>;
  end(viewer: Viewer, connection: string): Promise<void>;
}

/** The connections of one page: recordings, as far as this goes. It speaks as the proxy's hub does, so that nobody above can tell. */
export class PageHub {
  protected readonly viewer: Viewer;
  protected readonly connections = new Map<string, PageConnection>();
  protected made = 0;

  constructor(page: ViewerLink, clock: Clock) {
    this.viewer = new Viewer(page, clock);
  }

  /** Tells the page that it may begin. `version` is ours. */
  welcome(version: string): void {
    this.viewer.sendEvent({ type: 'welcome', version, graceMs: 0 });
  }

  /** Never rejects: what went wrong is an event. */
  runCommand(command: Command): Promise<void> {
    return runCommand<PageConnection>(this, this.viewer, command);
  }

  /** Opens a file of the page's as a recording, and answers as to a command. Never rejects. */
  async openRecording(ref: string, file: string, bytes: Blob): Promise<void> {
    try {
      const recorded = await this.#openRecording(file, bytes);
      this.viewer.sendEvent({ type: 'done', ref, connection: recorded.id });
    } catch (error) {
      this.viewer.sendEvent(errorEvent(error, ref));
    }
  }

  async #openRecording(file: string, bytes: Blob, indexIgnored?: true): Promise<RecordedConnection> {
    const recorded = await RecordedConnection.open(`d${++this.made}`, streamOf(bytes), {
      file,
      parts: async () => blobAccess(bytes),
      ...(indexIgnored && { indexIgnored }),
      reader: new RecordingReader(runningDigest(), LIMITS.pageDigestBytes),
      onGrown: ({ id }) => this.viewer.logGrew(id),
      onChanged: (changed) => this.#tellOf(changed),
      onUnsound: (unsound) => void this.#openAnew(unsound, file, bytes),
    });
    this.connections.set(recorded.id, recorded);
    this.#tellOf(recorded);
    return recorded;
  }

  /** Opens a recording without its indexes, in the place of what they made of it. */
  async #openAnew(unsound: RecordedConnection, file: string, bytes: Blob): Promise<void> {
    const again = await this.#openRecording(file, bytes, true).catch(() => undefined);
    if (again && this.connections.has(unsound.id)) await this.forget(unsound);
  }

  connect(_target: Target, _protocol: ProtocolChoice): PageConnection {
    throw new ConnectionError(ONLY_TO_READ);
  }

  async restart(id: string): Promise<PageConnection> {
    throw new ConnectionError(this.connections.has(id) ? ONLY_TO_READ : noConnection(id));
  }

  get(id: string): PageConnection {
    const connection = this.connections.get(id);
    if (connection) return connection;
    throw new ConnectionError(noConnection(id));
  }

  get recordings(): Recordings {
    throw new ConnectionError(NOT_RECORDED);
  }

  signOut(): never {
    throw new ConnectionError(NOT_SIGNED_IN);
  }

  async forget(connection: PageConnection): Promise<void> {
    if (!connection.ended) {
      throw new ConnectionError({
        code: 'still-connected',
        message: 'The server is still connected.',
        advice: 'Disconnect it first.',
      });
    }
    this.connections.delete(connection.id);
    this.viewer.detach(connection.id);
    await connection.stopBackgroundWork();
    this.viewer.sendEvent({ type: 'forgotten', connection: connection.id });
  }

  #tellOf({ id, summary }: RecordedConnection): void {
    if (this.connections.has(id)) this.viewer.sendEvent({ type: 'connection', connection: summary });
  }
}

/** Node's types know another stream. */
const streamOf = (blob: Blob) => blob.stream() as ReadableStream<Uint8Array<ArrayBuffer>>;

function noConnection(id: string) {
  return {
    code: 'no-connection',
    message: `There is no connection ${JSON.stringify(id)}.`,
    advice: 'Reload the page to see the connections there are.',
  };
}

const ONLY_TO_READ = {
  code: 'only-to-read',
  message: 'This is a recording in a file: nothing can be connected from here.',
  advice: 'Run mcp-inspect to connect to a server.',
};

const NOT_RECORDED = {
  code: 'no-recorder',
  message: 'A page writes no recordings.',
  advice: 'Ask the proxy.',
};

const NOT_SIGNED_IN = {
  code: 'not-signed-in',
  message: 'A direct connection signs in nowhere.',
  advice: 'Give a header with a token, or connect through the proxy, which can sign in.',
};

/** What is used of a worker's global scope, or a MessagePort. */
export interface Port {
  postMessage(message: WorkerToPage, transfer: Transferable[]): void;
}

/** The page as the worker sees it. A port has no end and never fills: so the page says which batches it has taken in. */
export class PortLink implements ViewerLink {
  readonly isOpen = true;
  readonly #port: Port;
  readonly #waiting: { readonly bytes: number; readonly taken: () => void }[] = [];
  #buffered = 0;

  constructor(port: Port) {
    this.#port = port;
  }

  get bufferedAmount(): number {
    return this.#buffered;
  }

  sendEvent(event: Event): void {
    this.#port.postMessage({ type: 'event', event }, []);
  }

  sendBatch(batch: Batch, taken: () => void): void {
    this.#buffered += batch.length;
    this.#waiting.push({ bytes: batch.length, taken });
    this.#port.postMessage({ type: 'batch', batch: batch.buffer }, [batch.buffer]);
  }

  /** The page has taken in the oldest batch. */
  batchTaken(): void {
    const oldest = this.#waiting.shift();
    if (!oldest) return;
    this.#buffered -= oldest.bytes;
    oldest.taken();
  }

  terminate(): void {
    // A page that takes nothing freezes with its worker; there is nobody else to serve.
  }
}
