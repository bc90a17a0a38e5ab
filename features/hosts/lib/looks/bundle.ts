import type { DirectoryFile, FilePlace } from '@/features/host-judge';
import type { OutlinePath } from '@/lib/json/outline-path';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { quote } from '@/lib/problems/rule';
import type { FileLook } from '../fact';
import { itemsIn, MOST_ITEMS, missingMembers, objectOrNone, placeAt, textIn } from './files';

// manifest.json of an MCP bundle, as its schemas 0.1 to 0.4 have it.

const inBundle = (find: (value: JsonObject, file: DirectoryFile) => readonly FilePlace[]): FileLook => ({
  kind: 'bundle',
  find: (file) => find(file.value, file),
});

/** Looks for members that every manifest needs. */
export const requiredInManifest = inBundle((value) => [
  ...(own(value, 'dxt_version') === undefined ? missingMembers(value, ['manifest_version']) : []),
  ...missingMembers(value, ['name', 'version', 'description', 'author.name', 'server.type', 'server.entry_point']),
  // The host knows how to start uv.
  ...(textIn(objectOrNone(value, 'server'), 'type') === 'uv'
    ? []
    : missingMembers(value, ['server.mcp_config.command'])),
]);

/** Members of manifests of the versions that are known. Later ones may have more. */
const MEMBERS: ReadonlySet<string> = new Set(
  `$schema dxt_version manifest_version name display_name version description long_description author repository homepage
  documentation support icon icons screenshots localization server tools tools_generated prompts prompts_generated
  keywords license privacy_policies compatibility user_config _meta`.split(/\s+/),
);
const SERVER_MEMBERS: ReadonlySet<string> = new Set(['type', 'entry_point', 'mcp_config']);
const OPTION_MEMBERS: ReadonlySet<string> = new Set(
  'type title description required default multiple sensitive min max'.split(' '),
);
const KNOWN_VERSION = /^0\.[1-4]$/;
/** Characters of a name in a path. */
const KEY_CHARS = 100;

/** Returns the options of `user_config` with their paths. */
function optionsIn(value: JsonObject): readonly (readonly [path: OutlinePath, option: JsonObject])[] {
  return Object.entries(objectOrNone(value, 'user_config'))
    .slice(0, MOST_ITEMS)
    .map(([key, option]) => [['user_config', key.slice(0, KEY_CHARS)], isObject(option) ? option : {}]);
}

/** Looks for members that no known version of the manifest has. */
export const knownMembers = inBundle((value) => {
  if (!KNOWN_VERSION.test(textIn(value, 'manifest_version') || textIn(value, 'dxt_version'))) return [];
  const unknownIn = (object: JsonObject, known: ReadonlySet<string>, path: OutlinePath): readonly FilePlace[] =>
    Object.keys(object)
      .filter((key) => !known.has(key))
      .slice(0, MOST_ITEMS)
      .map((key) => placeAt([...path, key.slice(0, KEY_CHARS)], `The manifest has no member ${quote(key)} there.`));
  return [
    ...unknownIn(value, MEMBERS, []),
    ...unknownIn(objectOrNone(value, 'server'), SERVER_MEMBERS, ['server']),
    ...optionsIn(value).flatMap(([path, option]) => unknownIn(option, OPTION_MEMBERS, path)),
  ];
});

/** Looks for a version that is not semantic. */
export const semanticVersion = inBundle((value) => {
  const version = textIn(value, 'version');
  return version === '' || /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/.test(version)
    ? []
    : [placeAt(['version'], `The version is ${quote(version)}.`)];
});

/** Looks for addresses of privacy policies. */
export const privacyPolicies = inBundle((value) => {
  const list = own(value, 'privacy_policies');
  if (!Array.isArray(list) || list.length === 0) return [placeAt(['privacy_policies'], 'No privacy policy is named.')];
  return list.flatMap((one, at) =>
    typeof one === 'string' && /^https:\/\/[^/]/i.test(one)
      ? []
      : [placeAt(['privacy_policies', at], 'The policy is not at an https address.')],
  );
});

const OPTION_TYPES: readonly string[] = ['string', 'number', 'boolean', 'directory', 'file'];

/** Looks for options without a known type, a title or a description. */
export const describedOptions = inBundle((value) =>
  optionsIn(value).flatMap(([path, option]) => {
    const missing = ['title', 'description'].filter((name) => textIn(option, name) === '');
    return [
      ...(OPTION_TYPES.includes(textIn(option, 'type'))
        ? []
        : [placeAt([...path, 'type'], 'The type is missing or unknown.')]),
      ...missing.map((name) => placeAt([...path, name], `\`${name}\` is missing.`)),
    ];
  }),
);

const IN_FOLDER = /^\$\{__dirname\}[\\/]/;
const SCRIPT = /\.(?:[cm]?[jt]s|py|rb|php|jar|sh)$/i;

/** Looks for the program and the scripts that the manifest starts, and the bundle does not have. */
export const startedFiles = inBundle((value, { start }) => {
  const server = objectOrNone(value, 'server');
  const config = objectOrNone(server, 'mcp_config');
  const overrides = Object.entries(objectOrNone(config, 'platform_overrides')).slice(0, MOST_ITEMS);
  const at: OutlinePath = ['server', 'mcp_config'];
  const runs = [
    [at, config] as const,
    ...overrides.flatMap(([name, run]) => (isObject(run) ? [[[...at, 'platform_overrides', name], run] as const] : [])),
  ];
  const named = [
    [['server', 'entry_point'], textIn(server, 'entry_point')] as const,
    ...runs.flatMap(([path, run]) => {
      const [command, args] = [textIn(run, 'command'), own(run, 'args')];
      const scripts = (Array.isArray(args) ? args : []).flatMap((arg, index) =>
        typeof arg === 'string' && SCRIPT.test(arg) ? [[[...path, 'args', index], arg] as const] : [],
      );
      return [[[...path, 'command'], command] as const, ...scripts].filter(([, word]) => IN_FOLDER.test(word));
    }),
  ];
  return named.flatMap(([path, word]) => {
    const name = word.replace(IN_FOLDER, '').replaceAll('\\', '/').replace(/^\.\//, '');
    // Windows adds the ending of a program.
    const isThere = name === '' || name.includes('${') || [name, `${name}.exe`].some((one) => start(one) !== undefined);
    return isThere ? [] : [placeAt(path, `The bundle has no file ${quote(name)}.`)];
  });
});

const PNG = '\x89PNG\r\n\x1a\n';

/** Looks for icons that are not PNG files of the bundle. */
export const bundledIcons = inBundle((value, { start }) => {
  const icons = [
    ...(own(value, 'icon') === undefined ? [] : [[['icon'], textIn(value, 'icon')] as const]),
    ...itemsIn(value, 'icons').map(([at, icon]) => [['icons', at, 'src'], textIn(icon, 'src')] as const),
  ];
  return icons.flatMap(([path, src]) => {
    const bytes = /^[a-z][a-z\d+.-]*:|^[\\/]|\$\{/i.test(src) ? undefined : start(src.replace(/^\.\//, ''));
    if (bytes === undefined) return [placeAt(path, `${quote(src)} is not a file of the bundle.`)];
    return bytes.startsWith(PNG) ? [] : [placeAt(path, `${quote(src)} is not a PNG file.`)];
  });
});
