import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppNotice } from '@/features/apps/lib/app-notices';
import { AppTransport } from './app-transport';

const page = new EventTarget();
beforeEach(() => vi.stubGlobal('window', page));
afterEach(() => vi.unstubAllGlobals());

/** A transport with an app that posts, and all that was logged, passed on and posted to the app. */
async function start() {
  const logged: string[] = [];
  const passed: unknown[] = [];
  const posted: unknown[] = [];
  const app = { postMessage: (message: unknown) => void posted.push(message) } as unknown as Window;
  const notices: AppNotice[] = [];
  const transport = new AppTransport(app, {
    log: (direction, text) => void logged.push(`${direction} ${text}`),
    onFlood: () => {},
    onNotice: (notice) => void notices.push(notice),
  });
  transport.onmessage = (message) => void passed.push(message);
  await transport.start();
  const post = (data: unknown, source: unknown = app) =>
    page.dispatchEvent(Object.assign(new Event('message'), { data, source }));
  return { logged, passed, posted, notices, post, stop: () => transport.close() };
}

test('passes on what it logs', async () => {
  const { logged, passed, post, stop } = await start();
  post({ jsonrpc: '2.0', method: 'a', params: { at: new Date(0), none: undefined } });
  post({ jsonrpc: '2.0', method: 'b' }, 'another window');
  expect(logged).toEqual(['to-server {"jsonrpc":"2.0","method":"a","params":{"at":"1970-01-01T00:00:00.000Z"}}']);
  expect(passed).toEqual([{ jsonrpc: '2.0', method: 'a', params: { at: '1970-01-01T00:00:00.000Z' } }]);
  await stop();
});

test('a blocked request is logged and told, and the host does not get it as a message', async () => {
  const { logged, passed, notices, post, stop } = await start();
  const params = { directive: 'script-src-elem', url: 'https://cdn.example/a.js' };
  post({ jsonrpc: '2.0', method: 'mcp-inspect/blocked', params });
  expect(logged).toHaveLength(1);
  expect([passed, notices]).toEqual([[], [{ kind: 'blocked', ...params }]]);
  await stop();
});

const cyclic: Record<string, unknown> = { text: 'x' };
cyclic.self = cyclic;
let deep: unknown = [];
for (let n = 0; n < 100_000; n++) deep = [deep];

test.each([
  ['a cyclic message', cyclic],
  ['a message with a bigint', { n: 1n }],
  ['a very deep message', deep],
])('%s is logged and refused, and reaches nobody', async (_, params) => {
  const { logged, passed, posted, post, stop } = await start();
  post({ jsonrpc: '2.0', id: 7, method: 'ui/message', params });
  expect(passed).toEqual([]);
  expect(posted).toEqual([{ jsonrpc: '2.0', id: 7, error: { code: -32600, message: expect.any(String) } }]);
  expect(logged).toEqual([
    'to-server "(a message that JSON can’t hold)"',
    expect.stringMatching(/^to-client .*-32600/),
  ]);
  post({ jsonrpc: '2.0', method: 'ui/notifications/x', params });
  expect(posted).toHaveLength(1);
  await stop();
});
