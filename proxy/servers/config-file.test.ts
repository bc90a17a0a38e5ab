import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readServers } from '@/lib/wire/server-config';
import { type ConfigContext, type ConfigServer, fillEntry, readConfigFile, withEnvFile } from './config-file';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads the servers of a config, and throws what is wrong with it. */
async function read(
  text: string,
  context: Partial<ConfigContext> = {},
  path = join(folder, 'config.json'),
): Promise<readonly ConfigServer[]> {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const found = await readConfigFile(path);
  if ('wrong' in found) throw new Error(found.wrong);
  const filling = { environment: {}, cwd: '/where', inputs: new Map(), ...context };
  return Promise.all(found.entries.map((entry) => withEnvFile(fillEntry(entry, path, filling))));
}

async function first(servers: ReturnType<typeof read>): Promise<ConfigServer> {
  return (await servers)[0]!;
}

function one(entry: object, environment = {}, context: Partial<ConfigContext> = {}): Promise<ConfigServer> {
  return first(read(JSON.stringify({ mcpServers: { one: entry } }), { environment, ...context }));
}

/** The effect of `--server one --env NAME=…`. */
const given = (...names: string[]): Partial<ConfigContext> => ({
  overrides: { variables: new Set(names), headers: new Set(names.map((name) => name.toLowerCase())) },
});

test('keeps environment values apart from the target', async () => {
  expect(await one({ command: 'node', args: ['s.js'], cwd: '/srv', env: { KEY: 'secret', GONE: null } })).toMatchObject(
    {
      name: 'one',
      target: { transport: 'stdio', name: 'one', command: 'node', args: ['s.js'], cwd: '/srv' },
      env: { KEY: 'secret' },
    },
  );
});

describe('placeholders', () => {
  const entry = {
    command: '${BIN}',
    args: ['${env:HOME}/x', '${NO:-fallback}'],
    cwd: '${HOME}',
    env: { K: '${TOKEN}' },
  };

  test('are filled from the environment', async () => {
    const { target, filled, env, problem } = await one(entry, { BIN: 'node', HOME: '/home/me', TOKEN: 't' });
    expect(filled).toEqual({ command: 'node', args: ['/home/me/x', 'fallback'], cwd: '/home/me' });
    expect(target).toMatchObject({ command: '${BIN}', args: entry.args, cwd: '${HOME}' });
    expect(env).toEqual({ K: 't' });
    expect(problem).toBeUndefined();
  });

  test('named like members of `Object.prototype` are not variables', async () => {
    const { filled, problem } = await one({ command: 'x', args: ['${constructor}', '${__proto__}'] }, {});
    expect(filled?.args).toEqual(['${constructor}', '${__proto__}']);
    expect(problem).toContain('${constructor}');
  });

  test('without a value are a problem that names them', async () => {
    const { problem } = await one(
      { command: 'x', env: { A: '${env:key}', B: '${NOPE}', C: '${TOKEN}' } },
      { TOKEN: 'secret' },
    );
    expect(problem).toContain('${env:key}, ${NOPE}');
    expect(problem).not.toContain('secret');
  });

  test('are not missing if --env gives the variable', async () => {
    expect(await one({ command: 'x', env: { A: '${KEY}' } }, {}, given('A'))).not.toHaveProperty('problem');
    expect(await one({ command: 'x', env: { a: '${KEY}' } }, {}, given('A'))).toHaveProperty('problem');
    expect(await one({ url: 'https://h', headers: { AUTH: '${KEY}' } }, {}, given('Auth'))).not.toHaveProperty(
      'problem',
    );
    expect((await one({ command: 'x', env: { A: '${input:key}' } }, {}, given('A'))).inputs).toEqual([]);
  });

  test('an environment value is not read for placeholders again', async () => {
    expect((await one({ command: 'x', env: { A: '${B}' } }, { B: '${C}', C: 'no' })).env).toEqual({ A: '${C}' });
  });
});

