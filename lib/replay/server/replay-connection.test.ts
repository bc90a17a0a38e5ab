import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answered, asked, type FrameSeed, got, happened, sent } from '@/lib/store/test-frames';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { ask, type ReceivedMessage, replayOf } from './test-replay';

const note = (method: string, params: object = {}) => got({ jsonrpc: '2.0', method, params });
const OPENING = [
  asked(0, 'initialize', { protocolVersion: '2025-11-25' }),
  answered(0, { protocolVersion: '2025-11-25', capabilities: { tools: {} } }),
  sent({ jsonrpc: '2.0', method: 'notifications/initialized' }),
];
const http = (frame: HttpFrame): FrameSeed => ({ ...got(JSON.stringify(frame)), channel: 'http' });
const call = (id: unknown, name: string, more: object = {}) => asked(id, 'tools/call', { name, ...more });
const MODERN = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const modern = (more: object = {}) => ({ _meta: { ...MODERN, ...more } });
const methods = (heard: readonly ReceivedMessage[]) => heard.map(({ method, id }) => method ?? id);

describe('answers', () => {
  test('to initialize are the recorded result, whatever version the client asks for', async () => {
    const { say } = replayOf(OPENING);
    expect(await say(ask('mine', 'initialize', { protocolVersion: '2024-11-05' }))).toEqual([
      { jsonrpc: '2.0', id: 'mine', result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } } },
    ]);
  });

  test('to a repeated request come in turn, then the last one again', async () => {
    const replay = replayOf([...OPENING, call(1, 'a'), answered(1, 'one'), call(2, 'a'), answered(2, 'two')]);
    const results: unknown[] = [];
    for (let id = 10; id < 14; id++) results.push(...(await replay.say(ask(id, 'tools/call', { name: 'a' }))));
    expect(results).toMatchObject([{ result: 'one' }, { result: 'two' }, { result: 'two' }, { id: 13, result: 'two' }]);
  });

  test('are used once, however the call was found', async () => {
    const round = (n: number) => ({ name: 'a', requestState: 's', inputResponses: { q: { n } } });
    const seeds = [1, 2].flatMap((n) => [asked(n, 'tools/call', round(n)), answered(n, `n ${n}`)]);
    const { say } = replayOf(seeds);
    expect(await say(ask(8, 'tools/call', round(1)))).toMatchObject([{ result: 'n 1' }]);
    expect(await say(ask(9, 'tools/call', round(3)))).toMatchObject([{ result: 'n 2' }]);
  });

  test('keep the exact text of ids and results', async () => {
    const replay = replayOf([
      call(1, 'a'),
      got('{"jsonrpc":"2.0","id":1,\r\n"result":{"n":12345678901234567890,\r\n"n":1.0}}'),
    ]);
    replay.connection.receive(
      '{"id":98765432109876543210,"jsonrpc":"2.0","method":"tools/call","params":{"name":"a"}}',
      {
        sendMessage: () => {},
        sendAnswer: (text) => replay.texts.push(text),
        dropAnswer: () => {},
      },
    );
    await new Promise((resolve) => setTimeout(resolve));
    expect(replay.texts).toEqual([
      '{"jsonrpc":"2.0","id":98765432109876543210,"result":{"n":12345678901234567890,  "n":1.0}}',
    ]);
  });

  test('hand out cursors and task ids as recorded, and polls continue', async () => {
    const { say } = replayOf([
      asked(1, 'tools/list'),
      answered(1, { tools: [], nextCursor: 'é"1' }),
      asked(2, 'tools/list', { cursor: 'é"1' }),
      answered(2, { tools: ['last'] }),
      call(3, 'slow', { task: {} }),
      answered(3, { task: { taskId: 't', status: 'working' } }),
      asked(4, 'tasks/get', { taskId: 't' }),
      answered(4, { status: 'working' }),
      asked(5, 'tasks/get', { taskId: 't' }),
      note('notifications/tasks/status', { taskId: 't', status: 'completed' }),
      answered(5, { status: 'completed' }),
    ]);
    const [page] = await say(ask(1, 'tools/list', {}));
    const { nextCursor } = page!.result as { nextCursor: string };
    expect(await say(ask(2, 'tools/list', { cursor: nextCursor }))).toMatchObject([{ result: { tools: ['last'] } }]);
    expect(await say(ask(3, 'tools/call', { name: 'slow', task: {} }))).toMatchObject([
      { result: { task: { taskId: 't' } } },
    ]);
    const poll = ask(4, 'tasks/get', { taskId: 't' });
    expect(await say(poll)).toMatchObject([{ result: { status: 'working' } }]);
    expect(await say(poll)).toMatchObject([
      { method: 'notifications/tasks/status' },
      { result: { status: 'completed' } },
    ]);
    expect((await say(poll)).at(-1)).toMatchObject({ result: { status: 'completed' } });
  });

  test('match the recording if every request is sent again in order', async () => {
    const params = fc.record({ a: fc.constantFrom(0, 1, '•', null), b: fc.jsonValue({ maxDepth: 1 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(params, { maxLength: 8 }), fc.boolean(), async (all, late) => {
        const requests = all.map((one, id) => asked(id, 'x', one));
        const answers = all.map((_, id) => answered(id, { id }));
        // One after the other, or all at once and answered in reverse order.
        const seeds = late ? [...requests, ...answers.reverse()] : requests.flatMap((one, id) => [one, answers[id]!]);
        const { say } = replayOf(seeds);
        for (const [id, one] of all.entries()) {
          const shuffled = Object.fromEntries(Object.entries(one).reverse());
          expect(await say(ask(`n${id}`, 'x', shuffled))).toEqual([{ jsonrpc: '2.0', id: `n${id}`, result: { id } }]);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('are recorded errors, too', async () => {
    const { say } = replayOf([call(1, 'a'), got({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } })]);
    expect(await say(ask(7, 'tools/call', { name: 'a' }))).toMatchObject([{ id: 7, error: { code: -32602 } }]);
  });

  test('to two requests at once do not wait for each other', async () => {
    const seeds = [call(1, 'a'), note('notifications/message'), answered(1, 'a'), call(2, 'b'), answered(2, 'b')];
    const replay = replayOf(seeds, { pace: 1 });
    await replay.say(ask(1, 'tools/call', { name: 'a' }));
    await replay.say(ask(2, 'tools/call', { name: 'b' }));
    await replay.clock.pass(1);
    expect(methods(await replay.heard())).toEqual(['notifications/message', 2]);
  });

  test('to a batch come as one, only in versions with batches', async () => {
    const seeds = (version: string) => [
      asked(0, 'initialize'),
      answered(0, { protocolVersion: version }),
      call(1, 'a'),
      note('notifications/message'),
      answered(1, 'a'),
    ];
    const batch = [ask(5, 'ping'), ask(6, 'tools/call', { name: 'a' }), { jsonrpc: '2.0', method: 'notifications/x' }];
    expect(await replayOf(seeds('2025-03-26')).say(batch)).toMatchObject([
      { method: 'notifications/message' },
      [
        { id: 5, result: {} },
        { id: 6, result: 'a' },
      ],
    ]);
    expect(await replayOf(seeds('2025-06-18')).say(batch)).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  test('refuse invalid messages and invalid ids', async () => {
    const { say } = replayOf(OPENING);
    expect(await say('nonsense')).toMatchObject([{ id: null, error: { code: -32700 } }]);
    expect(await say(ask(null, 'ping'))).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });
});

describe('other messages of the server', () => {
  test('come with their call, in order, under the client’s ids and tokens, and wait for its answers', async () => {
    const { say } = replayOf([
      ...OPENING,
      call(1, 'slow', { _meta: { progressToken: 'theirs' } }),
      note('notifications/progress', { progressToken: 'theirs', progress: 1 }),
      got({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params: { n: 1 } }),
      note('notifications/message', { level: 'info', data: 'thinking' }),
      sent({ jsonrpc: '2.0', id: 'q', result: {} }),
      note('notifications/progress', { progressToken: 'theirs', progress: 2 }),
      answered(1, 'done'),
      note('notifications/tools/list_changed'),
    ]);
    const heard = await say(ask(9, 'tools/call', { name: 'slow', _meta: { progressToken: 'mine' } }));
    expect(heard).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'mine', progress: 1 } },
      { id: 1, method: 'sampling/createMessage', params: { n: 1 } },
      { method: 'notifications/message' },
    ]);
    expect(await say({ jsonrpc: '2.0', id: 1, result: { any: 'thing' } })).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'mine', progress: 2 } },
      { id: 9, result: 'done' },
      { method: 'notifications/tools/list_changed' },
    ]);
  });

  test('leave out progress without a token, and stop waiting after a refusal', async () => {
    const replay = replayOf([
      call(1, 'slow', { _meta: { progressToken: 'theirs' } }),
      note('notifications/progress', { progressToken: 'theirs', progress: 1 }),
      got({ jsonrpc: '2.0', id: 5, method: 'roots/list' }),
      sent({ jsonrpc: '2.0', id: 5, result: { roots: [] } }),
      answered(1, 'done'),
    ]);
    expect(methods(await replay.say(ask(9, 'tools/call', { name: 'slow' })))).toEqual(['roots/list']);
    const refusal = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no roots' } };
    expect(await replay.say(refusal)).toMatchObject([{ id: 9, result: 'done' }]);
    expect(replay.notes).toEqual(['The client refused a request of the server: no roots']);
  });

  test('cancel a request under its new id', async () => {
    const { say } = replayOf([
      call(1, 'a'),
      got({ jsonrpc: '2.0', id: 'q', method: 'roots/list' }),
      note('notifications/cancelled', { requestId: 'q' }),
      answered(1, {}),
    ]);
    expect(await say(ask(9, 'tools/call', { name: 'a' }))).toMatchObject([
      { id: 1, method: 'roots/list' },
      { method: 'notifications/cancelled', params: { requestId: 1 } },
      { id: 9 },
    ]);
  });

  test('follow a notification once', async () => {
    const { say } = replayOf([
      ...OPENING,
      note('notifications/tools/list_changed'),
      asked(1, 'tools/list'),
      answered(1, {}),
    ]);
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(methods(await say(initialized))).toEqual(['notifications/tools/list_changed']);
    expect(await say(initialized)).toEqual([]);
  });

  test('come first if they were recorded before the client’s first message', async () => {
    const replay = replayOf([note('notifications/message'), ...OPENING]);
    replay.connection.begin();
    expect(methods(await replay.heard())).toEqual(['notifications/message']);
  });
});

