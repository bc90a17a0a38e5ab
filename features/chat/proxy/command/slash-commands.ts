import type { ChatMessage } from '@/features/chat/lib/chat-frame';
import type { AnswerTurn } from '@/features/chat/lib/chat-state';
import type { ChatServer } from '@/features/chat/lib/model';
import { MODEL_PROVIDERS } from '@/features/chat/lib/providers';
import { writtenNames } from '@/features/chat/lib/tool-names';
import { isObject, own } from '@/lib/json/value';
import { closest } from '@/proxy/cli/closest';
import { EXIT, ExitError, usageError } from '@/proxy/cli/exit-code';
import type { Line } from '@/proxy/cli/output';
import { requireRecordingName } from '@/proxy/cli/page-options';
import { parseAllowance, requireTools, toolsOfServers } from './allowance';
import { firstWords, partsText, tokenLines } from './chat-output';
import { SCRIPTED } from './load-script';
import { cutParts, listResources } from './message-parts';
import type { TerminalHost } from './terminal-host';

/** A command of the chat. Throws an ExitError that says what is wrong. */
interface SlashCommand {
  /** Its words after the name. */
  readonly usage?: string;
  readonly help: string;
  /** Words that may follow the name, for Tab. */
  complete?(host: TerminalHost): readonly string[] | Promise<readonly string[]>;
  run(host: TerminalHost, words: string): void | Promise<void>;
}