describe('a URL server', () => {
  test('has its placeholders filled, and its header values kept apart from the target', async () => {
    const entry = { url: 'https://${HOST}/mcp', headers: { Authorization: 'Bearer ${TOKEN}', 'X-None': null } };
    expect(await one(entry, { HOST: 'h', TOKEN: 't' })).toMatchObject({
      name: 'one',
      target: { transport: 'auto', name: 'one', url: 'https://${HOST}/mcp' },
      filledUrl: 'https://h/mcp',
      env: { Authorization: 'Bearer t' },
    });
  });

  test('says which variable is missing', async () => {
    expect((await one({ url: 'https://h/mcp', headers: { A: '${TOKEN}' } })).problem).toContain('${TOKEN}');
  });

  test('keeps user and password out of the target', async () => {
    const { target, env } = await one({ type: 'sse', url: 'https://u:s3cret@h/sse' });
    expect(target).toEqual({ transport: 'sse', name: 'one', url: 'https://h/sse' });
    expect(env).toEqual({ Authorization: `Basic ${Buffer.from('u:s3cret').toString('base64')}` });
  });
});

test('reads a byte order mark and comments', async () => {
  expect(await read('\uFEFF{ // mine\n "servers": { "a": { "command": "x", }, }, }')).toMatchObject([{ name: 'a' }]);
});

describe('configs that tools of Windows wrote', () => {
  const CONFIG = '{\r\n  "mcpServers": { "a": { "command": "x", "env": { "NAME": "Zażółć 東京" } } }\r\n}\r\n';
  const littleEndian = Buffer.from(`\uFEFF${CONFIG}`, 'utf16le');
  const path = join(folder, 'windows.json');

  test.each([
    ['UTF-16', littleEndian, 'UTF-16 text'],
    ['UTF-16, big-endian', Buffer.from(littleEndian).swap16(), 'UTF-16 text'],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${CONFIG}`), 'a byte order mark'],
    ['comments', Buffer.from(`// mine\r\n${CONFIG}`), 'comments or trailing commas'],
    ['both', Buffer.from(`\uFEFF// mine\r\n${CONFIG}`), 'a byte order mark and comments or trailing commas'],
  ])('%s: is read, and the note says who can’t', async (_, bytes, named) => {
    writeFileSync(path, bytes);
    expect(await readConfigFile(path)).toMatchObject({
      entries: [{ name: 'a', target: { command: 'x', env: { NAME: 'Zażółć 東京' } } }],
      note: `\`${path}\` has ${named}. Claude Desktop can’t read such a file.`,
    });
  });

  test('plain JSON needs no note', async () => {
    writeFileSync(path, CONFIG);
    expect(await readConfigFile(path)).not.toHaveProperty('note');
  });
});

describe('unreadable configs', () => {
  test.each([
    ['{"mcpServers":{"a":{"command":"C:\\Users\\me"}}}', /invalid escape character\. Write `\\\\` for each backslash/],
    ['{', /It is not valid JSON. Line 1, column 2: close brace expected/],
    ['{}', /names no servers/],
  ])('%s', async (text, sentence) => {
    await expect(read(text)).rejects.toThrow(sentence);
  });

  test('a missing file', async () => {
    expect(await readConfigFile(join(folder, 'none'))).toEqual({
      wrong: expect.stringMatching(/^The config file `.+` does not exist: check the path/),
    });
  });
});

describe('folder names', () => {
  const entry = {
    command: '${workspaceFolder}${/}bin',
    args: ['${workspaceFolderBasename}', '${userHome}', '${cwd}', '${pathSeparator}'],
  };
  const folders = (...path: string[]) =>
    first(read(JSON.stringify({ servers: { one: entry } }), {}, join(folder, ...path))).then(({ filled }) => filled);

  test.each(['.vscode', '.cursor'])('a config in %s belongs to the folder above', async (editor) => {
    expect(await folders('project', editor, 'mcp.json')).toMatchObject({
      command: join(folder, 'project', 'bin'),
      args: ['project', homedir(), '/where', sep],
    });
  });

  test('any other config belongs to its own folder', async () => {
    expect(await folders('mcp.json')).toMatchObject({
      command: join(folder, 'bin'),
      args: [basename(folder), homedir(), '/where', sep],
    });
  });

  test('placeholders that only an editor knows are a problem', async () => {
    const { problem } = await one({
      command: 'x',
      args: ['${file}', '${config:a.b}', '${command:c}', '${workspaceFolder:web}'],
    });
    expect(problem).toMatch('${file}, ${config:a.b}, ${command:c}, ${workspaceFolder:web}, which only an editor knows');
  });
});