describe('pace', () => {
  const seeds = [call(1, 'a'), note('notifications/message'), answered(1, 'a'), note('notifications/message')];

  test.each([
    [1, [1, 1, 1]],
    [0.25, [0.25, 0.25, 0.25]],
  ])('takes %s of the recorded time', async (pace, steps) => {
    const replay = replayOf(seeds, { pace });
    expect(await replay.say(ask(1, 'tools/call', { name: 'a' }))).toEqual([]);
    for (const step of steps) {
      await replay.clock.pass(step - 0.01);
      expect(await replay.heard()).toEqual([]);
      await replay.clock.pass(0.01);
      expect(await replay.heard()).toHaveLength(1);
    }
  });

  test('does not include the time that a person took to answer', async () => {
    const replay = replayOf(
      [
        call(1, 'a'),
        got({ jsonrpc: '2.0', id: 1, method: 'elicitation/create' }),
        ...Array.from({ length: 50 }, () => happened({ event: 'roots', roots: [] })),
        sent({ jsonrpc: '2.0', id: 1, result: {} }),
        answered(1, 'a'),
      ],
      { pace: 1 },
    );
    await replay.say(ask(1, 'tools/call', { name: 'a' }));
    await replay.clock.pass(1);
    expect(methods(await replay.heard())).toEqual(['elicitation/create']);
    await replay.say({ jsonrpc: '2.0', id: 1, result: {} });
    await replay.clock.pass(1);
    expect(await replay.heard()).toMatchObject([{ result: 'a' }]);
  });
});

