import { expect, test } from 'vitest';
import { lastExchange } from '@/lib/store/log';
import { answered, asked, type FrameSeed, got, logOf } from '@/lib/store/test-frames';
import { isSubscribed } from './resource-subscription';

const uri = 'a:1';
const listening = (...uris: string[]) =>
  asked(1, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } });
const subscribe = asked(1, 'resources/subscribe', { uri });
const unsubscribe = asked(2, 'resources/unsubscribe', { uri });
const refused = got({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } });

function subscribed(modern: boolean, ...seeds: FrameSeed[]): boolean {
  const log = logOf(...seeds);
  const started = lastExchange(log, modern ? 'subscriptions/listen' : 'resources/subscribe', uri);
  return isSubscribed(modern, started, lastExchange(log, 'resources/unsubscribe', uri));
}

test.each<[string, FrameSeed[], boolean]>([
  ['nothing was sent', [], false],
  ['the request is in flight', [subscribe], true],
  ['the server agreed', [subscribe, answered(1, {})], true],
  ['the server refused', [subscribe, refused], false],
  ['it was ended', [subscribe, answered(1, {}), unsubscribe], false],
  ['it was started again', [subscribe, unsubscribe, asked(3, 'resources/subscribe', { uri })], true],
])('a legacy subscription when %s', (_when, seeds, expected) => {
  expect(subscribed(false, ...seeds)).toBe(expected);
});

test.each<[string, FrameSeed[], boolean]>([
  ['it is open', [listening(uri)], true],
  ['the server ended it', [listening(uri), answered(1, { resultType: 'complete' })], false],
  ['it is for several resources', [listening(uri, 'b:1')], false],
])('a modern subscription when %s', (_when, seeds, expected) => {
  expect(subscribed(true, ...seeds)).toBe(expected);
});
