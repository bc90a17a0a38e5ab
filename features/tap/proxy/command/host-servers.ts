import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DiffLine, SkippedConfig } from '@/lib/wire/api';
import { countOf } from '@/lib/wire/format';
import { closest } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue } from '@/proxy/cli/grammar';
import { fitText } from '@/proxy/cli/table';
import { terminalQuestions } from '@/proxy/commands/shared/ask-inputs';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { type FoundServer, findServers, findServersIn, ownContext } from '@/proxy/servers/discovery';
import { HOSTS, type Host, hostOfPath } from '@/proxy/servers/hosts';
import { findKnownServers } from '@/proxy/servers/known-servers';
import { tapOf } from '@/proxy/servers/tap-words';
import { type ConfigPlan, Installer } from '../install/installer';
import type { Install } from '../install/installs-file';

/** Printed after a change. Some titles are of several hosts, so it has none. */
export const RELOAD_ADVICE = 'Restart the host, or reload its servers, so that it reads the config again.';

/** Returns the host with this id. Throws an ExitError that lists all. */
export function hostNamed(word: string): Host {
  const host = HOSTS.find(({ id, title }) => id === word || title.toLowerCase() === word.toLowerCase());
  if (host) return host;
  const ids = HOSTS.map(({ id }) => id);
  const near = closest(word, ids);
  throw usageError(
    `Unknown host \`${fitText(word, 60)}\`: ${near ? `did you mean \`${near}\`?` : `write one of ${ids.join(', ')}.`}`,
  );
}

/** Creates the installer. Files named on the command line may have any owner. New taps get `tapOptions`. */
export function ownInstaller(
  { home, version, request }: CommandContext,
  tapOptions: readonly string[] = [],
): Installer {
  const { platform, execPath: node } = process;
  return new Installer({
    folder: ownRecordingsFolder(),
    program: { home, version, node, platform },
    tapOptions,
    uid: request.given.has('config') ? undefined : process.getuid?.(),
  });
}

/** A host whose configs are changed. */
export interface Changing {
  readonly host: Host;
  readonly context: CommandContext;
  readonly installer: Installer;
}

/** Servers in the configs of a host, and the configs that could not be read. */
export interface HostServers {
  readonly servers: readonly FoundServer[];
  readonly skipped: readonly SkippedConfig[];
}

/**
 * Returns the servers of a host in `--config`, or in the usual places and those where mcp-inspect put a tap. Without a
 * host, returns those of all hosts, and those that mcp-inspect keeps.
 */
export async function serversOf(
  host: Host | undefined,
  { request }: Pick<CommandContext, 'request'>,
  installer: Installer,
): Promise<HostServers> {
  const machine = ownContext();
  const file = lastValue(request.given, 'config');
  if (file !== undefined) {
    return host ? findServersIn(resolve(file), host, machine) : serversInAny(resolve(file), installer);
  }
  const found = host ? await findServers(machine, [host]) : await findKnownServers(machine);
  const known = new Set(found.servers.map(({ path }) => withoutLinks(path)));
  const isElsewhere = (one: Install) => (!host || one.host === host.id) && !known.has(one.path);
  // A list of all hosts does not fail because ours can’t be read.
  const installs = await installer.installs().catch((error: unknown) => {
    if (host) throw error;
    return [];
  });
  const elsewhere = new Map(installs.filter(isElsewhere).map((one) => [one.path, one.host]));
  const more = await Promise.all(
    Array.from(elsewhere, ([path, id]) => findServersIn(path, HOSTS.find((one) => one.id === id) ?? UNKNOWN, machine)),
  );
  return {
    // Only taps: nobody asked about the rest of those files.
    servers: [...found.servers, ...more.flatMap(({ servers }) => servers.filter(({ entry }) => tapOf(entry)))],
    skipped: found.skipped,
  };
}

/** Stands for the host of a file that may be that of any. */
const UNKNOWN: Host = { id: '', title: '', sources: [], files: [] };

/** Returns each server of a file once. The file may be that of any host, unless a tap, an install or its name tells. */
async function serversInAny(path: string, installer: Installer): Promise<HostServers> {
  // Nobody said whose file it is, so a sentence about it names no host.
  const all = await Promise.all(HOSTS.map((host) => findServersIn(path, { ...host, title: '' }, ownContext())));
  const found = all.flatMap(({ servers }) => servers);
  const installs = await installer.installs();
  const names = [...new Set(found.map(({ entry }) => entry.name))];
  const servers = names.map((name): FoundServer => {
    const same = found.filter(({ entry }) => entry.name === name);
    const [first] = same;
    const { ours = [] } = tapOf(first!.entry) ?? {};
    const noted = installs.find((one) => one.path === first!.path && one.entry.at(-1) === name)?.host;
    const tapped = ours.includes('--host') ? ours[ours.indexOf('--host') + 1] : undefined;
    const only = same.length === 1 ? first!.host.id : undefined;
    const id = noted ?? tapped ?? only ?? hostOfPath(path)?.id;
    return { ...first!, host: HOSTS.find((host) => host.id === id) ?? UNKNOWN };
  });
  const skipped = all.find((one) => one.skipped.length > 0)?.skipped ?? [];
  return { servers, skipped: skipped.map((config) => ({ ...config, host: '' })) };
}

function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** How to choose servers. */
interface Choosing {
  readonly host: Host;
  readonly context: CommandContext;
  /** Chooses the servers that a question offers. */
  isOffered(server: FoundServer): boolean;
  /** For the question: `tap`. */
  readonly verb: string;
  readonly skipped: readonly SkippedConfig[];
}

/**
 * Returns the servers that the command line names, all with `--all`, or those that a person chooses in the terminal.
 * Throws an ExitError.
 */
export async function chosenServers(
  servers: readonly FoundServer[],
  choosing: Choosing,
): Promise<readonly FoundServer[]> {
  const { host, context, verb, skipped } = choosing;
  const [, ...names] = context.request.words;
  const all = context.request.given.has('all');
  if (all && names.length > 0) throw usageError('`--all` and names of servers exclude each other: remove one of them.');
  for (const { path, reason } of skipped) context.printNote(`mcp-inspect: ${path}: ${reason}`);
  if (servers.length === 0) {
    throw usageError(`There is no server to ${verb} in the configs of ${host.title}. See \`mcp-inspect servers\`.`);
  }
  if (all) return servers;
  if (names.length > 0) return names.map((name) => named(name, servers, host));
  return asked(servers.filter(choosing.isOffered), choosing);
}

