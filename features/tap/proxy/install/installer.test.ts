import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { findServersIn } from '@/proxy/servers/discovery';
import { HOSTS } from '@/proxy/servers/hosts';
import { tapOf } from '@/proxy/servers/tap-words';
import { contextIn, testHome } from '@/proxy/servers/test-home';
import { type ChangeStep, Installer } from './installer';

const CONFIG = `\uFEFF{
\t// mine\r
\t"mcpServers": {
\t\t"files": {"command" : "npx", "args": ["-y", "files",], "env": {"TOKEN": "s3cret"}},
\t\t"bare": { "command": "server", },
\t\t"web": { "url": "https://h/mcp" },
\t},
\t"theme": "dark"
}\r\n`;

/** A home with a config of Cursor, and an installer that works on it. */
function fixture(text: string | object = CONFIG, name = 'mcp.json') {
  const home = testHome({ [name]: text, 'opt/mcp-inspect/dist/cli.js': '' });
  const folder = join(home, 'data/recordings');
  const path = join(home, name);
  const program = {
    home: join(home, 'opt/mcp-inspect/dist'),
    version: '1.2.3',
    node: process.execPath,
    platform: process.platform,
  };
  const host = (id: string) => HOSTS.find((one) => one.id === id)!;
  const installerWith = (onStep?: (step: ChangeStep) => void) =>
    new Installer({ folder, program, uid: process.getuid?.(), ...(onStep && { onStep }) });
  const serversIn = async (id = 'cursor', config = path) =>
    (await findServersIn(config, host(id), contextIn(home))).servers;
  const server = async (wanted = 'files', id = 'cursor') =>
    (await serversIn(id)).find(({ entry }) => entry.name === wanted)!;
  const read = () => readFileSync(path, 'utf8');
  return { home, folder, path, installerWith, installer: installerWith(), serversIn, server, read };
}

test('taps several servers of a config at once, and restores it to the byte', async () => {
  const { installer, serversIn, read, home } = fixture();
  const tapped = await installer.change(await serversIn(), 'tap');
  expect(tapped.changes.map(({ server }) => server.entry.name)).toEqual(['files', 'bare']);
  expect(tapped.unchanged.map(({ why }) => why)).toEqual([expect.stringContaining('at a URL')]);
  const cli = JSON.stringify(join(home, 'opt/mcp-inspect/dist/cli.js'));
  expect(read()).toContain(
    `"files": {"command" : ${JSON.stringify(process.execPath)}, "args": [${cli}, "tap", "--host", "cursor", "--name", "files", "--", "npx", "-y", "files",], "env": {"TOKEN": "s3cret"}},`,
  );
  expect(readFileSync(tapped.backup!, 'utf8')).toBe(CONFIG);
  expect(statSync(tapped.backup!).mode & 0o777).toBe(0o600);

  const again = await installer.change(await serversIn(), 'tap');
  expect(again.changes).toEqual([]);
  expect(again.unchanged.filter(({ isDone }) => isDone).map(({ why }) => why)).toEqual(
    Array(2).fill('It is tapped already.'),
  );
  expect(again.backup).toBeUndefined();

  await installer.change((await serversIn()).slice(0, 2), 'untap');
  expect(read()).toBe(CONFIG);
  expect(await installer.installs()).toEqual([]);
});

test('what was edited meanwhile stays: other servers, other members, arguments, layout', async () => {
  const { installer, server, path, read } = fixture();
  await installer.change([await server()], 'tap');
  const edited = read()
    .replace('"dark"', '"light" /* later */')
    .replace('"files",]', '"files", "--more"]')
    .replace('"env": {"TOKEN": "s3cret"}', '"env": {}, "disabled": true');
  writeFileSync(path, edited);
  await installer.change([await server()], 'untap');
  expect(read()).toBe(
    CONFIG.replace('"dark"', '"light" /* later */')
      .replace('"files",]', '"files", "--more"]')
      .replace('"env": {"TOKEN": "s3cret"}', '"env": {}, "disabled": true'),
  );
});

