import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, hasProcess, packageFolder, test } from './bin';

// The library as it is installed, and every example of docs/library.md except that for jest, which we do not depend on.

const root = join(import.meta.dirname, '..');
const docs = readFileSync(join(root, 'docs/library.md'), 'utf8');

/** Returns the code that follows the name of a file in docs/library.md. */
function example(file: string): string {
  const found = docs.split(`\`${file}\`:\n\n\`\`\``)[1]?.split('```')[0];
  if (found === undefined) throw new Error(`docs/library.md has no ${file}.`);
  return found.slice(found.indexOf('\n') + 1);
}

/** Makes a package with a server, which depends on the installed package under test and on what is linked from here. */
function makePackage(folder: string, ...linked: string[]): string {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  cpSync(packageFolder(), join(modules, 'mcp-inspect'), { recursive: true });
  symlinkSync('../mcp-inspect/dist/cli.js', join(modules, '.bin/mcp-inspect'));
  for (const name of linked) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  cpSync(join(root, 'proxy/library/fixtures/adding-server.mjs'), join(folder, 'server.js'));
  return folder;
}

/** Returns the command line of node for a tool that is linked. */
function tool(path: string): string {
  return join(root, 'node_modules', path);
}

/** Runs a program to its end. Returns what it printed, and its exit code. */
function run(folder: string, command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 100_000 });
  return { status, printed: stdout + stderr };
}

test('the example for vitest', ({ start: _ }, { outputDir }) => {
  const folder = makePackage(outputDir, 'vitest');
  writeFileSync(join(folder, 'add.test.ts'), example('add.test.ts'));
  // Otherwise it finds the config of this repository.
  writeFileSync(join(folder, 'vitest.config.js'), 'export default {};');
  const { status, printed } = run(folder, process.execPath, [tool('vitest/vitest.mjs'), 'run', '--root', folder]);
  expect(printed).toContain('2 passed');
  expect(status).toBe(0);
});

test('the example for node:test', ({ start: _ }, { outputDir }) => {
  const folder = makePackage(outputDir);
  writeFileSync(join(folder, 'add-node.test.mjs'), example('add-node.test.mjs'));
  const { status, printed } = run(folder, process.execPath, ['--test', 'add-node.test.mjs']);
  expect(printed).toContain('pass 2');
  expect(status).toBe(0);
});

test('the example for pytest', ({ start: _ }, { outputDir, skip }) => {
  skip(spawnSync('python3', ['-m', 'pytest', '--version']).status !== 0, 'needs pytest');
  const folder = makePackage(outputDir);
  for (const file of ['conftest.py', 'test_add.py']) writeFileSync(join(folder, file), example(file));
  const { status, printed } = run(folder, 'python3', ['-m', 'pytest', '-p', 'no:cacheprovider', '.']);
  expect(printed).toContain('2 passed');
  expect(status).toBe(0);
});

test('the examples of check, test and diff', ({ start: _ }, { outputDir }) => {
  const folder = makePackage(outputDir);
  const calls = [{ name: 'sum', method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } }];
  writeFileSync(join(folder, 'mcp-inspect.pins.json'), JSON.stringify({ pins: 1, calls }));
  const examples = ['check', 'test', 'diff'].map(
    (name) => docs.split(`\n## ${name}\n`)[1]!.split('```js\n')[1]!.split('```')[0]!,
  );
  const script = `import assert from 'node:assert/strict';
    import { check, diff, inspect, test } from 'mcp-inspect';
    const session = await inspect({ command: 'node', args: ['server.js'] });
    await session.record('approved.mcpr.jsonl');
    await session.listTools();
    await session.close();
    ${examples.map((example) => `{ ${example} }`).join('\n')}`;
  writeFileSync(join(folder, 'examples.mjs'), script);
  expect(run(folder, process.execPath, ['examples.mjs'])).toEqual({ status: 0, printed: '' });
});

