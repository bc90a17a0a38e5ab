import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Api } from '@/lib/client/api';
import { Client } from '@/lib/client/client';
import { noDirectLink } from '@/lib/client/test-client';
import { TestProxy } from '@/lib/client/test-proxy';
import { answered, asked, framesOf } from '@/lib/store/test-frames';
import { FakeClock } from '@/lib/wire/test-clock';
import { ClientProvider } from './client-provider';
import { useClient } from './use-client';
import { useConnections } from './use-connections';
import { useDraft } from './use-draft';
import { useEnvironment } from './use-environment';
import { useLaunch } from './use-launch';
import { useLocation } from './use-location';
import { useExchange, useLog, useLogBehind, useLogSize, useLogState } from './use-log';
import { pinsKey, usePins } from './use-pins';
import { useCheckedFrames, useProblems } from './use-problems';
import { useSavedCalls } from './use-saved-calls';
import { useServers } from './use-servers';
import { useTheme } from './use-theme';

/** The static export renders every page once where there is no window: no hook may touch one then. */
test('all hooks can be rendered without a browser', () => {
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
      pins: usePins(log).pins,
      panel: useLocation().panel,
      draft: useDraft('x', 'initial')[0],
      theme: useTheme()[0],
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
    pins: [],
    draft: 'initial',
    theme: 'system',
  });
});

test('another connection with the same id has other pins', () => {
  const key = pinsKey('c1', '2026-01-01T00:00:00.000Z');
  expect(pinsKey('c1', '2026-01-01T00:00:00.000Z')).toBe(key);
  expect(pinsKey('c1', '2026-01-02T00:00:00.000Z')).not.toBe(key);
  expect(pinsKey('c2', '2026-01-01T00:00:00.000Z')).not.toBe(key);
});

test('outside a provider the mistake is told', () => {
  const Lost = () => useClient().status;
  expect(() => renderToString(<Lost />)).toThrow('ClientProvider');
});
