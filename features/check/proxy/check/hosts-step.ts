import type { ForHosts } from '@/proxy/commands/shared/for-hosts';
import type { SessionStep } from './check-session';
import { judgeFramesForHosts } from './judge-for-hosts';

/** Milliseconds for the lists, pages of apps and requests that facts about hosts are about. */
const HOSTS_MS = 60_000;

/** Returns the step that judges a session for hosts. It comes before the steps that send faults on purpose. */
export function hostsStep(given: ForHosts): SessionStep {
  let judged = false;
  return {
    name: 'hosts',
    limitMs: HOSTS_MS,
    skips: () => (judged ? 'The hosts were judged in the first session.' : undefined),
    run: async ({ connection, negotiated, frames, noted }) => {
      // The answers to requests that only some hosts send break no rule.
      frames.pause();
      await given.explore({ connection, negotiated }).finally(() => frames.resume());
      const { findings, facts } = judgeFramesForHosts(given, frames.frames);
      Object.assign(noted, facts);
      judged = true;
      return findings;
    },
  };
}
