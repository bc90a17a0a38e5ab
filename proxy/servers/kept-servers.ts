import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type Checked, isObject, isText, isTextList, isTrue, objectWith, oneOf, optional, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { ServerChange } from '@/lib/wire/api';
import { readProfile, writtenProfile } from '@/lib/wire/client-profile';
import { sameCommand, type Target } from '@/lib/wire/command';
import { commandName } from '@/lib/wire/command-name';
import { PROTOCOL_CHOICES } from '@/lib/wire/lifecycle';
import { isTarget } from '@/lib/wire/parse-command';
import { isUrl } from '@/lib/wire/url';
import { SharedFile } from '@/proxy/files/shared-file';

/** Servers in the list. The one that was not used for the longest time goes first, pinned ones never. */
export const SERVERS_KEPT = 200;
/** Bytes of a server as JSON. Longer command lines are not kept. */
export const KEPT_SERVER_BYTES = 16 * 1024;
/** Characters of a name that a person gives. */
export const SERVER_NAME_CHARS = 200;

const VERSION = 1;

/** A server's place in a config. */
const isConfigPlace = objectWith({
  /** Id of the host that reads the config. Absent for a file after `--config`. */
  host: optional(isText),
  path: isText,
  /** Its name in the config. */
  server: isText,
  /** Names of its variables or headers that a person removed. */
  without: optional(isTextList),
});
export type ConfigPlace = Checked<typeof isConfigPlace>;

/** A server that somebody connected to, without any value that may be secret. */
const isKept = objectWith({
  id: (value: unknown): value is string => isText(value) && /^kept-[0-9a-f]{8}$/.test(value),
  /** Named, and with an `${input:NAME}` in place of each secret. Has no variables or headers. */
  target: isTarget,
  /** Names of its variables, or of its headers. */
  names: isTextList,
  /** The name that the server gave itself. */
  serverName: optional(isText),
  /** Its OAuth client has a secret. */
  clientSecret: optional(isTrue),
  policy: oneOf('shell', 'allowlist'),
  protocol: oneOf(...PROTOCOL_CHOICES),
  /** The config that has its values. */
  from: optional(isConfigPlace),
  /** ISO 8601. */
  lastUsed: (value: unknown): value is string => isText(value) && /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(value),
  /** Somebody tried to connect to it, but it never opened. */
  unopened: optional(isTrue),
  pinned: optional(isTrue),
});
export type KeptServer = Checked<typeof isKept>;

/** The part of a kept server that is known when somebody connects to it. */
export type UsedServer = Omit<KeptServer, 'id' | 'pinned'>;

/** The list of servers that somebody connected to, in `servers.json` of the data folder. */
export class KeptServers {
  /** Path of the file. */
  readonly path: string;
  readonly #file: SharedFile;

