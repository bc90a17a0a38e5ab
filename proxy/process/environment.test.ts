import { describe, expect, test } from 'vitest';
import { helperEnvironment, serverEnvironment } from './environment';

const own = {
  PATH: '/bin',
  HOME: '/home/me',
  SHELL: '() { :; }; echo',
  SECRET: 's',
  MCP_INSPECT_TOKEN: 'ours',
} as unknown as NodeJS.ProcessEnv;

describe('server environment', () => {
  test('the shell policy passes on everything but our own variables', () => {
    const { env, names } = serverEnvironment({ policy: 'shell', own, extras: {}, platform: 'linux' });
    expect({ ...env }).toEqual({ PATH: '/bin', HOME: '/home/me', SHELL: '() { :; }; echo', SECRET: 's' });
    expect(names).toEqual({ policy: 'shell', inherited: ['HOME', 'PATH', 'SECRET', 'SHELL'], added: [] });
  });

  test('the allowlist passes on what hosts do, without exported functions', () => {
    const { env, names } = serverEnvironment({ policy: 'allowlist', own, extras: {}, platform: 'linux' });
    expect({ ...env }).toEqual({ PATH: '/bin', HOME: '/home/me' });
    expect(names.inherited).toEqual(['HOME', 'PATH']);
  });

  test('extras set, replace and remove variables, and are listed as added', () => {
    const extras = { SECRET: 'other', HOME: null, API_KEY: '', GONE: null };
    const { env, names } = serverEnvironment({ policy: 'shell', own, extras, platform: 'linux' });
    expect(env).toMatchObject({ SECRET: 'other', API_KEY: '' });
    expect(Object.keys(env).sort()).toEqual(['API_KEY', 'PATH', 'SECRET', 'SHELL']);
    expect(names).toEqual({ policy: 'shell', inherited: ['PATH', 'SHELL'], added: ['API_KEY', 'SECRET'] });
  });

  test('the names contain no values', () => {
    const { names } = serverEnvironment({ policy: 'shell', own, extras: { KEY: 'value-of-key' }, platform: 'linux' });
    expect(JSON.stringify(names)).not.toMatch(/value-of-key|home\/me|ours/);
  });

  test('programs that are not the server get no key of a model', () => {
    const keys = { OPENAI_API_KEY: 'k', Anthropic_Api_Key: 'k', GEMINI_API_KEY: 'k', OPENROUTER_API_KEY: 'k' };
    expect({ ...helperEnvironment({ ...own, ...keys }) }).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
      SHELL: '() { :; }; echo',
      SECRET: 's',
    });
  });

  test('Windows ignores the case of names', () => {
    const windows = {
      Path: 'C:\\',
      SystemRoot: 'C:\\Windows',
      mcp_inspect_x: 'ours',
      TMPX: 'x',
    } as unknown as NodeJS.ProcessEnv;
    const { env, names } = serverEnvironment({
      policy: 'allowlist',
      own: windows,
      extras: { PATH: 'D:\\' },
      platform: 'win32',
    });
    expect({ ...env }).toEqual({ SystemRoot: 'C:\\Windows', PATH: 'D:\\' });
    expect(names).toEqual({ policy: 'allowlist', inherited: ['SystemRoot'], added: ['PATH'] });
    const shell = serverEnvironment({ policy: 'shell', own: windows, extras: {}, platform: 'win32' });
    expect(shell.names.inherited).not.toContain('mcp_inspect_x');
  });

  test('__proto__ is an ordinary name', () => {
    const extras = JSON.parse('{"__proto__":"x","constructor":"y"}');
    const { env } = serverEnvironment({ policy: 'allowlist', own: {} as NodeJS.ProcessEnv, extras, platform: 'linux' });
    expect(Object.entries(env)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});
