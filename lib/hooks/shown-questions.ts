import { useEffect, useSyncExternalStore } from 'react';

/** `over`: the question is gone, and its form stays. `typed`: somebody has also typed there. */
type Shown = 'waiting' | 'over' | 'typed';

/** Number of question forms on the page, by kind and connection. */
const shown = new Map<string, number>();
const listeners = new Set<() => void>();

function add(form: string, by: number): void {
  shown.set(form, (shown.get(form) ?? 0) + by);
  for (const listener of [...listeners]) listener();
}

function isShown(kind: Shown, connection: string | undefined): boolean {
  return connection !== undefined && (shown.get(`${kind} ${connection}`) ?? 0) > 0;
}

/** Says that the page shows the form of a question of this connection while the component is mounted. */
export function useQuestionShown(connection: string, kind: Shown | undefined): void {
  useEffect(() => {
    if (kind === undefined) return;
    const form = `${kind} ${connection}`;
    add(form, 1);
    return () => add(form, -1);
  }, [connection, kind]);
}

/** Returns true while the page shows a waiting question of this connection. */
export function useIsQuestionShown(connection: string | undefined): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isShown('waiting', connection),
    () => false,
  );
}

/** Returns true while the page shows a typed answer to a question of this connection that is gone. */
export function useIsLostAnswerShown(connection: string): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isShown('typed', connection),
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
