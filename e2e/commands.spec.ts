import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, runBin } from './bin';
import { serversInstalled, test } from './http-servers';

// Every command once, with a server that somebody else wrote, which runs once. What each of them does in detail is
// tested beside its code.

test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

test('every command does its work with a real server', async ({ serve }, { outputDir }) => {
  test.slow();
  const { url } = await serve('everything');
  const home = join(outputDir, 'home');
  const env = { MCP_INSPECT_HOME: home, HOME: home, USERPROFILE: home };
  const run = (...words: string[]) => runBin(words, { cwd: outputDir, env });
  const ran = async (...words: string[]): Promise<string> => {
    const { ended, stdout, stderr } = await run(...words);
    expect(ended, `${words.join(' ')}\n${stderr}`).toBe(0);
    return stdout;
  };
  const parsed = async (...words: string[]): Promise<unknown> => JSON.parse(await ran(...words));
  const file = (name: string): string => join(outputDir, name);

  await test.step('list, call, read, prompt, tasks, raw', async () => {
    expect(await ran('list', 'tools', url)).toMatch(/^echo +message /m);
    expect(await ran('list', 'tools', '--fields', url)).toContain('echo');
    expect(await ran('list', '--by-capability', url)).toContain('sampling');
    expect(await ran('call', 'echo', 'message=hi', '--record', 'a.mcpr.jsonl', url)).toBe('Echo: hi\n');
    expect(await ran('call', 'echo', '--arg', 'message=hi', '--record', 'b.mcpr.jsonl', url)).toBe('Echo: hi\n');
    expect(await ran('read', 'demo://resource/dynamic/text/7', url)).toContain('Resource 7');
    expect(await ran('prompt', 'args-prompt', 'city=Oslo', url)).toContain('Oslo');
    expect(await ran('prompt', 'completable-prompt', '--complete', 'department=E', url)).toContain('Engineering');
    expect((await run('tasks', 'list', url)).ended).toBeLessThan(2);
    expect(await ran('raw', '{"jsonrpc":"2.0","id":1,"method":"ping"}', '--json', url)).toContain('"id":1');
  });

  await test.step('doctor, check, test, diff, replay', async () => {
    expect(await ran('doctor', url)).toContain('Connected');
    expect(await parsed('check', 'a.mcpr.jsonl', '--fail-on', 'error', '--json')).toHaveProperty('summary');
    writeFileSync(file('mcp-inspect.pins.json'), await ran('test', '--add', 'a.mcpr.jsonl'));
    expect(await ran('test', 'mcp-inspect.pins.json', url)).toContain('echo');
    expect(await ran('test', 'a.mcpr.jsonl', url)).toContain('1');
    expect(await ran('diff', 'a.mcpr.jsonl', 'b.mcpr.jsonl', '--fail-on', 'breaking')).toMatch(/tokens/i);
    const script = `replay ${file('a.mcpr.jsonl')}`.split(' ');
    const replayed = await ran('call', 'echo', 'message=hi', '--', process.execPath, cli(), ...script);
    expect(replayed).toBe('Echo: hi\n');
  });

  await test.step('servers, tap, mcp, auth', async () => {
    writeFileSync(file('.mcp.json'), JSON.stringify({ mcpServers: { everything: { url } } }));
    expect(await ran('servers')).toMatch(/HOST|No servers/);
    expect(await ran('auth')).toContain('No sign-in is kept');
    expect((await run('tap', 'add', 'nosuch')).stderr).toContain('nosuch');
    expect((await run('mcp', 'add', 'nosuch')).stderr).toContain('nosuch');
  });

  await test.step('recordings, open, search, query, report, share, export, completion', async () => {
    expect((await run('recordings')).ended).toBe(0);
    await ran('open', '--write', 'site');
    expect(existsSync(file('site/index.html'))).toBe(true);
    expect(await ran('search', 'tool:echo', 'a.mcpr.jsonl')).toContain('echo');
    expect(await ran('report', 'a.mcpr.jsonl')).toContain('echo');
    expect(await ran('report', '--usage', 'a.mcpr.jsonl')).toContain('echo');
    await ran('share', 'a.mcpr.jsonl', '--out', 'shared.mcpr.gz');
    expect(await ran('share', 'a.mcpr.jsonl', '--format', 'md')).toContain('echo');
    // Types are learnt from structured results.
    await ran('call', 'get-structured-content', '--arg', 'location=Chicago', '--record', 'c.mcpr.jsonl', url);
    await ran('export', 'c.mcpr.jsonl', '--format', 'typescript', '--out', 'types.ts');
    expect(readFileSync(file('types.ts'), 'utf8')).toContain('export');
    expect(await ran('completion', 'bash')).toContain('complete');
  });
});

test('a name of before the first release, and a word that is nothing, end at once', async () => {
  expect(await runBin(['verify', 'a.mcpr.jsonl'])).toMatchObject({
    ended: 2,
    stderr: expect.stringContaining('use `mcp-inspect test RECORDING`'),
  });
  expect(await runBin(['nosuch-program'])).toMatchObject({
    ended: 2,
    stderr: expect.stringContaining('neither a command of mcp-inspect, a URL, a file nor a program on PATH'),
  });
});

function cli(): string {
  return join(process.env.MCP_INSPECT_E2E!, 'dist/cli.js');
}
