import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { TEST_HEADER } from '@/lib/recording/test-header';

/** A bundled `push`, and a data folder. */
export interface TestPush {
  readonly folder: string;
  readonly home: string;
  start(words: readonly string[], env: NodeJS.ProcessEnv): ChildProcess;
  /** Resolves with the exit code and all output. */
  run(
    words: readonly string[],
    env: NodeJS.ProcessEnv,
  ): Promise<{ readonly code: number | null; readonly said: string }>;
  /** Names of the files in the outbox, without its secret. */
  outbox(): readonly string[];
  remove(): void;
}

export async function testPush(): Promise<TestPush> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-push-'));
  const home = join(folder, 'home');
  await build({
    entryPoints: { push: join(import.meta.dirname, 'fixtures/push-cli.ts') },
    ...{ outdir: folder, bundle: true, splitting: true, format: 'esm', platform: 'node' },
    define: { MCP_INSPECT_VERSION: '"0.0.0-test"' },
    banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const start = (words: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
    spawn(process.execPath, [join(folder, 'push.js'), ...words], {
      ...{ cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
      env: { PATH: process.env.PATH, HOME: folder, MCP_INSPECT_HOME: home, ...env },
    });
  return {
    ...{ folder, home, start },
    async run(words, env) {
      const child = start(words, env);
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

/** Writes a recording with `frames` messages of about `bytes` bytes each, and a text in the first. */
export function writeRecording(path: string, frames: number, bytes: number, text = 'hello'): void {
  const words = 'the server reads a file and tells what is in it. '.repeat(Math.ceil(bytes / 49)).slice(0, bytes);
  const lines = Array.from({ length: frames }, (_, index) => {
    const result = index === 0 ? { text } : { text: `${index} ${words}` };
    const message = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: index, result }));
    return encodeFrame(index + 1, {
      ...{ time: index, channel: 'protocol', direction: 'to-client', flags: 0, bytes: message },
    });
  });
  const end = encodeHeaderOrEnd({ k: 'end', t: frames, frames });
  writeFileSync(path, Buffer.concat([encodeHeaderOrEnd(TEST_HEADER), ...lines, end]));
}