test('a config that the host wrote again is as the host would have written it without the tap', async () => {
  const { installer, serversIn, path, read } = fixture(CONFIG.replace(/\/\/ mine|,(?=\s*[\]}])|\uFEFF/g, ''));
  const original = JSON.parse(read());
  await installer.change((await serversIn()).slice(0, 2), 'tap');
  writeFileSync(path, JSON.stringify(JSON.parse(read()), null, 2));
  await installer.change((await serversIn()).slice(0, 2), 'untap');
  expect(read()).toBe(JSON.stringify(original, null, 2));
});

test('an entry that starts something else by now stays as it is', async () => {
  const { installer, server, path, read } = fixture();
  await installer.change([await server()], 'tap');
  const other = CONFIG.replace('"npx"', '"uvx"');
  writeFileSync(path, other);
  const { unchanged, changes } = await installer.change([await server()], 'untap');
  expect(changes).toEqual([]);
  expect(unchanged[0]!.why).toBe('It no longer starts the tap that mcp-inspect wrote, so it stays as it is.');
  expect(read()).toBe(other);
});

test('a link stays a link, and its target changes', async () => {
  const { home, installer, path, read, serversIn } = fixture();
  const link = join(home, 'dots/link.json');
  mkdirSync(dirname(link));
  symlinkSync(path, link);
  const [server] = await serversIn('cursor', link);
  const { path: changed } = await installer.change([server!], 'tap');
  expect(changed).toBe(path);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(read()).toContain('"tap"');
  expect(readdirSync(dirname(link))).toEqual(['link.json']);
});

test.runIf(process.platform !== 'win32')('mode and directory stay as they were', async () => {
  const { home, installer, server, path } = fixture();
  chmodSync(path, 0o640);
  const before = readdirSync(home);
  await installer.change([await server()], 'tap');
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(readdirSync(home).filter((name) => !before.includes(name))).toEqual(['data']);
});

describe('refuses, and changes nothing:', () => {
  const refused = async (make: (given: ReturnType<typeof fixture>) => unknown, sentence: string | RegExp) => {
    const given = fixture();
    const server = await given.server();
    await make(given);
    const before = readFileSync(given.path);
    await expect(given.installer.change([server], 'tap')).rejects.toMatchObject({
      message: expect.stringMatching(sentence),
    });
    expect(readFileSync(given.path).equals(before)).toBe(true);
    expect(existsSync(join(given.home, 'data/config-backups'))).toBe(false);
  };

  test('a read-only config', () => refused(({ path }) => chmodSync(path, 0o444), /It is read-only\./));
  test('a config with several names', () => refused(({ path }) => linkSync(path, `${path}.2`), /hard links/));
  test('a config that is not UTF-8', () =>
    refused(({ path }) => appendFileSync(path, '//\xff', 'latin1'), /not valid UTF-8/));
  test('a broken config', () => refused(({ path }) => appendFileSync(path, '}'), /not valid JSON. Line 10/));
  test.runIf(process.platform !== 'win32')('attack: a config that other users can change', () =>
    refused(({ path }) => chmodSync(path, 0o666), /Other users can change it/),
  );

  test('YAML', async () => {
    const { installer, server } = fixture('extensions:\n  files:\n    type: stdio\n    cmd: npx\n', 'goose.yaml');
    await expect(installer.plan([await server('files', 'goose')], 'tap')).rejects.toMatchObject({
      message: expect.stringContaining('does not edit YAML'),
    });
  });

  test('a name that the host would replace', async () => {
    const { installer, serversIn } = fixture({ mcpServers: { '${HOME}': { command: 'x' } } });
    const { unchanged } = await installer.plan(await serversIn(), 'tap');
    expect(unchanged[0]!.why).toContain('has a `$`');
  });
});

