import type { EvalsRequest } from '@/lib/evals/evals-api';
import { isEvalSetup } from '@/lib/evals/kept-lines';
import { type Check, isText, type JsonObject, objectWith, optional, own } from '@/lib/json/value';
import { bareReply, failureReply, jsonReply } from '@/proxy/http/reply';
import { type HttpRoute, objectIn } from '@/proxy/http/routes';

/** Longest request in bytes: a file of cases, which JSON may escape. */
const EVAL_BODY_BYTES = 12 * 1024 * 1024;

/** The route of everything that the page asks of evals. `run` rejects with a Failure. */
export function evalRoutes(run: (request: EvalsRequest) => Promise<unknown>): readonly HttpRoute[] {
  return [
    {
      path: '/api/evals',
      method: 'POST',
      upgrade: false,
      access: 'token',
      bodyBytes: EVAL_BODY_BYTES,
      handle: ({ body }) => {
        const request = readEvalsRequest(objectIn(body));
        return request
          ? run(request).then((reply) => jsonReply(200, reply ?? {}), failureReply)
          : Promise.resolve(bareReply(400));
      },
    },
  ];
}

const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

/** The members of each kind of request. */
const FIELDS: { readonly [K in EvalsRequest['kind']]: Readonly<Record<string, Check>> } = {
  list: {},
  file: { name: isText },
  plan: { setup: isEvalSetup },
  start: { setup: isEvalSetup },
  resume: { id: isText },
  stop: { id: isText },
  forget: { id: isText },
  read: { id: isText, after: optional(isCount) },
  open: { id: isText, attempt: isCount, connection: optional(isText) },
};

/** Reads a request of the page; undefined if it is malformed. */
function readEvalsRequest(value: JsonObject | undefined): EvalsRequest | undefined {
  const kind = value && own(value, 'kind');
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) return undefined;
  return objectWith(FIELDS[kind as EvalsRequest['kind']])(value) ? (value as unknown as EvalsRequest) : undefined;
}
