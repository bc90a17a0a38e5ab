import { useEffect, useSyncExternalStore } from 'react';

/** Number of question forms on the page, by connection. */
const shown = new Map<string, number>();
const listeners = new Set<() => void>();

function add(connection: string, by: number): void {
  shown.set(connection, (shown.get(connection) ?? 0) + by);
  for (const listener of [...listeners]) listener();
}

/** Says that the page shows a waiting question of this connection while the component is mounted. */
export function useQuestionShown(connection: string, waits: boolean): void {
  useEffect(() => {
    if (!waits) return;
    add(connection, 1);
    return () => add(connection, -1);
  }, [connection, waits]);
}

/** Returns true while the page shows a waiting question of this connection. */
export function useIsQuestionShown(connection: string | undefined): boolean {
  return useSyncExternalStore(
    subscribe,
    () => connection !== undefined && (shown.get(connection) ?? 0) > 0,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