describe('cancelling', () => {
  const cancelled = (requestId: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  });
  const token = (progressToken: string) => ({ _meta: { progressToken } });
  const progress = (progressToken: string) => note('notifications/progress', { progressToken, progress: 1 });

  test('stops events on their way', async () => {
    const replay = replayOf([call(1, 'a'), note('notifications/message'), answered(1, 'a')], { pace: 1 });
    await replay.say(ask('x', 'tools/call', { name: 'a' }));
    expect(await replay.say(cancelled('x'))).toEqual(['dropped']);
    await replay.clock.pass(10);
    expect(await replay.heard()).toEqual([]);
    expect(replay.clock.waiting).toBe(0);
  });

  test('of a call given up in the recording still sends its events except progress, and waits for answers', async () => {
    const replay = replayOf([
      call(1, 'a', token('theirs')),
      progress('theirs'),
      got({ jsonrpc: '2.0', id: 'q', method: 'roots/list' }),
      sent({ jsonrpc: '2.0', id: 'q', result: { roots: [] } }),
      note('notifications/message', { level: 'info', data: 'Roots updated' }),
      progress('theirs'),
      sent(cancelled(1)),
    ]);
    const heard = await replay.say(ask(4, 'tools/call', { name: 'a', ...token('mine') }));
    expect(methods(heard)).toEqual(['notifications/progress', 'roots/list']);
    expect(await replay.say(cancelled(4))).toEqual(['dropped']);
    expect(methods(await replay.say({ jsonrpc: '2.0', id: 1, result: { roots: [] } }))).toEqual([
      'notifications/message',
    ]);
  });

  test('as in the recording sends the events that followed, and waits for answers', async () => {
    const replay = replayOf(
      [
        call(1, 'a'),
        got({ jsonrpc: '2.0', id: 'q', method: 'roots/list' }),
        sent(cancelled(1)),
        got({ jsonrpc: '2.0', id: 'r', method: 'roots/list' }),
        sent({ jsonrpc: '2.0', id: 'q', result: { roots: [] } }),
        note('notifications/message', { level: 'info', data: 'Roots updated' }),
      ],
      { pace: 1 },
    );
    const heard = async () => {
      await replay.clock.pass(10);
      return methods(await replay.heard());
    };
    await replay.say(ask(4, 'tools/call', { name: 'a' }));
    expect(await heard()).toEqual(['roots/list']);
    expect(await replay.say(cancelled(4))).toEqual(['dropped']);
    expect(await heard()).toEqual(['roots/list']);
    await replay.say({ jsonrpc: '2.0', id: 1, result: { roots: [] } });
    expect(await heard()).toEqual(['notifications/message']);
    await replay.say(ask(5, 'tools/call', { name: 'a' }));
    expect(await heard()).toEqual(['roots/list']);
    expect(await replay.say(cancelled(5))).toEqual(['dropped']);
    expect(await heard()).toEqual([]);
  });

  test('is not needed after a recorded timeout: later events follow the error', async () => {
    const replay = replayOf([
      call(1, 'a'),
      happened({ event: 'timeout', id: 1, method: 'tools/call', afterMs: 1 }),
      note('notifications/message', { level: 'info', data: 'Late' }),
    ]);
    const heard = await replay.say(ask(4, 'tools/call', { name: 'a' }));
    expect(heard).toMatchObject([{ id: 4, error: {} }, { params: { data: 'Late' } }]);
  });

  test('over HTTP still sends events of other exchanges, at their recorded times', async () => {
    const on = (exchange: number, seed: FrameSeed) => [http({ kind: 'sse', exchange }), seed];
    const log = (data: string) => note('notifications/message', { level: 'info', data });
    const replay = replayOf(
      [
        http({ kind: 'request', exchange: 7, method: 'POST', url: 'http://x/', headers: [], bytes: 1 }),
        call(1, 'a'),
        ...on(7, log('its own')),
        ...on(2, log('of another')),
        ...on(7, answered(1, 'a')),
      ],
      { pace: 1 },
    );
    await replay.say(ask(4, 'tools/call', { name: 'a' }));
    expect(await replay.say(cancelled(4))).toEqual(['dropped']);
    await replay.clock.pass(1);
    expect(await replay.heard()).toEqual([]);
    await replay.clock.pass(10);
    expect(await replay.heard()).toMatchObject([{ params: { data: 'of another' } }]);
    expect(replay.clock.waiting).toBe(0);
  });

  test('is awaited for a call that was cancelled in the recording', async () => {
    const replay = replayOf([call(1, 'a'), note('notifications/message'), sent(cancelled(1))]);
    expect(methods(await replay.say(ask(4, 'tools/call', { name: 'a' })))).toEqual(['notifications/message']);
    expect(replay.notes.join()).toContain('cancelled this call in the recording (frame 1)');
    expect(await replay.say(cancelled(4))).toEqual(['dropped']);
  });
});

