import { type JsonObject, objectWith, own, type TypeCheck } from '@/lib/json/value';
import { bareReply, failureReply, jsonReply } from './reply';
import { type HttpRoute, objectIn } from './routes';

interface Asked<Request> {
  readonly path: string;
  /** Longest request in bytes; that of other routes if absent. */
  readonly bodyBytes?: number;
  /** Reads a request; undefined if it is malformed. */
  readonly read: (value: JsonObject | undefined) => Request | undefined;
  /** Carries out a request. Rejects with a Failure. */
  readonly run: (request: Request) => Promise<unknown>;
}

/** Returns the route of everything that the page asks of one part of its server. */
export function askRoute<Request>({ path, bodyBytes, read, run }: Asked<Request>): HttpRoute {
  return {
    path,
    method: 'POST',
    upgrade: false,
    access: 'token',
    bodyBytes,
    handle: async ({ body }) => {
      const request = read(objectIn(body));
      return request ? run(request).then((reply) => jsonReply(200, reply ?? {}), failureReply) : bareReply(400);
    },
  };
}

/** Returns what reads requests of several kinds, by the members that each kind has. */
export function requestReader<Request extends { readonly kind: string }>(
  fields: {
    readonly [K in Request['kind']]: Readonly<Record<string, TypeCheck>>;
  },
): (value: JsonObject | undefined) => Request | undefined {
  const known: Readonly<Record<string, Readonly<Record<string, TypeCheck>>>> = fields;
  return (value) => {
    const kind = value && own(value, 'kind');
    if (typeof kind !== 'string' || !Object.hasOwn(known, kind)) return undefined;
    return objectWith(known[kind]!)(value) ? (value as unknown as Request) : undefined;
  };
}
