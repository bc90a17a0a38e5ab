import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { quote } from 'shlex';
import { demoCommand, expect, hasProcess, hostileCommand } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

const BOX = 'Command line, URL or JSON config';

/** Returns what the hostile server `environ` reports about its own start. */
async function startedWith(bench: Workbench): Promise<{ argv: string[]; cwd: string; env: Record<string, string> }> {
  await bench.tool('echo');
  await bench.call();
  await expect(bench.outcome).toContainText('ok');
  await bench.result.getByRole('button', { name: 'Text', exact: true }).click();
  return JSON.parse(await bench.result.locator('pre').innerText());
}

test('a pasted command line: shows what will run; environment, directory and version can be set @firefox', async ({
  open,
}, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const { page } = await open([], { env: { UNRELATED_SECRET: 'of the shell' } });
  const bench = new Workbench(page);
  const [node, server] = hostileCommand();
  await bench.field(BOX).fill(`${quote(node!)} "${server}" environ "two words" 'a $HOME;b' --flag=c\\ d`);
  const lines = page.getByRole('list', { name: 'Command to run' }).getByRole('listitem');
  await expect(lines).toHaveText([node!, server!, 'environ', "'two words'", "'a $HOME;b'", "'--flag=c d'"]);

  await bench.options();
  await bench.button('Add variable').click();
  await bench.field('Name of new variable').fill('API_TOKEN');
  const token = page.getByLabel('Value of API_TOKEN');
  await token.fill('sesame');
  await expect(token).toHaveAttribute('type', 'password');
  await bench.button('Show').click();
  await expect(token).toHaveAttribute('type', 'text');
  await bench.button('Hide').click();
  await expect(token).toHaveAttribute('type', 'password');
  await bench.button('Add variable').click();
  await bench.field('Name of new variable').fill('GREETING');
  await bench.field('Value of GREETING').fill('hello = world');
  await bench.button('Add variable').click();
  await bench.field('Name of new variable').fill('NODE_OPTIONS');
  await expect(page.getByText('runs code')).toBeVisible();
  await bench.button('Remove NODE_OPTIONS').click();
  await bench.field('Working directory').fill(outputDir);
  await bench.choice('Protocol version').selectOption('2025-06-18');
  await bench.button('Connect').click();
  await bench.connected();

  // The first frame names the variables but not their values.
  await bench.rows.first().click();
  const start = await bench.raw();
  expect(start).toContain('API_TOKEN');
  expect(start).not.toContain('sesame');

  await bench.filter('protocolVersion');
  await bench.rows.filter({ hasText: 'to server' }).first().click();
  expect(await bench.raw()).toContain('"protocolVersion":"2025-06-18"');

  const { argv, cwd, env } = await startedWith(bench);
  expect(argv).toEqual(['two words', 'a $HOME;b', '--flag=c d']);
  expect(cwd).toBe(outputDir);
  expect(env).toMatchObject({ API_TOKEN: 'sesame', GREETING: 'hello = world' });
  expect(Object.keys(env)).not.toContain('UNRELATED_SECRET');
  expect(Object.keys(env)).not.toContain('NODE_OPTIONS');
});

