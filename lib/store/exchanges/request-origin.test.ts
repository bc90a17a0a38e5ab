import { describe, expect, test } from 'vitest';
import { answered, asked, type FrameSeed, got, happened, logOf } from '@/lib/store/test-frames';
import { causingRequest, startsWork } from './request-origin';

describe('causeOf', () => {
  const none = new Set<number>();
  test.each([
    ['the only request in flight', { inFlight: new Set([5]) }, 5],
    ['nothing, with none in flight', { inFlight: none }, undefined],
    ['nothing, with several in flight', { inFlight: new Set([5, 6]) }, undefined],
    ['the request on whose stream it came', { carrier: 6, inFlight: new Set([5, 6]) }, 6],
    ['the request on whose stream it came, even after its response', { carrier: 6, inFlight: none }, 6],
    ['the named request before all', { named: { request: 7 }, carrier: 6, inFlight: new Set([5]) }, 7],
    [
      'nothing, if the named request is not in the log',
      { named: { request: undefined }, inFlight: new Set([5]) },
      undefined,
    ],
  ])('is %s', (_, clues, cause) => expect(causingRequest(clues)).toBe(cause));
});

test.each([
  'initialize',
  'server/discover',
  'ping',
  'logging/setLevel',
  'subscriptions/listen',
  'tools/list',
  'resources/templates/list',
  'tasks/list',
  'tasks/get',
  'tasks/result',
  'tasks/cancel',
  'tasks/update',
])('%s starts no work', (method) => expect(startsWork(method)).toBe(false));

test.each(['tools/call', 'prompts/get', 'resources/read', 'resources/subscribe', 'completion/complete', 'acme/run'])(
  '%s starts work',
  (method) => expect(startsWork(method)).toBe(true),
);

const call = (id: number) => asked(id, 'tools/call', { name: 'x' });
const task = (id: number, taskId: string) => answered(id, { task: { taskId, status: 'working' } });
const poll = (id: number, taskId: string) => asked(id, 'tasks/get', { taskId });
const polled = (id: number, taskId: string, status: string) => answered(id, { taskId, status });
const said = (meta?: object) =>
  got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x', _meta: meta } });
const ofTask = (taskId: string) => ({ 'io.modelcontextprotocol/related-task': { taskId } });
const ofSubscription = (id: unknown) => ({ 'io.modelcontextprotocol/subscriptionId': id });

const http = (kind: string, exchange: number): FrameSeed => ({
  ...happened({ event: 'closed' }),
  channel: 'http',
  bytes: new TextEncoder().encode(
    JSON.stringify({ kind, exchange, method: 'POST', url: 'http://x', headers: [], bytes: 2 }),
  ),
});
const posted = (exchange: number, message: FrameSeed) => [http('request', exchange), message];
const streamed = (exchange: number, message: FrameSeed) => [http('sse', exchange), message];

describe('the call of a log message, the last frame of', () => {
  test.each<readonly [string, readonly FrameSeed[], number | undefined]>([
    ['one call', [call(1), said()], 1],
    ['one call that was answered', [call(1), answered(1, {}), said()], undefined],
    ['two calls', [call(1), call(2), said()], undefined],
    ['two calls, one answered', [call(1), call(2), answered(1, {}), said()], 2],
    ['one call and a ping', [call(1), asked(2, 'ping'), said()], 1],
    ['a list only', [asked(1, 'tools/list'), said()], undefined],
    ['one task', [call(1), task(1, 'a'), said()], 1],
    ['one task during a poll', [call(1), task(1, 'a'), poll(2, 'a'), said()], 1],
    [
      'one task that waits for its result',
      [call(1), task(1, 'a'), asked(2, 'tasks/result', { taskId: 'a' }), said()],
      1,
    ],
    ['two tasks', [call(1), call(2), task(1, 'a'), task(2, 'b'), said()], undefined],
    ['two tasks, one polled', [call(1), call(2), task(1, 'a'), task(2, 'b'), poll(3, 'a'), said()], undefined],
    [
      'two tasks, one over',
      [call(1), call(2), task(1, 'a'), task(2, 'b'), poll(3, 'a'), polled(3, 'a', 'completed'), said()],
      2,
    ],
    ['a task and a call', [call(1), task(1, 'a'), call(2), said()], undefined],
    ['a task and a call, if it names the task', [call(1), task(1, 'a'), call(2), said(ofTask('a'))], 1],
    ['one call, if it names the task of another log', [call(1), said(ofTask('a'))], undefined],
    [
      'a task over, if it names it',
      [call(1), task(1, 'a'), poll(2, 'a'), polled(2, 'a', 'cancelled'), said(ofTask('a'))],
      1,
    ],
    ['a subscription and a call', [asked(1, 'subscriptions/listen'), call(2), said(ofSubscription(1))], 1],
    ['one call, if it names an unknown subscription', [call(1), said(ofSubscription('s'))], undefined],
    ['two calls over HTTP', [...posted(1, call(1)), ...posted(2, call(2)), ...streamed(2, said())], 4],
    [
      'two calls over HTTP, on a stream of its own',
      [...posted(1, call(1)), ...posted(2, call(2)), ...streamed(3, said())],
      undefined,
    ],
    [
      'a call over HTTP, on the stream of a subscription',
      [...posted(1, asked(1, 'subscriptions/listen')), ...posted(2, call(2)), ...streamed(1, said())],
      2,
    ],
    [
      'a call over HTTP, on the stream of a list',
      [...posted(1, asked(1, 'tools/list')), ...posted(2, call(2)), ...streamed(1, said())],
      2,
    ],
  ])('%s', (_, frames, owner) => {
    const log = logOf(...frames);
    expect(log.relations.ownerOf(log.size)).toBe(owner);
  });

  test.each<readonly [number | undefined, readonly FrameSeed[]]>([
    [0, [said()]],
    [undefined, [call(1), said()]],
    [2, [call(1), call(2), said()]],
    [3, [call(1), task(1, 'a'), call(2), call(3), poll(4, 'a'), said()]],
    [undefined, [call(1), call(2), said(ofTask('of another log'))]],
  ])('is unknown with %s in flight', (count, frames) => {
    const log = logOf(...frames);
    expect(log.relations.inFlightAt(log.size)).toBe(count);
  });
});

test('counts the log messages of a call, its task included', () => {
  const log = logOf(call(1), said(), task(1, 'a'), poll(2, 'a'), said(), call(3), said(), said(ofTask('a')));
  expect([1, 4, 6].map((seq) => log.relations.logMessagesOf(seq))).toEqual([3, 3, 0]);
});
