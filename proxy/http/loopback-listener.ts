import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guard } from './guard';
import { REQUEST_BOUNDS } from './listen';
import type { PendingSignIns } from './pending-sign-ins';
import { bareReply, sendReply } from './reply';
import { callbackRoute } from './sign-in-callback';

/** A server on a free port of 127.0.0.1, behind the guard, with the callback as its only route. */
export interface LoopbackListener {
  readonly origin: string;
  close(): void;
}

/** Starts listening for callbacks to `pending`. */
export async function listenForCallbacks(pending: Pick<PendingSignIns, 'handleCallback'>): Promise<LoopbackListener> {
  const server = createServer({
    ...REQUEST_BOUNDS,
    // The guard itself refuses requests without a Host header.
    requireHostHeader: false,
  });
  server.listen({ host: '127.0.0.1', port: 0, exclusive: true });
  await once(server, 'listening');
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const route = callbackRoute(pending);
  const policy = {
    authorities: new Set([authority]),
    routes: [route],
    // There is no page and no token, so everything else is refused.
    pages: { ...route, path: '*', access: 'token' as const },
    acceptsToken: () => false,
  };
  const onRequest: RequestListener = async ({ method = '', url = '', rawHeaders }, response) => {
    const decision = guard({ method, target: url, rawHeaders, upgrade: false }, policy);
    if (!decision.allow) return sendReply(response, bareReply(decision.status), true);
    const query = method === 'HEAD' ? '' : url.slice(url.indexOf('?') + 1);
    sendReply(response, await decision.route.handle({ ...decision, body: '', query }), true);
  };
  server.on('request', onRequest);
  // No route reads a body, so nobody has to send one.
  server.on('checkContinue', onRequest);
  return {
    origin: `http://${authority}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
