import type { ConfiguredServer } from '@/lib/wire/api';
import { shownName } from './server-groups';

/** Returns servers as a config that hosts read. Values are placeholders: mcp-inspect and most hosts fill them in. */
export function serversConfig(servers: readonly ConfiguredServer[]): string {
  const entries = new Map<string, object>();
  for (const server of servers) {
    const name = shownName(server) || 'server';
    let free = name;
    for (let count = 2; entries.has(free); count++) free = `${name} ${count}`;
    entries.set(free, entryOf(server));
  }
  return `${JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 2)}\n`;
}

function entryOf({ target, envNames }: ConfiguredServer): object {
  if (target.transport === 'stdio') {
    const { command, args, cwd } = target;
    return {
      command,
      ...(args.length > 0 && { args }),
      ...(cwd !== undefined && { cwd }),
      ...(envNames.length > 0 && { env: placeholders(envNames, (name) => `\${${name}}`) }),
    };
  }
  const { transport, url, client, tls } = target;
  return {
    ...(transport !== 'auto' && { type: transport }),
    url,
    ...(envNames.length > 0 && { headers: placeholders(envNames, (name) => `\${input:${name}}`) }),
    ...(client && { oauth: client }),
    ...(tls && { tls }),
  };
}

function placeholders(names: readonly string[], placeholderOf: (name: string) => string): object {
  return Object.fromEntries(names.map((name) => [name, placeholderOf(name)]));
}
