import { describe, expect, test } from 'vitest';
import { type ChatEvent, USUAL_LIMITS } from './chat-frame';
import { callState, writtenText } from './chat-state';
import { isCallAllowed } from './loop';
import { type Model, ModelError, type ModelEvent } from './model';
import { memoryChat, memoryServer } from './test-chat';
import { offerTools, qualifiedName } from './tool-names';

const model = (...answers: readonly (readonly ModelEvent[] | (() => AsyncIterable<ModelEvent>))[]): Model => {
  let asked = 0;
  return {
    id: 'test:model',
    toolMode: 'native',
    async *ask() {
      const answer = answers[Math.min(asked++, answers.length - 1)]!;
      yield { type: 'request', body: '{}', losses: [] };
      yield* typeof answer === 'function' ? answer() : answer;
    },
  };
};
const call = (id: string, name: string, args = '{}'): ModelEvent => ({
  type: 'call',
  call: { id, name, arguments: args },
});
const say = (text: string): ModelEvent => ({ type: 'text', text });
const end = (reason: 'stop' | 'calls' = 'stop'): ModelEvent => ({ type: 'end', reason, body: '' });
const ofType = <T extends ChatEvent['type']>(events: readonly ChatEvent[], type: T) =>
  events.filter((event): event is ChatEvent & { readonly type: T } => event.type === type);

const echo = memoryServer('one', { echo: ({ text }) => String(text), fail: () => Promise.reject(new Error('gone')) });

test('a question that needs two servers is answered with both', async () => {
  const notes = memoryServer('notes', { search: ({ query }) => JSON.stringify({ id: 7, about: query }) });
  const mail = memoryServer('mail', { search: () => 'nothing', send: ({ note }) => `sent ${typeof note} ${note}` });
  const { chat, events, ask } = memoryChat({
    servers: [notes, mail],
    rules: [
      {
        when: { matches: 'mail my note about (?<topic>\\w+)' },
        think: 'First the note.',
        call: { tool: 'notes__search', arguments: { query: '{{topic}}' } },
      },
      { when: { server: 'notes' }, say: 'Found it. ', call: { tool: 'send', arguments: { note: '{{result.id}}' } } },
      { when: { tool: 'send' }, say: 'Done: {{result}}; the note was {{results.notes__search}}.' },
    ],
  });
  const turn = await ask('Please mail my note about tea');
  expect(turn.end).toMatchObject({ reason: 'stop' });
  expect(writtenText(turn)).toBe('Found it. \n\nDone: sent number 7; the note was {"id":7,"about":"tea"}.');
  expect(turn.calls.map(({ server, tool, sent }) => [server, tool, sent])).toEqual([
    ['notes', 'search', { connection: 'notes-connection', seq: 1 }],
    ['mail', 'send', { connection: 'mail-connection', seq: 1 }],
  ]);
  expect(turn.calls.map((one) => callState(one, turn))).toEqual(['done', 'done']);
  expect(ofType(events, 'tools')[0]!.tools.map(({ name }) => name)).toEqual([
    'notes__search',
    'mail__search',
    'mail__send',
  ]);
  const tokens = ofType(events, 'request').at(-1)!.tokens;
  expect(tokens.map(({ part, name }) => name ?? part)).toEqual([
    'notes__search',
    'mail__search',
    'mail__send',
    'history',
    'results',
  ]);
  expect(chat.state.roots).toHaveLength(1);
});

test('calls of one answer run side by side, and their results are in its order', async () => {
  const order: string[] = [];
  let release = () => {};
  const slow = memoryServer('s', {
    first: () =>
      new Promise((resolve) => {
        release = () => {
          order.push('first');
          resolve({ parts: [], isError: false, structured: { a: 1 } });
        };
      }),
    second: () => {
      order.push('second');
      release();
      return 'two';
    },
  });
  const { chat, ask } = memoryChat({
    servers: [slow],
    model: model([call('a', 'first'), call('b', 'second'), end('calls')], [say('ok'), end()]),
  });
  const turn = await ask('go');
  expect(order).toEqual(['second', 'first']);
  expect(turn.calls.map(({ result }) => result!.parts)).toEqual([
    [{ type: 'text', text: '{"a":1}' }],
    [{ type: 'text', text: 'two' }],
  ]);
  expect(chat.state.leafFrom()).toBe(turn.id);
});

