import type { ChatMessage } from '@/lib/chat/chat-frame';
import type { AnswerTurn } from '@/lib/chat/chat-state';
import type { ChatServer } from '@/lib/chat/model';
import { isObject, own } from '@/lib/json/value';
import { closest } from '@/proxy/cli/closest';
import { EXIT, ExitError, usageError } from '@/proxy/cli/exit-code';
import type { Line } from '@/proxy/cli/output';
import { partsText, tokenLines } from './chat-output';
import { cutParts, listResources } from './message-parts';
import type { TerminalHost } from './terminal-host';

/** A command of the chat. Throws an ExitError that says what is wrong. */
interface SlashCommand {
  /** Its words after the name. */
  readonly usage?: string;
  readonly help: string;
  run(host: TerminalHost, words: string): void | Promise<void>;
}

/** The commands by name, in the order of the help. */
const SLASH_COMMANDS: ReadonlyMap<string, SlashCommand> = new Map<string, SlashCommand>([
  [
    'help',
    {
      help: 'list these commands',
      run: ({ terminal }) =>
        terminal.print(
          ...[...SLASH_COMMANDS].map(
            ([name, { usage = '', help }]): Line => [
              `  /${`${name} ${usage}`.padEnd(28)}`,
              { text: help, tone: 'muted' },
            ],
          ),
          [
            '  ',
            {
              text: '@URI or @NAME puts a resource into a message. Ctrl-C cancels an answer, twice quits.',
              tone: 'muted',
            },
          ],
        ),
    },
  ],
  ['tools', { help: 'list the tools that the model has', run: listTools }],
  ['servers', { help: 'list the servers', run: listServers }],
  [
    'model',
    {
      usage: '[PROVIDER:MODEL]',
      help: 'show the model, or choose another',
      async run(host, words) {
        if (words !== '') await host.chooseModel(words);
        host.terminal.print([
          `  ${host.settings.model}`,
          { text: `  ${host.settings.toolMode} tool calls`, tone: 'muted' },
        ]);
      },
    },
  ],
  [
    'system',
    {
      usage: '[TEXT]',
      help: 'show the system prompt, or set it; - removes it',
      run(host, words) {
        const { system: _, ...others } = host.settings;
        if (words === '-') host.chat.configure(others);
        else if (words !== '') host.chat.configure({ ...others, system: words });
        host.terminal.print([`  ${host.settings.system ?? 'There is no system prompt.'}`]);
      },
    },
  ],
  ['prompts', { usage: '[NAME]', help: 'list the prompts of the servers, or send one', run: usePrompt }],
  ['resources', { help: 'list the resources of the servers', run: showResources }],
  ['retry', { help: 'ask for another answer to the last message', run: (host) => host.retry() }],
  ['edit', { help: 'change the last message, and send it again', run: (host) => host.edit() }],
  [
    'tokens',
    {
      help: 'show tokens by part',
      run: (host) => host.terminal.print(...tokenLines(host.chat.state, lastAnswer(host))),
    },
  ],
  [
    'allow',
    {
      usage: '[ask|read-only|all]',
      help: 'show or set which calls run without asking',
      run(host, words) {
        const mode = (['ask', 'read-only', 'all'] as const).find((known) => known === words);
        if (words !== '' && mode === undefined)
          throw usageError(`There is no \`${words}\`: choose ask, read-only or all.`);
        if (mode) host.setAllowance({ mode });
        const { mode: shown, tools = [], written = [] } = host.allowance;
        host.terminal.print([`  ${[shown, ...tools, ...written].join(', ')}`]);
      },
    },
  ],
  [
    'save',
    {
      usage: 'NAME.mcpr.jsonl',
      help: 'record the chat so far, and what follows',
      run(host, words) {
        if (words === '') throw usageError('Name a new file: /save NAME.mcpr.jsonl');
        host.save(words);
        host.terminal.print([`  The chat is recorded in ${words}.`]);
      },
    },
  ],
  ['quit', { help: 'end the chat and its servers', run: (host) => host.quit() }],
]);

