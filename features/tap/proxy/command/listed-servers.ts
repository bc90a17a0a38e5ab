import type { EntryObstacle } from '@/features/entry-check';
import { ENTRY_CHECKS } from '@/features/entry-checks';
import type { ConfiguredServer, SkippedConfig } from '@/lib/wire/api';
import type { CommandContext } from '@/proxy/cli/grammar';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { urlTaps } from '@/proxy/files/tap-control-files';
import { type DiscoveryContext, type FoundServer, fillFound, listed, ownContext } from '@/proxy/servers/discovery';
import type { Host } from '@/proxy/servers/hosts';
import { isAgentServer, withoutTap } from '@/proxy/servers/tap-words';
import { runningTaps } from '../find-taps';
import { entryPaths } from './entry-paths';
import { ownInstaller, serversOf } from './host-servers';

/** A session of a server with a host, through a running tap. */
interface TapSession {
  readonly pid: number;
  /** In ISO 8601. */
  readonly started: string;
  /** Path of the recording. Absent: a tap of a URL that no host has used yet. */
  readonly file?: string;
}

/** A server of a config, one that mcp-inspect keeps, or one that runs in a tap that no config has. */
export interface ServerLine {
  /** Id of the host; '' if it is not known. */
  readonly host: string;
  readonly name: string;
  /** Absent: no config has it. */
  readonly shown?: ConfiguredServer;
  /** `broken`: the entry starts a tap, but a file of the tap is gone. */
  readonly tap: 'no' | 'yes' | 'broken' | 'running';
  /** The file that is gone. */
  readonly missing?: string;
  /** True for mcp-inspect itself, for agents. */
  readonly isAgentServer?: true;
  /** The facts about its host that the entry breaks. Absent: none that is known. */
  readonly obstacles?: readonly EntryObstacle[];
  readonly sessions: readonly TapSession[];
}

/** Servers, and the configs that were not read. */
export interface ListedServers {
  readonly servers: readonly ServerLine[];
  readonly skipped: readonly SkippedConfig[];
}

/** Lists the servers of a host or of all hosts, in `--config` or the usual places, and then the other running taps. */
export async function listServers(host: Host | undefined, context: CommandContext): Promise<ListedServers> {
  const found = await serversOf(host, context, ownInstaller(context));
  const taps = allTaps().filter((tap) => host === undefined || tap.host === host.id);
  const used = new Set<Tap>();
  const machine = ownContext();
  const { presets, skipped } = listed(found, machine);
  const servers = presets.map(({ shown }, at): ServerLine => {
    const { host: of = '', target, tap } = shown;
    const own = taps.filter((one) => one.host === of && one.name === target.name);
    for (const one of own) used.add(one);
    const { missing } = tap ?? {};
    const { entry } = found.servers[at]!;
    const obstacles = obstaclesOf(found.servers[at]!, machine);
    return {
      host: of,
      name: target.name ?? '',
      shown,
      sessions: own.map(({ session }) => session),
      tap: own.length > 0 ? 'running' : !tap ? 'no' : missing === undefined ? 'yes' : 'broken',
      ...(missing !== undefined && { missing }),
      ...(isAgentServer(entry) && { isAgentServer: true }),
      ...(obstacles.length > 0 && { obstacles }),
    };
  });
  const others = context.request.given.has('config') ? [] : taps.filter((tap) => !used.has(tap));
  return {
    servers: [
      ...servers,
      ...others.map(({ host: of, name, session }) => ({
        host: of,
        name,
        tap: 'running' as const,
        sessions: [session],
      })),
    ],
    skipped,
  };
}

/** Finds what hosts stumble over in the entry of a server, without a tap around it. */
function obstaclesOf(found: FoundServer, machine: DiscoveryContext): readonly EntryObstacle[] {
  const { host, oddities = [] } = found;
  const entry = withoutTap(found.entry);
  const { filled = { command: '', args: [] } } = fillFound(found, { ...machine, inputs: new Map() });
  const env = entry.target.transport === 'stdio' ? entry.target.env : undefined;
  const { platform } = machine;
  const paths = entryPaths({ ...filled, ...(env && { env }) });
  return ENTRY_CHECKS.flatMap((check) => check(entry, { host: host.id, platform, oddities, ...paths }));
}

interface Tap {
  readonly host: string;
  readonly name: string;
  readonly session: TapSession;
}

/** Returns the sessions of running taps, and the taps of URLs without one. */
function allTaps(): readonly Tap[] {
  const folder = ownRecordingsFolder();
  const sessions = runningTaps(folder);
  const waiting = urlTaps(folder).filter(
    ({ session }) => !sessions.some((one) => one.session.startsWith(`${session}.`)),
  );
  return [
    ...sessions.map(({ host = '', name, pid, at, path }) => ({
      host,
      name,
      session: { pid, started: at, file: path },
    })),
    ...waiting.map(({ host = '', name, pid, at }) => ({ host, name, session: { pid, started: at } })),
  ];
}