test('unknown tools and invalid arguments come back to the model, and bad arguments are sent', async () => {
  const server = memoryServer(
    'one',
    { echo: ({ text }) => `got ${text}` },
    {
      echo: { inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
    },
  );
  const { ask, events } = memoryChat({
    servers: [server],
    model: model(
      [
        call('a', 'ghost'),
        call('b', 'echo', '{"text":'),
        call('c', 'echo', '{"text":1}'),
        call('d', 'echo', '[]'),
        end('calls'),
      ],
      [say('ok'), end()],
    ),
  });
  const turn = await ask('go');
  expect(turn.calls.map(({ faults, by, decision }) => [faults[0]?.code, by, decision?.kind])).toEqual([
    ['unknown-tool', 'loop', 'refuse'],
    ['invalid-json', 'loop', 'refuse'],
    ['bad-arguments', 'rule', 'run'],
    ['invalid-json', 'loop', 'refuse'],
  ]);
  expect(turn.calls[0]!.result).toMatchObject({
    isError: true,
    parts: [{ text: 'The call was refused: The tool "ghost" is unknown. The tools are: echo.' }],
  });
  expect(turn.calls[2]).toMatchObject({
    faults: [{ message: "The arguments don't fit the schema: text is a number, expected a string." }],
    result: { isError: false },
  });
  expect(ofType(events, 'sent')).toHaveLength(1);
});

test('calls get ids of their own if the model repeats or leaves out ids', async () => {
  const { ask } = memoryChat({
    servers: [echo],
    model: model(
      [call('', 'echo'), call('', 'echo'), call('x', 'echo'), end('calls')],
      [call('x', 'echo'), end('calls')],
      [say('ok'), end()],
    ),
  });
  const turn = await ask('go');
  expect(turn.calls.map((one) => one.call.id)).toEqual(['call-1', 'call-2', 'x', 'x-1']);
});

describe('a decision', () => {
  const rules = [
    { when: { text: 'go' }, call: { tool: 'echo', arguments: { text: 'hi' } } },
    { when: { tool: 'echo' }, say: 'got {{result}}' },
  ];
  const ask = { settings: { allow: { mode: 'ask' as const } }, servers: [echo], rules };

  test.each([
    ['runs the call', { kind: 'run' }, 'done', 'got hi'],
    ['answers in its place', { kind: 'answer', text: 'made up' }, 'answered', 'got made up'],
    ['refuses it', { kind: 'refuse' }, 'refused', 'got The user refused this call.'],
    ['refuses it with a reason', { kind: 'refuse', reason: 'not now' }, 'refused', 'got The call was refused: not now'],
  ] as const)('%s', async (_, decision, state, text) => {
    const { ask: say, events } = memoryChat({ ...ask, decide: async () => decision });
    const turn = await say('go');
    expect([callState(turn.calls[0]!, turn), writtenText(turn)]).toEqual([state, text]);
    expect(ofType(events, 'ask')).toHaveLength(1);
    expect(ofType(events, 'decision')[0]!.by).toBe('person');
  });

  test('that no person made is a rule', async () => {
    const { ask: say, events } = memoryChat({ ...ask, decide: async () => ({ kind: 'run', by: 'rule' }) });
    await say('go');
    expect(ofType(events, 'decision')[0]).toMatchObject({ decision: { kind: 'run' }, by: 'rule' });
    expect(ofType(events, 'decision')[0]!.decision).toEqual({ kind: 'run' });
  });

  test('is a refusal where nobody can be asked', async () => {
    const { ask: say } = memoryChat(ask);
    expect(writtenText(await say('go'))).toBe('got The call was refused: The tool echo is not allowed.');
  });

  test('takes no time of the answer, nor does a question of the server', async () => {
    const waits = memoryServer('w', {
      wait: async (_, { onWaiting }) => {
        onWaiting!(true);
        await pass(1000);
        onWaiting!(false);
        return 'done';
      },
    });
    let pass = async (_: number) => {};
    const { ask: say, clock } = memoryChat({
      servers: [waits],
      model: model([call('a', 'wait'), end('calls')], [say2('fine'), end()]),
      settings: { allow: { mode: 'ask' }, limits: { calls: 5, outputTokens: 5, seconds: 10, resultChars: 10 } },
      decide: async () => {
        await pass(1000);
        return { kind: 'run' };
      },
    });
    pass = async (seconds) => clock.advance(seconds * 1000);
    expect((await say('go')).end).toMatchObject({ reason: 'stop' });
  });
  const say2 = say;

  test('is a rule for read-only tools and for tools by name', async () => {
    const server = memoryServer(
      's',
      { read: () => 'r', write: () => 'w', other: () => 'o' },
      { read: { annotations: { readOnlyHint: true } } },
    );
    const { ask: say, events } = memoryChat({
      servers: [server],
      model: model([call('a', 'read'), call('b', 'write'), call('c', 'other'), end('calls')], [say2('ok'), end()]),
      settings: { allow: { mode: 'read-only', written: ['other'] } },
    });
    await say('go');
    expect(ofType(events, 'decision').map(({ decision, by }) => [decision.kind, by])).toEqual([
      ['run', 'rule'],
      ['refuse', 'rule'],
      ['run', 'rule'],
    ]);
  });
});

describe('a tool that', () => {
  test('fails leaves the chat usable', async () => {
    const { ask } = memoryChat({
      servers: [echo],
      model: model([call('a', 'fail'), end('calls')], [say('ok'), end()]),
    });
    const turn = await ask('go');
    expect(turn.calls[0]!.result).toMatchObject({ isError: true, parts: [{ text: 'The call failed: gone' }] });
    expect(turn.end!.reason).toBe('stop');
  });

  test('returns 10 MB is cut, and the model learns so', async () => {
    const big = memoryServer('big', { dump: () => 'x'.repeat(10_000_000) });
    const { ask, events } = memoryChat({
      servers: [big],
      model: model([call('a', 'dump'), end('calls')], [say('ok'), end()]),
    });
    const turn = await ask('go');
    expect(turn.calls[0]!.cutFrom).toBe(10_000_000);
    const [kept, note] = turn.calls[0]!.result!.parts;
    expect(kept).toMatchObject({ text: 'x'.repeat(100_000) });
    expect(note).toMatchObject({ text: expect.stringContaining('10000000 characters') });
    expect(JSON.stringify(events).length).toBeLessThan(300_000);
  });

  test('hangs ends with the time of the answer', async () => {
    const hangs = memoryServer('h', { hang: () => new Promise(() => {}) });
    const { ask, clock, chat } = memoryChat({
      servers: [hangs],
      model: model([call('a', 'hang'), end('calls')], [say('ok'), end()]),
    });
    const answering = ask('go');
    await clock.pass(301_000);
    const turn = await answering;
    expect(turn.end).toMatchObject({
      reason: 'limit',
      failure: { code: 'too-slow', message: 'The answer took longer than 300 seconds.' },
    });
    expect(callState(turn.calls[0]!, turn)).toBe('stopped');
    expect(clock.waiting).toBe(0);
    expect((await ask('again', turn.id)).end!.reason).toBe('stop');
    expect(chat.state.pathTo(chat.state.leafFrom())).toHaveLength(4);
  });
});

describe('a failed request', () => {
  const overloaded = (more = {}) =>
    async function* (): AsyncGenerator<ModelEvent> {
      yield say('half');
      throw new ModelError('overloaded', 'The model is overloaded.', 'Try again later.', {
        retry: true,
        status: 529,
        body: 'busy',
        ...more,
      });
    };

  test('is sent again with growing waits, visibly, and its text is dropped', async () => {
    const { ask, clock, events, chat } = memoryChat({
      model: model(overloaded(), overloaded({ retryAfterMs: 7000 }), [say('whole'), end()]),
    });
    const answering = ask('go');
    await clock.pass(10_000);
    const turn = await answering;
    expect(writtenText(turn)).toBe('whole');
    expect(turn.requests[0]!.retries.map(({ attempt, waitMs, failure }) => [attempt, waitMs, failure.code])).toEqual([
      [2, 1000, 'overloaded'],
      [3, 7000, 'overloaded'],
    ]);
    expect(ofType(events, 'response').map(({ reason, body, status }) => [reason, body, status])).toEqual([
      ['error', 'busy', 529],
      ['error', 'busy', 529],
      ['stop', '', undefined],
    ]);
    expect(chat.state.turns.size).toBe(2);
  });

  test('is sent again five times at most', async () => {
    const { ask, clock, events } = memoryChat({ model: model(overloaded()) });
    const answering = ask('go');
    await clock.pass(100_000);
    expect((await answering).end).toMatchObject({ reason: 'error', failure: { code: 'overloaded' } });
    expect(ofType(events, 'retry').map(({ waitMs }) => waitMs)).toEqual([1000, 2000, 4000, 8000, 16_000]);
  });

  test('is not sent again if the provider asks to wait longer than the answer may take', async () => {
    const { ask } = memoryChat({ model: model(overloaded({ retryAfterMs: 3_600_000 })) });
    const turn = await ask('go');
    expect(turn.end!.failure!.advice).toBe('Try again in 3600 seconds, or raise the time limit.');
  });

  test('without a reason to try again ends the answer', async () => {
    const { ask, events } = memoryChat({ rules: [{ say: 'never', fail: 'unauthorized' }] });
    const turn = await ask('go');
    expect(turn.end).toMatchObject({
      reason: 'error',
      failure: { code: 'unauthorized', advice: 'Enter another key.' },
    });
    expect(ofType(events, 'retry')).toEqual([]);
  });

  test('of a model with a bug is a failure, too', async () => {
    const { ask } = memoryChat({
      model: {
        id: 'x',
        toolMode: 'native',
        ask: () => {
          throw new TypeError('oops');
        },
      },
    });
    expect((await ask('go')).end).toMatchObject({
      reason: 'error',
      failure: { code: 'model-failed', message: 'The model failed: oops' },
    });
  });

  test('that ends without an end is broken off, and sent again', async () => {
    const { ask, clock } = memoryChat({ model: model([say('a')], [say('b'), end()]) });
    const answering = ask('go');
    await clock.pass(2000);
    expect(writtenText(await answering)).toBe('b');
  });
});

describe('cancelling', () => {
  test.each([
    [
      'while the model hangs',
      model(async function* () {
        yield say('so far');
        await new Promise(() => {});
      }),
    ],
    ['while a tool hangs', model([say('so far'), call('a', 'hang'), end('calls')])],
    [
      'while a retry waits',
      model([say('so far'), call('a', 'echo'), end('calls')], async function* () {
        yield* [] as ModelEvent[];
        throw new ModelError('overloaded', 'm', 'a', { retry: true });
      }),
    ],
  ])('%s ends the answer and keeps what was said', async (_, slow) => {
    const hangs = memoryServer('h', { hang: () => new Promise(() => {}), echo: () => 'x' });
    const { ask, clock, chat } = memoryChat({ servers: [hangs], model: slow });
    const stop = new AbortController();
    const answering = ask('go', undefined, stop.signal);
    await clock.pass(1);
    stop.abort();
    const turn = await answering;
    expect(turn.end).toMatchObject({ reason: 'cancelled' });
    expect(writtenText(turn)).toBe('so far');
    expect(clock.waiting).toBe(0);
    expect(chat.state.calls.size === 0 || chat.state.calls.get('a')!.result !== undefined).toBe(true);
  });

  test('while a decision is awaited frees the chat', async () => {
    expect((await cancelledDecision(1)).end!.reason).toBe('cancelled');
  });

  test('before it began asks nothing', async () => {
    const { ask, events } = memoryChat({ model: model([say('x'), end()]) });
    expect((await ask('go', undefined, AbortSignal.abort())).end!.reason).toBe('cancelled');
    expect(ofType(events, 'text')).toEqual([]);
  });
});

test('a model that calls without end is stopped, and each call has a result', async () => {
  const { ask } = memoryChat({
    servers: [echo],
    model: model([call('a', 'echo'), call('b', 'echo'), end('calls')]),
    settings: { limits: { calls: 3, outputTokens: 9, seconds: 9, resultChars: 9 } },
  });
  const turn = await ask('go');
  expect(turn.end).toMatchObject({ reason: 'limit', failure: { code: 'too-many-calls' } });
  expect(turn.calls.map((one) => callState(one, turn))).toEqual(['done', 'done', 'done', 'refused']);
});

test('attack: a model that writes without end is stopped', async () => {
  const { ask } = memoryChat({
    model: model(async function* () {
      for (;;) yield say('x'.repeat(100_000));
    }),
  });
  expect((await ask('go')).end).toMatchObject({ reason: 'error', failure: { code: 'answer-too-long' } });
  const { ask: askAgain } = memoryChat({
    model: model(async function* () {
      for (let id = 0; ; id++) yield call(`${id}`, 'ghost');
    }),
  });
  expect((await askAgain('go')).end).toMatchObject({ reason: 'error', failure: { code: 'answer-too-long' } });
});

test('a server that is gone or does not list its tools ends the answer with its name', async () => {
  const gone = memoryChat({ rules: [{ say: 'x' }], settings: { servers: ['ghost'] } });
  expect((await gone.ask('go')).end!.failure!.message).toBe('The server ghost is not connected.');
  const mute = { ...echo, tools: () => Promise.reject(new Error('closed.')) };
  const failing = memoryChat({ rules: [{ say: 'x' }], servers: [mute] });
  expect((await failing.ask('go')).end!.failure!.message).toBe('Could not list the tools of one: closed.');
});

test('a model that can not be used ends the answer', async () => {
  const { chat, ask } = memoryChat({ rules: [] });
  expect(chat.state.settings).toBeDefined();
  const turn = await ask('hello there');
  expect(writtenText(turn)).toBe('No rule of the script matches "hello there".');
});

test('the text of a fast model is gathered into few events', async () => {
  const { ask, events } = memoryChat({ rules: [{ say: 'x'.repeat(1000), pieces: 1 }] });
  const turn = await ask('go');
  expect(writtenText(turn)).toHaveLength(1000);
  expect(ofType(events, 'text').length).toBeLessThan(5);
});

test('attack: a tool that always runs allows no tool of that name of another server', () => {
  const [mine] = offerTools([memory('mine')]);
  const [other] = offerTools([memory('other')]);
  expect([mine!.name, other!.name]).toEqual(['get', 'get']);
  const allow = { mode: 'ask', tools: [qualifiedName(mine!)] } as const;
  expect(isCallAllowed(mine!, allow, [mine!])).toBe(true);
  expect(isCallAllowed(other!, allow, [other!])).toBe(false);
  const both = offerTools([memory('mine'), memory('other')]);
  expect(both.map((tool) => isCallAllowed(tool, allow, both))).toEqual([true, false]);
});

const memory = (server: string) => ({ server, tools: [{ name: 'get', inputSchema: {} }] });

test('nothing is allowed that the settings do not name', () => {
  const tool = { name: 's__get', server: 's', tool: 'get', inputSchema: {}, readOnly: false };
  const allowed = (one: typeof tool, allow: Parameters<typeof isCallAllowed>[1]) => isCallAllowed(one, allow, [one]);
  expect(allowed(tool, undefined)).toBe(false);
  expect(allowed(tool, { mode: 'ask', tools: ['s__ge', ''] })).toBe(false);
  expect(allowed(tool, { mode: 'read-only' })).toBe(false);
  expect(allowed({ ...tool, readOnly: true }, { mode: 'read-only' })).toBe(true);
  expect(allowed(tool, { mode: 'ask', tools: ['s__get'] })).toBe(true);
  expect(allowed(tool, { mode: 'ask', tools: ['get'] })).toBe(false);
  expect(allowed(tool, { mode: 'ask', written: ['get'] })).toBe(true);
});

test('a call without arguments reaches its server as an empty object', async () => {
  const texts: (string | undefined)[] = [];
  const ask = memoryServer('s', { ask: (_, { text }) => `${texts.push(text)}` });
  const { ask: say2 } = memoryChat({
    servers: [ask],
    model: model(
      [call('a', 'ask', ''), call('b', 'ask', ' '), call('c', 'ask', '{"n": 1.0}'), end('calls')],
      [say('ok'), end()],
    ),
  });
  await say2('go');
  expect(texts).toEqual(['{}', '{}', '{"n": 1.0}']);
});

test('attack: a tool with the name of an allowed one at another server does not run', async () => {
  const ran: string[] = [];
  const server = (name: string, tool: string) => memoryServer(name, { [tool]: () => `${ran.push(name)}` });
  for (const allow of [{ tools: ['safe__delete'] }, { written: ['safe__delete'] }]) {
    const { ask } = memoryChat({
      servers: [server('evil', 'safe__delete'), server('safe', 'delete')],
      model: model([call('a', 'evil__safe__delete'), call('b', 'safe__delete'), end('calls')], [say('ok'), end()]),
      settings: { allow: { mode: 'ask', ...allow } },
    });
    const turn = await ask('go');
    expect(turn.calls.map((one) => callState(one, turn))).toEqual(['refused', 'done']);
  }
  expect(ran).toEqual(['safe', 'safe']);
});

test('very many calls side by side bring no warning about listeners', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on('warning', onWarning);
  const calls = Array.from({ length: 30 }, (_, id) => call(`${id}`, 'wait'));
  const server = memoryServer('s', {
    wait: (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {});
        setTimeout(() => resolve('x'));
      }),
  });
  const { ask } = memoryChat({
    servers: [server],
    model: model([...calls, end('calls')], [say('ok'), end()]),
    settings: { limits: { calls: 50, outputTokens: 9, seconds: 9, resultChars: 9 } },
  });
  expect((await ask('go')).calls.map(({ result }) => result!.isError)).toEqual(new Array(30).fill(false));
  // Warnings come in a later turn.
  await new Promise((resolve) => setTimeout(resolve));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