  /** `folder` is the folder of recordings. */
  constructor(folder: string) {
    this.path = join(dirname(folder), 'servers.json');
    this.#file = new SharedFile({
      folder,
      name: 'servers.json',
      code: 'servers',
      what: 'list of servers',
      mostBytes: 2 * SERVERS_KEPT * KEPT_SERVER_BYTES,
    });
  }

  /** Returns the servers, the last used one first. Rejects with ConnectionError `servers-unreadable`. */
  async read(): Promise<readonly KeptServer[]> {
    return newestFirst(this.#content(await this.#file.read()));
  }

  /**
   * Adds a server, or updates the one with the id `replaces` or else the one with the same command or URL. Resolves to
   * its id; undefined if it is too long to be kept. Rejects with a ConnectionError.
   */
  async keep(used: UsedServer, replaces?: string): Promise<string | undefined> {
    if (Buffer.byteLength(JSON.stringify(used)) > KEPT_SERVER_BYTES) return undefined;
    return this.#change((servers) => {
      const known =
        servers.find(({ id }) => id === replaces) ?? servers.find(({ target }) => sameCommand(target, used.target));
      const id = known?.id ?? newId();
      // A person may have renamed it.
      const name = known?.target.name ?? used.target.name;
      const same = known !== undefined && sameCommand(known.target, used.target);
      const { unopened, ...facts } = used;
      const kept: KeptServer = {
        ...(same && pick(known)),
        ...facts,
        // A server that worked before stays one that works.
        ...(unopened && !(same && !known.unopened) && { unopened }),
        id,
        target: { ...used.target, ...(name !== undefined && { name }) },
        ...(known?.pinned && { pinned: true }),
      };
      return { servers: withinBounds([kept, ...servers.filter((server) => server !== known)]), result: id };
    });
  }

  /** Applies a change to the server that it names. Rejects with a ConnectionError. */
  change(change: Exclude<ServerChange, { readonly server: unknown }>): Promise<void> {
    return this.#change((servers) => {
      const known = servers.find(({ id }) => id === change.id);
      if (!known) throw new ConnectionError(GONE);
      const others = servers.filter((server) => server !== known);
      const changed = CHANGED[change.kind](known, change as never);
      return { servers: withinBounds([...changed, ...others]), result: undefined };
    });
  }

  #change<R>(
    update: (servers: readonly KeptServer[]) => { readonly servers: readonly KeptServer[]; readonly result: R },
  ): Promise<R> {
    return this.#file.change((before) => {
      const { servers, result } = update(newestFirst(this.#content(before)));
      return { content: { version: VERSION, servers }, result };
    });
  }

  /** Reads the content of the file. Invalid content is an error, so that it is never overwritten. */
  #content(file: unknown): readonly KeptServer[] {
    if (file === undefined) return [];
    const servers = isObject(file) && own(file, 'version') === VERSION ? own(file, 'servers') : undefined;
    if (!Array.isArray(servers)) throw this.#file.refusal(file, VERSION);
    return servers.map(upgraded).filter(isKept);
  }
}

type Changes = { readonly [K in ServerChange['kind']]: Extract<ServerChange, { kind: K }> };

/** Returns what a server becomes: nothing, itself, or two. */
const CHANGED: {
  readonly [K in 'rename' | 'duplicate' | 'pin' | 'delete']: (
    server: KeptServer,
    change: Changes[K],
  ) => readonly KeptServer[];
} = {
  rename: (server, { name }) => [{ ...server, target: { ...server.target, name } }],
  duplicate: (server, { name }) => {
    const { pinned: _, ...copy } = server;
    return [server, { ...copy, id: newId(), target: { ...copy.target, name } }];
  },
  pin: ({ pinned: _, ...server }, { on }) => [{ ...server, ...(on && { pinned: true as const }) }],
  delete: () => [],
};

/** Returns the name of a kept server: the given one, that of the server itself, or one made from its command or URL. */
export function keptName({ target, serverName }: KeptServer): string {
  return target.name ?? serverName ?? madeName(target);
}

/** Returns a name made from a command or URL. */
export function madeName(target: Target): string {
  if (target.transport === 'stdio') return commandName(target);
  return isUrl(target.url) ? new URL(target.url).host : target.url;
}

/** Returns what stays true of a server whose command stays the same. */
function pick({ serverName, from }: KeptServer): Partial<KeptServer> {
  return { ...(serverName !== undefined && { serverName }), ...(from && { from }) };
}

function newId(): string {
  return `kept-${randomBytes(4).toString('hex')}`;
}

function newestFirst(servers: readonly KeptServer[]): readonly KeptServer[] {
  return [...servers].sort((one, other) => other.lastUsed.localeCompare(one.lastUsed));
}

function withinBounds(servers: readonly KeptServer[]): readonly KeptServer[] {
  const over = servers.length - SERVERS_KEPT;
  if (over <= 0) return servers;
  const oldest = newestFirst(servers)
    .filter(({ pinned }) => !pinned)
    .slice(-over);
  return servers.filter((server) => !oldest.includes(server)).slice(0, SERVERS_KEPT);
}

/** Returns a server with a profile instead of the `features` that earlier versions wrote. */
function upgraded(server: unknown): unknown {
  const target = isObject(server) ? own(server, 'target') : undefined;
  if (!isObject(server) || !isObject(target) || own(target, 'features') === undefined) return server;
  const { features, ...rest } = target;
  return { ...server, target: { ...rest, ...writtenProfile(readProfile({ features })) } };
}

const GONE = {
  code: 'server-gone',
  message: 'This server is no longer in the list.',
  advice: 'Another mcp-inspect may have deleted it. Reload the page.',
};
