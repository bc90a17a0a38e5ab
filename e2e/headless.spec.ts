import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoCommand, expect, hasProcess, hostileCommand, packageFolder, runBin, test } from './bin';
import { CATALOG } from './servers/catalog.mjs';

const DEMO = ['--', ...demoCommand()];

test('lists everything of the demo server as tables', async () => {
  const { ended, stdout } = await runBin(['list', '--demo']);
  expect(ended).toBe(0);
  expect(stdout).toMatch(/^tools \(26\)\nNAME +ARGUMENTS +DESCRIPTION\nwrite_entry {2,}text, keeper, weather\?/);
  // Both pages of resources are in one table.
  expect(stdout).toMatch(/^resources \(14\)$/m);
  expect(stdout).toMatch(/^light:\/\/log\/\{number\} /m);
  expect(stdout).toMatch(/^hail_ship +ship, language\? /m);
});

test('list --json prints each page as the server sent it', async () => {
  const { ended, stdout } = await runBin(['list', 'resources', '--json', ...DEMO]);
  expect(ended).toBe(0);
  const pages = stdout.trimEnd().split('\n');
  expect(pages).toHaveLength(2);
  expect(pages.flatMap((page) => JSON.parse(page).resources)).toHaveLength(14);
});

test.describe('a call', () => {
  const exact = /^\{"resultType":"complete",.*"structuredContent":\{"waves":9007199254740993\}.*\}\n$/;

  for (const [name, args] of [
    ['an argument typed by the schema', ['--arg', 'waves=9007199254740993']],
    ['a JSON argument with :=', ['--arg', 'waves:=9007199254740993']],
    ['--args', ['--args', '{"waves":9007199254740993}']],
    ['arguments', ['--args', '{"waves":9007199254740993}']],
  ] as const) {
    test(`${name}: keeps every digit; only the result is on stdout`, async () => {
      const { ended, stdout } = await runBin(['call', 'count_waves', ...args, '--json', ...DEMO]);
      expect(ended).toBe(0);
      expect(stdout).toMatch(exact);
    });
  }

  test('takes arguments from a file and from stdin', async ({ start: _ }, { outputDir }) => {
    mkdirSync(outputDir, { recursive: true });
    writeFileSync(join(outputDir, 'args.json'), '{\n  "waves": 9007199254740993\n}\n');
    const file = await runBin(['call', 'count_waves', '--args', '@args.json', '--json', ...DEMO], { cwd: outputDir });
    expect(file.stdout).toMatch(exact);

    const bin = join(packageFolder(), 'dist/cli.js');
    const child = spawn(process.execPath, [bin, 'call', 'count_waves', '--args', '-', '--json', '--demo']);
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stdin.end('{"waves":9007199254740993}');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stdout).toMatch(exact);
  });

  test('without --json: prints text, describes other content, and writes notes to stderr', async () => {
    const postcard = await runBin(['call', 'send_postcard', ...DEMO]);
    expect(postcard.stdout).toContain('Greetings from **Skerry Light**.\n');
    expect(postcard.stdout).toMatch(/^\[image image\/png, \d+ bytes; --json has them\]$/m);
    const climb = await runBin(['call', 'climb_tower', '--arg', 'steps=2', '--arg', 'delay_ms=1', ...DEMO]);
    expect(climb).toMatchObject({ ended: 0, stdout: '2 steps up. The view is worth it.\n' });
    expect(climb.stderr).toContain('progress | 1 of 2 Step 1 of 2\n');
    const levels = await runBin(['call', 'call_all_levels', '--protocol', '2025-11-25', ...DEMO]);
    expect(levels.stderr).toMatch(/^log \| error/m);
  });
});

test('reads a resource, gets a prompt, sends a raw message', async () => {
  expect((await runBin(['read', 'light://notice', ...DEMO])).stdout).toMatch(/^\S/);
  const prompt = await runBin(['prompt', 'hail_ship', '--arg', 'ship=42', ...DEMO]);
  expect(prompt.stdout).toMatch(/^user:\nHail the ship "42"/);
  const ping = '{"jsonrpc":"2.0","id":"mine","method":"ping"}';
  const raw = await runBin(['raw', ping, '--protocol', '2025-06-18', ...DEMO]);
  expect(raw).toMatchObject({ ended: 0, stdout: '{"jsonrpc":"2.0","id":"mine","result":{}}\n' });
});

