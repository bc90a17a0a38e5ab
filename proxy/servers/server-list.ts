import { isFlag, isText, isTextList, type JsonObject, objectWith, own, type TypeCheck } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConfiguredServer, ServerChange, ServersReply, SkippedConfig, TypedServer } from '@/lib/wire/api';
import { writtenProfile } from '@/lib/wire/client-profile';
import { sameCommand, type Target } from '@/lib/wire/command';
import { withoutClientSecret } from '@/lib/wire/connection-settings';
import { formatBytes } from '@/lib/wire/format';
import { type Failure, isFailure, PROTOCOL_CHOICES } from '@/lib/wire/lifecycle';
import { isTarget } from '@/lib/wire/parse-command';
import type { ServerUse } from '../connection/hub';
import { type Launch, type Preset, serverIdentity } from '../connection/launch';
import { maskedTarget } from '../connection/masked-target';
import { type DiscoveryContext, discoverServers, presetsOfFile } from './discovery';
import { HOSTS } from './hosts';
import { presetOfKept } from './kept-preset';
import {
  type ConfigPlace,
  KEPT_SERVER_BYTES,
  type KeptServer,
  KeptServers,
  madeName,
  SERVER_NAME_CHARS,
  type UsedServer,
} from './kept-servers';

interface ServerListOptions {
  /** Folder of recordings. The list is beside it. */
  readonly folder: string;
  /** Servers of the command line, of a file after `--config`, and the demo. */
  readonly given: readonly Preset[];
  readonly context: DiscoveryContext;
  /** False to keep no server that somebody connects to. Changes by hand still work. */
  readonly remembers: boolean;
}