describe('inputs', () => {
  const config = {
    inputs: [
      { id: 'key', type: 'promptString', description: 'The key', password: true },
      {
        id: 'region',
        type: 'pickString',
        description: '',
        options: ['eu', { label: 'US', value: 'us' }],
        default: 'us',
      },
    ],
    servers: {
      one: {
        command: 'x',
        args: ['--region=${input:region}', '${input:other}'],
        env: { KEY: '${input:key}', TWICE: '${input:key}' },
      },
    },
  };
  const server = (context: Partial<ConfigContext> = {}) => first(read(JSON.stringify(config), context));

  test('are listed once each, with or without a description', async () => {
    expect((await server()).inputs).toEqual([
      { id: 'key', description: 'The key', secret: true },
      {
        id: 'region',
        description: '',
        default: 'us',
        options: [
          { value: 'eu', label: 'eu' },
          { value: 'us', label: 'US' },
        ],
        secret: false,
      },
      { id: 'other', description: '', secret: true },
    ]);
    expect(await server()).not.toHaveProperty('problem');
  });

  test('are filled by answers, which are not read for placeholders again; passwords are kept as secrets', async () => {
    const filled = (await server()).withInputs(
      new Map([
        ['key', '${input:other}'],
        ['region', 'eu'],
        ['other', '${HOME}'],
      ]),
    );
    expect(filled).toMatchObject({
      inputs: [],
      target: { args: ['--region=${input:region}', '${input:other}'] },
      filled: { args: ['--region=eu', '${HOME}'] },
      env: { KEY: '${input:other}', TWICE: '${input:other}' },
      secrets: ['${input:other}', '${HOME}'],
    });
  });

  test('are answered by the command line and by variables of ours', async () => {
    const environment = { MCP_INSPECT_INPUT_KEY: 'k', MCP_INSPECT_INPUT_REGION: 'no' };
    const answered = await server({ environment, inputs: new Map([['region', 'eu']]) });
    expect(answered.env).toEqual({ KEY: 'k', TWICE: 'k' });
    expect(answered.filled?.args[0]).toBe('--region=eu');
    expect(answered.inputs.map(({ id }) => id)).toEqual(['other']);
  });

  test('may have any id', async () => {
    const odd = ['__proto__', 'a "b"\\c', 'constructor', 'x\ny'];
    const text = JSON.stringify({
      inputs: odd.map((id) => ({ id, type: 'promptString' })),
      servers: { one: { command: 'x', args: odd.map((id) => `\${input:${id}}`) } },
    });
    const asked = await first(read(text));
    expect(asked.inputs.map(({ id }) => id)).toEqual(odd);
    expect(asked.withInputs(new Map(odd.map((id) => [id, 'v']))).filled?.args).toEqual(odd.map(() => 'v'));
  });
});

