import { type BucketRequest, isBucketRequest } from '@/features/team/lib/summary/bucket-api';
import { askRoute } from '@/proxy/http/ask-route';
import type { HttpRoute } from '@/proxy/http/routes';

/** The route of everything that the page asks of the bucket. `run` rejects with a Failure. */
export function bucketRoute(run: (request: BucketRequest) => Promise<unknown>): HttpRoute {
  return askRoute({ path: '/api/bucket', accepts: isBucketRequest, run });
}