/** Uses most of the types, and must not compile with others. */
const TYPED = `
import { chat, check, diff, inspect, InspectError, replay, test, type ChatMessage, type Content, type Session } from 'mcp-inspect';

export async function use(): Promise<string> {
  await using session: Session = await inspect({ command: 'node', args: ['server.js'] }, {
    elicitation: ({ message }) => ({ action: 'accept', content: { message } }),
    sampling: async () => ({ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }),
    roots: () => [{ uri: 'file:///' }],
  });
  const { content } = await session.call('add', { a: 1 }, { timeoutMs: 5, signal: new AbortController().signal });
  const first: Content | undefined = content[0];
  const report = await check({ url: new URL('http://localhost') }, { failOn: 'warning' });
  await check({ recordings: ['a'] }, { baseline: report });
  const { files } = await test({ command: 'node' }, { files: ['a.pins.json'], ignore: ['order'], update: true });
  const { catalogue } = await diff('a.mcpr.jsonl', { command: 'node' }, { failOn: ['breaking', 'tokens+10%'] });
  if (files[0]?.calls[0]?.verdict === 'changed' || catalogue[0]?.change === 'removed') throw new Error('changed');
  await using server = await replay('a.mcpr.jsonl', { pace: 2 });
  try {
    await inspect(server.stdio);
  } catch (error) {
    if (error instanceof InspectError && error.code === 'timeout') throw error;
  }
  const messages: ChatMessage[] = [{ role: 'user', content: 'a' }];
  const answer = await chat({
    ...{ model: 'ollama:m', servers: { session }, messages, allow: ['add'], limits: { calls: 2 } },
    decide: ({ readOnly }) => (readOnly ? 'run' : { answer: 'no', isError: true }),
  });
  await chat({ model: 'ollama:m', messages: [...answer.messages, ...messages] });
  // @ts-expect-error a target is needed
  await inspect({});
  // @ts-expect-error no such option
  await inspect({ command: 'x' }, { protocoll: 'auto' });
  return first?.type === 'text' ? first.text : server.url;
}
`;

for (const [module, resolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
]) {
  test(`its types are valid with --strict and ${resolution}`, ({ start: _ }, { outputDir }) => {
    const folder = makePackage(outputDir);
    writeFileSync(join(folder, 'typed.ts'), TYPED);
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
    const how = ['--module', module!, '--moduleResolution', resolution!, 'typed.ts'];
    expect(run(folder, process.execPath, [tool('typescript/bin/tsc'), ...options, ...how])).toEqual({
      status: 0,
      printed: '',
    });
  });
}

test('exports what docs/library.md lists, and no path of ours', async ({ start: _ }) => {
  const listed = [...docs.split('## What is public')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  const types = readFileSync(join(packageFolder(), 'dist/library.d.ts'), 'utf8');
  const exported = [...types.matchAll(/^export (?:declare )?(?:interface|type|class|function|const) (\w+)/gm)];
  expect(exported.map(([, name]) => name!).sort()).toEqual(listed.sort());
  // A type that the build can't see becomes `any`.
  expect(types).not.toMatch(/\bfrom ['"]|import\(|@\/|\bany[;,)>\]]/);
  const library: object = await import(pathToFileURL(join(packageFolder(), 'dist/library.js')).href);
  expect(Object.keys(library).sort()).toEqual([
    'InspectError',
    'chat',
    'check',
    'diff',
    'inspect',
    'matchers',
    'replay',
    'test',
  ]);
});

test('prints nothing, and ends by itself once everything is closed', ({ start: _ }, { outputDir }) => {
  const folder = makePackage(outputDir);
  writeFileSync(
    join(folder, 'all.mjs'),
    `import { check, inspect, replay } from 'mcp-inspect';
    const server = { command: 'node', args: ['server.js'] };
    for (let n = 0; n < 12; n++) await (await inspect(server)).close();
    const session = await inspect(server);
    await session.record('a.mcpr.jsonl');
    await session.call('add', { a: 1, b: 2 });
    await session.close();
    const replayed = await replay('a.mcpr.jsonl');
    const [client, started] = [await inspect({ url: replayed.url }), await inspect(replayed.stdio)];
    const sums = [client, started].map((each) => each.call('add', { a: 1, b: 2 }));
    const texts = (await Promise.all(sums)).map(({ content }) => content[0].text);
    await Promise.all([client.close(), started.close(), replayed.close()]);
    const { summary } = await check(server);
    if (texts.join() !== '3,3' || !summary.passed) throw new Error(JSON.stringify({ texts, summary }));`,
  );
  expect(run(folder, process.execPath, ['all.mjs'])).toEqual({ status: 0, printed: '' });
});

test('leaves no server when the test runner is killed', async ({ start: _ }, { outputDir }) => {
  const folder = makePackage(outputDir);
  const word = `orphan-${process.pid}-${Date.now()}`;
  writeFileSync(
    join(folder, 'killed.mjs'),
    `import { inspect } from 'mcp-inspect';
    const session = await inspect({ command: 'node', args: ['server.js', '--stubborn', '${word}'] });
    console.log('ready');
    setInterval(() => {}, 1000);`,
  );
  const runner = spawn(process.execPath, ['killed.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(runner.stdout!, 'data');
  expect(hasProcess(word)).toBe(true);
  runner.kill('SIGKILL');
  await expect.poll(() => hasProcess(word)).toBe(false);
});
