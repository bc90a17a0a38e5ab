import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Replay, ReplayHost } from '@/lib/replay/server/replay';
import { refuseUnparsed, requestFacts } from '@/proxy/http/dispatch';
import { GUARD_RULES, guard, type RouteShape } from '@/proxy/http/guard';
import { listenAt } from '@/proxy/http/listen';
import { bareReply, sendReply } from '@/proxy/http/reply';
import { type Backend, replayBackend } from './backend';
import { legacyEndpoint } from './legacy-endpoint';
import { modernEndpoint } from './modern-endpoint';

/** Most bytes of request line and headers. Some headers repeat arguments (2026-07-28). */
const REPLAY_HEADER_BYTES = 256 * 1024;

/** A server over Streamable HTTP. */
export interface ReplayServer {
  readonly url: string;
  close(): Promise<void>;
}

const ENDPOINTS = { legacy: legacyEndpoint, modern: modernEndpoint } as const;
const ADDRESS = '127.0.0.1';
const PATH = '/mcp';
/** Guard rules about the page, its token and its paths. A replay has none of these. */
const PAGE_RULES: ReadonlySet<string> = new Set(['upgrade-origin', 'path', 'method', 'token', 'subprotocol']);
/** All other guard rules keep web pages out, since a recording is private. New rules apply by default. */
const RULES = GUARD_RULES.filter(({ name }) => !PAGE_RULES.has(name));

/** Serves a replay on 127.0.0.1. Rejects with a StartError if the port can’t be used; 0 takes any free one. */
export function serveHttp(replay: Replay, host: Omit<ReplayHost, 'side'>, port: number): Promise<ReplayServer> {
  return serveBackend(replayBackend(replay, host), { printNote: host.printNote, port, path: PATH });
}

/** Serves a backend on 127.0.0.1 at `path`. Rejects as {@link serveHttp} does. */
export async function serveBackend(
  backend: Backend,
  { printNote, port, path }: { printNote(sentence: string): void; readonly port: number; readonly path: string },
): Promise<ReplayServer> {
  const endpoint = ENDPOINTS[backend.era](backend);
  const route: RouteShape = { method: 'POST', path, upgrade: false, access: 'open' };
  const server = createServer({ maxHeaderSize: REPLAY_HEADER_BYTES, requireHostHeader: false });
  const found = await listenAt(server, ADDRESS, port, true);
  const policy = {
    authorities: new Set(['localhost', ADDRESS, '[::1]'].map((name) => `${name}:${found}`)),
    routes: [route],
    pages: { ...route, path: '' },
    acceptsToken: () => true,
    rules: RULES,
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse, awaited: boolean): void => {
    // A client that leaves during an answer is not an error.
    response.on('error', () => {});
    const decision = guard(requestFacts(request, false), policy);
    if (!decision.allow) {
      printNote(`Refused ${request.method} ${request.url}: ${decision.reason}.`);
      sendReply(response, bareReply(decision.status), true);
    } else if (decision.path !== path) sendReply(response, bareReply(404), true);
    else {
      if (awaited) response.writeContinue();
      endpoint.handle(request, response).catch(() => {
        // The client left while its request was read.
        if (!response.headersSent) sendReply(response, bareReply(500), true);
      });
    }
  };
  server.on('request', (request, response) => onRequest(request, response, false));
  // The guard comes before the body.
  server.on('checkContinue', (request, response) => onRequest(request, response, true));
  server.on('clientError', refuseUnparsed);
  return {
    url: `http://${ADDRESS}:${found}${path}`,
    async close() {
      endpoint.end();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