/** All servers that the page offers: given, kept and found. */
export class ServerList {
  readonly #options: ServerListOptions;
  readonly #file: KeptServers;
  #found: readonly Preset[] = [];
  #skipped: readonly SkippedConfig[] = [];
  /** Servers of the configs that kept servers came from, if those are not among the found ones now. */
  #elsewhere: readonly Preset[] = [];
  #kept: readonly KeptServer[] = [];
  /** Names of the values in the configs of kept servers, by id of the kept one. */
  #configNames: ReadonlyMap<string, readonly string[]> = new Map();
  /** Last launches of kept servers in this run, with the values that are not kept. */
  readonly #launches = new Map<string, Launch>();
  #failure: Failure | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(options: ServerListOptions) {
    this.#options = options;
    this.#file = new KeptServers(options.folder);
  }

  /** The servers as of the last {@link list}. */
  get presets(): readonly Preset[] {
    const { given } = this.#options;
    // `--server` may have named a found one, perhaps with more variables.
    const others = this.#found.filter(({ shown }) => !given.some((one) => one.shown.id === shown.id));
    return [...given, ...this.#kept.map((server) => this.#presetOf(server)), ...others];
  }

  /** Resolves when everything is written. Never rejects. */
  get written(): Promise<void> {
    return this.#written;
  }

  /** Looks for servers again and returns all. Never rejects. */
  async list(): Promise<ServersReply> {
    const [discovered] = await Promise.all([discoverServers(this.#options.context), this.#written]);
    this.#found = discovered.presets;
    this.#skipped = discovered.skipped;
    await this.#read();
    return this.#reply();
  }

  /** Keeps a server that somebody connects to. */
  remember({ launch, target, opened, serverName, replaces, before }: ServerUse): void {
    if (!this.#options.remembers) return;
    const base = this.presets.find(({ shown }) => shown.id === target.base);
    const same = base !== undefined && sameCommand(base.shown.target, target);
    if (same && base.shown.origin === 'demo') return;
    const earlier = before && this.#keptAs(before.launch);
    const from = base ? this.#placeOf(base) : earlier?.from;
    // A config's directory stays as written, so that it is found there again.
    const written = same && launch.transport === 'stdio' ? base.shown.target : launch.shown;
    const used = usedServer(launch, written, this.#now);
    const about = {
      ...(!opened && { unopened: true as const }),
      ...(serverName !== undefined && { serverName: serverName.slice(0, SERVER_NAME_CHARS) }),
      ...(from && { from: withRemoved(from, base?.shown.envNames ?? [], used.names) }),
    };
    const id = replaces ?? (before?.failed ? earlier?.id : undefined) ?? (same ? base.shown.id : undefined);
    this.#write(async () => {
      const kept = await this.#file.keep({ ...used, ...about }, id);
      if (kept !== undefined) this.#launches.set(kept, launch);
    });
  }

  /** Applies a change of the page. undefined: the request is malformed. Rejects with a ConnectionError. */
  change(request: JsonObject): Promise<ServersReply> | undefined {
    return isChange(request) ? this.#change(request) : undefined;
  }

  async #change(change: ServerChange): Promise<ServersReply> {
    await this.#written;
    if (change.kind === 'add') await this.#keepTyped(typedServer(change.server, this.#now));
    else if (change.kind === 'edit') await this.#edit(change);
    else await this.#file.change(change);
    await this.#read();
    return this.#reply();
  }

  async #edit({ id, server }: Extract<ServerChange, { kind: 'edit' }>): Promise<void> {
    const known = this.#kept.find((kept) => kept.id === id);
    const typed = typedServer(server, known?.lastUsed ?? this.#now);
    // Only the command that was typed in a shell gets the shell's variables.
    const policy = known && sameCommand(known.target, typed.target) ? known.policy : typed.policy;
    const from = known?.from && withRemoved(known.from, known.names, typed.names);
    await this.#keepTyped({ ...typed, policy, ...(from && { from }) }, id);
    // Its values were those of the command before.
    this.#launches.delete(id);
  }

  async #keepTyped(typed: UsedServer, replaces?: string): Promise<void> {
    if ((await this.#file.keep(typed, replaces)) === undefined) throw new ConnectionError(TOO_LONG);
  }

  get #now(): string {
    return new Date().toISOString();
  }

  #reply(): ServersReply {
    return {
      servers: this.presets.map(({ shown }) => named(shown)),
      skipped: this.#skipped,
      hosts: Object.fromEntries(HOSTS.map(({ id, title }) => [id, title])),
      ...(this.#failure && { failure: this.#failure }),
    };
  }

  async #read(): Promise<void> {
    try {
      this.#kept = await this.#file.read();
      if (this.#failure?.code === UNREADABLE) this.#failure = undefined;
    } catch (error) {
      this.#kept = [];
      this.#failed(error);
    }
    this.#elsewhere = await this.#readElsewhere();
    this.#configNames = await this.#readConfigNames();
  }

  /** Writes after everything before. A failure is for the next reply. */
  #write(write: () => Promise<void>): void {
    this.#written = this.#written.then(write).then(
      () => {
        this.#failure = undefined;
        return this.#read();
      },
      (error) => this.#failed(error),
    );
  }

  #failed(error: unknown): void {
    if (!isFailure(error)) throw error;
    const { code, message, advice } = error;
    this.#failure = { code, message, advice };
  }

  async #readElsewhere(): Promise<readonly Preset[]> {
    const { context } = this.#options;
    const lost = this.#kept.filter(({ from }) => from && !this.#configured.some(({ shown }) => isPlace(from, shown)));
    const paths = [...new Set(lost.map(({ from }) => from!.path))];
    return (await Promise.all(paths.map((path) => presetsOfFile(path, context)))).flat();
  }

  /** The names in an `envFile` are known only after it was read. */
  async #readConfigNames(): Promise<ReadonlyMap<string, readonly string[]>> {
    const read = async ({ id, from }: KeptServer) => {
      const config = this.#configOf(from);
      const { shown } = (await config?.complete?.(new Map())) ?? config ?? {};
      return [id, shown?.envNames ?? []] as const;
    };
    return new Map(await Promise.all(this.#kept.map(read)));
  }

  #configOf(from: ConfigPlace | undefined): Preset | undefined {
    return [...this.#configured, ...this.#elsewhere].find(({ shown }) => isPlace(from, shown));
  }

  get #configured(): readonly Preset[] {
    return [...this.#options.given, ...this.#found];
  }

  #presetOf(kept: KeptServer): Preset {
    const { context } = this.#options;
    const [config, configNames = []] = [this.#configOf(kept.from), this.#configNames.get(kept.id)];
    return presetOfKept(kept, { config, configNames, launch: this.#launches.get(kept.id), ...context });
  }

  #placeOf({ shown }: Preset): ConfigPlace | undefined {
    const { id, origin, host, source, target } = shown;
    if (origin === 'kept') return this.#kept.find((kept) => kept.id === id)?.from;
    if ((origin !== 'found' && origin !== 'config') || target.name === undefined) return undefined;
    return { ...(host !== undefined && { host }), path: source, server: target.name };
  }

  /** Returns the server that was kept for a launch of this run. */
  #keptAs(launch: Launch): KeptServer | undefined {
    const server = serverIdentity(launch);
    return this.#kept.find(({ id }) => {
      const last = this.#launches.get(id);
      return last && serverIdentity(last) === server;
    });
  }
}

