import type { QueryClient } from '@tanstack/react-query';
import type { Client } from '@/lib/client/client';
import type { ConnectionsReply } from '@/lib/wire/api';
import type { Event } from '@/lib/wire/command';

export const CONNECTIONS_KEY = ['connections'] as const;

type Patch = (list: ConnectionsReply) => ConnectionsReply;

/**
 * Keeps the list of connections as events tell it; a reply under way may be older than the event, so then it is read again.
 * With a new socket everything is: events are missing, or the proxy was not there before. Returns how to stop.
 */
export function patchConnections(client: Pick<Client, 'onEvent'>, queries: QueryClient): () => void {
  return client.onEvent((event) => {
    if (event.type === 'welcome') void readAgain(queries);
    const patch = patchOf(event);
    if (!patch) return;
    queries.setQueryData<ConnectionsReply>(CONNECTIONS_KEY, (list) => list && patch(list));
    if (queries.isFetching({ queryKey: CONNECTIONS_KEY }) > 0) void readAgain(queries, { queryKey: CONNECTIONS_KEY });
  });
}

/** Cancels first: a first read under way would otherwise be taken for the new one. */
async function readAgain(queries: QueryClient, which?: { readonly queryKey: typeof CONNECTIONS_KEY }): Promise<void> {
  await queries.cancelQueries(which);
  await queries.invalidateQueries(which);
}

/** What an event changes in the list, undefined if nothing. A new connection goes to the end: oldest first. */
function patchOf(event: Event): Patch | undefined {
  if (event.type === 'forgotten') return (list) => list.filter(({ id }) => id !== event.connection);
  if (event.type !== 'connection') return undefined;
  const { connection } = event;
  return (list) =>
    list.some(({ id }) => id === connection.id)
      ? list.map((known) => (known.id === connection.id ? connection : known))
      : [...list, connection];
}
