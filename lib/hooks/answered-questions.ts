import { useSyncExternalStore } from 'react';

/** The fate of the person's answers to questions: of this page only, by connection and key of the question. */
type Fate = 'sent' | 'stored';

const fates: Readonly<Record<Fate, Set<string>>> = { sent: new Set(), stored: new Set() };
const listeners = new Set<() => void>();

function mark(fate: Fate, connection: string, key: string, holds: boolean): void {
  const id = `${connection} ${key}`;
  if (holds) fates[fate].add(id);
  else fates[fate].delete(id);
  for (const listener of [...listeners]) listener();
}

/** Remembers whether the person answered a question in this page. */
export function markAnswered(connection: string, key: string, isAnswered: boolean): void {
  mark('sent', connection, key, isAnswered);
}

/** Remembers that the answer to a question became a standing answer. */
export function markStored(connection: string, key: string): void {
  mark('stored', connection, key, true);
}

function useFate(fate: Fate, connection: string, key: string | undefined): boolean {
  return useSyncExternalStore(
    subscribe,
    () => fates[fate].has(`${connection} ${key}`),
    () => false,
  );
}

/** Returns whether the person answered a question in this page. */
export function useIsAnsweredHere(connection: string, key: string | undefined): boolean {
  return useFate('sent', connection, key);
}

/** Returns whether the answer to a question became a standing answer. */
export function useIsStored(connection: string, key: string | undefined): boolean {
  return useFate('stored', connection, key);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
