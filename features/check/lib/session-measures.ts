import { classifyFrame } from '@/lib/store/classify';
import type { Frame } from '@/lib/wire/frame';
import type { CheckFacts } from './report';

/** Requests whose times count: those that a host waits for. */
const TIMED = /(?:\/list|\/call|\/read|\/get|\/complete)$/;
/** Requests whose results go to a model or a person. */
const SIZED: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);
/** Requests without an answer that are remembered. */
const MOST_OPEN = 10_000;
/** The share of requests that are at least as fast. */
const SHARE = 0.95;

/** Measures how fast requests of a session are answered, and how large the results are. */
export class SessionMeasures {
  readonly #open = new Map<unknown, { readonly method: string; readonly time: number }>();
  readonly #times: number[] = [];
  #largest: number | undefined;

  addFrame(frame: Frame): void {
    if (frame.channel !== 'protocol') return;
    for (const { id, method, kind } of classifyFrame(frame).messages) {
      if (id === undefined) continue;
      if (frame.direction === 'to-server') {
        if (method !== undefined && TIMED.test(method) && this.#open.size < MOST_OPEN)
          this.#open.set(id, { method, time: frame.time });
        continue;
      }
      const request = method === undefined ? this.#open.get(id) : undefined;
      if (!request) continue;
      this.#open.delete(id);
      this.#times.push((frame.time - request.time) / 1000);
      if (kind !== 'response' || !SIZED.has(request.method)) continue;
      this.#largest = Math.max(this.#largest ?? 0, frame.skimOf ?? frame.bytes.length);
    }
  }

  /** Returns what was measured so far. */
  get facts(): Pick<CheckFacts, 'p95Ms' | 'largestResult'> {
    const sorted = this.#times.toSorted((a, b) => a - b);
    const p95 = sorted[Math.ceil(sorted.length * SHARE) - 1];
    return {
      ...(p95 !== undefined && { p95Ms: Math.round(p95 * 10) / 10 }),
      ...(this.#largest !== undefined && { largestResult: this.#largest }),
    };
  }
}
