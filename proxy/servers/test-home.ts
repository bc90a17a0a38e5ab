import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { type DiscoveryContext, findServers } from './discovery';

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true });
});

/** A home folder with these files, by path below it. `{home}` in them is its path. */
export function testHome(files: Readonly<Record<string, string | object>> = {}): string {
  const home = mkdtempSync(join(tmpdir(), 'mcp-inspect-home-'));
  homes.push(home);
  for (const [path, content] of Object.entries(files)) {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(file, text.replaceAll('{home}', home), { mode: 0o600 });
  }
  return home;
}

/** The context of a process on Linux in `home`, without variables. */
export function contextIn(home: string, more: Partial<DiscoveryContext> = {}): DiscoveryContext {
  return { platform: 'linux', home, cwd: home, environment: {}, uid: process.getuid?.(), ...more };
}

/** Finds servers, and shows each as `host/name`. */
export async function findIn(home: string, more: Partial<DiscoveryContext> = {}) {
  const { servers, skipped } = await findServers(contextIn(home, more));
  return { servers, names: servers.map(({ host, entry }) => `${host.id}/${entry.name}`), skipped };
}
