import type { FrameSeed } from '../test-frames';
import { asked, happened, onChannel } from '../test-frames';

/** Start of the test logs. */
const AT = '2026-11-26T12:00:00.000Z';
export const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Returns an id of 16 hex digits. */
export const id = (number: number) => number.toString(16).padStart(16, '0');

/** Returns a time in nanoseconds since 1970, `ms` after the start of the log. */
const nano = (ms: number) => String(BigInt(Date.parse(AT)) * 1_000_000n + BigInt(Math.round(ms * 1e6)));

export const started = happened({
  event: 'start',
  at: AT,
  name: 'x',
  transport: 'stdio',
  command: 'x',
  args: [],
  cwd: '/',
  environment: { policy: 'allowlist', inherited: [], added: [] },
  protocol: 'auto',
});

/** A request with a trace context: the span `span` of a trace. */
export const traced = (number: unknown, method: string, span: number, trace = TRACE) =>
  asked(number, method, { name: 'echo', _meta: { traceparent: `00-${trace}-${id(span)}-01` } });

interface SpanSeed {
  readonly id: number;
  readonly parent?: number;
  readonly trace?: string;
  readonly name?: string;
  /** In ms since the start of the log. */
  readonly from?: number;
  readonly ms?: number;
  readonly service?: string;
  readonly kind?: number;
  /** Message of a failure. */
  readonly failure?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A frame with a span. */
export function spanFrame(seed: SpanSeed): FrameSeed {
  const { from = 0, ms = 1, service = 'files', trace = TRACE, parent, failure, attributes = {} } = seed;
  return onChannel('otel', {
    service,
    of: `resource of ${service}`,
    scope: 'test',
    scopeVersion: '1.0',
    span: {
      traceId: trace,
      spanId: id(seed.id),
      ...(parent !== undefined && { parentSpanId: id(parent) }),
      name: seed.name ?? `span ${seed.id}`,
      kind: seed.kind ?? 1,
      startTimeUnixNano: nano(from),
      endTimeUnixNano: nano(from + ms),
      attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
      ...(failure !== undefined && { status: { code: 2, message: failure } }),
    },
  });
}

/** A frame with a log record. */
export function logFrame(
  body: string,
  severity: number,
  at: { span?: number; trace?: string; ms?: number } = {},
): FrameSeed {
  return onChannel('otel', {
    service: 'files',
    of: 'resource of files',
    log: {
      timeUnixNano: nano(at.ms ?? 0),
      severityNumber: severity,
      body: { stringValue: body },
      ...(at.trace !== undefined && { traceId: at.trace }),
      ...(at.span !== undefined && { spanId: id(at.span) }),
    },
  });
}
