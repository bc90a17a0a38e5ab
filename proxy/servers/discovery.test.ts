import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { prepareLaunch } from '../connection/launch';
import { discoverServers } from './discovery';
import { MOST_SERVERS } from './host-entries';
import { contextIn, findIn, testHome } from './test-home';

const NODE = { command: 'node', args: ['s.js'] };
const servers = (...names: string[]) => ({ mcpServers: Object.fromEntries(names.map((name) => [name, NODE])) });

describe('project configs', () => {
  const home = () =>
    testHome({
      'repo/.git/HEAD': '',
      'repo/.mcp.json': servers('root'),
      'repo/sub/.mcp.json': servers('near'),
      '.mcp.json': servers('mine'),
      '.cursor/mcp.json': servers('mine'),
    });

  test('apply up to the root of the repository, nearest first, before those of the user', async () => {
    const at = home();
    const { names, servers: found } = await findIn(at, { cwd: join(at, 'repo/sub') });
    expect(names).toEqual(['mcp-json/mine', 'claude-code/near', 'claude-code/root', 'cursor/mine']);
    expect(found[2]!.entry.target).toMatchObject({ cwd: join(at, 'repo') });
    expect(found[3]!.entry.target).not.toHaveProperty('cwd');
  });

  test('without a repository, apply in the working directory only', async () => {
    const at = testHome({ '.mcp.json': servers('above'), 'a/.mcp.json': servers('here'), 'a/b/c': '' });
    expect((await findIn(at, { home: '/nowhere', cwd: join(at, 'a') })).names).toEqual(['claude-code/here']);
    expect((await findIn(at, { home: '/nowhere', cwd: join(at, 'a/b') })).names).toEqual([]);
  });

  test('a relative directory is one of the project', async () => {
    const relative = { ...NODE, cwd: 'server' };
    const placed = { ...NODE, cwd: '${workspaceFolder}/x' };
    const at = testHome({ 'a/.mcp.json': { mcpServers: { relative, placed } } });
    const { presets } = await discoverServers(contextIn('/nowhere', { cwd: join(at, 'a') }));
    expect(presets.map(({ shown: { target } }) => target)).toMatchObject([
      { cwd: join(at, 'a/server') },
      { cwd: '${workspaceFolder}/x' },
    ]);
    expect((await presets[1]!.complete!(new Map())).filled).toMatchObject({ cwd: join(at, 'a/x') });
  });
});

test('lists a file once, even by a link or for two hosts', async () => {
  const home = testHome({ '.mcp.json': servers('one'), '.cursor/other': '' });
  symlinkSync(join(home, '.mcp.json'), join(home, '.cursor/mcp.json'));
  expect((await findIn(home)).names).toEqual(['mcp-json/one']);
});

test('keeps settings without servers silent', async () => {
  const home = testHome({
    '.config/zed/settings.json': '{"theme": "x"}',
    '.config/Code/User/settings.json': '',
    '.config/Code/User/mcp.json': '{"servers": {}, "inputs": []}',
    '.continue/config.yaml': '# nothing\n',
    '.codex/config.toml': '',
  });
  expect(await findIn(home)).toMatchObject({ names: [], skipped: [] });
});