test('says why the recording has no answer', async () => {
  const { say } = replayOf([call(1, 'a'), happened({ event: 'exit', code: 1, signal: null }), call(2, 'b')]);
  expect(await say(ask(1, 'tools/call', { name: 'a' }))).toMatchObject([
    { error: { code: -32011, message: expect.stringContaining('the connection ended first') } },
  ]);
  expect(await say(ask(2, 'tools/call', { name: 'b' }))).toMatchObject([
    { error: { data: { reason: 'no-answer', frame: 3 } } },
  ]);
});

test('ignores handshakes without an answer', async () => {
  const lost = happened({ event: 'session-lost' });
  const { say } = replayOf([asked('d', 'server/discover'), lost, asked(0, 'initialize'), lost, ...OPENING]);
  expect(await say(ask(1, 'server/discover'))).toMatchObject([{ error: { code: -32601 } }]);
  expect(await say(ask(2, 'initialize'))).toMatchObject([{ result: { protocolVersion: '2025-11-25' } }]);
});

describe('requests that were not recorded', () => {
  const seeds = [...OPENING, call(1, 'echo', { arguments: { message: 'hi' } }), answered(1, {})];
  const miss = ask(3, 'tools/call', { name: 'echo', arguments: { message: 'ho' } });

  test('get an error with the nearest call and the difference', async () => {
    const { say, notes } = replayOf(seeds);
    const message =
      'The recording has no tools/call echo with these params. The nearest call is frame 4: there arguments.message is "hi", here it is "ho".';
    const differences = [{ path: 'arguments.message', before: '"hi"', after: '"ho"' }];
    expect(await say(miss)).toMatchObject([
      { id: 3, error: { code: -32010, message, data: { reason: 'not-recorded', nearest: { frame: 4, differences } } } },
    ]);
    expect(notes).toEqual([message]);
    expect(await say(ask(5, 'tools/call', { name: 'other' }))).toMatchObject([
      { error: { message: 'The recording has no tools/call other. It has echo.', data: { names: ['echo'] } } },
    ]);
    expect(await say(ask(4, 'prompts/get'))).toMatchObject([
      { error: { message: 'The recording has no prompts/get. It has initialize, tools/call.' } },
    ]);
  });

  test('get valid empty results', async () => {
    const { say } = replayOf(seeds, { onMiss: 'empty' });
    expect(await say(miss)).toMatchObject([{ result: { content: [] } }]);
    expect(await say(ask(4, 'resources/templates/list'))).toMatchObject([{ result: { resourceTemplates: [] } }]);
  });

  test.each([
    [
      'what fits it',
      '{"sum":0}',
      { result: { content: [{ type: 'text', text: '{"sum":0}' }], structuredContent: { sum: 0 } } },
    ],
    [
      'an error, where nothing does',
      undefined,
      { error: { code: -32010, message: expect.stringContaining('outputSchema') } },
    ],
  ])('get %s for an empty result with an outputSchema', async (_, sample, heard) => {
    const outputSchema = { type: 'object', required: ['sum'] };
    const tools = [{ name: 'echo', inputSchema: {}, outputSchema }];
    const listed = [asked('l', 'tools/list'), answered('l', { tools: [{ name: 'echo' }] }), asked('m', 'tools/list')];
    const schemas: unknown[] = [];
    const { say } = replayOf([...seeds, ...listed, answered('m', { tools })], {
      onMiss: 'empty',
      sampleOf: async (schema) => {
        schemas.push(schema);
        return sample;
      },
    });
    expect(await say(miss)).toMatchObject([heard]);
    expect(schemas).toEqual([outputSchema]);
  });

  test('fail alone if the replay itself fails', async () => {
    const tools = [{ name: 'echo', inputSchema: {}, outputSchema: {} }];
    const { say, notes } = replayOf([...seeds, asked('m', 'tools/list'), answered('m', { tools })], {
      onMiss: 'empty',
      sampleOf: () => Promise.reject(new Error('Broken.')),
    });
    const failed = { error: { code: -32603, message: expect.stringContaining('Broken.') } };
    expect(await say(miss)).toMatchObject([failed]);
    expect(notes.at(-1)).toContain('Broken.');
    expect(await say(ask('p', 'ping'))).toMatchObject([{ id: 'p', result: {} }]);
  });

  test('are forwarded: progress has the client’s token, the answer its id', async () => {
    const replay = replayOf(seeds, {
      onMiss: 'forward',
      forward: async ({ method, params, onProgress }) => {
        onProgress('{"progressToken":1,"progress":2}');
        return { kind: 'result', text: JSON.stringify({ method, params }) };
      },
    });
    const dressed = ask(3, 'tools/call', { name: 'new', _meta: { progressToken: 't', tenant: 1 } });
    expect(await replay.say(dressed)).toMatchObject([
      { params: { progressToken: 't', progress: 2 } },
      { id: 3, result: { method: 'tools/call', params: '{"name":"new","_meta":{"tenant":1}}' } },
    ]);
  });

  test('are forwarded: server requests reach the client under a new id, and can be cancelled', async () => {
    let calledOff = (): void => {};
    const replay = replayOf(seeds, {
      onMiss: 'forward',
      forward: async ({ capabilities, ask: askBack }) => {
        const said = await askBack('roots/list', '{"n":1e400}', new AbortController().signal);
        const refused = await askBack('roots/list', undefined, new AbortController().signal).catch((error) => error);
        const abort = new AbortController();
        calledOff = () => abort.abort();
        const gone = await askBack('roots/list', undefined, abort.signal).catch((error) => error);
        const text = JSON.stringify([capabilities, said, refused.code, refused.message, gone.message]);
        return { kind: 'result', text };
      },
    });
    await replay.say(ask(2, 'initialize', { capabilities: { roots: {} } }));
    replay.connection.receive(JSON.stringify(ask(3, 'tools/call', { name: 'new' })), {
      sendMessage: (text) => replay.texts.push(text.replace('1e400', '"1e400"')),
      sendAnswer: (text) => replay.texts.push(text),
      dropAnswer: () => {},
    });
    expect(await replay.heard()).toEqual([{ jsonrpc: '2.0', id: 1, method: 'roots/list', params: { n: '1e400' } }]);
    const [second] = await replay.say('{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}');
    expect(second).toMatchObject({ id: 2, method: 'roots/list' });
    const [third] = await replay.say({ jsonrpc: '2.0', id: 2, error: { code: -1, message: 'no' } });
    expect(third).toMatchObject({ id: 3 });
    calledOff();
    expect(await replay.heard()).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: 3 } },
      { id: 3, result: [{ roots: {} }, '{"n":12345678901234567890}', -1, 'no', 'The client did not respond'] },
    ]);
  });

  test('get derived handshakes, and empty answers where these are enough', async () => {
    const { say } = replayOf([asked(1, 'tools/list'), answered(1, { tools: [] })]);
    expect(await say(ask(1, 'ping'))).toMatchObject([{ result: {} }]);
    expect(await say(ask(2, 'initialize'))).toMatchObject([{ result: { capabilities: { tools: {} } } }]);
    expect(await say(ask(3, 'server/discover'))).toMatchObject([{ error: { code: -32601 } }]);
  });
});

