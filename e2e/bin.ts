import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { findFirefox } from '../scripts/browser.mjs';
import { prepareFirefox } from './firefox/context';

/** How a process ended: its exit code, or the signal that ended it. */
type Ended = number | NodeJS.Signals;

/** A running mcp-inspect. */
export interface RunningBin {
  readonly pid: number;
  /** The launch link from stdout. It works once, for one minute. */
  readonly link: string;
  /** Everything printed so far. */
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

interface StartOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

interface Fixtures {
  /** True, or false in a test that is skipped because it needs Firefox and there is none. */
  browserFound: boolean;
  /** Starts the packed bin on a free port, without a browser. The fixture stops it after the test. */
  start(args: readonly string[], options?: StartOptions): Promise<RunningBin>;
  /** Starts the bin and opens the page by its launch link. */
  open(args: readonly string[], options?: StartOptions): Promise<{ bin: RunningBin; page: Page }>;
}

/** Returns the folder of the installed package under test. */
export function packageFolder(): string {
  const folder = process.env.MCP_INSPECT_E2E;
  if (!folder) throw new Error('The global setup in e2e/pack.ts has not run.');
  return folder;
}

/** Returns the demo server's command line. Extra words help to find the process. */
export function demoCommand(...words: string[]): string[] {
  return [process.execPath, join(packageFolder(), 'examples/demo-server/server.mjs'), ...words];
}

/** Returns the command line of a server that misbehaves in the named way. */
export function hostileCommand(...words: string[]): string[] {
  return [process.execPath, join(import.meta.dirname, '../proxy/connection/fixtures/hostile-server.mjs'), ...words];
}

/** Runs the packed bin until it exits. */
export async function runBin(args: readonly string[], options: StartOptions = {}) {
  const { child, output } = spawnBin(args, options);
  const ended = await whenEnded(child);
  return { ended, stdout: output.stdout, stderr: output.stderr };
}

/** Runs the packed bin, presses Ctrl-C once its stdout matches, and waits until it exits. */
export async function runBinUntil(args: readonly string[], printed: RegExp) {
  const { child, output } = spawnBin(args, {});
  const ended = whenEnded(child);
  while (!printed.test(output.stdout)) {
    const gone = await Promise.race([once(child.stdout, 'data').then(() => false), ended.then(() => true)]);
    if (gone) break;
  }
  child.kill('SIGINT');
  return { ended: await ended, stdout: output.stdout, stderr: output.stderr };
}

export const test = base.extend<Fixtures>({
  // Before `context`, which starts the browser.
  browserFound: [
    async ({ browserName }, use, { skip }) => {
      const found = browserName !== 'firefox' || findFirefox() !== undefined;
      skip(!found, 'needs Firefox: install firefox-esr, or set FIREFOX_PATH');
      await use(found);
    },
    { auto: true },
  ],

  context: async ({ context, browserName }, use) => {
    const reports = browserName === 'firefox' ? await prepareFirefox(context) : [];
    await use(context);
    expect(reports, 'reports in the console').toEqual([]);
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  start: async ({}, use) => {
    const running: { child: ChildProcessWithoutNullStreams; ended: Promise<Ended> }[] = [];
    await use(async (args, options = {}) => {
      const port = args.includes('--port') || args.includes('--default-port') ? [] : ['--port', '0'];
      const rest = args.filter((arg) => arg !== '--default-port');
      const { child, output } = spawnBin(['--no-open', ...port, ...rest], options);
      const ended = whenEnded(child);
      running.push({ child, ended });
      const gone = ended.then((how) => {
        throw new Error(`mcp-inspect ended with ${how} before it was ready: ${output.stderr}`);
      });
      const link = await Promise.race([findLink(child, output), gone]);
      gone.catch(() => {});
      return {
        pid: child.pid!,
        link,
        stdout: () => output.stdout,
        stderr: () => output.stderr,
        ended,
        kill: (signal) => void child.kill(signal),
      };
    });
    for (const { child } of running) child.kill('SIGTERM');
    await Promise.all(running.map(({ ended }) => ended));
  },

  open: async ({ start, page }, use) => {
    await use(async (args, options) => {
      const bin = await start(args, options);
      await page.goto(bin.link);
      return { bin, page };
    });
  },
});

function spawnBin(args: readonly string[], options: StartOptions) {
  // Tests must not add recordings to the developer's data folder.
  return spawnBinIn(test.info().outputPath('home'), args, options);
}

/** Starts the packed bin with this data folder. */
export function spawnBinIn(home: string, args: readonly string[], { env, cwd }: StartOptions = {}) {
  const child = spawn(process.execPath, [join(packageFolder(), 'dist/cli.js'), ...args], {
    cwd,
    env: { ...process.env, MCP_INSPECT_HOME: home, ...env },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return { child, output };
}

export async function whenEnded(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [code, signal] = await once(child, 'close');
  return code ?? signal;
}

/** Resolves with the launch link that a starting bin prints. */
export async function findLink(child: ChildProcessWithoutNullStreams, output: { stdout: string }): Promise<string> {
  for (;;) {
    const link = /^https?:\S+#launch=\S+$/m.exec(output.stdout);
    if (link) return link[0];
    await once(child.stdout, 'data');
  }
}

/** Says whether a running process has this word in its command line. Linux only: reads /proc. Ignores zombies. */
export function hasProcess(word: string): boolean {
  return readdirSync('/proc').some((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false;
    }
  });
}

/** Says whether a process with this pid is running. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export { expect };
