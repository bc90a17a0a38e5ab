import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ConfigServer, readConfigFile } from './config-file';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string, environment = {}, overrides = new Map<string, string>()) {
  const path = join(folder, 'config.json');
  writeFileSync(path, text);
  return readConfigFile(path, environment, overrides);
}

function one(entry: object, environment = {}, overrides = new Map<string, string>()): ConfigServer {
  const servers = read(JSON.stringify({ mcpServers: { one: entry } }), environment, overrides);
  if ('wrong' in servers) throw new Error(servers.wrong);
  return servers[0]!;
}

test('values of the environment are kept apart from the target', () => {
  expect(one({ command: 'node', args: ['s.js'], cwd: '/srv', env: { KEY: 'secret', GONE: null } })).toMatchObject({
    name: 'one',
    target: { transport: 'stdio', name: 'one', command: 'node', args: ['s.js'], cwd: '/srv' },
    env: { KEY: 'secret' },
  });
});

describe('placeholders', () => {
  const entry = {
    command: '${BIN}',
    args: ['${env:HOME}/x', '${NO:-fallback}'],
    cwd: '${HOME}',
    env: { K: '${TOKEN}' },
  };

  test('are filled from the environment', () => {
    const { target, filled, env, problem } = one(entry, { BIN: 'node', HOME: '/home/me', TOKEN: 't' });
    expect(filled).toEqual({ command: 'node', args: ['/home/me/x', 'fallback'], cwd: '/home/me' });
    expect(target).toMatchObject({ command: '${BIN}', args: entry.args, cwd: '${HOME}' });
    expect(env).toEqual({ K: 't' });
    expect(problem).toBeUndefined();
  });

  test('named like members of every object are no variables', () => {
    const { filled, problem } = one({ command: 'x', args: ['${constructor}', '${__proto__}'] }, {});
    expect(filled?.args).toEqual(['${constructor}', '${__proto__}']);
    expect(problem).toContain('${constructor}');
  });

  test('that are missing make a problem that names them and no values', () => {
    const { problem } = one(
      { command: 'x', env: { A: '${input:key}', B: '${NOPE}', C: '${TOKEN}' } },
      { TOKEN: 'secret' },
    );
    expect(problem).toContain('${input:key}, ${NOPE}');
    expect(problem).not.toContain('secret');
  });

  test('are not missed where --env gives the variable', () => {
    expect(one({ command: 'x', env: { A: '${input:key}' } }, {}, new Map([['A', '1']]))).not.toHaveProperty('problem');
  });

  test('an environment value is not read for placeholders again', () => {
    expect(one({ command: 'x', env: { A: '${B}' } }, { B: '${C}', C: 'no' }).env).toEqual({ A: '${C}' });
  });
});

describe('a URL server', () => {
  test('has its placeholders filled, and its header values kept apart from the target', () => {
    const entry = { url: 'https://${HOST}/mcp', headers: { Authorization: 'Bearer ${TOKEN}', 'X-None': null } };
    expect(one(entry, { HOST: 'h', TOKEN: 't' })).toEqual({
      name: 'one',
      target: { transport: 'auto', name: 'one', url: 'https://${HOST}/mcp' },
      filledUrl: 'https://h/mcp',
      env: { Authorization: 'Bearer t' },
    });
  });

  test('says which variable is missing', () => {
    expect(one({ url: 'https://h/mcp', headers: { A: '${TOKEN}' } }).problem).toContain('${TOKEN}');
  });

  test('keeps user and password out of the target', () => {
    const { target, env } = one({ type: 'sse', url: 'https://u:s3cret@h/sse' });
    expect(target).toEqual({ transport: 'sse', name: 'one', url: 'https://h/sse' });
    expect(env).toEqual({ Authorization: `Basic ${Buffer.from('u:s3cret').toString('base64')}` });
  });
});

test('a byte order mark and comments are no obstacle', () => {
  expect(read('\uFEFF{ // mine\n "servers": { "a": { "command": "x", }, }, }')).toMatchObject([{ name: 'a' }]);
});

describe('what can not be read', () => {
  test.each([
    ['{', /is not JSON/],
    ['{}', /names no servers/],
  ])('%s', (text, sentence) => {
    expect(read(text)).toEqual({ wrong: expect.stringMatching(sentence) });
  });

  test('a missing file', () => {
    expect(readConfigFile(join(folder, 'none'), {}, new Map())).toEqual({
      wrong: expect.stringMatching(/There is no/),
    });
  });
});
