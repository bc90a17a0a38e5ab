import { expect, vi } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import { freePort, listens } from '@/proxy/connection/fixtures/ports';
import { climbKillLadder } from '../process/kill-ladder';
import { spawnServer } from '../process/spawn';
import type { Trip } from './test-trips';

/** A trip’s server, for any number of connections. */
export interface Served {
  readonly target: Target;
  close(): Promise<void>;
}

/** Returns the target of the server. One over HTTP is started first. */
export async function serve({ words, path }: Trip, folder: string): Promise<Served> {
  const env = { MEMORY_FILE_PATH: `${folder}/memory.json` };
  const command = process.execPath;
  if (path === undefined) {
    const target: Target = { transport: 'stdio', command, args: [...words(0, folder)], env };
    return { target, close: async () => {} };
  }
  const port = await freePort();
  const { tree, child } = await spawnServer(
    { command, args: [...words(port, folder)], cwd: folder, env: { ...process.env, ...env, PORT: String(port) } },
    () => {},
  );
  child.stdout.resume();
  child.stderr.resume();
  await vi.waitFor(async () => expect(await listens(port, 'localhost')).toBe(true), { timeout: 30_000 });
  return {
    target: { transport: 'auto', url: `http://localhost:${port}${path}` },
    close: async () => void (await climbKillLadder({ tree, endStdin: () => {} }, 'SIGTERM', systemClock, () => {})),
  };
}
