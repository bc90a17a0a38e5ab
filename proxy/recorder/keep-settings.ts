import type { RecordingsKept } from '@/lib/wire/api';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';
import { readBeside, writeBeside } from './beside-recordings';

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT: RecordingsKept = { days: LIMITS.recordingsKeptMs / DAY_MS, bytes: LIMITS.recordingsKeptBytes };

/** How long and how much is kept, as it was chosen; what is not said, or makes no sense, is as always. Never throws. */
export function readKept(folder: string): RecordingsKept {
  const settings = readBeside(folder, 'settings.json');
  const keep = isObject(settings) ? own(settings, 'keep') : undefined;
  return isKept(keep) ? keep : DEFAULT;
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
  writeBeside(folder, 'settings.json', { keep: { days, bytes } });
}