describe('values', () => {
  const config = {
    mcpServers: {
      local: {
        command: 'node',
        args: ['--api-key', 'sk-argument-0123456789', '${PLACE}'],
        env: { TOKEN: 'value-of-token', FROM: '${SHELL_SECRET}' },
        envFile: '{home}/.env',
      },
      remote: {
        url: 'https://me:url-password@h.example/mcp?api_key=key-in-url',
        headers: { Authorization: 'Bearer value-of-header' },
        oauth: { clientId: '${SHELL_SECRET}', clientSecret: 'value-of-secret' },
      },
    },
  };
  const SECRETS = /sk-argument|value-of-|shell-secret|url-password|key-in-url|value-in-file/;
  const environment = { SHELL_SECRET: 'shell-secret', PLACE: 'here' };

  test('are nowhere in the list, only the names of variables and headers are', async () => {
    const home = testHome({ '.cursor/mcp.json': config, '.env': 'IN_FILE=value-in-file' });
    const { presets } = await discoverServers(contextIn(home, { environment }));
    expect(JSON.stringify(presets)).not.toMatch(SECRETS);
    expect(presets.map(({ shown }) => shown.envNames)).toEqual([['TOKEN', 'FROM'], ['Authorization']]);
    expect(presets[0]!.shown).toMatchObject({
      origin: 'found',
      host: 'cursor',
      source: join(home, '.cursor/mcp.json'),
      target: { args: ['--api-key', '${input:api-key}', '${PLACE}'] },
    });
  });

  test('reach the server that is chosen', async () => {
    const home = testHome({ '.cursor/mcp.json': config, '.env': 'IN_FILE=value-in-file' });
    const { presets } = await discoverServers(contextIn(home, { environment }));
    const launch = (index: number) => {
      const { shown } = presets[index]!;
      return prepareLaunch({ ...shown.target, base: shown.id }, 'auto', presets);
    };
    expect(await launch(0)).toMatchObject({
      args: ['--api-key', 'sk-argument-0123456789', 'here'],
      extras: { TOKEN: 'value-of-token', FROM: 'shell-secret', IN_FILE: 'value-in-file' },
      shown: { args: ['--api-key', '${input:api-key}', '${PLACE}'] },
    });
    expect(await launch(1)).toMatchObject({
      url: 'https://h.example/mcp?api_key=key-in-url',
      headers: [['Authorization', 'Bearer value-of-header']],
      client: { clientId: 'shell-secret', clientSecret: 'value-of-secret' },
    });
  });

  test('that a config asks for are described by the inputs beside its servers', async () => {
    const inputs = [{ type: 'pickString', id: 'region', description: 'Where', options: ['eu', 'us'], default: 'us' }];
    const a = { command: 'node', args: ['${input:region}'] };
    const asked = {
      id: 'region',
      description: 'Where',
      default: 'us',
      secret: false,
      options: [
        { value: 'eu', label: 'eu' },
        { value: 'us', label: 'us' },
      ],
    };
    for (const [path, config] of [
      ['mcp.json', { servers: { a }, inputs }],
      ['settings.json', { mcp: { servers: { a }, inputs } }],
      ['settings.json', { 'mcp.servers': { a }, 'mcp.inputs': inputs }],
    ] as const) {
      const home = testHome({ [`.config/Code/User/${path}`]: config });
      const { presets } = await discoverServers(contextIn(home));
      expect(presets[0]!.shown.inputs).toEqual([asked]);
    }
  });

  test('that are defaults of passwords stay in the proxy', async () => {
    const inputs = [{ type: 'promptString', id: 'key', password: true, default: 'pa55-of-config' }];
    const a = { command: 'node', env: { KEY: '${input:key}' } };
    const home = testHome({ '.config/Code/User/mcp.json': { servers: { a }, inputs } });
    const { presets } = await discoverServers(contextIn(home));
    const { shown } = presets[0]!;
    expect(JSON.stringify(shown)).not.toContain('pa55');
    expect(await prepareLaunch({ ...shown.target, base: shown.id }, 'auto', presets)).toMatchObject({
      extras: { KEY: 'pa55-of-config' },
      secrets: ['pa55-of-config'],
    });
  });

  test('that are missing are a problem of that server alone', async () => {
    const home = testHome({ '.cursor/mcp.json': { mcpServers: { a: { command: '${NOPE}' }, b: NODE } } });
    const { presets } = await discoverServers(contextIn(home));
    expect(presets.map(({ shown }) => shown.problem)).toEqual([expect.stringContaining('${NOPE}'), undefined]);
  });

  test('of a missing file are reported when the server is chosen', async () => {
    const home = testHome({ '.cursor/mcp.json': { mcpServers: { a: { ...NODE, envFile: 'none' } } } });
    const { presets } = await discoverServers(contextIn(home));
    const { id, target } = presets[0]!.shown;
    await expect(prepareLaunch({ ...target, base: id }, 'auto', presets)).rejects.toThrow('does not exist');
  });
});

