import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** A bundled `push`, and a data folder. */
export interface TestPush {
  readonly folder: string;
  readonly home: string;
  start(words: readonly string[], env: NodeJS.ProcessEnv, command?: string): ChildProcess;
  /** Resolves with the exit code and all output. `command`: another one than `push`. */
  run(
    words: readonly string[],
    env: NodeJS.ProcessEnv,
    command?: string,
  ): Promise<{ readonly code: number | null; readonly said: string }>;
  /** Names of the files in the outbox, without its secret. */
  outbox(): readonly string[];
  remove(): void;
}

export async function testPush(): Promise<TestPush> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-push-'));
  const home = join(folder, 'home');
  await build({
    entryPoints: { cli: join(import.meta.dirname, 'fixtures/command-cli.ts') },
    ...{ outdir: folder, bundle: true, splitting: true, format: 'esm', platform: 'node' },
    define: { MCP_INSPECT_VERSION: '"0.0.0-test"' },
    banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const start = (words: readonly string[], env: NodeJS.ProcessEnv, command = 'push'): ChildProcess =>
    spawn(process.execPath, [join(folder, 'cli.js'), command, ...words], {
      ...{ cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
      env: { PATH: process.env.PATH, HOME: folder, MCP_INSPECT_HOME: home, ...env },
    });
  return {
    ...{ folder, home, start },
    async run(words, env, command) {
      const child = start(words, env, command);
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk));
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, said };
    },
    outbox() {
      try {
        return readdirSync(join(home, 'outbox')).filter((name) => name !== 'secret.json');
      } catch {
        return [];
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
