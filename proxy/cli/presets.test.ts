import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { requestOf } from '../commands/test-command-line';
import { buildPresets, type Presets } from './presets';
import { readServerOptions } from './server-options';

const cwd = mkdtempSync(join(tmpdir(), 'mcp-inspect-presets-'));
afterAll(() => rmSync(cwd, { recursive: true }));
writeFileSync(
  join(cwd, 'c.json'),
  JSON.stringify({ mcpServers: { one: { command: 'a', env: { K: 'secret' } }, two: { command: 'b', cwd: '/two' } } }),
);

writeFileSync(
  join(cwd, 'oauth.json'),
  JSON.stringify({ one: { url: 'https://h/mcp', oauth: { clientId: 'me', clientSecret: '${env:SHH}' } } }),
);

function build(...argv: string[]): Promise<Presets> {
  return buildIn({}, ...argv);
}

async function buildIn(environment: Record<string, string>, ...argv: string[]): Promise<Presets> {
  const demo = { command: 'node', args: ['demo.mjs'] };
  const presets = await buildPresets(
    readServerOptions(requestOf(...argv), () => true),
    { cwd, environment, demo },
  );
  if ('wrong' in presets) throw new Error(presets.wrong);
  return presets;
}

test('offers only the demo without a server, and chooses nothing', async () => {
  const { presets, chosen } = await build();
  expect(presets.map(({ shown }) => shown.id)).toEqual(['demo']);
  expect(chosen).toBeUndefined();
});

describe('a command', () => {
  test('gets the shell’s environment, or a minimal one with --env minimal', async () => {
    expect((await build('node', 's.js')).chosen).toEqual({
      shown: {
        id: 'command-line',
        origin: 'command-line',
        source: 'command line',
        target: { transport: 'stdio', command: 'node', args: ['s.js'], cwd },
        envNames: [],
        policy: 'shell',
        placeholders: [],
        protocol: 'auto',
      },
      env: {},
    });
    expect((await build('--env', 'minimal', 'node')).chosen?.shown.policy).toBe('allowlist');
  });

  test('has variables that the page sees by name only', async () => {
    const { chosen } = await build('--env', 'K=secret', '--protocol', '2025-06-18', 'node');
    expect(chosen?.env).toEqual({ K: 'secret' });
    expect(chosen?.shown).toMatchObject({ envNames: ['K'], protocol: '2025-06-18' });
    expect(JSON.stringify(chosen?.shown)).not.toContain('secret');
  });

  test('wins over --demo, which then gets none of its variables', async () => {
    const { presets, chosen } = await build('--demo', '--env', 'K=v', 'node');
    expect(chosen?.shown.id).toBe('command-line');
    expect(presets.find(({ shown }) => shown.id === 'demo')?.env).toEqual({});
  });
});

describe('a config', () => {
  test('without --server lists its servers and chooses none', async () => {
    const { presets, chosen } = await build('--config', 'c.json');
    expect(presets.map(({ shown }) => [shown.id, shown.target.name])).toEqual([
      ['config-1', 'one'],
      ['config-2', 'two'],
      ['demo', 'demo'],
    ]);
    expect(chosen).toBeUndefined();
    expect(JSON.stringify(presets.map(({ shown }) => shown))).not.toContain('secret');
  });

  test('shows placeholders, not their values', async () => {
    const servers = { filled: { command: 'a', args: ['--key', '${KEY:-secret}'], env: { E: '${OTHER:-x}' } } };
    writeFileSync(join(cwd, 'filled.json'), JSON.stringify({ servers }));
    const { chosen } = await build('--config', 'filled.json', '--server', 'filled');
    expect(chosen?.shown).toMatchObject({
      placeholders: ['KEY:-secret'],
      target: { args: ['--key', '${KEY:-secret}'] },
    });
    expect(chosen?.filled?.args).toEqual(['--key', 'secret']);
    expect((await build('--', 'a', '${KEY}')).chosen?.shown.placeholders).toEqual([]);
  });

  test('--server chooses one server, and --env and --cwd apply only to that one', async () => {
    const { presets, chosen } = await build('--config', 'c.json', '--server', 'one', '--env', 'X=1', '--cwd', '.');
    expect(chosen).toMatchObject({ env: { K: 'secret', X: '1' }, shown: { policy: 'allowlist', target: { cwd } } });
    expect(presets[1]).toMatchObject({ env: {}, shown: { target: { cwd: '/two' } } });
  });
});

describe('a config of VS Code', () => {
  writeFileSync(
    join(cwd, 'vscode.json'),
    JSON.stringify({
      inputs: [
        { id: 'key', type: 'promptString', password: true },
        { id: 'region', type: 'pickString', options: ['eu', 'us'] },
      ],
      servers: {
        asks: { command: 'a', env: { KEY: '${input:key}' } },
        where: { command: '${input:region}' },
        off: { command: 'b', disabled: true },
      },
    }),
  );

  test('the chosen server waits for inputs, whose answers stay here', async () => {
    const { presets, chosen } = await build('--config', 'vscode.json', '--server', 'asks');
    expect(chosen?.shown).toMatchObject({ inputs: [{ id: 'key', secret: true }], waiting: true, envNames: ['KEY'] });
    expect(presets[2]!.shown).toMatchObject({ disabled: true });
    const answered = await chosen!.complete!(new Map([['key', 'sesame']]));
    expect(answered).toMatchObject({ env: { KEY: 'sesame' }, secrets: ['sesame'] });
    expect(JSON.stringify(answered.shown)).not.toContain('sesame');
  });

  test('--input answers', async () => {
    const { chosen } = await build('--config', 'vscode.json', '--server', 'asks', '--input', 'key=a=b');
    expect(chosen).toMatchObject({ env: { KEY: 'a=b' }, secrets: ['a=b'] });
    expect(chosen!.shown).not.toHaveProperty('inputs');
  });

  test.each([
    ['vscode.json', 'region=mars', '`--input region` takes one of `eu`, `us`.'],
    ['vscode.json', 'kye=', 'did you mean `key`?'],
    ['c.json', 'abc=', 'it has none'],
  ])('in %s, --input %s is wrong', async (config, input, sentence) => {
    await expect(build('--config', config, '--input', input)).rejects.toThrow(sentence);
  });

  test('a disabled server is chosen if it is named, with a note', async () => {
    const { chosen, notes } = await build('--config', 'vscode.json', '--server', 'off');
    expect(chosen?.shown.target.name).toBe('off');
    expect(notes).toEqual(['`off` is disabled in its config. Connecting to it because `--server` names it.']);
  });
});

