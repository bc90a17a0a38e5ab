import { expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { runAnswered as run } from './test-answers';

test('sends nothing for a tool or a prompt that the server does not list', async () => {
  const tools = '{"tools":[{"name":"total"},{"name":"count"}]}';
  const prompts = '{"prompts":[{"name":"review"}]}';
  const answers = { 'tools/list': tools, 'tools/call': '{"content":[]}', 'prompts/list': prompts };
  for (const [argv, sentence] of [
    [['call', 'totl'], 'no tool `totl`: did you mean `total`? It has `total`, `count`.'],
    [['call', 'nosuch', 'n=1'], 'no tool `nosuch`. It has `total`, `count`.'],
    [['call', 'totl', '--args', '{}', '--times', '2'], 'did you mean `total`?'],
    [['prompt', 'reviw'], 'no prompt `reviw`: did you mean `review`? It has `review`.'],
    [['prompt', 'reviw', '--complete', 'a=b'], 'did you mean `review`?'],
  ] as const) {
    const asked: string[] = [];
    const seen = (method: keyof typeof answers) => () => {
      asked.push(method);
      return answers[method];
    };
    const methods = ['tools/list', 'tools/call', 'prompts/list'] as const;
    const done = run(argv, Object.fromEntries(methods.map((method) => [method, seen(method)])));
    await expect(done).rejects.toMatchObject({ exitCode: EXIT.usage, message: expect.stringContaining(sentence) });
    expect(asked).toEqual([argv[0] === 'call' ? 'tools/list' : 'prompts/list']);
  }
  await expect(run(['call', 'u'], { 'tools/list': '{"tools":[]}' })).rejects.toThrow('lists no tools, so no `u`');
  const again = run(['call', 'u'], { 'tools/list': '{"tools":[{"name":"a"}],"nextCursor":"c"}' });
  await expect(again).rejects.toThrow('no tool `u`. It has `a`. ');
});

let cursor = 0;

test.each([
  ['an error', {}],
  ['no list', { 'tools/list': '{"tools":7}' }],
  ['too long', { 'tools/list': () => `{"tools":[],"nextCursor":"${cursor++}"}` }],
])('calls a tool whose list is %s, with strings, and says so', async (_what, lists) => {
  const { asked, notes } = await run(['call', 'u', 'n=1'], { ...lists, 'tools/call': '{"content":[]}' });
  expect(asked.at(-1)).toEqual(['tools/call', '{"name":"u","arguments":{"n":"1"}}']);
  expect(notes).toEqual([expect.stringMatching(/can’t be listed/)]);
});
