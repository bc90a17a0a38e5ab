import { shellQuote } from '@/lib/sharing/snippets/shell-commands';
import { countOf } from '@/lib/wire/format';
import { EXIT } from '@/proxy/cli/exit-code';
import type { RunCommand } from '@/proxy/cli/grammar';
import { table } from '@/proxy/cli/table';
import type { Installer } from '@/proxy/install/installer';
import type { FoundServer } from '@/proxy/servers/discovery';
import { HOSTS } from '@/proxy/servers/hosts';
import { formatOf } from '@/proxy/servers/parse-config';
import { isAgentServer, missingFile, tapOf } from '@/proxy/servers/tap-words';
import { shownJson } from '../servers';
import { hostNamed, ownInstaller, serversOf } from './host-servers';

/** Lists which servers are tapped in which configs. Changes nothing. */
export const run: RunCommand = async (context) => {
  const { request, printText, printNote } = context;
  const [word] = request.words;
  const installer = ownInstaller(context);
  const all = await Promise.all(
    (word === undefined ? HOSTS : [hostNamed(word)]).map((host) => serversOf(host, context, installer)),
  );
  const found = all.flatMap(({ servers }) => servers);
  const rows = word === undefined && request.given.has('file') ? await ofFile(found, installer) : found.map(statusOf);
  if (request.given.has('json')) printText(shownJson(rows));
  else printText(statusText(rows, process.stdout.columns));
  for (const { path, reason } of all.flatMap(({ skipped }) => skipped)) printNote(`mcp-inspect: ${path}: ${reason}`);
  return EXIT.fine;
};

/** Returns each server of a file once. The file may be that of any host, unless a tap or an install tells which. */
async function ofFile(found: readonly FoundServer[], installer: Installer): Promise<readonly ServerStatus[]> {
  const installs = await installer.installs();
  const names = [...new Set(found.map(({ entry }) => entry.name))];
  return names.map((name) => {
    const same = found.filter(({ entry }) => entry.name === name);
    const [first] = same;
    const { ours = [] } = tapOf(first!.entry) ?? {};
    const noted = installs.find(({ path, entry }) => path === first!.path && entry.at(-1) === name)?.host;
    const tapped = ours.includes('--host') ? ours[ours.indexOf('--host') + 1] : undefined;
    const only = same.length === 1 ? first!.host.id : '';
    return { ...statusOf(first!), host: noted ?? tapped ?? only };
  });
}

/** A server of a config. */
export interface ServerStatus {
  /** '' if it is not known. */
  readonly host: string;
  readonly server: string;
  readonly path: string;
  /**
   * `broken`: tapped, but a file of the tap is gone. `url` and `yaml`: mcp-inspect can’t tap it. `agents`: it is
   * mcp-inspect itself, for agents.
   */
  readonly state: 'tapped' | 'broken' | 'plain' | 'url' | 'yaml' | 'agents';
  /** The file that is gone. */
  readonly missing?: string;
}

function statusOf({ host, path, entry }: FoundServer): ServerStatus {
  const tap = tapOf(entry);
  const missing = tap && missingFile(tap);
  if (isAgentServer(entry)) return { host: host.id, server: entry.name, path, state: 'agents' };
  const untapped = entry.target.transport !== 'stdio' ? 'url' : formatOf(path) === 'yaml' ? 'yaml' : 'plain';
  const state = tap ? (missing === undefined ? 'tapped' : 'broken') : untapped;
  return { host: host.id, server: entry.name, path, state, ...(missing !== undefined && { missing }) };
}

const STATES: Readonly<Record<ServerStatus['state'], string>> = {
  tapped: 'tapped',
  broken: 'tapped, broken',
  plain: 'not tapped',
  url: 'not tapped: at a URL',
  yaml: 'not tapped: YAML is not edited',
  agents: 'mcp-inspect, for agents',
};

/** Formats the servers as a table, then the taps that can’t start. */
export function statusText(rows: readonly ServerStatus[], width: number | undefined): string {
  if (rows.length === 0) return 'No servers found in the configs of hosts. See `mcp-inspect servers`.';
  const cells = rows.map(({ host, server, state, path }) => [host || '–', server, STATES[state], path]);
  const broken = rows.filter(({ state }) => state === 'broken');
  const tapped = rows.filter(({ state }) => state === 'tapped' || state === 'broken').length;
  const servers = rows.filter(({ state }) => state !== 'agents').length;
  return [
    table(['HOST', 'SERVER', 'STATE', 'CONFIG'], cells, width),
    '',
    ...broken.map(
      ({ host, server, missing }) =>
        `${host && `${host}/`}${server} can’t start, because ${missing} is gone. To repair it: mcp-inspect install ${host || 'HOST'} ${shellQuote(server)}`,
    ),
    `${tapped} of ${countOf(servers, 'server')} tapped. To tap one: mcp-inspect install HOST SERVER`,
  ].join('\n');
}
