import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { decodeLine } from '@/lib/recording/decode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { LIMITS } from '@/lib/wire/limits';
import { runningSha256 } from './sha256';

/**
 * Whether the last line of a plain recording vouches for other bytes than those before it: lines were changed, damaged or lost. Of a longer
 * one than `LIMITS.pageDigestBytes` it is not looked; false as well for what says nothing, or can't be read.
 */
export async function isChangedFile(path: string): Promise<boolean> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      if ((await file.stat()).size > LIMITS.pageDigestBytes) return false;
      const bytes = await file.readFile();
      const from = bytes.lastIndexOf(LINE_FEED, -2) + 1;
      const last = decodeLine(bytes.subarray(from, -1), RECORDING_VERSION);
      if (last.is !== 'end' || last.sha256 === undefined) return false;
      const digest = runningSha256();
      digest.update(bytes.subarray(0, from));
      return digest.hex() !== last.sha256;
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

const LINE_FEED = 10;