describe('envFile', () => {
  const file = (text: string, entry: object = {}): Promise<ConfigServer> => {
    writeFileSync(join(folder, '.env'), text);
    return one({ command: 'x', envFile: '.env', ...entry });
  };

  test('is read as dotenv, and env wins over it', async () => {
    const text = '\uFEFFA=1\nexport B="two words"\n# no\nC=\'a # b\' # c\r\nD=${A}\nwrong=1\nnot a line\n';
    expect((await file(text, { env: { A: 'own', B: null } })).env).toEqual({
      A: 'own',
      C: 'a # b',
      D: '${A}',
      wrong: '1',
    });
  });

  test('is found from the workspace folder, and its path may have placeholders', async () => {
    const path = join(folder, 'work', '.vscode', 'mcp.json');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(join(folder, 'work', 'my.env'), 'A=1');
    for (const envFile of ['my.env', '${workspaceFolder}/my.env', '${input:which}.env']) {
      const text = JSON.stringify({ servers: { one: { command: 'x', envFile } } });
      const inputs = envFile.includes('which') ? new Map([['which', 'my']]) : new Map();
      expect((await first(read(text, { inputs }, path))).env).toEqual({ A: '1' });
    }
  });

  test('is a problem if it is missing, a folder or too large', async () => {
    expect((await one({ command: 'x', envFile: 'none.env' })).problem).toBe(
      `The config’s \`envFile\` \`${join(folder, 'none.env')}\` does not exist. Create it, or correct the path in the config.`,
    );
    expect((await one({ command: 'x', envFile: '.' })).problem).toMatch('It is not a file, but a directory.');
    expect((await file('A=1\n'.repeat(300_000))).problem).toMatch('larger than 1 MiB');
    expect((await one({ command: 'x', envFile: 1 })).problem).toMatch('an `envFile` that is not a string');
  });

  test('attack: a pipe or a device without an end is a problem, and filling reads nothing', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const envFile of [join(folder, 'pipe'), '/dev/zero']) {
      const { problem } = await one({ command: 'x', env: { A: '1' }, envFile });
      expect(problem).toBe(
        `Can’t use the config’s \`envFile\` \`${envFile}\`. It is not a file, but a pipe or a device. Correct the path in the config.`,
      );
    }
    const [entry] = readServers({ mcpServers: { one: { command: 'x', envFile: 'my.env' } } }).servers;
    writeFileSync(join(folder, 'my.env'), 'A=1');
    const context = { environment: {}, cwd: folder, inputs: new Map() };
    const filled = fillEntry(entry!, join(folder, 'config.json'), context);
    expect(filled).toMatchObject({ env: {}, envFile: { path: join(folder, 'my.env') } });
    expect(await withEnvFile(filled)).toMatchObject({ env: { A: '1' } });
  });
});

test.each([{ disabled: true }, { enabled: false }])('a server with %j is disabled', async (said) => {
  expect(await one({ command: 'x', ...said })).toMatchObject({ disabled: true });
  expect(await one({ command: 'x', disabled: false, enabled: true })).not.toHaveProperty('disabled');
});

test('refuses a config that is nested very deeply', async () => {
  const deep = '['.repeat(50_000) + ']'.repeat(50_000);
  const config = `{"servers":{"one":{"command":"x","args":${deep}}}}`;
  await expect(read(config)).rejects.toThrow('It is nested too deeply');
  await expect(read(`// mine\n${config}`)).rejects.toThrow('It is nested too deeply');
});

test.each([
  ['codex.toml', '[mcp_servers.one]\ncommand = "x"'],
  ['goose.yaml', 'extensions:\n  one: {type: stdio, cmd: x}'],
  ['continue.yml', 'mcpServers:\n- {name: one, command: x}'],
  ['zed.json', '{"context_servers": {"one": {"command": {"path": "x"}}}}'],
  ['opencode.jsonc', '{"mcp": {"one": {"type": "local", "command": ["x"]}}}'],
])('reads %s in the form of its host', async (name, text) => {
  expect(await read(text, {}, join(folder, name))).toMatchObject([{ name: 'one', target: { command: 'x' } }]);
});

test('refuses a pipe, a folder and a file that is too large', async () => {
  const pipe = join(folder, 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  const large = join(folder, 'large.json');
  writeFileSync(large, '');
  truncateSync(large, 50 * 1024 * 1024);
  const wrong = async (path: string) => (await readConfigFile(path)) as { readonly wrong: string };
  expect((await wrong(pipe)).wrong).toContain('It is not a file, but a pipe or a device.');
  expect((await wrong(folder)).wrong).toContain('It is not a file, but a directory.');
  expect((await wrong(large)).wrong).toContain('It is larger than 16 MiB.');
});
