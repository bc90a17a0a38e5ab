import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Chat } from '@/features/chat/lib/chat';
import { USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import { memoryServer } from '@/features/chat/lib/test-chat';
import { ChatTerminal } from './chat-terminal';
import { completeMessage } from './complete-message';
import type { FailedServer } from './failed-server';
import { runSlashCommand } from './slash-commands';
import { TerminalHost } from './terminal-host';

const LOST: FailedServer = {
  name: 'notes',
  failure: { code: 'server-exited', message: 'The server exited with code 3.', advice: '' },
  stderr: ['no space left'],
};

/** A host with a server that is gone and one that is there, and what it prints. */
function host() {
  const output = new PassThrough();
  const terminal = new ChatTerminal({ input: new PassThrough(), output, colours: false }, () => {});
  let lost: FailedServer | undefined = LOST;
  const servers = () => [
    { ...memoryServer('notes', { search: () => 'a', store: () => 'b' }), lost },
    {
      ...memoryServer('mail', { send: () => 'c' }),
      lost: undefined,
      resources: async () => [{ uri: 'mail://inbox', name: 'inbox' }],
    },
  ];
  const chat = new Chat({ write: () => 0, model: () => Promise.reject(new Error('not asked')), servers });
  chat.configure({ model: 'm', toolMode: 'native', limits: USUAL_LIMITS, servers: ['notes', 'mail'] });
  const saved: string[] = [];
  const made = new TerminalHost({
    chat,
    terminal,
    servers,
    runCommand: runSlashCommand,
    complete: completeMessage,
    leaf: undefined,
    failed: () => [],
    save: (path) => saved.push(path),
    load: () => Promise.reject(new Error('not loaded')),
    changeKey: () => Promise.reject(new Error('no key')),
    restart: async () => {
      lost = undefined;
    },
  });
  const run = async (line: string): Promise<string> => {
    output.read();
    await runSlashCommand(made, line);
    return String(output.read() ?? '');
  };
  return { host: made, run, saved };
}

test.each([
  ['/to', ['/tools', '/tokens']],
  ['/restart n', ['notes']],
  ['/allow read-only,mail', ['mail__send']],
  ['/allow sto', ['store']],
  ['/model scr', ['scripted:']],
  ['/nope a', []],
  ['/save a', []],
  ['Please use sea', ['search']],
  ['Please use ', []],
  ['Read @mail', ['@mail://inbox']],
  ['@in', ['@inbox']],
])('%j may end with %j', async (line, wanted) => {
  const [candidates] = await completeMessage(line, host().host);
  expect(candidates.map((one) => one.trim())).toEqual(wanted);
});

test('a server that is gone is shown, and can be started again', async () => {
  const { run } = host();
  const shown = await run('/servers');
  expect(shown).toContain('notes  The server exited with code 3.\n    no space left\n');
  expect(shown).toContain('mail  1 tool, 0 prompts, 1 resource');
  expect(await run('/restart notes')).toContain('notes  2 tools');
  expect(await run('/servers')).not.toContain('/restart SERVER');
});

test('a command with a word that means nothing changes nothing', async () => {
  const { host: made, run, saved } = host();
  for (const [line, sentence] of [
    ['/save x', '`/save` needs a file name that ends in `.mcpr.jsonl`'],
    ['/allow serch', 'no server has this tool: did you mean `search`?'],
    ['/restart note', 'The server `note` is unknown: did you mean `notes`?'],
    ['/tool', 'The command /tool is unknown: did you mean /tools?'],
    ['/prompts x', 'The prompt `x` is unknown: see /prompts.'],
  ] as const)
    await expect(run(line)).rejects.toThrow(sentence);
  expect(saved).toEqual([]);
  expect(await run('/allow search,read-only')).toBe('  read-only, search\n');
  expect(made.allowance).toEqual({ mode: 'read-only', written: ['search'] });
});

test('the help has a column for the commands', async () => {
  const lines = (await host().run('/help')).split('\n');
  expect(lines.find((line) => line.startsWith('  /allow'))).toMatch(
    /^ {2}\/allow \[ask\|read-only\|all\|TOOL,…\] +show or set/,
  );
});
