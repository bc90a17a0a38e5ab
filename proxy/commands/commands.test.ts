import { expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { LateError, TimeOverError } from './headless/late-error';
import type { ServerAnswer } from './headless/server-connection';
import { runAnswered as run } from './headless/test-answers';
import { prepareAction } from './test-command-line';

test('lists entries with missing and invalid members', async () => {
  const tools = [
    null,
    5,
    {},
    { name: 7, inputSchema: [] },
    { name: 'a', title: 'T', inputSchema: { properties: { x: 1 } } },
  ];
  const { stdout } = await run(['list', 'tools'], { 'tools/list': JSON.stringify({ tools }) });
  expect(stdout).toEqual(['NAME  ARGUMENTS  DESCRIPTION\n\n\na     x?         T']);
});

test('calls several times: a line for each call, and a summary', async () => {
  const { stdout, notes, code, asked } = await run(['call', 'a', '--args', '{}', '--times', '3', '--jobs', '2'], {
    'tools/call': '{"content":[],\n"n":1.0}',
  });
  expect(code).toBe(EXIT.fine);
  expect(asked.map(([method]) => method)).toEqual(['tools/list', 'tools/call', 'tools/call', 'tools/call']);
  expect(stdout).toHaveLength(3);
  expect(stdout[0]).toMatch(/^\{"call":1,"outcome":"ok","ms":[\d.]+,"result":\{"content":\[\], "n":1\.0\}\}$/);
  expect(notes.join('\n')).toContain('3 calls in');
  expect(notes.join('\n')).toContain('All answers are equal.');
});

test('several calls that fail have the exit code of the worst', async () => {
  const failed = await run(['call', 'a', '--args', '{}', '--times', '2'], {
    'tools/call': { kind: 'error', error: { code: -32602, message: 'no' } },
  });
  expect(failed.code).toBe(EXIT.serverError);
  expect(failed.stdout[1]).toContain('"outcome":"error"');
  expect(failed.notes.join('\n')).toContain('2 errors');
  for (const [words, sentence] of [
    [['--times', '0'], 'is not a number from 1'],
    [['--times', '3', '--jobs', 'x'], 'is not a number from 1'],
    [['--jobs', '3'], 'needs `--times N`'],
  ] as const) {
    await expect(prepareAction('call', 'a', ...words, '--demo')).rejects.toThrow(sentence);
  }
});

test('completes an argument of a prompt or a template, with the values of others', async () => {
  const answers = { 'completion/complete': '{"completion":{"values":["Paris","Parma"],"total":9}}' };
  const words = ['visit', 'country=x', '--complete', 'city=Pa'];
  const { asked, stdout, notes } = await run(['prompt', ...words], answers);
  expect(asked[1]![1]).toBe(
    '{"ref":{"type":"ref/prompt","name":"visit"},"argument":{"name":"city","value":"Pa"},"context":{"arguments":{"country":"x"}}}',
  );
  expect(stdout).toEqual(['Paris\nParma']);
  expect(notes.join()).toContain('The server has 9 completions and sent 2.');
  const other = ['--arg', 'name=x', '--complete', 'path='];
  const template = await run(['read', 'file:///{path}', ...other], answers);
  expect(template.asked[0]![1]).toBe(
    '{"ref":{"type":"ref/resource","uri":"file:///{path}"},"argument":{"name":"path","value":""},"context":{"arguments":{"name":"x"}}}',
  );
  for (const [words, sentence] of [
    [['read', 'a:b', '--complete', 'path'], 'write `--complete NAME=PREFIX`'],
    [['read', 'a:b', '--complete', 'a=', '--follow'], '`--follow` and `--complete` exclude each other'],
    [['read', 'a:b', '--arg', 'a=b'], '`--complete`: add it, or remove them'],
  ] as const) {
    await expect(prepareAction(...words, '--demo')).rejects.toThrow(sentence);
  }
});

test('says which arguments there are, if a prompt or a tool has no such one', async () => {
  const prompts = '{"prompts":[{"name":"visit","arguments":[{"name":"city"},{"name":"country"}]}]}';
  const complete = run(['prompt', 'visit', '--complete', 'citty=Pa'], { 'prompts/list': prompts });
  await expect(complete).rejects.toThrow('no argument `citty`: did you mean `city`?');
  const call = async (schema: object) => {
    const tools = JSON.stringify({ tools: [{ name: 'a', inputSchema: { properties: { text: {} }, ...schema } }] });
    const { notes, asked } = await run(['call', 'a', '--args', '{"txt":1}'], {
      'tools/list': tools,
      'tools/call': '{"content":[]}',
    });
    expect(asked.map(([method]) => method)).toEqual(['tools/list', 'tools/call']);
    return notes.filter((note) => note.includes('has no argument'));
  };
  const note = 'mcp-inspect: `a` has no argument `txt`: did you mean `text`? It is sent.';
  expect([await call({}), await call({ additionalProperties: false })]).toEqual([[note], [note]]);
  expect([await call({ additionalProperties: true }), await call({ $ref: '#/x' })]).toEqual([[], []]);
});

test('names required arguments that are missing, and sends the request', async () => {
  const tools = JSON.stringify({
    tools: [{ name: 'add', inputSchema: { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b', 7] } }],
  });
  const call = (...words: string[]) =>
    run(['call', 'add', ...words], { 'tools/list': tools, 'tools/call': '{"content":[]}' });
  const both = 'mcp-inspect: Missing required arguments of `add`: `a`, `b`. The request is sent without them.';
  expect((await call()).notes).toEqual([both]);
  expect((await call('--times', '2')).notes[0]).toBe(both);
  const { notes, asked } = await call('a:=1');
  expect(notes).toEqual(['mcp-inspect: Missing required argument of `add`: `b`. The request is sent without it.']);
  expect(asked.at(-1)).toEqual(['tools/call', '{"name":"add","arguments":{"a":1}}']);
  expect((await call('a:=null', 'b=')).notes).toEqual([]);

  const prompts = '{"prompts":[{"name":"visit","arguments":[{"name":"city","required":true},{"name":"on"},7]}]}';
  const visit = (...words: string[]) =>
    run(['prompt', 'visit', ...words], { 'prompts/list': prompts, 'prompts/get': '{"messages":[]}' });
  expect((await visit('o=now')).notes).toEqual([
    'mcp-inspect: `visit` has no argument `o`: did you mean `on`? It is sent.',
    'mcp-inspect: Missing required argument of `visit`: `city`. The request is sent without it.',
  ]);
  expect((await visit('city=x')).notes).toEqual([]);
});

test('calls a tool whose list has no answer in time, and says so', async () => {
  const late = () => {
    throw new LateError('The server did not answer within 60 s.', '--request-timeout');
  };
  const { notes, asked } = await run(['call', 'a', '--args', '{}'], {
    'tools/list': late,
    'tools/call': '{"content":[]}',
  });
  expect(asked.map(([method]) => method)).toEqual(['tools/list', 'tools/call']);
  expect(notes.join()).toContain('Sending the call, since the tools can’t be listed. The server did not answer');
});

test('lists nothing', async () => {
  const { stdout, notes, code } = await run(['list', 'prompts'], { 'prompts/list': '{"prompts":[]}' });
  expect({ stdout, code }).toEqual({ stdout: [], code: EXIT.fine });
  expect(notes).toEqual(['mcp-inspect: The server has no prompts.']);
});

test.each([
  ['{}', '`prompts` is missing'],
  ['null', 'the result is null, expected an object'],
  ['{"prompts":{"a":1}}', '`prompts` is an object, expected an array'],
])('reports a list whose result is %s', async (result, why) => {
  const sentence = `mcp-inspect: Invalid result in MCP 2026-07-28: ${why}.`;
  const text = await run(['list', 'prompts'], { 'prompts/list': result });
  expect(text).toMatchObject({ stdout: [], code: EXIT.serverError, notes: [sentence] });
  const json = await run(['list', 'prompts', '--json'], { 'prompts/list': result });
  expect(json).toMatchObject({ stdout: [result], code: EXIT.serverError, notes: [sentence] });
  const all = await run(['list'], { 'tools/list': '{"tools":[]}', 'prompts/list': result }, { tools: {}, prompts: {} });
  expect(all).toMatchObject({ code: EXIT.serverError, notes: [sentence] });
});

test.each([
  [['call', 't'], 'tools/call', 'null', 'the result is null, expected an object'],
  [['call', 't'], 'tools/call', '{"contents":"nope"}', '`content` is missing'],
  [['call', 't'], 'tools/call', '{"content":"nope"}', '`content` is a string, expected an array'],
  [['read', 'a:b'], 'resources/read', '{"content":[]}', '`contents` is missing'],
  [['prompt', 'p'], 'prompts/get', '{"messages":{}}', '`messages` is an object, expected an array'],
])('%j: prints an invalid result as it came, and fails', async (argv, method, result, why) => {
  const done = await run([...argv, '--json'], { [method]: result });
  expect(done).toMatchObject({ stdout: [result], code: EXIT.serverError });
  expect(done.notes).toEqual([`mcp-inspect: Invalid result in MCP 2026-07-28: ${why}.`]);
  expect((await run(argv, { [method]: result })).code).toBe(EXIT.serverError);
});

test('list --fields reports an invalid list', async () => {
  const { code, stdout, notes } = await run(['list', 'tools', '--fields'], { 'tools/list': '{"tools":null}' });
  expect({ code, stdout }).toEqual({ code: EXIT.serverError, stdout: [] });
  expect(notes).toEqual([expect.stringContaining('`tools` is null, expected an array')]);
});

test('lists all that is declared; a missing method is a note, another error is an error', async () => {
  const answers = { 'resources/list': '{"resources":[{"uri":"a:b","name":"n"}]}' };
  const { stdout, notes, code } = await run(['list'], answers, { resources: {}, tools: false });
  expect(stdout).toEqual(['resources (1)', 'URI  NAME  TYPE  DESCRIPTION\na:b  n', '']);
  expect(notes).toEqual([expect.stringMatching(/No templates\. The request was answered with error -32601/)]);
  expect(code).toBe(EXIT.fine);
  const failed = run(
    ['list'],
    { ...answers, 'resources/templates/list': { kind: 'error', error: { code: 1, message: 'x' } } },
    { resources: {} },
  );
  await expect(failed).rejects.toMatchObject({ exitCode: EXIT.serverError });
  await expect(run(['list', 'tools'], {})).rejects.toMatchObject({ exitCode: EXIT.serverError });
  expect((await run(['list'], {})).notes).toEqual([expect.stringMatching(/declares no tools/)]);
  const uncoded = run(['list', 'tools'], { 'tools/list': { kind: 'error', error: { code: 0, message: 'x' } } });
  await expect(uncoded).rejects.toThrow('answered with an error whose code is 0 or not a number: x');
});

test('lists what a server declares with another type, and says what is wrong with it', async () => {
  const { stdout, notes } = await run(['list'], { 'tools/list': '{"tools":[{"name":"a"}]}' }, { tools: [] });
  expect(stdout[0]).toBe('tools (1)');
  expect(notes).toEqual([
    'mcp-inspect: The capability `tools` is an array, expected an object. Some clients then read no list.',
  ]);
});

test('reads a list that is declared with null, and every list if the capabilities are not an object', async () => {
  const answers = { 'tools/list': '{"tools":[{"name":"a"}]}' };
  const declared = await run(['list'], answers, { tools: null, prompts: false });
  expect(declared.stdout[0]).toBe('tools (1)');
  expect(declared.asked).toEqual([['tools/list', undefined]]);
  expect(declared.notes).toEqual([
    'mcp-inspect: The capability `tools` is null, expected an object. Some clients then read no list.',
  ]);
  const whole = await run(['list'], answers, {}, '2025-11-25', { invalidCapabilities: ['tools'] });
  expect(whole.stdout[0]).toBe('tools (1)');
  expect(whole.notes[0]).toBe(
    'mcp-inspect: `capabilities` is an array, expected an object. Some clients then read no list.',
  );
  expect(whole.code).toBe(EXIT.fine);
});

test('counts each entry of repeated pages once, and says that they repeat', async () => {
  const { stdout, notes } = await run(['list', 'tools'], {
    'tools/list':
      '{"tools":[{"name":"a","inputSchema":{"oneOf":[{"required":["x"]},{"required":["y"]}]}}],"nextCursor":"c"}',
  });
  expect(stdout).toEqual(['NAME  ARGUMENTS  DESCRIPTION\na     x | y']);
  expect(notes).toEqual([expect.stringMatching(/tools\/list: The server repeats its pages: 1 entry came again/)]);
});

test('names the option for a capability that the server misses', async () => {
  const data = { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } };
  const missing: ServerAnswer = { kind: 'error', error: { code: -32021, message: 'Missing capability', data } };
  await expect(run(['call', 't', '--args', '{}'], { 'tools/call': missing })).rejects.toThrow(/\. Add `--task auto`/);
  await expect(run(['prompt', 'p'], { 'prompts/get': missing })).rejects.toThrow(/\. Add `--capabilities all`/);
  const several = await run(['call', 't', '--args', '{}', '--times', '2'], { 'tools/call': missing });
  expect(several.notes.filter((note) => note.includes('--task'))).toHaveLength(1);
});

test('makes no call after the time is over, and counts those that were not made', async () => {
  let left = 7;
  const over = new TimeOverError('The time was over.', '--timeout');
  const { code, stdout, notes } = await run(['call', 'a', '--args', '{}', '--times', '20', '--jobs', '3'], {
    'tools/call': () => {
      if (left-- <= 0) throw over;
      return '{"content":[]}';
    },
  });
  expect(code).toBe(EXIT.timeout);
  expect(stdout).toHaveLength(7);
  expect(notes.at(-1)).toBe('mcp-inspect: 13 not made: the time of `--timeout` was over.');
});

test('says how much of the time a call had when it was over', async () => {
  const run3 = (option: LateError['option']) =>
    run(['call', 'a', '--args', '{}', '--times', '2'], {
      'tools/call': () => {
        throw new LateError('The server did not respond within 3 seconds.', option);
      },
    });
  const { code, stdout } = await run3('--timeout');
  expect(code).toBe(EXIT.timeout);
  expect(stdout[0]).toMatch(/"outcome":"timeout",.+"message":"Stopped after .+s: the time of `--timeout` was over\."/);
  expect((await run3('--request-timeout')).stdout[0]).toContain('did not respond within 3 seconds.');
});

test('lists the tools once, before the call, for the types of its arguments and to know the tool', async () => {
  const answers = {
    'tools/list': '{"tools":[{"name":"t","inputSchema":{"properties":{"n":{"type":"integer"}}}}]}',
    'tools/call': '{"content":[]}',
  };
  const list = ['tools/list', undefined];
  for (const [words, params] of [
    [['--arg', 'n=9007199254740993'], '{"n":9007199254740993}'],
    [['n=9007199254740993'], '{"n":9007199254740993}'],
    [['--args', ' {"n": 1, "n":2} '], '{"n": 1, "n":2}'],
    [['--arg', 'n:=1'], '{"n":1}'],
    [['n:=1', '--arg', 'm=2'], '{"m":"2","n":1}'],
    [[], '{}'],
  ] as const) {
    const { asked } = await run(['call', 't', ...words], answers);
    expect(asked).toEqual([list, ['tools/call', `{"name":"t","arguments":${params}}`]]);
  }
});

test('limits the length of a line and of its arguments; --json prints everything', async () => {
  const properties = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`argument${index}`, {}]));
  const tools = { tools: [{ name: 't', description: 'word '.repeat(400), inputSchema: { properties } }] };
  const answers = { 'tools/list': JSON.stringify(tools) };
  const text = (await run(['list', 'tools'], answers)).stdout.join('\n');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(200);
  expect(text.indexOf('DESCRIPTION')).toBeLessThan(60);
  expect((await run(['list', 'tools', '--json'], answers)).stdout.join('')).toContain('argument39');
});

