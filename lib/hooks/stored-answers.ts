import { useSyncExternalStore } from 'react';

/** Questions of this page whose answer became a standing answer: connection and key. */
const stored = new Set<string>();
const listeners = new Set<() => void>();

/** Remembers that the answer to a question became a standing answer. */
export function markStored(connection: string, key: string): void {
  stored.add(`${connection} ${key}`);
  for (const listener of [...listeners]) listener();
}

/** Returns whether the answer to a question became a standing answer. */
export function useIsStored(connection: string, key: string | undefined): boolean {
  return useSyncExternalStore(
    subscribe,
    () => stored.has(`${connection} ${key}`),
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
