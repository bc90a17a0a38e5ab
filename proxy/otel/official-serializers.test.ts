import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type OtlpEncoding, readExport, type Signal } from '@/lib/otel/otlp/read-export';
import { readTelemetry } from '@/lib/otel/telemetry';

const MODULES = join(import.meta.dirname, '../../e2e/servers/node_modules');
const load = createRequire(join(MODULES, 'x.js'));

/** Returns the frames that an export becomes, read as strictly as those of a recording. */
function framesOf(signal: Signal, encoding: OtlpEncoding, body: Uint8Array): readonly unknown[] {
  return [...readExport(signal, encoding, body)].map((unit) => {
    if ('refused' in unit) throw new Error(unit.refused);
    const read = readTelemetry(Buffer.from(unit.frame));
    expect(read, unit.frame).toBeDefined();
    return read;
  });
}

/** Attribute values of every type. */
const ATTRIBUTES = {
  text: 'München ☕',
  empty: '',
  yes: true,
  no: false,
  zero: 0,
  negative: -7,
  large: Number.MAX_SAFE_INTEGER,
  half: 0.5,
  list: ['a', 'b'],
  numbers: [1, 2.5],
};

// The packages are the dependencies of test servers.
describe.skipIf(!existsSync(join(MODULES, '@opentelemetry')))('reads what the official serializers write', () => {
  it('traces', () => {
    const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = load('@opentelemetry/sdk-trace-base');
    const { resourceFromAttributes } = load('@opentelemetry/resources');
    const { trace, context, SpanKind, SpanStatusCode } = load('@opentelemetry/api');
    const { JsonTraceSerializer, ProtobufTraceSerializer } = load('@opentelemetry/otlp-transformer');
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'files', ...ATTRIBUTES }),
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    const tracer = provider.getTracer('scope', '1.2');
    const parent = tracer.startSpan('parent', { kind: SpanKind.SERVER, attributes: ATTRIBUTES });
    const child = tracer.startSpan(
      'child',
      { kind: SpanKind.CLIENT, links: [{ context: parent.spanContext(), attributes: { why: 'test' } }] },
      trace.setSpan(context.active(), parent),
    );
    child.recordException(new Error('broken'));
    child.setStatus({ code: SpanStatusCode.ERROR, message: 'broken' });
    child.end();
    parent.end();
    const spans = exporter.getFinishedSpans();
    const [json, protobuf] = [JsonTraceSerializer, ProtobufTraceSerializer].map((one) => one.serializeRequest(spans));
    const frames = framesOf('traces', 'protobuf', protobuf);
    expect(frames).toEqual(framesOf('traces', 'json', json));
    const { spanId, traceId } = parent.spanContext();
    expect(frames).toMatchObject([
      {
        resource: expect.any(String),
        attributes: expect.arrayContaining([{ key: 'no', value: { boolValue: false } }]),
      },
      {
        service: 'files',
        scope: 'scope',
        scopeVersion: '1.2',
        span: {
          traceId,
          parentSpanId: spanId,
          name: 'child',
          kind: 3,
          status: { code: 2, message: 'broken' },
          events: [{ name: 'exception' }],
          links: [{ traceId, spanId, attributes: [{ key: 'why', value: { stringValue: 'test' } }] }],
        },
      },
      { span: { traceId, spanId, name: 'parent', kind: 2 } },
    ]);
    // The members of the official JSON are all there.
    const [official] = JSON.parse(Buffer.from(json).toString()).resourceSpans;
    const { flags, links, ...span } = official.scopeSpans[0].spans[0];
    expect(JSON.parse(JSON.stringify((frames[1] as { span: object }).span))).toMatchObject(
      JSON.parse(
        JSON.stringify(span, (key, value) =>
          value === 0 || value?.length === 0 || value?.code === 0
            ? undefined
            : key === 'intValue'
              ? String(value)
              : value,
        ),
      ),
    );
  });

  it('log records', () => {
    const { LoggerProvider, InMemoryLogRecordExporter, SimpleLogRecordProcessor } = load('@opentelemetry/sdk-logs');
    const { JsonLogsSerializer, ProtobufLogsSerializer } = load('@opentelemetry/otlp-transformer');
    const { trace, context } = load('@opentelemetry/api');
    const exporter = new InMemoryLogRecordExporter();
    const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] });
    const spanContext = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', traceFlags: 1 };
    provider.getLogger('scope').emit({
      severityNumber: 17,
      severityText: 'ERROR',
      body: { nested: ['text', 1, { deep: true }] },
      attributes: ATTRIBUTES,
      context: trace.setSpanContext(context.active(), spanContext),
    });
    const records = exporter.getFinishedLogRecords();
    expect(records).toHaveLength(1);
    const [json, protobuf] = [JsonLogsSerializer, ProtobufLogsSerializer].map((one) => one.serializeRequest(records));
    const frames = framesOf('logs', 'protobuf', protobuf);
    expect(frames).toEqual(framesOf('logs', 'json', json));
    expect(frames[1]).toMatchObject({
      scope: 'scope',
      log: { traceId: spanContext.traceId, spanId: spanContext.spanId, severityNumber: 17, severityText: 'ERROR' },
    });
  });

  it('metrics', async () => {
    const { MeterProvider, MetricReader, AggregationTemporality } = load('@opentelemetry/sdk-metrics');
    const { JsonMetricsSerializer, ProtobufMetricsSerializer } = load('@opentelemetry/otlp-transformer');
    class Collecting extends MetricReader {
      async onForceFlush() {}
      async onShutdown() {}
      selectAggregationTemporality() {
        return AggregationTemporality.CUMULATIVE;
      }
    }
    const reader = new Collecting();
    const provider = new MeterProvider({
      readers: [reader],
      views: [{ instrumentName: 'exponential', aggregation: { type: 5 } }],
    });
    const meter = provider.getMeter('scope');
    meter.createCounter('calls', { unit: '{call}', description: 'Calls' }).add(3, { tool: 'add' });
    meter.createUpDownCounter('open').add(-2.5);
    meter.createHistogram('ms').record(12.5);
    meter.createHistogram('exponential').record(0.001);
    meter.createObservableGauge('level').addCallback((result: { observe(value: number): void }) => result.observe(0));
    const { resourceMetrics } = await reader.collect();
    const [json, protobuf] = [JsonMetricsSerializer, ProtobufMetricsSerializer].map((one) =>
      one.serializeRequest(resourceMetrics),
    );
    const frames = framesOf('metrics', 'protobuf', protobuf);
    expect(frames.length).toBe(6);
    expect(frames.map(withoutForms)).toEqual(framesOf('metrics', 'json', json).map(withoutForms));
  });
});

/**
 * Leaves out defaults and turns integers into numbers. Protobuf has no defaults, the official JSON writes some 64-bit
 * integers as numbers, and data points are kept as they came.
 */
function withoutForms(frame: unknown): unknown {
  return JSON.parse(
    JSON.stringify(frame, (key, value) => {
      if (!value || value === '0' || value.length === 0) return undefined;
      return typeof value === 'string' && /^\d+$/.test(value) && key !== 'name' ? Number(value) : value;
    }),
  );
}
