import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { StdioTarget, UrlTarget } from '@/lib/wire/command';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { initialized, json } from './fixtures/http-fixture';
import { AUTHORITY, certificateFile, LOCKED_KEY, PASSPHRASE, startTls } from './fixtures/tls-fixture';
import {
  type CompletePreset,
  insecureNote,
  launchSecrets,
  type Preset,
  type ProxyUrlLaunch,
  prepareLaunch,
  presetOf,
  resolveLaunch,
  type StdioLaunch,
  serverDigest,
  startEvent,
} from './launch';
import { openHub } from './test-hub';

describe('launch', () => {
  const typed: StdioTarget = { transport: 'stdio', command: 'node', args: ['server.js'] };
  const stdio = (target: StdioTarget, presets: readonly CompletePreset[]): StdioLaunch =>
    resolveLaunch(target, 'auto', presets) as StdioLaunch;
  const preset = (policy: Preset['shown']['policy'], env: Record<string, string> = {}): CompletePreset => ({
    shown: {
      id: 'argv',
      origin: 'command-line',
      source: 'command line',
      target: typed,
      envNames: Object.keys(env),
      policy,
      placeholders: [],
      protocol: 'auto',
    },
    env,
  });

  describe('environment of a launch', () => {
    test('is the shell’s only for the command typed there', () => {
      process.env.LAUNCH_TEST_SECRET = 's3cret';
      const presets = [preset('shell')];
      const same = stdio({ ...typed, base: 'argv' }, presets);
      expect(same.env.LAUNCH_TEST_SECRET).toBe('s3cret');
      const edited = stdio({ ...typed, base: 'argv', args: ['-e', 'evil'] }, presets);
      expect(edited.env.LAUNCH_TEST_SECRET).toBeUndefined();
      expect(edited.environment.policy).toBe('allowlist');
      const page = stdio(typed, presets);
      expect(page.env.LAUNCH_TEST_SECRET).toBeUndefined();
      delete process.env.LAUNCH_TEST_SECRET;
    });

    test('uses, changes and removes a config’s values by name', () => {
      const presets = [preset('allowlist', { KEY: 'from config', OTHER: 'x' })];
      const launch = stdio({ ...typed, base: 'argv', env: { OTHER: null, MORE: '1' } }, presets);
      expect(launch.env).toMatchObject({ KEY: 'from config', MORE: '1' });
      expect(launch.env).not.toHaveProperty('OTHER');
      expect(launch.environment.added).toEqual(['KEY', 'MORE']);
      expect(JSON.stringify(launch.environment)).not.toContain('from config');
    });
  });

  test('shows no secret of its arguments, and runs with it', () => {
    const secret = 'a1b2c3d4e5f6';
    const launch = stdio({ ...typed, args: ['server.js', '--token', secret] }, []);
    expect(launch).toMatchObject({ args: ['server.js', '--token', secret], placeholders: ['input:token'] });
    expect(JSON.stringify([launch.title, launch.shown, launch.name, startEvent(launch, '')])).not.toContain(secret);
    // The page has only the masked arguments when it edits or restarts the connection.
    const again = stdio({ ...launch.shown, base: 'c1' }, [presetOf('c1', launch)]);
    expect(again).toMatchObject({ args: ['server.js', '--token', secret], title: launch.title });
  });

  test('runs with the values of a config’s placeholders, and shows them nowhere', () => {
    const written: StdioTarget = { transport: 'stdio', command: 'srv', args: ['--key', '${KEY}'] };
    const shown: Preset['shown'] = {
      id: 'c',
      origin: 'config',
      source: 'x.json',
      target: written,
      envNames: [],
      policy: 'allowlist',
      placeholders: ['KEY'],
      protocol: 'auto',
    };
    const presets: CompletePreset[] = [{ shown, filled: { command: 'srv', args: ['--key', 'hunter2'] }, env: {} }];
    const launch = stdio({ ...written, base: 'c' }, presets);
    expect(launch.args).toEqual(['--key', 'hunter2']);
    expect(JSON.stringify([launch.title, launch.shown, launch.name])).not.toContain('hunter2');
    expect(launch.placeholders).toEqual(['KEY']);
    const edited = stdio({ ...written, base: 'c', args: ['--key', 'x'] }, presets);
    expect(edited).toMatchObject({ args: ['--key', 'x'], placeholders: [] });
    const again = presetOf('c1', launch);
    expect(JSON.stringify(again.shown)).not.toContain('hunter2');
    expect(stdio({ ...again.shown.target, base: 'c1' } as StdioTarget, [again]).args[1]).toBe('hunter2');
  });

  describe('an earlier connection as the base', () => {
    const first = resolveLaunch({ ...typed, env: { KEY: 'typed by hand', OTHER: 'x' } }, 'auto', []);
    const presets = [presetOf('c1', first)];

    test('gives its values, which can be kept, changed and removed', () => {
      expect(presets[0]!.shown).toMatchObject({ id: 'c1', envNames: ['KEY', 'OTHER'], policy: 'allowlist' });
      expect(JSON.stringify(presets[0]!.shown)).not.toContain('typed by hand');
      const target: StdioTarget = { ...typed, base: 'c1', args: ['other.js'], env: { OTHER: null, MORE: '1' } };
      const launch = stdio(target, presets);
      expect(launch.extras).toEqual({ KEY: 'typed by hand', MORE: '1' });
      expect(launch.name).toBe('other.js');
    });

    test('keeps a name that was given', () => {
      const named = presetOf('c2', resolveLaunch({ ...typed, name: 'mine' }, 'auto', []));
      expect(resolveLaunch({ ...typed, base: 'c2', args: ['x.js'] }, 'auto', [named]).name).toBe('mine');
    });

    test('gives the shell’s environment only to the same command', () => {
      process.env.LAUNCH_TEST_SECRET = 's3cret';
      const shell = presetOf('c3', resolveLaunch({ ...typed, base: 'argv' }, 'auto', [preset('shell')]));
      const same = { ...shell.shown.target, base: 'c3' } as StdioTarget;
      expect(stdio(same, [shell]).env.LAUNCH_TEST_SECRET).toBe('s3cret');
      expect(stdio({ ...same, args: [] }, [shell]).env.LAUNCH_TEST_SECRET).toBeUndefined();
      delete process.env.LAUNCH_TEST_SECRET;
    });

    test('is an error if it is gone, because its values are missing', () => {
      expect(() => resolveLaunch({ ...typed, base: 'c9' }, 'auto', presets)).toThrow(
        expect.objectContaining({ code: 'no-base' }),
      );
    });
  });

  test('has a title that can be pasted into a shell', () => {
    const launch = resolveLaunch({ transport: 'stdio', command: 'a b', args: ["it's", '$(x)', '--k=v'] }, 'auto', []);
    expect(launch.title).toBe(`'a b' 'it'"'"'s' '$(x)' --k=v`);
  });

  describe('a server at a URL', () => {
    const configured: CompletePreset = {
      shown: {
        id: 'one',
        origin: 'config',
        source: 'config',
        target: { transport: 'http', url: 'https://h.example/mcp' },
        envNames: ['Authorization', 'X-Team'],
        policy: 'allowlist',
        placeholders: [],
        protocol: 'auto',
      },
      env: { Authorization: 'Bearer s3cret', 'X-Team': 'blue' },
    };
    const url = (target: Omit<UrlTarget, 'transport'>): ProxyUrlLaunch =>
      resolveLaunch({ transport: 'auto', ...target }, 'auto', [configured]) as ProxyUrlLaunch;

    test('uses, changes and removes a config’s headers by name, in any case', () => {
      const launch = url({
        url: 'https://h.example/other',
        base: 'one',
        headers: { 'x-team': 'red', authorization: null },
      });
      expect(launch.headers).toEqual([['x-team', 'red']]);
      expect(url({ url: 'https://h.example/mcp', base: 'one' }).headers).toEqual([
        ['Authorization', 'Bearer s3cret'],
        ['X-Team', 'blue'],
      ]);
    });

    test.each(['https://evil.example/mcp', 'http://h.example/mcp', 'https://h.example:8443/mcp'])(
      'sends none of a config’s headers to %s',
      (other) => expect(url({ url: other, base: 'one' }).headers).toEqual([]),
    );

    test('turns user and password into a header and shows them nowhere', () => {
      const launch = url({ url: 'https://me:p%40ss@h.example/mcp?api_key=abc&x=1' });
      expect(launch.headers).toEqual([['Authorization', `Basic ${Buffer.from('me:p@ss').toString('base64')}`]]);
      expect(launch.url).toBe('https://h.example/mcp?api_key=abc&x=1');
      expect(launch.title).toBe('https://h.example/mcp?api_key=•••&x=1');
      expect(launch.name).toBe('h.example');
    });

    test('gives its header values, without the URL’s password, to the same URL', () => {
      const first = url({ url: 'https://me:s3cret@h.example/mcp?token=s3cret', headers: { 'X-Team': 's3cret' } });
      const earlier = presetOf('c1', first);
      expect(JSON.stringify(earlier.shown)).not.toContain('s3cret');
      const again = resolveLaunch({ ...earlier.shown.target, base: 'c1' }, 'auto', [earlier]) as ProxyUrlLaunch;
      expect(again.url).toBe('https://h.example/mcp?token=s3cret');
      expect(again.headers).toEqual(first.headers);
      const moved = { transport: 'auto', url: 'https://evil.example/', base: 'c1' } as const;
      expect(resolveLaunch(moved, 'auto', [earlier])).toMatchObject({ headers: [], url: 'https://evil.example/' });
    });

    test('connects with the values of a config’s placeholders, and shows them nowhere', () => {
      const target: UrlTarget = { transport: 'http', url: 'https://${HOST}/${KEY}' };
      const written: CompletePreset = {
        shown: { ...configured.shown, target, placeholders: ['HOST', 'KEY'] },
        filledUrl: 'https://h.example/s3cret',
        env: { Authorization: 'Bearer s3cret' },
      };
      const launch = resolveLaunch({ ...target, base: 'one' }, 'auto', [written]) as ProxyUrlLaunch;
      expect(launch).toMatchObject({ url: 'https://h.example/s3cret', headers: [['Authorization', 'Bearer s3cret']] });
      expect(JSON.stringify([launch.title, launch.shown, launch.name])).not.toContain('s3cret');
      expect(launch.placeholders).toEqual(['HOST', 'KEY']);
    });

    test.each([
      ['X-Bad\r\nX-Injected', 'v'],
      ['X-Bad', 'v\r\nX-Injected: 1'],
      ['X-Bad', 'v\n'],
      ['X-Bad', 'a\0b'],
      ['X Bad', 'v'],
      ['', 'v'],
      ['Host', 'evil'],
      ['content-length', '0'],
      ['Transfer-Encoding', 'chunked'],
      ['X-Bad', 'naïve'],
    ])('refuses the header %j: %j before any request', (name, value) => {
      expect(() => url({ url: 'https://h.example/mcp', headers: { [name]: value } })).toThrow(
        expect.objectContaining({ code: 'header-invalid' }),
      );
    });

    test('treats a header called __proto__ like any other', () => {
      const headers = JSON.parse('{"__proto__":"v"}') as Record<string, string>;
      expect(url({ url: 'https://h.example/mcp', headers }).headers).toEqual([['__proto__', 'v']]);
    });

    test.each(['ftp://h/', 'h.example', 'file:///etc/passwd', 'http://'])('refuses %j as a URL', (text) => {
      expect(() => url({ url: text })).toThrow(expect.objectContaining({ code: 'url-invalid' }));
    });
  });

  test('has a digest of what is really started or reached', () => {
    const digest = (target: StdioTarget | UrlTarget, presets: readonly CompletePreset[] = []) =>
      serverDigest(resolveLaunch(target, 'auto', presets));
    const mine = digest(typed);
    expect(digest({ ...typed, name: 'other', env: { A: '1' } })).toBe(mine);
    for (const other of [{ command: 'deno' }, { args: ['server.js', '-x'] }, { args: [] }, { cwd: '/' }]) {
      expect(digest({ ...typed, ...other })).not.toBe(mine);
    }
    const at = (url: string): UrlTarget => ({ transport: 'auto', url });
    expect(digest({ ...at('https://h.example/'), transport: 'http' })).toBe(digest(at('https://h.example/')));
    expect(digest(at('https://h.example/a'))).not.toBe(digest(at('https://h.example/b')));
    // The same text, with another value for its placeholder.
    const base = 'argv';
    const filled = (arg: string) =>
      digest({ ...typed, base }, [{ ...preset('allowlist'), filled: { command: 'node', args: [arg] } }]);
    expect(filled('a.js')).not.toBe(filled('b.js'));
  });

  describe('a client secret', () => {
    const earlier: CompletePreset = {
      ...preset('allowlist'),
      shown: {
        ...preset('allowlist').shown,
        id: 'c1',
        target: { transport: 'auto', url: 'https://h/mcp', client: { clientId: 'me' } },
      },
      clientSecret: 'shh',
    };
    const secretFor = (target: Partial<UrlTarget>) => {
      const whole: UrlTarget = { transport: 'auto', url: 'https://h/mcp', base: 'c1', ...target };
      return (resolveLaunch(whole, 'auto', [earlier]) as ProxyUrlLaunch).client.clientSecret;
    };

    test('is kept only for its client id and origin', () => {
      expect(secretFor({ client: { clientId: 'me' } })).toBe('shh');
      expect(secretFor({ client: { clientId: 'other' } })).toBeUndefined();
      expect(secretFor({})).toBeUndefined();
      expect(secretFor({ url: 'https://evil/mcp', client: { clientId: 'me' } })).toBeUndefined();
      expect(secretFor({ client: { clientId: 'me', clientSecret: 'new' } })).toBe('new');
    });

    test('is shown nowhere, and kept for the next start', () => {
      const target: UrlTarget = {
        transport: 'auto',
        url: 'https://h/mcp',
        client: { clientId: 'me', clientSecret: 'shh' },
      };
      const launch = resolveLaunch(target, 'auto', []) as ProxyUrlLaunch;
      const again = presetOf('c1', launch);
      expect(JSON.stringify([again.shown, launch.shown])).not.toContain('shh');
      expect(again.clientSecret).toBe('shh');
    });

    test('is refused with settings that make no sense', () => {
      const target: UrlTarget = { transport: 'auto', url: 'https://h/mcp', client: { clientSecret: 'shh' } };
      expect(() => resolveLaunch(target, 'auto', [])).toThrow('client id');
    });
  });

  describe('an input of a config', () => {
    const written: StdioTarget = { transport: 'stdio', command: 'srv', args: ['${input:key}'] };
    const asking: Preset = {
      shown: {
        id: 'c',
        origin: 'config',
        source: 'x.json',
        target: written,
        envNames: ['KEY'],
        policy: 'allowlist',
        placeholders: ['input:key'],
        protocol: 'auto',
        inputs: [{ id: 'key', description: '', secret: true }],
      },
      env: { KEY: '${input:key}' },
      complete: async (answers) => {
        const { inputs: _, ...shown } = asking.shown;
        const key = answers.get('key')!;
        return { shown, filled: { command: 'srv', args: [key] }, env: { KEY: key }, secrets: [key] };
      },
    };

    const prepared = async (target: StdioTarget, presets: readonly Preset[]) =>
      (await prepareLaunch(target, 'auto', presets)) as StdioLaunch;

    test('needs an answer', async () => {
      await expect(prepared({ ...written, base: 'c' }, [asking])).rejects.toThrow('The config asks for `key`.');
    });

    test('is filled in and shown nowhere, also after a restart', async () => {
      const inputs = [{ id: 'key', value: 'sesame-1234' }];
      const launch = await prepared({ ...written, base: 'c', inputs }, [asking]);
      expect(launch).toMatchObject({ args: ['sesame-1234'], secrets: ['sesame-1234'], extras: { KEY: 'sesame-1234' } });
      expect(JSON.stringify([launch.title, launch.shown, launch.name, launch.placeholders])).not.toContain('sesame');
      const again = stdio({ ...launch.shown, base: 'c1' }, [presetOf('c1', launch)]);
      expect(again).toMatchObject({ args: ['sesame-1234'], secrets: ['sesame-1234'], env: { KEY: 'sesame-1234' } });
    });

    test('fills a pasted target once, and only its answered inputs', () => {
      const target: StdioTarget = {
        ...written,
        args: ['${input:a}', '${input:b}', '${HOME}'],
        env: { E: 'x${input:a}' },
      };
      const launch = stdio({ ...target, inputs: [{ id: 'a', value: '${input:b}', secret: true }] }, []);
      expect(launch).toMatchObject({
        args: ['${input:b}', '${input:b}', '${HOME}'],
        shown: { args: target.args },
        placeholders: ['input:a'],
        extras: { E: 'x${input:b}' },
        secrets: ['${input:b}'],
      });
    });

    test('fills a URL, its headers and its client', () => {
      const target: UrlTarget = {
        transport: 'auto',
        url: 'https://h/${input:a}',
        headers: { X: '${input:a}' },
        client: { clientId: '${input:a}' },
        inputs: [{ id: 'a', value: 'v' }],
      };
      expect(resolveLaunch(target, 'auto', [])).toMatchObject({
        url: 'https://h/v',
        headers: [['X', 'v']],
        client: { clientId: 'v' },
        placeholders: ['input:a'],
        secrets: [],
      });
      expect((resolveLaunch(target, 'auto', []) as ProxyUrlLaunch).title).not.toContain('/v');
    });

    test('fails the start if the answer is wrong', async () => {
      const shown = { ...asking.shown, problem: 'The config’s `envFile` `/x` does not exist.' };
      const broken: Preset = { ...asking, complete: async () => ({ shown, env: {} }) };
      const target = { ...written, base: 'c', inputs: [{ id: 'key', value: 'x' }] };
      await expect(prepared(target, [broken])).rejects.toThrow('does not exist');
    });
  });
});

