import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';

declare const ROOT: string;
const { findBrowser } = (await import(`${ROOT}/scripts/browser.mjs`)) as { findBrowser: () => string };

const LOOK_MS = 50;

/** Runs in the page: collects tasks longer than 50 ms, from the start of the page. */
const WATCH = `
  window.benchTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.benchTasks.push([startTime, duration]);
  }).observe({ type: 'longtask', buffered: true });`;

interface Process {
  readonly type: string;
  readonly id: number;
}

/**
 * A page in Chromium, controlled without Playwright. Playwright receives every byte of every socket message, which
 * takes several times as long as the page itself.
 */
export class BarePage {
  readonly #browser: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve(result: never): void; reject(error: Error): void }>();
  #session: string | undefined;
  #id = 0;

  private constructor(browser: ChildProcess, profile: string, socket: WebSocket) {
    this.#browser = browser;
    this.#profile = profile;
    this.#socket = socket;
    socket.on('message', (data) => {
      const { id, result, error } = JSON.parse(data.toString());
      if (error) this.#waiting.get(id)?.reject(new Error(error.message));
      else this.#waiting.get(id)?.resolve(result as never);
      this.#waiting.delete(id);
    });
  }

  static async open(width: number, height: number): Promise<BarePage> {
    const profile = mkdtempSync(join(tmpdir(), 'mcp-inspect-bench-'));
    const flags = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--no-first-run'];
    if (process.getuid?.() === 0) flags.push('--no-sandbox');
    const browser = spawn(findBrowser(), flags, { stdio: ['ignore', 'ignore', 'pipe'] });
    const socket = new WebSocket(await endpointOf(browser), { perMessageDeflate: false });
    await once(socket, 'open');
    const page = new BarePage(browser, profile, socket);
    const { targetId } = await page.#ask<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
      width,
      height,
      newWindow: true,
    });
    const attached = await page.#ask<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    page.#session = attached.sessionId;
    await page.#ask('Page.enable');
    await page.#ask('Page.addScriptToEvaluateOnNewDocument', { source: WATCH });
    return page;
  }

  async goto(url: string): Promise<void> {
    await this.#ask('Page.navigate', { url });
  }

  async evaluate<T>(expression: string): Promise<T> {
    const { result } = await this.#ask<{ result: { value: T } }>('Runtime.evaluate', {
      expression,
      returnByValue: true,
    });
    return result.value;
  }

  /** Resolves once the expression is true. Checks every 50 ms. */
  async until(expression: string): Promise<void> {
    while (!(await this.evaluate<boolean>(expression).catch(() => false))) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Milliseconds since the start of the page. */
  now(): Promise<number> {
    return this.evaluate('performance.now()');
  }

  /** Milliseconds of the longest task that began after `since`; 0 if none took more than 50 ms. */
  async longestTask(since: number): Promise<number> {
    // The observer reports a task after its end.
    await new Promise((resolve) => setTimeout(resolve, 2 * LOOK_MS));
    return this.evaluate(
      `Math.max(0, ...window.benchTasks.filter(([at]) => at >= ${since}).map(([, duration]) => duration))`,
    );
  }

  /** CPU seconds of the page's process, all threads. */
  async cpu(): Promise<number> {
    return cpuOf(await this.#renderer());
  }

  /** MiB after a garbage collection: the heap with its buffers, and the resident memory of the tab's process. */
  async memory(): Promise<{ readonly heap: number; readonly resident: number }> {
    await this.#ask('HeapProfiler.enable');
    await this.#ask('HeapProfiler.collectGarbage');
    const usage = await this.#ask<{
      usedSize: number;
      embedderHeapUsedSize?: number;
      backingStorageSize?: number;
    }>('Runtime.getHeapUsage');
    const bytes = usage.usedSize + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0);
    const status = readFileSync(`/proc/${await this.#renderer()}/status`, 'utf8');
    return { heap: bytes / 1024 ** 2, resident: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024 };
  }

  async close(): Promise<void> {
    const gone = once(this.#browser, 'exit');
    this.#socket.close();
    this.#browser.kill('SIGKILL');
    await gone;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10 });
  }

  /** The pid of the page's renderer: the one that has used the most CPU. */
  async #renderer(): Promise<number> {
    const { processInfo } = await this.#ask<{ processInfo: readonly Process[] }>(
      'SystemInfo.getProcessInfo',
      {},
      false,
    );
    const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    return renderers.sort((a, b) => cpuOf(b) - cpuOf(a))[0]!;
  }

  #ask<T>(method: string, params: object = {}, inPage = true): Promise<T> {
    const id = ++this.#id;
    const sessionId = inPage ? this.#session : undefined;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  }
}

/** CPU seconds of a process (Linux only). */
export function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // User and kernel time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function endpointOf(browser: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of browser.stderr!) {
    output += chunk;
    const endpoint = /ws:\/\/\S+/.exec(output)?.[0];
    if (!endpoint) continue;
    browser.stderr!.resume();
    return endpoint;
  }
  throw new Error(`Chromium exited before it printed its address: ${output}`);
}
