import { expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import type { ChatMessage, OfferedTool } from './chat-frame';
import { writtenText } from './chat-state';
import type { ModelEvent } from './model';
import { readScript, ScriptError } from './script';
import { scriptedModel } from './scripted-model';
import { memoryChat, memoryServer, unbounded } from './test-chat';

const tool = (server: string, name: string): OfferedTool => ({
  name: `${server}__${name}`,
  server,
  tool: name,
  inputSchema: { type: 'object' },
  readOnly: false,
});
const tools = [tool('notes', 'search'), tool('web', 'search'), tool('web', 'get')];
const user = (text: string): ChatMessage => ({ role: 'user', parts: [{ type: 'text', text }] });
const result = (name: string, text: string, isError = false): ChatMessage => ({
  role: 'tool',
  parts: [{ type: 'result', id: name, name, parts: [{ type: 'text', text }], isError }],
});

async function ask(rules: readonly object[], ...messages: readonly ChatMessage[]) {
  return askWith(tools, rules, ...messages);
}

async function askWith(tools: readonly OfferedTool[], rules: readonly object[], ...messages: readonly ChatMessage[]) {
  const model = scriptedModel('scripted:test', readScript({ rules }), { within: unbounded, clock: new FakeClock() });
  const events: ModelEvent[] = [];
  for await (const event of model.ask({ messages, tools, outputTokens: 9 }, new AbortController().signal))
    events.push(event);
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  const calls = events.flatMap((event) => (event.type === 'call' ? [[event.call.name, event.call.arguments]] : []));
  return { events, text, calls };
}

test('the first rule whose conditions all hold answers', async () => {
  const rules = [
    { when: { text: 'tea', turn: 2 }, say: 'tea again' },
    { when: { text: 'TEA' }, say: 'tea' },
    { when: { matches: '^(\\d+) \\+ (\\d+)$' }, say: '{{1}} and {{2}}' },
    { say: 'anything' },
  ];
  expect((await ask(rules, user('Some tea'))).text).toBe('tea');
  expect((await ask(rules, user('Some tea'), user('more tea'))).text).toBe('tea again');
  expect((await ask(rules, user('1 + 2'))).text).toBe('1 and 2');
  expect((await ask(rules, user('?'))).text).toBe('anything');
});

test('conditions on a result make a rule apply after calls only', async () => {
  const rules = [
    { when: { error: true }, say: 'failed' },
    { when: { server: 'notes' }, say: 'note {{result}}' },
    { when: { tool: 'get', resultMatches: 'id=(\\d+)' }, say: 'page {{1}}' },
    { when: { tool: 'web__search', result: 'tea' }, say: 'found' },
    { when: { text: 'go' }, say: 'first' },
  ];
  const after = (...results: ChatMessage[]) => ask(rules, user('go'), ...results);
  expect((await after()).text).toBe('first');
  expect((await after(result('web__get', 'x', true))).text).toBe('failed');
  expect((await after(result('notes__search', 'n'))).text).toBe('note n');
  expect((await after(result('web__get', 'id=42'))).text).toBe('page 42');
  expect((await after(result('web__search', 'Tea!'))).text).toBe('found');
  expect((await after(result('web__search', 'no'))).text).toBe(
    'No rule of the script matches the result of "web__search".',
  );
});

test('a call may use the name of the server or of the model, and templates keep types', async () => {
  const rules = [
    {
      when: { text: 'go' },
      call: [
        { tool: 'search', server: 'web' },
        { tool: 'web__get', arguments: { a: ['{{text}}!'] } },
        { tool: 'ghost', arguments: '{"raw' },
      ],
    },
    {
      when: { tool: 'search' },
      call: {
        tool: 'get',
        arguments: {
          id: '{{result.items.1.id}}',
          all: '{{results.search.items}}',
          what: '{{nothing}} {{result.items.0}}',
        },
      },
    },
  ];
  expect((await ask(rules, user('go'))).calls).toEqual([
    ['web__search', '{}'],
    ['web__get', '{"a":["go!"]}'],
    ['ghost', '{"raw'],
  ]);
  const items = JSON.stringify({ items: [{ id: 1 }, { id: 2 }] });
  expect((await ask(rules, user('go'), result('web__search', items))).calls).toEqual([
    ['web__get', '{"id":2,"all":[{"id":1},{"id":2}],"what":"{{nothing}} {\\"id\\":1}"}'],
  ]);
});

test('a group of a pattern becomes the number or boolean that the schema wants', async () => {
  const properties = { n: { type: 'integer' }, x: { type: 'number' }, on: { type: 'boolean' }, id: { type: 'string' } };
  const counting: OfferedTool = { ...tool('web', 'count'), inputSchema: { type: 'object', properties } };
  const args = { n: '{{n}}', x: '{{x}}', on: '{{on}}', id: '{{n}}', other: '{{n}}', constructor: '{{n}}' };
  const matches = '^(?<n>\\S+) (?<x>\\S+) (?<on>\\S+)$';
  const rules = [{ when: { matches }, call: { tool: 'count', arguments: args } }];
  const called = async (text: string) => (await askWith([counting], rules, user(text))).calls[0]![1];
  expect(await called('3 -1.5 true')).toBe('{"n":3,"x":-1.5,"on":true,"id":"3","other":"3","constructor":"3"}');
  expect(await called('2.5 many yes')).toContain('"n":"2.5","x":"many","on":"yes"');
});

test('an answer can come in pieces, slowly, with reasoning, tokens and a reason to stop', async () => {
  const { events } = await ask(
    [{ think: 'hm', say: 'hello', pieces: 2, stop: 'length', usage: { inputTokens: 3 } }],
    user('x'),
  );
  expect(events.slice(1)).toEqual([
    { type: 'reasoning', text: 'hm' },
    ...['he', 'll', 'o'].map((text) => ({ type: 'text', text })),
    { type: 'end', reason: 'length', usage: { inputTokens: 3 }, body: '{"rule":1,"say":"hello","stop":"length"}' },
  ]);
  const { ask: chat, clock } = memoryChat({ rules: [{ say: 'abc', pieces: 1, delay: 100 }] });
  const answering = chat('x');
  await clock.pass(250);
  await clock.pass(60);
  expect(writtenText(await answering)).toBe('abc');
});

test.each([
  ['overloaded', 'retry'],
  ['rate-limited', 'retry'],
  ['server-error', 'retry'],
  ['unreachable', 'retry'],
  ['broken-stream', 'retry'],
  ['unauthorized', 'end'],
  ['bad-request', 'end'],
] as const)('a request can fail as %s, and then go on', async (kind, next) => {
  const { ask: chat, clock, events } = memoryChat({ rules: [{ say: 'whole', fail: { kind, times: 1 } }] });
  const answering = chat('x');
  await clock.pass(5000);
  const turn = await answering;
  expect(events.some(({ type }) => type === 'retry')).toBe(next === 'retry');
  expect(turn.end).toMatchObject(next === 'retry' ? { reason: 'stop' } : { reason: 'error', failure: { code: kind } });
  expect(events.some((event) => event.type === 'text' && event.text === 'who')).toBe(kind === 'broken-stream');
});

test('a failure counts again for the next chat with the same request', async () => {
  const model = scriptedModel(
    'scripted:test',
    readScript({ rules: [{ say: 'ok', fail: { kind: 'overloaded', times: 2 } }] }),
    { within: unbounded },
  );
  for (let time = 0; time < 3; time++) {
    const { ask: chat, clock, events } = memoryChat({ model });
    const answering = chat('x');
    await clock.pass(10_000);
    expect(writtenText(await answering)).toBe('ok');
    expect(events.filter(({ type }) => type === 'retry')).toHaveLength(2);
  }
});

test('a model that hangs ends when it is cancelled', async () => {
  const { ask: chat, clock } = memoryChat({ rules: [{ fail: 'hang' }] });
  const stop = new AbortController();
  const answering = chat('x', undefined, stop.signal);
  await clock.pass(1);
  stop.abort();
  expect((await answering).end!.reason).toBe('cancelled');
});

test.each([
  [null, 'The script is not valid, expected an object.'],
  [{}, 'The script has no list "rules".'],
  [{ rules: [{ say: 'x' }, 7] }, 'rules[1] is not valid, expected an object.'],
  [{ rules: [{}] }, 'rules[0] does nothing: it needs "say", "call", "fail" or "stop".'],
  [
    { rules: [{ says: 'x' }] },
    'rules[0] has an unknown member "says". Known are name, when, think, say, call, fail, pieces, delay, stop, usage.',
  ],
  [{ rules: [{ say: 1 }] }, 'rules[0].say is not valid, expected text.'],
  [
    { rules: [{ say: 'x', when: { matches: '(' } }] },
    'rules[0].when.matches is not a valid pattern: Invalid regular expression: /(/i: Unterminated group.',
  ],
  [
    { rules: [{ say: 'x', when: { turn: 0 } }] },
    'rules[0].when.turn is not valid, expected a whole number of at least 1.',
  ],
  [{ rules: [{ call: [{ tool: 'a' }, { arguments: {} }] }] }, 'rules[0].call[1].tool is missing.'],
  [
    { rules: [{ call: { tool: 'a', arguments: [] } }] },
    'rules[0].call.arguments is not valid, expected an object, or text to send as it is.',
  ],
  [
    { rules: [{ fail: 'often' }] },
    'rules[0].fail is not valid, expected one of unauthorized, rate-limited, overloaded, server-error, unreachable, broken-stream, bad-request, hang.',
  ],
  [{ rules: [{ stop: 'calls' }] }, 'rules[0].stop is not valid, expected one of stop, length, refusal.'],
  [{ rules: new Array(1001).fill({ say: 'x' }) }, 'The script has more than 1000 rules.'],
])('attack: a bad script is one clear error', (script, message) => {
  expect(() => readScript(script)).toThrow(new ScriptError(message));
});

test('rules are about tools and results also where tools are described in the system prompt', async () => {
  const rules = [
    { when: { tool: 'get', result: 'page' }, say: 'It said: {{result}}' },
    { when: { text: 'go' }, say: 'I look.', call: { tool: 'get', arguments: { url: 'a' } } },
  ];
  const server = memoryServer('web', { get: ({ url }) => `page ${url}` });
  const { ask: say, events } = memoryChat({ rules, servers: [server], settings: { toolMode: 'described' } });
  const answer = await say('go');
  expect(answer.calls).toMatchObject([{ server: 'web', tool: 'get', call: { name: 'get', arguments: '{"url":"a"}' } }]);
  const texts = events.flatMap((event) => (event.type === 'response' ? [event.message.parts] : []));
  expect(texts.at(-1)).toEqual([{ type: 'text', text: 'It said: page a' }]);
  expect(texts[0]![0]).toEqual({ type: 'text', text: 'I look.\n' });
  const requests = events.filter((event) => event.type === 'request').map((event) => JSON.stringify(event));
  expect(requests.join()).toContain('You can call these tools');
  expect(requests.join()).not.toContain('undescribed');
});
