import type { FilePlace } from '@/features/host-judge';
import type { OutlinePath } from '@/lib/json/outline-path';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { quote } from '@/lib/problems/rule';
import { maskedUrl } from '@/lib/transports/masking';
import { isLoopbackName } from '@/lib/wire/url';
import type { FileLook } from '../fact';
import { itemsIn, missingMembers, objectOrNone, placeAt, textIn } from './files';

// server.json of the MCP registry, as its schema of 2025-12-11 and its validator have it.

const inFile = (find: (value: JsonObject) => readonly FilePlace[]): FileLook => ({
  kind: 'server.json',
  find: ({ value }) => find(value),
});

/** Quotes a URL without passwords and keys: reports go to build logs. */
const quotedUrl = (url: string): string => quote(maskedUrl(url));

type Wrong = readonly [path: OutlinePath, words: string];

/** Looks at each package. `find` returns paths in it. */
function inPackages(find: (item: JsonObject) => readonly Wrong[]): FileLook {
  return inFile((value) =>
    itemsIn(value, 'packages').flatMap(([at, item]) =>
      find(item).map(([path, words]) => placeAt(['packages', at, ...path], words)),
    ),
  );
}

/** Looks for members that every server.json needs. */
export const requiredInServerJson = inFile((value) =>
  missingMembers(value, ['$schema', 'name', 'description', 'version']),
);

const NAME = /^[a-z\d](?:[a-z\d.-]*[a-z\d])?\/[a-z\d](?:[a-z\d._-]*[a-z\d])?$/i;
const NAME_CHARS = { least: 3, most: 200 };

/** Looks for a name that is not `namespace/name`. */
export const namespacedName = inFile((value) => {
  const name = textIn(value, 'name');
  const fits = name.length >= NAME_CHARS.least && name.length <= NAME_CHARS.most && NAME.test(name);
  return name === '' || fits ? [] : [placeAt(['name'], `The name is ${quote(name)}.`)];
});

/** Looks for text with more characters. */
export function textUpTo(name: string, most: number): FileLook {
  return inFile((value) => {
    const text = textIn(value, name);
    const chars = text.length > 2 * most ? text.length : Array.from(text).length;
    return chars > most ? [placeAt([name], `\`${name}\` has ${chars} characters.`)] : [];
  });
}

/** A range of versions, as the registry tells it from a version. */
const RANGE =
  /^(?:[\^~=<>]=?|>=|<=)\s*v?\d|^v?\d[\w.-]*\s(?:-|\|\|)\s*v?\d|\|\||^(?:v?\d+|[x*])(?:\.(?:\d+|[x*])){0,1}\.[x*]$/i;
const VERSION_CHARS = 255;

const versionWords = (version: string): string | undefined => {
  if (version === 'latest') return 'The version is `latest`.';
  if (version.length > VERSION_CHARS) return `The version has ${version.length} characters.`;
  return RANGE.test(version.trim()) ? `${quote(version)} is a range of versions.` : undefined;
};

/** Looks for versions that name no single one: of the server and of its packages. */
export const singleVersions = inFile((value) => {
  const all = [
    [['version'], textIn(value, 'version')] as const,
    ...itemsIn(value, 'packages').map(([at, item]) => [['packages', at, 'version'], textIn(item, 'version')] as const),
  ];
  return all.flatMap(([path, version]) => {
    const words = versionWords(version);
    return words === undefined ? [] : [placeAt(path, words)];
  });
});

/** Looks for packages without a registry, a name or a transport, and for names with spaces. */
export const namedPackages = inPackages((item) => {
  const missing = ['registryType', 'identifier', 'transport'].filter((name) => own(item, name) === undefined);
  const identifier = textIn(item, 'identifier');
  return [
    ...missing.map((name): Wrong => [[name], `\`${name}\` is missing.`]),
    ...(identifier.includes(' ') ? [[['identifier'], `${quote(identifier)} has a space.`] as const] : []),
  ];
});

/** Types of packages that the registry knows. */
const PACKAGE_TYPES = /^(?:npm|pypi|nuget|oci|mcpb|on[-_]?device)$/;

/** Looks for packages of other types. */
export const knownTypes = inPackages((item) => {
  const type = textIn(item, 'registryType');
  return type === '' || PACKAGE_TYPES.test(type) ? [] : [[['registryType'], `The type is ${quote(type)}.`]];
});

