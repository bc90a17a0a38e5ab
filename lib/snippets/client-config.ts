import type { Start } from './described-request';

/** How a host is told of the server: the `mcpServers` of its config. Values that are secret are to be filled in. */
export function configText(start: Start): string {
  const blanks = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '…']));
  const server =
    start.transport === 'stdio'
      ? {
          command: start.command,
          args: start.args,
          ...(start.environment.added.length > 0 && { env: blanks(start.environment.added) }),
        }
      : { url: start.url, ...(start.headerNames.length > 0 && { headers: blanks(start.headerNames) }) };
  return JSON.stringify({ mcpServers: { [start.name]: server } }, null, 2);
}
