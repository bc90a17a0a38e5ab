import { join } from 'shlex';
import type { ConfiguredServer, ServersReply } from '@/lib/wire/api';
import { writtenProfile } from '@/lib/wire/client-profile';
import { sameCommand } from '@/lib/wire/command';

/** A server as the list shows it. */
export interface ListedServer extends ConfiguredServer {
  /** Id of the kept server that this server of a config stands for. */
  readonly keptId?: string;
}

/** Servers under one heading. */
export interface ServerGroup {
  readonly key: string;
  readonly title: string;
  /** The config that names them. */
  readonly path?: string;
  readonly servers: readonly ListedServer[];
}

/** Servers by where they come from. Empty lists have no group. */
export interface GroupedServers {
  /** The command line, and the file after `--config`. */
  readonly given: readonly ServerGroup[];
  /** Pinned first, then the last used first. */
  readonly recent: readonly ConfiguredServer[];
  /** One group for each config of a host. */
  readonly found: readonly ServerGroup[];
  readonly demo: readonly ConfiguredServer[];
}

/** Groups servers, without those that do not match the search. */
export function groupServers(
  { servers, hosts }: Pick<ServersReply, 'servers' | 'hosts'>,
  search: string,
): GroupedServers {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = listedOnce(servers).filter((server) => {
    const text = [shownName(server), commandLine(server), server.source, hosts[server.host ?? ''] ?? ''].join('\n');
    return words.every((word) => text.toLowerCase().includes(word));
  });
  const from = (origin: ConfiguredServer['origin']) => matching.filter((server) => server.origin === origin);
  const commandLines = from('command-line');
  return {
    given: [
      ...(commandLines.length > 0 ? [{ key: 'argv', title: 'This command line', servers: commandLines }] : []),
      ...byConfig(from('config'), () => 'Config file'),
    ],
    recent: from('kept').sort(
      (one, other) =>
        Number(other.pinned ?? false) - Number(one.pinned ?? false) ||
        (other.lastUsed ?? '').localeCompare(one.lastUsed ?? ''),
    ),
    found: byConfig(from('found'), ({ host = '' }) => hosts[host] ?? host),
    demo: from('demo'),
  };
}

/**
 * Leaves out kept servers that the command line or a config on the list names: its own row shows when it was last used.
 * A pinned one, which a person moved to the top, stays there instead.
 */
function listedOnce(servers: readonly ConfiguredServer[]): readonly ListedServer[] {
  const kept = servers.filter(({ origin }) => origin === 'kept');
  const twin = new Map<ConfiguredServer, ConfiguredServer>();
  for (const server of servers) {
    if (server.origin === 'kept' || server.origin === 'demo') continue;
    const same = kept.find((one) => isSame(one, server));
    if (same) twin.set(server, same);
  }
  const left = new Set([...twin].map(([server, same]) => (same.pinned ? server : same)));
  return servers
    .filter((server) => !left.has(server))
    .map((server) => {
      const same = twin.get(server);
      if (!same) return server;
      const { id, lastUsed, unopened } = same;
      // A config has no client settings of ours.
      const target = { ...server.target, ...writtenProfile(same.target.profile) };
      return { ...server, target, keptId: id, ...(lastUsed && { lastUsed }), ...(unopened && { unopened }) };
    });
}

/** Returns what a server has beside its command, as one text. */
function settingsOf({ target, envNames }: ConfiguredServer): string {
  return JSON.stringify([envNames.toSorted(), target.profile ?? null]);
}

/** True if a kept server is one of the list: of the command line with the same settings, or of the same config. */
function isSame(kept: ConfiguredServer, server: ConfiguredServer): boolean {
  const { origin, source, target } = server;
  if (!sameCommand(kept.target, target)) return false;
  if (origin === 'command-line') return settingsOf(kept) === settingsOf(server);
  return kept.source === source && kept.target.name === target.name;
}

function byConfig(
  servers: readonly ListedServer[],
  titleOf: (server: ConfiguredServer) => string,
): readonly ServerGroup[] {
  const keyOf = ({ host, source }: ConfiguredServer) => `${host ?? ''} ${source}`;
  return [...new Set(servers.map(keyOf))].map((key) => {
    const members = servers.filter((server) => keyOf(server) === key);
    return { key, title: titleOf(members[0]!), path: members[0]!.source, servers: members };
  });
}

/** Returns the name to show for a server. */
export function shownName({ target, name }: ConfiguredServer): string {
  return target.name ?? name ?? '';
}

