import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { Api } from '@/lib/client/api';
import { Client } from '@/lib/client/client';
import { noDirectLink, TestProxy } from '@/lib/client/test-client';
import { answered, asked, framesOf } from '@/lib/store/test-frames';
import type { ConnectionSummary, Event } from '@/lib/wire/command';
import { FakeClock } from '@/lib/wire/test-clock';
import { ClientProvider, CONNECTIONS_KEY, patchConnections, useClient } from './client';
import { useConnections, useEnvironment } from './connections';
import { useDraft } from './drafts';
import { useLaunch } from './launch';
import { useLocation } from './location';
import { keptKey, useExchange, useKeptInView, useLog, useLogBehind, useLogSize, useLogState } from './log';
import { useCheckedFrames, useProblems } from './problems';
import { useSavedCalls } from './saved-calls';
import { useServers } from './servers';
import { useSettings, useSettingsPlace } from './settings';
import { useTheme } from './theme';

/** The static export renders every page once without `window`, so no hook may use it while rendering. */
test('renders all hooks without a browser', () => {
  const client = new Client({
    proxy: {
      token: 'secret',
      api: new Api('secret', async () => new Response('[]')),
      open: new TestProxy().open,
      clock: new FakeClock(),
    },
    direct: noDirectLink(),
    paint: () => {},
  });
  client.log('c1').append(framesOf([asked(1, 'tools/list'), answered(1, { tools: [] })]));

  function Everything() {
    const log = useLog('c1');
    const shown = {
      status: useClient().status,
      launch: useLaunch().state,
      connections: useConnections(),
      servers: useServers().servers,
      remembers: useSavedCalls('server', 'tool', true).calls.remembers,
      environment: useEnvironment().loading,
      size: useLogSize(log),
      behind: useLogBehind(log),
      tools: useLogState(log, (state) => state.tools.status),
      exchange: useExchange(log, 1)?.status,
      problems: useProblems(log).count,
      checked: useCheckedFrames(log),
      kept: useKeptInView(log).kept,
      panel: useLocation().panel,
      draft: useDraft('x', 'initial')[0],
      theme: useTheme()[0],
      timeoutMs: useSettings().timeoutMs,
      unsaved: useSettingsPlace().unsaved,
    };
    return <script type="application/json">{JSON.stringify(shown)}</script>;
  }

  const html = renderToString(
    <ClientProvider client={client}>
      <Everything />
    </ClientProvider>,
  );
  const shown = JSON.parse(html.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"'));
  expect(shown).toEqual({
    status: 'connecting',
    launch: 'launching',
    connections: { connections: [], loading: true },
    servers: [],
    remembers: true,
    environment: true,
    size: 2,
    behind: 0,
    tools: 'listed',
    exchange: 'ok',
    problems: 0,
    checked: 0,
    kept: [],
    draft: 'initial',
    theme: 'system',
    timeoutMs: 60_000,
  });
});

test('another connection with the same id keeps other frames in view', () => {
  const key = keptKey('c1', '2026-01-01T00:00:00.000Z');
  expect(keptKey('c1', '2026-01-01T00:00:00.000Z')).toBe(key);
  expect(keptKey('c1', '2026-01-02T00:00:00.000Z')).not.toBe(key);
  expect(keptKey('c2', '2026-01-01T00:00:00.000Z')).not.toBe(key);
});

test('throws outside a provider', () => {
  const Lost = () => useClient().status;
  expect(() => renderToString(<Lost />)).toThrow('ClientProvider');
});

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

test('events add, change and remove connections, and keep the order', () => {
  const { tell, ids } = setUp([summary('c1'), summary('c2')]);
  tell({ type: 'connection', connection: summary('c1', { state: 'open' }) });
  tell({ type: 'connection', connection: summary('c3') });
  tell({ type: 'forgotten', connection: 'c2' });
  tell({ type: 'forgotten', connection: 'c9' });
  expect(ids()).toEqual(['c1 open', 'c3 starting']);
});

test('events do not create a list that was not loaded yet', () => {
  const { tell, ids } = setUp();
  tell({ type: 'connection', connection: summary('c1') });
  expect(ids()).toBeUndefined();
});

const OPENED: Event = { type: 'connection', connection: summary('c1', { state: 'open' }) };
const WELCOME: Event = { type: 'welcome', version: '1', graceMs: 1 };

test.each<[string, Event]>([
  ['an event', OPENED],
  ['a new socket, which has missed the event,', WELCOME],
])('ignores a reply that was under way when %s came', async (_, event) => {
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

test('loads everything again with a new socket', async () => {
  const { queries, tell } = setUp([summary('c1')]);
  queries.setQueryData(['servers'], { servers: [], skipped: [], hosts: {} });
  tell(WELCOME);
  await vi.waitFor(() => expect(queries.getQueryState(CONNECTIONS_KEY)?.isInvalidated).toBe(true));
  expect(queries.getQueryState(['servers'])?.isInvalidated).toBe(true);
});
