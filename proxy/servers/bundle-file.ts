import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseBounded } from '@/lib/json/parse';
import { configOfManifest } from '@/lib/wire/bundle-manifest';
import { UnpackError, unpackArchive, unpackZip } from '@/proxy/files/unpack-zip';
import { readNamedFile } from '@/proxy/files/user-files';

/** Most bytes of a manifest, which may list every tool. */
const MANIFEST_BYTES = 1024 * 1024;

/** A bundle's server as a config. `wrong` is a sentence about "it". */
export type ReadBundle = { readonly value: unknown } | { readonly wrong: string };

/** The manifest of a bundle, and the folder with its files. `wrong` is a sentence about "it". */
export type UnpackedBundle = { readonly manifest: unknown; readonly folder: string } | { readonly wrong: string };

/** Unpacks the MCP bundle in a file, or of these bytes. Starts nothing. */
export async function unpackBundle(bundle: string | Uint8Array): Promise<UnpackedBundle> {
  try {
    const folder = await (typeof bundle === 'string' ? unpackZip(bundle) : unpackArchive(bundle));
    const { text, wrong } = await readNamedFile(join(folder, 'manifest.json'), { most: MANIFEST_BYTES });
    if (text === undefined) return { wrong: `Its manifest.json can’t be read. ${wrong ?? 'It is missing.'}` };
    return { manifest: parsed(text), folder };
  } catch (error) {
    if (error instanceof UnpackError) return { wrong: error.message };
    throw error;
  }
}

/** Reads the server of an MCP bundle as a config. */
export async function readBundle(bundle: string | Uint8Array): Promise<ReadBundle> {
  const unpacked = await unpackBundle(bundle);
  if ('wrong' in unpacked) return unpacked;
  const home = homedir();
  const folders = Object.fromEntries(
    [['HOME'], ['DESKTOP', 'Desktop'], ['DOCUMENTS', 'Documents'], ['DOWNLOADS', 'Downloads']].map(
      ([name, ...below]) => [name, join(home, ...below)],
    ),
  );
  const made = configOfManifest(unpacked.manifest, { folder: unpacked.folder, platform: process.platform, folders });
  return typeof made === 'string' ? { wrong: made } : { value: made };
}

function parsed(text: string): unknown {
  try {
    return parseBounded(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
