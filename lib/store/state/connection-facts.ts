import { isObject, type JsonObject, own } from '@/lib/json/value';
import { rootsIn } from '@/lib/wire/connection-settings';
import { type LifecycleEvent, stateAfter, validLifecycleEvent } from '@/lib/wire/lifecycle';
import { parseJson } from '../classify';
import type { ConnectionFacts, ServerFacts, ServerInfo } from './state';

type EventName = LifecycleEvent['event'];

/** What events tell besides the state they lead to. */
const FACTS_BY_EVENT: {
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
  return validLifecycleEvent(parseJson(text));
}

/** The facts after one more lifecycle frame, but for `seqs`: with each frame a copy of all would be made. */
export function nextFacts(facts: ConnectionFacts, seq: number, event: LifecycleEvent | undefined): ConnectionFacts {
  if (!event) return { ...facts, lastLifecycleSeq: seq };
  const tells = Object.hasOwn(FACTS_BY_EVENT, event.event) ? FACTS_BY_EVENT[event.event] : undefined;
  const state = stateAfter(facts.state, event);
  return { ...facts, ...tells?.(event as never, facts, seq), state, lastLifecycleSeq: seq };
}

/** Where servers of the modern era say who they are (spec 2026-07-28, `_meta` of a result). */
const META_SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** What an answer to `initialize` or `server/discover` says, or undefined if it says nothing usable. */
export function toServerFacts(seq: number, result: unknown): ServerFacts | undefined {
  if (!isObject(result)) return undefined;
  const meta = own(result, '_meta');
  const info = own(result, 'serverInfo') ?? (isObject(meta) ? own(meta, META_SERVER_INFO) : undefined);
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