test('calls a tool of a server in a config', async ({ start: _ }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const [command, ...args] = demoCommand();
  writeFileSync(join(outputDir, 'mcp.json'), JSON.stringify({ mcpServers: { light: { command, args } } }));
  const call = ['call', 'echo', '--arg', 'message=hi', '--config', 'mcp.json', '--server', 'light'];
  expect(await runBin(call, { cwd: outputDir })).toMatchObject({ ended: 0, stdout: '{"message":"hi"}\n' });
});

test.describe('the exit code tells the outcome', () => {
  const exit3 = [process.execPath, '-e', 'process.exit(3)'];
  const silent = [process.execPath, '-e', 'process.stdin.resume()'];
  const cases: [string, string[], number, RegExp][] = [
    ['a protocol error', ['call', 'drop_lens', '--json', ...DEMO], 1, /error -32603: The lens is in pieces/],
    ['an unknown resource', ['read', 'light://notic', ...DEMO], 2, /did you mean `light:\/\/notice`/],
    ['a word too many', ['call', 'echo', 'x', '--demo'], 2, /one word too many/],
    ['arguments that are not JSON', ['call', 'echo', '--args', '{', '--demo'], 2, /is not JSON/],
    [
      'an argument of the wrong type',
      ['call', 'climb_tower', '--arg', 'steps=many', '--demo'],
      2,
      /expects an integer in `steps`/,
    ],
    ['an unknown kind', ['list', 'tool', '--demo'], 2, /did you mean `tools`/],
    ['an unknown tool', ['call', 'ecko', ...DEMO], 2, /did you mean `echo`/],
    ['an unknown prompt', ['prompt', 'hail_shp', ...DEMO], 2, /did you mean `hail_ship`/],
    ['a server that exits', ['list', '--', ...exit3], 3, /exited with code 3 before it was ready/],
    ['a missing command', ['list', '--', 'no-such-command-anywhere'], 3, /not found/],
    ['a crash during a call', ['call', 'fall_into_sea', ...DEMO], 3, /exited with code 1 before it answered/],
    [
      'a call without an answer',
      ['call', 'wait_for_ship', '--timeout', '2', ...DEMO],
      5,
      /did not respond within 2 seconds/,
    ],
    [
      'a start without an answer',
      ['list', '--timeout', '0.5', '--', ...silent],
      5,
      /did not respond within 0.5 seconds/,
    ],
  ];
  for (const [name, args, code, sentence] of cases) {
    test(`${code}: ${name}`, async () => {
      const { ended, stdout, stderr } = await runBin(args);
      expect({ ended, stdout }).toEqual({ ended: code, stdout: '' });
      expect(stderr).toMatch(sentence);
    });
  }

  test('1: a tool error, whose result is printed', async () => {
    const { ended, stdout } = await runBin(['call', 'row_in_gale', '--json', ...DEMO]);
    expect(ended).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ isError: true });
  });
});

