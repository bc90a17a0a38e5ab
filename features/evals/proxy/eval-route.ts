import type { EvalsRequest } from '@/features/evals/lib/evals-api';
import { isEvalSetup } from '@/features/evals/lib/kept-lines';
import { isText, optional, type TypeCheck } from '@/lib/json/value';
import { askRoute, requestReader } from '@/proxy/http/ask-route';
import type { HttpRoute } from '@/proxy/http/routes';

/** Longest request in bytes: a file of cases, which JSON may escape. */
const EVAL_BODY_BYTES = 12 * 1024 * 1024;

const isCount: TypeCheck = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

const readRequest = requestReader<EvalsRequest>({
  list: {},
  file: { name: isText },
  plan: { setup: isEvalSetup },
  start: { setup: isEvalSetup },
  resume: { id: isText },
  stop: { id: isText },
  forget: { id: isText },
  read: { id: isText, after: optional(isCount) },
  open: { id: isText, attempt: isCount, connection: optional(isText) },
});

/** The route of everything that the page asks of evals. `run` rejects with a Failure. */
export function evalRoute(run: (request: EvalsRequest) => Promise<unknown>): HttpRoute {
  return askRoute({ path: '/api/evals', bodyBytes: EVAL_BODY_BYTES, read: readRequest, run });
}
