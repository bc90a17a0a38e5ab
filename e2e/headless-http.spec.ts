import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json, startHttp, text } from '../proxy/connection/fixtures/http-fixture';
import { demoCommand, expect, packageFolder, runBin } from './bin';
import { serversInstalled, test } from './http-servers';

test.describe('subcommands with a server at a URL', () => {
  test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

  for (const name of ['everything', 'everything-sse'] as const) {
    test(`${name}: list, call, read, prompt, raw`, async ({ serve }) => {
      const { url } = await serve(name);
      const list = await runBin(['list', url]);
      expect(list).toMatchObject({ ended: 0, stderr: '' });
      // The server registers its last tool after the handshake, perhaps after the list.
      expect(list.stdout).toMatch(/^tools \(1[23]\)$/m);
      expect(list.stdout).toMatch(/^echo +message /m);
      const tool = await runBin(['call', 'echo', '--arg', 'message=Grüße, 世界 🌍', url]);
      expect(tool).toMatchObject({ ended: 0, stdout: 'Echo: Grüße, 世界 🌍\n' });
      const read = await runBin(['read', 'demo://resource/dynamic/text/7', '--json', url]);
      expect(JSON.parse(read.stdout).contents[0].uri).toBe('demo://resource/dynamic/text/7');
      expect((await runBin(['prompt', 'args-prompt', '--arg', 'city=Oslo', url])).stdout).toContain('Oslo');
      const ping = '{"jsonrpc":"2.0","id":"mine","method":"ping"}';
      const raw = await runBin(['raw', ping, '--json', url]);
      expect(raw).toMatchObject({ ended: 0, stderr: '' });
      expect(JSON.parse(raw.stdout)).toEqual({ jsonrpc: '2.0', id: 'mine', result: {} });
    });
  }

  test('a URL of this machine needs no scheme', async ({ serve }) => {
    const { url } = await serve('modern-reject');
    const bare = url.replace('http://', '');
    const list = await runBin(['list', 'tools', bare]);
    expect(list).toMatchObject({ ended: 0, stderr: `mcp-inspect: Reading \`${bare}\` as ${url}.\n` });
    expect(list.stdout).toMatch(/^in-region /m);
  });

  test('modern: list, call with progress, read, prompt; only the exact result is on stdout', async ({ serve }) => {
    const { url } = await serve('modern-reject');
    expect((await runBin(['list', 'tools', url])).stdout).toMatch(/^in-region +region, query\? /m);
    const exact = await runBin(['call', 'range', '--args', '{"count":3}', '--json', url]);
    expect(exact).toMatchObject({ ended: 0, stderr: '' });
    expect(exact.stdout).toMatch(/^\{.*"structuredContent":\[0,1,2\].*\}\n$/);
    const count = await runBin(['call', 'count', '--arg', 'steps=2', url]);
    expect(count).toMatchObject({ ended: 0, stdout: 'counted to 2\n' });
    expect(count.stderr).toContain('progress | 1 of 2 step 1 of 2\n');
    expect((await runBin(['read', 'fixture://notes', url])).stdout).toBe('A note.\n');
    expect((await runBin(['prompt', 'greet', '--arg', 'name=Ada', url])).stdout).toContain('Greet Ada.');
  });

  test('--protocol sets the version that is used', async ({ serve }) => {
    const { url } = await serve('modern-dual');
    const sum = ['call', 'add', '--arg', 'a=1', '--arg', 'b=2', '--protocol'];
    expect((await runBin([...sum, '2025-06-18', url])).stdout).toContain('3');
    const reject = await serve('modern-reject');
    const refused = await runBin([...sum, '2025-06-18', reject.url]);
    expect(refused).toMatchObject({ ended: 3, stdout: '' });
    expect(refused.stderr).toContain('2026-07-28');
  });

  test('the exit code tells the outcome', async ({ serve }) => {
    const { url } = await serve('everything');
    const own = await runBin(['call', 'echo', '--args', '{}', '--json', url]);
    expect(own.ended).toBe(1);
    expect(JSON.parse(own.stdout)).toMatchObject({ isError: true });
    const none = await runBin(['read', 'demo://nothing', url]);
    expect(none).toMatchObject({ ended: 2, stdout: '' });
    expect(none.stderr).toContain('lists no resource `demo://nothing`');
    const long = ['call', 'trigger-long-running-operation', '--arg', 'duration=60', '--timeout', '1', url];
    expect(await runBin(long)).toMatchObject({ ended: 5, stdout: '' });
    expect(await runBin(['list', url.replace('/mcp', '/elsewhere')])).toMatchObject({ ended: 3, stdout: '' });
  });
});

test('nothing listens: exit code 3 and advice', async () => {
  const { ended, stdout, stderr } = await runBin(['list', 'http://127.0.0.1:1/mcp']);
  expect({ ended, stdout }).toEqual({ ended: 3, stdout: '' });
  expect(stderr).toContain('Start the server');
});

test('a server that never answers: exit code 5', async () => {
  const fixture = await startHttp(() => {});
  try {
    const { ended, stdout } = await runBin(['list', '--timeout', '1', `${fixture.origin}/mcp`]);
    expect({ ended, stdout }).toEqual({ ended: 5, stdout: '' });
  } finally {
    await fixture.close();
  }
});

