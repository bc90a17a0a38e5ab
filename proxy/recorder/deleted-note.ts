import type { RecordingsDeleted } from '@/lib/wire/api';
import { isObject, own } from '@/lib/wire/message';
import { readBeside, removeBeside, writeBeside } from './beside-recordings';
import { isKept } from './keep-settings';

/** What was deleted by age and size since somebody last saw it. Never throws. */
export function readDeleted(folder: string): RecordingsDeleted | undefined {
  const noted = readBeside(folder, 'deleted.json');
  if (!isObject(noted)) return undefined;
  const [at, old, large, bytes, keep] = ['at', 'old', 'large', 'bytes', 'keep'].map((key) => own(noted, key));
  const sound = typeof at === 'string' && !Number.isNaN(Date.parse(at)) && isCount(old) && isCount(large);
  return sound && isCount(bytes) && isKept(keep) ? { at, old, large, bytes, keep } : undefined;
}

/** Adds to it. Never throws: what can't be noted is gone all the same. */
export function noteDeleted(folder: string, more: RecordingsDeleted): void {
  const before = readDeleted(folder) ?? { old: 0, large: 0, bytes: 0 };
  const [old, large, bytes] = [before.old + more.old, before.large + more.large, before.bytes + more.bytes];
  try {
    writeBeside(folder, 'deleted.json', { ...more, old, large, bytes } satisfies RecordingsDeleted);
  } catch {
    // A full disk, say.
  }
}

/** Somebody saw it. Throws the system's error. */
export function forgetDeleted(folder: string): void {
  removeBeside(folder, 'deleted.json');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
