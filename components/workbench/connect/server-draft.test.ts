import { describe, expect, test } from 'vitest';
import type { ConfiguredServer } from '@/lib/wire/api';
import type { Target } from '@/lib/wire/command';
import {
  baseOf,
  draftOfServer,
  draftOfStart,
  EMPTY_DRAFT,
  EMPTY_TLS,
  inputsOfDraft,
  isUnchanged,
  problemOfDraft,
  serverOfDraft,
  targetOfDraft,
  targetOfServer,
  tlsDraftOf,
  tlsOfDraft,
  withoutBase,
  withText,
} from './server-draft';

const configured: ConfiguredServer = {
  id: 's1',
  origin: 'config',
  source: 'config.json',
  target: { transport: 'stdio', command: 'node', args: ['my server.js'], cwd: '/srv' },
  envNames: ['API_KEY', 'DEBUG'],
  policy: 'shell',
  placeholders: [],
  protocol: 'auto',
};

describe('typed text', () => {
  test('a command line becomes command and arguments', () => {
    const target = targetOfDraft(withText(EMPTY_DRAFT, "node server.js 'a b' --flag"));
    expect(target).toMatchObject({ transport: 'stdio', command: 'node', args: ['server.js', 'a b', '--flag'] });
  });

  test('an empty draft has no target', () => expect(targetOfDraft(EMPTY_DRAFT)).toBeUndefined());

  test('a config brings its environment; rows added by hand survive a change of the text', () => {
    const typed = {
      ...EMPTY_DRAFT,
      environment: [{ id: 9, name: 'MINE', value: '1', origin: 'hand' as const }],
      nextId: 10,
    };
    const draft = withText(typed, '{"mcpServers":{"a":{"command":"x","env":{"K":"v"}}}}');
    expect(targetOfDraft(draft)).toMatchObject({ command: 'x', env: { K: 'v', MINE: '1' } });
    const again = withText(draft, 'y --z');
    expect(targetOfDraft(again)).toMatchObject({ command: 'y', env: { MINE: '1' } });
    expect(new Set(draft.environment.map((row) => row.id)).size).toBe(2);
  });

  test('a variable called __proto__ is sent like any other', () => {
    const draft = {
      ...withText(EMPTY_DRAFT, 'x'),
      environment: [{ id: 1, name: '__proto__', value: 'v', origin: 'hand' as const }],
    };
    const target = targetOfDraft(draft);
    expect(target?.transport === 'stdio' && Object.hasOwn(target.env ?? {}, '__proto__')).toBe(true);
  });
});

describe('a configured server', () => {
  test('leaves unchanged values to the proxy', () => {
    expect(targetOfDraft(draftOfServer(configured))).toEqual({
      transport: 'stdio',
      base: 's1',
      command: 'node',
      args: ['my server.js'],
      cwd: '/srv',
      env: {},
    });
  });

  test('sends an overwritten value, and null for a removed name', () => {
    const draft = draftOfServer(configured);
    const changed = {
      ...draft,
      environment: draft.environment.slice(0, 1).map((row) => ({ ...row, value: 'new' })),
      removed: ['DEBUG'],
    };
    expect(targetOfDraft(changed)).toMatchObject({ env: { API_KEY: 'new', DEBUG: null } });
  });
});

test('emptying the text drops the configured server and its values', () => {
  const emptied = withText(draftOfServer(configured), '');
  expect(targetOfDraft(withText(emptied, 'evil'))).toEqual({ transport: 'stdio', command: 'evil', args: [], env: {} });
});

describe('another program', () => {
  const draft = draftOfServer({ ...configured, target: { ...configured.target, name: 'mine' } as Target });

  test('does not get the values, name and directory of the earlier program', () => {
    const pasted = withText(draft, 'evil --steal');
    expect(baseOf(pasted)).toBeUndefined();
    expect(targetOfDraft(pasted)).toEqual({ transport: 'stdio', command: 'evil', args: ['--steal'], env: {} });
    const config = withText(draft, '{"mcpServers":{"a":{"command":"evil"}}}');
    expect(targetOfDraft(config)).toEqual({ transport: 'stdio', name: 'a', command: 'evil', args: [], env: {} });
  });

  test('removes no variables of the earlier program', () => {
    const removed = { ...draft, environment: draft.environment.slice(0, 1), removed: ['DEBUG'] };
    expect(targetOfDraft(withText(removed, 'evil'))).toMatchObject({ env: {} });
    expect(targetOfDraft(withText(removed, 'node x.js'))).toMatchObject({ base: 's1', env: { DEBUG: null } });
  });

  test('gives way to the base’s values, as rows, when the base’s program is typed again', () => {
    const other = { ...withText(draft, 'nod'), cwd: '/by/hand' };
    expect(targetOfDraft(withText(other, 'nod x'))).toMatchObject({ cwd: '/by/hand' });
    const back = withText(other, 'node other.js');
    expect(targetOfDraft(back)).toMatchObject({ base: 's1', name: 'mine', cwd: '/srv', args: ['other.js'] });
    expect(back.environment.map(({ name, origin }) => [name, origin])).toEqual([
      ['API_KEY', 'base'],
      ['DEBUG', 'base'],
    ]);
  });

  test('is not assumed while a quote is unfinished', () => {
    expect(baseOf(withText(draft, 'node "x'))).toBe(draft.base);
  });
});

