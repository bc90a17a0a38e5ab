import { describe, expect, test } from 'vitest';
import type { ConfiguredServer } from '@/lib/wire/api';
import { draftOfServer, draftOfStart, EMPTY_DRAFT, targetOfDraft, withText } from './server-draft';

const configured: ConfiguredServer = {
  id: 's1',
  source: 'config.json',
  target: { transport: 'stdio', command: 'node', args: ['my server.js'], cwd: '/srv' },
  envNames: ['API_KEY', 'DEBUG'],
  protocol: 'auto',
};

describe('typed text', () => {
  test('a command line becomes command and arguments', () => {
    const target = targetOfDraft(withText(EMPTY_DRAFT, "node server.js 'a b' --flag"));
    expect(target).toMatchObject({ transport: 'stdio', command: 'node', args: ['server.js', 'a b', '--flag'] });
  });

  test('nothing typed is nothing to send', () => expect(targetOfDraft(EMPTY_DRAFT)).toBeUndefined());

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
  test('untouched, its values are left to the proxy', () => {
    expect(targetOfDraft(draftOfServer(configured))).toEqual({
      transport: 'stdio',
      base: 's1',
      command: 'node',
      args: ['my server.js'],
      cwd: '/srv',
      env: {},
    });
  });

  test('a value typed over is sent, a removed name is null', () => {
    const draft = draftOfServer(configured);
    const changed = {
      ...draft,
      environment: draft.environment.slice(0, 1).map((row) => ({ ...row, value: 'new' })),
      removed: ['DEBUG'],
    };
    expect(targetOfDraft(changed)).toMatchObject({ env: { API_KEY: 'new', DEBUG: null } });
  });
});

test('emptying the text lets go of a configured server and its values', () => {
  const emptied = withText(draftOfServer(configured), '');
  expect(targetOfDraft(withText(emptied, 'evil'))).toEqual({ transport: 'stdio', command: 'evil', args: [], env: {} });
});

test('a connection can be edited: its configured values come back by name, others have to be typed again', () => {
  const draft = draftOfStart(
    {
      event: 'start',
      at: '2026-01-01T00:00:00Z',
      name: 'n',
      transport: 'stdio',
      command: 'node',
      args: ['my server.js'],
      cwd: '/elsewhere',
      environment: { policy: 'allowlist', inherited: [], added: ['API_KEY', 'TYPED'] },
      protocol: '2025-06-18',
    },
    [configured],
  );
  expect(draft).toMatchObject({ text: "node 'my server.js'", base: 's1', cwd: '/elsewhere', protocol: '2025-06-18' });
  expect(draft.environment.map((row) => row.origin)).toEqual(['config', 'hand']);
});
