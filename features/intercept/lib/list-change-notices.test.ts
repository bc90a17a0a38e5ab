import { describe, expect, it } from 'vitest';
import { ListChangeNotices } from './list-change-notices';

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize' };
const initialized = (tools: object) => ({ jsonrpc: '2.0', id: 1, result: { capabilities: { tools } } });
const acknowledged = (id: unknown, notifications: object) => ({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id }, notifications },
});

describe('notices of a changed list', () => {
  it('go to a legacy host if the server declared them', () => {
    const notices = new ListChangeNotices();
    notices.onMessage('to-server', initialize);
    notices.onMessage('to-client', initialized({ listChanged: true }));
    expect(notices.notices).toEqual([{ text: '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}' }]);
  });

  it.each([
    ['the server does not declare them', [initialize], [initialized({})]],
    ['an answer has another id', [initialize], [{ ...initialized({ listChanged: true }), id: '1' }]],
    ['nobody asked', [], [initialized({ listChanged: true })]],
    ['the stream is for other changes', [], [acknowledged(1, { promptsListChanged: true })]],
    ['the subscription has no valid id', [], [acknowledged({}, { toolsListChanged: true })]],
    ['the stream has ended', [], [acknowledged('a', { toolsListChanged: true }), { id: 'a', result: {} }]],
    ['messages are junk', [null, [], 'a'], [null, { method: 7 }, { id: 1, result: { capabilities: 'all' } }]],
  ])('are none if %s', (_, sent, got) => {
    const notices = new ListChangeNotices();
    for (const message of sent) notices.onMessage('to-server', message);
    for (const message of got) notices.onMessage('to-client', message);
    expect(notices.notices).toEqual([]);
  });

  it('go to each stream of a modern host that is open', () => {
    const notices = new ListChangeNotices();
    for (const id of ['a', 2, 3]) notices.onMessage('to-client', acknowledged(id, { toolsListChanged: true }));
    notices.onMessage('to-server', { method: 'notifications/cancelled', params: { requestId: 3 } });
    expect(notices.notices.map(({ stream }) => stream)).toEqual(['a', 2]);
    expect(notices.notices.map(({ text }) => JSON.parse(text).params._meta)).toEqual([
      { 'io.modelcontextprotocol/subscriptionId': 'a' },
      { 'io.modelcontextprotocol/subscriptionId': 2 },
    ]);
  });
});