test('a base’s variable hidden by a pasted text reappears when the text is gone', () => {
  const draft = draftOfServer(configured);
  const pasted = withText(draft, 'API_KEY=mine node x.js');
  expect(pasted.environment.map(({ name, origin }) => [name, origin])).toEqual([
    ['API_KEY', 'text'],
    ['DEBUG', 'base'],
  ]);
  expect(targetOfDraft(pasted)).toMatchObject({ env: { API_KEY: 'mine' } });
  const gone = withText(pasted, 'node x.js');
  expect(gone.environment.map(({ name, origin }) => [name, origin])).toContainEqual(['API_KEY', 'base']);
});

test('a draft is unchanged with the same command and directory, whatever its variables', () => {
  const draft = draftOfServer(configured);
  expect(isUnchanged(draft)).toBe(true);
  expect(isUnchanged({ ...draft, removed: ['DEBUG'], environment: [] })).toBe(true);
  expect(isUnchanged({ ...draft, cwd: '/tmp' })).toBe(false);
  expect(isUnchanged(withText(draft, 'node other.js'))).toBe(false);
  expect(isUnchanged(EMPTY_DRAFT)).toBe(false);
});

describe('a problem of a draft', () => {
  test.each([
    ['{"mcpServers":{"a":{"args":[]}}}', 'has no `command`'],
    ['https://h/mcp and more', 'must stand alone'],
    ['{"mcpServers":{"a":{"url":"ftp://h"}}}', 'not an http or https URL'],
    ['node "x', 'open quote'],
  ])('is explained: %j', (text, sentence) => {
    expect(problemOfDraft(withText(EMPTY_DRAFT, text))).toContain(sentence);
  });

  test('leaves an entry without a command without a target', () => {
    expect(targetOfDraft(withText(EMPTY_DRAFT, '{"mcpServers":{"a":{"args":[]}}}'))).toBeUndefined();
  });

  test('does not block another server', () => {
    const config = '{"mcpServers":{"a":{"url":"ftp://h"},"b":{"command":"x"}}}';
    expect(problemOfDraft(withText(EMPTY_DRAFT, config, 0))).toContain('not an http or https URL');
    expect(problemOfDraft(withText(EMPTY_DRAFT, config, 1))).toBeUndefined();
  });
});

test('editing a connection keeps its values by name; removed ones stay removed', () => {
  const draft = draftOfStart('c3', {
    event: 'start',
    at: '2026-01-01T00:00:00Z',
    name: 'my server.js',
    transport: 'stdio',
    command: 'node',
    args: ['my server.js'],
    cwd: '/elsewhere',
    environment: { policy: 'allowlist', inherited: [], added: ['API_KEY', 'TYPED'] },
    protocol: '2025-06-18',
  });
  expect(draft).toMatchObject({ text: "node 'my server.js'", cwd: '/elsewhere', protocol: '2025-06-18' });
  expect(isUnchanged(draft)).toBe(true);
  const target = { transport: 'stdio', base: 'c3', command: 'node', args: ['my server.js'], cwd: '/elsewhere' };
  expect(targetOfDraft(draft)).toEqual({ ...target, env: {} });
  const [first, second] = draft.environment;
  const edited = { ...draft, environment: [{ ...second!, value: 'new' }], removed: [first!.name] };
  expect(targetOfDraft(edited)).toEqual({ ...target, env: { API_KEY: null, TYPED: 'new' } });
});

