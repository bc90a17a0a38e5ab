import type { CheckFinding } from '@/features/check/lib/report';
import { systemClock } from '@/lib/wire/clock';
import { formatBytes } from '@/lib/wire/format';
import { treeMemory } from '@/proxy/process/tree-memory';
import type { Session, SessionStep } from './check-session';

/** Requests before the first look: runtimes load code and grow their heaps at first. */
const WARM_UP = 200;
/** Requests between two looks. */
const REQUESTS = 300;
/** Requests that are in flight together. */
const TOGETHER = 20;
/** Requests after the first look. Collectors take memory for a while, so most servers stop to grow after a few. */
const MOST_REQUESTS = 8 * REQUESTS;
/** Milliseconds after which a slow server gets no further request in a round. */
const ROUND_MS = 500;
/** Milliseconds for all rounds. A server that answers slowly, but grows in each round, gets more of them. */
const ROUNDS_MS = 10_000;
/** Milliseconds for the whole step. */
const STEP_MS = 15_000;
/** Rounds without growth that end the step. One is not enough: a collection can hide the growth of a round. */
const QUIET_ROUNDS = 2;
/** Bytes per request, in every round, that are a leak. Requests are answered with less than 1 KB. */
const LEAK_PER_REQUEST = 16 * 1024;
/** Bytes of the least growth that is reported: the young generation of a collector can grow to nearly that. */
const LEAST_GROWTH = 64 * 1024 * 1024;

/** Makes a step that sends one request very often, and looks at the memory of the server’s processes. */
export function memoryStep(
  name: string,
  ask: (session: Session, signal: AbortSignal) => Promise<unknown>,
  skips: SessionStep['skips'] = () => undefined,
): SessionStep {
  return {
    name,
    limitMs: STEP_MS,
    skips: (session) => {
      if (!session.isStdio) return 'Only a server that this check starts has a process to look at.';
      const pid = session.frames.serverPid;
      return pid === undefined || treeMemory(pid) === undefined ? 'This system has no /proc.' : skips(session);
    },
    run: async (session, signal) => {
      const pid = session.frames.serverPid!;
      session.frames.leaveOut(true);
      try {
        await askOften(WARM_UP, () => ask(session, signal));
        const before = treeMemory(pid) ?? 0;
        const end = systemClock.now() + ROUNDS_MS;
        let [from, after, requests, growing, quiet] = [before, before, 0, 0, 0];
        while (quiet < QUIET_ROUNDS && requests < MOST_REQUESTS && systemClock.now() < end) {
          const sent = await askOften(REQUESTS, () => ask(session, signal));
          const now = treeMemory(pid) ?? 0;
          const grows = now - after > sent * LEAK_PER_REQUEST;
          after = now;
          requests += sent;
          growing = grows ? growing + sent : 0;
          if (grows) continue;
          quiet++;
          from = now;
        }
        session.noted.memory ??= { before, after, requests };
        return growing > 0 && after - from >= LEAST_GROWTH ? [leakFinding(from, after, growing)] : [];
      } finally {
        session.frames.leaveOut(false);
      }
    },
  };
}

function leakFinding(before: number, after: number, requests: number): CheckFinding {
  return {
    rule: 'memory-grows',
    severity: 'warning',
    title: 'Memory that grows with each request',
    message: `The server grew from ${formatBytes(before)} to ${formatBytes(after)} during ${requests} equal requests.`,
    path: undefined,
    frames: [],
    advice: 'Free what belongs to a request once it is answered: look for lists, maps and listeners that only grow.',
    spec: undefined,
  };
}

/** Asks `count` times, a few together, or until the time of a round is over. Resolves with the number. */
async function askOften(count: number, ask: () => Promise<unknown>): Promise<number> {
  const end = systemClock.now() + ROUND_MS;
  let sent = 0;
  const work = async (): Promise<void> => {
    while (sent < count && systemClock.now() < end) {
      sent++;
      await ask();
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
  return sent;
}