test('the box for a server: invalid input, a pasted JSON config, and URLs without a scheme', async ({ visit }) => {
  const { page } = await visit([]);
  const bench = new Workbench(page);
  await test.step('invalid input is explained: another URL scheme, a truncated config, an open quote', async () => {
    const wrong = [
      ['ftp://mcp.example.com/sse', 'Not an http or https URL'],
      ['{"mcpServers": {', 'Invalid JSON'],
      ['node "server.js', 'has an open quote'],
      ['{"mcpServers": {}}', 'Expected'],
    ] as const;
    for (const [text, sentence] of wrong) {
      await bench.field(BOX).fill(text);
      await expect(bench.button('Connect'), text).toBeDisabled();
      await expect(page.getByText(sentence), text).toBeVisible();
    }
  });

  await test.step('a pasted JSON config: choose a server; its variables become rows', async () => {
    const [command, ...args] = hostileCommand('environ');
    const config = {
      mcpServers: {
        alpha: { command: 'alpha-command' },
        beta: { command, args: [...args, 'one'], env: { BETA_KEY: 'hidden', PLAIN: 'shown' } },
      },
    };
    await bench.field(BOX).fill(JSON.stringify(config, null, 2));
    const lines = page.getByRole('list', { name: 'Command to run' }).getByRole('listitem');
    await expect(lines).toHaveText(['alpha-command']);
    await bench.choice('Server (2 in this config)').selectOption('beta');
    await expect(lines).toHaveText([command!, ...args, 'one']);
    await expect(page.getByLabel('Value of BETA_KEY')).toHaveAttribute('type', 'password');
    await expect(bench.field('Value of PLAIN')).toHaveValue('shown');
    await bench.button('Connect').click();
    await bench.connected();
    await expect((await bench.servers()).getByRole('listitem')).toContainText('beta');
    const { argv, env } = await startedWith(bench);
    expect(argv).toEqual(['one']);
    expect(env).toMatchObject({ BETA_KEY: 'hidden', PLAIN: 'shown' });
  });

  await test.step('a URL without a scheme means http on this machine; for other hosts the page asks', async () => {
    await bench.addServer();
    await bench.field(BOX).fill('localhost:3911/mcp');
    await expect(page.getByText('http://localhost:3911/mcp', { exact: true })).toBeVisible();
    await expect(bench.button('Connect')).toBeEnabled();
    await bench.field(BOX).fill('example.com/mcp');
    await expect(page.getByText('Did you mean https://example.com/mcp?')).toBeVisible();
    await expect(bench.button('Connect')).toBeDisabled();
    await bench.field(BOX).fill("'python3 print.py'");
    await bench.button('Connect').click();
    await expect(
      page.getByText('was passed as one word, so it was looked up as one program name.').first(),
    ).toBeVisible();
  });
});

test('configured servers are listed; their variables’ values never reach the page', async ({ open, page }, {
  outputDir,
}) => {
  mkdirSync(outputDir, { recursive: true });
  const [command, ...args] = hostileCommand('environ');
  const config = {
    mcpServers: {
      files: { command, args, env: { FILES_TOKEN: 'open-sesame-4711', MODE: 'quiet-sesame-4712' } },
      web: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer sesame-4713' } },
    },
  };
  writeFileSync(join(outputDir, 'servers.json'), JSON.stringify(config));
  const traffic: string[] = [];
  const reading: Promise<void>[] = [];
  page.on('response', (response) => {
    if (!new URL(response.url()).pathname.startsWith('/api/')) return;
    // The page cancels a request that a newer event made stale, and sends it again.
    const text = response.text().catch(() => '');
    reading.push(text.then((body) => void traffic.push(body)));
  });
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => void traffic.push(payload.toString()));
    socket.on('framesent', ({ payload }) => void traffic.push(payload.toString()));
  });
  await open(['--config', join(outputDir, 'servers.json')]);
  const bench = new Workbench(page);
  await expect(bench.region('Config file')).toContainText('servers.json');
  await bench.ofServer('files', 'Edit…');
  await expect(bench.field('Name of FILES_TOKEN')).toHaveAttribute('readonly');
  await expect(page.getByLabel('Value of FILES_TOKEN')).toHaveValue('');
  await bench.button('Remove MODE').click();
  await bench.button('Connect').click();
  await bench.connected();
  await bench.panel('Server');
  await expect(bench.region('Process')).toContainText('FILES_TOKEN');
  await bench.filter('tools/list');
  await expect(bench.rows.first()).toContainText('tools/list');

  await Promise.all(reading);
  // Proves that the test does see the traffic.
  expect(traffic.some((text) => text.includes('FILES_TOKEN'))).toBe(true);
  expect(traffic.some((text) => text.includes('tools/list'))).toBe(true);
  expect(traffic.filter((text) => text.includes('sesame-471'))).toEqual([]);
  expect(await page.content()).not.toContain('sesame-471');

  const { env } = await startedWith(bench);
  expect(env).toMatchObject({ FILES_TOKEN: 'open-sesame-4711' });
  expect(Object.keys(env)).not.toContain('MODE');
});