/** Returns the command as a shell would need it, or the URL. */
export function commandLine({ target }: ConfiguredServer): string {
  if (target.transport !== 'stdio') return target.url;
  // An invalid entry of a config has none.
  return target.command === '' ? '' : join([target.command, ...target.args]);
}

/** Programs that run another, and their subcommands. */
const RUNNERS =
  /^(?:node|bun|bunx|deno|npx|npm|pnpm|pnpx|yarn|tsx|ts-node|uv|uvx|pipx|python[\d.]*|py|docker|podman|cargo|go|dotnet|java|ruby|sh|bash|run|dlx|exec|x|tool|start|mcp)(?:\.(?:exe|cmd))?$/i;

/**
 * Returns the part of a command that says what it runs: the script, package or image, with as many folders as make
 * `depth` names; a URL without `https://`.
 */
export function shortCommand({ target }: ConfiguredServer, depth = 1): string {
  if (target.transport !== 'stdio') return target.url.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  const words = [target.command, ...target.args].filter((word) => word !== '' && !word.startsWith('-'));
  const names = words.map((word) => (/^@[^/]+\/[^/]+$/.test(word) ? word : lastNames(word, 1)));
  // An image of docker comes after the values of its options.
  const isImage = /^(?:docker|podman)\b/.test(names[0] ?? '');
  const meaningful = names.filter((name) => !RUNNERS.test(name));
  const found = (isImage ? meaningful.findLast((name) => !name.includes('=')) : meaningful[0]) ?? names[0] ?? '';
  return depth === 1 ? found : lastNames(words[names.indexOf(found)] ?? '', depth);
}

function lastNames(path: string, count: number): string {
  return path.split(/[\\/]/).filter(Boolean).slice(-count).join('/');
}

function wholeCommand(server: ConfiguredServer): string {
  const { target } = server;
  const folder = target.transport === 'stdio' && target.cwd !== undefined ? ` in ${target.cwd}` : '';
  return `${commandLine(server)}${folder}`;
}

/** Most names of a path that tell two servers apart. */
const MOST_NAMES = 6;

/**
 * Returns what to show beside the name of each server, by id: the short command. Servers that look alike get as many
 * folders as tell them apart, or else the whole command and its folder.
 */
export function tellingParts(servers: readonly ConfiguredServer[]): ReadonlyMap<string, string> {
  const shown = (server: ConfiguredServer) => `${shownName(server)}\n${shortCommand(server)}`;
  return new Map(
    servers.map((server) => {
      const alike = servers.filter((other) => shown(other) === shown(server));
      const different = new Set(alike.map(wholeCommand)).size;
      const depth = Array.from({ length: MOST_NAMES }, (_, at) => at + 1).find(
        (names) => new Set(alike.map((other) => shortCommand(other, names))).size === different,
      );
      return [server.id, depth === undefined ? wholeCommand(server) : shortCommand(server, depth)];
    }),
  );
}

/** Returns true for a server that one click connects. */
export function isReady({ problem, inputs, disabled }: ConfiguredServer): boolean {
  return problem === undefined && inputs === undefined && !disabled;
}

const relative = new Intl.RelativeTimeFormat('en-US', { style: 'short' });
const DAY_MS = 24 * 60 * 60_000;
/** Units, each with its days and the number of days from which on it is used. */
const UNITS = [
  { unit: 'year', days: 365, from: 365 },
  { unit: 'month', days: 30, from: 30 },
  { unit: 'week', days: 7, from: 14 },
  { unit: 'day', days: 1, from: 1 },
] as const;

/** Formats how long ago a time was: "now", "3 min ago", "yesterday", "2 mo ago". */
export function formatAgo(iso: string, now: Date): string {
  const then = new Date(iso);
  const days = Math.round((startOfDay(now) - startOfDay(then)) / DAY_MS);
  const minutes = Math.max(0, Math.floor((now.getTime() - then.getTime()) / 60_000));
  const found = UNITS.find(({ from }) => days >= from);
  const [count, unit] =
    minutes < 60
      ? ([minutes, 'minute'] as const)
      : found
        ? ([Math.floor(days / found.days), found.unit] as const)
        : ([Math.floor(minutes / 60), 'hour'] as const);
  if (minutes === 0) return 'now';
  return days === 1 && minutes >= 60 ? 'yesterday' : relative.format(-count, unit).replace('.', '');
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
