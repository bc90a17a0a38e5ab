import { describe, expect, test } from 'vitest';
import type { StdioTarget } from '@/lib/wire/command';
import { type Preset, presetOf, resolveLaunch } from './launch';

const typed: StdioTarget = { transport: 'stdio', command: 'node', args: ['server.js'] };
const preset = (policy: Preset['shown']['policy'], env: Record<string, string> = {}): Preset => ({
  shown: {
    id: 'argv',
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
  test('a command typed in the shell gets the shell’s, while it is that command', () => {
    process.env.LAUNCH_TEST_SECRET = 's3cret';
    const presets = [preset('shell')];
    const same = resolveLaunch({ ...typed, base: 'argv' }, 'auto', presets);
    expect(same.env.LAUNCH_TEST_SECRET).toBe('s3cret');
    const edited = resolveLaunch({ ...typed, base: 'argv', args: ['-e', 'evil'] }, 'auto', presets);
    expect(edited.env.LAUNCH_TEST_SECRET).toBeUndefined();
    expect(edited.environment.policy).toBe('allowlist');
    const page = resolveLaunch(typed, 'auto', presets);
    expect(page.env.LAUNCH_TEST_SECRET).toBeUndefined();
    delete process.env.LAUNCH_TEST_SECRET;
  });

  test('a config’s values are used, changed and taken away by name', () => {
    const presets = [preset('allowlist', { KEY: 'from config', OTHER: 'x' })];
    const launch = resolveLaunch({ ...typed, base: 'argv', env: { OTHER: null, MORE: '1' } }, 'auto', presets);
    expect(launch.env).toMatchObject({ KEY: 'from config', MORE: '1' });
    expect(launch.env).not.toHaveProperty('OTHER');
    expect(launch.environment.added).toEqual(['KEY', 'MORE']);
    expect(JSON.stringify(launch.environment)).not.toContain('from config');
  });
});

test('what a config’s placeholders stand for runs, and is shown to nobody', () => {
  const written: StdioTarget = { transport: 'stdio', command: 'srv', args: ['--key', '${KEY}'] };
  const shown: Preset['shown'] = {
    id: 'c',
    source: 'x.json',
    target: written,
    envNames: [],
    policy: 'allowlist',
    placeholders: ['KEY'],
    protocol: 'auto',
  };
  const presets: Preset[] = [{ shown, filled: { command: 'srv', args: ['--key', 'hunter2'] }, env: {} }];
  const launch = resolveLaunch({ ...written, base: 'c' }, 'auto', presets);
  expect(launch.args).toEqual(['--key', 'hunter2']);
  expect(JSON.stringify([launch.title, launch.shown, launch.name])).not.toContain('hunter2');
  expect(launch.placeholders).toEqual(['KEY']);
  const edited = resolveLaunch({ ...written, base: 'c', args: ['--key', 'x'] }, 'auto', presets);
  expect(edited).toMatchObject({ args: ['--key', 'x'], placeholders: [] });
  const again = presetOf('c1', launch);
  expect(JSON.stringify(again.shown)).not.toContain('hunter2');
  expect(resolveLaunch({ ...again.shown.target, base: 'c1' } as StdioTarget, 'auto', [again]).args[1]).toBe('hunter2');
});

describe('an earlier connection as the base', () => {
  const first = resolveLaunch({ ...typed, env: { KEY: 'typed by hand', OTHER: 'x' } }, 'auto', []);
  const presets = [presetOf('c1', first)];

  test('gives its values: kept, changed, taken away', () => {
    expect(presets[0]!.shown).toMatchObject({ id: 'c1', envNames: ['KEY', 'OTHER'], policy: 'allowlist' });
    expect(JSON.stringify(presets[0]!.shown)).not.toContain('typed by hand');
    const target: StdioTarget = { ...typed, base: 'c1', args: ['other.js'], env: { OTHER: null, MORE: '1' } };
    const launch = resolveLaunch(target, 'auto', presets);
    expect(launch.extras).toEqual({ KEY: 'typed by hand', MORE: '1' });
    expect(launch.name).toBe('other.js');
  });

  test('keeps a name that was given', () => {
    const named = presetOf('c2', resolveLaunch({ ...typed, name: 'mine' }, 'auto', []));
    expect(resolveLaunch({ ...typed, base: 'c2', args: ['x.js'] }, 'auto', [named]).name).toBe('mine');
  });

  test('that had the shell’s environment hands it on only to the same command', () => {
    process.env.LAUNCH_TEST_SECRET = 's3cret';
    const shell = presetOf('c3', resolveLaunch({ ...typed, base: 'argv' }, 'auto', [preset('shell')]));
    const same = { ...shell.shown.target, base: 'c3' } as StdioTarget;
    expect(resolveLaunch(same, 'auto', [shell]).env.LAUNCH_TEST_SECRET).toBe('s3cret');
    expect(resolveLaunch({ ...same, args: [] }, 'auto', [shell]).env.LAUNCH_TEST_SECRET).toBeUndefined();
    delete process.env.LAUNCH_TEST_SECRET;
  });

  test('that is gone is an error: nothing starts without its values', () => {
    expect(() => resolveLaunch({ ...typed, base: 'c9' }, 'auto', presets)).toThrow(
      expect.objectContaining({ code: 'no-base' }),
    );
  });
});

test.each([
  [['node', '--inspect', 'dist/my-server.js', '--port', '1'], 'my-server.js'],
  [['npx', '-y', '@scope/some-server'], 'some-server'],
  [['uv', 'run', 'server.py'], 'server.py'],
  [['/usr/bin/weather'], 'weather'],
  [['node'], 'node'],
])('%j is called %s', ([command, ...args], name) => {
  expect(resolveLaunch({ transport: 'stdio', command: command!, args }, 'auto', []).name).toBe(name);
});

test('the title can be pasted into a shell', () => {
  const launch = resolveLaunch({ transport: 'stdio', command: 'a b', args: ["it's", '$(x)', '--k=v'] }, 'auto', []);
  expect(launch.title).toBe(`'a b' 'it'"'"'s' '$(x)' --k=v`);
});
