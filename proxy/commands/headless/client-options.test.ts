import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ALL_CAPABILITIES } from '@/lib/wire/client-capabilities';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { EXIT } from '@/proxy/cli/exit-code';
import { requestOf, runCommand } from '../test-command-line';
import { readClientOptions, serverClient } from './client-options';
import { runAgainst } from './test-connection';

const { [EXTENSION.tasks]: _, ...extensions } = ALL_CAPABILITIES.extensions!;
/** Everything that version 2025-11-25 has. */
const LEGACY = { ...ALL_CAPABILITIES, extensions };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a file with answers and returns its path. */
function answersFile(content: unknown): string {
  const path = join(folder, 'answers.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const call = (asks: string, ...options: string[]) => runAgainst(`asks ${asks}`, 'call', 'echo', 'text=x', ...options);

describe('the client declares', () => {
  test.each<[string[], unknown]>([
    [[], {}],
    [['--capabilities', 'all'], LEGACY],
    [['--capabilities', '{"roots":{},"sampling":{"tools":{}}}'], { roots: {}, sampling: { tools: {} } }],
    [['--capabilities', '{"experimental":{"x":{"y":1}}}'], { experimental: { x: { y: 1 } } }],
    [['--capabilities', '{}'], {}],
  ])('with %j: %j', async (options, declared) => {
    const { stdout, notes } = await call('capabilities', ...options);
    expect(JSON.parse(stdout[0]!)).toEqual(declared);
    expect(notes).toEqual([]);
  });

  test('answers on stdin are used like those of a file', async () => {
    const stdin = Readable.from([JSON.stringify({ 'roots/list': { result: {} } })]);
    vi.spyOn(process, 'stdin', 'get').mockReturnValueOnce(stdin as unknown as typeof process.stdin);
    const client = await readClientOptions(requestOf('call', 'x', '--answers', '-', '--demo').given);
    expect([...client!.answers.keys()]).toEqual(['roots/list']);
  });

  test('what a file with answers is for, unless told otherwise', async () => {
    const { sampling, roots } = ALL_CAPABILITIES;
    const file = answersFile({ 'sampling/createMessage': { result: {} }, 'roots/list': { result: {} } });
    expect(JSON.parse((await call('capabilities', '--answers', file)).stdout[0]!)).toEqual({ sampling, roots });
    const other = await call('capabilities', '--answers', file, '--capabilities', '{"elicitation":{}}');
    expect(JSON.parse(other.stdout[0]!)).toEqual({ elicitation: {} });
  });

  test('an object in a file', async () => {
    const path = join(folder, 'capabilities.json');
    writeFileSync(path, '\ufeff{ "roots": { "listChanged": true } }\n');
    const { stdout } = await call('capabilities', '--capabilities', `@${path}`);
    expect(JSON.parse(stdout[0]!)).toEqual({ roots: { listChanged: true } });
  });
});

test('--meta is in every request, beside our own members, which it can’t replace', async () => {
  const { stdout } = await call('meta', '--meta', '{"x.example/a":{"n":1}}');
  expect(JSON.parse(stdout[0]!)).toEqual({ 'x.example/a': { n: 1 }, progressToken: expect.anything() });
  for (const [meta, sentence] of [
    ['[1]', 'is not a JSON object'],
    ['{"progressToken":1}', 'sets "progressToken" in `_meta` itself'],
  ] as const) {
    await expect(call('meta', '--meta', meta)).rejects.toThrow(sentence);
  }
});

test('an answer from the file is sent exactly, for every question, and logged', async () => {
  const file = answersFile(
    '{"elicitation/create":{"result":{"action":"accept",\n"content":{"n":9007199254740993,"n":1.0}}}}',
  );
  const { stdout, notes, code, events } = await call('elicitation/create', '--answers', file);
  const sent = '{"jsonrpc":"2.0","id":"q","result":{"action":"accept", "content":{"n":9007199254740993,"n":1.0}}}';
  expect(stdout).toEqual([`${sent}\n${sent}`]);
  expect({ notes, code }).toEqual({ notes: [], code: EXIT.fine });
  const event = { event: 'standing-answer', id: 'q', method: 'elicitation/create' };
  expect(events).toEqual([event, event]);
});

test('a question that was not declared is refused, and named once', async () => {
  const { notes } = await call('elicitation/create');
  expect(notes).toEqual([
    'mcp-inspect: The server asked for elicitation/create, which mcp-inspect had not declared, so it answered with error -32601. To answer it, add `--answers FILE`.',
  ]);
});

test('a recording has no answer to a question for a secret, even if that is a plain word', async () => {
  const properties = { answer: { type: 'string', title: 'Your password' }, city: { type: 'string' } };
  const forms = join(folder, 'forms.json');
  writeFileSync(forms, JSON.stringify({ tools: [{ name: 'unlock', inputSchema: { type: 'object', properties } }] }));
  const content = { answer: 'submarine', city: 'Wellington' };
  const file = answersFile({ 'elicitation/create': { result: { action: 'accept', content } } });
  const recorded = join(folder, 'a.mcpr.jsonl');
  const server = ['--', process.execPath, join(import.meta.dirname, '../../../e2e/servers/ask-server.mjs'), forms];
  const { code } = await runCommand(['call', 'unlock', '--answers', file, '--record', recorded, ...server]);
  expect(code).toBe(EXIT.fine);
  // The server sends the answer back.
  expect(readFileSync(recorded, 'utf8')).not.toContain('submarine');
  expect(readFileSync(recorded, 'utf8').match(/Wellington/g)).toHaveLength(2);
});

test('a list answers one question each: a result as JSON or as text, or an error', async () => {
  const file = answersFile({
    'sampling/createMessage': [{ result: '{"role":"assistant"}' }, { error: { code: -1, message: 'no' } }],
  });
  const { stdout, notes } = await call('sampling/createMessage', '--answers', file);
  expect(stdout[0]!.split('\n')).toEqual([
    '{"jsonrpc":"2.0","id":"q","result":{"role":"assistant"}}',
    '{"jsonrpc":"2.0","id":"q","error":{"code":-1,"message":"no"}}',
  ]);
  expect(notes).toEqual([]);
});

test.each([
  ['url', { action: 'accept', content: { city: 'Paris' } }, 1],
  ['url', { action: 'accept' }, 0],
  ['form', { action: 'accept', content: { city: 'Paris' } }, 0],
  [undefined, { action: 'accept', content: {} }, 0],
])('an answer to a question of mode %s with %j: %d notes about form content', async (mode, result, count) => {
  const request = requestOf('call', 't', '--answers', answersFile({ 'elicitation/create': { result } }), '--demo');
  const notes: string[] = [];
  const host = { printNote: (text: string) => void notes.push(text), logEvent: () => {}, notify: () => {} };
  const { handlers } = serverClient((await readClientOptions(request.given))!, host);
  const about = { method: 'elicitation/create', id: 1, key: undefined, signal: new AbortController().signal };
  const sent = await handlers.get('elicitation/create')!({ mode, url: 'https://a.example' }, about);
  expect(JSON.parse(sent)).toEqual(result);
  expect(notes.filter((note) => note.includes('asked to open a URL'))).toHaveLength(count);
});

test('a list that is used up leaves the other questions without an answer', async () => {
  const file = answersFile({ 'elicitation/create': [{ result: { action: 'decline' } }] });
  const { stdout, notes } = await call('elicitation/create', '--answers', file);
  expect(stdout[0]!.split('\n').map((line) => JSON.parse(line).result)).toEqual([
    { action: 'decline' },
    { action: 'cancel' },
  ]);
  expect(notes).toEqual([
    'mcp-inspect: The server asked for elicitation/create, but the file with answers has no more for it. mcp-inspect sent {"action":"cancel"}.',
  ]);
});

test.each([
  ['elicitation/create', '"result":{"action":"cancel"}', 'mcp-inspect sent {"action":"cancel"}.'],
  ['sampling/createMessage', '"error":{"code":-1,', 'mcp-inspect refused it.'],
  ['roots/list', '"result":{"roots":[]}', undefined],
])('without a file, %s is answered with %s', async (method, answer, note) => {
  const { stdout, notes, events } = await call(method, '--capabilities', 'all');
  expect(stdout[0]).toContain(answer);
  expect(notes).toEqual(
    note === undefined
      ? []
      : Array(2).fill(expect.stringMatching(/^mcp-inspect: The server asked for .+, but there is no answer/)),
  );
  if (note !== undefined) expect(notes[0]).toContain(note);
  expect(events).toEqual([]);
});

test('what is not declared is not found', async () => {
  for (const options of [[], ['--capabilities', '{"roots":{}}']]) {
    const { stdout } = await call('sampling/createMessage', ...options);
    expect(stdout[0]).toContain('-32601');
  }
});

test.each<[string[], RegExp]>([
  [['--capabilities', 'everything'], /neither `all` nor a JSON object/],
  [['--capabilities', '{'], /is not JSON/],
  [['--capabilities', '@/nowhere.json'], /It does not exist\. Check the path after `@`/],
  [['--capabilities', '{"sampling":true}'], /"sampling" must be an object: write \{\}/],
  [['--capabilities', '{"elicitation":{"url":1}}'], /"elicitation\.url" must be an object/],
  [['--capabilities', '{"extensions":{"x":[]}}'], /"extensions\.x" must be an object/],
  [['--capabilities', '{"elicitaton":{}}'], /no client capability "elicitaton": choose from sampling/],
  [['--capabilities', '{"__proto__":{}}'], /no client capability "__proto__"/],
  [['--capabilities', 'all', '--protocol', 'none'], /`--capabilities` has no effect/],
  [['--answers', '/nowhere.json'], /It does not exist\. Check the path after `--answers`/],
])('%j is refused', async (options, sentence) => {
  await expect(call('capabilities', ...options)).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringMatching(sentence),
  });
});

test.each<[unknown, RegExp]>([
  ['{', /must hold a JSON object/],
  ['[]', /must hold a JSON object/],
  [{ sampling: { result: {} } }, /no question "sampling": choose from elicitation\/create/],
  ['{"__proto__":{"result":{}}}', /no question "__proto__"/],
  [{ 'roots/list': {} }, /An answer to roots\/list must have a `result`/],
  [{ 'roots/list': { result: 'no' } }, /An answer to roots\/list/],
  [{ 'roots/list': { result: [] } }, /An answer to roots\/list/],
  [{ 'roots/list': [{ result: {} }, null] }, /An answer to roots\/list/],
  [{ 'roots/list': { error: { code: '1', message: 'x' } } }, /An answer to roots\/list/],
])('a file with %j is refused', async (content, sentence) => {
  await expect(call('capabilities', '--answers', answersFile(content))).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringMatching(sentence),
  });
});
