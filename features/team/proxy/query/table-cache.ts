import { createHash } from 'node:crypto';
import { readdir, realpath, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FRAME_TABLES, type RowOf, TABLES_VERSION } from '@/features/team/lib/tables/columns';
import { makeFolder, removeFolder } from '@/proxy/files/data-folder';
import { deleteIfThere, renameFile } from '@/proxy/files/existing-files';
import { writeReport } from '@/proxy/files/private-files';
import { readNamedFile } from '@/proxy/files/user-files';
import { type BuiltTables, tablePath } from './build-tables';

/** Most bytes of tables that are kept. Those that were used least recently are deleted first. */
export const CACHE_BYTES = 4 * 1024 * 1024 * 1024;
/** Bytes of the facts of a recording. */
const FACTS_BYTES = 64 * 1024;
/** Folders that are being built end in this. Older ones were left by a process that was killed. */
const PART = '.part';
const PART_MS = 24 * 60 * 60_000;
/** Attempts to put tables in their place, where other processes put the same ones. */
const KEEP_ATTEMPTS = 5;

/** The tables of a recording on disk. */
export interface CachedTables extends BuiltTables {
  readonly folder: string;
}

/** Facts of a file, after whose change its tables are built again. */
export interface FileFacts {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

/** Tables that were built once. Below the folder of data of mcp-inspect, readable only by its owner. */
export class TableCache {
  readonly #folder: string;
  readonly #most: number;

  /** `recordings`: the folder of recordings. */
  constructor(recordings: string, most = CACHE_BYTES) {
    this.#folder = join(dirname(recordings), 'tables', `v${TABLES_VERSION}`);
    this.#most = most;
  }

  /** Returns a file's tables; undefined if they were not built, or the file has changed. */
  async find(facts: FileFacts): Promise<CachedTables | undefined> {
    const folder = this.#folderOf(facts);
    const { text } = await readNamedFile(join(folder, 'facts.json'), { most: FACTS_BYTES });
    if (text === undefined) return undefined;
    try {
      const { file, row, lacks } = JSON.parse(text) as {
        file: FileFacts;
        row: RowOf<'recordings'>;
        lacks?: string;
      };
      if (JSON.stringify(file) !== JSON.stringify(facts)) return undefined;
      await Promise.all(FRAME_TABLES.map((table) => stat(tablePath(folder, table))));
      // The time of change of the folder is that of its last use.
      await utimes(folder, new Date(), new Date());
      return { folder, row, ...(lacks !== undefined && { lacks }) };
    } catch {
      return undefined;
    }
  }

  /** Makes a folder for tables that are built now. Throws the system's error. */
  begin(number: number): string {
    const folder = join(this.#folder, `${process.pid}-${number}${PART}`);
    removeFolder(folder);
    makeFolder(folder);
    return folder;
  }

  /**
   * Keeps the tables that were built of a file, or returns those that another process has built of it meanwhile.
   * `file`: what {@link fileFacts} returned before they were built. Rejects with the system's error.
   */
  async keep(part: string, file: FileFacts, { row, lacks }: BuiltTables): Promise<CachedTables> {
    const folder = this.#folderOf(file);
    await writeReport(join(part, 'facts.json'), JSON.stringify({ file, row, lacks }));
    for (let attempt = 1; ; attempt++) {
      const others = await this.find(file);
      if (others) return others;
      removeFolder(folder);
      try {
        await renameFile(part, folder);
        return { folder, row, ...(lacks !== undefined && { lacks }) };
      } catch (error) {
        // Another process was faster.
        if (attempt === KEEP_ATTEMPTS) throw error;
      }
    }
  }

  /** Deletes a folder of {@link begin}, if it was not kept. */
  forget(part: string): void {
    removeFolder(part);
  }

  /** Deletes the tables that were used least recently, except `used`, until the others fit. */
  async trim(used: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const kept: { folder: string; usedAt: number; bytes: number }[] = [];
    for (const name of names) {
      const folder = join(this.#folder, name);
      const facts = await stat(folder).catch(() => undefined);
      // Another process has renamed or deleted it.
      if (!facts) continue;
      const usedAt = facts.mtimeMs;
      if (name.endsWith(PART)) {
        if (Date.now() - usedAt > PART_MS) removeFolder(folder);
      } else kept.push({ folder, usedAt, bytes: await sizeOf(folder) });
    }
    let total = 0;
    for (const { folder, bytes } of kept.sort((one, other) => other.usedAt - one.usedAt)) {
      total += bytes;
      if (total <= this.#most || used.has(folder)) continue;
      await deleteIfThere(join(folder, 'facts.json'));
      removeFolder(folder);
    }
  }

  #folderOf({ path }: FileFacts): string {
    return join(this.#folder, createHash('sha256').update(path).digest('hex').slice(0, 32));
  }
}

/** Returns what is noted of a file. Rejects with the system's error. */
export async function fileFacts(path: string): Promise<FileFacts> {
  const real = await realpath(path);
  const { size, mtimeMs, ino } = await stat(real);
  return { path: real, bytes: size, mtimeMs, ino };
}

/** Returns what is noted of an object that is named by the digest of its bytes, and so never changes. */
export function remoteFacts(digest: string): FileFacts {
  return { path: `sha256:${digest}`, bytes: 0, mtimeMs: 0, ino: 0 };
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const table of FRAME_TABLES) bytes += (await stat(tablePath(folder, table)).catch(() => undefined))?.size ?? 0;
  return bytes;
}
