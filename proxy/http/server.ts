import { createServer } from 'node:http';
import type { WebSocket } from 'ws';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { type PublicUrl, resolveBinding } from './addresses';
import { dispatchRequests } from './dispatch';
import type { GuardPolicy, GuardRule } from './guard';
import { LaunchLinks } from './launch-links';
import { listen, StartError } from './listen';
import { type Api, createPages, createRoutes, type HttpRoute, ROUTE_NAMES, type Route } from './routes';
import { Sockets } from './sockets';
import { StaticFiles } from './static-files';

const STALLED_CHECK_MS = 500;
/** How long an HTTP socket may stay silent: between requests, or while its reader takes nothing. */
const IDLE_SOCKET_MS = 5000;

/** What {@link startServer} needs. */
export interface ServerOptions {
  /** Address or name to listen on; 127.0.0.1 unless the user said otherwise. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** True: this port or none. False: the next ones are tried when it is taken. */
  readonly portFixed: boolean;
  /** Further names under which browsers reach us, without port. */
  readonly hostNames: readonly string[];
  /** One more address that browsers come by. */
  readonly publicUrl?: PublicUrl | undefined;
  /** Directory of the built UI. */
  readonly uiRoot: string;
  readonly api: Api;
  /** More routes. */
  readonly routes?: readonly HttpRoute[];
  readonly clock: Clock;
  /** A browser tab that the guard let in. Its protocol errors are taken care of. */
  onSocket(socket: WebSocket): void;
  /** One line for the person at the terminal: a refusal, a fresh link. Never holds the token. */
  terminal(note: string): void;
  /** For tests, which take guard rules away to see that attacks then get through. */
  readonly rules?: readonly GuardRule[];
}

/** The running server. */
export interface RunningServer {
  readonly port: number;
  /** The port that was asked for, if it was taken and `port` is another. */
  readonly movedFrom?: number;
  /** The page's address on this machine, for example `http://127.0.0.1:6274/`. */
  readonly url: string;
  /** The page as people open it, without a launch code: the public URL if there is one, else `url`. */
  readonly pageUrl: string;
  /** A link that logs a browser in once, within `LIMITS.launchCodeMs`. The one before it stops working. */
  newLaunchLink(): string;
  /** Stops listening, closes WebSockets with 1001, resolves when all sockets are gone. */
  close(): Promise<void>;
}

/** Serves the UI, the API and the WebSocket. Throws StartError, and only that, for what the user can put right. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const files = new StaticFiles(options.uiRoot);
  const { publicUrl } = options;
  const binding = resolveBinding(options.host, options.hostNames, publicUrl !== undefined);
  refuseOwnPath(publicUrl, [...ROUTE_NAMES, ...files.topNames]);
  const server = createServer({
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: LIMITS.headersMs,
    requestTimeout: LIMITS.bodyMs,
    connectionsCheckingInterval: STALLED_CHECK_MS,
    keepAliveTimeout: IDLE_SOCKET_MS,
    // The guard answers for it, with our headers.
    requireHostHeader: false,
  });
  server.setTimeout(IDLE_SOCKET_MS);
  const port = await listen(server, binding.address, options.port, options.portFixed);

  // Only now is the port known that Host and Origin must name. No request is read before this turn of the loop ends.
  const url = `http://${binding.shown}:${port}/`;
  const pageUrl = publicUrl?.href ?? url;
  const launching = new LaunchLinks(options.clock, pageUrl, options.terminal);
  const sockets = new Sockets(options.clock, options.onSocket);
  const policy: GuardPolicy<Route> = {
    authorities: authorities(binding.names, port),
    publicUrl,
    routes: createRoutes(options.api, launching, options.routes),
    pages: createPages((path, base) => files.answer(path, base)),
    acceptsToken: (presented) => launching.acceptsToken(presented),
    rules: options.rules,
  };
  server.on('error', (error) => options.terminal(`A browser could not be let in: ${error.message}.`));
  dispatchRequests(server, policy, sockets, options.terminal);

  return {
    port,
    ...(options.port !== 0 && options.port !== port && { movedFrom: options.port }),
    url,
    pageUrl,
    newLaunchLink: () => launching.newLink(),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await sockets.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Below a path that begins like one of ours, nobody could tell whether a reverse proxy has stripped it. */
function refuseOwnPath(publicUrl: PublicUrl | undefined, taken: readonly string[]): void {
  const [, first = ''] = publicUrl?.base.split('/') ?? [];
  if (first === '' || !taken.includes(first)) return;
  throw new StartError({
    code: 'public-url',
    message: `\`--public-url\` can't have the path \`/${first}\`: the page uses it itself.`,
    advice: 'Choose another path.',
  });
}

/** `name:port`; browsers leave port 80 out. */
function authorities(names: readonly string[], port: number): ReadonlySet<string> {
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}