test('a call that was given up adds nothing later, and leaves no timer', async () => {
  let late = () => {};
  const server = memoryServer('s', {
    wait: (_, { onSent, onWaiting }) =>
      new Promise(() => {
        late = () => {
          onSent(99);
          onWaiting!(false);
        };
      }),
  });
  const stop = new AbortController();
  const { ask, events, clock } = memoryChat({ servers: [server], model: model([call('a', 'wait'), end('calls')]) });
  const answering = ask('go', undefined, stop.signal);
  await clock.pass(1);
  stop.abort();
  await answering;
  const count = events.length;
  late();
  expect([events.length, clock.waiting]).toEqual([count, 0]);
});

test('a person may change the arguments of a call, and the model learns it', async () => {
  const server = memoryServer('one', { echo: ({ text }) => `got ${text}` });
  const asked: string[] = [];
  const { ask, events } = memoryChat({
    servers: [server],
    settings: { allow: { mode: 'ask' } },
    decide: async ({ part: { id } }) => ({ kind: 'run', arguments: id === 'a' ? '{"text":"mine"}' : '[1]' }),
    model: {
      id: 'test:model',
      toolMode: 'native',
      async *ask({ messages }) {
        asked.push(JSON.stringify(messages));
        if (asked.length === 1) yield* [call('a', 'echo', '{"text":"its"}'), call('b', 'echo'), end('calls')];
        else yield* [say('ok'), end()];
      },
    },
  });
  const { calls } = await ask('go');
  expect(calls.map(({ result }) => result!.parts)).toEqual([
    [{ type: 'text', text: 'got mine' }],
    [{ type: 'text', text: 'The call failed: The arguments must be one JSON object.' }],
  ]);
  expect(JSON.parse(asked[1]!).at(-1).parts[0].parts).toEqual([
    { type: 'text', text: 'The user changed the arguments of this call to {"text":"mine"}' },
    { type: 'text', text: 'got mine' },
  ]);
  expect(ofType(events, 'decision')[0]!.decision).toEqual({ kind: 'run', arguments: '{"text":"mine"}' });
});

