import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { EXIT, printFailure } from '@/proxy/cli/exit-code';
import { parseCommandLine } from '@/proxy/cli/grammar';
import { styledText } from '@/proxy/cli/output';
import { COMMANDS } from '@/proxy/commands/registry';
import { testBundle } from '@/proxy/files/test-bundle';

/** How a command ended, and all of its output. */
interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** A bundled `recordings push`, and a data folder. */
export interface TestPush {
  readonly folder: string;
  readonly home: string;
  /** Starts a process. `command`: another one. */
  start(words: readonly string[], env: NodeJS.ProcessEnv, command?: string): ChildProcess;
  /** Runs a process to its end. */
  runProcess(words: readonly string[], env: NodeJS.ProcessEnv, command?: string): Promise<Ended>;
  /** Does the same in this process, which takes less time with small recordings. One at a time. */
  run(words: readonly string[], env: NodeJS.ProcessEnv, command?: string): Promise<Ended>;
  /** Names of the files in the outbox, without its secret. */
  outbox(): readonly string[];
  remove(): void;
}

export async function testPush(): Promise<TestPush> {
  const programs = await testBundle('commands', { cli: join(import.meta.dirname, 'fixtures/command-cli.ts') });
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-push-'));
  const home = join(folder, 'home');
  const start = (words: readonly string[], env: NodeJS.ProcessEnv, command = 'recordings push'): ChildProcess =>
    spawn(process.execPath, [join(programs, 'cli.js'), ...command.split(' '), ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: folder, MCP_INSPECT_HOME: home, ...env },
    });
  return {
    folder,
    home,
    start,
    async runProcess(words, env, command) {
      const child = start(words, env, command);
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk));
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, said };
    },
    async run(words, env, command = 'recordings push') {
      for (const [name, value] of Object.entries({ ...env, MCP_INSPECT_HOME: home })) vi.stubEnv(name, value);
      let said = '';
      const print = (text: string): void => {
        said += `${text}\n`;
      };
      const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
        print(String(text));
        return true;
      });
      try {
        const line = parseCommandLine([...command.split(' '), ...words], COMMANDS);
        if (line.kind !== 'run') throw new Error(line.kind);
        const { run } = await line.command.load();
        const printLines = (lines: Parameters<typeof styledText>[0]) => print(styledText(lines, false));
        const context = { version: '0.0.0-test', home: '', printText: print, printLines, printNote: print };
        const code = await run({ request: line.request, ...context, status: { show: () => {}, end: () => {} } }).catch(
          (error: unknown) => printFailure(error, () => EXIT.noConnection),
        );
        return { code, said };
      } finally {
        stderr.mockRestore();
        vi.unstubAllEnvs();
      }
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
