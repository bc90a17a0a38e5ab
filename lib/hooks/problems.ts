import { useMemo, useSyncExternalStore } from 'react';
import type { Client } from '@/lib/client/client';
import { startProblemsWorker } from '@/lib/client/workers';
import { type InvalidResult, invalidResult } from '@/lib/problems/invalid-result';
import { NEEDS_EVERY_FRAME } from '@/lib/problems/problem';
import { ProblemFeed } from '@/lib/problems/problem-feed';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { SkippedChecks } from '@/lib/problems/protocol-state';
import type { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import { useClient } from './client';
import { useFacts, useGap } from './connections';
import { useLogSize } from './log';

/** The feed of each log, with one worker, for the lifetime of the log. */
const feeds = new WeakMap<Log, ProblemFeed>();

/** Returns the feed of a log. Frames that are fetched from a host are not all fetched before a person asks. */
function useFeed({ whole }: Log): ProblemFeed {
  return feedOf(whole, useClient(), useFacts(whole)?.inParts === true);
}

function feedOf(log: Log, client: Client, waits: boolean): ProblemFeed {
  const known = feeds.get(log);
  if (known) return known;
  const feed = new ProblemFeed(log, startProblemsWorker, systemClock, waits);
  feeds.set(log, feed);
  const stop = client.onEvent((event) => {
    if (event.type !== 'forgotten' || event.connection !== log.connection) return;
    stop();
    feed.close();
  });
  return feed;
}

/**
 * Returns the problems found so far, up to the shown moment. If frames are missing, problems that need every frame are
 * left out. Rules run while a component uses this; it renders again when they find more.
 */
export function useProblems(log: Log): ProblemList {
  const { list, subscribe } = useFeed(log);
  const version = useSyncExternalStore(
    subscribe,
    () => list.version,
    () => 0,
  );
  const size = useLogSize(log);
  const damaged = useGap(log) === 'damage';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes with its version
  const told = useMemo(() => (damaged ? list.without(NEEDS_EVERY_FRAME) : list), [list, version, damaged]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes with its version
  const upTo = useMemo(() => (log === log.whole ? undefined : told.upTo(size)), [log, told, version, size]);
  return upTo ?? told;
}

/** Returns how the result in frame `seq` breaks its schema. undefined if it does not, or has not been checked yet. */
export function useInvalidResult(log: Log, seq: number | undefined): InvalidResult | undefined {
  const problems = useProblems(log);
  const { version } = problems;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes with its version
  return useMemo(() => (seq === undefined ? undefined : invalidResult(problems.of(seq))), [problems, version, seq]);
}

/** Returns true once the rules were stopped because they took too long, and the cause is unknown. */
export function useRulesStopped(log: Log): boolean {
  const feed = useFeed(log);
  return useSyncExternalStore(
    feed.subscribe,
    () => feed.stopped,
    () => false,
  );
}

/** Returns the results whose schema check is skipped, because the check hung on them. */
export function useUnchecked(log: Log): SkippedChecks | undefined {
  const feed = useFeed(log);
  return useSyncExternalStore(
    feed.subscribe,
    () => feed.skippedChecks,
    () => undefined,
  );
}

/** Returns a function that begins to check a log whose frames are all fetched for that; undefined once it has begun. */
export function useStartOfChecks(log: Log): (() => void) | undefined {
  const feed = useFeed(log);
  const waits = useSyncExternalStore(
    feed.subscribe,
    () => feed.waits,
    () => false,
  );
  return waits ? () => feed.start() : undefined;
}

/** Returns how many frames of a log the rules have checked. */
export function useCheckedFrames(log: Log): number {
  const feed = useFeed(log);
  const checked = useSyncExternalStore(
    feed.subscribe,
    () => feed.checked,
    () => 0,
  );
  return Math.min(checked, useLogSize(log));
}
