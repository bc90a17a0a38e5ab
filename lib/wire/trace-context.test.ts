import { expect, it } from 'vitest';
import { formatTraceparent, isSpanId, isTraceId, newSpanIn, newTrace, parseTraceparent } from './trace-context';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

it('reads the example of the specification and writes it again', () => {
  const context = parseTraceparent(`00-${TRACE}-${SPAN}-01`);
  expect(context).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
  expect(formatTraceparent(context!)).toBe(`00-${TRACE}-${SPAN}-01`);
  expect(formatTraceparent({ ...context!, sampled: false })).toBe(`00-${TRACE}-${SPAN}-00`);
});

it('reads other flags, and versions that append fields', () => {
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`)?.sampled).toBe(false);
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-03`)?.sampled).toBe(true);
  expect(parseTraceparent(`cc-${TRACE}-${SPAN}-01-later`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
});

it.each<[unknown, string]>([
  ['', 'empty'],
  [undefined, 'missing'],
  [7, 'not text'],
  [`00-${TRACE}-${SPAN}`, 'no flags'],
  [`00-${TRACE}-${SPAN}-01-more`, 'more fields in version 00'],
  [`ff-${TRACE}-${SPAN}-01`, 'the forbidden version'],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, 'a trace id of zeros'],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, 'a span id of zeros'],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, 'upper case'],
  [`cc-${TRACE}-${SPAN}-01-${'x'.repeat(1000)}`, 'too long'],
])('ignores %s (%s)', (text, _) => {
  expect(parseTraceparent(text)).toBeUndefined();
});

it('makes ids that are valid and differ, also when its pool of random bytes is refilled', () => {
  const traces = Array.from({ length: 1000 }, newTrace);
  expect(traces.every(({ traceId, spanId }) => isTraceId(traceId) && isSpanId(spanId))).toBe(true);
  expect(new Set(traces.map(({ traceId }) => traceId)).size).toBe(1000);
  expect(new Set(traces.map(({ spanId }) => spanId)).size).toBe(1000);
});

it('makes another span of the same trace', () => {
  const trace = newTrace();
  const next = newSpanIn(trace);
  expect(next.traceId).toBe(trace.traceId);
  expect(next.spanId).not.toBe(trace.spanId);
});
