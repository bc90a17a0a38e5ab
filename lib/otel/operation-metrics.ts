import { operationAttributes, type SpanConnection, type SpanExchange } from './exchange-spans';
import { ATTRIBUTE, DURATION_BOUNDS, METRIC, OVERFLOW } from './semantic-conventions';
import { type Attributes, otlpAttributes, unixNano } from './write-otlp';

/** Most series in all. A server can have any number of tools. Further ones are counted as one, without a name. */
const MOST_SERIES = 1000;
const CUMULATIVE = 2;

/** One series of a histogram. */
interface Series {
  readonly attributes: Attributes;
  readonly counts: number[];
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** Durations of operations and sessions, as cumulative histograms. */
export class OperationMetrics {
  readonly #startedMs: number;
  readonly #series = new Map<keyof typeof METRIC, Map<string, Series>>();
  #size = 0;

  /** `startedMs`: when counting began, in milliseconds since 1970. */
  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  /** Counts an exchange. */
  addExchange(facts: SpanExchange, connection: SpanConnection): void {
    const metric = facts.toServer ? 'clientOperation' : 'serverOperation';
    this.#add(metric, operationAttributes(facts, connection), (facts.endUs - facts.startUs) / 1e6);
  }

  /** Counts a session. */
  addSession(seconds: number, connection: SpanConnection, errorType?: string): void {
    const { protocolVersion, transport, address, port } = connection;
    const attributes = {
      [ATTRIBUTE.protocolVersion]: protocolVersion,
      [ATTRIBUTE.networkProtocol]: transport === 'tcp' ? 'http' : undefined,
      [ATTRIBUTE.transport]: transport,
      [ATTRIBUTE.errorType]: errorType,
      [ATTRIBUTE.serverAddress]: address,
      [ATTRIBUTE.serverPort]: address === undefined ? undefined : port,
    };
    this.#add('clientSession', attributes, seconds);
  }

  #add(metric: keyof typeof METRIC, attributes: Attributes, seconds: number): void {
    const all = this.#series.get(metric) ?? new Map<string, Series>();
    this.#series.set(metric, all);
    let series = all.get(JSON.stringify(attributes));
    if (!series) {
      const isFull = this.#size >= MOST_SERIES;
      const kept = isFull ? { [OVERFLOW]: true } : attributes;
      const key = JSON.stringify(kept);
      series = all.get(key) ?? newSeries(kept);
      if (!all.has(key)) this.#size++;
      all.set(key, series);
    }
    const over = DURATION_BOUNDS.findIndex((bound) => seconds <= bound);
    series.counts[over < 0 ? DURATION_BOUNDS.length : over]!++;
    series.count++;
    series.sum += seconds;
    series.min = Math.min(series.min, seconds);
    series.max = Math.max(series.max, seconds);
  }

  /** Returns the metrics up to `nowMs` as OTLP has them; none if nothing was counted. */
  metrics(nowMs: number): readonly object[] {
    return Array.from(this.#series, ([metric, all]) => ({
      ...METRIC[metric],
      unit: 's',
      histogram: {
        aggregationTemporality: CUMULATIVE,
        dataPoints: Array.from(all.values(), ({ attributes, counts, count, sum, min, max }) => ({
          attributes: otlpAttributes(attributes),
          bucketCounts: counts,
          explicitBounds: DURATION_BOUNDS,
          count,
          sum,
          min,
          max,
          startTimeUnixNano: unixNano(this.#startedMs, 0),
          timeUnixNano: unixNano(Math.max(nowMs, this.#startedMs), 0),
        })),
      },
    }));
  }
}

function newSeries(attributes: Attributes): Series {
  return {
    attributes,
    counts: new Array<number>(DURATION_BOUNDS.length + 1).fill(0),
    count: 0,
    sum: 0,
    min: Number.POSITIVE_INFINITY,
    max: 0,
  };
}
