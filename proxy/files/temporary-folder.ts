import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit';

/**
 * Runs `work` with a new folder that only this user can read, and deletes the folder afterwards, also if the process
 * exits meanwhile.
 */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-inspect-'));
  const callOff = atExit(() => rmSync(folder, { recursive: true, force: true }));
  try {
    return await work(folder);
  } finally {
    callOff();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes a new folder that only this user can read. It is deleted when the process exits. */
export async function folderUntilExit(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-inspect-'));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