/** The registries from which packages are taken, by type. */
const REGISTRIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['npm', ['https://registry.npmjs.org']],
  ['pypi', ['https://pypi.org']],
  ['nuget', ['https://api.nuget.org/v3/index.json', 'https://api.nuget.org']],
]);

/** Looks for packages of other registries. */
export const publicRegistries = inPackages((item) => {
  const base = textIn(item, 'registryBaseUrl');
  const known = REGISTRIES.get(textIn(item, 'registryType'));
  const isOther = base !== '' && known !== undefined && !known.includes(base.replace(/\/$/, ''));
  return isOther ? [[['registryBaseUrl'], `The packages are from ${quotedUrl(base)}.`]] : [];
});

const HASH = /^[a-f\d]{64}$/;
const RELEASES = /^https:\/\/(?:www\.)?(?:github|gitlab)\.com\//;

/** Looks for bundles without a hash, or elsewhere than in releases. */
export const bundles = inPackages((item) => {
  if (textIn(item, 'registryType') !== 'mcpb') return [];
  const address = textIn(item, 'identifier');
  return [
    ...(HASH.test(textIn(item, 'fileSha256')) ? [] : [[['fileSha256'], 'The bundle has no SHA-256 hash.'] as const]),
    ...(RELEASES.test(address) && /mcp/i.test(address)
      ? []
      : [[['identifier'], `The bundle is at ${quotedUrl(address)}.`] as const]),
  ];
});

const URL_TRANSPORTS: readonly string[] = ['streamable-http', 'sse'];

/** Looks for transports of packages that are unknown, or have or lack a URL. */
export const packageTransports = inPackages((item) => {
  const transport = own(item, 'transport');
  if (!isObject(transport)) return [];
  const [type, url] = [textIn(transport, 'type'), textIn(transport, 'url')];
  if (type === 'stdio') return url === '' ? [] : [[['transport', 'url'], 'A process has a URL.']];
  if (!URL_TRANSPORTS.includes(type)) return [[['transport', 'type'], `The transport is ${quote(type)}.`]];
  return /^https?:\/\/[^\s]+$/.test(url) ? [] : [[['transport', 'url'], 'The URL is missing, or not http or https.']];
});

/** Looks for addresses that are not public https URLs of a known transport, or with variables that nobody declared. */
export const publicRemotesInFile = inFile((value) =>
  itemsIn(value, 'remotes').flatMap(([at, remote]) => {
    const [type, url] = [textIn(remote, 'type'), textIn(remote, 'url')];
    const declared = objectOrNone(remote, 'variables');
    const unknown = Array.from(url.matchAll(/\{([^{}]{1,200})\}/g), ([, name]) => name!).find(
      (name) => !Object.hasOwn(declared, name),
    );
    const filled = url.replace(/\{[^{}]{1,200}\}/g, '1');
    const isPublic = URL.canParse(filled) && /^https:/i.test(filled) && !isLoopbackName(new URL(filled).hostname);
    return [
      ...(URL_TRANSPORTS.includes(type) ? [] : [placeAt(['remotes', at, 'type'], `The transport is ${quote(type)}.`)]),
      ...(isPublic ? [] : [placeAt(['remotes', at, 'url'], `${quotedUrl(url)} is not a public https URL.`)]),
      ...(unknown === undefined
        ? []
        : [placeAt(['remotes', at, 'url'], `\`variables\` does not have ${quote(unknown)}.`)]),
    ];
  }),
);

const ICON_CHARS = 255;
const ICON_TYPES: readonly unknown[] = [
  'image/png',
  'image/jpeg',
  'image/jpg',
  'image/svg+xml',
  'image/webp',
  undefined,
];

/** Looks for icons elsewhere than at https URLs, or of other types. */
export const webIcons = inFile((value) =>
  itemsIn(value, 'icons').flatMap(([at, icon]) => {
    const src = textIn(icon, 'src');
    const isFine = /^https:\/\/[^/]/i.test(src) && URL.canParse(src) && src.length <= ICON_CHARS;
    return [
      ...(isFine ? [] : [placeAt(['icons', at, 'src'], `The icon is at ${quotedUrl(src)}.`)]),
      ...(ICON_TYPES.includes(own(icon, 'mimeType'))
        ? []
        : [placeAt(['icons', at, 'mimeType'], `The icon has the type ${quote(textIn(icon, 'mimeType'))}.`)]),
    ];
  }),
);