/** Adds the names of `before` that are not in `names` to those that a person removed. */
function withRemoved(from: ConfigPlace, before: readonly string[], names: readonly string[]): ConfigPlace {
  const { without: earlier = [], ...place } = from;
  const without = [...new Set([...earlier, ...before])].filter((name) => !names.includes(name));
  return { ...place, ...(without.length > 0 && { without }) };
}

/** Returns what is kept of a launch. `written`: its target without values. */
function usedServer(launch: Launch, written: Target, lastUsed: string): UsedServer {
  const stdio = launch.transport === 'stdio';
  const names = stdio ? launch.environment.added : launch.headers.map(([name]) => name);
  const { profile: _, ...bare } = written;
  return {
    target: maskedTarget({ ...bare, ...writtenProfile(launch.profile) }, names),
    names,
    ...(!stdio && launch.client.clientSecret !== undefined && { clientSecret: true }),
    policy: stdio ? launch.environment.policy : 'allowlist',
    protocol: launch.protocol,
    lastUsed,
  };
}

/** Returns what is kept of a server that somebody typed. */
function typedServer({ target, names, protocol }: TypedServer, lastUsed: string): UsedServer {
  const { base: _, inputs: __, ...bare } = target;
  const common = { names, policy: 'allowlist', protocol, lastUsed } as const;
  if (bare.transport === 'stdio') {
    const { env: ___, ...written } = bare;
    return { ...common, target: maskedTarget(written, names) };
  }
  const { headers: ___, client = {}, ...written } = bare;
  const shown = withoutClientSecret(client);
  return {
    ...common,
    target: maskedTarget({ ...written, ...(shown && { client: shown }) }, names),
    ...(client.clientSecret !== undefined && { clientSecret: true }),
  };
}

function named(shown: ConfiguredServer): ConfiguredServer {
  const { target, name } = shown;
  return target.name !== undefined || name !== undefined ? shown : { ...shown, name: madeName(target) };
}

function isPlace(place: ConfigPlace | undefined, { origin, source, target }: ConfiguredServer): boolean {
  const isConfig = origin === 'found' || origin === 'config';
  return isConfig && place !== undefined && source === place.path && target.name === place.server;
}

const isId: TypeCheck = (value) => isText(value) && (value as string).length <= 100;
const isName: TypeCheck = (value) =>
  isText(value) && (value as string).trim() !== '' && (value as string).length <= SERVER_NAME_CHARS;
const isTyped = objectWith({
  target: isTarget,
  names: isTextList,
  protocol: (value) => PROTOCOL_CHOICES.some((choice) => choice === value),
});

const CHANGES: { readonly [K in ServerChange['kind']]: TypeCheck } = {
  add: objectWith({ server: isTyped }),
  edit: objectWith({ id: isId, server: isTyped }),
  rename: objectWith({ id: isId, name: isName }),
  duplicate: objectWith({ id: isId, name: isName }),
  pin: objectWith({ id: isId, on: isFlag }),
  delete: objectWith({ id: isId }),
};

function isChange(request: JsonObject): request is JsonObject & ServerChange {
  const kind = own(request, 'kind');
  return typeof kind === 'string' && Object.hasOwn(CHANGES, kind) && CHANGES[kind as ServerChange['kind']](request);
}

const UNREADABLE = 'servers-unreadable';

const TOO_LONG = {
  code: 'server-too-long',
  message: `Could not save: a server in the list has at most ${formatBytes(KEPT_SERVER_BYTES)}.`,
  advice: 'Shorten its command or URL, or put it into a config.',
};
