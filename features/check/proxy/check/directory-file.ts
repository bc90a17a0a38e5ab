import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DirectoryFile } from '@/features/host-judge';
import { isObject } from '@/lib/json/value';
import type { ForHosts } from '@/proxy/commands/shared/for-hosts';
import { isWithin } from '@/proxy/files/repository-folders';
import { readNamedFile, readStartNow } from '@/proxy/files/user-files';
import { isBundle, parseConfig } from '@/proxy/servers/parse-config';

/** Most bytes of a server.json. Real ones have a few thousand. */
const SERVER_BYTES = 1024 * 1024;
/** Bytes of a file in a bundle that tell its type. */
const START_BYTES = 16;

/** True for the name of a bundle, or of a server.json. Directories alone may be asked about any JSON. */
export function isDirectoryFile(path: string, hosts: Pick<ForHosts, 'areDirectories'> | undefined): boolean {
  const isNamed = isBundle(path) || /^(?:[\w.-]+[.-])?server\.json$/i.test(basename(path));
  return isNamed || (hosts?.areDirectories === true && /\.json$/i.test(path));
}

/** Reads a file that describes a server. Starts nothing. `wrong` is a sentence about "it". */
export async function readDirectoryFile(path: string): Promise<DirectoryFile | { readonly wrong: string }> {
  if (isBundle(path)) {
    const unpacked = await (await import('@/proxy/servers/bundle-file')).unpackBundle(path);
    if ('wrong' in unpacked) return unpacked;
    const { manifest, folder } = unpacked;
    if (!isObject(manifest)) return { wrong: 'Its manifest.json is not a JSON object.' };
    return { kind: 'bundle', value: manifest, start: (name) => startOf(folder, name) };
  }
  const { text, wrong } = await readNamedFile(path, { most: SERVER_BYTES });
  if (text === undefined) return { wrong: wrong ?? 'It does not exist.' };
  const parsed = await parseConfig(text, 'json');
  if ('wrong' in parsed) return { wrong: parsed.wrong };
  if (parsed.isRelaxed || text.startsWith('\uFEFF'))
    return { wrong: 'It is not plain JSON. Remove comments, trailing commas and the byte order mark.' };
  if (!isObject(parsed.value)) return { wrong: 'It is not a JSON object.' };
  return { kind: 'server.json', value: parsed.value, start: () => undefined };
}

/** Names come from the manifest, and may lead out of the folder. */
function startOf(folder: string, name: string): string | undefined {
  const path = join(folder, name.replaceAll('\0', ''));
  if (path === folder || !isWithin(folder, path)) return undefined;
  return existsSync(path) ? readStartNow(path, START_BYTES) : undefined;
}
