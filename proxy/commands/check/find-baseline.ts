import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Baseline, readBaseline } from '@/lib/check/baseline';
import { isS3Url } from '@/proxy/bucket/s3-address';
import { usageError } from '@/proxy/cli/exit-code';
import { type GivenOptions, lastValue } from '@/proxy/cli/grammar';
import { readNamedFile } from '@/proxy/files/named-files';
import { readBucketOptions } from '../shared/bucket-options';
import { FLEET_FILES } from './fleet-rows';

/** Bytes of the largest baseline. A finding takes a few hundred. */
const BASELINE_BYTES = 16 * 1024 * 1024;

/** Reads `--baseline`: a file, the folder of a fleet, or either in a bucket. Throws an ExitError or a StoreError. */
export async function findBaseline(given: GivenOptions, version: string): Promise<Baseline | undefined> {
  const place = lastValue(given, 'baseline');
  if (place === undefined) return undefined;
  if (isS3Url(place)) return baselineIn(await objectText(place, given, version), place);
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(place, FLEET_FILES.json) : place;
  const { text, wrong } = await readNamedFile(resolve(file), { most: BASELINE_BYTES });
  if (text === undefined && wrong === undefined) {
    throw usageError(`\`${file}\` was not found. Check the path after \`--baseline\`.`);
  }
  if (text === undefined) throw usageError(`\`${file}\` can’t be used as a baseline. ${wrong}`);
  return baselineIn(text, file);
}

/** Reads an object of a bucket, or `fleet.json` below a prefix. Rejects with a StoreError. */
async function objectText(url: string, given: GivenOptions, version: string): Promise<string> {
  const [, place, name = FLEET_FILES.json] = /^(s3:\/\/[^/]*.*?)(?:\/([^/]+\.json))?\/*$/i.exec(url)!;
  const { openStore } = await import('@/proxy/bucket/open-store');
  const { store } = await openStore(place!, { version, env: process.env, ...readBucketOptions(given) });
  try {
    return Buffer.from(await store.read(name, { most: BASELINE_BYTES })).toString();
  } finally {
    store.close();
  }
}

function baselineIn(text: string, file: string): Baseline {
  const baseline = readBaseline(text.replace(/^\ufeff/, ''));
  if (typeof baseline !== 'string') return baseline;
  throw usageError(
    `\`${file}\` can’t be used as a baseline: ${baseline}. Write one with \`mcp-inspect check … --json > FILE\`.`,
  );
}
