import { rootsIn } from '@/lib/wire/client-features';
import { type LifecycleEvent, stateAfter } from '@/lib/wire/lifecycle';
import { soundEvent } from '@/lib/wire/sound-event';
import { parseJson } from './classify';
import type { ConnectionFacts } from './state';

type EventName = LifecycleEvent['event'];

/** What events tell besides the state they lead to. */
const TELLS: {
  readonly [E in EventName]?: (
    event: Extract<LifecycleEvent, { event: E }>,
    before: ConnectionFacts,
    seq: number,
  ) => Partial<ConnectionFacts>;
} = {
  start: (start) => ({ start, ...(start.transport !== 'auto' && { transport: start.transport }) }),
  fallback: ({ transport }) => ({ transport }),
  spawned: ({ pid }, _before, seq) => ({ pid, spawnedSeq: seq, exit: undefined }),
  authorization: (step) => ({ authorization: step }),
  'era-remembered': ({ era }) => ({ probe: era === 'modern' ? 'asked' : 'over' }),
  'era-forgotten': () => ({ probe: 'asked' }),
  'probe-silent': () => ({ probe: 'silent' }),
  probe: ({ era, respawn }) => ({ probe: 'over', ...(respawn && { startedTwice: era }) }),
  open: ({ era, version }, { transport = 'http' }) => ({ opened: true, era, version, transport }),
  'handshake-failed': ({ code, message, advice }, { transport = 'http' }) => ({
    failure: { code, message, advice },
    transport,
  }),
  unreachable: ({ code, message, advice, retryMs }, _before, seq) => ({
    unreachable: { code, message, advice, retryMs, seq },
  }),
  reachable: () => ({ unreachable: undefined }),
  roots: ({ roots }) => ({ roots: rootsIn(roots) }),
  closing: ({ reason }) => ({ closing: reason }),
  exit: ({ code, signal }, { state }) => ({ exit: { code, signal, ...(ENDING.has(state) && { byUs: true }) } }),
  'recording-failed': ({ message }) => ({ recordingFailed: message }),
  // Why the handshake failed says more than how the process went later.
  failed: ({ code, message, advice }, { failure }) => ({ failure: failure ?? { code, message, advice } }),
};

/** A server that exits in one of these was told to, or made to. */
const ENDING: ReadonlySet<ConnectionFacts['state']> = new Set(['closing', 'closed', 'failed']);

export const NO_FACTS: ConnectionFacts = { state: 'starting', lastLifecycleSeq: 0, seqs: [] };

/** A lifecycle frame's event, which may be of a newer version; undefined if it is none at all. */
export function toLifecycleEvent(text: string): LifecycleEvent | undefined {
  return soundEvent(parseJson(text));
}

/** The facts after one more lifecycle frame, but for `seqs`: with each frame a copy of all would be made. */
export function nextFacts(facts: ConnectionFacts, seq: number, event: LifecycleEvent | undefined): ConnectionFacts {
  if (!event) return { ...facts, lastLifecycleSeq: seq };
  const tells = Object.hasOwn(TELLS, event.event) ? TELLS[event.event] : undefined;
  const state = stateAfter(facts.state, event);
  return { ...facts, ...tells?.(event as never, facts, seq), state, lastLifecycleSeq: seq };
}
