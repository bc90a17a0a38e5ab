import { type ConnectionSummary, entryOf } from '@/lib/wire/command';
import type { WatchState } from '@/lib/wire/watch';
import { useConnections } from './connections';

/** Returns the state of re-run on save for the entry of a connection; undefined while it is off. */
export function useWatch(connection: string): WatchState | undefined {
  return watchOf(useConnections().connections, connection);
}

/** Returns the state of re-run on save for the entry of a connection, which its newest run has. */
export function watchOf(connections: readonly ConnectionSummary[], connection: string): WatchState | undefined {
  const shown = connections.find(({ id }) => id === connection);
  if (!shown) return undefined;
  const entry = entryOf(shown);
  return connections.findLast((one) => one.watch !== undefined && entryOf(one) === entry)?.watch;
}

/** Views that went on with another run, by connection: the key of the view. */
const CARRIED = new Map<string, string>();

/** Returns the React key of a connection's view. */
export function viewKey(connection: string): string {
  return CARRIED.get(connection) ?? connection;
}

/** Lets the view of one run go on with another, so that focus, scroll positions and open parts stay. */
export function carryView(from: string, to: string): void {
  CARRIED.set(to, viewKey(from));
}
