// W3C Trace Context (https://www.w3.org/TR/trace-context/), level 1, as MCP carries it: `_meta.traceparent` of a
// request. https://modelcontextprotocol.io/specification/2026-07-28/basic

/** A position in a trace. */
export interface TraceContext {
  /** 32 hex digits in lower case, not all zero. */
  readonly traceId: string;
  /** 16 hex digits in lower case, not all zero. */
  readonly spanId: string;
  readonly sampled: boolean;
}

/** Key of the trace context in `_meta`, and name of the header. */
export const TRACEPARENT = 'traceparent';

/** Characters of the longest `traceparent` that is read. Versions after 00 may append fields. */
const TRACEPARENT_CHARS = 256;
const PARTS = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;
const SAMPLED = 1;

/** Reads a `traceparent`. Returns undefined for anything that the specification tells readers to ignore. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  if (typeof text !== 'string' || text.length > TRACEPARENT_CHARS) return undefined;
  const [, version, traceId, spanId, flags, more] = PARTS.exec(text) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (!isTraceId(traceId) || !isSpanId(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags!, 16) & SAMPLED) === SAMPLED };
}

/** Writes a `traceparent` of version 00. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** Returns true for a trace id as OTLP/JSON and `traceparent` write it, and not all zero. */
export function isTraceId(value: unknown): value is string {
  return typeof value === 'string' && TRACE_ID.test(value);
}

/** Returns true for a span id as OTLP/JSON and `traceparent` write it, and not all zero. */
export function isSpanId(value: unknown): value is string {
  return typeof value === 'string' && SPAN_ID.test(value);
}

/** Begins a trace. */
export function newTrace(): TraceContext {
  return { traceId: randomHex(16), spanId: randomHex(8), sampled: true };
}

/** Returns another span of the same trace. */
export function newSpanIn({ traceId, sampled }: TraceContext): TraceContext {
  return { traceId, spanId: randomHex(8), sampled };
}

/** Random bytes taken at a time. One call for each id would cost more than the rest of a request's text. */
const POOL_BYTES = 4096;
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function randomHex(bytes: number): string {
  if (used + bytes > POOL_BYTES) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let text = '';
  for (const end = used + bytes; used < end; used++) text += HEX[pool[used]!];
  // All zero means "none". The odds are 1 in 2^64.
  return /[^0]/.test(text) ? text : randomHex(bytes);
}