describe('launch secrets', () => {
  test('are variables and flags of a command with secret names', () => {
    const env = { API_KEY: 'key-12345', PLAIN: 'plain-12345' };
    const args = [
      'server.js',
      '--token',
      'flag-12345',
      '--port=12345678',
      '--header',
      'X-Auth: head-12345',
      '-H',
      'A: b',
    ];
    const secrets = launchSecrets(resolveLaunch({ transport: 'stdio', command: 'node', args, env }, 'auto', []));
    expect(secrets).toEqual(expect.arrayContaining(['key-12345', 'flag-12345', 'head-12345']));
    expect(secrets).not.toEqual(expect.arrayContaining(['plain-12345']));
    expect(secrets).not.toEqual(expect.arrayContaining(['12345678']));
  });

  test('are variables with secret names or secret-looking values', () => {
    const env = {
      DB_PASS: 'pass-12345',
      MYSQL_PWD: 'pwd-12345',
      GITHUB_PAT: 'pat-12345',
      KEY_PASSPHRASE: 'three words 12345',
      DATABASE_URL: 'postgres://me:url-12345@host/db',
      NOTE: 'ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789',
      PWD: '/work/12345',
      GIT_AUTHOR_NAME: 'Ada',
      PLAIN: 'plain-12345',
    };
    const secrets = launchSecrets(resolveLaunch({ transport: 'stdio', command: 'node', args: [], env }, 'auto', []));
    const { DB_PASS, MYSQL_PWD, GITHUB_PAT, KEY_PASSPHRASE, NOTE } = env;
    expect(secrets).toEqual(expect.arrayContaining([DB_PASS, MYSQL_PWD, GITHUB_PAT, KEY_PASSPHRASE, NOTE]));
    expect(secrets.join()).toContain('url-12345');
    expect(secrets.join()).not.toMatch(/\/work|Ada|plain/);
  });

  test('are the user, parameters and headers of a URL, and the client secret', () => {
    const secrets = launchSecrets(
      resolveLaunch(
        {
          transport: 'http',
          url: 'https://ann:pass-12345@example.com/mcp?api_key=query-12345&page=page-12345',
          headers: { 'X-Token': 'Bearer bearer-12345', 'X-Pass': 'xpass-12345', 'X-Page': 'header-12345' },
          client: { clientId: 'client', clientSecret: 'client-12345' },
        },
        'auto',
        [],
      ),
    );
    for (const value of ['pass-12345', 'query-12345', 'bearer-12345', 'xpass-12345', 'client-12345'])
      expect(secrets).toContain(value);
    expect(secrets.join()).not.toMatch(/page-12345|header-12345/);
  });
});

