import { existsSync } from 'node:fs';
import { quote } from 'shlex';
import type { EntryObstacle } from '@/features/entry-check';
import { shellQuote } from '@/lib/sharing/snippets/shell-commands';
import { groupBy } from '@/lib/store/columns/collections';
import type { SkippedConfig } from '@/lib/wire/api';
import type { Target } from '@/lib/wire/command';
import { countOf, formatDate } from '@/lib/wire/format';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import { lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { table } from '@/proxy/cli/table';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { HOSTS } from '@/proxy/servers/hosts';
import { hostNamed } from './host-servers';
import { type ListedServers, listServers, type ServerLine } from './listed-servers';

/** Lists the servers of hosts, those that mcp-inspect keeps, and running taps. Starts nothing. */
export const run: RunCommand = async (context) => {
  const { request, printText, printNote } = context;
  const [word] = request.words;
  const host = word === undefined ? undefined : hostNamed(word);
  const found = await listServers(host, context);
  const file = lastValue(request.given, 'config');
  if (file !== undefined && found.servers.length === 0) {
    const isRead = found.skipped.length === 0 && existsSync(file);
    if (!isRead || !request.given.has('json')) throw usageError(emptyConfig(file, found.skipped, host?.title));
  }
  if (request.given.has('json')) {
    printText(listedServersJson(found));
    for (const line of skippedLines(found.skipped)) printNote(`mcp-inspect: ${line}`);
  } else {
    printText(serversText(found, process.stdout.columns, file));
  }
  return EXIT.fine;
};

/** Says why a file after `--config` has no servers. */
function emptyConfig(file: string, [skipped]: readonly SkippedConfig[], host: string | undefined): string {
  if (skipped) return `\`${file}\` can’t be read. ${oneLine(skipped.reason)}`;
  return existsSync(file)
    ? `\`${file}\` has no servers${host === undefined ? '' : ` where ${host} looks for them`}.`
    : `\`${file}\` does not exist: check the path after \`--config\`.`;
}

/** Formats the servers as a JSON array on one line, without control characters. Has names of variables, no values. */
export function listedServersJson({ servers }: Pick<ListedServers, 'servers'>): string {
  return terminalJson(
    servers.map(({ host, name, shown, tap, missing, isAgentServer, obstacles, sessions }) => {
      const { target, envNames = [], source = null, problem = null, disabled } = shown ?? {};
      const isProcess = target?.transport === 'stdio';
      return {
        name,
        host,
        path: source,
        transport: target?.transport ?? null,
        command: isProcess ? target.command : null,
        args: isProcess ? target.args : null,
        url: target && !isProcess ? target.url : null,
        env: isProcess ? envNames : [],
        headers: isProcess ? [] : envNames,
        problem,
        ...(obstacles && { obstacles }),
        tap,
        ...(missing !== undefined && { missing }),
        sessions,
        ...(isAgentServer && { agents: true }),
        ...(disabled && { disabled }),
      };
    }),
  );
}

/**
 * Formats the servers as a table, then what is wrong with some, running taps, and the configs that were not read.
 * `config`: the file after `--config`.
 */
export function serversText({ servers, skipped }: ListedServers, width: number | undefined, config?: string): string {
  const inFile = config === undefined ? '' : ` --config ${shellQuote(config)}`;
  const unread = skippedLines(skipped);
  const notRead = unread.length === 0 ? [] : ['', 'Not read, or only in part:', ...unread];
  if (servers.length === 0) {
    const titles = HOSTS.map(({ title }) => title).join(', ');
    return [`No servers found. mcp-inspect reads the configs of ${titles}.`, ...notRead].join('\n');
  }
  const rows = servers.map(({ host, name, tap, shown, obstacles }) => [
    host || '–',
    `${name}${shown?.disabled ? ' (disabled)' : ''}`,
    tap,
    shown?.target.transport ?? '',
    shown ? commandLine(shown.target) : '(no config has it)',
    String(faultsOf({ shown, obstacles }).length || ''),
  ]);
  const faults = servers.flatMap((server) => faultsOf(server).map((fault) => ({ fault, name: fullName(server) })));
  const problems = Array.from(
    groupBy(faults, ({ fault }) => fault),
    ([fault, same]) => `${namesInShort(same.map(({ name }) => name))}: ${fault}`,
  );
  const broken = servers.flatMap((server) => (server.missing === undefined ? [] : brokenText(server, server.missing)));
  const sessions = servers.flatMap(({ host, name, sessions: all }) =>
    all.map(({ pid, started, file = '(no session yet)' }) => [
      host || '–',
      name,
      String(pid),
      formatDate(started),
      file,
    ]),
  );
  const [configs, tapped] = [
    new Set(servers.flatMap(({ shown }) => shown?.source ?? [])).size,
    servers.filter(({ tap }) => tap !== 'no').length,
  ];
  return [
    table(['HOST', 'NAME', 'TAP', 'TRANSPORT', 'COMMAND OR URL', 'PROBLEMS'], rows, width),
    '',
    ...[...problems, ...broken].map(oneLine),
    ...(problems.length + broken.length > 0 ? [''] : []),
    ...(sessions.length > 0
      ? ['Running taps:', table(['HOST', 'SERVER', 'PID', 'STARTED', 'RECORDING'], sessions, width), '']
      : []),
    `${countOf(servers.length, 'server')} in ${countOf(configs, 'config')}, ${tapped} tapped.`,
    `To connect: mcp-inspect${inFile} --server NAME, or HOST/NAME. To tap one: mcp-inspect tap add${inFile} HOST NAME`,
    ...notRead,
  ].join('\n');
}

/** Returns what is wrong with an entry, as sentences. */
function faultsOf({ shown, obstacles = [] }: Pick<ServerLine, 'shown' | 'obstacles'>): readonly string[] {
  return [...(shown?.problem === undefined ? [] : [shown.problem]), ...obstacles.map(obstacleText)];
}

/** Servers with the same fault that are named. A file may have hundreds. */
const MOST_NAMES = 5;

function namesInShort(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return [...names.slice(0, MOST_NAMES), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function obstacleText({ words, source, on, isReported }: EntryObstacle): string {
  const said = [source, on, isReported && 'reported by users'].filter(Boolean).join(', ');
  return said === '' ? words : `${words} (${said})`;
}

function brokenText({ host, name }: ServerLine, missing: string): string {
  const repair = `mcp-inspect tap add ${host || 'HOST'} ${shellQuote(name)}`;
  return `${fullName({ host, name })} can’t start, because ${missing} is gone. To repair it: ${repair}`;
}

function skippedLines(skipped: readonly SkippedConfig[]): readonly string[] {
  return skipped.map(({ host, path, reason }) => oneLine(`${path}${host && ` (${host})`}: ${reason}`));
}

function fullName({ host, name }: Pick<ServerLine, 'host' | 'name'>): string {
  return host === '' ? name : `${host}/${name}`;
}

function commandLine(target: Target): string {
  if (target.transport !== 'stdio') return target.url;
  return [target.command, ...target.args].map((word) => quote(word)).join(' ');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
