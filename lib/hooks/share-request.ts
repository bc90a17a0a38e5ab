import { useSyncExternalStore } from 'react';
import type { ConnectionSummary } from '@/lib/wire/command';

/** A log to share that is not the one in view, such as that of a chat. */
let asked: ConnectionSummary | undefined;
const listeners = new Set<() => void>();

/** Opens the dialog that shares a log; undefined closes it. */
export function askToShare(log: ConnectionSummary | undefined): void {
  asked = log;
  for (const listener of [...listeners]) listener();
}

/** Returns the log to share; undefined for none. */
export function useAskedShare(): ConnectionSummary | undefined {
  return useSyncExternalStore(
    subscribe,
    () => asked,
    () => undefined,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
