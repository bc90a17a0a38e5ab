import type { Log } from '../log';
import { coveredUs, type Interval } from './intervals';
import type { Cause, Span, SpanIndex } from './span-index';

/** Most spans of a call that are laid out. */
const SPANS_LAID_OUT = 10_000;

/** A span in the waterfall of a call. Times are µs since the connection started, by the log's clock. */
export interface PlacedSpan {
  readonly span: Span;
  /** 0 for a span right below the call. */
  readonly depth: number;
  readonly from: number;
  /** Time in which none of its children ran, in µs. */
  readonly selfUs: number;
  readonly by: Cause['by'];
  /** Its parent is known to exist, but did not come. */
  readonly lacksParent: boolean;
}

/** The spans and log records of one call, inside of the server and behind it. */
export interface InsideCall {
  /** The call and the requests that continue it: its rounds and the polls of its task. */
  readonly requests: readonly number[];
  readonly sentAt: number;
  /** undefined while it is in flight. */
  readonly endedAt: number | undefined;
  /** In the order of a tree, siblings by start. */
  readonly spans: readonly PlacedSpan[];
  /** Number of spans that were left out. */
  readonly left: number;
  /** The longest part: a span by its own time, or `outside` if the call spent more time outside of all spans. */
  readonly slowest:
    | { readonly span: Span; readonly us: number }
    | { readonly outside: true; readonly us: number }
    | undefined;
  /** By service: how much its bars are moved, because its clock differs, in µs. */
  readonly moved: ReadonlyMap<string, number>;
  /** Frames of log records. */
  readonly logs: readonly number[];
}

/** A span that waits for its place. */
interface Waiting {
  readonly span: Span;
  readonly depth: number;
  readonly by: Cause['by'];
  /** The span or request above it, in the log's clock. */
  readonly above: Interval;
  /** Process of the span above. */
  readonly of: string | undefined;
  /** µs to add to the times of that process. */
  readonly shift: number;
}

/** OpenTelemetry's kind of a span that answers a request. */
const SERVER = 2;
/** Differences between clocks that are corrected silently, in µs. A log knows its start in ms. */
const SLACK_US = 1000;

/**
 * Lays out the spans of a call. `request` may be any of its rounds. A span can't start before the work that asked for
 * it, and a server's span not after the response, so clocks that differ are noticed and corrected.
 */
export function insideCall(log: Log, index: SpanIndex, request: number): InsideCall {
  const root = log.relations.rootOf(request);
  const requests = [root, ...log.relations.membersOf(root, SPANS_LAID_OUT)].filter((seq) => isClientRequest(log, seq));
  const tops = requests.flatMap((seq) => index.spansOf(seq).map((span) => ({ span, seq })));
  const spans: PlacedSpan[] = [];
  const moved = new Map<string, number>();
  const waiting: Waiting[] = tops.reverse().map(({ span, seq }) => {
    const by = index.causeOf(span.seq)?.by ?? 'trace';
    return { span, depth: 0, by, above: intervalOf(log, seq), of: undefined, shift: 0 };
  });
  for (let next = waiting.pop(); next && spans.length < SPANS_LAID_OUT; next = waiting.pop()) {
    const { span, depth, by, above } = next;
    const shift = span.of === next.of ? next.shift : by === 'time' ? 0 : shiftOf(span, above);
    if (Math.abs(shift) > SLACK_US) moved.set(span.service, shift);
    const from = span.from + shift;
    const own = { from, to: from + span.us };
    const children = index.childrenOf(span);
    const covered = coveredUs(
      children.map((child) => ({ from: child.from + shift, to: child.from + shift + child.us })),
      own,
    );
    const lacksParent = depth === 0 && span.parentId !== undefined && by !== 'parent';
    spans.push({ span, depth, from, selfUs: span.us - covered, by, lacksParent });
    for (const child of children.toReversed()) {
      waiting.push({ span: child, depth: depth + 1, by, above: own, of: span.of, shift });
    }
  }
  const sentAt = log.columns.time(root - 1);
  const endedAt = endOf(log, requests);
  return {
    requests,
    sentAt,
    endedAt,
    spans,
    left: waiting.length,
    slowest: slowestOf(spans, sentAt, endedAt),
    moved,
    logs: requests.flatMap((seq) => index.logsOf(seq)),
  };
}

function isClientRequest({ columns }: Log, seq: number): boolean {
  return columns.kind(seq - 1) === 'request' && columns.direction(seq - 1) === 'to-server';
}

/** From a request to its response. Open requests have no end. */
function intervalOf(log: Log, seq: number): Interval {
  const { sentAt = 0, durationUs } = log.exchange(seq) ?? {};
  return { from: sentAt, to: durationUs === undefined ? Number.POSITIVE_INFINITY : sentAt + durationUs };
}

function endOf(log: Log, requests: readonly number[]): number | undefined {
  const ends = requests.map((seq) => intervalOf(log, seq).to);
  const end = Math.max(...ends.slice(0, 1), ...ends.filter(Number.isFinite));
  return Number.isFinite(end) ? end : undefined;
}

/** Returns what to add to the times of a span's process, so that it starts when it can have started. */
function shiftOf({ from, us, kind }: Span, above: Interval): number {
  const early = above.from - from;
  if (early > 0 && early <= SLACK_US) return early;
  const isLate = from > above.to && kind === SERVER;
  if (from > above.to && !isLate) return 0;
  if (early <= 0 && !isLate) return -Math.max(0, Math.min(SLACK_US, from + us - above.to, -early));
  const room = above.to - above.from - us;
  return early + (Number.isFinite(room) ? Math.max(0, room / 2) : 0);
}

function slowestOf(spans: readonly PlacedSpan[], sentAt: number, endedAt: number | undefined): InsideCall['slowest'] {
  const [first] = spans;
  if (!first) return undefined;
  const slowest = spans.reduce((most, each) => (each.selfUs > most.selfUs ? each : most), first);
  const tops = spans.filter(({ depth }) => depth === 0).map(({ from, span }) => ({ from, to: from + span.us }));
  const sure = spans.every(({ by }) => by !== 'time');
  const outside =
    endedAt === undefined || !sure
      ? 0
      : endedAt -
        sentAt -
        coveredUs(
          tops.sort((a, b) => a.from - b.from),
          { from: sentAt, to: endedAt },
        );
  if (outside > slowest.selfUs) return { outside: true, us: outside };
  return slowest.selfUs > 0 ? { span: slowest.span, us: slowest.selfUs } : undefined;
}
