import type { Clock } from '@/lib/wire/clock';
import { countOf } from '@/lib/wire/format';
import type { LifecycleEvent, TelemetryLoss } from '@/lib/wire/lifecycle';

/** Losses within this time become one event, in ms. A flood of events would be no better than the flood itself. */
const TOGETHER_MS = 1000;

/** Reasons for the log, after the number of exports or items. */
const REASONS: Readonly<Record<CountedLoss, string>> = {
  'too-fast': 'came faster than mcp-inspect accepts them',
  'too-much': 'came after the most telemetry that mcp-inspect keeps of one connection',
  'too-large': 'was larger than mcp-inspect accepts. Set a smaller OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  invalid: 'was not valid OTLP',
};

/** A loss of something that arrived. */
type CountedLoss = Exclude<TelemetryLoss['why'], 'no-receiver'>;

/** Counts what was not logged of one connection's telemetry, and logs the counts. */
export class TelemetryLosses {
  readonly #clock: Clock;
  readonly #logEvent: (event: LifecycleEvent) => void;
  readonly #waiting = new Map<CountedLoss, { requests: number; items: number; detail: string }>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, logEvent: (event: LifecycleEvent) => void) {
    this.#clock = clock;
    this.#logEvent = logEvent;
  }

  /** Counts whole exports, or items of others. `detail`: a sentence on the newest one. */
  add(why: CountedLoss, lost: { readonly requests?: number; readonly items?: number }, detail = ''): void {
    const sum = this.#waiting.get(why) ?? { requests: 0, items: 0, detail };
    sum.requests += lost.requests ?? 0;
    sum.items += lost.items ?? 0;
    sum.detail = detail;
    this.#waiting.set(why, sum);
    this.#cancel ??= this.#clock.after(TOGETHER_MS, () => this.log());
  }

  /** Logs all counts now. */
  log(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const [why, { requests, items, detail }] of this.#waiting) {
      this.#logEvent({
        event: 'telemetry-dropped',
        why,
        reason: sentence(why, requests, items, detail),
        requests,
        items,
      });
    }
    this.#waiting.clear();
  }
}

function sentence(why: CountedLoss, requests: number, items: number, detail: string): string {
  const end = detail === '' ? '' : ` ${detail}`;
  const what = [requests > 0 && countOf(requests, 'export'), items > 0 && countOf(items, 'item')].filter(Boolean);
  return `Telemetry was dropped: ${what.join(' and ')}. It ${REASONS[why]}.${end}`;
}