/** Runs a line that begins with a slash. Rejects with an ExitError. */
export async function runSlashCommand(host: TerminalHost, line: string): Promise<void> {
  const [, name = '', words = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const command = SLASH_COMMANDS.get(name);
  if (command) return command.run(host, words.trim());
  const near = closest(name, [...SLASH_COMMANDS.keys()]);
  throw usageError(`There is no command /${name}: ${near ? `did you mean /${near}?` : 'see /help.'}`);
}

function lastAnswer({ chat, leaf }: TerminalHost): AnswerTurn | undefined {
  const turn = chat.state.pathTo(leaf).findLast(({ kind }) => kind === 'answer');
  return turn?.kind === 'answer' ? turn : undefined;
}

async function listTools({ servers, terminal }: TerminalHost): Promise<void> {
  for (const server of servers) {
    terminal.print([{ text: server.name, tone: 'strong' }]);
    const tools = await server.tools().catch((error: unknown) => fail(server, error));
    for (const { name, description = '', annotations } of tools) {
      const marks = annotations?.readOnlyHint === true ? '  read-only' : '';
      terminal.print([
        `  ${name}`,
        { text: marks, tone: 'good' },
        { text: `  ${shorten(description)}`, tone: 'muted' },
      ]);
    }
    if (tools.length === 0) terminal.print([{ text: '  It lists no tools.', tone: 'muted' }]);
  }
}

async function listServers({ servers, failed, terminal }: TerminalHost): Promise<void> {
  for (const server of servers) {
    const counts = await Promise.all(
      (['tools', 'prompts', 'resources'] as const).map(async (list) => {
        const { length } = await server[list]().catch(() => []);
        return `${length} ${length === 1 ? list.slice(0, -1) : list}`;
      }),
    );
    terminal.print([`  ${server.name}`, { text: `  ${counts.join(', ')}`, tone: 'muted' }]);
  }
  for (const { name, failure } of failed) terminal.print([`  ${name}`, { text: `  ${failure.message}`, tone: 'bad' }]);
}

async function showResources({ servers, terminal }: TerminalHost): Promise<void> {
  const listed = await listResources(servers);
  for (const { server, uri, name } of listed)
    terminal.print([`  @${uri}`, { text: `  ${name === uri ? '' : shorten(name)}  ${server.name}`, tone: 'muted' }]);
  if (listed.length === 0) terminal.print([{ text: '  The servers list no resources.', tone: 'muted' }]);
}

async function usePrompt(host: TerminalHost, words: string): Promise<void> {
  const { servers, terminal } = host;
  const lists = await Promise.all(
    servers.map(async (server) => {
      const prompts = await server.prompts().catch(() => []);
      return prompts.map((prompt) => ({ server, prompt }));
    }),
  );
  const listed = lists.flat();
  if (words === '') {
    for (const { server, prompt } of listed)
      terminal.print([
        `  ${prompt.name}`,
        { text: `  ${shorten(prompt.description ?? '')}  ${server.name}`, tone: 'muted' },
      ]);
    if (listed.length === 0) terminal.print([{ text: '  The servers list no prompts.', tone: 'muted' }]);
    return;
  }
  const found = listed.find(({ prompt, server }) => prompt.name === words || `${server.name}/${prompt.name}` === words);
  if (!found) {
    const near = closest(
      words,
      listed.map(({ prompt }) => prompt.name),
    );
    throw usageError(`There is no prompt \`${words}\`: ${near ? `did you mean \`${near}\`?` : 'see /prompts.'}`);
  }
  const args: Record<string, string> = {};
  for (const argument of found.prompt.arguments ?? []) {
    const [name, description, required] = ['name', 'description', 'required'].map((key) => own(argument, key));
    if (typeof name !== 'string') continue;
    const before: Line[] = typeof description === 'string' ? [[{ text: `  ${description}`, tone: 'muted' }]] : [];
    const value = await terminal.ask(`  ${found.server.name}: ${name}${required === true ? '' : ' (optional)'}: `, {
      before,
    });
    if (value === undefined) return;
    if (value !== '') args[name] = value;
  }
  const messages = await found.server
    .getPrompt(found.prompt.name, args, AbortSignal.timeout(PROMPT_MS))
    .catch((error: unknown) => fail(found.server, error));
  const parts = messages.flatMap((message) => message.parts);
  const { resultChars } = host.settings.limits;
  const sent = cutParts(parts, resultChars, host.noteCut);
  terminal.print(
    ...promptText(messages)
      .slice(0, resultChars)
      .split('\n')
      .map((line): Line => [{ text: `  ${line}`, tone: 'muted' }]),
  );
  await host.send(sent);
}

/** How long a prompt may take, in ms. */
const PROMPT_MS = 60_000;

function promptText(messages: readonly ChatMessage[]): string {
  return messages.map(({ role, parts }) => `${role}: ${partsText(parts)}`).join('\n');
}

function fail(server: ChatServer, error: unknown): never {
  const reason = isObject(error) && typeof error.message === 'string' ? error.message : String(error);
  throw new ExitError(EXIT.serverError, `${server.name}: ${reason}`);
}

/** Characters of a description on a line. */
const DESCRIPTION_CHARS = 100;

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > DESCRIPTION_CHARS ? `${line.slice(0, DESCRIPTION_CHARS)}…` : line;
}
