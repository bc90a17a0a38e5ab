import { useSyncExternalStore } from 'react';
import type { Client } from '@/lib/client/client';
import { type CheckWorker, ProblemFeed } from '@/lib/problems/problem-feed';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { Log } from '@/lib/store/log';
import { useClient } from './use-client';

/** Bundled apart from the page: see scripts/build-workers.mjs. */
const WORKER = '/workers/problems.js';

/** One worker a log, for as long as the log is there. */
const feeds = new WeakMap<Log, ProblemFeed>();

function feedOf(log: Log, client: Client): ProblemFeed {
  const known = feeds.get(log);
  if (known) return known;
  const feed = new ProblemFeed(log, () => new Worker(WORKER, { type: 'module' }) as CheckWorker);
  feeds.set(log, feed);
  const stop = client.onEvent((event) => {
    if (event.type !== 'forgotten' || event.connection !== log.connection) return;
    stop();
    feed.close();
  });
  return feed;
}

/** What the rules have found in a log so far, and how many of its frames they have seen. Checks while it is looked at. */
export function useProblems(log: Log): {
  readonly list: ProblemList;
  readonly checked: number;
  readonly version: number;
} {
  const feed = feedOf(log, useClient());
  const version = useSyncExternalStore(
    feed.subscribe,
    () => feed.version,
    () => 0,
  );
  return { list: feed.list, checked: feed.checked, version };
}
