import type { Guard } from '@/lib/json/value';
import { bareReply, failureReply, jsonReply } from './reply';
import { type HttpRoute, objectIn } from './routes';

interface Asked<Request> {
  readonly path: string;
  /** Longest request in bytes; that of other routes if absent. */
  readonly bodyBytes?: number;
  /** Accepts a request that is not malformed. */
  readonly accepts: Guard<Request>;
  /** Carries out a request. Rejects with a Failure. */
  readonly run: (request: Request) => Promise<unknown>;
}

/** Returns the route of everything that the page asks of one part of its server. */
export function askRoute<Request>({ path, bodyBytes, accepts, run }: Asked<Request>): HttpRoute {
  return {
    path,
    method: 'POST',
    upgrade: false,
    access: 'token',
    bodyBytes,
    handle: async ({ body }) => {
      const request: unknown = objectIn(body);
      return accepts(request)
        ? run(request).then((reply) => jsonReply(200, reply ?? {}), failureReply)
        : bareReply(400);
    },
  };
}
