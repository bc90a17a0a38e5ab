import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '@/lib/wire/clock';
import { type PublicUrl, resolveBinding } from './addresses';
import { dispatchRequests } from './dispatch';
import type { GuardPolicy, GuardRule } from './guard';
import { LaunchLinks } from './launch-links';
import { listenAt, REQUEST_BOUNDS, StartError } from './listen';
import { createPages, createRoutes, type HttpRoute, type PageApi, ROUTE_NAMES, type Route } from './routes';
import { Sockets } from './sockets';
import { StaticFiles } from './static-files';

/** Time limits of HTTP sockets, in ms. */
export interface SocketLimits {
  /** Until all headers have arrived. */
  readonly headersMs: number;
  /** Until a whole request has arrived, unless it is a file. */
  readonly requestMs: number;
  /** Silence between requests, or while the peer does not read. */
  readonly idleMs: number;
  /** Time between checks for stalled requests. Node's default of 30 s would make the limits on requests useless. */
  readonly checkMs: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  headersMs: REQUEST_BOUNDS.headersTimeout,
  requestMs: 5000,
  idleMs: 5000,
  checkMs: 500,
};

export interface PageServerOptions {
  /** Address or name to listen on; 127.0.0.1 by default. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** True: fail if the port is taken. False: try the next ones. */
  readonly portFixed: boolean;
  /** Further host names that browsers may use, without port. */
  readonly hostNames: readonly string[];
  /** One more address that browsers may use. */
  readonly publicUrl?: PublicUrl | undefined;
  /** Directory of the built UI. */
  readonly uiRoot: string;
  readonly api: PageApi;
  /** Routes in addition to the built-in ones. */
  readonly routes?: readonly HttpRoute[];
  readonly clock: Clock;
  /** Receives the socket of a browser tab that passed the guard. Its protocol errors are handled here. */
  onSocket(socket: WebSocket, wire: Duplex): void;
  /** Prints one line in the terminal: a refusal or a new link. Never contains the token. */
  terminal(note: string): void;
  /** For tests, which remove rules to check that attacks then succeed. */
  readonly rules?: readonly GuardRule[];
  /** For tests, which do not wait as long. */
  readonly limits?: SocketLimits;
}

export interface RunningServer {
  readonly port: number;
  /** The requested port, if it was taken and another one is used. */
  readonly movedFrom?: number;
  /** The page's address on this machine, for example `http://127.0.0.1:6270/`. */
  readonly url: string;
  /** The page's address for people, without a launch code: the public URL if there is one, else `url`. */
  readonly pageUrl: string;
  /**
   * Returns a link that logs a browser in once, within `LIMITS.launchCodeMs`. Earlier links stay valid as long.
   * `query`: the state of the page, such as `?frame=3`.
   */
  newLaunchLink(query?: string): string;
  /** Stops listening and closes WebSockets with 1001. Resolves when all sockets are gone. */
  close(): Promise<void>;
}

/** Serves the UI, the API and the WebSocket. Throws only StartError for mistakes that the user can correct. */
export async function startServer(options: PageServerOptions): Promise<RunningServer> {
  const files = new StaticFiles(options.uiRoot);
  const { publicUrl, limits = SOCKET_LIMITS } = options;
  const binding = resolveBinding(options.host, options.hostNames, publicUrl !== undefined);
  const added = options.routes?.map(({ path }) => path.split('/')[1]!) ?? [];
  refuseOwnPath(publicUrl, [...ROUTE_NAMES, ...added, ...files.topNames]);
  const server = createServer({
    ...REQUEST_BOUNDS,
    headersTimeout: limits.headersMs,
    keepAliveTimeout: limits.idleMs,
    // A file takes longer. Each request has its own limit.
    requestTimeout: 0,
    connectionsCheckingInterval: limits.checkMs,
    // The guard itself refuses requests without a Host header, and its responses have our headers.
    requireHostHeader: false,
  });
  server.setTimeout(limits.idleMs, cutIfSilent);
  const port = await listenAt(server, binding.address, options.port, options.portFixed);

  // Host and Origin must name the port, which is known only now. No request is read before this turn of the event loop
  // ends.
  const url = `http://${binding.shown}:${port}/`;
  const pageUrl = publicUrl?.href ?? url;
  const links = new LaunchLinks(options.clock, pageUrl, options.terminal);
  const sockets = new Sockets(options.clock, options.onSocket);
  const policy: GuardPolicy<Route> = {
    authorities: authorities(binding.names, port),
    publicUrl,
    routes: createRoutes(options.api, links, options.routes),
    pages: createPages((path, base) => files.answer(path, base)),
    acceptsToken: (presented) => links.acceptsToken(presented),
    rules: options.rules,
  };
  server.on('error', (error) => options.terminal(`A connection from a browser failed: ${error.message}.`));
  dispatchRequests(server, policy, sockets, options.terminal, limits.requestMs);

  return {
    port,
    ...(options.port !== 0 && options.port !== port && { movedFrom: options.port }),
    url,
    pageUrl,
    newLaunchLink: (query) => links.newLink(query),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await sockets.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Closes a socket on which nothing happened in time. After a stall of this process, the timer is early: what the client
 * sent meanwhile is read first.
 */
function cutIfSilent(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

/** Refuses a public path that begins like one of ours: it would be unclear whether a reverse proxy has stripped it. */
function refuseOwnPath(publicUrl: PublicUrl | undefined, taken: readonly string[]): void {
  const [, first = ''] = publicUrl?.base.split('/') ?? [];
  if (first === '' || !taken.includes(first)) return;
  throw new StartError({
    code: 'public-url',
    message: `\`--page url\` can't have the path \`/${first}\`, which the page uses itself.`,
    advice: 'Choose another path.',
  });
}

/** Returns the names with the port. Browsers omit port 80. */
function authorities(names: readonly string[], port: number): ReadonlySet<string> {
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}
