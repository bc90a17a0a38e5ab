import { type BucketRequest, QUERY_CHARS } from '@/features/team/lib/summary/bucket-api';
import { isFlag, isText, type TypeCheck } from '@/lib/json/value';
import { askRoute, requestReader } from '@/proxy/http/ask-route';
import type { HttpRoute } from '@/proxy/http/routes';

/** Most rows of an answer. */
const MOST_BUCKET_ROWS = 200;
/** Longest key and id in characters. */
const KEY_CHARS = 1024;

const isShort: TypeCheck = (value) => isText(value) && (value as string).length <= KEY_CHARS;
const isCount: TypeCheck = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

const readRequest = requestReader<BucketRequest>({
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
});

/** The route of everything that the page asks of the bucket. `run` rejects with a Failure. */
export function bucketRoute(run: (request: BucketRequest) => Promise<unknown>): HttpRoute {
  return askRoute({ path: '/api/bucket', read: readRequest, run });
}
