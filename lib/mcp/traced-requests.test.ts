import { expect, test } from 'vitest';
import { isObject, own } from '@/lib/json/value';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { newTrace, parseTraceparent, type TraceContext } from '@/lib/wire/trace-context';
import { Engine, type EngineConfig } from './engine';
import { FollowUps } from './follow-ups';
import { FakeHost, settled } from './test-engine';

const CALL = '{"name":"t"}';

/** Returns a traced engine that is open with a legacy server. */
async function traced(protocol: ProtocolChoice = 'auto', more: Partial<EngineConfig> = {}) {
  const host = new FakeHost();
  const clientInfo = { name: 'test', version: '1' };
  const config = { protocol, clientInfo, capabilities: () => ({}), traced: true, ...more };
  const engine = new Engine({ ...withMethods(host), probeMode: () => 'never' }, config);
  const opened = engine.handshake();
  const answer = (body: object) => {
    engine.receive(
      JSON.stringify({ jsonrpc: '2.0', id: host.sent.findLast(({ id }) => id !== undefined)!.id, ...body }),
    );
    return settled();
  };
  await answer({ result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} } });
  await opened;
  return { host, engine, answer };
}

function withMethods(host: FakeHost) {
  return {
    clock: host.clock,
    send: (text: string) => host.send(text),
    logEvent: (event: Parameters<FakeHost['logEvent']>[0]) => host.logEvent(event),
  };
}

/** Returns the trace contexts of all requests with this method. */
function contexts(host: FakeHost, method: string): readonly (TraceContext | undefined)[] {
  return host.sent
    .filter((message) => message.method === method)
    .map(({ params = {} }) => {
      const meta = own(params, '_meta');
      return isObject(meta) ? parseTraceparent(own(meta, 'traceparent')) : undefined;
    });
}

test('each request has a trace of its own, except for initialize', async () => {
  const { host, engine } = await traced();
  engine.sendRequest('tools/call', CALL);
  engine.sendRequest('tools/call', CALL);
  engine.sendRequest('ping');
  const [first, second] = contexts(host, 'tools/call');
  expect(first?.sampled).toBe(true);
  expect(second?.traceId).not.toBe(first?.traceId);
  expect(contexts(host, 'ping')[0]).toBeDefined();
  expect(contexts(host, 'initialize')).toEqual([undefined]);
});

test('a pinned version and an untraced engine send none', async () => {
  for (const { host, engine } of [await traced('2025-11-25'), await traced('auto', { traced: false })]) {
    engine.sendRequest('tools/call', '{"name":"t","_meta":{"progressToken":1}}');
    engine.sendRequest('ping');
    expect(host.texts.join()).not.toContain('traceparent');
  }
});

test('the context that the caller set is sent as it is, from the params before the profile', async () => {
  const mine = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
  const profile = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b8-00';
  const { host, engine } = await traced('auto', { meta: { traceparent: profile } });
  engine.sendRequest('tools/call', `{"name":"t","_meta":{"traceparent":"${mine}"}}`);
  engine.sendRequest('tools/call', CALL);
  expect(contexts(host, 'tools/call')).toEqual([parseTraceparent(mine), parseTraceparent(profile)]);
});

test('a request that is sent again is another span of the same trace', async () => {
  const { host, engine, answer } = await traced();
  const handlers = new Map([['elicitation/create', () => '{"action":"accept"}']]);
  const followUps = new FollowUps({
    engine,
    handlers,
    isOpen: () => true,
    renewed: async () => false,
    logEvent: () => {},
  });
  const options = { trace: newTrace() };
  const outcome = followUps.outcomeOf(engine.sendRequest('tools/call', CALL, options), 'tools/call', CALL, options);
  const inputRequests = { a: { method: 'elicitation/create', params: { message: 'Sure?' } } };
  await answer({ result: { resultType: 'input_required', inputRequests } });
  await answer({ result: { content: [] } });
  expect((await outcome).kind).toBe('result');
  const [first, again] = contexts(host, 'tools/call');
  expect([first?.traceId, again?.traceId]).toEqual([options.trace.traceId, options.trace.traceId]);
  expect(again?.spanId).not.toBe(first?.spanId);
});