describe('bad input', () => {
  const CURSOR = '.cursor/mcp.json';
  const reasonOf = async (home: string, more = {}) => {
    const { skipped, names } = await findIn(home, more);
    expect(names).toEqual([]);
    expect(skipped).toHaveLength(1);
    return skipped[0]!;
  };

  test.each([
    [
      CURSOR,
      '{"mcpServers": {\n  "a": {"command": "x" "env": {"KEY": "s3cret"}}\n}}',
      'Line 2, column 24: comma expected.',
    ],
    [CURSOR, 'KEY=s3cret', 'Line 1, column 1: invalid symbol.'],
    [CURSOR, '["s3cret"]', 'It is not an object.'],
    [CURSOR, '{"mcpServers": "s3cret"}', 'In it, `mcpServers` is not an object of servers by name.'],
    ['.codex/config.toml', '[mcp_servers.a]\nenv = {KEY = s3cret}', 'Line 2, column 14: invalid value.'],
    ['.config/goose/config.yaml', 'a: 1\nextensions: [s3cret', 'Line 2, column'],
    ['.config/goose/config.yaml', 'a: 1\nextensions: *s3cret', 'Line 2, column 13: unknown alias.'],
    ['.config/goose/config.yaml', '%YAML 1.1\n---\nextensions: {<<: s3cret}', 'The value of a merge key (`<<`) is not'],
    ['.config/goose/config.yaml', bomb(), 'It is nested too deeply, or repeats itself too often.'],
    ['.config/goose/config.yaml', '['.repeat(2000), 'It is nested too deeply, or repeats itself too often.'],
    ['.codex/config.toml', `a=${'['.repeat(2000)}`, 'It is nested too deeply, or repeats itself too often.'],
    [CURSOR, `{"a": ${'['.repeat(100_000)}`, 'It is nested too deeply, or repeats itself too often.'],
    [CURSOR, `// x\n{"a": ${'['.repeat(100_000)}`, 'It is nested too deeply, or repeats itself too often.'],
    ['.config/goose/config.yaml', `#${' '.repeat(200_000)}`, 'It is larger than 128 KiB.'],
  ])('%s %j', async (path, text, reason) => {
    const home = testHome({ [path]: text });
    const skipped = await reasonOf(home);
    expect(skipped).toMatchObject({ path: join(home, path), reason: expect.stringContaining(reason) });
    expect(skipped.reason).not.toContain('s3cret');
  });

  test('aliases that contain themselves', async () => {
    const home = testHome({
      '.config/goose/config.yaml':
        'extensions: &all\n  a: &a {type: stdio, cmd: x, args: [*a], envs: {b: *all}}\n  b: *all\n  c: {type: stdio, cmd: x}\n',
    });
    const { presets, skipped } = await discoverServers(contextIn(home));
    expect(skipped).toEqual([]);
    expect(presets.map(({ shown }) => [shown.target.name, shown.problem !== undefined])).toEqual([
      ['a', true],
      ['c', false],
    ]);
  });

  test('50 MB, a pipe, a folder, a device and an endless link', async () => {
    const home = testHome({ [CURSOR]: '' });
    truncateSync(join(home, CURSOR), 50 * 1024 * 1024);
    expect((await reasonOf(home)).reason).toBe('It is larger than 16 MiB.');

    const others = testHome();
    mkdirSync(join(others, '.cursor/mcp.json'), { recursive: true });
    mkdirSync(join(others, '.warp'));
    execFileSync('mkfifo', [join(others, '.warp/.mcp.json')]);
    symlinkSync('/dev/zero', join(others, '.mcp.json'));
    mkdirSync(join(others, '.lmstudio'));
    symlinkSync('mcp.json', join(others, '.lmstudio/mcp.json'));
    const { skipped, names } = await findIn(others);
    expect(names).toEqual([]);
    expect(skipped.map(({ host, reason }) => [host, reason])).toEqual([
      ['mcp-json', 'It is not a file, but a pipe or a device.'],
      ['cursor', 'It is not a file, but a directory.'],
      ['lm-studio', 'It is a link that leads nowhere.'],
      ['warp', 'It is not a file, but a pipe or a device.'],
    ]);
  });

  test(`lists ${MOST_SERVERS} of 10,000 servers, and says so`, async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `server-${index}`);
    const home = testHome({ [CURSOR]: servers(...names) });
    const { presets, skipped } = await discoverServers(contextIn(home));
    expect(presets).toHaveLength(MOST_SERVERS);
    expect(skipped).toMatchObject([{ reason: 'It has 10,000 servers. The first 500 are listed.' }]);
  });

  test.skipIf(process.getuid?.() === 0)('an unreadable file', async () => {
    const home = testHome({ [CURSOR]: servers('a') });
    chmodSync(join(home, CURSOR), 0);
    expect((await reasonOf(home)).reason).toBe('It can’t be read: permission denied.');
  });
});

