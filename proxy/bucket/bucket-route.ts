import { type Check, isText, type JsonObject, objectWith, own } from '@/lib/json/value';
import { type BucketRequest, QUERY_CHARS } from '@/lib/summary/bucket-api';
import { bareReply, failureReply, jsonReply } from '@/proxy/http/reply';
import { type HttpRoute, objectIn } from '@/proxy/http/routes';

/** Most rows of an answer. */
const MOST_BUCKET_ROWS = 200;
/** Longest key and id in characters. */
const KEY_CHARS = 1024;

/** The route of everything that the page asks of the bucket. `run` rejects with a Failure. */
export function bucketRoutes(run: (request: BucketRequest) => Promise<unknown>): readonly HttpRoute[] {
  return [
    {
      path: '/api/bucket',
      method: 'POST',
      upgrade: false,
      access: 'token',
      handle: async ({ body }) => {
        const request = readRequest(objectIn(body));
        return request ? run(request).then((reply) => jsonReply(200, reply ?? {}), failureReply) : bareReply(400);
      },
    },
  ];
}

const isShort: Check = (value) => isText(value) && (value as string).length <= KEY_CHARS;
const isFlag: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

/** The members of each kind of request. */
const FIELDS: { readonly [K in BucketRequest['kind']]: Readonly<Record<string, Check>> } = {
  list: {
    query: (value) => isText(value) && (value as string).length <= QUERY_CHARS,
    from: isCount,
    most: (value) => isCount(value) && (value as number) <= MOST_BUCKET_ROWS,
  },
  fill: { all: isFlag },
  cancel: {},
  open: { key: isShort, whole: isFlag },
  save: { key: isShort },
  'read-on': { connection: isShort },
};

/** Reads a request of the page; undefined if it is malformed. */
function readRequest(value: JsonObject | undefined): BucketRequest | undefined {
  const kind = value && own(value, 'kind');
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) return undefined;
  return objectWith(FIELDS[kind as BucketRequest['kind']])(value) ? (value as unknown as BucketRequest) : undefined;
}
