import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SHAPE_EXAMPLES } from '@/lib/redact/test-shape-examples';
import type { ConfiguredServer, ServersReply } from '@/lib/wire/api';
import type { StdioTarget, Target } from '@/lib/wire/command';
import { type Preset, prepareLaunch, type StdioLaunch, withInputsForSecrets } from '../connection/launch';
import { KEPT_SERVER_BYTES, SERVERS_KEPT } from './kept-servers';
import { ServerList } from './server-list';

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mcp-inspect-servers-'));
  file = join(home, 'servers.json');
});
afterEach(() => rmSync(home, { recursive: true }));

interface Run {
  readonly given?: readonly Preset[];
  readonly environment?: Record<string, string>;
  readonly remembers?: boolean;
}

/** Starts a run of mcp-inspect on the same data folder. */
function run({ given = [], environment = {}, remembers = true }: Run = {}) {
  const list = new ServerList({
    folder: join(home, 'recordings'),
    given: given.map(withInputsForSecrets),
    context: { platform: 'linux', home, cwd: '/work', environment, uid: undefined },
    remembers,
  });
  const use = async (target: Target, replaces?: string) => {
    const launch = await prepareLaunch(target, 'auto', list.presets);
    list.remember({ launch, target, replaces });
    return launch;
  };
  /** Connects as a click on a row does. */
  const again = ({ id, target, protocol, inputs = [] }: ConfiguredServer, answers: Record<string, string> = {}) =>
    prepareLaunch(
      { ...target, base: id, inputs: inputs.map((input) => ({ id: input.id, value: answers[input.id]! })) },
      protocol,
      list.presets,
    );
  return { list, use, again };
}

const kept = ({ servers }: ServersReply) => servers.filter(({ origin }) => origin === 'kept');
const node = (...args: readonly string[]): StdioTarget => ({ transport: 'stdio', command: 'node', args, cwd: '/work' });
const text = () => readFileSync(file, 'utf8');

