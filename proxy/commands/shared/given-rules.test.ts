import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { readServerOptions } from '@/proxy/cli/server-options';
import { capture } from '@/proxy/commands/headless/test-against';
import { resolveLaunch } from '@/proxy/connection/launch';
import { hostileTarget } from '@/proxy/connection/test-hub';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { ServerConnection } from '../headless/server-connection';
import { notesTap } from '../headless/server-notes';
import { keptOutput } from '../headless/test-connection';
import { requestOf } from '../test-command-line';
import { givenRules } from './given-rules';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rules-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file of rules and reads it as `--intercept` does. */
function rulesOf(content: unknown) {
  const path = join(folder, 'faults.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return givenRules(readServerOptions(requestOf('list', '--intercept', path, '--', 'node', 's.js')));
}

const paramsOf = (n: number) => `{"name":"echo","arguments":{"text":"${n}"}}`;

/** Calls a tool through a connection of a subcommand with these rules. */
async function callThrough(content: unknown, count: number) {
  const out = keptOutput();
  const reaper = new Reaper();
  const launch = { ...resolveLaunch(hostileTarget('honest'), '2025-11-25', []), ...(await rulesOf(content)) };
  const connection = new ServerConnection(launch, {
    clock: systemClock,
    version: '0.0.0-test',
    timeoutMs: 10_000,
    append: notesTap(out),
    openTransport: (launched, sink) =>
      createTransport(launched, { sink, clock: systemClock, reaper, version: '0.0.0-test', allowLinkLocal: false }),
    lookFurther: async () => {},
  });
  try {
    await connection.open();
    const answers = [];
    for (let n = 0; n < count; n++) answers.push(await connection.request('tools/call', paramsOf(n)));
    return { answers, notes: out.notes };
  } finally {
    await connection.close();
  }
}

test('a fault rule fails every second call, and the notes say so', async () => {
  const action = { do: 'error', code: -32603, message: 'Down' };
  const rules = [{ name: 'down', when: 'tool:echo', direction: 'to-server', every: 2, action }];
  const { answers, notes } = await callThrough({ rules }, 4);
  expect(answers.map(({ kind }) => kind)).toEqual(['result', 'error', 'result', 'error']);
  expect(answers[1]).toMatchObject({ error: { code: -32603, message: 'Down' } });
  expect(notes.filter((note) => note.includes('rule “down”'))).toEqual([
    expect.stringMatching(
      /tools\/call \(id \d+\) to the server was answered with an error of mcp-inspect \(rule “down”\)\.$/,
    ),
    expect.stringContaining('tools/call'),
  ]);
});

test('a rule answers from a recording beside its file, and passes on what it does not have', async () => {
  await capture(hostileTarget('honest'), join(folder, 'old.mcpr.jsonl'), async (ask) => {
    await ask('tools/call', paramsOf(0));
  });
  const rules = [{ name: 'old', when: 'tool:echo', action: { do: 'answer-from', file: 'old.mcpr.jsonl' } }];
  const { answers, notes } = await callThrough({ rules }, 2);
  expect(answers.map(({ kind }) => kind)).toEqual(['result', 'result']);
  expect(notes.map((note) => /answered from a recording|no answer to it/.exec(note)?.[0]).filter(Boolean)).toEqual([
    'answered from a recording',
    'no answer to it',
  ]);
});

test.each([
  ['{', 'can’t be used: it is not JSON'],
  [{ rules: [{ name: 'a', action: { do: 'hold' } }] }, 'can’t be used: rule “a” holds messages'],
  [
    { rules: [{ name: 'a', action: { do: 'answer-from', file: 'none.jsonl' } }] },
    'recording `none.jsonl` can’t be opened',
  ],
])('refuses %j before any server starts', async (content, why) => {
  await expect(rulesOf(content)).rejects.toThrow(why);
});

test('refuses a file that does not exist', async () => {
  const options = readServerOptions(requestOf('list', '--intercept', join(folder, 'no.json'), '--', 'node', 's.js'));
  await expect(givenRules(options)).rejects.toThrow('It does not exist.');
});