test('says that it added a scheme', async () => {
  const options = readServerOptions(requestOf('localhost:1/mcp'), () => false);
  const demo = { command: 'node', args: [] };
  expect(await buildPresets(options, { cwd, environment: {}, demo })).toMatchObject({
    notes: ['Reading `localhost:1/mcp` as http://localhost:1/mcp.'],
  });
});

test('chooses a URL, and keeps its headers and password here', async () => {
  const { chosen } = await build('--header', 'X-Key: s3cret', '-H', 'X-Other:a: b', 'https://me:s3cret@h/mcp');
  expect(chosen?.shown).toEqual({
    id: 'command-line',
    origin: 'command-line',
    source: 'command line',
    target: { transport: 'auto', url: 'https://h/mcp' },
    envNames: ['Authorization', 'X-Key', 'X-Other'],
    policy: 'allowlist',
    placeholders: [],
    protocol: 'auto',
  });
  expect(chosen?.env).toMatchObject({ 'X-Key': 's3cret', 'X-Other': 'a: b' });
});

test('reads headers from a file, and quotes none of its lines in an error', async () => {
  const file = join(cwd, 'headers.txt');
  writeFileSync(file, 'X-Key: s3cret\n\nX-Other: b\n');
  expect((await build('--header', `@${file}`, 'https://h/mcp')).chosen?.env).toEqual({
    'X-Key': 's3cret',
    'X-Other': 'b',
  });
  writeFileSync(file, 'X-Key: a\ns3cret\n');
  await expect(build('--header', `@${file}`, 'https://h/mcp')).rejects.toThrow(
    `Line 2 of \`${file}\` is not a header: write \`Name: value\`, one a line.`,
  );
});

test('--header applies to the chosen server of a config', async () => {
  const path = join(cwd, 'urls.json');
  const headers = { Authorization: 'Bearer config' };
  writeFileSync(
    path,
    JSON.stringify({ mcpServers: { a: { url: 'https://a/', headers }, b: { url: 'https://b/', headers } } }),
  );
  const { presets } = await build('--config', 'urls.json', '--server', 'a', '--header', 'X-Mine: 1');
  expect(presets.map((preset) => preset.shown.envNames)).toEqual([['Authorization', 'X-Mine'], ['Authorization'], []]);
});

describe('a client registered by hand', () => {
  test('from the command line has its secret from the environment, never shown', async () => {
    const environment = { MCP_INSPECT_CLIENT_SECRET: 'shh' };
    const { chosen } = await buildIn(environment, '--auth', 'client-id=me', '--auth', 'scope=a b', 'https://h/mcp');
    expect(chosen).toMatchObject({ clientSecret: 'shh' });
    expect(chosen!.shown.target).toEqual({
      transport: 'auto',
      url: 'https://h/mcp',
      client: { clientId: 'me', scope: 'a b' },
    });
    expect((await buildIn(environment, 'https://h/mcp')).chosen).not.toHaveProperty('clientSecret');
  });

  test('from a config has its placeholders filled', async () => {
    const { chosen } = await buildIn({ SHH: 'shh' }, '--config', 'oauth.json', '--server', 'one');
    expect(chosen).toMatchObject({ clientSecret: 'shh', shown: { target: { client: { clientId: 'me' } } } });
    expect(JSON.stringify(chosen!.shown)).not.toContain('shh');
    expect((await build('--config', 'oauth.json', '--server', 'one')).chosen!.shown.problem).toContain('SHH');
  });
});

describe('TLS', () => {
  writeFileSync(
    join(cwd, 'tls.json'),
    JSON.stringify({
      mcpServers: { one: { url: 'https://h/mcp', tls: { ca: 'ca.pem' } }, two: { url: 'https://i/mcp' } },
    }),
  );
  const tlsOf = (presets: Presets) =>
    presets.presets.map(({ shown: { target } }) => (target.transport === 'stdio' ? undefined : target.tls));

  test('of the command line applies to its URL', async () => {
    expect(tlsOf(await build('--tls', 'insecure', '--tls', 'ca=a.pem', 'https://h/mcp'))).toEqual([
      { ca: ['a.pem'], insecure: true },
      undefined,
    ]);
    expect((await build('https://h/mcp')).chosen?.shown.target).not.toHaveProperty('tls');
  });

  test('of a config entry stays, and the command line adds to the server it names', async () => {
    expect(tlsOf(await build('--config', 'tls.json'))).toEqual([{ ca: ['ca.pem'] }, undefined, undefined]);
    expect(tlsOf(await build('--config', 'tls.json', '--server', 'one', '--tls', 'insecure'))).toEqual([
      { ca: ['ca.pem'], insecure: true },
      undefined,
      undefined,
    ]);
  });
});
