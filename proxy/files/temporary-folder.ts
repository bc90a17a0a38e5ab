import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs `work` with a new folder that only this user can read, and deletes the folder afterwards, also if the process
 * exits meanwhile.
 */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-inspect-'));
  const removeNow = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeNow);
  try {
    return await work(folder);
  } finally {
    process.off('exit', removeNow);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes a new folder that only this user can read. It is deleted when the process exits. */
export async function folderUntilExit(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-inspect-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
