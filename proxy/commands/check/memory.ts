import type { Finding } from '@/lib/check/report';
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
/** Looks after the first one. Collectors take memory for a while, so most servers stop to grow after a few. */
const MOST_ROUNDS = 8;
/** Milliseconds after which a slow server gets no further request in a round. */
const ROUND_MS = 500;
/** Milliseconds for the whole step. */
const STEP_MS = 15_000;
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
        let [after, requests, grows] = [before, 0, true];
        for (let round = 0; grows && round < MOST_ROUNDS; round++) {
          const sent = await askOften(REQUESTS, () => ask(session, signal));
          const now = treeMemory(pid) ?? 0;
          grows = now - after > sent * LEAK_PER_REQUEST;
          after = now;
          requests += sent;
        }
        session.noted.memory ??= { before, after, requests };
        return grows && after - before >= LEAST_GROWTH ? [leakFinding(before, after, requests)] : [];
      } finally {
        session.frames.leaveOut(false);
      }
    },
  };
}

function leakFinding(before: number, after: number, requests: number): Finding {
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
