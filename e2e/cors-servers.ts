import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect, runBin } from './bin';
import { test as withServers } from './http-servers';

/** CORS headers that replace the real server's own. An empty one is not sent. */
export interface Cors {
  readonly origin: string;
  readonly headers: string;
  readonly methods: string;
  readonly expose: string;
}

/** The CORS headers that make everything work. */
export const ALL_CORS: Cors = {
  origin: '*',
  headers: 'content-type, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id, authorization',
  methods: 'GET, POST, DELETE',
  expose: 'Mcp-Session-Id',
};

/** A request that a browser sent to a {@link CorsServer}. */
interface Arrived {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** True if the client closed it before the response was complete. */
  aborted: boolean;
}

/** A real server whose CORS headers the test chooses. */
export interface CorsServer {
  readonly url: string;
  readonly arrived: readonly Arrived[];
}

interface Fixtures {
  /** Starts a server of the catalogue with these CORS headers. The fixture stops it after the test. */
  serveBehind(name: string, cors: Cors | undefined): Promise<CorsServer>;
  /** Serves the built page like a plain static host, without extra headers. Returns its address. */
  host(): Promise<string>;
}

export const test = withServers.extend<Fixtures>({
  serveBehind: async ({ serve }, use) => {
    const proxies: Server[] = [];
    await use(async (name, cors) => {
      const { url, port } = await serve(name);
      const arrived: Arrived[] = [];
      const proxy = corsProxy(port, cors, arrived);
      proxies.push(proxy);
      return { url: `${await listen(proxy)}${new URL(url).pathname}`, arrived };
    });
    for (const proxy of proxies) close(proxy);
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  host: async ({}, use) => {
    const hosts: Server[] = [];
    const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-site-'));
    await use(async () => {
      const site = join(folder, String(hosts.length));
      expect((await runBin(['open', '--write', site])).stderr).toContain('Wrote the page');
      const host = staticHost(site);
      hosts.push(host);
      return `${await listen(host)}/`;
    });
    for (const host of hosts) close(host);
    rmSync(folder, { recursive: true });
  },
});

/** Forwards requests to the server at `port` and answers preflights itself. Without `cors` it allows nothing. */
function corsProxy(port: number, cors: Cors | undefined, arrived: Arrived[]): Server {
  const ours = Object.entries({
    'access-control-allow-origin': cors?.origin,
    'access-control-allow-headers': cors?.headers,
    'access-control-allow-methods': cors?.methods,
    'access-control-expose-headers': cors?.expose,
  }).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return createServer((incoming, outgoing) => {
    const { method = 'GET', headers, url } = incoming;
    const seen: Arrived = { method, headers, aborted: false };
    arrived.push(seen);
    outgoing.on('close', () => {
      seen.aborted = !outgoing.writableFinished;
    });
    if (method === 'OPTIONS') {
      outgoing.writeHead(cors ? 204 : 405, Object.fromEntries(ours)).end();
      return;
    }
    const behind = forward({ host: 'localhost', port, method, path: url, headers }, (answer) => {
      const theirs = Object.entries(answer.headers).filter(([name]) => !name.startsWith('access-control-'));
      outgoing.writeHead(answer.statusCode!, Object.fromEntries([...theirs, ...ours]));
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    behind.on('error', () => outgoing.destroy());
    outgoing.on('close', () => behind.destroy());
    incoming.pipe(behind);
  });
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
};

function staticHost(root: string): Server {
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, 'http://host');
    const path = pathname === '/' ? '/index.html' : pathname;
    const body = await readFile(join(root, path)).catch(() => undefined);
    if (!body) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body);
  });
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}
