import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Writes a report, readable for its owner alone, since it has what a server answered: over the one of the last run if there is one,
 * and through no link. Rejects with the system's error.
 */
export async function writeReport(path: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0), 0o600);
  try {
    // That of an earlier version.
    await file.chmod(0o600);
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
