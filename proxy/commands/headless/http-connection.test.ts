import { expect, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { FakeClock } from '@/lib/wire/test-clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { type Answer, json, result, startHttp } from '@/proxy/connection/fixtures/http-fixture';
import { resolveLaunch } from '@/proxy/connection/launch';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { explainFailure } from './explain-failure';
import { NonMcpOutput } from './non-mcp-output';
import { RecentFrames } from './recent-frames';
import { ServerConnection } from './server-connection';
import { notesTap } from './server-notes';
import { keptOutput } from './test-connection';

const open = closedAfterEach();

const TOOL = { name: 't', inputSchema: { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } };

/** A modern server that refuses a call without its header, as the specification requires. */
const strict: Answer = ({ message, headers }, response) => {
  const { id, method } = message!;
  if (method === 'server/discover')
    json(response, result(id, { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }));
  else if (method === 'tools/list') json(response, result(id, { tools: [TOOL] }));
  else if (headers['mcp-param-region'] === 'eu') json(response, result(id, { content: [], digits: 'here' }));
  else json(response, { jsonrpc: '2.0', id, error: { code: -32020, message: 'Header mismatch' } }, 400);
};

/** Answers a call with a text that is not a message. */
const broken =
  (isModern: boolean, asStream: boolean): Answer =>
  ({ message }, response) => {
    const { id, method } = message ?? {};
    if (id === undefined) return void response.writeHead(message ? 202 : 405).end();
    if (method === 'server/discover' && isModern)
      return json(response, result(id, { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }));
    if (method === 'initialize' && !isModern)
      return json(response, result(id, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x' } }));
    if (method !== 'tools/call') return json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
    const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"n":NaN}}`;
    response.writeHead(200, { 'content-type': asStream ? 'text/event-stream' : 'application/json' });
    return void response.end(asStream ? `data: ${text}\n\n` : text);
  };

/** A connection of a subcommand to a URL. */
async function connected(answer: Answer, protocol: ProtocolChoice = 'auto', append = notesTap(keptOutput())) {
  const fixture = await startHttp(answer);
  const clock = systemClock;
  const session = new ServerConnection(
    resolveLaunch({ transport: 'auto', url: `${fixture.origin}/mcp` }, protocol, []),
    {
      clock,
      version: '0.0.0-test',
      append,
      lookFurther: async () => {},
      openTransport: (launched, sink) =>
        createTransport(launched, { sink, clock, reaper: new Reaper(), version: '0.0.0-test', allowLinkLocal: false }),
    },
  );
  open.push(fixture, session);
  await session.open();
  return { fixture, session };
}

test('addresses near a URL are requested until the time of the command is over', async () => {
  const clock = new FakeClock();
  const signals: AbortSignal[] = [];
  let begun = (): void => {};
  const session = new ServerConnection(
    resolveLaunch({ transport: 'auto', url: 'http://127.0.0.1:1/mcp' }, 'auto', []),
    {
      clock,
      version: '0.0.0-test',
      timeoutMs: 1000,
      append: notesTap(keptOutput()),
      openTransport: (launched, sink) =>
        createTransport(launched, { sink, clock, reaper: new Reaper(), version: '0.0.0-test', allowLinkLocal: false }),
      lookFurther: (_launch, _where, _sink, signal) =>
        new Promise((resolve) => {
          signals.push(signal);
          signal.addEventListener('abort', () => resolve());
          begun();
        }),
    },
  );
  const began = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const looked = session.lookFurther('paths');
  await began;
  clock.advance(999);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  clock.advance(1);
  await looked;
  await session.lookFurther('paths');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test.each([
  ['modern', 'a body', true, false],
  ['modern', 'an event', true, true],
  ['legacy', 'a body', false, false],
  ['legacy', 'an event', false, true],
])('in the %s era, quotes %s that is nearly the answer', async (_era, _where, isModern, asStream) => {
  const [stray, recent] = [new NonMcpOutput(), new RecentFrames()];
  const append = recent.tap(stray.tap(notesTap(keptOutput())));
  const { session } = await connected(broken(isModern, asStream), 'auto', append);
  const error = await session.request('tools/call', '{"name":"t"}').catch((thrown: unknown) => thrown);
  expect(explainFailure(error, recent.parts)?.failure).toMatchObject({
    message: expect.stringMatching(
      /looks like the response to tools\/call: `\{"jsonrpc".+NaN\}\}`\. `NaN` is not JSON\.$/,
    ),
  });
  expect(stray.takeLines()?.message).toMatch(/^The server sent 1 HTTP body or event that is not an MCP message\./);
});

test('repeats a call whose headers were refused, and prints the last answer exactly', async () => {
  const { fixture, session } = await connected(strict);
  const answer = await session.request('tools/call', '{"name":"t","arguments":{"region":"eu"}}');
  expect(answer).toMatchObject({ kind: 'result', text: '{"content":[],"digits":"here"}' });
  expect(fixture.seen.map(({ message }) => message?.method)).toEqual([
    'server/discover',
    'tools/call',
    'tools/list',
    'tools/call',
  ]);
});

test('raw prints the JSON of an HTTP error response, whatever its id', async () => {
  const body = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Server not initialized' } };
  const { session } = await connected((_seen, response) => json(response, body, 400), 'none');
  const lines: string[] = [];
  await session.sendRaw('{"jsonrpc":"2.0","id":2,"method":"tools/list"}', [2], (line) => lines.push(line));
  expect(lines).toEqual([JSON.stringify(body)]);
});

test('raw leaves no note that its request is unanswered once it was answered', async () => {
  const frames: string[] = [];
  const { session } = await connected(
    ({ message }, response) => json(response, result(message?.id, { tools: [] })),
    'none',
    (channel, _direction, _flags, _time, source, start, end) => {
      if (channel === 'http') frames.push(Buffer.from(source.subarray(start, end)).toString());
      return 1;
    },
  );
  await session.sendRaw('{"jsonrpc":"2.0","id":7,"method":"tools/list"}', [7], () => {});
  await session.close();
  expect(frames.join()).toContain('"kind":"body"');
  expect(frames.join()).not.toContain('unanswered');
});

test.each<[string, number, unknown, readonly string[] | string]>([
  ['an error in the body', 400, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'x' } }, ['-32700']],
  ['an error with status 200', 200, { jsonrpc: '2.0', error: { code: -32700, message: 'x' } }, ['-32700']],
  ['nothing', 202, undefined, []],
  ['a status alone', 415, undefined, '415'],
])('raw text over HTTP is refused with %s', async (_what, status, body, expected) => {
  const { fixture, session } = await connected((_seen, response) => {
    if (body === undefined) response.writeHead(status).end();
    else json(response, body, status);
  }, 'none');
  const lines: string[] = [];
  const sent = session.sendText('{"id": \n', (line) => lines.push(line));
  if (typeof expected === 'string')
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining(expected) });
  else {
    await sent;
    expect(lines.map((line) => String(JSON.parse(line).error.code))).toEqual(expected);
  }
  expect(fixture.seen.map(({ text }) => text)).toEqual(['{"id": \n']);
});

/** A legacy server that forgets its session after every second call, and answers a ping to any session. */
function forgetful(status: number, refusal?: string, refusalHeaders: Record<string, string> = {}): Answer {
  let [session, calls] = [0, 0];
  return ({ message, headers }, response) => {
    const { id, method } = message ?? {};
    if (id === undefined) return void response.writeHead(message ? 202 : 405).end();
    if (method === 'ping') return json(response, result(id, {}));
    if (method === 'initialize') {
      [session, calls] = [session + 1, 0];
      response.setHeader('mcp-session-id', `s${session}`);
      return json(response, result(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: {} }));
    }
    const isUnknown = headers['mcp-session-id'] !== `s${session}` || calls === 2;
    if (isUnknown && refusal !== undefined)
      return void response.writeHead(status, refusalHeaders).end(refusal.replace('"ID"', JSON.stringify(id)));
    if (isUnknown)
      return json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No valid session' } }, status);
    calls++;
    json(response, result(id, { content: [], session }));
  };
}

test.each([404, 400])('repeats a request in a new session after HTTP %d, and reads no lists', async (status) => {
  const { fixture, session } = await connected(forgetful(status), '2025-11-25');
  const sessions: unknown[] = [];
  for (let call = 0; call < 9; call++) {
    const answer = await session.request('tools/call', '{"name":"t"}');
    sessions.push(answer.kind === 'result' && (answer.result as { session: number }).session);
  }
  expect(sessions).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5]);
  expect(fixture.seen.map(({ message }) => message?.method)).not.toContain('tools/list');
});

test.each([
  ['No valid session ID provided'],
  ['{"error":"No valid session ID provided"}'],
  ['{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Bad Request: Server not initialized"}}'],
])('repeats a request in a new session, without a ping, after a 400 with %s', async (refusal) => {
  const { fixture, session } = await connected(forgetful(400, refusal), '2025-11-25');
  const sessions: unknown[] = [];
  for (let call = 0; call < 5; call++) {
    const answer = await session.request('tools/call', '{"name":"t"}');
    sessions.push(answer.kind === 'result' && (answer.result as { session: number }).session);
  }
  expect(sessions).toEqual([1, 1, 2, 2, 3]);
  expect(fixture.seen.map(({ message }) => message?.method)).not.toContain('ping');
});

const JSON_TYPE = { 'content-type': 'application/json' };
const denial = (message: string, code = -32001) =>
  JSON.stringify({ jsonrpc: '2.0', id: 'ID', error: { code, message } });

test.each<[string, number, string, Record<string, string>, boolean]>([
  ['HTTP 410', 410, 'Gone', {}, true],
  ['HTTP 401 about the session', 401, denial('Session not found'), JSON_TYPE, true],
  ['HTTP 200 with -32001 about the session', 200, denial('Session not found'), JSON_TYPE, true],
  ['HTTP 200 with -32001 about another session', 200, denial('The browser session is closed'), JSON_TYPE, false],
  ['HTTP 200 with another code', 200, denial('Session not found', -32000), JSON_TYPE, false],
  ['HTTP 401 that asks for a sign-in', 401, denial('Session'), { ...JSON_TYPE, 'www-authenticate': 'Bearer' }, false],
  ['HTTP 403', 403, denial('Session not found'), JSON_TYPE, false],
])('begins a new session, or not, after %s', async (_what, status, refusal, headers, isNew) => {
  const { fixture, session } = await connected(forgetful(status, refusal, headers), '2025-11-25');
  for (let call = 0; call < 2; call++) await session.request('tools/call', '{"name":"t"}');
  const third = await session.request('tools/call', '{"name":"t"}').catch(() => ({ kind: 'error' }));
  expect(third.kind).toBe(isNew ? 'result' : 'error');
  expect(fixture.seen.filter(({ message }) => message?.method === 'initialize')).toHaveLength(isNew ? 2 : 1);
});

test.each([['Unknown tool'], ['<!doctype html><title>Your session</title>']])(
  'keeps a session after a 400 with the text %s',
  async (refusal) => {
    const { fixture, session } = await connected(forgetful(400, refusal), '2025-11-25');
    for (let call = 0; call < 2; call++) await session.request('tools/call', '{"name":"t"}');
    await expect(session.request('tools/call', '{"name":"t"}')).rejects.toThrow('HTTP 400');
    expect(fixture.seen.filter(({ message }) => message?.method === 'initialize')).toHaveLength(1);
  },
);

test('keeps a session after a 400 that is about something else', async () => {
  let initialized = 0;
  const { session } = await connected(({ message }, response) => {
    const { id, method } = message ?? {};
    if (id === undefined) return void response.writeHead(message ? 202 : 405).end();
    if (method !== 'initialize') return json(response, { jsonrpc: '2.0', id, error: { code: 1, message: 'Bad' } }, 400);
    initialized++;
    response.setHeader('mcp-session-id', 's');
    json(response, result(id, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }));
  }, '2025-11-25');
  expect(await session.request('tools/call', '{"name":"t"}')).toMatchObject({ kind: 'error', error: { code: 1 } });
  expect(initialized).toBe(1);
});