test.each<[string, string[], number]>([
  ['{"content":[{"type":"text","text":"{\\"a\\": 1}"}],"structuredContent":{"a":1}}', ['{"a": 1}'], EXIT.fine],
  ['{"content":[],"structuredContent":{"a":9007199254740993}}', ['{\n  "a": 9007199254740993\n}'], EXIT.fine],
  ['{"content":[{"type":"text","text":"no"}],"isError":true}', ['no'], EXIT.serverError],
  ['{"content":[{"type":"text","text":"no"}],"isError":"true"}', ['no'], EXIT.fine],
  ['{"resultType":"input_required"}', ['{\n  "resultType": "input_required"\n}'], EXIT.serverError],
  ['{"toolResult":1.0}', ['{\n  "toolResult": 1.0\n}'], EXIT.serverError],
  ['"just text"', ['"just text"'], EXIT.serverError],
])('formats a result for people: %s', async (result, stdout, code) => {
  const done = await run(['call', 't'], { 'tools/call': result });
  expect({ stdout: done.stdout, code: done.code }).toEqual({ stdout, code });
  expect((await run(['call', 't', '--json'], { 'tools/call': result })).stdout).toEqual([result]);
});

test('formats contents and messages, valid or not', async () => {
  const contents = '{"contents":[{"uri":"u","text":"one"},{"uri":"u","blob":"AAAA"},3]}';
  expect((await run(['read', 'u'], { 'resources/read': contents })).stdout).toEqual([
    'one\n[u, 3 bytes; --json has them]\n3',
  ]);
  const messages = '{"messages":[{"role":"user","content":{"type":"text","text":"hi"}},{"role":5},"x"]}';
  const prompt = await run(['prompt', 'p', '--arg', 'a=1', '--arg', 'b:=2'], { 'prompts/get': messages });
  expect(prompt.stdout).toEqual(['user:\nhi\n\n?:\n\n\n"x"']);
  expect(prompt.asked[1]).toEqual(['prompts/get', '{"name":"p","arguments":{"a":"1","b":2}}']);
  expect((await run(['prompt', 'p'], { 'prompts/get': '{}' })).asked[1]).toEqual(['prompts/get', '{"name":"p"}']);
});

test('list --fields lists the fields of each tool, and the parts edited as JSON', async () => {
  const tools = JSON.stringify({
    tools: [
      { name: 'fine', inputSchema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } } },
      { name: 'torn', inputSchema: { type: 'object', properties: { x: { $ref: '#/$defs/none' } } } },
      { name: 'bare' },
      { name: 'no-arguments', inputSchema: { type: 'object' } },
    ],
  });
  const { stdout, code } = await run(['list', 'tools', '--fields'], { 'tools/list': tools });
  expect(code).toBe(EXIT.fine);
  expect(stdout[0]).toContain('1 integer, 1 string');
  expect(stdout[0]).toContain('x has a $ref that leads nowhere');
  expect(stdout[0]).toContain('the schema is malformed');
  expect(stdout[0]).toMatch(/^no-arguments +none/m);
  expect(stdout[1]).toContain('Tools with a field for every argument: 2 of 4.');
  const [json] = (await run(['list', 'tools', '--fields', '--json'], { 'tools/list': tools })).stdout;
  expect(JSON.parse(json!)).toMatchObject({ tools: 4, toolsByFields: 2, fields: { string: 1, integer: 1, any: 1 } });
});
