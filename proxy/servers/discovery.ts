import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { SkippedConfig } from '@/lib/wire/api';
import type { Target } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { MODEL_KEY_VARIABLES } from '@/lib/wire/model-key-variables';
import type { ConfigEntry, ConfigOddity } from '@/lib/wire/server-config';
import { repositoryFolders } from '@/proxy/files/repository-folders';
import { type NamedFile, readNamedFile } from '@/proxy/files/user-files';
import { type Preset, withInputsForSecrets } from '../connection/launch';
import {
  type ConfigContext,
  type ConfigServer,
  fillEntry,
  readConfigFile,
  withEnvFile,
  workspaceOf,
} from './config-file';
import { leftOut, readHostEntries } from './host-entries';
import { type HostPlace, hostPlaces, type Machine } from './host-places';
import { HOSTS, type Host } from './hosts';
import type { KeptServer } from './kept-servers';
import { CONFIG_BYTES, formatOf, odditiesOf, type ParsedConfig, parseConfig } from './parse-config';
import { type Additions, presetOfServer } from './server-preset';
import { missingFile, tapOf } from './tap-words';

/** The facts of this machine and process that decide which configs are read. */
export interface DiscoveryContext extends Machine {
  /** Folder in which mcp-inspect was started. */
  readonly cwd: string;
  /** Our user id; undefined on Windows. */
  readonly uid: number | undefined;
}

/** A server in the config of a host. */
export interface FoundServer {
  readonly host: Host;
  readonly path: string;
  /** Names in the config that lead to the servers. */
  readonly key: readonly string[];
  /** As written, in the form that most hosts use. It may start a tap. */
  readonly entry: ConfigEntry;
  /** `${workspaceFolder}` */
  readonly workspace: string;
  /** Text of a file of the project, which others may have written. */
  readonly project?: string;
  /** Oddities of its file, which few readers accept. Absent: none. */
  readonly oddities?: readonly ConfigOddity[];
  /** Set for a kept server, which no config names. */
  readonly kept?: Pick<KeptServer, 'policy' | 'protocol'>;
}

/** Servers in the configs of hosts on this machine. */
export interface FoundServers {
  /** In the order of {@link HOSTS}. Of one host, those that it prefers first. */
  readonly servers: readonly FoundServer[];
  readonly skipped: readonly SkippedConfig[];
}

/** Found servers, ready to be listed and chosen. */
export interface DiscoveredServers {
  /** Their values are looked up only once they are chosen: see `complete`. */
  readonly presets: readonly Preset[];
  readonly skipped: readonly SkippedConfig[];
}

/** Returns the context of this process. */
export function ownContext(): DiscoveryContext {
  return {
    platform: process.platform,
    home: homedir(),
    cwd: process.cwd(),
    environment: process.env,
    uid: process.getuid?.(),
  };
}

/** Returns presets of the servers in the configs of the hosts on this machine. Starts nothing, never rejects. */
export async function discoverServers(context: DiscoveryContext): Promise<DiscoveredServers> {
  return listed(await findServers(context), context);
}

/** Returns presets of found servers, without their values. */
export function listed({ servers, skipped }: FoundServers, context: DiscoveryContext): DiscoveredServers {
  return { presets: servers.map((found) => listedPreset(found, context)), skipped };
}

