import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from '@playwright/test';
import { quantile } from './inspected';

/** Load of a page's main thread during a measurement, in milliseconds. */
export interface Load {
  /** Time from one animation frame to the next. */
  readonly frameP50: number;
  readonly frameP95: number;
  /** The longest task; 0 if none took more than 50 ms. */
  readonly longestTask: number;
  /** CPU time of the main thread. */
  readonly cpu: number;
}

interface Recorded {
  frames: number[];
  tasks: number[];
  /** Each newest row in view, and when it appeared (Unix time in ms). */
  shown: [seq: number, at: number][];
}

declare global {
  interface Window {
    benchProbe: { start(): void; stop(): Recorded };
  }
}

/** Runs in the page before its own code. */
function install(): void {
  let recorded: Recorded = { frames: [], tasks: [], shown: [] };
  const note = (entries: PerformanceEntryList) => {
    for (const { duration } of entries) recorded.tasks.push(duration);
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'longtask' });
  let running = false;
  let last = 0;
  const tick = () => {
    if (!running) return;
    const now = performance.now();
    recorded.frames.push(now - last);
    last = now;
    const rows = document.querySelectorAll('[role=grid] [id^="frame-"]');
    const seq = Number(rows[rows.length - 1]?.id.slice('frame-'.length) ?? 0);
    if (seq !== recorded.shown.at(-1)?.[0]) recorded.shown.push([seq, performance.timeOrigin + now]);
    requestAnimationFrame(tick);
  };
  window.benchProbe = {
    start() {
      note(observer.takeRecords());
      recorded = { frames: [], tasks: [], shown: [] };
      last = performance.now();
      running = true;
      requestAnimationFrame(tick);
    },
    stop() {
      running = false;
      note(observer.takeRecords());
      return recorded;
    },
  };
}

/** Measures the main thread and the memory of one page. */
export class PageProbe {
  readonly #page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  /** Creates a probe. Call it before the page navigates. */
  static async on(page: Page): Promise<PageProbe> {
    await page.addInitScript(install);
    const session = await page.context().newCDPSession(page);
    // CPU time of the thread, not elapsed time.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new PageProbe(page, session);
  }

  /** Returns the load of the page while `run` ran, and the result of `run`. */
  async during<T>(run: () => Promise<T>): Promise<Load & { readonly value: T; readonly shown: Recorded['shown'] }> {
    await this.#page.evaluate(() => window.benchProbe.start());
    const before = await this.#cpuMs();
    const value = await run();
    // The observer reports a task after its end.
    await this.#page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 60)));
    const cpu = (await this.#cpuMs()) - before;
    const { frames, tasks, shown } = await this.#page.evaluate(() => window.benchProbe.stop());
    return {
      frameP50: frames.length > 0 ? quantile(frames, 0.5) : 0,
      frameP95: frames.length > 0 ? quantile(frames, 0.95) : 0,
      longestTask: Math.max(0, ...tasks),
      cpu,
      value,
      shown,
    };
  }

  /** MiB after a garbage collection: the heap with its buffers, and the resident memory of the tab's process. */
  async memory(): Promise<{ readonly heap: number; readonly resident: number }> {
    await this.#session.send('HeapProfiler.enable');
    await this.#session.send('HeapProfiler.collectGarbage');
    const usage = (await this.#session.send('Runtime.getHeapUsage')) as {
      usedSize: number;
      embedderHeapUsedSize?: number;
      backingStorageSize?: number;
    };
    const bytes = usage.usedSize + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0);
    return { heap: bytes / 1024 / 1024, resident: (await this.#residentKiB()) / 1024 };
  }

  async #cpuMs(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  }

  /** Resident memory of the largest renderer, since the browser has one page. 0 without /proc. */
  async #residentKiB(): Promise<number> {
    const browser = this.#page.context().browser();
    const session = await browser!.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentKiBOf(id));
    return Math.max(0, ...sizes);
  }
}

function residentKiBOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Scrolls the message table from the first row to the last and back, one step per animation frame. */
export function scrollThrough(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const grid = document.querySelector('[role=grid]')!;
        const steps = 300;
        let step = 0;
        const move = () => {
          grid.scrollTop = (grid.scrollHeight * (steps - Math.abs(steps - step))) / steps;
          if (step++ < 2 * steps) requestAnimationFrame(move);
          else resolve();
        };
        grid.scrollTop = 0;
        requestAnimationFrame(move);
      }),
  );
}
