import type { Price, Usage } from './chat-frame';

/** Sums of several requests. A field is missing while no provider has counted it. */
export interface UsageTotals extends Usage {
  /** In the currency of the price; missing while no request had a price. */
  readonly cost?: number;
}

const FIELDS = ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens'] as const;
const TOKENS_OF_A_PRICE = 1_000_000;

/** Adds one request's tokens and cost to totals. */
export function addUsage(totals: UsageTotals, usage: Usage, cost: number | undefined): UsageTotals {
  const sum: { -readonly [K in keyof UsageTotals]: UsageTotals[K] } = { ...totals };
  for (const field of FIELDS) {
    if (usage[field] !== undefined) sum[field] = (sum[field] ?? 0) + usage[field];
  }
  if (cost !== undefined) sum.cost = (sum.cost ?? 0) + cost;
  return sum;
}

/** Returns the cost of a request; undefined without a price. Cached tokens are part of the input tokens. */
export function costOf(usage: Usage, price: Price | undefined): number | undefined {
  if (price === undefined) return undefined;
  const { inputTokens = 0, outputTokens = 0, cachedTokens = 0 } = usage;
  const cached = Math.min(cachedTokens, inputTokens);
  const sum =
    (inputTokens - cached) * price.input + cached * (price.cached ?? price.input) + outputTokens * price.output;
  return sum / TOKENS_OF_A_PRICE;
}
