import { FEWEST_FOR_QUANTILES } from '@/lib/wire/spread';
import type { Counted, RecordingSummary, ToolSummary } from './recording-summary';
import { bucketOf, TimeBuckets } from './time-buckets';

/** Makes the counts of calls that took these milliseconds, and of others that failed without an answer. */
export function counted(ms: readonly number[], { errors = 0, unanswered = 0 } = {}): Counted {
  const times = new TimeBuckets();
  for (const each of ms) times.add(bucketOf(each * 1000));
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
  return {
    calls: ms.length + unanswered,
    errors: errors + unanswered,
    ...(ms.length > 0 && { p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) }),
    ...(ms.length > 0 && ms.length < FEWEST_FOR_QUANTILES && { singlesMs: ms }),
    ...(ms.length > 0 && { times: times.times }),
  };
}

export function tool(name: string, ms: readonly number[], options?: Parameters<typeof counted>[1]): ToolSummary {
  return { name, ...counted(ms, options), ...(ms.length > 0 && { slowest: 7 }) };
}

/** Makes a summary that differs from a plain one in these members. */
export function summaryWith(members: Partial<RecordingSummary>): RecordingSummary {
  const tools = members.tools ?? [];
  return {
    summary: 1,
    id: 'one',
    sha256: 'a'.repeat(64),
    bytes: 1000,
    at: '2026-01-31T12:00:00.000Z',
    durationMs: 1000,
    frames: 10,
    by: 'mcp-inspect/1.0.0',
    mode: 'tap',
    complete: true,
    server: { name: 'node server.js', info: 'lighthouse', version: '1.0.0', transport: 'stdio' },
    requests: tools.reduce((all, { calls, errors }) => ({ calls: all.calls + calls, errors: all.errors + errors }), {
      calls: 0,
      errors: 0,
    }),
    tools,
    failures: [],
    problems: [],
    tags: [],
    ...members,
  };
}
