// The files of the data folder as 0.1.0 wrote them. They are never written again: later versions have to read them.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { callsKey } from '@/lib/wire/saved-calls';
import { KeptSignIns } from '@/proxy/connection/kept-sign-ins';
import { foundFile, keptDecisions } from '@/proxy/files/decisions';
import { readDeletedRecordings, readRetention } from '@/proxy/recorder/retention';
import { SavedCallsFile } from '@/proxy/recorder/saved-calls-file';
import { ServerEras } from '@/proxy/recorder/server-eras';
import { SettingsFile } from '@/proxy/recorder/settings-file';
import { StandingAnswersFile } from '@/proxy/recorder/standing-answers-file';
import { KeptServers } from '@/proxy/servers/kept-servers';

const KEY = callsKey('house', 'temperature');
let base: string;
let folder: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  cpSync(join(import.meta.dirname, 'fixtures/data-0.1.0'), base, { recursive: true });
  folder = join(base, 'recordings');
});

function savedCalls(): SavedCallsFile {
  return new SavedCallsFile({ folder, redact: (text) => text });
}

test('settings and the retention of recordings', async () => {
  const settings = new SettingsFile(folder);
  expect(settings.read()).toMatchObject({
    settings: {
      theme: 'dark',
      density: 'compact',
      timestamps: 'absolute',
      timeoutMs: 90_000,
      confirmDestructive: false,
      unconfirmedServers: ['node server.mjs'],
      singleKeys: false,
    },
  });
  expect(readRetention(folder)).toEqual({ days: 7, bytes: 1_000_000_000 });
  expect(readDeletedRecordings(folder)).toMatchObject({ old: 2, large: 1, bytes: 4096 });
  // A change keeps what only a later version knows.
  const file = join(base, 'settings.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"later":{"a":1},'));
  await settings.change({ theme: 'light' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ later: { a: 1 }, theme: 'light', timeoutMs: 90_000 });
});

test('servers, saved calls, standing answers and sign-ins', async () => {
  expect(await new KeptServers(folder).read()).toMatchObject([
    { unopened: true, from: { host: 'cursor' }, target: { transport: 'http', url: 'https://garden.example/mcp' } },
    { serverName: 'house', pinned: true, names: ['HOUSE_TOKEN'], target: { transport: 'stdio', args: ['server.mjs'] } },
  ]);
  expect(await savedCalls().read(KEY)).toEqual({
    saved: [{ name: 'the hall', text: '{"room":"hall"}' }],
    recent: ['{"room":"hall"}'],
    remembers: true,
  });
  expect(new StandingAnswersFile(folder).read()).toMatchObject([{ id: 'one', method: 'elicitation/create' }]);
  expect(await new KeptSignIns(folder).load('https://garden.example/mcp', 'owner')).toMatchObject({
    issuer: 'https://login.garden.example',
    refreshToken: 'made-up-refresh-token',
  });
});

test('eras and decisions', async () => {
  expect(new ServerEras(folder).read('node server.mjs')).toMatchObject({ era: 'legacy', server: 'house 1.0.0' });
  expect(await keptDecisions(folder).read(foundFile('/home/ada/house/.mcp.json', '{}'), 'servers')).toBe(true);
});

test.each([
  ['servers.json', 'servers', () => new KeptServers(folder).change({ kind: 'delete', id: 'kept-4bcb2821' })],
  ['calls.json', 'calls', () => savedCalls().change(KEY, { kind: 'forget' })],
  ['standing-answers.json', 'standing', () => new StandingAnswersFile(folder).change(() => [])],
  ['sign-ins.json', 'sign-ins', () => new KeptSignIns(folder).read()],
])('a newer %s is refused with a sentence, and stays as it is', async (name, code, change) => {
  const path = join(base, name);
  const newer = readFileSync(path, 'utf8').replace('"version":1', '"version":2');
  writeFileSync(path, newer);
  await expect(change()).rejects.toMatchObject({
    code: `${code}-unreadable`,
    message: expect.stringMatching(/^A newer mcp-inspect wrote the .*: format 2, and this one reads 1\.$/),
    advice: 'Update mcp-inspect. It leaves the file as it is.',
  });
  expect(readFileSync(path, 'utf8')).toBe(newer);
});