test.describe('non-MCP output of a server is reported once on stderr', () => {
  const prints = ['--', ...hostileCommand('prints')];
  const sentence = (lines: number) =>
    new RegExp(
      `^mcp-inspect: The server printed ${lines} lines on stdout that are not MCP messages\\. First: \`handling .+\`\\. Print logs to stderr instead\\.$`,
      'm',
    );

  test('list, its fields, and call: stdout and the exit code do not change', async () => {
    // `call` lists the tools first.
    for (const [lines, ...words] of [
      [3, 'list', 'tools'],
      [4, 'call', 'echo', '--args', '{"text":"x"}'],
      [3, 'list', 'tools', '--fields'],
    ] as const) {
      const { ended, stdout, stderr } = await runBin([...words, '--protocol', '2025-11-25', ...prints]);
      expect({ ended, stdout: stdout.includes('handling') }, words[0]).toEqual({ ended: 0, stdout: false });
      expect(stderr).toMatch(sentence(lines));
      expect(stderr.match(/not MCP messages/g)).toHaveLength(1);
    }
  });

  test('doctor reports it on stderr, and as a finding with --json', async () => {
    const text = await runBin(['doctor', '--protocol', '2025-11-25', ...prints]);
    expect(text).toMatchObject({
      ended: 0,
      stdout: expect.stringMatching(/^Connected: protocol .*\n/),
      stderr: expect.stringMatching(/^mcp-inspect: The server printed \d lines? on stdout/m),
    });
    const json = await runBin(['doctor', '--json', '--protocol', '2025-11-25', ...prints]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      code: 'connected',
      findings: [{ code: 'not-mcp', first: 'handling initialize' }],
    });
    const fine = await runBin(['doctor', '--json', '--', ...hostileCommand('honest')]);
    expect(JSON.parse(fine.stdout).findings).toEqual([]);
  });

  test('a call without an answer quotes the line that looks like one', async () => {
    // It also limits the start of the server, which can take long on a busy machine.
    const call = ['call', 'echo', '--request-timeout', '8', '--protocol', '2025-11-25', '--'];
    const nan = await runBin([...call, ...hostileCommand('nan')]);
    expect(nan).toMatchObject({
      ended: 1,
      stderr: expect.stringMatching(/looks like the response to tools\/call: `.+NaN\}\}`\. `NaN` is not JSON\./),
    });
    const silent = await runBin([...call, ...hostileCommand('call-without-end')]);
    expect(silent).toMatchObject({
      ended: 5,
      stderr: expect.stringContaining('It printed only other MCP messages on stdout.'),
    });
    expect(silent.stderr).not.toContain('last line');
  });

  test('an invalid result is printed unchanged, with exit code 1', async () => {
    const call = ['call', 'echo', 'text=x', '--json', '--protocol', '2025-11-25', '--'];
    const none = await runBin([...call, ...hostileCommand('any-result')]);
    expect(none).toMatchObject({
      ended: 1,
      stdout: 'null\n',
      stderr: 'mcp-inspect: Invalid result in MCP 2025-11-25: the result is null, expected an object.\n',
    });
    const wrong = await runBin([...call, ...hostileCommand('any-result', '{"contents":"nope"}')]);
    expect(wrong).toMatchObject({
      ended: 1,
      stdout: '{"contents":"nope"}\n',
      stderr: expect.stringContaining('`content` is missing.'),
    });
  });
});

test('raw sends any text, and prints the error that refuses it', async () => {
  const raw = await runBin(['raw', '{"jsonrpc":', '--protocol', '2025-11-25', '--', ...hostileCommand('refuses-text')]);
  const message = `Parse error: ${Buffer.from('{"jsonrpc":').toString('hex')}`;
  expect(raw).toMatchObject({
    ended: 1,
    stdout: `${JSON.stringify({ jsonrpc: '2.0', error: { code: -32700, message } })}\n`,
    stderr: '',
  });
});

test('a byte order mark on the first line is reported, and the call works', async () => {
  const call = ['call', 'echo', '--arg', 'text=x', '--protocol', '2025-11-25', '--', ...hostileCommand('bom')];
  expect(await runBin(call)).toMatchObject({
    ended: 0,
    stdout: 'x\n',
    stderr: expect.stringMatching(/^mcp-inspect: The server’s output starts with a byte order mark .+\n$/),
  });
});

test('a result that does not match its outputSchema is printed exactly, with exit code 1', async () => {
  const call = ['call', 'echo', 'text=x', '--json', '--protocol', '2025-11-25', '--'];
  const wrong = hostileCommand('output', '{"n":"1"}');
  expect(await runBin([...call, ...wrong])).toEqual({
    ended: 1,
    stdout: '{"content":[],"structuredContent":{"n":"1"}}\n',
    stderr:
      'mcp-inspect: The result does not match the tool’s outputSchema: `structuredContent.n` is a string, expected a number.\n',
  });
});