test('editing a URL connection keeps its header values at the same origin', () => {
  const draft = draftOfStart('c4', {
    event: 'start',
    at: '2026-01-01T00:00:00Z',
    name: 'h',
    transport: 'auto',
    url: 'https://h/mcp',
    headerNames: ['Authorization'],
    protocol: 'auto',
  });
  const target = { transport: 'auto', base: 'c4', url: 'https://h/mcp' };
  expect(targetOfDraft(draft)).toEqual({ ...target, headers: {} });
  expect(targetOfDraft({ ...draft, environment: [], removed: ['Authorization'] })).toEqual({
    ...target,
    headers: { Authorization: null },
  });
  expect(targetOfDraft(withText(draft, 'https://h/other'))).toMatchObject({ base: 'c4', url: 'https://h/other' });
  const elsewhere = withText(draft, 'https://evil/mcp');
  expect(targetOfDraft(elsewhere)).toEqual({ transport: 'auto', url: 'https://evil/mcp', headers: {} });
  expect(elsewhere.environment).toEqual([]);
});

test('headers of a pasted config become rows', () => {
  const draft = withText(
    EMPTY_DRAFT,
    '{"mcpServers":{"a":{"type":"sse","url":"https://h/sse","headers":{"X-Key":"v"}}}}',
  );
  expect(draft.environment).toMatchObject([{ name: 'X-Key', value: 'v', origin: 'text' }]);
  expect(targetOfDraft(draft)).toEqual({
    transport: 'sse',
    name: 'a',
    url: 'https://h/sse',
    headers: { 'X-Key': 'v' },
  });
});

describe('the side that connects to a URL', () => {
  const direct = { ...EMPTY_DRAFT, via: 'direct' as const };

  test('is the proxy by default; a command has no such choice', () => {
    expect(targetOfDraft(withText(EMPTY_DRAFT, 'https://h/mcp'))).not.toHaveProperty('via');
    expect(targetOfDraft(withText(direct, 'https://h/mcp'))).toMatchObject({ via: 'direct' });
    expect(targetOfDraft(withText(direct, 'node x.js'))).not.toHaveProperty('via');
  });

  test('is kept when the text changes or the connection is edited', () => {
    expect(withText(withText(direct, 'https://h/mcp'), '').via).toBe('direct');
    const start = {
      event: 'start',
      at: '',
      name: 'h',
      transport: 'auto',
      via: 'direct',
      url: 'https://h/mcp',
      headerNames: ['X-Key'],
      protocol: 'auto',
    } as const;
    const again = draftOfStart('d1', start);
    expect(targetOfDraft(again)).toMatchObject({ via: 'direct', base: 'd1', headers: {} });
    const edited = withoutBase(again);
    expect(targetOfDraft(edited)).toMatchObject({ via: 'direct', headers: { 'X-Key': '' } });
    expect(targetOfDraft(edited)).not.toHaveProperty('base');
  });
});

describe('authorization', () => {
  const draft = withText(EMPTY_DRAFT, 'https://h/mcp');

  test('sends a bearer token as its header', () => {
    expect(targetOfDraft({ ...draft, bearer: ' abc ' })).toMatchObject({ headers: { Authorization: 'Bearer abc' } });
  });

  test('sends the typed fields of a client, or no client', () => {
    expect(targetOfDraft(draft)).not.toHaveProperty('client');
    const client = { ...draft.client, clientId: ' me ', scope: 'a b' };
    expect(targetOfDraft({ ...draft, client })).toMatchObject({ client: { clientId: 'me', scope: 'a b' } });
  });

  test('takes the client of a pasted config or a base', () => {
    const pasted = withText(EMPTY_DRAFT, '{"url":"https://h/mcp","oauth":{"clientId":"me","clientSecret":"s"}}');
    expect(targetOfDraft(pasted)).toMatchObject({ client: { clientId: 'me', clientSecret: 's' } });
    const target = { transport: 'auto', url: 'https://h/mcp', client: { clientId: 'me' } } as const;
    expect(targetOfDraft(draftOfServer({ ...configured, target }))).toMatchObject({
      base: 's1',
      client: { clientId: 'me' },
    });
  });
});

