import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LIMITS } from '@/lib/wire/limits';

/** What is written under a name for the time being, and the locks, in the folder of recordings and beside it: we named them. */
const IN_FOLDER = /^[0-9a-f]{16}\.part$|\.mcpr\.(?:jsonl|gz)\.lock$/;
const BESIDE = /^(?:settings|deleted)\.json\.[0-9a-f]{8}$/;

/** Deletes what processes left that were killed: nobody lists it, and nobody works on it for so long. Never throws. */
export function tidyLeftovers(folder: string, now: number): void {
  tidy(folder, IN_FOLDER, now);
  tidy(dirname(folder), BESIDE, now);
}

function tidy(folder: string, ours: RegExp, now: number): void {
  try {
    for (const name of readdirSync(folder).filter((each) => ours.test(each))) {
      const facts = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (facts?.isFile() && now - facts.mtimeMs > LIMITS.leftoverMs) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // There is no such folder, or nothing may be deleted there.
  }
}
