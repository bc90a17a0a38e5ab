import { carryOut, failed } from '@/lib/hub/commands';
import { Connection } from '@/lib/hub/connection';
import { RecordedConnection } from '@/lib/hub/recorded-connection';
import { resolveUrl, type UrlLaunch, urlStart } from '@/lib/hub/url-launch';
import { Viewer, type ViewerLink } from '@/lib/hub/viewer';
import type { TransportKind } from '@/lib/mcp/live-host';
import { ConnectionError, type HttpSink, type Transport } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { Command, Target } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { KeptConnection } from './kept-connection';
import type { KeptLog, LogKeeper } from './log-keeper';
import { isForbiddenHeader } from './page-headers';

/** What the hub needs from the worker around it. */
export interface DirectHubOptions {
  readonly clock: Clock;
  /** Ours, told to servers as `clientInfo`. */
  readonly version: string;
  /** The page. */
  readonly page: ViewerLink;
  /** Absent: a reload loses the logs. */
  readonly keeper?: Pick<LogKeeper, 'add' | 'grown' | 'forget'>;
  openTransport(launch: UrlLaunch, sink: HttpSink): Transport;
}

type Member = Connection<UrlLaunch> | KeptConnection | RecordedConnection;

/** The connections that one page makes itself. It speaks as the proxy's hub does, so that nobody above can tell. */
export class DirectHub {
  readonly #options: DirectHubOptions;
  readonly #viewer: Viewer;
  readonly #connections = new Map<string, Member>();
  #made = 0;

  constructor(options: DirectHubOptions) {
    this.#options = options;
    this.#viewer = new Viewer(options.page, options.clock);
  }

  /** Takes up what was kept before the page was loaded again, and tells the page that it is ready. */
  begin(kept: readonly KeptLog[]): void {
    const connections = kept
      .map((log) => KeptConnection.of(log, ({ id }) => this.#viewer.grown(id)))
      .filter((one) => one !== undefined);
    for (const connection of connections.sort((a, b) => numberOf(a.id) - numberOf(b.id))) {
      this.#made = Math.max(this.#made, numberOf(connection.id));
      this.#connections.set(connection.id, connection);
      this.#viewer.tell({ type: 'connection', connection: connection.summary });
    }
    this.#viewer.tell({ type: 'welcome', version: this.#options.version, graceMs: 0 });
  }

  /** Never rejects: what went wrong is an event. */
  carryOut(command: Command): Promise<void> {
    return carryOut<Member>(this, this.#viewer, command);
  }

  /** Opens a file of the page's as a recording, and answers as to a command. Never rejects. */
  async openRecording(ref: string, file: string, bytes: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    try {
      const recorded = await RecordedConnection.open(`d${++this.#made}`, bytes, {
        file,
        onGrown: ({ id }) => this.#viewer.grown(id),
        onChanged: (changed) => this.#tellOf(changed),
      });
      this.#connections.set(recorded.id, recorded);
      this.#tellOf(recorded);
      this.#viewer.tell({ type: 'done', ref, connection: recorded.id });
    } catch (error) {
      this.#viewer.tell(failed(error, ref));
    }
  }

  connect(target: Target, protocol: ProtocolChoice): Connection<UrlLaunch> {
    if (target.transport === 'stdio') throw new ConnectionError(NO_COMMANDS);
    const launch = resolveUrl(target, protocol, undefined);
    const forbidden = launch.headers.map(([name]) => name).filter(isForbiddenHeader);
    if (forbidden.length > 0) throw new ConnectionError(forbiddenHeaders(forbidden));
    return this.#start(launch);
  }

  async restart(id: string): Promise<Connection<UrlLaunch>> {
    const { launch } = this.get(id);
    await this.get(id).close('restart');
    return this.#start(launch);
  }

  get(id: string): Member {
    const connection = this.#connections.get(id);
    if (connection) return connection;
    throw new ConnectionError({
      code: 'no-connection',
      message: `There is no connection ${JSON.stringify(id)}.`,
      advice: 'Reload the page to see the connections there are.',
    });
  }

  signOut(): never {
    throw new ConnectionError(NOT_SIGNED_IN);
  }

  async forget(connection: Member): Promise<void> {
    if (!connection.ended) {
      throw new ConnectionError({
        code: 'still-connected',
        message: 'The server is still connected.',
        advice: 'Disconnect it first.',
      });
    }
    this.#connections.delete(connection.id);
    this.#viewer.detach(connection.id);
    await connection.stopLooking();
    this.#viewer.tell({ type: 'forgotten', connection: connection.id });
    await this.#options.keeper?.forget(connection.id);
  }

  /** Nothing more of this log is kept. */
  full(id: string): void {
    const connection = this.#connections.get(id);
    if (!(connection instanceof Connection)) return;
    const most = LIMITS.directKeptBytes / 1024 / 1024;
    connection.note({
      event: 'spill-failed',
      message: `The browser keeps no more of this log, of which it takes ${most} MiB: after a reload it ends here.`,
    });
  }

  #tellOf({ id, summary }: RecordedConnection): void {
    if (this.#connections.has(id)) this.#viewer.tell({ type: 'connection', connection: summary });
  }

  #start(launch: UrlLaunch): Connection<UrlLaunch> {
    const { clock, version, keeper, openTransport } = this.#options;
    const connection = new Connection(`d${++this.#made}`, launch, {
      clock,
      version,
      via: 'direct',
      start: (to, at) => ({ ...urlStart(to, at), via: 'direct' }),
      openTransport: (to, kind, sink) => openTransport(launchAs(to, kind), sink),
      onGrown: ({ id }) => {
        this.#viewer.grown(id);
        keeper?.grown(id);
      },
      onChanged: ({ summary }) => this.#viewer.tell({ type: 'connection', connection: summary }),
    });
    this.#connections.set(connection.id, connection);
    keeper?.add(connection.id, connection.log);
    this.#viewer.tell({ type: 'connection', connection: connection.summary });
    void connection.open();
    return connection;
  }
}

function launchAs(launch: UrlLaunch, kind: TransportKind): UrlLaunch {
  return kind === 'stdio' ? launch : { ...launch, transport: kind };
}

/** The number in one of our ids. */
function numberOf(id: string): number {
  return Number(id.slice(1));
}

const NOT_SIGNED_IN = {
  code: 'not-signed-in',
  message: 'A direct connection signs in nowhere.',
  advice: 'Give a header with a token, or connect through the proxy, which can sign in.',
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
