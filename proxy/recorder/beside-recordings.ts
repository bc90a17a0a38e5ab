import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './recordings-folder';

/** What is kept beside the folder of recordings. */
type Beside = 'settings.json' | 'deleted.json' | 'calls.json' | 'eras.json';

/** The JSON in a file there; undefined if there is none, or none that can be read. */
export function readBeside(folder: string, name: Beside): unknown {
  try {
    return JSON.parse(readFileSync(join(dirname(folder), name), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Puts JSON in a file there, for its owner alone, as a whole or not at all. Throws the system's error. */
export function writeBeside(folder: string, name: Beside, content: object): void {
  makeFolder(folder);
  const file = join(dirname(folder), name);
  const part = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(part, `${JSON.stringify(content)}\n`, { flag: 'wx', mode: 0o600 });
    chmodSync(part, 0o600);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Takes a file there away, if there is one. Throws the system's error. */
export function removeBeside(folder: string, name: Beside): void {
  rmSync(join(dirname(folder), name), { force: true });
}
