import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';

/**
 * Writes a file that must not be there yet, not even as a link, for its owner alone. What can't be written to its end is taken
 * away again. Rejects with the system's error, or that of `chunks`. Returns how many bytes it has.
 */
export async function writeNewFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
  try {
    let length = 0;
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      length += chunk.length;
    }
    return length;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
