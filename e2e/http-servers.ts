import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { freePort, listens } from '../proxy/connection/fixtures/ports';
import { expect } from './bin';
import { HTTP_CATALOG } from './servers/catalog.mjs';
import { test as base } from './shared-bin';

/** A running server of the catalogue. */
export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** Kills the server and waits until it has exited. */
  kill(): Promise<void>;
}

interface Fixtures {
  /** Starts a server of the catalogue on the given or a free port. The fixture stops it after the test. */
  serve(name: string, port?: number): Promise<HttpServer>;
}

/** True if `npm ci` was run in e2e/servers. */
export const serversInstalled = HTTP_CATALOG.every(({ file }) => existsSync(file));

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  serve: async ({}, use) => {
    const running: ChildProcess[] = [];
    await use(async (name, given) => {
      const entry = HTTP_CATALOG.find((server) => server.name === name)!;
      const port = given ?? (await freePort());
      const child = spawn(process.execPath, [entry.file, ...entry.args(port)], {
        env: { ...process.env, PORT: String(port) },
        stdio: 'ignore',
      });
      running.push(child);
      await expect.poll(() => listens(port, 'localhost'), { timeout: 30_000 }).toBe(true);
      return { url: `http://localhost:${port}${entry.path}`, port, kill: () => end(child) };
    });
    await Promise.all(running.map(end));
  },
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
