import type { SkippedConfig } from '@/lib/wire/api';
import { countOf } from '@/lib/wire/format';
import type { FoundServer } from '../servers/discovery';
import { closest } from './closest';
import { fitText } from './table';

/** Names of servers and configs that an error lists, and columns of each. */
const MOST_NAMED = 10;
const NAME_COLUMNS = 200;

/**
 * Finds the server that `--server` names: NAME, or HOST/NAME. `note` says which one it is, `wrong` why there is none.
 */
export function chooseServer(
  wanted: string,
  servers: readonly FoundServer[],
  skipped: readonly SkippedConfig[],
): { readonly found: FoundServer; readonly note: string } | { readonly wrong: string } {
  const named = servers.filter(({ entry }) => entry.name === wanted);
  const matches = named.length > 0 ? named : servers.filter((server) => fullName(server) === wanted);
  const [found, ...others] = matches;
  if (!found) return { wrong: unknown(wanted, servers, skipped) };
  const hosts = [...new Set(matches.map(fullName))];
  if (hosts.length > 1) {
    return { wrong: `Several hosts have a server \`${wanted}\`. Name one of them: ${quotedNames(hosts)}.` };
  }
  const also = others.map(({ path }) => path);
  const rest = also.length === 0 ? '' : ` It is also in ${quotedNames(also)}.`;
  return { found, note: `Using \`${found.entry.name}\` of ${found.host.title}, from \`${found.path}\`.${rest}` };
}

/** Returns the name that chooses among servers of the same name. */
function fullName({ host, entry }: FoundServer): string {
  return `${host.id}/${entry.name}`;
}

function unknown(wanted: string, servers: readonly FoundServer[], skipped: readonly SkippedConfig[]): string {
  const near = closest(wanted, [...servers.map(({ entry }) => entry.name), ...servers.map(fullName)]);
  const unread =
    skipped.length === 0
      ? ''
      : ` ${countOf(skipped.length, 'config')} could not be read completely: run \`mcp-inspect servers\`.`;
  const none = `No config on this machine has a server \`${wanted}\``;
  if (near !== undefined) return `${none}: did you mean \`${near}\`?${unread}`;
  const names = [...new Set(servers.map(({ entry }) => entry.name))];
  if (names.length === 0) return `${none}, or any other. Name a config with \`--config FILE\`.${unread}`;
  return `${none}. They have ${quotedNames(names)}. Or name a config with \`--config FILE\`.${unread}`;
}

/** Formats names that a message lists, such as `` `a`, `b` and 3 more ``. */
export function quotedNames(names: readonly string[]): string {
  const listed = names.slice(0, MOST_NAMED).map((name) => `\`${fitText(name, NAME_COLUMNS)}\``);
  const more = names.length - listed.length;
  return more > 0 ? `${listed.join(', ')} and ${more} more` : listed.join(', ');
}
