import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import type { MadeConfig } from './registry-server';

// manifest.json of an MCP bundle (.mcpb): a server with its files, and what its user has to fill in.

/** Facts of this machine that a manifest names. */
export interface BundlePlace {
  /** The folder with the files of the bundle. */
  readonly folder: string;
  /** As in `process.platform`. */
  readonly platform: string;
  /** The user's folders by name: `HOME`, `DESKTOP`. */
  readonly folders: Readonly<Record<string, string>>;
}

/** Makes a config with the one server of a bundle. Returns a sentence if the manifest describes none. */
export function configOfManifest(manifest: unknown, place: BundlePlace): MadeConfig | string {
  if (!isObject(manifest)) return 'Its manifest.json is not a JSON object.';
  const server = own(manifest, 'server');
  const name = own(manifest, 'name');
  if (!isObject(server) || typeof name !== 'string') return 'Its manifest.json has no name or no server.';
  const run = runOf(server, place);
  if (run === undefined) return 'Its manifest.json has no server.mcp_config with a command.';
  const config = own(manifest, 'user_config');
  const asked = new Map(Object.entries(isObject(config) ? config : {}).filter(isAskable));
  const used = new Set<string>();
  const fill = (text: string): string => filled(text, place, asked, used);
  const args = (Array.isArray(run.args) ? run.args : []).map(textOrJson).map(fill);
  const env = isObject(run.env) ? Object.entries(run.env) : [];
  const entry = {
    command: fill(run.command),
    // An optional value that nobody gave leaves nothing behind.
    args: args.filter((arg) => arg !== ''),
    env: Object.fromEntries(
      env.map(([key, value]) => [key, fill(textOrJson(value))]).filter(([, value]) => value !== ''),
    ),
    cwd: place.folder,
  };
  const inputs = [...asked].filter(([key]) => used.has(key)).map(([key, about]) => inputOf(key, about, place));
  return { mcpServers: { [name]: entry }, inputs };
}

interface Run {
  readonly command: string;
  readonly args: unknown;
  readonly env: unknown;
}

function runOf(server: JsonObject, { platform, folder }: BundlePlace): Run | undefined {
  const general = own(server, 'mcp_config');
  const entry = own(server, 'entry_point');
  if (!isObject(general)) {
    // Only bundles for uv may leave it out.
    const isUv = own(server, 'type') === 'uv' && typeof entry === 'string';
    return isUv ? { command: 'uv', args: ['run', '--directory', folder, entry], env: {} } : undefined;
  }
  const overrides = own(general, 'platform_overrides');
  const special = isObject(overrides) ? own(overrides, platform) : undefined;
  const run = { ...general, ...(isObject(special) && special) };
  const command = own(run, 'command');
  const [general_, special_] = [own(general, 'env'), isObject(special) ? own(special, 'env') : undefined];
  const env = { ...(isObject(general_) && general_), ...(isObject(special_) && special_) };
  return typeof command === 'string' && command !== '' ? { command, args: own(run, 'args'), env } : undefined;
}

function isAskable(entry: [string, unknown]): entry is [string, JsonObject] {
  return isObject(entry[1]) && /^[\w.-]{1,100}$/.test(entry[0]);
}

const PLACEHOLDER = /\$\{([^{}$]+)\}/g;

/** Replaces `${__dirname}`, `${user_config.key}` and the user's folders. Other placeholders stay. */
function filled(
  text: string,
  { folder, folders }: BundlePlace,
  asked: ReadonlyMap<string, JsonObject>,
  used: Set<string>,
): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    if (name === '__dirname') return folder;
    const key = name.startsWith('user_config.') ? name.slice('user_config.'.length) : undefined;
    if (key === undefined) return Object.hasOwn(folders, name) ? folders[name]! : whole;
    if (!asked.has(key)) return '';
    used.add(key);
    return `\${input:${key}}`;
  });
}

/** Returns the default as text, a line for each of several, with the user's folders filled in. */
function presetOf(about: JsonObject, { folder, folders }: BundlePlace): string | undefined {
  const preset = own(about, 'default');
  const all: readonly unknown[] = Array.isArray(preset) ? preset : [preset];
  const given = (own(about, 'multiple') === true ? all : all.slice(0, 1)).filter(
    (one) => one !== undefined && one !== null,
  );
  const fill = (text: string): string =>
    text.replace(PLACEHOLDER, (whole, name: string) => {
      if (name === '__dirname') return folder;
      return Object.hasOwn(folders, name) ? folders[name]! : whole;
    });
  return given.length === 0 ? undefined : given.map((one) => fill(textOrJson(one))).join('\n');
}

function inputOf(key: string, about: JsonObject, place: BundlePlace): JsonObject {
  const [title, description] = [own(about, 'title'), own(about, 'description')];
  const preset = presetOf(about, place);
  const isChoice = own(about, 'type') === 'boolean';
  return {
    id: key,
    type: isChoice ? 'pickString' : 'promptString',
    ...(typeof title === 'string' && { title }),
    description: typeof description === 'string' ? description : '',
    ...(preset !== undefined && { default: preset }),
    ...(isChoice && { options: ['true', 'false'] }),
    ...(own(about, 'sensitive') === true && { password: true }),
    ...(own(about, 'required') !== true && preset === undefined && { optional: true }),
    ...(own(about, 'multiple') === true && { several: true }),
  };
}