describe.skipIf(process.platform === 'win32')('a config that another user', () => {
  const path = '.cursor/mcp.json';
  const uid = process.getuid?.() ?? 0;
  const home = () => testHome({ [path]: servers('a') });
  const isRead = async (at: string, more = {}) => {
    const { names, skipped } = await findIn(at, more);
    expect(names.length + skipped.length).toBe(1);
    return skipped[0]?.reason ?? true;
  };

  test('owns is skipped, except one of root', async () => {
    const at = home();
    expect(await isRead(at, { uid: uid + 1 })).toBe(uid === 0 ? true : 'Another user owns it.');
    if (uid !== 0) return;
    chownSync(join(at, path), 1234, statSync(join(at, path)).gid);
    expect(await isRead(at)).toBe('Another user owns it.');
    expect(await isRead(at, { uid: 1234 })).toBe(true);
  });

  test('can write is skipped', async () => {
    for (const mode of [0o666, 0o602]) {
      const at = home();
      chmodSync(join(at, path), mode);
      expect(await isRead(at)).toBe('Other users can change it. Run `chmod go-w` on it.');
    }
  });

  test.runIf(uid === 0)('can write through a group is skipped, except through a private group', async () => {
    const at = home();
    chmodSync(join(at, path), 0o660);
    expect(await isRead(at)).toBe(true);
    chownSync(join(at, path), uid, 1234);
    expect(await isRead(at)).toBe('Other users can change it. Run `chmod go-w` on it.');
  });

  test('can replace is skipped, also behind a link', async () => {
    const at = home();
    chmodSync(join(at, '.cursor'), 0o777);
    expect(await isRead(at)).toBe('Other users can replace it. Run `chmod o-w` on its folder.');
    chmodSync(join(at, '.cursor'), 0o1777);
    expect(await isRead(at)).toBe(true);

    const linked = testHome({ 'open/real.json': servers('a'), '.cursor/x': '' });
    symlinkSync(join(linked, 'open/real.json'), join(linked, path));
    expect(await isRead(linked)).toBe(true);
    chmodSync(join(linked, 'open'), 0o777);
    expect(await isRead(linked)).toBe('Other users can replace it. Run `chmod o-w` on its folder.');
  });

  test('is read without user ids', async () => {
    const at = home();
    writeFileSync(join(at, path), JSON.stringify(servers('a')));
    chmodSync(join(at, path), 0o666);
    expect(await isRead(at, { uid: undefined })).toBe(true);
  });
});

/** YAML that would expand to billions of items. */
function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 10; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  }
  return `${lines.join('\n')}\nextensions: *a9\n`;
}