test('an answer whose requests take too many tokens is stopped before its calls run', async () => {
  const ran: string[] = [];
  const server = memoryServer('s', { go: () => `${ran.push('go')}` });
  const counted = (inputTokens: number): ModelEvent => ({
    type: 'end',
    reason: 'calls',
    body: '',
    usage: { inputTokens, outputTokens: 1 },
  });
  const { ask } = memoryChat({
    servers: [server],
    model: model([call('a', 'go'), counted(50)], [call('b', 'go'), counted(60)]),
    settings: { limits: { ...USUAL_LIMITS, tokensPerAnswer: 100 } },
  });
  const turn = await ask('go');
  expect(turn.end).toMatchObject({ reason: 'limit', failure: { code: 'too-many-tokens' } });
  expect(ran).toHaveLength(1);
  expect(turn.calls.map((one) => callState(one, turn))).toEqual(['done', 'stopped']);
});

test('tokens that no provider counted are estimated', async () => {
  const { ask } = memoryChat({
    servers: [echo],
    model: model([call('a', 'echo', JSON.stringify({ text: 'word '.repeat(400) })), end('calls')]),
    settings: { limits: { ...USUAL_LIMITS, tokensPerAnswer: 300 } },
  });
  expect((await ask('go')).end).toMatchObject({ failure: { code: 'too-many-tokens' } });
});

test('a call that is cancelled while it waits for a decision is stopped, and took no time', async () => {
  const turn = await cancelledDecision(5000);
  expect(turn.calls[0]).toMatchObject({ stopped: true, milliseconds: 0 });
  expect(callState(turn.calls[0]!, turn)).toBe('stopped');
});

/** Cancels an answer whose call has waited this long for a decision. */
async function cancelledDecision(milliseconds: number) {
  const stop = new AbortController();
  const { ask, clock } = memoryChat({
    servers: [echo],
    model: model([call('a', 'echo'), end('calls')]),
    settings: { allow: { mode: 'ask' } },
    decide: () => new Promise(() => {}),
  });
  const answering = ask('go', undefined, stop.signal);
  await clock.pass(milliseconds);
  stop.abort();
  return answering;
}