test('a config that changes just before the rename is read again', async () => {
  const { installerWith, server, path, read } = fixture();
  let attempts = 0;
  const installer = installerWith((step) => {
    if (step !== 'rename') return;
    if (attempts++ < 3) writeFileSync(path, read().replace(/"theme\d*"/, `"theme${attempts}"`));
  });
  await installer.change([await server()], 'tap');
  expect(attempts).toBe(4);
  expect(read()).toContain('"theme3": "dark"');
  expect(read()).toContain('"tap"');
});

test('and one that always changes stays as it is', async () => {
  const { installerWith, server, path, read } = fixture();
  const installer = installerWith((step) => {
    if (step === 'rename') appendFileSync(path, '\n');
  });
  await expect(installer.change([await server()], 'tap')).rejects.toMatchObject({ code: 'config-keeps-changing' });
  expect(read().trimEnd()).toBe(CONFIG.trimEnd());
});

test('attack: a change other than the one that was shown is refused', async () => {
  const { installer, server, path, read } = fixture();
  const found = await server();
  const { changes } = await installer.plan([found], 'tap');
  const other = CONFIG.replace('"npx"', '"evil"');
  writeFileSync(path, other);
  await expect(installer.change([found], 'tap', [changes[0]!.digest])).rejects.toMatchObject({
    code: 'config-changed',
  });
  expect(read()).toBe(other);
  // Anything else in the config may change: hosts write their own state there.
  writeFileSync(path, CONFIG.replace('dark', 'light'));
  expect((await installer.change([found], 'tap', [changes[0]!.digest])).changes).toHaveLength(1);
});

test('attack: the shown change has no secrets', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const { installer, server, read } = fixture(CONFIG.replace('"files",]', `"--token=${token}"]`));
  for (const action of ['tap', 'untap'] as const) {
    const { changes } = await installer.plan([await server()], action);
    const shown = changes[0]!.diff.map(({ sign, text }) => sign + text).join('\n');
    expect(shown).toContain('--token=[redacted]');
    expect(shown).not.toMatch(/s3cret|ghp_|input:/);
    await installer.change([await server()], action);
  }
  expect(read()).toContain(token);
});

test('attack: more secrets than are masked one by one are all masked, and the change is shown', async () => {
  const tokens = Array.from({ length: 1100 }, (_, at) => `ghp_${String(at).padStart(36, 'a1B2'.repeat(9))}`);
  const { installer, server, read } = fixture({ mcpServers: { files: { command: 'x', args: tokens } } });
  const before = read();
  for (const action of ['tap', 'untap'] as const) {
    const { changes } = await installer.plan([await server()], action);
    const shown = changes[0]!.diff.map(({ text }) => text).join('\n');
    expect(shown).toContain('"[redacted]"');
    expect(shown).not.toMatch(/ghp_/);
    await installer.change([await server()], action);
  }
  expect(read()).toBe(before);
});

test('any name of a server is tapped and restored to the byte', async () => {
  const names = ['--', '-', '', ' ', 'a b', '"\'', '--name', 'tap', 'ü☃', '\0', '\u{1f600}\n', '__proto__'];
  const entries = names.map((name) => `${JSON.stringify(name)}: { "command": "x", "args": ["--", "y"] }`);
  const { installer, serversIn, read } = fixture(`{ "mcpServers": { ${entries.join(', ')} } }`);
  const before = read();
  expect((await installer.change(await serversIn(), 'tap')).unchanged).toEqual([]);
  expect((await serversIn()).map(({ entry }) => tapOf(entry)?.server)).toEqual(names.map(() => ['x', '--', 'y']));
  await installer.change(await serversIn(), 'untap');
  expect(read()).toBe(before);
});

test('attack: the entry of another program with a tap command is not restored', async () => {
  const args = ['/opt/other/cli.js', 'tap', '--host', '0.0.0.0', '--', 'run'];
  const { installer, server } = fixture({ mcpServers: { files: { command: 'node', args } } });
  const { changes, unchanged } = await installer.plan([await server()], 'untap');
  expect([changes, unchanged[0]!.why]).toEqual([[], 'It is not tapped.']);
});

