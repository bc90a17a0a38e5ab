import { useEffect, useRef, useState } from 'react';
import { useClient } from '@/lib/hooks/client';
import { LIST_KINDS, type ListChange, type ListedItems, listChanges } from '@/lib/store/list-changes';
import type { Log } from '@/lib/store/log';
import { type CapabilityPath, capabilityName, isDeclared, withCapability } from '@/lib/wire/capability-switches';
import { type ClientProfile, declaredBy } from '@/lib/wire/client-profile';
import type { ConnectionState, Failure } from '@/lib/wire/lifecycle';

/** The state of a connection with one capability switched. */
export type Trial =
  | { readonly step: 'waiting' | 'connecting' | 'listing' }
  | { readonly step: 'failed'; readonly failure: Failure; readonly run: string | undefined }
  | { readonly step: 'done'; readonly changes: readonly ListChange[]; readonly run: string };

/** Tries capabilities one at a time, and keeps the results until another is asked for. */
export interface CapabilityTrials {
  /** By the name of the capability. */
  readonly results: ReadonlyMap<string, Trial>;
  readonly running: boolean;
  readonly start: (paths: readonly CapabilityPath[]) => void;
  readonly cancel: () => void;
}

const CANCELLED: Failure = {
  code: 'cancelled',
  message: 'You stopped the comparison.',
  advice: 'Start it again to see the result.',
};

/**
 * Shows what a server lists if a capability is switched: starts a further run with the other profile beside the present
 * one, reads its lists, compares them with the present ones, and ends it. The run stays in the list of servers.
 */
export function useTrials(log: Log, profile: ClientProfile): CapabilityTrials {
  const client = useClient();
  const [results, setResults] = useState<ReadonlyMap<string, Trial>>(new Map());
  const [running, setRunning] = useState(false);
  const stop = useRef<AbortController>(undefined);
  // Nobody would see the results.
  useEffect(() => () => stop.current?.abort(), []);
  const start = async (paths: readonly CapabilityPath[]) => {
    if (stop.current) return;
    const stopped = new AbortController();
    stop.current = stopped;
    setRunning(true);
    const set = (path: CapabilityPath, trial: Trial) =>
      setResults((before) => new Map([...before, [capabilityName(path), trial]]));
    for (const path of paths) set(path, { step: 'waiting' });
    for (const path of paths) {
      const result = stopped.signal.aborted
        ? ({ step: 'failed', failure: CANCELLED, run: undefined } as const)
        : await tryOut(client, log, profile, path, stopped.signal, (step) => set(path, { step }));
      set(path, result);
    }
    stop.current = undefined;
    setRunning(false);
  };
  return { results, running, start: (paths) => void start(paths), cancel: () => stop.current?.abort() };
}

async function tryOut(
  client: ReturnType<typeof useClient>,
  log: Log,
  profile: ClientProfile,
  path: CapabilityPath,
  signal: AbortSignal,
  onStep: (step: 'connecting' | 'listing') => void,
): Promise<Trial> {
  let run: string | undefined;
  try {
    onStep('connecting');
    const capabilities = declaredBy(profile);
    const on = isDeclared(capabilities, path);
    const made = await client.send({
      type: 'try-profile',
      connection: log.connection,
      profile: { ...profile, capabilities: withCapability(capabilities, path, !on) },
      trial: `${on ? 'without' : 'with'} ${capabilityName(path)}`.slice(0, TRIAL_CHARS),
    });
    const { connection } = made;
    run = connection;
    const other = client.attach(connection);
    await whenListed(other, signal, () => onStep('listing'));
    await whenListed(log, signal);
    return { step: 'done', changes: listChanges(listsOf(log), listsOf(other)), run: connection };
  } catch (error) {
    return { step: 'failed', failure: error as Failure, run };
  } finally {
    if (run !== undefined) await client.send({ type: 'close', connection: run }).catch(() => {});
  }
}

/** The hub accepts as many. */
const TRIAL_CHARS = 200;

const ENDED: ReadonlySet<ConnectionState> = new Set(['handshake-failed', 'closing', 'closed', 'failed']);

const ENDED_EARLY: Failure = {
  code: 'trial-ended',
  message: 'The connection ended before its lists were read.',
  advice: 'Look at this run in the list of servers.',
};

/**
 * Milliseconds without a change after which lists count as read. Servers that add tools after the handshake say so
 * within a fraction of that, and mcp-inspect then reads the list again.
 */
const QUIET_MS = 500;

/**
 * Resolves when the lists of a connection have been read and stay the same. Rejects with a Failure if it ends before,
 * or on abort.
 */
function whenListed(log: Log, signal: AbortSignal, onOpen?: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: number | undefined;
    let read: string | undefined;
    const end = (settle: () => void) => {
      window.clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = () => end(() => reject(CANCELLED));
    const look = () => {
      const { state, failure } = log.state.connection;
      if (ENDED.has(state)) end(() => reject(failure ?? ENDED_EARLY));
      if (state !== 'open') return;
      onOpen?.();
      const now = isListed(log) ? LIST_KINDS.map((kind) => log.state[kind].seqs.join()).join(' ') : undefined;
      if (now === read) return;
      read = now;
      window.clearTimeout(timer);
      if (now !== undefined) timer = window.setTimeout(() => end(resolve), QUIET_MS);
    };
    const unsubscribe = log.subscribe(look);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else look();
  });
}

function isListed(log: Log): boolean {
  const { server } = log.state;
  return (
    server.seq !== undefined &&
    LIST_KINDS.every((kind) => {
      const { supported, status } = log.state[kind];
      return supported === false || status === 'listed' || status === 'failed';
    })
  );
}

function listsOf(log: Log): ListedItems {
  return Object.fromEntries(LIST_KINDS.map((kind) => [kind, log.state[kind].items]));
}
