import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exchangeSpan } from '@/lib/otel/exchange-spans';
import { OperationMetrics } from '@/lib/otel/operation-metrics';
import { type Attributes, resourceMetrics, resourceSpans, type WrittenSpan } from '@/lib/otel/write-otlp';
import { attributesOf, CALL, CONNECTION, PLACE } from './test-telemetry';

const MODULES = join(import.meta.dirname, '../../e2e/servers/node_modules');
const load = createRequire(join(MODULES, 'x.js'));
const REPORTER = {
  resource: { 'service.name': 'mcp-inspect', 'service.version': '1', half: 0.5, yes: true },
  scope: { name: 'mcp-inspect', version: '1' },
};

/** A span as the SDK holds it. */
function sdkSpan(span: WrittenSpan, resource: Attributes): object {
  const time = (nano: string) => [Number(BigInt(nano) / 1_000_000_000n), Number(BigInt(nano) % 1_000_000_000n)];
  const { traceId, spanId, parentSpanId, flags } = span;
  return {
    name: span.name,
    kind: span.kind - 1,
    status: span.status,
    attributes: attributesOf(span),
    startTime: time(span.startTimeUnixNano),
    endTime: time(span.endTimeUnixNano),
    events: [],
    links: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
    resource: { attributes: resource },
    instrumentationScope: REPORTER.scope,
    spanContext: () => ({ traceId, spanId, traceFlags: flags & 0xff }),
    ...(parentSpanId !== undefined && { parentSpanContext: { traceId, spanId: parentSpanId, isRemote: true } }),
  };
}

// The packages are the dependencies of test servers.
describe.skipIf(!existsSync(join(MODULES, '@opentelemetry')))('is what the official serializers write', () => {
  it('for spans', () => {
    const { JsonTraceSerializer } = load('@opentelemetry/otlp-transformer');
    const spans = [
      exchangeSpan(CALL, PLACE, CONNECTION),
      exchangeSpan({ ...CALL, outcome: 'error', code: -32602 }, PLACE, CONNECTION),
      exchangeSpan(
        { ...CALL, method: 'sampling/createMessage', toServer: false },
        { ...PLACE, sampled: false },
        CONNECTION,
      ),
      exchangeSpan({ ...CALL, progress: 3, rounds: 2, isTask: true }, PLACE, { atMs: 0 }),
    ];
    // Our spans without a parent are roots: the SDK then says that the parent is not remote.
    const { parentSpanId: _, isRemote: __, ...root } = PLACE;
    spans.push(exchangeSpan(CALL, root, CONNECTION));
    const resource = { attributes: REPORTER.resource };
    const official = JsonTraceSerializer.serializeRequest(
      spans.map((span) => ({ ...sdkSpan(span, REPORTER.resource), resource })),
    );
    expect(JSON.stringify({ resourceSpans: [resourceSpans(REPORTER, spans)] })).toBe(Buffer.from(official).toString());
  });

  it('for metrics', () => {
    const { JsonMetricsSerializer } = load('@opentelemetry/otlp-transformer');
    const { DataPointType, AggregationTemporality } = load('@opentelemetry/sdk-metrics');
    const metrics = new OperationMetrics(1000);
    for (const endUs of [1_000_001, 1_250_000, 900_000_000]) metrics.addExchange({ ...CALL, endUs }, CONNECTION);
    const written = metrics.metrics(61_000) as readonly any[];
    const [{ name, description, unit, histogram }] = written;
    const [point] = histogram.dataPoints;
    const value = {
      count: 3,
      sum: point.sum,
      min: point.min,
      max: point.max,
      buckets: { counts: point.bucketCounts, boundaries: point.explicitBounds },
    };
    const attributes = attributesOf(point);
    const official = JsonMetricsSerializer.serializeRequest({
      resource: { attributes: REPORTER.resource },
      scopeMetrics: [
        {
          scope: REPORTER.scope,
          metrics: [
            {
              descriptor: { name, description, unit },
              dataPointType: DataPointType.HISTOGRAM,
              aggregationTemporality: AggregationTemporality.CUMULATIVE,
              dataPoints: [{ attributes, startTime: [1, 0], endTime: [61, 0], value }],
            },
          ],
        },
      ],
    });
    expect({ resourceMetrics: [resourceMetrics(REPORTER, written)] }).toEqual(
      JSON.parse(Buffer.from(official).toString()),
    );
  });
});
