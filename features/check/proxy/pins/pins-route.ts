import { isPinsRequest, type PinsRequest } from '@/features/check/lib/pins/pins-api';
import { askRoute } from '@/proxy/http/ask-route';
import type { HttpRoute } from '@/proxy/http/routes';

/** Longest request in bytes: an answer of 16 MiB with all its quotes escaped. */
const PINS_BODY_BYTES = 32 * 1024 * 1024;

/** The route of everything that the page asks of pinned calls. `run` rejects with a Failure. */
export function pinsRoute(run: (request: PinsRequest) => Promise<unknown>): HttpRoute {
  return askRoute({ path: '/api/pins', bodyBytes: PINS_BODY_BYTES, accepts: isPinsRequest, run });
}