test('a VS Code config: asks for inputs, resolves folders and envFile, marks a disabled server', async ({
  open,
  page,
}, { outputDir }) => {
  const [command, ...args] = hostileCommand('environ');
  const home = join(outputDir, 'home');
  mkdirSync(join(outputDir, '.vscode'), { recursive: true });
  writeFileSync(join(outputDir, '.env'), '# keys\nexport FROM_FILE="of the file"\nBOTH=file\n');
  const config = {
    inputs: [
      { id: 'api-key', type: 'promptString', description: 'Key of the account', password: true },
      { id: 'region', type: 'pickString', description: 'Where it runs', options: ['eu', 'us'], default: 'us' },
    ],
    servers: {
      asks: {
        command,
        args: [...args, '--region=${input:region}', '${input:api-key}'],
        cwd: '${workspaceFolder}',
        envFile: '${workspaceFolder}/.env',
        env: { API_KEY: '${input:api-key}', BOTH: 'own', HOME_OF: '${userHome}', ROOT: '${workspaceFolder}' },
      },
      resting: { command, args, disabled: true },
      lost: { command, args, envFile: 'none.env' },
    },
  };
  const path = join(outputDir, '.vscode', 'mcp.json');
  writeFileSync(path, `// as VS Code writes it\n${JSON.stringify(config, null, 2).replace(/\}$/, ',}')}`);
  const { bin } = await open(['--config', path, '--server', 'asks'], { env: { MCP_INSPECT_HOME: home } });
  const bench = new Workbench(page);
  await expect.poll(() => bin.stderr()).toContain('The config asks for `api-key`, `region`.');

  const rows = page.getByRole('listitem');
  await expect(rows.filter({ has: bench.button('Connect resting') })).toContainText('disabled');
  await expect(rows.filter({ hasText: 'none.env' })).toContainText('does not exist');
  await expect(bench.button('Connect lost')).toBeDisabled();

  // --server names it, so the page asks for its inputs at once.
  const questions = page.getByRole('form', { name: 'Inputs of asks' });
  await expect(questions).toContainText('Key of the account');
  await expect(questions.getByLabel('api-key')).toHaveAttribute('type', 'password');
  await expect(questions.getByLabel('region')).toHaveValue('us');
  await expect(questions.getByRole('button', { name: 'Connect asks' })).toBeDisabled();
  await questions.getByLabel('region').selectOption('eu');
  await questions.getByLabel('api-key').fill('sesame-4720-opens');
  await questions.getByLabel('api-key').press('Enter');
  await bench.connected();

  await bench.rows.first().click();
  const firstFrame = await bench.raw();
  expect(firstFrame).toContain('${input:api-key}');
  expect(firstFrame).not.toContain('sesame-4720');
  const started = await startedWith(bench);
  const env = { API_KEY: 'sesame-4720-opens', FROM_FILE: 'of the file', BOTH: 'own', ROOT: outputDir };
  expect(started).toMatchObject({ argv: ['--region=eu', 'sesame-4720-opens'], cwd: outputDir, env });
  expect(started.env.HOME_OF).toBe(homedir());

  // A restart reuses the answers. Recordings contain none of them.
  await bench.restart();
  await expect(bench.top).toContainText('run 2');
  await bench.connected();
  expect((await startedWith(bench)).argv).toEqual(['--region=eu', 'sesame-4720-opens']);
  bin.kill('SIGTERM');
  await bin.ended;
  const files = readdirSync(join(home, 'recordings')).map((name) =>
    readFileSync(join(home, 'recordings', name), 'utf8'),
  );
  expect(files.join()).toContain('[redacted:given:');
  expect(files.join()).not.toContain('sesame-4720');
});

test('a server on the command line gets the shell’s environment; with --env minimal, only what MCP hosts pass on', async ({
  start,
  page,
}) => {
  const options = { env: { OF_THE_SHELL: 'yes' } };
  const bench = new Workbench(page);
  await page.goto((await start(['--', ...hostileCommand('environ')], options)).link);
  await bench.connected();
  expect((await startedWith(bench)).env).toMatchObject({ OF_THE_SHELL: 'yes' });
  const clean = ['--env', 'minimal', '--env', 'ADDED=a=b'];
  await page.goto((await start([...clean, '--', ...hostileCommand('environ')], options)).link);
  await bench.connected();
  const { env } = await startedWith(bench);
  expect(env).toMatchObject({ ADDED: 'a=b', PATH: process.env.PATH });
  expect(Object.keys(env)).not.toContain('OF_THE_SHELL');
});

test('a server named with --server connects at once, in its own directory', async ({ open }, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const [command, ...args] = hostileCommand('environ');
  const config = {
    servers: { first: { command: 'nothing' }, second: { type: 'stdio', command, args, cwd: outputDir } },
  };
  writeFileSync(join(outputDir, 'mcp.json'), JSON.stringify(config));
  const { page } = await open([
    '--config',
    join(outputDir, 'mcp.json'),
    '--server',
    'second',
    '--protocol',
    '2025-03-26',
  ]);
  const bench = new Workbench(page);
  await bench.connected();
  await expect((await bench.servers()).getByRole('listitem')).toContainText(['second']);
  await expect(bench.top).toContainText('2025-03-26');
  expect((await startedWith(bench)).cwd).toBe(outputDir);
});