describe('tls launch', () => {
  const open = closedAfterEach();
  afterEach(() => {
    delete process.env.TEST_PASSPHRASE;
  });

  const URL_OF = 'https://h.example:8443/mcp';
  const launchOf = (target: Omit<UrlTarget, 'transport'>, presets: readonly CompletePreset[] = []) =>
    resolveLaunch({ transport: 'auto', ...target }, 'auto', presets) as ProxyUrlLaunch;

  describe('the TLS options of a target', () => {
    const earlier = () => presetOf('c1', launchOf({ url: URL_OF, tls: { ca: [AUTHORITY], insecure: true } }));

    test('come from its base at the same origin', async () => {
      const target: UrlTarget = { transport: 'auto', url: 'https://h.example:8443/sse', base: 'c1' };
      expect(await prepareLaunch(target, 'auto', [earlier()])).toMatchObject({
        shown: { tls: { ca: [AUTHORITY], insecure: true } },
        tls: { insecure: true },
      });
    });

    test.each(['https://h.example/mcp', 'https://evil.example:8443/mcp', 'http://h.example:8443/mcp'])(
      'do not come from it at %s',
      (url) => {
        const other = launchOf({ url, base: 'c1' }, [earlier()]);
        expect(other.tls).toBeUndefined();
        expect(other.shown.tls).toBeUndefined();
      },
    );

    test('replace the base’s if they are given', () => {
      expect(launchOf({ url: URL_OF, base: 'c1', tls: {} }, [earlier()]).tls).toBeUndefined();
    });

    test('warn only for https', () => {
      expect(insecureNote(launchOf({ url: URL_OF, tls: { insecure: true } }))).toContain(
        'h.example:8443 is NOT verified',
      );
      expect(insecureNote(launchOf({ url: 'http://h.example/', tls: { insecure: true } }))).toBeUndefined();
      expect(insecureNote(launchOf({ url: URL_OF, tls: { ca: [AUTHORITY] } }))).toBeUndefined();
    });
  });

  async function connected(tls: UrlTarget['tls'], options = {}) {
    const server = await startTls(
      'server',
      ({ method, message }, response) => {
        if (method !== 'POST') response.writeHead(405).end();
        else if (message?.method === 'initialize') json(response, initialized(message.id));
        else response.writeHead(202).end();
      },
      options,
    );
    const hub = await openHub();
    open.push(server, hub);
    const tab = await hub.tab();
    const target = { transport: 'http', url: `${server.origin}/mcp`, tls } as const;
    await tab.connect(target, 'open', '2025-11-25');
    return { tab, summary: hub.hub.connections()[0]! };
  }

  test('mark an insecure connection in its summary and in the first frame', async () => {
    const { tab, summary } = await connected({ insecure: true });
    expect(summary).toMatchObject({ insecure: true });
    expect(JSON.parse(tab.texts('lifecycle')[0]!)).toMatchObject({ event: 'start', tls: { insecure: true } });
    expect(tab.events.some((event) => event.type === 'connection' && event.connection.insecure === true)).toBe(true);
  });

  test('log the paths of a client certificate, but neither key nor passphrase', async () => {
    process.env.TEST_PASSPHRASE = PASSPHRASE;
    const files = { ca: [AUTHORITY], cert: certificateFile('client'), key: LOCKED_KEY };
    const demanding = { requestCert: true, rejectUnauthorized: true };
    const { tab, summary } = await connected({ ...files, passphraseEnv: 'TEST_PASSPHRASE' }, demanding);
    expect(summary).not.toHaveProperty('insecure');
    const all = tab.frames.map(({ bytes }) => Buffer.from(bytes).toString()).join('\n') + JSON.stringify(tab.events);
    expect(all).toContain(JSON.stringify(LOCKED_KEY));
    expect(all).not.toContain(PASSPHRASE);
    expect(all).not.toContain('PRIVATE KEY');
  });

  test('fail `connect` if a file is missing, without a connection', async () => {
    const hub = await openHub();
    open.push(hub);
    const tab = await hub.tab();
    const target = { transport: 'auto', url: URL_OF, tls: { ca: ['/nowhere.pem'] } };
    expect(await tab.ask({ type: 'connect', target, protocol: 'auto' })).toMatchObject({
      type: 'error',
      code: 'tls-file',
      message: expect.stringContaining('from "/nowhere.pem". It does not exist.'),
    });
    expect(hub.hub.connections()).toEqual([]);
  });

  test.skipIf(process.platform === 'win32').each([
    ['a pipe', () => pipe()],
    ['a device without an end', () => '/dev/zero'],
    ['a directory', () => tmpdir()],
  ])('attack: fail `connect` if a file is %s, and nothing hangs', async (_name, path) => {
    const hub = await openHub();
    open.push(hub);
    const tab = await hub.tab();
    for (const tls of [{ ca: [path()] }, { cert: path(), key: path() }]) {
      const target = { transport: 'auto', url: URL_OF, tls };
      const refused = await tab.ask({ type: 'connect', target, protocol: 'auto' });
      expect(refused).toMatchObject({
        code: 'tls-file',
        message: expect.stringMatching(/It is not a file, but a .*\.$/),
      });
    }
  });

  function pipe(): string {
    const folder = mkdtempSync(join(tmpdir(), 'pipe-'));
    open.push({ close: async () => rmSync(folder, { recursive: true }) });
    execFileSync('mkfifo', [join(folder, 'ca.pem')]);
    return join(folder, 'ca.pem');
  }
});
