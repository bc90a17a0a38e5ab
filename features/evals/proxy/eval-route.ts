import { type EvalsRequest, isEvalsRequest } from '@/features/evals/lib/evals-api';
import { askRoute } from '@/proxy/http/ask-route';
import type { HttpRoute } from '@/proxy/http/routes';

/** Longest request in bytes: a file of cases, which JSON may escape. */
const EVAL_BODY_BYTES = 12 * 1024 * 1024;

/** The route of everything that the page asks of evals. `run` rejects with a Failure. */
export function evalRoute(run: (request: EvalsRequest) => Promise<unknown>): HttpRoute {
  return askRoute({ path: '/api/evals', bodyBytes: EVAL_BODY_BYTES, accepts: isEvalsRequest, run });
}
