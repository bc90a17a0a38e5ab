import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RecordingsKept } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';
import { makeFolder } from './recordings-folder';

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT: RecordingsKept = { days: LIMITS.recordingsKeptMs / DAY_MS, bytes: LIMITS.recordingsKeptBytes };

/** How long and how much is kept, as it was chosen; what is not said, or makes no sense, is as always. Never throws. */
export function readKept(folder: string): RecordingsKept {
  try {
    const text: unknown = JSON.parse(readFileSync(fileFor(folder), 'utf8'));
    const keep = isObject(text) ? own(text, 'keep') : undefined;
    return isKept(keep) ? keep : DEFAULT;
  } catch {
    return DEFAULT;
  }
}

/** True for what can be kept by: whole days and bytes, within bounds. */
export function isKept(value: unknown): value is RecordingsKept {
  if (!isObject(value)) return false;
  const within = (number: unknown, most: number) =>
    Number.isSafeInteger(number) && (number as number) >= 1 && (number as number) <= most;
  return within(own(value, 'days'), LIMITS.keepDaysMost) && within(own(value, 'bytes'), LIMITS.keepBytesMost);
}

/** Keeps what was chosen, beside the folder of recordings, for its owner alone. Throws the system's error. */
export function writeKept(folder: string, { days, bytes }: RecordingsKept): void {
  makeFolder(folder);
  const file = fileFor(folder);
  const part = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(part, `${JSON.stringify({ keep: { days, bytes } })}\n`, { flag: 'wx', mode: 0o600 });
    chmodSync(part, 0o600);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function fileFor(folder: string): string {
  return join(dirname(folder), 'settings.json');
}