/** Reads the configs of the hosts on this machine. Starts nothing, never rejects. */
export async function findServers(context: DiscoveryContext, hosts = HOSTS): Promise<FoundServers> {
  const folders = repositoryFolders(context.cwd);
  const reader = new ConfigReader(context.uid);
  const servers: FoundServer[] = [];
  const skipped = new Map<string, SkippedConfig>();
  for (const host of hosts) {
    for (const file of host.files) {
      for (const place of await hostPlaces(file, context, folders)) {
        // In the home folder, the project's file is the user's own.
        const isProject = file.project && place.folder !== context.home;
        const read = await reader.read(place, host, isProject ? folders.at(-1) : undefined);
        const { path } = place;
        for (const entry of read.entries) {
          const workspace = place.folder ?? folders.at(-1)!;
          const project = isProject ? read.text : undefined;
          const started = startedIn(entry, place);
          servers.push({ host, path, key: place.key, entry: started, workspace, project, ...odd(read) });
        }
        if (read.wrong !== undefined && !skipped.has(path)) {
          skipped.set(path, { host: host.id, path, reason: reasonOf(read.wrong, read.isBroken && host) });
        }
      }
    }
  }
  return { servers, skipped: [...skipped.values()] };
}

/** Reads the servers of a config that a person named, in the form of this host. Never rejects. */
export async function findServersIn(path: string, host: Host, context: DiscoveryContext): Promise<FoundServers> {
  const folders = repositoryFolders(context.cwd);
  const reader = new ConfigReader(undefined);
  const servers: FoundServer[] = [];
  const wrongs = new Set<string>();
  const places = (await Promise.all(host.files.map((file) => hostPlaces(file, context, folders)))).flat();
  const workspace = workspaceOf(path);
  for (const { key } of places) {
    const read = await reader.read({ path, key }, host);
    const { entries, wrong, isBroken } = read;
    servers.push(...entries.map((entry) => ({ host, path, key, entry, workspace, ...odd(read) })));
    if (wrong !== undefined) wrongs.add(reasonOf(wrong, isBroken && host));
  }
  return { servers, skipped: [...wrongs].map((reason) => ({ host: host.id, path, reason })) };
}

/** Says why a config was not read, and which host can’t read it either. */
function reasonOf(wrong: string, refusing: Host | undefined): string {
  return refusing ? `${wrong} ${refusing.title || 'Hosts'} can’t read it either.` : wrong;
}

function odd({ oddities = [] }: ReadPlace): Pick<FoundServer, 'oddities'> {
  return oddities.length > 0 ? { oddities } : {};
}

/** Returns the id of a found server, which stays the same as long as its config and its name do. */
export function idOfFound({ host, path, entry }: Pick<FoundServer, 'host' | 'path' | 'entry'>): string {
  const identity = JSON.stringify([host.id, path, entry.name]);
  return `found-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`;
}

/** Returns the preset of a server that was chosen, with its values. */
export async function presetOfFound(
  found: FoundServer,
  context: ConfigContext,
  protocol: ProtocolChoice,
): Promise<Preset> {
  return presetOfFilled(found, await withEnvFile(fillFound(found, context)), protocol);
}

/** Returns a found server with its placeholders filled. */
export function fillFound({ entry, path, workspace }: FoundServer, context: ConfigContext): ConfigServer {
  return fillEntry(entry, path, { ...context, workspace });
}

/** Returns the preset of a found server whose placeholders are filled. */
export function presetOfFilled(
  { host, path, entry, kept }: FoundServer,
  filled: ConfigServer,
  protocol: ProtocolChoice,
  own?: Additions,
): Preset {
  const tap = tapOf(entry);
  if (kept) {
    const from = { ...kept, ...(protocol !== 'auto' && { protocol }), host: host.id, source: path } as const;
    return withInputsForSecrets(presetOfServer(filled, { ...from, id: 'command-line', origin: 'command-line' }, own));
  }
  const id = idOfFound({ host, path, entry });
  const missing = tap && missingFile(tap);
  const preset = presetOfServer(filled, { id, origin: 'found', host: host.id, source: path, protocol }, own);
  const shown = { ...preset.shown, ...(tap && { tap: missing === undefined ? {} : { missing } }) };
  return withInputsForSecrets({ ...preset, shown });
}

