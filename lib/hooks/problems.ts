import { useMemo, useSyncExternalStore } from 'react';
import type { Client } from '@/lib/client/client';
import { startProblemsWorker } from '@/lib/client/workers';
import { type InvalidResult, invalidResult } from '@/lib/problems/invalid-result';
import { NEEDS_EVERY_FRAME } from '@/lib/problems/problem';
import { ProblemFeed } from '@/lib/problems/problem-feed';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { SkippedChecks } from '@/lib/problems/protocol-state';
import type { Log } from '@/lib/store/log';
import { useClient } from './client';
import { useGap } from './connections';
import { useLogSize } from './log';

/** The feed of each log, with one worker, for the lifetime of the log. */
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

/**
 * Returns the problems found so far, up to the shown moment. If frames are missing, problems that need every frame are
 * left out. Rules run while a component uses this; it renders again when they find more.
 */
export function useProblems(log: Log): ProblemList {
  const { list, subscribe } = feedOf(log.whole, useClient());
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
  const feed = feedOf(log.whole, useClient());
  return useSyncExternalStore(
    feed.subscribe,
    () => feed.stopped,
    () => false,
  );
}

/** Returns the results whose schema check is skipped, because the check hung on them. */
export function useUnchecked(log: Log): SkippedChecks | undefined {
  const feed = feedOf(log.whole, useClient());
  return useSyncExternalStore(
    feed.subscribe,
    () => feed.skippedChecks,
    () => undefined,
  );
}

/** Returns how many frames of a log the rules have checked. */
export function useCheckedFrames(log: Log): number {
  const feed = feedOf(log.whole, useClient());
  const checked = useSyncExternalStore(
    feed.subscribe,
    () => feed.checked,
    () => 0,
  );
  return Math.min(checked, useLogSize(log));
}