test.describe('an stdout that can’t be written', () => {
  test.skip(process.platform !== 'linux', 'needs /dev/full and /proc');

  /** Runs the bin by a shell command, in which "$@" is its command line. */
  async function inShell(script: string, args: readonly string[]) {
    const bin = join(packageFolder(), 'dist/cli.js');
    const child = spawn('bash', ['-c', script, 'bash', process.execPath, bin, ...args], {
      env: { ...process.env, MCP_INSPECT_HOME: test.info().outputPath('home') },
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, stderr };
  }

  for (const [what, args] of [
    ['list', ['list', 'tools', '--demo']],
    ['call', ['call', 'echo', 'message=hi', '--demo']],
    ['servers', ['servers']],
    ['help', ['--help']],
  ] as const) {
    test(`full: ${what} ends with a sentence and 70`, async () => {
      const { code, stderr } = await inShell('"$@" > /dev/full', args);
      expect(code).toBe(70);
      expect(stderr.split('\n').filter((line) => line.startsWith('mcp-inspect'))).toEqual([
        'mcp-inspect: Could not write to stdout: the disk is full. Make room, or send the output elsewhere.',
      ]);
    });

    test(`closed: ${what} ends silently with 141`, async () => {
      const { code, stderr } = await inShell('"$@" | true; exit "${PIPESTATUS[0]}"', args);
      expect({ code, ours: /mcp-inspect|Error/.test(stderr) }).toEqual({ code: 141, ours: false });
    });
  }

  test('a recording that is cut ends with a sentence and 70, although the call went well', async () => {
    const file = test.info().outputPath('cut.mcpr.jsonl');
    const args = ['call', 'echo', '--record', file, '--demo', '--arg', 'message=hi'];
    const { code, stderr } = await inShell(`trap '' XFSZ; ulimit -f 4; "$@"`, args);
    expect(code).toBe(70);
    expect(stderr).toContain(`The recording \`${file}\` is incomplete: the file has reached its maximum size.`);
  });

  test('leaves no process running', async ({ start: _ }, { testId }) => {
    const word = `headless-${testId}`;
    const { code } = await inShell('"$@" | true; exit "${PIPESTATUS[0]}"', ['list', '--', ...demoCommand(word)]);
    expect({ code, runs: hasProcess(word) }).toEqual({ code: 141, runs: false });
  });
});

test.describe('no process is left running', () => {
  test.skip(process.platform !== 'linux', 'looks for processes in /proc');

  test('after a call, including the server’s own children', async ({ start: _ }, { testId }) => {
    const word = `headless-${testId}`;
    const server = ['sh', '-c', 'sleep 1000 & exec "$@"', 'sh', ...demoCommand(word)];
    const { ended } = await runBin(['call', 'echo', '--', ...server]);
    expect(ended).toBe(0);
    expect(hasProcess(word)).toBe(false);
  });

  for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
    test(`after ${signal} during a call`, async ({ start: _ }, { testId }) => {
      const word = `headless-${testId}`;
      const bin = join(packageFolder(), 'dist/cli.js');
      const child = spawn(process.execPath, [bin, 'call', 'climb_tower', '--', ...demoCommand(word)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      await expect.poll(() => stderr).toContain('progress | 1 of');
      child.kill(signal);
      expect(await once(child, 'close')).toEqual([code, null]);
      expect(hasProcess(word)).toBe(false);
    });
  }

  test('after SIGKILL', async ({ start: _ }, { testId }) => {
    const word = `headless-${testId}`;
    const bin = join(packageFolder(), 'dist/cli.js');
    const child = spawn(process.execPath, [bin, 'call', 'wait_for_ship', '--', ...demoCommand(word)], {
      stdio: 'ignore',
    });
    await expect.poll(() => hasProcess(word)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
    await expect.poll(() => hasProcess(word), { timeout: 5000 }).toBe(false);
  });
});

test('subcommand --help and --version; `--` runs a program named like a subcommand', async () => {
  const { ended, stdout } = await runBin(['call', '--help']);
  expect(ended).toBe(0);
  for (const words of ['--args', '--timeout', 'K:=V', 'help connecting']) expect(stdout).toContain(words);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(115);
  expect((await runBin(['list', '--version'])).stdout).toBe((await runBin(['--version'])).stdout);
  expect((await runBin(['help', 'connecting'])).stdout).toContain('mcp-inspect -- list');
});

test('a subcommand loads no HTTP modules', async () => {
  const code = `process.on('exit', () => {
    const loaded = process.moduleLoadList.filter((name) => /NativeModule (http|https|http2|_http_server)$/.test(name));
    require('node:fs').writeSync(2, 'loaded: ' + JSON.stringify(loaded) + '\\n');
  })`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(
    `import { createRequire } from 'node:module'; const require = createRequire('file:///x'); ${code}`,
  )}`;
  const { stderr } = await runBin(['call', 'echo', '--demo'], { env: { NODE_OPTIONS: preload } });
  expect(stderr).toContain('loaded: []');
});

test.describe('real servers', () => {
  const everything = CATALOG.find(({ name }) => name === 'everything')!;
  test.skip(!existsSync(everything.args[0]!), 'needs the real servers: run `npm ci` in e2e/servers');
  const server = ['--', everything.command, ...everything.args];

  test('everything: shows all 19 tools to a client with all capabilities, and gets answers from a file', async ({
    start: _,
  }, { outputDir }) => {
    const tools = async (...options: string[]) => {
      const { stdout } = await runBin(['list', 'tools', '--json', ...options, ...server]);
      return JSON.parse(stdout).tools.map(({ name }: { name: string }) => name);
    };
    expect(await tools('--capabilities', 'all')).toHaveLength(19);
    expect(await tools()).toHaveLength(13);
    expect(await tools('--capabilities', '{"roots":{}}')).toContain('get-roots-list');

    mkdirSync(outputDir, { recursive: true });
    const answers = join(outputDir, 'answers.json');
    const said = { role: 'assistant', content: { type: 'text', text: 'Aye.' }, model: 'me' };
    const given = { action: 'accept', content: { name: 'Ada' } };
    writeFileSync(
      answers,
      JSON.stringify({ 'sampling/createMessage': { result: said }, 'elicitation/create': [{ result: given }] }),
    );
    const call = (...words: string[]) => runBin(['call', ...words, '--answers', answers, ...server]);
    expect((await call('trigger-sampling-request', '--arg', 'prompt=hi')).stdout).toContain('Aye.');
    expect((await call('trigger-elicitation-request')).stdout).toContain('Ada');
    const asTask = await call('trigger-sampling-request-async', '--arg', 'prompt=hi', '--capabilities', 'all');
    expect(asTask.stdout).toMatch(/^\[COMPLETED\][\s\S]+Aye\./);
  });

  test('everything: list, call, read, prompt', async () => {
    const list = await runBin(['list', ...server]);
    expect(list.ended).toBe(0);
    expect(list.stdout).toMatch(/^echo +message /m);
    const sum = await runBin(['call', 'get-sum', '--arg', 'a=1e3', '--arg', 'b=0.5', ...server]);
    expect(sum).toMatchObject({ ended: 0, stdout: expect.stringContaining('1000.5') });
    const tool = await runBin(['call', 'echo', '--arg', 'message=Grüße, 世界 🌍', ...server]);
    expect(tool.stdout).toBe('Echo: Grüße, 世界 🌍\n');
    const prompt = await runBin(['prompt', 'args-prompt', '--arg', 'city=Oslo', ...server]);
    expect(prompt.stdout).toContain('Oslo');
    const read = await runBin(['read', 'demo://resource/dynamic/text/7', '--json', ...server]);
    expect(JSON.parse(read.stdout).contents[0].uri).toBe('demo://resource/dynamic/text/7');
  });
});

test('diff compares one server in two versions, and names the side that can’t be reached', async ({ start: _ }, {
  outputDir,
}) => {
  mkdirSync(outputDir, { recursive: true });
  const calls = [{ tool: 'echo', arguments: { message: 'a' } }];
  writeFileSync(join(outputDir, 'mcp-inspect.pins.json'), JSON.stringify({ pins: 1, calls }));
  const named = ['--pins', 'mcp-inspect.pins.json', '--report', 'junit=diff.xml'];
  const diff = ['diff', ...named, ...DEMO, '---'];
  const versions = await runBin([...diff, '--protocol', '2025-11-25'], { cwd: outputDir });
  expect(versions).toMatchObject({ ended: 0, stdout: expect.stringMatching(/^A {2}.*\nB {2}.*--protocol 2025-11-25/) });
  expect(versions.stdout).toContain('No difference: the server offers the same, 1 call got the same response.');
  expect(existsSync(join(outputDir, 'diff.xml'))).toBe(true);
  const gone = await runBin([...diff, ...hostileCommand('exit-at-once')], { cwd: outputDir });
  expect(gone).toMatchObject({ ended: 3, stdout: '', stderr: expect.stringMatching(/^mcp-inspect: B: .*exited/m) });
});