describe('inputs of a config', () => {
  const pasted = (command: string) =>
    JSON.stringify({
      inputs: [{ id: 'key', type: 'promptString', password: true }],
      servers: { off: { command: 'off', disabled: true }, on: { command, args: ['${input:key}'] } },
    });

  test('need answers before sending; a disabled server is not chosen', () => {
    const draft = withText(EMPTY_DRAFT, pasted('x'));
    expect(inputsOfDraft(draft)).toEqual([{ id: 'key', description: '', secret: true }]);
    expect(targetOfDraft(draft)).toBeUndefined();
    const answered = { ...draft, answers: new Map([['key', 'k']]) };
    expect(targetOfDraft(answered)).toMatchObject({
      command: 'x',
      args: ['${input:key}'],
      inputs: [{ id: 'key', value: 'k', secret: true }],
    });
  });

  test('are asked for again when another command uses the same input name', () => {
    const answered = { ...withText(EMPTY_DRAFT, pasted('x')), answers: new Map([['key', 'k']]) };
    expect(targetOfDraft(withText(answered, `${pasted('x')} `))).toMatchObject({ inputs: [{ value: 'k' }] });
    expect(targetOfDraft(withText(answered, pasted('evil')))).toBeUndefined();
    const more = pasted('x').replace('"args":[', '"args":["more",');
    expect(targetOfDraft(withText(answered, more))).toBeUndefined();
  });

  test('are asked for while a configured server’s program is the same', () => {
    const inputs = [{ id: 'key', description: '', secret: true, default: 'd' }];
    const draft = draftOfServer({ ...configured, inputs });
    expect(targetOfDraft(draft)).toMatchObject({ base: 's1', inputs: [{ id: 'key', value: 'd', secret: true }] });
    expect(isUnchanged(draft)).toBe(true);
    expect(targetOfDraft(withText(draft, 'other'))).not.toHaveProperty('inputs');
  });
});

const all = { ca: ['/a.pem', '~/b.pem'], cert: 'c.pem', key: 'k.pem', passphraseEnv: 'PASS', insecure: true } as const;

test('TLS options survive a round trip through the form', () => {
  expect(tlsOfDraft(tlsDraftOf(all))).toEqual(all);
  expect(tlsOfDraft(tlsDraftOf(undefined))).toEqual({});
  expect(tlsOfDraft({ ...EMPTY_TLS, ca: ' /a.pem \n\n', cert: '  ' })).toEqual({ ca: ['/a.pem'] });
});

test('sends the TLS options of a pasted config', () => {
  const draft = withText(EMPTY_DRAFT, JSON.stringify({ mcpServers: { a: { url: 'https://h/mcp', tls: all } } }));
  expect(targetOfDraft(draft)).toMatchObject({ url: 'https://h/mcp', tls: all });
});

test('sends no TLS options if nothing was typed', () => {
  expect(targetOfDraft(withText(EMPTY_DRAFT, 'https://h/mcp'))).not.toHaveProperty('tls');
});

test('another origin turns verification on again; files stay', () => {
  const draft = { ...withText(EMPTY_DRAFT, 'https://h/mcp'), tls: tlsDraftOf(all) };
  expect(targetOfDraft(withText(draft, 'https://h/sse'))).toMatchObject({ tls: all });
  const { insecure: _, ...rest } = all;
  expect((targetOfDraft(withText(draft, 'https://evil/mcp')) as { tls: object }).tls).toEqual(rest);
});

test('shows an earlier connection’s TLS options, and clears them when emptied', () => {
  const start = {
    event: 'start',
    at: '',
    name: 'h',
    transport: 'http',
    url: 'https://h/mcp',
    headerNames: [],
    protocol: 'auto',
  } as const;
  const draft = draftOfStart('c1', { ...start, tls: { insecure: true } });
  expect(targetOfDraft(draft)).toMatchObject({ base: 'c1', tls: { insecure: true } });
  expect(targetOfDraft({ ...draft, tls: EMPTY_TLS })).toMatchObject({ base: 'c1', tls: {} });
});

describe('a kept server', () => {
  const server: ConfiguredServer = { ...configured, id: 'kept-1', origin: 'kept', name: 'my server' };

  test('is the entry that its draft changes; other servers are not', () => {
    expect(draftOfServer(server).entry).toEqual({ id: 'kept-1', name: 'my server' });
    expect(draftOfServer(configured).entry).toBeUndefined();
  });

  test('is stored with the names of its variables only', () => {
    const draft = draftOfServer(server);
    const typed = { id: 9, name: 'TOKEN', value: 'sesame', origin: 'hand' } as const;
    const stored = serverOfDraft({ ...draft, environment: [...draft.environment, typed] });
    expect(stored).toMatchObject({ names: ['API_KEY', 'DEBUG', 'TOKEN'], target: { args: ['my server.js'] } });
    expect(JSON.stringify(stored)).not.toContain('sesame');
  });

  test('at a URL that the page reaches directly takes all values from its inputs', () => {
    const target = { transport: 'http', via: 'direct', url: 'https://h/mcp' } as const;
    const inputs = [{ id: 'X-Key', value: 'k' }];
    expect(targetOfServer({ ...server, target, envNames: ['X-Key'] }, inputs)).toEqual({
      ...target,
      headers: { 'X-Key': '${input:X-Key}' },
      inputs,
    });
  });
});
