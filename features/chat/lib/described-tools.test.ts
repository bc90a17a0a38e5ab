import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OfferedTool } from './chat-frame';
import { withDescribedTools } from './described-tools';
import type { ModelEvent, ModelRequest } from './model';
import { memoryChat, memoryServer } from './test-chat';

const tool: OfferedTool = {
  name: 'web__get',
  server: 'web',
  tool: 'get',
  description: 'Gets a page.',
  inputSchema: { type: 'object', properties: { url: { type: 'string' } } },
  readOnly: true,
};
const request: ModelRequest = { messages: [], tools: [tool], outputTokens: 100 };

async function read(pieces: readonly string[], asked = request) {
  let seen: ModelRequest | undefined;
  const model = withDescribedTools({
    id: 'm',
    toolMode: 'native',
    async *ask(given): AsyncGenerator<ModelEvent> {
      seen = given;
      for (const text of pieces) yield { type: 'text', text };
      yield { type: 'end', reason: 'stop', body: '' };
    },
  });
  let text = '';
  const calls: (readonly [string, string])[] = [];
  let reason = '';
  for await (const event of model.ask(asked, new AbortController().signal)) {
    if (event.type === 'text') text += event.text;
    else if (event.type === 'call') calls.push([event.call.name, event.call.arguments]);
    else if (event.type === 'end') reason = event.reason;
  }
  return { text, calls, reason, seen: seen! };
}

const args = { url: 'https://a.example/{"x"}' };
const json = JSON.stringify({ tool: 'web__get', arguments: args });
const called = [['web__get', JSON.stringify(args)]];

test.each([
  ['alone', json, ''],
  ['in a fence', `\`\`\`json\n${json}\n\`\`\``, ''],
  ['between texts', `Let me look.\n${json}\nOne moment.`, 'Let me look.\nOne moment.'],
  ['in a fence between texts', `Let me look.\n\`\`\`\n${json}\n\`\`\`\nOne moment.`, 'Let me look.\nOne moment.'],
  ['in a tag', `<tool_call>\n${json}\n</tool_call>`, ''],
  ['in a list', `[${json}]`, ''],
  ['with other names', JSON.stringify({ name: 'web__get', parameters: args }), ''],
  [
    'as a function',
    JSON.stringify({ type: 'function', function: { name: 'web__get', arguments: JSON.stringify(args) } }),
    '',
  ],
  ['in a list of calls', JSON.stringify({ tool_calls: [{ name: 'web__get', arguments: args }] }), ''],
])('a call %s is found', async (_, answer, text) => {
  for (const pieces of [[answer], [...answer], answer.match(/[\s\S]{1,7}/g)!]) {
    expect(await read(pieces)).toMatchObject({ text, calls: called, reason: 'calls' });
  }
});

test('several calls are found', async () => {
  const { calls, text } = await read([`${json}\n${json}`, `, ${json}`]);
  expect(calls).toHaveLength(3);
  expect(text).toBe('');
});

test.each([
  'Plain text with {braces} and "quotes".',
  'An object {"name": "Ann", "age": 3} of a person.',
  '```js\nfunction f() { return { a: "}" }; }\n```',
  '{"tool": "web__get"',
  'Ends with ```',
  '{"answer": "{\\"tool\\": 1}"}',
  '   ',
])('text stays text: %s', async (answer) => {
  for (const pieces of [[answer], [...answer]])
    expect(await read(pieces)).toMatchObject({ text: answer, calls: [], reason: 'stop' });
});

test('text passes whole, however it is cut', async () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '"',
    '`',
    '```',
    '\n',
    'a',
    ' ',
    '[',
    ',',
    '\\',
    '<tool_call>',
    '{"a":',
    'word',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      expect((await read(pieces)).text).toBe(pieces.join(''));
    }),
    { numRuns: 500 },
  );
});

test('invalid arguments and unknown tools in our form reach the loop', async () => {
  expect((await read(['{"tool": "web__get", "arguments": {"url": nope}}'])).calls).toEqual([
    ['web__get', '{"url": nope}'],
  ]);
  expect((await read(['{"tool": "ghost", "arguments": {}}'])).calls).toEqual([['ghost', '{}']]);
});

test('tools, calls and results reach the model as text', async () => {
  const { seen } = await read([], {
    ...request,
    system: 'Be brief.',
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', parts: [{ type: 'call', id: 'a', name: 'web__get', arguments: '{"url":"u"}' }] },
      {
        role: 'tool',
        parts: [{ type: 'result', id: 'a', name: 'web__get', parts: [{ type: 'text', text: 'page' }], isError: false }],
      },
    ],
  });
  expect(seen.tools).toEqual([]);
  expect(seen.system).toContain('Be brief.\n\nYou can call these tools:\n\nTool web__get: Gets a page.');
  expect(seen.system).toContain('{"tool": "NAME", "arguments": {…}}');
  expect(seen.messages.slice(1)).toEqual([
    { role: 'assistant', parts: [{ type: 'text', text: '{"tool":"web__get","arguments":{"url":"u"}}' }] },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Result of web__get:' },
        { type: 'text', text: 'page' },
      ],
    },
  ]);
  expect((await read([], { ...request, tools: [] })).seen.system).toBeUndefined();
});

test('a chat with described tools runs its calls', async () => {
  const server = memoryServer('web', { get: ({ url }) => `page ${url}` });
  const { ask } = memoryChat({
    servers: [server],
    settings: { toolMode: 'described' },
    rules: [
      { when: { text: 'Result of get' }, say: 'Read it.' },
      { say: 'Looking.\n{"tool": "get", "arguments": {"url": "u"}}', pieces: 3 },
    ],
  });
  const turn = await ask('go');
  expect(turn.calls[0]).toMatchObject({ tool: 'get', result: { parts: [{ text: 'page u' }] } });
  expect(turn.end!.reason).toBe('stop');
  expect(turn.requests).toHaveLength(2);
});

test('attack: long white space before a call costs no quadratic time', async () => {
  const space = `\`\`\`${' '.repeat(500_000)}x\n`;
  expect(await read([`${space}${json}`])).toMatchObject({ text: space, calls: called });
});

test('attack: an object without end is let through, and costs no quadratic time', async () => {
  const { text } = await read(new Array(50_000).fill('{"a": [1, 2, '));
  expect(text).toHaveLength(50_000 * 13);
});

const quoted = '{"tool": "web__get", "arguments": {}}';

test.each([
  `The page contains this line: ${quoted} which looks odd.`,
  `The page ends with ${quoted}`,
  `${quoted} is a line of the page.`,
  `${quoted} ${quoted} are two of its lines.`,
  `${quoted} {"a": 1}`,
  `- ${quoted}`,
  `> ${quoted}\nis a line.`,
  `It has \`\`\`${quoted}\`\`\` in it.`,
  `It has <tool_call>${quoted}</tool_call>`,
])('attack: a quoted call is not run: %s', async (answer) => {
  for (const pieces of [[answer], [...answer], answer.match(/[\s\S]{1,7}/g)!])
    expect(await read(pieces)).toMatchObject({ text: answer, calls: [], reason: 'stop' });
});
