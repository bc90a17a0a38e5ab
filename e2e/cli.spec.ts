import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { demoCommand, expect, hasProcess, hostileCommand, packageFolder, runBin, test } from './bin';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

test('--version and -v print the version', async () => {
  for (const flag of ['--version', '-v']) {
    expect(await runBin([flag])).toEqual({ ended: 0, stdout: `${version}\n`, stderr: '' });
  }
});

test('`help` and `version` work as subcommands, start no server and record nothing', async ({ start: _ }, {
  outputDir,
}) => {
  expect(await runBin(['version'])).toEqual({ ended: 0, stdout: `${version}\n`, stderr: '' });
  expect(await runBin(['help'])).toEqual(await runBin(['--help']));
  for (const word of ['list', 'share', 'open']) {
    expect(await runBin(['help', word])).toEqual(await runBin([word, '--help']));
  }
  expect(await runBin(['help', 'lsit'])).toMatchObject({ ended: 2, stderr: expect.stringContaining('`help list`') });
  expect(existsSync(join(outputDir, 'home'))).toBe(false);
});

test('a quoted command line gets advice; a URL of another machine needs its scheme', async () => {
  const quoted = await runBin(['list', '--', 'python3 print.py']);
  expect(quoted).toMatchObject({ ended: 3, stderr: expect.stringContaining('Remove the quotes: `python3 print.py`.') });
  for (const args of [
    ['--no-open', 'example.com/mcp'],
    ['list', 'example.com/mcp'],
    ['doctor', '--', 'example.com/mcp'],
  ]) {
    const { ended, stderr } = await runBin(args);
    expect({ ended, stderr }).toEqual({
      ended: 2,
      stderr: expect.stringContaining('Did you mean https://example.com/mcp?'),
    });
  }
});

test('VS Code inputs in a terminal: --input, variables and defaults; a missing input is an error', async ({
  start: _,
}, { outputDir }) => {
  mkdirSync(join(outputDir, '.vscode'), { recursive: true });
  const [command, ...args] = hostileCommand('environ', '${input:region}', '${workspaceFolder}');
  const config = {
    inputs: [
      { id: 'api-key', type: 'promptString', password: true },
      { id: 'region', type: 'promptString', default: 'eu' },
    ],
    servers: { asks: { command, args, disabled: true, env: { API_KEY: '${input:api-key}' } } },
  };
  writeFileSync(join(outputDir, '.vscode/mcp.json'), JSON.stringify(config));
  const call = ['call', 'echo', '--config', '.vscode/mcp.json', '--server', 'asks'];
  const open = await runBin(call, { cwd: outputDir });
  expect(open).toMatchObject({ ended: 2, stdout: '', stderr: expect.stringContaining('Add `--input api-key=VALUE`') });

  const record = ['--record', join(outputDir, 'a.mcpr.jsonl')];
  const given = await runBin([...call, ...record, '--input', 'api-key=sesame-4730'], { cwd: outputDir });
  expect(given.ended).toBe(0);
  expect(given.stderr).toContain('`asks` is disabled in its config.');
  expect(given.stderr).toContain('Using the default of `region`, `eu`.');
  expect(JSON.parse(given.stdout)).toMatchObject({ argv: ['eu', outputDir], env: { API_KEY: 'sesame-4730' } });
  expect(readFileSync(join(outputDir, 'a.mcpr.jsonl'), 'utf8')).not.toContain('sesame');

  const env = { MCP_INSPECT_INPUT_API_KEY: 'of the shell', MCP_INSPECT_INPUT_REGION: 'us' };
  const started = JSON.parse((await runBin(call, { cwd: outputDir, env })).stdout);
  expect(started).toMatchObject({ argv: ['us', outputDir], env: { API_KEY: 'of the shell' } });
});

test('--help is one screen, and its topics have every option', async () => {
  const { ended, stdout, stderr } = await runBin(['--help']);
  expect({ ended, stderr }).toEqual({ ended: 0, stderr: '' });
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(45);
  const [page, connecting] = [(await runBin(['help', 'page'])).stdout, (await runBin(['help', 'connecting'])).stdout];
  for (const name of ['--port', '--listen', '--page', 'url=', 'linger=', '--no-open']) expect(page).toContain(name);
  for (const name of 'config server demo protocol transport header env intercept cwd allow-link-local'.split(' '))
    expect(connecting).toContain(`--${name}`);
});

