import { describe, expect, test } from 'vitest';
import { Log } from './log';
import { resourceHistories } from './resource-history';
import { answered, asked, type FrameSeed, framesOf, got, happened, logOf, sent } from './test-frames';

const uri = 'a:1';
const open = (era: 'legacy' | 'modern') =>
  happened({ event: 'open', era, version: era === 'modern' ? '2026-07-28' : '2025-11-25' });
const listen = (id: number, ...uris: string[]) =>
  asked(id, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } });
const subscribe = asked(1, 'resources/subscribe', { uri });
const unsubscribe = asked(2, 'resources/unsubscribe', { uri });
const refused = (id: number) => got({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
const granted = (id: unknown, ...uris: string[]) =>
  got({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: {
      _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      notifications: { resourceSubscriptions: uris },
    },
  });
const updated = (of: string) => ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: of } });
const read = (id: number, of = uri) => asked(id, 'resources/read', { uri: of });
const contents = (id: number) => answered(id, { contents: [] });
const closing = [happened({ event: 'closing', reason: 'user' }), happened({ event: 'closed' })];

const stateAfter = (era: 'legacy' | 'modern', ...seeds: FrameSeed[]) =>
  resourceHistories(logOf(open(era), ...seeds)).subscriptionOf(uri).state;

test.each<[string, FrameSeed[], string]>([
  ['nothing was sent', [], 'none'],
  ['the request is in flight', [subscribe], 'asking'],
  ['the server agreed', [subscribe, answered(1, {})], 'active'],
  ['the server refused', [subscribe, refused(1)], 'refused'],
  ['it was ended', [subscribe, answered(1, {}), unsubscribe, answered(2, {})], 'stopped'],
  ['the server refused to end it', [subscribe, answered(1, {}), unsubscribe, refused(2)], 'active'],
  ['it was started again', [subscribe, unsubscribe, asked(3, 'resources/subscribe', { uri })], 'asking'],
  ['the session was lost', [subscribe, answered(1, {}), happened({ event: 'session-lost' })], 'lost'],
  ['the connection ended', [subscribe, answered(1, {}), ...closing], 'none'],
  ['another resource has one', [asked(1, 'resources/subscribe', { uri: 'b:1' }), answered(1, {})], 'none'],
])('a legacy subscription when %s: %#', (_when, seeds, expected) => {
  expect(stateAfter('legacy', ...seeds)).toBe(expected);
});

// Trap 34: a granted subset, a graceful end, a cancellation by the server, a lost stream.
test.each<[string, FrameSeed[], string]>([
  ['it is open', [listen(1, uri)], 'asking'],
  ['it is acknowledged', [listen(1, uri), granted(1, uri)], 'active'],
  ['another id is acknowledged', [listen(1, uri), granted('1', uri)], 'asking'],
  ['the server granted less', [listen(1, uri, 'b:1'), granted(1, 'b:1')], 'refused'],
  ['it is for several resources', [listen(1, uri, 'b:1'), granted(1, uri, 'b:1')], 'active'],
  ['the server ended it', [listen(1, uri), granted(1, uri), answered(1, { resultType: 'complete' })], 'ended'],
  ['the server refused it', [listen(1, uri), refused(1)], 'refused'],
  [
    'the server cancelled it',
    [
      listen(1, uri),
      granted(1, uri),
      got({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
    ],
    'ended',
  ],
  [
    'the client cancelled it',
    [listen(1, uri), sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })],
    'stopped',
  ],
  ['an older stream is still open', [listen(1, uri), granted(1, uri), listen(2, uri), refused(2)], 'active'],
  ['its process ended', [listen(1, uri), happened({ event: 'exit', code: 1, signal: null })], 'lost'],
])('a modern subscription when %s', (_when, seeds, expected) => {
  expect(stateAfter('modern', ...seeds)).toBe(expected);
});

test('an open subscription names the request to cancel, and its filter', () => {
  const { listen: open } = resourceHistories(
    logOf(happened({ event: 'open', era: 'modern', version: '2026-07-28' }), listen(7, uri, 'b:1')),
  ).subscriptionOf(uri);
  expect(open).toEqual({ id: 7, filter: { resourceSubscriptions: [uri, 'b:1'] } });
});

describe('updates and reads', () => {
  test('are counted for each resource, in batches too, and only from the server', () => {
    const histories = resourceHistories(
      logOf(got(updated(uri)), got(updated('b:1')), got([updated(uri), updated(uri)]), sent(updated(uri))),
    );
    expect(histories.updatesOf(uri)).toEqual({ count: 3, seq: 3 });
    expect(histories.updatesOf('b:1')).toEqual({ count: 1, seq: 2 });
    expect(histories.updatesOf('c:1')).toEqual({ count: 0, seq: 0 });
  });

  test('a resource is stale if it changed after its newest read began', () => {
    const seeds = [read(1), contents(1), got(updated(uri)), read(2), got(updated('b:1')), contents(2)];
    const at = (frames: number) => resourceHistories(logOf(...seeds.slice(0, frames))).isStale(uri);
    expect([2, 3, 4, 6].map(at)).toEqual([false, true, true, false]);
    expect(
      resourceHistories(logOf(...seeds))
        .newestReads(uri, 5)
        .map(({ requestSeq }) => requestSeq),
    ).toEqual([1, 4]);
  });
});

test('the children of a directory that was read are known', () => {
  const child = { uri: 'a:1/x', name: 'x', mimeType: 'inode/directory' };
  const log = logOf(asked(1, 'resources/directory/read', { uri }), answered(1, { resources: [child, 'junk'] }));
  const histories = resourceHistories(log);
  expect(histories.childOf('a:1/x')).toMatchObject({ uri: 'a:1/x', name: 'x', raw: child, seq: 2 });
  expect(histories.childOf('a:1/y')).toBeUndefined();
});

test('the version changes with what concerns resources, and only with that', () => {
  const log = new Log('c1');
  const histories = resourceHistories(log);
  const seeds = [listen(1, uri), got({ jsonrpc: '2.0', method: 'notifications/message' }), granted(1, uri), refused(1)];
  const versions = framesOf(seeds).map((frame) => {
    log.append([frame]);
    return histories.catchUp();
  });
  expect(new Set(versions).size).toBe(3);
  expect(versions[1]).toBe(versions[0]);
  expect(histories.catchUp()).toBe(versions[3]);
});