test('a tap whose mcp-inspect is gone is repaired, and then restored to the byte', async () => {
  for (const name of ['files', 'bare']) {
    const { home, installer, server, read, path } = fixture();
    await installer.change([await server(name)], 'tap');
    const tapped = read();
    const old = tapped
      .replace(join(home, 'opt'), '/gone')
      .replace('"tap",', '"tap", "--rotate", "size=10MB",')
      .replace(JSON.stringify(process.execPath), '"/gone/node"');
    writeFileSync(path, old);
    const { changes } = await installer.change([await server(name)], 'tap');
    expect(changes[0]!.diff.filter(({ sign }) => sign === '-').map(({ text }) => text)).toEqual([
      expect.stringContaining('/gone/node'),
      expect.stringContaining('/gone/mcp-inspect'),
    ]);
    expect(read()).toBe(tapped.replace('"tap",', '"tap", "--rotate", "size=10MB",'));
    await installer.change([await server(name)], 'untap');
    expect(read()).toBe(CONFIG);
  }
});

test('an installer whose lock was taken away writes nothing', async () => {
  const { home, installerWith, server, read } = fixture();
  const installer = installerWith((step) => {
    if (step === 'replace') writeFileSync(join(home, 'data/host-configs.lock'), 'another');
  });
  await expect(installer.change([await server()], 'tap')).rejects.toMatchObject({ code: 'configs-busy' });
  expect(read()).toBe(CONFIG);
});

test('five backups of a config are kept', async () => {
  const { home, installer, server, path, read } = fixture();
  for (let at = 0; at < 8; at++) {
    writeFileSync(path, read().replace(/"dark\d*"/, `"dark${at}"`));
    await installer.change([await server()], at % 2 === 0 ? 'tap' : 'untap');
  }
  expect(readdirSync(join(home, 'data/config-backups'))).toHaveLength(5);
});

test('twenty installers at once leave one tap for each server', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `s${at}`);
  const config = { mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])) };
  const { installerWith, serversIn, read } = fixture(config);
  const before = read();
  const servers = await serversIn();
  await Promise.all(servers.flatMap((server) => [0, 1].map(() => installerWith().change([server], 'tap'))));
  expect(read().match(/"tap"/g)).toHaveLength(20);
  await Promise.all((await serversIn()).map((server) => installerWith().change([server], 'untap')));
  expect(read()).toBe(before);
});

test('killed before any step, a config works, and the next change leaves nothing behind', async () => {
  const { home, folder, path, serversIn, installer, read } = fixture(CONFIG.replace('"bare"', '"other"'));
  const original = read();
  const script = join(home, 'killed-installer.mjs');
  const entryPoints = [join(import.meta.dirname, 'fixtures/killed-installer.ts')];
  const alias = { '@': join(import.meta.dirname, '../../../..') };
  const format = { platform: 'node', format: 'esm', target: 'node20' } as const;
  await build({ entryPoints, outfile: script, alias, bundle: true, mainFields: ['module', 'main'], ...format });
  const run = (action: string, fatal: string) =>
    spawnSync(process.execPath, [script, path, folder, action, fatal], { encoding: 'utf8' });
  const isTapped = async () => (await serversIn()).some(({ entry }) => JSON.stringify(entry).includes('"tap"'));
  const untap = async () => installer.change((await serversIn()).slice(0, 2), 'untap');
  for (const action of ['tap', 'untap']) {
    for (const fatal of ['backup', 'note', 'replace', 'rename', 'forget']) {
      if (action === 'untap') await installer.change((await serversIn()).slice(0, 2), 'tap');
      expect(run(action, fatal).signal, `${action} ${fatal}`).toBe('SIGKILL');
      expect(await serversIn()).toHaveLength(3);
      expect(await isTapped(), `${action} ${fatal}`).toBe((action === 'tap') === (fatal === 'forget'));
      await untap();
      expect(read()).toBe(original);
    }
  }
  expect(readdirSync(home).filter((name) => name.startsWith('mcp.json'))).toEqual(['mcp.json']);
}, 60_000);
