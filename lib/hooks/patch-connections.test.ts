import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { ConnectionSummary, Event } from '@/lib/wire/command';
import { CONNECTIONS_KEY, patchConnections } from './patch-connections';

const summary = (id: string, more: Partial<ConnectionSummary> = {}): ConnectionSummary => ({
  id,
  name: id,
  transport: 'stdio',
  title: id,
  state: 'starting',
  startedAt: '2026-01-01T00:00:00Z',
  ...more,
});

function setUp(list?: ConnectionSummary[]) {
  const queries = new QueryClient();
  if (list) queries.setQueryData(CONNECTIONS_KEY, list);
  let tell: (event: Event) => void = () => {};
  patchConnections(
    {
      onEvent(listener) {
        tell = listener;
        return () => {};
      },
    },
    queries,
  );
  const ids = () =>
    queries.getQueryData<ConnectionSummary[]>(CONNECTIONS_KEY)?.map(({ id, state }) => `${id} ${state}`);
  return { queries, tell: (event: Event) => tell(event), ids };
}

test('events add, change and remove, and keep the order', () => {
  const { tell, ids } = setUp([summary('c1'), summary('c2')]);
  tell({ type: 'connection', connection: summary('c1', { state: 'open' }) });
  tell({ type: 'connection', connection: summary('c3') });
  tell({ type: 'forgotten', connection: 'c2' });
  tell({ type: 'forgotten', connection: 'c9' });
  expect(ids()).toEqual(['c1 open', 'c3 starting']);
});

test('a list that was not read yet is not made up from events', () => {
  const { tell, ids } = setUp();
  tell({ type: 'connection', connection: summary('c1') });
  expect(ids()).toBeUndefined();
});

const OPENED: Event = { type: 'connection', connection: summary('c1', { state: 'open' }) };
const WELCOME: Event = { type: 'welcome', version: '1', graceMs: 1 };

test.each<[string, Event]>([
  ['an event', OPENED],
  ['a new socket, which has missed the event,', WELCOME],
])('a reply that was under way when %s came does not count', async (_, event) => {
  const { queries, tell, ids } = setUp();
  const replies: ((list: ConnectionSummary[]) => void)[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: CONNECTIONS_KEY,
    queryFn: () => new Promise<ConnectionSummary[]>((resolve) => replies.push(resolve)),
  });
  const leave = observer.subscribe(() => {});
  const open = summary('c1', { state: 'open' });
  tell(event);
  await vi.waitFor(() => expect(replies).toHaveLength(2));
  replies[1]!([open]);
  replies[0]!([summary('c1')]);
  await vi.waitFor(() => expect(ids()).toEqual(['c1 open']));
  leave();
});

test('a new socket makes everything stale', async () => {
  const { queries, tell } = setUp([summary('c1')]);
  queries.setQueryData(['servers'], []);
  tell(WELCOME);
  await vi.waitFor(() => expect(queries.getQueryState(CONNECTIONS_KEY)?.isInvalidated).toBe(true));
  expect(queries.getQueryState(['servers'])?.isInvalidated).toBe(true);
});
