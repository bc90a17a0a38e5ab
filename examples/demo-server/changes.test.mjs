import { describe, expect, test } from 'vitest';
import { connected, LEGACY, MODERN, VERSIONS } from './test-client.mjs';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

describe.each(VERSIONS)('while a call runs, in %s', (version) => {
  test('progress grows to its total, before the response', async () => {
    const client = await connected(version);
    await client.call('climb_tower', { steps: 4, delay_ms: 0 }, { progressToken: 'up' });
    const reported = client.notified('notifications/progress');
    expect(reported.map(({ progress }) => progress)).toEqual([1, 2, 3, 4]);
    expect(reported.every(({ progressToken, total }) => progressToken === 'up' && total === 4)).toBe(true);
    expect('message' in reported[0]).toBe(version >= '2025-03-26');
    expect(client.messages.at(-1).result).toBeDefined();
  });

  test('sends no progress unless the client asked for it', async () => {
    const client = await connected(version);
    await client.call('climb_tower', { steps: 2, delay_ms: 0 });
    expect(client.notified('notifications/progress')).toEqual([]);
  });

  test('a cancelled call gets no response, and others continue', async () => {
    const client = await connected(version);
    const climbing = client.send('tools/call', { name: 'climb_tower', arguments: { delay_ms: 60_000 } });
    const waiting = client.send('tools/call', { name: 'wait_for_ship' });
    client.notify('notifications/cancelled', { requestId: climbing, reason: 'out of breath' });
    client.notify('notifications/cancelled', { requestId: waiting });
    client.notify('notifications/cancelled', { requestId: 'nobody' });
    await client.result('tools/list');
    expect(client.messages.some(({ id }) => id === climbing || id === waiting)).toBe(false);
  });

  test('a finished call that is cancelled before its response is sent gets none', async () => {
    const client = await connected(version);
    const params = JSON.stringify(client.envelope({ name: 'set_lamp', arguments: { lit: false } }));
    client.write(
      `{"jsonrpc":"2.0","id":"quick","method":"tools/call","params":${params}}\n` +
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"quick"}}\n',
    );
    const { contents } = await client.result('resources/read', { uri: 'light://lamp' });
    expect(JSON.parse(contents[0].text).lit).toBe(false);
    expect(client.messages.some(({ id }) => id === 'quick')).toBe(false);
  });
});

test.each(LEGACY)('%s: logging/setLevel decides which messages are sent', async (version) => {
  const client = await connected(version);
  await client.result('logging/setLevel', { level: 'error' });
  await client.call('call_all_levels');
  expect(client.notified('notifications/message').map(({ level }) => level)).toEqual([
    'error',
    'critical',
    'alert',
    'emergency',
  ]);
  expect((await client.request('logging/setLevel', { level: 'loud' })).error.code).toBe(-32602);
});

test('modern: only a request that names a level gets messages, and only while it runs', async () => {
  const client = await connected(MODERN);
  await client.call('call_all_levels');
  expect(client.notified('notifications/message')).toEqual([]);
  await client.call('call_all_levels', {}, { [LOG_LEVEL]: 'alert' });
  expect(client.notified('notifications/message').map(({ level }) => level)).toEqual(['alert', 'emergency']);
});

describe.each(LEGACY)('changes in %s', (version) => {
  test('changing the watch changes the tools and sends a notification', async () => {
    const client = await connected(version);
    expect((await client.request('tools/call', { name: 'count_stars' })).error.code).toBe(-32602);
    await client.call('change_watch');
    expect(client.notified('notifications/tools/list_changed')).toHaveLength(1);
    expect((await client.result('tools/list')).tools.map(({ name }) => name)).toContain('count_stars');
    expect((await client.call('count_stars')).content[0].text).toContain('4,502');
    await client.call('change_watch', { watch: 'day' });
    expect((await client.result('tools/list')).tools.map(({ name }) => name)).not.toContain('count_stars');
  });

  test('sends updates of subscribed resources only, until the client unsubscribes', async () => {
    const client = await connected(version);
    const set = (brightness) => client.call('set_lamp', { brightness });
    await set(10);
    await client.result('resources/subscribe', { uri: 'light://lamp' });
    await set(20);
    await client.call('write_entry', { text: 'x', keeper: 'Agnes Mowat' });
    await client.result('resources/unsubscribe', { uri: 'light://lamp' });
    await set(30);
    expect(client.notified('notifications/resources/updated')).toEqual([{ uri: 'light://lamp' }]);
    expect(client.notified('notifications/resources/list_changed')).toHaveLength(1);
    const { contents } = await client.result('resources/read', { uri: 'light://lamp' });
    expect(JSON.parse(contents[0].text).brightness).toBe(30);
  });
});

describe('subscriptions/listen', () => {
  test('acknowledges what it grants, and notifies of nothing else', async () => {
    const client = await connected(MODERN);
    await client.call('change_watch');
    const id = client.send('subscriptions/listen', {
      notifications: { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['light://lamp'] },
    });
    const acknowledged = await client.message(({ method }) => method === 'notifications/subscriptions/acknowledged');
    expect(acknowledged.params).toEqual({
      _meta: { [SUBSCRIPTION]: id },
      notifications: { toolsListChanged: true, resourceSubscriptions: ['light://lamp'] },
    });
    await client.call('change_watch');
    await client.call('set_lamp', { lit: false });
    await client.call('write_entry', { text: 'x', keeper: 'Agnes Mowat' });
    expect(client.notified('notifications/tools/list_changed')).toEqual([{ _meta: { [SUBSCRIPTION]: id } }]);
    expect(client.notified('notifications/resources/updated')).toEqual([
      { uri: 'light://lamp', _meta: { [SUBSCRIPTION]: id } },
    ]);
    expect(client.notified('notifications/resources/list_changed')).toEqual([]);
  });

  test('notifications name their subscription, and a cancelled one gets none', async () => {
    const client = await connected(MODERN);
    const first = client.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const second = client.send('subscriptions/listen', {
      notifications: { toolsListChanged: true, resourcesListChanged: true },
    });
    client.notify('notifications/cancelled', { requestId: first });
    await client.call('change_watch');
    await client.call('write_entry', { text: 'x', keeper: 'Agnes Mowat' });
    const ids = (method) => client.notified(method).map(({ _meta }) => _meta[SUBSCRIPTION]);
    expect(ids('notifications/tools/list_changed')).toEqual([second]);
    expect(ids('notifications/resources/list_changed')).toEqual([second]);
    expect(client.messages.some(({ id, method }) => !method && (id === first || id === second))).toBe(false);
  });
});
