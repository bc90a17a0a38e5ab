import { describe, expect, test } from 'vitest';
import { fillPlaceholders, readServers } from './server-config';

const entry = { command: 'node', args: ['s.js'], cwd: '/srv', env: { KEY: 'v' } };
const target = { transport: 'stdio', command: 'node', args: ['s.js'], cwd: '/srv', env: { KEY: 'v' } };

describe('finds servers', () => {
  test.each([
    ['Claude, Cursor, mcphost', { mcpServers: { one: entry } }],
    ['VS Code mcp.json', { inputs: [], servers: { one: entry } }],
    ['VS Code settings', { 'editor.tabSize': 2, mcp: { servers: { one: entry } } }],
    ['VS Code settings, dotted', { 'mcp.servers': { one: entry } }],
    ['a map of servers', { one: entry }],
  ])('in %s', (_, json) => {
    expect(readServers(json)).toEqual({
      servers: [{ name: 'one', target: { ...target, name: 'one' }, placeholders: [] }],
    });
  });

  test('in one bare server object', () => {
    expect(readServers(entry).servers[0]?.target).toEqual({ ...target, name: 'server' });
  });

  test.each([[null], ['text'], [[]], [{}], [{ mcpServers: 1 }], [{ servers: {} }], [{ a: { x: 1 } }]])(
    'nowhere in %j',
    (json) => {
      expect(readServers(json)).toEqual({ servers: [], problem: expect.stringContaining('mcpServers') });
    },
  );
});

test.each(['ftp://h', 'h/mcp', 'file:///etc/passwd'])('refuses the URL %s', (url) => {
  const [read] = readServers({ mcpServers: { one: { url } } }).servers;
  expect(read).toMatchObject({ target: { url }, problem: expect.stringContaining('`url` of `one`') });
});

describe('an entry', () => {
  const one = (value: unknown) => readServers({ mcpServers: { one: value } }).servers[0]!;

  test('converts numbers and booleans to strings; null removes a variable', () => {
    const { target: read } = one({ command: 'x', args: [8080, true, 'a'], env: { PORT: 1, DEBUG: false, HOME: null } });
    expect(read).toMatchObject({ args: ['8080', 'true', 'a'], env: { PORT: '1', DEBUG: 'false', HOME: null } });
  });

  test.each([
    ['http', 'http'],
    ['streamable-http', 'http'],
    ['sse', 'sse'],
    ['streamableHttp', 'http'],
    [undefined, 'auto'],
    ['constructor', 'auto'],
  ])('of type %s has its URL and headers', (type, transport) => {
    const read = one({ url: 'https://h/mcp', type, headers: { Authorization: 'Bearer ${TOKEN}' } });
    expect(read.target).toEqual({
      transport,
      name: 'one',
      url: 'https://h/mcp',
      headers: { Authorization: 'Bearer ${TOKEN}' },
    });
    expect(read.problem).toBeUndefined();
    expect(read.placeholders).toEqual(['TOKEN']);
  });

  test.each([
    [1],
    [{}],
    [{ command: '' }],
    [{ command: ['node'] }],
    [{ command: 'x', args: 'a b' }],
    [{ command: 'x', args: [{}] }],
    [{ command: 'x', cwd: 1 }],
    [{ command: 'x', env: [] }],
    [{ url: 'https://h', headers: ['a'] }],
    [{ url: 'https://h', headers: { a: {} } }],
    [{ command: 'x', env: { A: {} } }],
  ])('%j is kept, with a problem that names it', (value) => {
    expect(one(value)).toMatchObject({
      name: 'one',
      target: { command: '' },
      problem: expect.stringContaining('`one`'),
    });
  });

  test('can have __proto__ as its name and as a variable', () => {
    const json: unknown = JSON.parse('{"mcpServers": {"__proto__": {"command": "x", "env": {"__proto__": "1"}}}}');
    const [read] = readServers(json).servers;
    expect(read?.name).toBe('__proto__');
    expect(read?.target.transport === 'stdio' && Object.entries(read.target.env!)).toEqual([['__proto__', '1']]);
  });

  test('keeps its placeholders as written and reports each once', () => {
    const read = one({ command: '${env:BIN}', args: ['${HOME}/a', '${HOME}'], env: { K: '${input:key}' } });
    expect(read.placeholders).toEqual(['env:BIN', 'HOME', 'input:key']);
    expect(read.target).toMatchObject({ command: '${env:BIN}', args: ['${HOME}/a', '${HOME}'] });
  });
});

test('fillPlaceholders replaces known names and keeps others', () => {
  const lookup = (name: string) => (name === 'HOME' ? '/home/$&' : undefined);
  expect(fillPlaceholders('${HOME}/x:${OTHER}:$HOME', lookup)).toBe('/home/$&/x:${OTHER}:$HOME');
});

describe('reads OAuth client settings', () => {
  test.each<[string, object, object | undefined]>([
    ['Claude Code', { oauth: { clientId: 'me', callbackPort: 8080 } }, { clientId: 'me' }],
    [
      'Gemini CLI',
      { oauth: { enabled: true, clientId: 'me', clientSecret: 's', scopes: ['a', 'b'] } },
      { clientId: 'me', clientSecret: 's', scope: 'a b' },
    ],
    [
      'Cursor',
      { auth: { CLIENT_ID: 'me', CLIENT_SECRET: 's', scopes: ['a'] } },
      { clientId: 'me', clientSecret: 's', scope: 'a' },
    ],
    ['a metadata document', { oauth: { clientMetadataUrl: 'https://h/c.json' } }, { metadataUrl: 'https://h/c.json' }],
    ['no settings', { oauth: { enabled: true } }, undefined],
    ['invalid settings', { oauth: 'yes', auth: { CLIENT_ID: 1 } }, undefined],
  ])('%s', (_, more, client) => {
    const [server] = readServers({ one: { url: 'https://h/mcp', ...more } }).servers;
    expect(server!.target).toEqual({ transport: 'auto', name: 'one', url: 'https://h/mcp', ...(client && { client }) });
  });
});

describe('the `tls` of an entry', () => {
  const read = (tls: unknown) => readServers({ mcpServers: { one: { url: 'https://h/mcp', tls } } }).servers[0]!;

  test('is kept, and `ca` can be a single path', () => {
    const all = { cert: 'c.pem', key: 'k.pem', passphraseEnv: 'PASS', insecure: true };
    expect(read({ ...all, ca: 'a.pem' }).target).toMatchObject({ tls: { ...all, ca: ['a.pem'] } });
    expect(read({ ca: ['a', 'b'], insecure: false }).target).toMatchObject({ tls: { ca: ['a', 'b'] } });
    expect(read({}).target).not.toHaveProperty('tls');
  });

  test.each([
    ['text', 'yes'],
    ['an unknown member', { verify: false }],
    ['a member of Object.prototype', { constructor: 'x' }],
    ['text instead of true', { insecure: 'true' }],
    ['a number instead of a path', { ca: [1] }],
    ['an empty path', { cert: '' }],
  ])('is reported if invalid: %s', (_what, tls) => {
    expect(read(tls).problem).toContain('a `tls` that is not an object of `ca`');
  });
});