test.describe('a usage error is one line on stderr, and exit code 2', () => {
  const FILES = {
    'good.json': '{"mcpServers": {"files": {"command": "x"}, "web": {"url": "https://h"}}}',
    'torn.json': '{"mcpServers": ',
    'empty.json': '{}',
  };
  const cases: [string, string[], RegExp][] = [
    ['a mistyped option', ['--prot', '0'], /did you mean `--protocol`/],
    ['an unknown option', ['--frobnicate'], /see `mcp-inspect --help`/],
    ['a port out of range', ['--port', '70000'], /from 0 to 65535/],
    ['an unknown transport', ['--transport', 'ws', 'http://h/'], /choose from auto, http, sse/],
    ['an unknown protocol version', ['--protocol', '2020-01-01', 'node'], /choose from auto/],
    ['a missing config', ['--config', 'none.json'], /The config file `.+` does not exist/],
    ['a folder as config', ['--config', '.'], /It is not a file/],
    ['a truncated config', ['--config', 'torn.json'], /not valid JSON. Line 1, column 16: value expected/],
    ['a config without servers', ['--config', 'empty.json'], /names no servers/],
    ['a mistyped server name', ['--config', 'good.json', '--server', 'fils'], /did you mean `files`/],
    ['an unknown server', ['--config', 'good.json', '--server', 'other'], /it has `files`, `web`/],
    ['a missing directory', ['--cwd', 'none', 'node'], /There is no directory/],
    ['every network without a public URL', ['--listen', '0.0.0.0'], /every network/],
    ['a public URL without a scheme', ['--page', 'url=localhost:9999'], /not an address of the page/],
    ['a public URL with a path that the page uses', ['--page', 'url=https://h/api'], /which the page uses itself/],
  ];
  for (const [name, args, sentence] of cases) {
    test(name, async ({ start: _ }, { outputDir }) => {
      mkdirSync(outputDir, { recursive: true });
      for (const [file, text] of Object.entries(FILES)) writeFileSync(join(outputDir, file), text);
      const { ended, stdout, stderr } = await runBin(['--no-open', ...args], { cwd: outputDir });
      expect({ ended, stdout }).toEqual({ ended: 2, stdout: '' });
      expect(stderr).toMatch(sentence);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    });
  }

  test('a port in use', async ({ start }) => {
    const { link } = await start([]);
    const { ended, stderr } = await runBin(['--no-open', '--port', new URL(link).port]);
    expect(ended).toBe(2);
    expect(stderr).toMatch(/taken/);
  });
});

