import { expect, test } from 'vitest';
import { asked, got, logOf } from '@/lib/store/test-frames';
import { acknowledgedIn, grantedText, listenFilter } from './listen-form';

test('asks for the chosen lists and resources only', () => {
  expect(listenFilter({ lists: ['toolsListChanged'], uris: '' })).toEqual({ toolsListChanged: true });
  expect(listenFilter({ lists: [], uris: ' file:///a \n\nfile:///b' })).toEqual({
    resourceSubscriptions: ['file:///a', 'file:///b'],
  });
  expect(listenFilter({ lists: [], uris: '' })).toEqual({});
});

test('finds the acknowledgement of each of several streams', () => {
  const acknowledged = (id: unknown, notifications: object) =>
    got({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
    });
  const log = logOf(
    asked(1, 'subscriptions/listen'),
    asked(2, 'subscriptions/listen'),
    acknowledged(2, { promptsListChanged: true }),
    acknowledged(1, {}),
    asked(3, 'subscriptions/listen'),
  );
  expect(acknowledgedIn(log, 1)).toEqual({ seq: 4, filter: {} });
  expect(acknowledgedIn(log, 2)).toEqual({ seq: 3, filter: { promptsListChanged: true } });
  expect(acknowledgedIn(log, 5)).toBeUndefined();
});

test.each([
  [{ toolsListChanged: true, resourceSubscriptions: ['file:///a'] }, 'list of tools, file:///a'],
  [{ toolsListChanged: false }, 'nothing'],
  [{}, 'nothing'],
  ['all', 'nothing'],
  [{ resourceSubscriptions: [{ toString: 1, valueOf: 1 }] }, '{"toString":1,"valueOf":1}'],
])('%j grants %s', (filter, text) => expect(grantedText(filter)).toBe(text));
