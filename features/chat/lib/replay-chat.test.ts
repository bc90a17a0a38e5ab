import { expect, test } from 'vitest';
import type { ChatEvent } from './chat-frame';
import { writtenText } from './chat-state';
import { chatFrame, chatStateOf } from './event-frames';
import type { ModelTool } from './model';
import { type ReplayOptions, recordedServers, replayChat } from './replay-chat';
import { memoryChat, memoryServer } from './test-chat';
import { EARLIER_NAMING } from './tool-names';

const weather = (more: Partial<ModelTool> = {}, answer = 'rain') =>
  memoryServer('weather', { get: () => answer }, { get: { description: 'Gets the weather.', ...more } });

async function record(naming?: string) {
  const { ask, events } = memoryChat({
    servers: [weather()],
    settings: {
      allow: { mode: 'ask' },
      baseUrl: 'http://127.0.0.1:9/of-the-recording',
      ...(naming !== undefined && { naming }),
    },
    decide: async ({ part }) => (part.arguments.includes('Oslo') ? { kind: 'run' } : { kind: 'answer', text: 'sun' }),
    rules: [
      {
        when: { matches: 'in (?<city>\\w+)' },
        say: 'Let me look. ',
        call: { tool: 'get', arguments: { city: '{{city}}' } },
        usage: { inputTokens: 5 },
      },
      { when: { tool: 'get' }, say: 'There is {{result}}.' },
    ],
  });
  await ask('And in Rome?', (await ask('How is it in Oslo?')).id);
  return events;
}

const stateOf = (events: readonly ChatEvent[]) =>
  chatStateOf(events.map((event, at) => ({ ...chatFrame(event), seq: at + 1 })));

async function replay(options: Partial<ReplayOptions> = {}, before?: readonly ChatEvent[]) {
  const recorded = stateOf(before ?? (await record()));
  const events: ChatEvent[] = [];
  const played = await replayChat(
    recorded,
    { write: (event) => events.push(event), ...options },
    new AbortController().signal,
  );
  const texts = [...played.chat.state.turns.values()].map((turn) => (turn.kind === 'user' ? '' : writtenText(turn)));
  return { ...played, texts: texts.filter((text) => text !== ''), events };
}
const said = ['Let me look. \n\nThere is rain.', 'Let me look. \n\nThere is sun.'];

test('a recorded chat runs again without a model or a server, and nothing differs', async () => {
  const { texts, differences, chat } = await replay();
  expect(texts).toEqual(said);
  expect(differences).toEqual([]);
  expect([...chat.state.turns.values()].map(({ settings }) => settings!.model)).toEqual(
    new Array(4).fill('recorded:scripted:test'),
  );
  expect(chat.state.usage).toEqual({});
  expect(chat.state.settings).not.toHaveProperty('baseUrl');
});

test('a chat that was recorded when single servers had a prefix runs again with the same names', async () => {
  const events = (await record(EARLIER_NAMING)).map((event): ChatEvent => {
    if (event.type !== 'settings') return event;
    const { naming: _, ...settings } = event.settings;
    return { ...event, settings };
  });
  for (const servers of [undefined, [weather()]]) {
    const { texts, differences, chat } = await replay(servers && { servers }, events);
    expect(texts).toEqual(said);
    expect(differences).toEqual([]);
    expect(chat.state.tools.map(({ name }) => name)).toEqual(['weather__get']);
  }
});

test('a changed tool description and result show where the model would have seen them', async () => {
  const { texts, differences } = await replay({
    servers: [weather({ description: 'Says how the weather is.' }, 'snow')],
  });
  expect(texts).toEqual(said);
  expect(differences.map(({ part, name, member }) => [part, name, member])).toEqual([
    ['tool', 'get', 'description'],
    ['message', 'tool', undefined],
  ]);
  expect(differences[0]).toMatchObject({ before: 'Gets the weather.', after: 'Says how the weather is.', turn: 't2' });
  expect(differences[1]!.after).toContain('snow');
});

test('new and missing tools show', async () => {
  const { differences } = await replay({ servers: [memoryServer('weather', { other: () => 'x' })] });
  expect(
    differences
      .filter(({ part }) => part === 'tool')
      .map(({ name, before, after }) => [name, before !== undefined, after !== undefined]),
  ).toEqual([
    ['get', true, false],
    ['other', false, true],
  ]);
});

test('a branch is replayed by its last turn, and a chat without turns is empty', async () => {
  expect((await replay({ leaf: 't2' })).texts).toEqual(said.slice(0, 1));
  expect((await replay({ leaf: 'ghost' })).texts).toEqual([]);
});

test('a recorded server gives the result of the same arguments, and again the last one', async () => {
  const [server] = recordedServers(stateOf(await record()), 't4');
  const call = async (tool: string, text: string) => {
    const options = { signal: new AbortController().signal, text, onSent: () => {} };
    return (await server!.callTool(tool, JSON.parse(text), options)).parts;
  };
  expect((await server!.tools()).map(({ name, description }) => [name, description])).toEqual([
    ['get', 'Gets the weather.'],
  ]);
  for (const text of ['{"city":"Oslo"}', '{ "city": "Oslo" }'])
    expect(await call('get', text)).toMatchObject([{ text: 'rain' }]);
  expect(await call('get', '{"city":"Rome"}')).toMatchObject([{ text: 'sun' }]);
  expect(await call('get', '{}')).toMatchObject([{ text: 'The recording has no result of get with these arguments.' }]);
});

test('a call with changed arguments has its recorded result', async () => {
  const { ask, events } = memoryChat({
    servers: [memoryServer('weather', { get: ({ city }) => `rain in ${city}` })],
    settings: { allow: { mode: 'ask' } },
    decide: async () => ({ kind: 'run', arguments: '{"city":"Bergen"}' }),
    rules: [{ when: { tool: 'get' }, say: 'So: {{result}}' }, { call: { tool: 'get', arguments: { city: 'Oslo' } } }],
  });
  await ask('How is it?');
  const recorded = chatStateOf(events.map((event, at) => ({ ...chatFrame(event), seq: at + 1 })));
  const { chat, differences } = await replayChat(recorded, { write: () => 0 }, new AbortController().signal);
  expect(differences).toEqual([]);
  expect([...chat.state.calls.values()].map(({ result }) => result!.parts)).toEqual([
    [{ type: 'text', text: 'rain in Bergen' }],
  ]);
});
