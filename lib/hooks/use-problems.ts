import { useSyncExternalStore } from 'react';
import type { Client } from '@/lib/client/client';
import { startProblemsWorker } from '@/lib/client/problems-worker';
import { ProblemFeed } from '@/lib/problems/problem-feed';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { Log } from '@/lib/store/log';
import { useClient } from './use-client';

/** One worker a log, for as long as the log is there. */
const feeds = new WeakMap<Log, ProblemFeed>();

function feedOf(log: Log, client: Client): ProblemFeed {
  const known = feeds.get(log);
  if (known) return known;
  const feed = new ProblemFeed(log, startProblemsWorker);
  feeds.set(log, feed);
  const stop = client.onEvent((event) => {
    if (event.type !== 'forgotten' || event.connection !== log.connection) return;
    stop();
    feed.close();
  });
  return feed;
}

/** What the rules have found in a log so far. Checks while it is looked at; renders again when more is found. */
export function useProblems(log: Log): ProblemList {
  const feed = feedOf(log, useClient());
  useSyncExternalStore(
    feed.subscribe,
    () => feed.list.version,
    () => 0,
  );
  return feed.list;
}

/** How many frames of a log the rules have seen. */
export function useCheckedFrames(log: Log): number {
  const feed = feedOf(log, useClient());
  return useSyncExternalStore(
    feed.subscribe,
    () => feed.checked,
    () => 0,
  );
}