/** Returns a preset without values, which are looked up once it is chosen. */
function listedPreset(found: FoundServer, { cwd, environment }: DiscoveryContext): Preset {
  // A project’s config may have been written by somebody else.
  const withheld = found.project !== undefined && { withheld: MODEL_KEY_VARIABLES };
  const context = { cwd, environment, inputs: new Map(), ...withheld };
  const { shown } = presetOfFilled(found, fillFound(found, context), 'auto');
  return { shown, env: {}, complete: (inputs) => presetOfFound(found, { ...context, inputs }, 'auto') };
}

/** Returns the servers of one config, as {@link discoverServers} does; none if it can’t be used. Never rejects. */
export async function presetsOfFile(path: string, context: DiscoveryContext): Promise<readonly Preset[]> {
  const { cwd, environment, uid } = context;
  const read = await readConfigFile(path, { uid });
  if ('wrong' in read) return [];
  return read.entries.map((entry) => {
    const fill = (inputs: ConfigContext['inputs']) => fillEntry(entry, path, { cwd, environment, inputs });
    const make = (filled: ConfigServer): Preset =>
      withInputsForSecrets(presetOfServer(filled, { id: '', origin: 'config', source: path, protocol: 'auto' }));
    const { shown } = make(fill(new Map()));
    return { shown, env: {}, complete: async (inputs) => make(await withEnvFile(fill(inputs))) };
  });
}

/** Starts the server of a project in the project’s folder, as its host does. */
function startedIn(entry: ConfigEntry, { folder }: HostPlace): ConfigEntry {
  const { target } = entry;
  if (folder === undefined || target.transport !== 'stdio') return entry;
  const { cwd = '.' } = target;
  const stays = isAbsolute(cwd) || /^~|^\$\{/.test(cwd);
  const started: Target = { ...target, cwd: stays ? cwd : join(folder, cwd) };
  return { ...entry, target: started };
}

/** A config that was read once. */
interface LoadedConfig extends NamedFile {
  readonly config?: ParsedConfig;
  readonly oddities?: readonly ConfigOddity[];
}

/** The servers under a key of a config. */
interface ReadPlace {
  readonly entries: readonly ConfigEntry[];
  readonly text?: string | undefined;
  readonly oddities?: readonly ConfigOddity[] | undefined;
  readonly wrong?: string;
  /** Its syntax is wrong. */
  readonly isBroken?: true | undefined;
}

/** Reads each file once, and the servers under each key of it once, even if several hosts use it. */
class ConfigReader {
  readonly #uid: number | undefined;
  readonly #files = new Map<string, Promise<LoadedConfig>>();
  readonly #seen = new Set<string>();

  constructor(uid: number | undefined) {
    this.#uid = uid;
  }

  async read({ path, key, name }: HostPlace, { convert }: Host, within?: string): Promise<ReadPlace> {
    const file = this.#files.get(path) ?? this.#load(path, within);
    this.#files.set(path, file);
    const { config, path: real, text, wrong, oddities } = await file;
    const seen = JSON.stringify([real, key]);
    if (this.#seen.has(seen)) return { entries: [] };
    this.#seen.add(seen);
    if (wrong !== undefined) return { entries: [], wrong };
    if (!config) return { entries: [] };
    if ('wrong' in config) return { entries: [], ...config };
    const read = readHostEntries(config.value, key, convert, name);
    if (!read) return { entries: [] };
    if ('wrong' in read) return { entries: [], wrong: read.wrong };
    const { entries, count } = read;
    return { entries, text, oddities, ...(count > entries.length && { wrong: leftOut(count) }) };
  }

  async #load(path: string, within: string | undefined): Promise<LoadedConfig> {
    const format = formatOf(path);
    const file = await readNamedFile(path, { most: CONFIG_BYTES[format], uid: this.#uid, within });
    // A program may have created its settings without writing anything yet.
    if (file.text === undefined || file.text.trim() === '') return file;
    const config = await parseConfig(file.text, format);
    return { ...file, config, ...(format === 'json' && { oddities: odditiesOf(file, config) }) };
  }
}
