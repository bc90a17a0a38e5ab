import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Replay, ReplayHost } from '@/lib/replay/server/replay';
import { refuseUnparsed, requestFacts } from '@/proxy/http/dispatch';
import { GUARD_RULES, guard, type RouteShape } from '@/proxy/http/guard';
import { listen } from '@/proxy/http/listen';
import { bareReply, sendReply } from '@/proxy/http/reply';
import { legacyEndpoint } from './legacy-endpoint';
import { modernEndpoint } from './modern-endpoint';

/** Request line and headers of a replay's client: some repeat arguments (2026-07-28). */
const REPLAY_HEADER_BYTES = 256 * 1024;

/** A replay over Streamable HTTP. */
export interface ReplayServer {
  readonly url: string;
  close(): Promise<void>;
}

const ENDPOINTS = { legacy: legacyEndpoint, modern: modernEndpoint } as const;
const ADDRESS = '127.0.0.1';
const PATH = '/mcp';
/** Rules about the page, its token and its paths: the endpoints see to their own. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['upgrade-origin', 'path', 'method', 'token', 'subprotocol']);
/** What keeps web pages out, whatever name they reach us by: all rules but those, so that a new one counts. A recording is private. */
const RULES = GUARD_RULES.filter(({ name }) => !OF_THE_PAGE.has(name));

/** Serves the replay on 127.0.0.1. Rejects with a StartError if the port can't be had; 0 is any free one. */
export async function serveHttp(replay: Replay, host: Omit<ReplayHost, 'side'>, port: number): Promise<ReplayServer> {
  const endpoint = ENDPOINTS[replay.traffic.era](replay, host);
  const route: RouteShape = { method: 'POST', path: PATH, upgrade: false, access: 'open' };
  const server = createServer({ maxHeaderSize: REPLAY_HEADER_BYTES, requireHostHeader: false });
  const found = await listen(server, ADDRESS, port, true);
  const policy = {
    authorities: new Set(['localhost', ADDRESS, '[::1]'].map((name) => `${name}:${found}`)),
    routes: [route],
    pages: { ...route, path: '' },
    acceptsToken: () => true,
    rules: RULES,
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Whoever goes in the middle of an answer is no failure of ours.
    response.on('error', () => {});
    const decision = guard(requestFacts(request, false), policy);
    if (!decision.allow) {
      host.printNote(`RpcError ${request.method} ${request.url}: ${decision.reason}.`);
      sendReply(response, bareReply(decision.status), true);
    } else if (decision.path !== PATH) sendReply(response, bareReply(404), true);
    else {
      endpoint.handle(request, response).catch(() => {
        // Its sender went while it was read.
        if (!response.headersSent) sendReply(response, bareReply(500), true);
      });
    }
  });
  server.on('clientError', refuseUnparsed);
  return {
    url: `http://${ADDRESS}:${found}${PATH}`,
    async close() {
      endpoint.end();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