describe('servers that somebody connected to', () => {
  test('are there in the next run, in a file that only its owner can read', async () => {
    const { list, use } = run();
    await use(node('server.js'));
    await use({ transport: 'http', url: 'https://h.example/mcp' });
    await list.written;
    const [one, other] = kept(await run().list.list());
    expect([one, other].map((server) => server?.name).sort()).toEqual(['h.example', 'server.js']);
    expect(one).toMatchObject({ id: expect.stringMatching(/^kept-/), lastUsed: expect.stringMatching(/^20/) });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('keep client settings, apart from secrets in extra `_meta`', async () => {
    const { list, use } = run();
    const meta = { 'com.example/tenant': 'a', 'com.example/x': SHAPE_EXAMPLES[0]!.join('') };
    await use({ ...node('server.js'), profile: { capabilities: { roots: {} }, meta } });
    await list.written;
    const [one] = kept(await run().list.list());
    expect(one?.target.profile).toEqual({
      capabilities: { roots: {} },
      meta: { 'com.example/tenant': 'a' },
    });
    expect(text()).not.toContain(SHAPE_EXAMPLES[0]!.join(''));
  });

  test('have the last client settings, also none', async () => {
    const { list, use } = run();
    const target = { ...node('server.js'), profile: { capabilities: {} } };
    const launch = await use(target);
    await list.written;
    list.remember({ launch: { ...launch, profile: { capabilities: { roots: {} } } }, target });
    const [changed] = kept(await list.list());
    expect(changed?.target.profile).toEqual({ capabilities: { roots: {} } });
    const base = { ...target, base: changed!.id };
    list.remember({ launch: { ...(await prepareLaunch(base, 'auto', list.presets)), profile: {} }, target: base });
    const [reset] = kept(await list.list());
    expect(reset?.id).toBe(changed?.id);
    expect(reset?.target).not.toHaveProperty('profile');
  });

  test('are read if an earlier version wrote `features`', async () => {
    const { list, use } = run();
    await use({ ...node('server.js'), profile: { capabilities: {} } });
    await list.written;
    writeFileSync(file, text().replace(/"profile":\s*\{\s*"capabilities":\s*\{\s*\}\s*\}/, '"features":["roots"]'));
    expect(text()).toContain('features');
    const [one] = kept(await run().list.list());
    expect(one?.target.profile).toEqual({ capabilities: { roots: { listChanged: true } } });
  });

  test('have the name that the server gives itself', async () => {
    const { list, use } = run();
    const target = node('dist/index.js');
    const launch = await use(target);
    list.remember({ launch, target, serverName: 'everything' });
    expect(kept(await list.list())).toMatchObject([{ name: 'everything' }]);
    await use(target);
    expect(kept(await list.list())).toMatchObject([{ name: 'everything' }]);
  });

  test('are marked until they have opened once', async () => {
    const { list, use } = run();
    const target = node('serverr.js');
    const launch = await use(target);
    expect(kept(await list.list())).toMatchObject([{ unopened: true }]);
    list.remember({ launch, target, opened: true });
    await use(target);
    const [opened] = kept(await list.list());
    expect(opened).not.toHaveProperty('unopened');
  });

  test('are kept once, however often they are used', async () => {
    const { list, use } = run();
    await use(node('server.js'));
    await use(node('server.js', '--other'));
    await use(node('server.js'));
    expect(kept(await list.list())).toHaveLength(2);
    const second = run();
    await second.list.list();
    await second.use(node('server.js'));
    expect(kept(await second.list.list())).toHaveLength(2);
  });

  test('get their values from the environment, else ask for them', async () => {
    const first = run();
    await first.use({ ...node('s.js', '--token', 'a1b2c3d4e5f6'), env: { API_KEY: 'sesame-1', MODE: 'sesame-2' } });
    await first.list.written;
    expect(text()).not.toMatch(/sesame|a1b2c3/);

    const { list, again } = run({ environment: { MODE: 'of the shell' } });
    const [server] = kept(await list.list());
    expect(server!.inputs!.map(({ id, secret }) => [id, secret])).toEqual([
      ['token', true],
      ['API_KEY', true],
    ]);
    await expect(again({ ...server!, inputs: [] })).rejects.toThrow('asks for `token`');
    const launch = await again(server!, { token: 'typed-1', API_KEY: 'typed-2' });
    expect(launch).toMatchObject({
      args: ['s.js', '--token', 'typed-1'],
      extras: { API_KEY: 'typed-2', MODE: 'of the shell' },
      secrets: ['typed-2', 'typed-1'],
    });
    expect(launch.title).not.toContain('typed');
  });

  test('need no answers again in the same run', async () => {
    const { list, use, again } = run();
    await use({ ...node('s.js', '--token', 'a1b2c3d4e5f6'), env: { API_KEY: 'sesame-1' } });
    const [server] = kept(await list.list());
    expect(server).not.toHaveProperty('inputs');
    expect(await again(server!)).toMatchObject({
      args: ['s.js', '--token', 'a1b2c3d4e5f6'],
      extras: { API_KEY: 'sesame-1' },
    });
  });

  test('at a URL ask for headers, secret parameters and the secret of the OAuth client', async () => {
    const first = run();
    await first.use({
      transport: 'http',
      url: 'https://h.example/mcp?api_key=sesame-1&team=x',
      headers: { Authorization: 'Bearer sesame-2' },
      client: { clientId: 'me', clientSecret: 'sesame-3' },
      tls: { insecure: true },
    });
    await first.list.written;
    expect(text()).not.toContain('sesame');
    const { list, again } = run();
    const [server] = kept(await list.list());
    expect(server!.inputs!.map(({ id }) => id)).toEqual(['api_key', 'Authorization', 'client-secret']);
    expect(await again(server!, { api_key: 'k1', Authorization: 'Bearer k2', 'client-secret': 'k3' })).toMatchObject({
      transport: 'http',
      url: 'https://h.example/mcp?api_key=k1&team=x',
      headers: [['Authorization', 'Bearer k2']],
      client: { clientId: 'me', clientSecret: 'k3' },
      shown: { tls: { insecure: true } },
    });
  });

  test('keep the shell’s environment if they were typed in a shell', async () => {
    const shown: ConfiguredServer = {
      id: 'command-line',
      origin: 'command-line',
      source: 'command line',
      target: node('s.js'),
      envNames: [],
      policy: 'shell',
      placeholders: [],
      protocol: 'auto',
    };
    const first = run({ given: [{ shown, env: {} }] });
    await first.use({ ...node('s.js'), base: 'command-line' });
    await first.list.written;
    expect(kept(await run().list.list())[0]).toMatchObject({ policy: 'shell', name: 's.js' });
  });

  test('take literal placeholders as they were typed', async () => {
    const first = run();
    await first.use(node('-e', 'console.log(`${name}`)'));
    await first.list.written;
    const { list, again } = run();
    const [server] = kept(await list.list());
    expect(server).not.toHaveProperty('problem');
    expect(await again(server!)).toMatchObject({ args: ['-e', 'console.log(`${name}`)'] });
  });

  test('hold no secret of a known shape, in the file or on the page', async () => {
    const secrets = SHAPE_EXAMPLES.map((example) => example.join(''));
    for (let from = 0; from < secrets.length; from += 100) {
      const { list, use } = run();
      const some = secrets.slice(from, from + 100);
      for (const [n, secret] of some.entries()) {
        // The number keeps the servers apart.
        await use({ ...node(`${n}.js`, secret), env: { VALUE: secret } });
        await use({ transport: 'http', url: `https://h.example/${n}?a=${encodeURIComponent(secret)}` });
      }
      const reply = JSON.stringify(await list.list());
      expect(kept(JSON.parse(reply))).toHaveLength(2 * some.length);
      for (const stored of [text(), reply]) {
        const plain = stored.replace(/%[0-9a-f]{2}/gi, (one) => decodeURIComponent(one));
        expect(some.filter((secret) => plain.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
      }
      rmSync(file);
    }
  }, 60_000);

  test('are not kept if their commands are very long', async () => {
    const { list, use } = run();
    await use(node('x'.repeat(KEPT_SERVER_BYTES)));
    expect(kept(await list.list())).toEqual([]);
  });

  test('are not kept with --record off', async () => {
    const { list, use } = run({ remembers: false });
    await use(node('server.js'));
    expect(kept(await list.list())).toEqual([]);
  });

  test('number at most 200; pinned ones stay', async () => {
    const { list, use } = run();
    await use(node('first.js'));
    const [first] = kept(await list.list());
    await list.change({ kind: 'pin', id: first!.id, on: true });
    for (let n = 0; n < SERVERS_KEPT + 3; n++) await use(node(`${n}.js`));
    const servers = kept(await list.list());
    expect(servers).toHaveLength(SERVERS_KEPT);
    expect(servers.at(-1)).toMatchObject({ pinned: true, name: 'first.js' });
  });

  test('are a clear error if the file can’t be read, and the file stays', async () => {
    for (const broken of ['{"version":1,"servers":', '{"version":2,"servers":[]}', '[]']) {
      writeFileSync(file, broken);
      const { list, use } = run();
      await use(node('server.js'));
      expect(await list.list()).toMatchObject({ failure: { code: 'servers-unreadable' } });
      await expect(list.change({ kind: 'delete', id: 'kept-00000000' })).rejects.toMatchObject({
        code: 'servers-unreadable',
      });
      expect(text()).toBe(broken);
    }
  });
});

describe('a server of a config', () => {
  const fromConfig = (env: Record<string, string>, args = ['s.js', '--key=sesame-99887']): Preset => ({
    shown: {
      id: 'config-1',
      origin: 'config',
      source: '/etc/mcp.json',
      target: { transport: 'stdio', name: 'files', command: 'node', args },
      envNames: Object.keys(env),
      policy: 'allowlist',
      placeholders: [],
      protocol: 'auto',
    },
    filled: { command: 'node', args, cwd: undefined },
    env,
  });

  test('gets its values from the config as it is now', async () => {
    const first = run({ given: [fromConfig({ TOKEN: 'old', MODE: 'x' })] });
    const [given] = (await first.list.list()).servers;
    expect(JSON.stringify(given)).not.toContain('sesame');
    await first.use({ ...given!.target, base: 'config-1', env: { MODE: null } } as Target);
    await first.list.written;
    expect(text()).not.toMatch(/sesame|old/);

    const { list, again } = run({ given: [fromConfig({ TOKEN: 'new', MODE: 'x', MORE: 'y' })] });
    const [server] = kept(await list.list());
    expect(server).toMatchObject({ source: '/etc/mcp.json', envNames: ['TOKEN'] });
    expect(server).not.toHaveProperty('inputs');
    expect(await again(server!)).toMatchObject({
      name: 'files',
      args: ['s.js', '--key=sesame-99887'],
      extras: { TOKEN: 'new', MORE: 'y' },
    });
  });

  test('gives no values to another package that the same program runs', async () => {
    const runs = (...args: readonly string[]): Preset => {
      const { shown } = fromConfig({ TOKEN: 'x' });
      const target = { transport: 'stdio', name: 'files', command: 'npx', args } as const;
      return { shown: { ...shown, target }, filled: { command: 'npx', args, cwd: undefined }, env: { TOKEN: 'x' } };
    };
    const first = run({ given: [runs('-y', '@a/files@1.0.0')] });
    await first.use({ ...(await first.list.list()).servers[0]!.target, base: 'config-1' });
    await first.list.written;
    const [same] = kept(await run({ given: [runs('-y', '@a/files@2.0.0', '--fast')] }).list.list());
    expect(same).not.toHaveProperty('inputs');
    for (const given of [[runs('-y', '@a/mail')], [runs('-y', '@b/files')]]) {
      const [other] = kept(await run({ given }).list.list());
      expect(other!.inputs!.map(({ id }) => id)).toEqual(['TOKEN']);
    }
  });

  test('never gets a variable again that a person removed, by connecting or in the form', async () => {
    const { list, again } = run({ given: [fromConfig({ A: '1', B: '2', C: '3', D: '4' })] });
    const [given] = (await list.list()).servers;
    const remove = async (from: ConfiguredServer, name: string) => {
      const target = { ...from.target, base: from.id, env: { [name]: null } } as Target;
      list.remember({ launch: await prepareLaunch(target, 'auto', list.presets), target });
    };
    await remove(given!, 'A');
    await remove(kept(await list.list())[0]!, 'B');
    const [server] = kept(await list.list());
    expect(((await again(server!)) as StdioLaunch).extras).toEqual({ C: '3', D: '4' });
    const { id, target, protocol } = server!;
    const [edited] = kept((await list.change({ kind: 'edit', id, server: { target, names: ['D'], protocol } }))!);
    expect(((await again(edited!)) as StdioLaunch).extras).toEqual({ D: '4' });
  });

  test('that `--server` found is listed once', async () => {
    mkdirSync(join(home, '.cursor'));
    const mcpServers = { files: { command: 'files', env: { KEY: 'sesame' } }, other: { command: 'other' } };
    writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers }), { mode: 0o600 });
    const first = run();
    const { servers } = await first.list.list();
    expect(servers.map(({ origin, target }) => `${origin} ${target.name}`)).toEqual(['found files', 'found other']);
    expect(JSON.stringify(servers)).not.toContain('sesame');
    const named = first.list.presets[0]!;
    expect((await run({ given: [named] }).list.list()).servers).toEqual(servers);
  });

  test('asks for them if the config is gone or starts another program', async () => {
    const first = run({ given: [fromConfig({ TOKEN: 'old' })] });
    await first.use({ ...(await first.list.list()).servers[0]!.target, base: 'config-1' });
    await first.list.written;
    const evil = fromConfig({ TOKEN: 'old' });
    const other = { ...evil, shown: { ...evil.shown, target: { ...node('s.js'), name: 'files', command: 'evil' } } };
    for (const given of [[], [other]]) {
      const [server] = kept(await run({ given }).list.list());
      expect(server!.inputs!.map(({ id }) => id)).toEqual(['key', 'TOKEN']);
    }
  });
});

describe('changes', () => {
  test('rename, pin, duplicate, edit and delete', async () => {
    const { list, use, again } = run();
    await use({ ...node('s.js'), env: { KEY: 'sesame' } });
    const [{ id }] = kept(await list.list()) as [ConfiguredServer];
    const changed = async (change: object) => kept((await list.change({ id, ...change } as never))!);
    expect(await changed({ kind: 'rename', name: 'mine' })).toMatchObject([{ target: { name: 'mine' } }]);
    expect(await changed({ kind: 'pin', on: true })).toMatchObject([{ pinned: true }]);
    const two = await changed({ kind: 'duplicate', name: 'mine 2' });
    expect(two.map(({ target, pinned }) => [target.name, pinned])).toEqual([
      ['mine', true],
      ['mine 2', undefined],
    ]);
    // Each of two servers with the same command is used on its own.
    await use({ ...two[1]!.target, base: two[1]!.id, inputs: [{ id: 'KEY', value: 'x' }] } as Target);
    expect(kept(await list.list()).map(({ target }) => target.name)).toEqual(['mine 2', 'mine']);

    const server = { target: node('s.js', '--token=a1b2c3d4e5f6'), names: ['KEY', 'NEW'], protocol: '2025-06-18' };
    const edited = (await changed({ kind: 'edit', server })).find((one) => one.id === id)!;
    expect(edited).toMatchObject({ envNames: ['KEY', 'NEW'], protocol: '2025-06-18', pinned: true });
    expect(edited.inputs!.map((input) => input.id)).toEqual(['token', 'KEY', 'NEW']);
    expect(await again(edited, { token: 't', KEY: 'k', NEW: 'n' })).toMatchObject({ args: ['s.js', '--token=t'] });
    expect(text()).not.toMatch(/sesame|a1b2c3/);
    expect((await changed({ kind: 'delete' })).map((one) => one.id)).not.toContain(id);
    await expect(changed({ kind: 'pin', on: true })).rejects.toMatchObject({ code: 'server-gone' });
  });

  test('of an edited command replace it when it is connected', async () => {
    const { list, use } = run();
    await use(node('typo.js'));
    const [{ id }] = kept(await list.list()) as [ConfiguredServer];
    await use(node('server.js'), id);
    expect(kept(await list.list())).toMatchObject([{ id, name: 'server.js' }]);
  });

  test('that are too long to be kept are an error, so that the form keeps them', async () => {
    const { list, use } = run();
    await use(node('s.js'));
    const [{ id }] = kept(await list.list()) as [ConfiguredServer];
    const before = text();
    const server = { target: node('x'.repeat(KEPT_SERVER_BYTES)), names: [], protocol: 'auto' };
    for (const change of [
      { kind: 'edit', id, server },
      { kind: 'add', server },
    ]) {
      await expect(list.change(change)).rejects.toMatchObject({ code: 'server-too-long' });
    }
    expect(text()).toBe(before);
  });

  test('after a failed start replace what failed', async () => {
    const { list, use } = run();
    const launch = await use(node('typo.js'));
    await list.list();
    const fixed = node('server.js');
    list.remember({ launch: await prepareLaunch(fixed, 'auto', []), target: fixed, before: { launch, failed: true } });
    expect(kept(await list.list()).map(({ name }) => name)).toEqual(['server.js']);
  });

  test('that are malformed are refused', () => {
    const { list } = run();
    const id = 'kept-00000000';
    for (const change of [
      {},
      { kind: 'rename', id },
      { kind: 'rename', id, name: ' ' },
      { kind: 'rename', id, name: 'x'.repeat(201) },
      { kind: 'pin', id, on: 1 },
      { kind: 'delete' },
      { kind: 'edit', id, server: { target: { transport: 'stdio', command: '' }, names: [], protocol: 'auto' } },
      { kind: 'add', server: { target: node('s.js'), names: [1], protocol: 'auto' } },
      { kind: 'constructor', id },
    ]) {
      expect(list.change(change)).toBeUndefined();
    }
  });
});
