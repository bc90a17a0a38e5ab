import { quote } from 'shlex';
import type { ConfiguredServer } from '@/lib/wire/api';
import type { Target } from '@/lib/wire/command';
import { countOf } from '@/lib/wire/format';
import { EXIT } from '@/proxy/cli/exit-code';
import type { RunCommand } from '@/proxy/cli/grammar';
import { table } from '@/proxy/cli/table';
import { type Discovered, listed, ownContext } from '@/proxy/servers/discovery';
import { HOSTS } from '@/proxy/servers/hosts';
import { findKnownServers } from '@/proxy/servers/known-servers';

/** Lists the servers in the configs of hosts on this machine, and those that mcp-inspect keeps. Starts nothing. */
export const run: RunCommand = async ({ request, printText, printNote }) => {
  const context = ownContext();
  const discovered = listed(await findKnownServers(context), context);
  if (request.given.has('json')) {
    printText(serversJson(discovered));
    for (const line of skippedLines(discovered)) printNote(`mcp-inspect: ${line}`);
  } else {
    printText(serversText(discovered, process.stdout.columns));
  }
  return EXIT.fine;
};

/** Formats the servers as a JSON array on one line, without control characters. Has names of variables, no values. */
export function serversJson({ presets }: Discovered): string {
  const rows = presets.map(({ shown: { target, envNames, host, source, problem, disabled } }) => {
    const isProcess = target.transport === 'stdio';
    return {
      name: target.name,
      host,
      path: source,
      transport: target.transport,
      command: isProcess ? target.command : null,
      args: isProcess ? target.args : null,
      url: isProcess ? null : target.url,
      env: isProcess ? envNames : [],
      headers: isProcess ? [] : envNames,
      problem: problem ?? null,
      ...(disabled && { disabled }),
    };
  });
  return shownJson(rows);
}

/** Formats a value as JSON on one line, without control characters. */
export function shownJson(value: unknown): string {
  return JSON.stringify(value).replace(CONTROLS, escaped);
}

/** Control and format characters, which a terminal may obey. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Formats the servers as a table, then what is wrong with some, and the configs that were not read. */
export function serversText(discovered: Discovered, width: number | undefined): string {
  const servers = discovered.presets.map(({ shown }) => shown);
  const skipped = skippedLines(discovered);
  const notRead = skipped.length === 0 ? [] : ['', 'Not read, or only in part:', ...skipped];
  if (servers.length === 0) {
    const titles = HOSTS.map(({ title }) => title).join(', ');
    return [`No servers found. mcp-inspect reads the configs of ${titles}.`, ...notRead].join('\n');
  }
  const rows = servers.map((server) => [
    server.host ?? '',
    `${server.target.name}${server.disabled ? ' (disabled)' : ''}`,
    server.target.transport,
    commandLine(server.target),
    server.problem === undefined ? '' : 'yes, see below',
  ]);
  const problems = servers.flatMap((server) =>
    server.problem === undefined ? [] : `${fullName(server)}: ${server.problem}`,
  );
  const configs = new Set(servers.map(({ source }) => source)).size;
  return [
    table(['HOST', 'NAME', 'TRANSPORT', 'COMMAND OR URL', 'PROBLEM'], rows, width),
    '',
    ...problems.map(oneLine),
    ...(problems.length > 0 ? [''] : []),
    `${countOf(servers.length, 'server')} in ${countOf(configs, 'config')}. To connect: mcp-inspect --server NAME, or HOST/NAME`,
    ...notRead,
  ].join('\n');
}

function skippedLines({ skipped }: Discovered): readonly string[] {
  return skipped.map(({ host, path, reason }) => oneLine(`${path} (${host}): ${reason}`));
}

function fullName({ host, target }: ConfiguredServer): string {
  return `${host}/${target.name}`;
}

function commandLine(target: Target): string {
  if (target.transport !== 'stdio') return target.url;
  return [target.command, ...target.args].map((word) => quote(word)).join(' ');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
