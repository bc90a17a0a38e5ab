import { isObject, type JsonObject, own } from '@/lib/json/value';
import { rootsIn } from '@/lib/wire/connection-settings';
import { type LifecycleEvent, stateAfter, validLifecycleEvent } from '@/lib/wire/lifecycle';
import { META_KEY } from '@/lib/wire/protocol-names';
import { parseJson } from '../classify';
import type { ConnectionFacts, ServerFacts, ServerInfo } from './state';

type EventName = LifecycleEvent['event'];

/** Facts from events, apart from the connection state. */
const FACTS_BY_EVENT: {
  readonly [E in EventName]?: (
    event: Extract<LifecycleEvent, { event: E }>,
    before: ConnectionFacts,
    seq: number,
  ) => Partial<ConnectionFacts>;
} = {
  start: (start) => ({ start, ...(start.transport !== 'auto' && { transport: start.transport }) }),
  fallback: ({ transport }) => ({ transport }),
  spawned: ({ pid, program, venv }, _before, seq) => ({ pid, spawnedSeq: seq, exit: undefined, program, venv }),
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
  profile: ({ profile }) => ({ profile }),
  roots: ({ roots }) => ({ roots: rootsIn(roots) }),
  'log-level': ({ level }) => ({ logLevel: level }),
  overlay: ({ text, file, notified }, _before, seq) => ({
    overlay: text === undefined ? undefined : { text, file, notified, seq },
  }),
  closing: ({ reason }) => ({ closing: reason }),
  exit: ({ code, signal }, { state }) => ({ exit: { code, signal, ...(ENDING.has(state) && { byUs: true }) } }),
  'recording-failed': ({ message }) => ({ recordingFailed: message }),
  // The reason for a failed handshake is more useful than the later exit.
  failed: ({ code, message, advice }, { failure }) => ({ failure: failure ?? { code, message, advice } }),
};

/** States in which the client has ended the server. */
const ENDING: ReadonlySet<ConnectionFacts['state']> = new Set(['closing', 'closed', 'failed']);

export const NO_FACTS: ConnectionFacts = { state: 'starting', lastLifecycleSeq: 0, seqs: [] };

/** Reads the event of a lifecycle frame, possibly from a newer version; undefined if it is unreadable. */
export function toLifecycleEvent(text: string): LifecycleEvent | undefined {
  return validLifecycleEvent(parseJson(text));
}

/** Returns the facts after a lifecycle frame, except for `seqs`, which would be copied for each frame. */
export function nextFacts(facts: ConnectionFacts, seq: number, event: LifecycleEvent | undefined): ConnectionFacts {
  if (!event) return { ...facts, lastLifecycleSeq: seq };
  const factsOf = Object.hasOwn(FACTS_BY_EVENT, event.event) ? FACTS_BY_EVENT[event.event] : undefined;
  const state = stateAfter(facts.state, event);
  return { ...facts, ...factsOf?.(event as never, facts, seq), state, lastLifecycleSeq: seq };
}

/** Reads the result of `initialize` or `server/discover`; undefined if it is unusable. */
export function toServerFacts(seq: number, result: unknown): ServerFacts | undefined {
  if (!isObject(result)) return undefined;
  const meta = own(result, '_meta');
  const info = own(result, 'serverInfo') ?? (isObject(meta) ? own(meta, META_KEY.serverInfo) : undefined);
  const capabilities = own(result, 'capabilities');
  const instructions = own(result, 'instructions');
  return {
    info: isObject(info) ? toServerInfo(info) : undefined,
    capabilities: isObject(capabilities) ? capabilities : undefined,
    instructions: typeof instructions === 'string' ? instructions : undefined,
    seq,
  };
}

function toServerInfo(raw: JsonObject): ServerInfo {
  const title = own(raw, 'title');
  return {
    ...raw,
    name: asText(own(raw, 'name')),
    version: asText(own(raw, 'version')),
    title: typeof title === 'string' ? title : undefined,
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