/** The first of several configs is the one that the host prefers. */
function named(name: string, servers: readonly FoundServer[], host: Host): FoundServer {
  const found = servers.find(({ entry }) => entry.name === name);
  if (found) return found;
  const names = [...new Set(servers.map(({ entry }) => entry.name))];
  const near = closest(name, names);
  const listed = names.slice(0, MOST_NAMED).map((one) => `\`${fitText(one, NAME_COLUMNS)}\``);
  const more = names.length > listed.length ? ` and ${names.length - listed.length} more` : '';
  const advice = near ? `did you mean \`${near}\`?` : `it has ${listed.join(', ')}${more}.`;
  throw usageError(`${host.title} has no such server \`${fitText(name, NAME_COLUMNS)}\`: ${advice}`);
}

const MOST_NAMED = 20;
const NAME_COLUMNS = 100;

async function asked(servers: readonly FoundServer[], { context, verb }: Choosing): Promise<readonly FoundServer[]> {
  const ask = terminalQuestions();
  const rows = servers.map(({ entry, path }, at) => `  ${at + 1}  ${entry.name}  ${path}`);
  if (servers.length === 0) {
    context.printNote(`There is nothing to ${verb}: see \`mcp-inspect servers\`.`);
    return [];
  }
  if (!ask) {
    const names = [...new Set(servers.map(({ entry }) => `\`${entry.name}\``))].join(', ');
    throw usageError(`Name the servers to ${verb}, or write \`--all\`. You can ${verb} ${fitText(names, 1000)}.`);
  }
  for (const row of rows) context.printNote(row);
  for (;;) {
    const answer = await ask(`Servers to ${verb} (numbers or names, comma-separated; or "all"): `, false);
    const words = (answer ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean);
    if (words.length === 0) return [];
    if (words.length === 1 && words[0] === 'all') return servers;
    const chosen = words.map((word) => servers.find(({ entry }) => entry.name === word) ?? servers[Number(word) - 1]);
    if (chosen.every((one) => one !== undefined)) return chosen;
    context.printNote(`There is no such server. Write numbers from 1 to ${servers.length}, or names.`);
  }
}

/** Groups servers by their config, in order and each once. */
export function byConfig(servers: readonly FoundServer[]): readonly (readonly FoundServer[])[] {
  const unique = [...new Set(servers)];
  return [...new Set(unique.map(({ path }) => path))].map((path) => unique.filter((one) => one.path === path));
}

/** Throws an ExitError if a server that a person named would stay as it is, before anything is written. */
export function refuseUnfit(plans: readonly ConfigPlan[], verb: string): void {
  const unfit = plans.flatMap(({ unchanged }) => unchanged).filter(({ isDone }) => !isDone);
  if (unfit.length === 0) return;
  const reasons = unfit.map(({ server, why }) => `\`${server.entry.name}\`: ${why}`).join(' ');
  throw usageError(`Can’t ${verb} ${countOf(unfit.length, 'server')}, so nothing was changed. ${reasons}`);
}

/** Formats a change for a person: the file, and the lines that change. */
export function diffText({ path, changes }: ConfigPlan): string {
  const shown = changes.map(({ server, diff }) =>
    [`  ${server.entry.name}`, ...diff.map((line) => `    ${diffLine(line)}`)].join('\n'),
  );
  return [path, ...shown].join('\n');
}

/** Formats a line of a change: `+ "args": []`. */
export function diffLine({ sign, text }: DiffLine): string {
  return `${sign} ${text}`;
}
