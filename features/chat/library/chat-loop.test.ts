import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '@/features/chat/proxy/command/test-chat-command';
import { testFolder } from '@/proxy/commands/test-folder';
import type { Session } from '@/proxy/library/api';
import { chat, inspect } from '@/proxy/library/library';
import type { AskedCall } from './chat-types';

const folder = testFolder({
  'rules.yaml': `
rules:
  - when: { text: both }
    call:
      - { tool: look_out }
      - { tool: next_high_water, arguments: { port: Stromness, after: '13:00' } }
  - when: { tool: next_high_water }
    say: '{{results.look_out}} {{results.next_high_water}}'
    pieces: 10
  - when: { text: long number }
    call: { tool: echo, arguments: '{"message":"hi","id":12345678901234567890}' }
  - when: { tool: echo }
    say: Done.
  - when: { text: again }
    say: You asked before.
  - when: { text: fail }
    fail: unauthorized
`,
});
const model = `scripted:${join(folder, 'rules.yaml')}`;

/** The same two servers for all tests. */
let servers: { readonly lighthouse: Session; readonly tides: Session };
beforeAll(async () => {
  const node = (script: string) => ({ command: process.execPath, args: [join(ROOT, 'examples', script)] });
  const [lighthouse, tides] = await Promise.all([
    inspect(node('demo-server/server.mjs')),
    inspect(node('eval/tides-server.mjs')),
  ]);
  servers = { lighthouse, tides };
}, 60_000);
afterAll(async () => {
  await Promise.all([servers.lighthouse.close(), servers.tides.close()]);
});

test('lets a model answer with the tools of two servers, and goes on', async () => {
  const pieces: string[] = [];
  const asked: AskedCall[] = [];
  const question = { role: 'user', content: 'Use both.' } as const;
  const answer = await chat({
    model,
    servers,
    messages: [question],
    allow: ['look_out'],
    decide: (call) => {
      asked.push(call);
      return { answer: 'High water is at noon.' };
    },
    onText: (text) => pieces.push(text),
  });
  expect(answer).toMatchObject({
    text: 'Our beam, the sea, and rain. High water is at noon.',
    reason: 'stop',
    calls: [
      { name: 'lighthouse__look_out', server: 'lighthouse', tool: 'look_out', state: 'done' },
      { name: 'tides__next_high_water', state: 'answered', result: 'High water is at noon.', frame: undefined },
    ],
  });
  expect(pieces.join('')).toBe(answer.text);
  expect(pieces.length).toBeGreaterThan(1);
  expect(asked).toMatchObject([
    { server: 'tides', tool: 'next_high_water', arguments: { port: 'Stromness', after: '13:00' }, readOnly: true },
  ]);
  const frame = servers.lighthouse.frames().find(({ seq }) => seq === answer.calls[0]!.frame);
  expect(frame?.json).toMatchObject({ method: 'tools/call', params: { name: 'look_out' } });
  const next = await chat({ model, messages: [...answer.messages, { role: 'user', content: 'And again?' }] });
  expect(next.text).toBe('You asked before.');
  expect(next.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
  ]);
  expect(next.messages.slice(0, 4)).toEqual(answer.messages);
});

test('sends arguments as the model wrote them', async () => {
  const messages = [{ role: 'user', content: 'A long number.' }] as const;
  const { calls } = await chat({ model, servers, messages, allow: ['echo'] });
  const frame = servers.lighthouse.frames().find(({ seq }) => seq === calls[0]!.frame);
  expect(frame?.text).toContain('"arguments":{"message":"hi","id":12345678901234567890}');
});

test('calls nothing unless it is allowed', async () => {
  const { calls } = await chat({ model, servers, messages: [{ role: 'user', content: 'Use both.' }] });
  expect(calls.map(({ state }) => state)).toEqual(['refused', 'refused']);
});

test('resolves with the failure of a model, and rejects wrong options', async () => {
  const failed = await chat({ model, messages: [{ role: 'user', content: 'fail' }] });
  expect(failed).toMatchObject({ reason: 'error', failure: { code: 'unauthorized' }, text: '' });
  const stopped = await chat({ model, messages: [{ role: 'user', content: 'a' }], signal: AbortSignal.abort() });
  expect(stopped.reason).toBe('cancelled');
  const messages = [{ role: 'user', content: 'a' }] as const;
  await expect(chat({ model: 'nobody:x', messages })).rejects.toMatchObject({ code: 'unknown-provider' });
  await expect(chat({ model, messages: [] })).rejects.toMatchObject({ code: 'usage' });
  const late = [{ role: 'assistant', content: 'a' }, ...messages] as const;
  await expect(chat({ model, messages: late })).rejects.toThrow('`messages` must begin with');
});

const VALID = { model, messages: [{ role: 'user', content: 'Use both.' }] };

test.each<[object, string]>([
  [{ ...VALID, mesages: [] }, 'The option `mesages` is unknown: did you mean `messages`?'],
  [{ ...VALID, tools: [] }, 'The option `tools` is unknown: choose from model,'],
  [{ messages: VALID.messages }, '`model` is missing.'],
  [{ ...VALID, modelUrl: 'http://127.0.0.1:9' }, '`modelUrl` is for a provider'],
  [{ ...VALID, limits: { cals: 1 } }, 'The limit `cals` is unknown: did you mean `calls`?'],
  [{ ...VALID, limits: { seconds: 0 } }, '`limits` has no valid `seconds`: give a whole number.'],
  [{ ...VALID, limits: { calls: '5' } }, '`limits` has no valid `calls`'],
  [{ ...VALID, temperature: 3 }, '`temperature` must be a number from 0 to 2.'],
  [{ ...VALID, toolMode: 'none' }, '`toolMode` must be `native` or `described`.'],
  [{ ...VALID, naming: 'x' }, '`naming` must contain {tool}.'],
  [{ ...VALID, allow: 'everything' }, '`allow` must be `read-only`, `all` or a list of names.'],
  [{ ...VALID, allow: ['none'] }, '`allow` names `none`, but no server has this tool'],
  [{ ...VALID, decide: 'run' }, '`decide` must be a function.'],
  [{ ...VALID, signal: {} }, '`signal` must be an AbortSignal.'],
  [{ ...VALID, servers: { a: { command: 'node' } } }, '`servers` must be an object of sessions by name.'],
  [{ ...VALID, messages: [{ role: 'system', content: 'a' }] }, '`messages` has a message, number 1, without a valid'],
  [{ ...VALID, messages: [{ role: 'user', content: [{ type: 'image' }] }] }, 'has a message, number 1'],
])('%j is refused', async (options, sentence) => {
  const answering = chat(options as Parameters<typeof chat>[0]);
  await expect(answering).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(sentence) });
});

test.each([undefined, true, 'yes', { answer: 5 }, { answer: 'a', isError: 'no' }])(
  'a decision that is %j ends the answer, and rejects',
  async (decision) => {
    const answering = chat({
      model,
      servers,
      messages: [{ role: 'user', content: 'Use both.' }],
      decide: () => decision as 'run',
    });
    await expect(answering).rejects.toMatchObject({
      code: 'usage',
      message: '`decide` must return `run`, `refuse` or an object with the text `answer`.',
    });
  },
);