/** A part of each planted secret. With its letters it can't occur in a time, an id or a digest. */
const PLANTED = 'q4713z';
/** Masked values may show their last four characters. */
const PLANTED_END = PLANTED.slice(-4);

test('headers reach the server but not the output or the recording; a 401 is exit code 3', async ({ page: _ }, {
  outputDir,
}) => {
  mkdirSync(outputDir, { recursive: true });
  const path = join(outputDir, 'refused.mcpr.jsonl');
  const fixture = await startHttp((_seen, response) => text(response, 'no', 401));
  try {
    const given = ['-H', 'Authorization: Bearer sesame-q4713z', '--header', 'X-Team: keepers-q4713z'];
    const { ended, stdout, stderr } = await runBin([
      'list',
      ...given,
      '--record',
      path,
      `${fixture.origin}/mcp?key=url-q4713z`,
    ]);
    expect(ended).toBe(3);
    expect(fixture.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer sesame-q4713z',
      'x-team': 'keepers-q4713z',
    });
    for (const written of [stdout, stderr, readFileSync(path, 'utf8')]) expect(written).not.toContain(PLANTED_END);
  } finally {
    await fixture.close();
  }
});

test('if a web page answers instead of a server, the error quotes its response', async () => {
  const fixture = await startHttp((_seen, response) => json(response, 'hello'));
  try {
    const { ended, stderr } = await runBin(['list', `${fixture.origin}/`]);
    expect(ended).toBe(3);
    expect(stderr).toMatch(
      /^mcp-inspect: .*\nmcp-inspect: Run `.*\nmcp-inspect: The server sent 2 HTTP bodies .* First: `"hello"`\.\n$/,
    );
  } finally {
    await fixture.close();
  }
});

test.describe('--record', () => {
  test('records every frame in complete lines, readable only by the owner', async ({ page: _ }, { outputDir }) => {
    mkdirSync(outputDir, { recursive: true });
    const path = join(outputDir, 'call.mcpr.jsonl');
    const server = demoCommand('--api-key', 'sesame-q4713z');
    const call = ['call', 'count_waves', '--args', '{"waves":9007199254740993}', '--json', '--record', path];
    const { ended, stdout } = await runBin([...call, '--env', 'TOKEN=env-q4713z', '--', ...server]);
    expect(ended).toBe(0);
    expect(stdout).toContain('9007199254740993');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);

    const written = readFileSync(path, 'utf8');
    expect(written).not.toContain(PLANTED_END);
    const lines = written.split('\n');
    expect(lines.pop()).toBe('');
    const [header, ...rest] = lines.map((line) => JSON.parse(line));
    expect(header).toMatchObject({ mcpr: 2, mode: 'client', transport: 'stdio' });
    const end = rest.pop();
    expect(rest.map(({ n }) => n)).toEqual(rest.map((_, index) => index + 1));
    expect(rest.every(({ t }, index) => index === 0 || t >= rest[index - 1].t)).toBe(true);
    expect(rest[0].m).toMatchObject({ event: 'start' });
    expect(rest.at(-1).m).toEqual({ event: 'closed' });
    expect(lines.some((line) => line.includes('"c":"protocol"') && line.includes('9007199254740993'))).toBe(true);
    const before = `${lines.slice(0, -1).join('\n')}\n`;
    expect(end).toMatchObject({
      k: 'end',
      frames: rest.length,
      sha256: createHash('sha256').update(before).digest('hex'),
    });
  });

  test('refuses an existing file before starting the server', async ({ page: _ }, { outputDir }) => {
    mkdirSync(outputDir, { recursive: true });
    const path = join(outputDir, 'precious.mcpr.jsonl');
    writeFileSync(path, 'precious');
    const { ended, stderr } = await runBin(['list', '--record', path, '--', 'no-such-command-anywhere']);
    expect(ended).toBe(2);
    expect(stderr).toContain('already exists: name a new file');
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });

  for (const [signal, complete] of [
    ['SIGTERM', true],
    ['SIGKILL', false],
  ] as const) {
    test(`${signal} during a call: complete lines, ${complete ? 'with an end line' : 'without an end line'}`, async ({
      page: _,
    }, { outputDir }) => {
      mkdirSync(outputDir, { recursive: true });
      const path = join(outputDir, 'killed.mcpr.jsonl');
      const args = ['call', 'climb_tower', '--record', path, '--', ...demoCommand()];
      const child = spawn(process.execPath, [join(packageFolder(), 'dist/cli.js'), ...args], { stdio: 'ignore' });
      await expect.poll(() => (existsSync(path) ? readFileSync(path, 'utf8') : '')).toContain('notifications/progress');
      child.kill(signal);
      await once(child, 'close');
      const lines = readFileSync(path, 'utf8').split('\n');
      // The text after the last line feed may be incomplete.
      lines.pop();
      const kinds = lines.map((line) => JSON.parse(line)).map(({ k, c }) => k ?? c);
      expect(kinds.at(-1) === 'end').toBe(complete);
      expect(kinds).toContain('protocol');
    });
  }
});
