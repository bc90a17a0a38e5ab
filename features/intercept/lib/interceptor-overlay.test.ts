import { expect, test } from 'vitest';
import type { RuleOwner } from '@/lib/mcp/message-interceptor';
import { INTERCEPT_LIMITS, type InterceptRule } from '@/lib/wire/intercept';
import { Overlay } from './overlay';
import { InterceptedLink, request } from './test-interceptor';

const PAGE: RuleOwner = {};
const OVERLAY = '{"tools":{"echo":{"name":"say"},"env":{"hidden":true}}}';
const LISTED = '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo"},{"name":"env"}]}}';
const SEEN = '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"say"}]}}';
const LIST_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

function linkWith(...rules: readonly InterceptRule[]): InterceptedLink {
  const link = new InterceptedLink();
  link.interceptor.setRules(PAGE, rules);
  link.interceptor.setOverlay(PAGE, new Overlay(OVERLAY));
  return link;
}

function handshake(link: InterceptedLink, tools: object): void {
  link.send('to-server', request(0, 'initialize'));
  link.send('to-client', { jsonrpc: '2.0', id: 0, result: { capabilities: { tools } } });
}

test('the client gets the list as the overlay says, and the log has both', () => {
  const link = linkWith();
  link.send('to-server', request(1, 'tools/list'));
  link.send('to-client', LISTED);
  expect(link.newest(3)).toEqual([
    expect.objectContaining({
      event: 'intercepted',
      did: 'overlay',
      method: 'tools/list',
      id: 1,
      delivered: 1,
      original: true,
    }),
    ['intercept', 'to-client', LISTED],
    ['protocol', 'to-client', SEEN],
  ]);
});

test('other results with tools pass as they are', () => {
  const link = linkWith();
  link.call(1, 'other');
  link.send('to-client', LISTED);
  expect(link.got['to-client']).toEqual([LISTED]);
  expect(link.events('intercepted')).toEqual([]);
});

test('a call of a renamed tool reaches the server under its own name', () => {
  const link = linkWith();
  link.call(7, 'say');
  expect(link.newest(3)).toEqual([
    expect.objectContaining({
      event: 'intercepted',
      did: 'overlay',
      method: 'tools/call',
      delivered: 1,
      original: true,
    }),
    ['intercept', 'to-server', expect.stringContaining('"name":"say"')],
    ['protocol', 'to-server', expect.stringContaining('"name":"echo"')],
  ]);
});

test('a call of a hidden tool is answered, and the server does not get it', () => {
  const link = linkWith();
  link.call(7, 'env');
  expect(link.got['to-server']).toEqual([]);
  expect(link.newest(3)).toEqual([
    expect.objectContaining({ event: 'intercepted', did: 'overlay', delivered: 1, withheld: true, made: true }),
    ['protocol', 'to-server', expect.stringContaining('"name":"env"')],
    ['protocol', 'to-client', expect.stringContaining('"error":{"code":-32602,"message":"Unknown tool: env"}')],
  ]);
});

test('rules see what the overlay made', () => {
  const link = linkWith({ name: 'r', when: 'tool:echo dir:to-server', action: { do: 'hold' } });
  link.call(7, 'say');
  expect(new TextDecoder().decode(link.interceptor.read(1))).toContain('"name":"echo"');
  expect(link.events('intercepted')).toMatchObject([{ did: 'overlay', delivered: 0, original: true }]);
  link.interceptor.decide(1, { do: 'release' });
  expect(link.got['to-server']).toEqual([expect.stringContaining('"name":"echo"')]);
});

test('a page that goes away leaves the overlay of the file', () => {
  const link = new InterceptedLink();
  const file = { file: 'mcp-inspect.overlay.json' };
  link.interceptor.setOverlay(file, new Overlay('{"tools":{"echo":{"title":"E"}}}'));
  link.interceptor.setOverlay(PAGE, new Overlay(OVERLAY));
  link.interceptor.removeOwner(PAGE);
  expect(link.interceptor.isIdle).toBe(false);
  link.interceptor.removeOwner(file);
  expect(link.interceptor.isIdle).toBe(true);
  expect(link.idles).toBe(1);
  expect(link.events('overlay')).toEqual([
    { event: 'overlay', text: '{"tools":{"echo":{"title":"E"}}}', file: 'mcp-inspect.overlay.json', notified: 0 },
    { event: 'overlay', text: OVERLAY, notified: 0 },
    { event: 'overlay', text: '{"tools":{"echo":{"title":"E"}}}', file: 'mcp-inspect.overlay.json', notified: 0 },
    { event: 'overlay', notified: 0 },
  ]);
});

test('the client is notified of a changed overlay if the server declared that', () => {
  const link = linkWith();
  handshake(link, { listChanged: true });
  link.interceptor.setOverlay(PAGE, new Overlay(OVERLAY));
  expect(link.events('overlay')).toHaveLength(1);
  link.interceptor.removeOwner(PAGE);
  expect(link.newest(2)).toEqual([{ event: 'overlay', notified: 1 }, ['protocol', 'to-client', LIST_CHANGED]]);
});

test('the client is not notified if the server did not declare that', () => {
  const link = linkWith();
  handshake(link, {});
  link.interceptor.removeOwner(PAGE);
  expect(link.got['to-client']).toHaveLength(1);
});

test('messages from before count', () => {
  const link = new InterceptedLink();
  const earlier = (direction: 'to-server' | 'to-client', message: object) =>
    link.interceptor.readEarlier(direction, new TextEncoder().encode(JSON.stringify(message)));
  earlier('to-server', request(0, 'initialize'));
  earlier('to-client', { jsonrpc: '2.0', id: 0, result: { capabilities: { tools: { listChanged: true } } } });
  earlier('to-server', request(1, 'tools/list'));
  link.interceptor.setOverlay(PAGE, new Overlay(OVERLAY));
  link.send('to-client', LISTED);
  expect(link.got['to-client']).toEqual([LIST_CHANGED, SEEN]);
});

test('a list that is too large passes, and the log says so', () => {
  const link = linkWith();
  link.send('to-server', request(1, 'tools/list'));
  link.send('to-client', `${LISTED}${' '.repeat(INTERCEPT_LIMITS.messageBytes)}`);
  expect(link.events('intercepted')).toMatchObject([{ did: 'pass', why: 'too-large', direction: 'to-client' }]);
});