test('prints the version first, and the link on a line of its own', async ({ start }) => {
  const bin = await start([]);
  const lines = bin.stdout().split('\n');
  expect(lines[0]).toBe(`mcp-inspect ${version}`);
  expect(bin.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#launch=[\w-]+$/);
  expect(lines).toContain(bin.link);
});

test('if the default port is taken, uses another and says so', async ({ start }) => {
  const holder = createServer();
  // If another process holds the port already, the test works too.
  await new Promise((resolve) => holder.once('error', resolve).listen(6270, '127.0.0.1', () => resolve(undefined)));
  const bin = await start(['--default-port']);
  await expect.poll(() => bin.stdout()).toContain(`Port 6270 is taken, so the page is on ${new URL(bin.link).port}.`);
  holder.close();
});

test('without the token, only the page and its scripts are served', async ({ start, request }) => {
  const bin = await start([]);
  const page = await request.get(new URL('/', bin.link).href);
  expect(page.status()).toBe(200);
  expect(await page.text()).toContain('<script');
  expect((await request.get(new URL('/api/servers', bin.link).href)).status()).toBe(401);
});

test.describe('no server process outlives mcp-inspect', () => {
  test.skip(process.platform !== 'linux', 'looks for processes in /proc');

  for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const, ['SIGHUP', 129] as const]) {
    test(`${signal} ends the servers and exits with ${code}`, async ({ start }, { testId }) => {
      const word = `marked-${testId}`;
      const bin = await start(['--', 'sh', '-c', `sleep 1000 & exec "$@"`, 'sh', ...demoCommand(word)]);
      await expect.poll(() => hasProcess(word)).toBe(true);
      bin.kill(signal);
      expect(await bin.ended).toBe(code);
      expect(hasProcess(word)).toBe(false);
    });
  }

  /** Returns a process that ignores stdin's end and SIGTERM. Its title is `deaf-…` as soon as it does. */
  const deaf = (id: string): string[] => {
    const code = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.title = 'deaf-' + process.argv[1];`;
    return [process.execPath, '-e', code, id];
  };

  test('a server that ignores SIGTERM is killed', async ({ start }, { testId }) => {
    const word = `deaf-${testId}`;
    const bin = await start(['--', ...deaf(testId)]);
    await expect.poll(() => hasProcess(word)).toBe(true);
    bin.kill('SIGTERM');
    expect(await bin.ended).toBe(143);
    expect(hasProcess(word)).toBe(false);
  });

  test('a second Ctrl-C kills the server and exits at once', async ({ start }, { testId }) => {
    const word = `deaf-${testId}`;
    const bin = await start(['--', ...deaf(testId)]);
    await expect.poll(() => hasProcess(word)).toBe(true);
    const startedAt = performance.now();
    bin.kill('SIGINT');
    const again = setInterval(() => bin.kill('SIGINT'), 100);
    expect(await bin.ended).toBe(130);
    clearInterval(again);
    // Closing stdin, SIGTERM and SIGKILL in turn would take 3 s.
    expect(performance.now() - startedAt).toBeLessThan(2900);
    await expect.poll(() => hasProcess(word)).toBe(false);
  });

  test('servers end after SIGKILL of mcp-inspect too', async ({ start }, { testId }) => {
    const word = `deaf-${testId}`;
    const bin = await start(['--', ...deaf(testId)]);
    await expect.poll(() => hasProcess(word)).toBe(true);
    bin.kill('SIGKILL');
    expect(await bin.ended).toBe('SIGKILL');
    await expect.poll(() => hasProcess(word), { timeout: 5000 }).toBe(false);
  });
});

test.describe('in a POSIX shell', () => {
  test.skip(process.platform === 'win32', 'needs signals and ulimit');

  test('SIGUSR1 opens no debugger in the process that has the token', async ({ start }) => {
    const bin = await start(['--', ...demoCommand()]);
    bin.kill('SIGUSR1');
    // Node opens one in any other process. By then it would have in ours.
    const other = spawn(process.execPath, ['--inspect-port=0', '-e', 'console.log("up"); setInterval(() => {}, 1000)']);
    let printed = '';
    for (const pipe of [other.stdout, other.stderr]) pipe.on('data', (text) => (printed += text));
    await expect.poll(() => printed).toContain('up');
    other.kill('SIGUSR1');
    await expect.poll(() => printed).toContain('Debugger listening');
    other.kill('SIGKILL');
    expect(bin.stderr()).not.toContain('Debugger');
    expect((await fetch(new URL('/host.json', bin.link))).status).toBe(200);
  });

  test('a debugger that SIGUSR1 opens before our first line is closed', async ({ start: _ }, { outputDir }) => {
    const early = `import { url } from 'node:inspector';
      process.kill(process.pid, 'SIGUSR1');
      while (url() === undefined) await new Promise(setImmediate);`;
    const preload = ['--inspect-port=0', '--import', `data:text/javascript,${encodeURIComponent(early)}`];
    const words = [join(packageFolder(), 'dist/cli.js'), '--no-open', '--port', '0', '--demo'];
    const env = { ...process.env, MCP_INSPECT_HOME: outputDir };
    const bin = spawn(process.execPath, [...preload, ...words], { env });
    try {
      let printed = '';
      for (const pipe of [bin.stdout, bin.stderr]) pipe.on('data', (text) => (printed += text));
      await expect.poll(() => printed).toContain('Open this link');
      const [, address] = /Debugger listening on ws:\/\/([\d.:]+)/.exec(printed) ?? [];
      await expect(fetch(`http://${address}/json/list`)).rejects.toThrow('fetch failed');
    } finally {
      bin.kill('SIGTERM');
    }
  });

  for (const limit of [22, 30]) {
    test(`a limit of ${limit} descriptors is one sentence`, async ({ start: _ }, { outputDir }) => {
      const line = `ulimit -n ${limit}; exec "$@" 2>&1`;
      const words = [process.execPath, join(packageFolder(), 'dist/cli.js'), '--no-open', '--port', '0', '--demo'];
      const env = { ...process.env, MCP_INSPECT_HOME: outputDir };
      const { stdout, status } = spawnSync('/bin/sh', ['-c', line, 'sh', ...words], { env, encoding: 'utf8' });
      expect(stdout).toBe(
        'mcp-inspect: This shell allows too few open files. Run `ulimit -n 4096`, then start again.\n',
      );
      expect(status).toBe(70);
    });
  }
});

test('the package has no dependencies, no install scripts, an engine, a bin and a licence', async () => {
  const json = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
  expect(json.dependencies ?? {}).toEqual({});
  expect(Object.keys(json.scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
  expect(json.engines.node).toBe('>=20.19');
  expect(readFileSync(join(packageFolder(), json.bin['mcp-inspect']), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(readFileSync(join(packageFolder(), 'LICENSE'), 'utf8')).toMatch(/^MIT License/);
});
