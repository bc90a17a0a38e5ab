import { describe, expect, test } from 'vitest';
import { answered, asked, got } from '@/lib/store/test-frames';
import { ask, legacy, modern, problemsIn } from '../test-sessions';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

describe('a notification that nobody listens for', () => {
  const heard = (notifications: object, method: string, params: object = {}) => {
    const meta = { _meta: { [SUBSCRIPTION_ID]: 'l' } };
    const acknowledged = 'notifications/subscriptions/acknowledged';
    return problemsIn([
      ...modern(),
      ask('l', 'subscriptions/listen', { notifications }),
      got({ jsonrpc: '2.0', method: acknowledged, params: { notifications, ...meta } }),
      got({ jsonrpc: '2.0', method, params: { ...params, ...meta } }),
    ]).map(({ message, path }) => `${message} ${path?.join('.')}`);
  };
  const UPDATED = 'notifications/resources/updated';

  test.each<[string, object, string, object, string[]]>([
    ['tools', { toolsListChanged: true }, 'notifications/tools/list_changed', {}, []],
    [
      'tools, refused',
      { toolsListChanged: false },
      'notifications/tools/list_changed',
      {},
      ['The subscription does not ask for "notifications/tools/list_changed". method'],
    ],
    [
      'prompts',
      { toolsListChanged: true },
      'notifications/prompts/list_changed',
      {},
      ['The subscription does not ask for "notifications/prompts/list_changed". method'],
    ],
    ['a resource', { resourceSubscriptions: ['a:b'] }, UPDATED, { uri: 'a:b' }, []],
    ['a part of it', { resourceSubscriptions: ['a:b/'] }, UPDATED, { uri: 'a:b/c/d' }, []],
    ['its other spelling', { resourceSubscriptions: ['http://A/ü'] }, UPDATED, { uri: 'http://a/%C3%BC' }, []],
    [
      'another one',
      { resourceSubscriptions: ['a:b'] },
      UPDATED,
      { uri: 'a:bc' },
      ['The subscription does not ask for updates of "a:bc". params.uri'],
    ],
    ['none', {}, UPDATED, { uri: 'a:b' }, ['The subscription does not ask for updates of "a:b". params.uri']],
  ])('%s', (_what, filter, method, params, problems) => {
    expect(heard(filter, method, params)).toEqual(problems);
  });

  test('after resources/unsubscribe, updates may still be on their way', () => {
    const frames = [
      ...legacy(),
      asked(1, 'resources/subscribe', { uri: 'a:b' }),
      answered(1, {}),
      asked(2, 'resources/unsubscribe', { uri: 'a:b' }),
      answered(2, {}),
      got({ jsonrpc: '2.0', method: UPDATED, params: { uri: 'a:b' } }),
    ];
    expect(problemsIn(frames)).toEqual([]);
  });
});
