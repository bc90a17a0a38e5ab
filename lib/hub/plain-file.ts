import { isHar } from '@/lib/reading/recording-bytes';
import { isGzip } from '@/lib/recording/plain-bytes';
import type { RandomAccess } from '@/lib/recording/random-access';
import { LIMITS } from '@/lib/wire/limits';

/** Of a file, to tell what it is. */
const BEGINNING_BYTES = 512;

/** The file that `parts` opens, if it is a plain recording, perhaps; else it is closed again. Rejects as `parts` does. */
export async function plainFile(parts: (() => Promise<RandomAccess>) | undefined): Promise<RandomAccess | undefined> {
  const file = await parts?.();
  if (!file) return undefined;
  if (file.size <= LIMITS.recordingBytes) {
    const beginning = await file.read(0, Math.min(file.size, BEGINNING_BYTES));
    if (!isGzip(beginning) && !isHar(beginning)) return file;
  }
  await file.close();
  return undefined;
}
