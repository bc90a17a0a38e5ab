import { isFailure } from '@/lib/wire/lifecycle';
import { recordingsFolder } from '@/proxy/files/data-folder';
import { type DiscoveryContext, type FoundServer, type FoundServers, findServers } from './discovery';
import type { Host } from './hosts';
import { keptEntry } from './kept-preset';
import { type KeptServer, KeptServers, keptName } from './kept-servers';

/** Stands for the host of kept servers. */
const OURS: Host = { id: 'mcp-inspect', title: 'mcp-inspect', sources: [], files: [] };

/**
 * Returns the servers in the configs on this machine, then the kept ones that opened and that none of them names. Never
 * rejects.
 */
export async function findKnownServers(context: DiscoveryContext): Promise<FoundServers> {
  const { environment, platform, home } = context;
  const kept = new KeptServers(recordingsFolder({ platform, env: environment, home }));
  const [found, read] = await Promise.all([
    findServers(context),
    kept.read().catch((error: unknown) => (isFailure(error) ? error.message : String(error))),
  ]);
  if (typeof read === 'string') {
    return { ...found, skipped: [...found.skipped, { host: OURS.id, path: kept.path, reason: read }] };
  }
  // A server that never opened may be a typing error.
  const others = read.filter(
    ({ from, unopened }) => !unopened && !found.servers.some((server) => isFrom(server, from)),
  );
  const ours = others.map((server): FoundServer => {
    const name = keptName(server);
    const entry = { ...keptEntry({ ...server, target: { ...server.target, name } }, environment), name };
    const { policy, protocol } = server;
    return { host: OURS, path: kept.path, key: [], entry, workspace: context.cwd, kept: { policy, protocol } };
  });
  return { ...found, servers: [...found.servers, ...ours] };
}

function isFrom({ path, entry }: FoundServer, from: KeptServer['from']): boolean {
  return path === from?.path && entry.name === from.server;
}