/** Columns of a command and its words in the help. */
const HELP_COLUMNS = 34;

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
              `  /${`${name} ${usage}`.padEnd(HELP_COLUMNS)}`,
              { text: help, tone: 'muted' },
            ],
          ),
          [
            '  ',
            {
              text: '@URI or @NAME puts a resource into a message. Tab completes, Ctrl-G opens $EDITOR.',
              tone: 'muted',
            },
          ],
          ['  ', { text: 'Ctrl-C cancels an answer, twice quits.', tone: 'muted' }],
        ),
    },
  ],
  ['tools', { help: 'list the tools that the model has', run: listTools }],
  ['servers', { help: 'list the servers', run: listServers }],
  [
    'restart',
    {
      usage: 'SERVER',
      help: 'end a server, and start it again',
      complete: serverNames,
      async run(host, words) {
        const names = serverNames(host);
        const name = words === '' && names.length === 1 ? names[0]! : words;
        if (!names.includes(name)) throw unknownName(name, names, 'server', '/servers');
        await host.restart(name);
        await listServers(host);
      },
    },
  ],
  [
    'model',
    {
      usage: '[PROVIDER:MODEL]',
      help: 'show the model, or choose another',
      complete: () => [...MODEL_PROVIDERS.map(({ id }) => `${id}:`), SCRIPTED],
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
    'key',
    {
      help: 'type another key of the model',
      async run(host) {
        await host.changeKey(host.settings.model);
        host.terminal.print(['  The next message uses it. /retry sends the last one again.']);
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
        host.terminal.print([`  ${host.settings.system ?? 'No system prompt is set.'}`]);
      },
    },
  ],
  [
    'prompts',
    {
      usage: '[NAME]',
      help: 'list the prompts of the servers, or send one',
      complete: async (host) => (await listPrompts(host)).map(({ prompt }) => prompt.name),
      run: usePrompt,
    },
  ],
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
      usage: '[ask|read-only|all|TOOL,…]',
      help: 'show or set which calls run without asking',
      complete: async ({ servers, settings }) => [
        'ask',
        'read-only',
        'all',
        ...((await toolsOfServers(servers, settings.naming)) ?? []).flatMap(writtenNames),
      ],
      async run(host, words) {
        if (words !== '') {
          const allow = parseAllowance(words, '/allow');
          requireTools(allow, (await toolsOfServers(host.servers, host.settings.naming)) ?? [], '/allow');
          host.setAllowance(allow);
        }
        const { mode, tools = [], written = [] } = host.allowance;
        host.terminal.print([`  ${[mode, ...tools, ...written].join(', ')}`]);
      },
    },
  ],
  [
    'save',
    {
      usage: 'NAME.mcpr.jsonl',
      help: 'record the chat so far, and what follows',
      run(host, words) {
        requireRecordingName(words, '/save');
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
  throw usageError(`The command /${name} is unknown: ${near ? `did you mean /${near}?` : 'see /help.'}`);
}

/** Returns what may follow a slash, and after a command’s name what may follow that. */
export async function slashCandidates(host: TerminalHost, line: string): Promise<readonly string[]> {
  const [, name = '', rest] = /^\/(\S*)(\s)?/.exec(line) ?? [];
  if (rest === undefined) return [...SLASH_COMMANDS].map(([one, { usage }]) => `/${one}${usage ? ' ' : ''}`);
  return (await SLASH_COMMANDS.get(name)?.complete?.(host)) ?? [];
}

function unknownName(name: string, names: readonly string[], what: string, command: string): ExitError {
  if (name === '') return usageError(`Name a ${what}: ${names.join(', ') || `see ${command}`}.`);
  const near = closest(name, names);
  return usageError(`The ${what} \`${name}\` is unknown: ${near ? `did you mean \`${near}\`?` : `see ${command}.`}`);
}

function serverNames({ servers, failed }: TerminalHost): readonly string[] {
  return [...new Set([...servers, ...failed].map(({ name }) => name))];
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
        { text: `  ${firstWords(description, DESCRIPTION_CHARS)}`, tone: 'muted' },
      ]);
    }
    if (tools.length === 0) terminal.print([{ text: '  It lists no tools.', tone: 'muted' }]);
  }
}

async function listServers({ servers, failed, terminal }: TerminalHost): Promise<void> {
  for (const server of servers.filter(({ lost }) => !lost)) {
    const counts = await Promise.all(
      (['tools', 'prompts', 'resources'] as const).map(async (list) => {
        const { length } = await server[list]().catch(() => []);
        return `${length} ${length === 1 ? list.slice(0, -1) : list}`;
      }),
    );
    terminal.print([`  ${server.name}`, { text: `  ${counts.join(', ')}`, tone: 'muted' }]);
  }
  for (const { name, failure, stderr } of failed) {
    terminal.print([`  ${name}`, { text: `  ${failure.message}`, tone: 'bad' }]);
    terminal.print(...stderr.map((line): Line => [{ text: `    ${line}`, tone: 'muted' }]));
  }
  if (failed.length > 0) terminal.print([{ text: '  /restart SERVER starts one again.', tone: 'muted' }]);
}

async function showResources({ servers, terminal }: TerminalHost): Promise<void> {
  const listed = await listResources(servers);
  for (const { server, uri, name } of listed)
    terminal.print([
      `  @${uri}`,
      { text: `  ${name === uri ? '' : firstWords(name, DESCRIPTION_CHARS)}  ${server.name}`, tone: 'muted' },
    ]);
  if (listed.length === 0) terminal.print([{ text: '  The servers list no resources.', tone: 'muted' }]);
}

/** Lists the prompts of all servers. A server that fails has none. */
async function listPrompts({ servers }: TerminalHost) {
  const lists = await Promise.all(
    servers.map(async (server) => {
      const prompts = await server.prompts().catch(() => []);
      return prompts.map((prompt) => ({ server, prompt }));
    }),
  );
  return lists.flat();
}

async function usePrompt(host: TerminalHost, words: string): Promise<void> {
  const { terminal } = host;
  const listed = await listPrompts(host);
  if (words === '') {
    for (const { server, prompt } of listed)
      terminal.print([
        `  ${prompt.name}`,
        { text: `  ${firstWords(prompt.description ?? '', DESCRIPTION_CHARS)}  ${server.name}`, tone: 'muted' },
      ]);
    if (listed.length === 0) terminal.print([{ text: '  The servers list no prompts.', tone: 'muted' }]);
    return;
  }
  const found = listed.find(({ prompt, server }) => prompt.name === words || `${server.name}/${prompt.name}` === words);
  if (!found)
    throw unknownName(
      words,
      listed.map(({ prompt }) => prompt.name),
      'prompt',
      '/prompts',
    );
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
