import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { keptOutput } from '@/proxy/commands/headless/test-connection';
import { requestOf } from '@/proxy/commands/test-command-line';
import { newFolder, removeFolders, serverScript } from '@/proxy/watch/fixtures/edited-server';
import { watchUntilStopped } from './watch-tests';

afterEach(() => {
  vi.unstubAllEnvs();
  removeFolders();
});

/** Writes a server that answers the accepted call, and its pins file. */
function newProject() {
  const folder = newFolder();
  const [server, pins] = [join(folder, 'server.mjs'), join(folder, 'mcp-inspect.pins.json')];
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(server, serverScript(['one']));
  const result = { content: [{ type: 'text', text: 'one' }] };
  writeFileSync(pins, JSON.stringify({ pins: 1, calls: [{ tool: 'one', result }, { tool: 'two' }] }));
  return { server, pins };
}

/** Starts `test --watch`. Always call `interrupt`. */
function start(file: string, server: readonly string[], ...options: string[]) {
  const out = keptOutput();
  let onInterrupt = (): boolean => false;
  const context = {
    request: requestOf('test', file, '--watch', ...options, '--', ...server),
    version: '1',
    home: '',
    printText: () => {},
    printLines: () => {},
    printNote: () => {},
    status: out.status,
  };
  const ended = watchUntilStopped(context, out, (_, interrupt) => {
    onInterrupt = interrupt!;
  });
  const run = (at: number) =>
    vi.waitFor(() => {
      expect(out.stdout.length).toBeGreaterThan(at);
      return out.stdout[at]!.replace(/ {2}[\d.]+ (?:µs|m?s)/g, '');
    }, WAIT);
  const noted = (text: string) => vi.waitFor(() => expect(out.notes.join('\n')).toContain(text), WAIT);
  const interrupt = () => {
    expect(onInterrupt()).toBe(true);
    return ended;
  };
  return { run, noted, interrupt, ended };
}

const WAIT = { timeout: 20_000 };

test('plays the calls again after each save, and prints what is not as before', async () => {
  const { server, pins } = newProject();
  const { run, noted, interrupt } = start(pins, [process.execPath, server]);
  expect(await run(0)).toBe('same     tools/call one\nnew      tools/call two\n2 calls: 1 same, 1 new.');
  await noted('Watching 2 files (');

  writeFileSync(server, serverScript(['one']).replace('text: name', 'text: name + 1'));
  expect(await run(1)).toContain('changed  tools/call one  was same\n');
  await noted('server.mjs was saved.');

  // A server that does not start leaves the watch running.
  writeFileSync(server, 'nonsense here');
  await noted('The server exited with code 1 before it was ready.');

  writeFileSync(server, serverScript(['one']));
  expect(await run(2)).toContain('same     tools/call one  was changed\n');

  writeFileSync(pins, 'nonsense');
  await noted(`\`${pins}\` can’t be used.`);
  writeFileSync(pins, '{"pins":1,"calls":[{"name":"other","tool":"one"}]}');
  expect(await run(3)).toBe('new      other\n1 call: 1 new.');
  expect(readFileSync(pins, 'utf8')).not.toContain('result');
  expect(await interrupt()).toBe(EXIT.fine);
});

test('a build that fails keeps the calls from being played', async () => {
  const { server, pins } = newProject();
  const build = join(newFolder(), 'build.mjs');
  writeFileSync(build, 'console.error("server.ts:3 error:", process.env.OPENAI_API_KEY ?? "no"); process.exit(2)');
  vi.stubEnv('OPENAI_API_KEY', 'key-of-a-model');
  const { run, noted, interrupt } = start(
    pins,
    [process.execPath, server],
    '--on-save',
    `build=${process.execPath} ${build}`,
  );
  await noted('build | server.ts:3 error: no');
  await noted('failed with exit code 2. Fix the error, and save again.');
  writeFileSync(build, '');
  writeFileSync(server, serverScript(['one', 'two']));
  expect(await run(0)).toContain('2 calls: 1 same, 1 new.');
  expect(await interrupt()).toBe(EXIT.fine);
});

test('Ctrl-C ends a server that hangs at its start', async () => {
  const { server, pins } = newProject();
  writeFileSync(server, 'console.error("hanging"); process.stdin.resume(); setInterval(() => {}, 1000)');
  const { noted, interrupt } = start(pins, [process.execPath, server]);
  await noted('stderr | hanging');
  await interrupt();
});

test('refuses --record', async () => {
  const { server, pins } = newProject();
  const { ended } = start(pins, [process.execPath, server], '--record', 'x.mcpr.jsonl');
  await expect(ended).rejects.toMatchObject({ exitCode: EXIT.usage });
});
