import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readKey } from './keys';
import type { TestBucket } from './test-bucket';

/** How long the store may take to write what it has accepted, in ms. */
const SETTLES_MS = 10_000;

/** Resolves with the objects in a bucket: key, and bytes. */
export async function objectsIn({ folder }: TestBucket): Promise<ReadonlyMap<string, Buffer>> {
  const end = '._S3rver_object';
  const found = new Map<string, Buffer>();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end));
  for (const name of names) {
    const path = join(folder, name);
    // This store answers, and shows an object, before it is on disk. S3 does not.
    for (let waited = 0; ; waited += 20) {
      const bytes = readFileSync(path);
      const md5 = existsSync(`${path}.md5`) ? readFileSync(`${path}.md5`, 'utf8') : '';
      if (createHash('md5').update(bytes).digest('hex') === md5 || waited >= SETTLES_MS) {
        found.set(name.slice(0, -end.length), bytes);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return found;
}

/** Rejects unless everything that is visible below a prefix is whole, and each summary has its recording. */
export async function requireWhole(
  bucket: TestBucket,
  prefix: string,
): Promise<{ recordings: number; summaries: number }> {
  const found = { recordings: 0, summaries: 0 };
  const objects = [...(await objectsIn(bucket))].filter(([key]) => key.startsWith(`${prefix}/`));
  for (const [key, bytes] of objects) {
    const { sha256 } = readKey(key.slice(prefix.length + 1))!;
    if (key.endsWith('.jsonl')) {
      found.recordings++;
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error(`${key} has other bytes`);
    } else {
      found.summaries++;
      if (JSON.parse(bytes.toString()).sha256 !== sha256) throw new Error(`${key} is of another recording`);
      if (!objects.some(([other]) => other.endsWith(`${sha256}.mcpr.jsonl`))) throw new Error(`${key} came first`);
    }
  }
  return found;
}