describe('in the modern era a replay', () => {
  const stream = (method: string) => note(method, { _meta: { 'io.modelcontextprotocol/subscriptionId': 's' } });
  const seeds: readonly FrameSeed[] = [
    asked('d', 'server/discover', modern()),
    answered('d', { supportedVersions: ['2026-07-28'] }),
    asked('s', 'subscriptions/listen', { ...modern(), notifications: {} }),
    stream('notifications/subscriptions/acknowledged'),
    asked(1, 'tools/call', { name: 'grow', ...modern() }),
    note('notifications/message', { level: 'info' }),
    stream('notifications/tools/list_changed'),
    answered(1, 'grew'),
  ];
  const listen = ask('mine', 'subscriptions/listen', { ...modern(), notifications: {} });

  test('sends a subscription the events that a call causes, under the subscription’s own id', async () => {
    const { say } = replayOf(seeds);
    const subscription = { _meta: { 'io.modelcontextprotocol/subscriptionId': 'mine' } };
    expect(await say(listen)).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: subscription },
    ]);
    expect(await say(ask(2, 'tools/call', { name: 'grow', ...modern() }))).toMatchObject([
      { method: 'notifications/tools/list_changed', params: subscription },
      { id: 2, result: 'grew' },
    ]);
  });

  test('sends nothing without a subscription, and logs only on request', async () => {
    const { say } = replayOf(seeds);
    const logs = modern({ 'io.modelcontextprotocol/logLevel': 'info' });
    expect(methods(await say(ask(2, 'tools/call', { name: 'grow', ...modern() })))).toEqual([2]);
    expect(methods(await say(ask(3, 'tools/call', { name: 'grow', ...logs })))).toEqual(['notifications/message', 3]);
  });

  test('acknowledges a subscription to unrecorded items, and sends it nothing', async () => {
    const { say } = replayOf(seeds);
    const other = ask('o', 'subscriptions/listen', { ...modern(), notifications: { promptsListChanged: true } });
    expect(await say(other)).toMatchObject([{ params: { notifications: {} } }]);
  });

  test('sends each recorded change once to a subscription with another filter', async () => {
    const on = (id: string, method: string, params: object = {}) =>
      note(method, { ...params, _meta: { 'io.modelcontextprotocol/subscriptionId': id } });
    const updated = 'notifications/resources/updated';
    const subscribed = (id: string, notifications: object) => [
      asked(id, 'subscriptions/listen', { ...modern(), notifications: { ...notifications, promptsListChanged: true } }),
      on(id, 'notifications/subscriptions/acknowledged', { notifications }),
    ];
    const { say } = replayOf([
      ...subscribed('s', { toolsListChanged: true }),
      ...subscribed('t', { toolsListChanged: true, resourceSubscriptions: ['a:1', 'a:2'] }),
      asked(1, 'tools/call', { name: 'grow', ...modern() }),
      on('s', 'notifications/tools/list_changed'),
      on('t', 'notifications/tools/list_changed'),
      on('t', updated, { uri: 'a:1' }),
      on('t', updated, { uri: 'a:2' }),
      answered(1, 'grew'),
    ]);
    const wanted = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['a:2', 'a:3'] };
    expect(await say(ask('o', 'subscriptions/listen', { ...modern(), notifications: wanted }))).toMatchObject([
      {
        method: 'notifications/subscriptions/acknowledged',
        params: {
          _meta: { 'io.modelcontextprotocol/subscriptionId': 'o' },
          notifications: { toolsListChanged: true, resourceSubscriptions: ['a:2'] },
        },
      },
    ]);
    const grow = ask(2, 'tools/call', { name: 'grow', ...modern() });
    expect((await say(grow)).map(({ method, params }) => [method, params?.uri])).toEqual([
      ['notifications/tools/list_changed', undefined],
      [updated, 'a:2'],
      [undefined, undefined],
    ]);
    await say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'o' } });
    expect(methods(await say({ ...grow, id: 3 }))).toEqual([3]);
    const odd =
      '{"notifications":{"__proto__":["a"],"toolsListChanged":["a"],"resourceSubscriptions":[1,"a:1","a:1"],"taskIds":true}}';
    const hostile = `{"jsonrpc":"2.0","id":4,"method":"subscriptions/listen","params":${odd.replace('}}', `},${JSON.stringify(modern()).slice(1)}`)}}`;
    expect(await say(hostile)).toMatchObject([{ params: { notifications: { resourceSubscriptions: ['a:1'] } } }]);
  });

  test('refuses other versions and names the recorded one', async () => {
    const { say } = replayOf(seeds);
    const refusal = { code: -32022, data: { supported: ['2026-07-28'] } };
    expect(await say(ask(1, 'initialize', { protocolVersion: '2025-11-25' }))).toMatchObject([{ error: refusal }]);
    const old = { name: 'grow', _meta: { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } };
    expect(await say(ask(2, 'tools/call', old))).toMatchObject([{ error: refusal }]);
  });

  test('starts from the beginning after server/discover', async () => {
    const { say } = replayOf([
      ...seeds,
      asked(8, 'tools/call', { name: 'n', ...modern() }),
      answered(8, 'one'),
      asked(9, 'tools/call', { name: 'n', ...modern() }),
      answered(9, 'two'),
    ]);
    const next = ask(1, 'tools/call', { name: 'n', ...modern() });
    expect([...(await say(next)), ...(await say(next))]).toMatchObject([{ result: 'one' }, { result: 'two' }]);
    await say(ask(2, 'server/discover', modern()));
    expect(await say(next)).toMatchObject([{ result: 'one' }]);
  });
});
