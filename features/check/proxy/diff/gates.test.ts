import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { capture } from '@/proxy/commands/headless/test-against';
import { requestOf, runCommand } from '@/proxy/commands/test-command-line';
import { failuresOf, readGates } from './gates';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-gates-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ADD = {
  name: 'add',
  description: 'Adds numbers.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
};
const withArgument = (name: string, schema: object, required: readonly string[] = ['a']) => ({
  ...ADD,
  inputSchema: { ...ADD.inputSchema, properties: { ...ADD.inputSchema.properties, [name]: schema }, required },
});

interface Release {
  readonly version?: string;
  readonly tools?: readonly object[];
  /** Answers the list of prompts. Absent: with an error. */
  readonly prompts?: readonly object[];
}

let count = 0;

/** Records the lists of a server, and one call. */
async function record({ version = '1.0.0', tools = [ADD], prompts }: Release): Promise<string> {
  const [script, file] = [join(folder, `${++count}.mjs`), join(folder, `${count}.mcpr.jsonl`)];
  const results = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, prompts: {} },
      serverInfo: { name: 'sums', version },
    },
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: version }] },
    ...(prompts && { 'prompts/list': { prompts } }),
  };
  writeFileSync(
    script,
    `const results = ${JSON.stringify(results)};
let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const { id, method } of lines.map((line) => JSON.parse(line))) {
    if (id === undefined) continue;
    const body = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'no' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  }
});`,
  );
  await capture({ transport: 'stdio', command: process.execPath, args: [script] }, file, async (ask) => {
    await ask('tools/list');
    await ask('prompts/list');
    await ask('tools/call', '{"name":"add","arguments":{"a":1}}');
  });
  return file;
}

const FIRST = await record({ prompts: [] });

describe('--fail-on breaking', () => {
  test('passes a new version, changed texts, new optional members and new tools', async () => {
    const tools = [
      { ...withArgument('b', { type: 'number' }), description: 'Adds any numbers.', title: 'Add' },
      { ...ADD, name: 'subtract' },
    ];
    const next = await record({ version: '2.0.0', tools, prompts: [] });
    const { code, stdout } = await runCommand(['diff', FIRST, next, '--fail-on', 'breaking']);
    expect(stdout.split('\n').at(-1)).toBe('Passed: --fail-on breaking.');
    expect(code).toBe(EXIT.fine);
    expect((await runCommand(['diff', FIRST, next])).code).toBe(EXIT.serverError);
    const xml = join(folder, 'breaking.xml');
    await runCommand(['diff', FIRST, next, '--fail-on', 'breaking', '--report', `junit=${xml}`]);
    expect(readFileSync(xml, 'utf8')).toContain('failures="0"');
  });

  test.each<[string, Release]>([
    ['a tool that is gone', { tools: [], prompts: [] }],
    ['a new required argument', { tools: [withArgument('b', { type: 'number' }, ['a', 'b'])], prompts: [] }],
    ['a smaller type', { tools: [withArgument('a', { type: 'integer' })], prompts: [] }],
    ['a new pattern', { tools: [withArgument('a', { type: 'number', multipleOf: 2 })], prompts: [] }],
    ['a list that is refused', {}],
  ])('fails on %s', async (_, release) => {
    const { code, stdout } = await runCommand(['diff', FIRST, await record(release), '--fail-on', 'breaking']);
    expect(stdout).toContain('Failed: 1 breaking change.');
    expect(code).toBe(EXIT.serverError);
  });
});

test('--ignore version ignores the version of the server', async () => {
  const next = await record({ version: '1.0.1', prompts: [] });
  expect((await runCommand(['diff', FIRST, next])).stdout).toContain('`serverInfo.version`');
  const { stdout } = await runCommand(['diff', FIRST, next, '--ignore', 'version,$.content']);
  expect(stdout).toContain('No difference: the server offers the same');
});

test('says tokens before and after, and fails on growth', async () => {
  const next = await record({ tools: [{ ...ADD, description: 'Adds numbers. '.repeat(20) }], prompts: [] });
  const { stdout, code } = await runCommand(['diff', FIRST, next, '--fail-on', 'breaking,tokens+10%']);
  expect(stdout).toContain('Tools: ~33 tokens before, ~100 tokens after (+203%).');
  expect(stdout).toContain('Failed: The tools take ~67 tokens more, which `tokens+10%` does not allow.');
  expect(code).toBe(EXIT.serverError);
  expect((await runCommand(['diff', FIRST, next, '--fail-on', 'tokens+67'])).code).toBe(EXIT.fine);
  const json = JSON.parse((await runCommand(['diff', FIRST, next, '--json'])).stdout);
  expect(json).toMatchObject({ passed: false, failures: ['Something changed.'], tokens: { before: 33, after: 100 } });
});

test('a recording is compared with the lists of a server, which is not called', async () => {
  const xml = join(folder, 'server.xml');
  const server = ['--report', `junit=${xml}`, '--', process.execPath, join(folder, '1.mjs')];
  expect((await runCommand(['diff', FIRST, ...server])).code).toBe(EXIT.fine);
  const next = await record({ tools: [ADD, { ...ADD, name: 'subtract' }], prompts: [] });
  const { code, stdout } = await runCommand(['diff', next, '--fail-on', 'breaking', ...server]);
  expect(stdout).toContain('tool subtract\n  breaking  The tool is gone.');
  expect(stdout).not.toContain('tools/call');
  expect(code).toBe(EXIT.serverError);
  expect(readFileSync(xml, 'utf8')).toContain('failures="2"');
  // It is read with the recorded client.
  expect((await runCommand(['diff', FIRST, '--capabilities', 'all', ...server])).code).toBe(EXIT.usage);
});

test('a gate that sees nothing is shut', () => {
  const nothing = { isEqual: false, comparedNothing: true, breaking: 0, broken: 0, tokens: [undefined, undefined] };
  const gates = (word: string) => readGates(new Map([['fail-on', [word]]]));
  expect(failuresOf(gates('breaking'), { ...nothing, tokens: [1, 1] })).toEqual(['Nothing could be compared.']);
  expect(failuresOf(gates('tokens'), { ...nothing, comparedNothing: false, tokens: [5, undefined] })).toHaveLength(1);
  expect(() => gates('braking')).toThrow('did you mean `breaking`?');
  expect(() => gates('tokens+x')).toThrow('choose from change');
});

test.each([[['a.mcpr.jsonl']], [['a', 'b', '--', 'node', 's.js']], [['--', 'node', 's.js']]])(
  'diff %j names no two sides',
  async (argv) => {
    expect(requestOf('diff', ...argv).command).toBe('diff');
    await expect(runCommand(['diff', ...argv])).rejects.toThrow('Name two sides');
  },
);
