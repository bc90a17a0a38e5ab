import { isObject, type JsonObject, own } from '@/lib/json/value';
import { formatCount } from '@/lib/wire/format';
import { type ConfigEntry, readEntries } from '@/lib/wire/server-config';
import type { ConvertEntry } from './entry-forms';

/** Servers of one config that are listed. Real configs have a few; more would only hide them. */
export const MOST_SERVERS = 500;

/** Says how many servers a config has, and how many are listed. */
export function leftOut(count: number): string {
  return `It has ${formatCount(count)} servers. The first ${MOST_SERVERS} are listed.`;
}

/** The servers of a config, at most {@link MOST_SERVERS}. */
export interface HostEntries {
  readonly entries: readonly ConfigEntry[];
  /** Servers in the config. */
  readonly count: number;
}

/**
 * Reads the servers under `key`, as an object by name or as a list. undefined: the config has none. `wrong` is a
 * sentence about the config. `name` is for a config that is a single server.
 */
export function readHostEntries(
  config: unknown,
  key: readonly string[],
  convert: ConvertEntry = (entry) => entry,
  name?: string,
): HostEntries | { readonly wrong: string } | undefined {
  // An empty YAML file is null.
  if (config === null || config === undefined) return undefined;
  if (!isObject(config)) return { wrong: 'It is not an object.' };
  const { place, holder } = placeIn(config, key);
  const servers =
    place ?? (name !== undefined && own(config, 'command') !== undefined ? { [name]: config } : undefined);
  if (servers === undefined || servers === null) return undefined;
  const named = namedIn(servers);
  if (!named) return { wrong: `In it, \`${key.join('.')}\` is not an object of servers by name.` };
  const converted = named
    .map(([one, entry]) => [one, isObject(entry) ? convert(entry) : entry] as const)
    .filter(([, entry]) => entry !== undefined);
  const listed = Object.fromEntries(converted.slice(0, MOST_SERVERS));
  return { entries: readEntries(listed, own(holder, 'inputs')), count: converted.length };
}

/** Returns the value under a key, and the object that it is in. VS Code also writes keys with a dot. */
function placeIn(
  config: JsonObject,
  key: readonly string[],
): { readonly place?: unknown; readonly holder: JsonObject } {
  const dotted = key.length > 1 ? own(config, key.join('.')) : undefined;
  if (dotted !== undefined) return { place: dotted, holder: { inputs: own(config, `${key[0]}.inputs`) } };
  let holder = config;
  for (const step of key.slice(0, -1)) {
    const next = own(holder, step);
    if (!isObject(next)) return { holder };
    holder = next;
  }
  return { place: own(holder, key.at(-1)!), holder };
}

function namedIn(servers: unknown): readonly (readonly [name: string, entry: unknown])[] | undefined {
  if (isObject(servers)) return Object.entries(servers);
  if (!Array.isArray(servers)) return undefined;
  return servers.map((entry, index) => {
    const name = isObject(entry) ? own(entry, 'name') : undefined;
    return [typeof name === 'string' && name !== '' ? name : `server ${index + 1}`, entry];
  });
}