test('several connections at once: add, switch, disconnect, restart, remove', async ({ visit }, { testId }) => {
  const word = `second-${testId}`;
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.addServer();
  const dialog = page.getByRole('dialog', { name: 'Add server' });
  await dialog.getByRole('textbox', { name: BOX }).fill(hostileCommand('honest', word).map(quote).join(' '));
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(dialog).toBeHidden();
  const list = (await bench.servers()).getByRole('listitem');
  await expect(list).toHaveCount(2);
  const [demo, hostile] = [list.filter({ hasText: 'Skerry Light' }), list.filter({ hasText: 'hostile' })];
  await bench.connected();
  const tools = page.getByRole('listbox', { name: 'tools' }).getByRole('option');
  await expect(tools).toHaveText(['echo']);

  await demo.getByRole('button').first().click();
  await expect(tools.filter({ hasText: 'send_postcard' })).toBeVisible();
  await page.goBack();
  await expect(tools).toHaveText(['echo']);

  expect(hasProcess(word)).toBe(true);
  await bench.disconnect();
  await bench.servers();
  await expect(hostile).toContainText('closed');
  await expect.poll(() => hasProcess(word)).toBe(false);
  await expect(demo).not.toContainText('closed');
  // A closed connection keeps its tools.
  await expect(tools).toHaveText(['echo']);

  await bench.restart();
  await bench.connected();
  await expect.poll(() => hasProcess(word)).toBe(true);
  await bench.servers();
  await expect(list).toHaveCount(2);
  await expect(bench.top).toContainText('run 2');
  await bench.showRun(1);
  await bench.servers();
  const old = page.getByRole('list', { name: /^Older runs of hostile/ }).getByRole('listitem');
  await expect(old).toContainText('closed');
  await old.hover();
  await old.getByRole('button', { name: /^Remove hostile.*run 1$/ }).click();
  await expect(old).toHaveCount(0);
  await expect(list).toHaveCount(2);
});

test('a failed start is edited, and a pasted VS Code config asks for its inputs', async ({ visit }) => {
  const { page } = await visit(['--', 'no-such-command-anywhere', 'environ']);
  const bench = new Workbench(page);
  await test.step('a failed start can be edited and tried again', async () => {
    await page.getByRole('button', { name: 'Edit and connect again' }).first().click();
    const box = page.getByRole('dialog').getByRole('textbox', { name: BOX });
    await expect(box).toHaveValue('no-such-command-anywhere environ');
    await box.fill(hostileCommand().map(quote).join(' '));
    await box.press('Enter');
    await bench.connected();
    await expect((await bench.servers()).getByRole('listitem')).toHaveCount(2);
  });

  await test.step('a pasted VS Code config asks for its inputs and skips disabled servers', async () => {
    await bench.addServer();
    const [command, ...args] = hostileCommand('environ');
    const config = {
      inputs: [{ id: 'word', type: 'promptString', description: 'Any word' }],
      servers: {
        off: { command: 'off', disabled: true },
        on: { command, args: [...args, '${input:word}'], env: { TWICE: '${input:word}', NONE: '${input:other}' } },
      },
    };
    await bench.field(BOX).fill(JSON.stringify(config));
    await expect(bench.choice('Server (2 in this config)')).toHaveValue('1');
    await expect(page.getByRole('option', { name: 'off (disabled)' })).toBeAttached();
    await expect(bench.button('Connect')).toBeDisabled();
    const inputs = page.getByRole('group', { name: 'Inputs' });
    await inputs.getByLabel('word', { exact: true }).fill('${HOME}');
    // The config does not declare this input, so it may be a password.
    await expect(inputs.getByLabel('other')).toHaveAttribute('type', 'password');
    await inputs.getByLabel('other').fill('x');
    await expect(page.getByText('sent as written')).toHaveCount(0);
    await bench.button('Connect').click();
    await bench.connected();
    expect(await startedWith(bench)).toMatchObject({ argv: ['${HOME}'], env: { TWICE: '${HOME}', NONE: 'x' } });
  });
});
