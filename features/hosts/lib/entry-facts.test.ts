import { expect, test } from 'vitest';
import type { ConfigEntry } from '@/lib/wire/server-config';
import { ENTRY_FACTS, entryObstacles } from './entry-facts';

const entry = (more: Partial<ConfigEntry> = {}): ConfigEntry => ({
  name: 'files',
  target: { transport: 'stdio', command: 'npx', args: ['-y', 'files'] },
  placeholders: [],
  ...more,
});
const url = (more: Partial<ConfigEntry> = {}) =>
  entry({ target: { transport: 'auto', url: 'https://example.com/mcp' }, ...more });
const command = (path: string) => entry({ target: { transport: 'stdio', command: path, args: [] } });

/** For each fact an entry that breaks it, and one that comes close. */
const PAIRS: Readonly<Record<string, readonly [ConfigEntry, ConfigEntry]>> = {
  'desktop-no-remote-config': [url(), entry()],
  'desktop-env': [command('./bin/server'), command('/usr/bin/server')],
  'cc-reserved': [entry({ name: 'workspace' }), entry({ name: 'workspaces' })],
  'codex-server-name': [entry({ name: 'my files' }), entry({ name: 'my-files_2' })],
  'gemini-server-underscore': [entry({ name: 'my_files' }), entry({ name: 'my-files' })],
  'cursor-env-file': [url({ envFile: '.env' }), entry({ envFile: '.env' })],
};

test.each(ENTRY_FACTS.map((fact) => [fact.id, fact] as const))('%s', (id, { host }) => {
  const found = (one: ConfigEntry) => entryObstacles(host, one).map(({ fact }) => fact);
  const [breaks, keeps] = PAIRS[id]!;
  expect(found(breaks)).toContain(id);
  expect(found(keeps)).not.toContain(id);
  expect(entryObstacles('zed', breaks)).toEqual([]);
});

test.each(['npx', 'C:\\tools\\server.exe', '~/bin/server', '${HOME}/bin/server', '\\\\share\\server'])(
  '%s is not a relative path',
  (path) => expect(entryObstacles('claude-desktop', command(path))).toEqual([]),
);
