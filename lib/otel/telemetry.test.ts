import { expect, it } from 'vitest';
import { readTelemetry, TELEMETRY_BYTES, type Telemetry, writeTelemetry } from './telemetry';

const SPAN = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  name: 'GET /',
  kind: 3,
  startTimeUnixNano: '1764184613000000000',
  endTimeUnixNano: '1764184613004000000',
  attributes: [{ key: 'http.status_code', value: { intValue: '200' } }],
};
const ORIGIN = { service: 'files', of: 'r1', scope: 'http', scopeVersion: '1.0' };

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

it.each<Telemetry>([
  { resource: 'r1', attributes: [{ key: 'service.name', value: { stringValue: 'files' } }] },
  { ...ORIGIN, span: SPAN },
  { ...ORIGIN, log: { body: { stringValue: 'read' }, traceId: SPAN.traceId, spanId: SPAN.spanId, severityNumber: 9 } },
  { ...ORIGIN, metric: { name: 'calls', sum: { dataPoints: [] } } },
])('reads what it wrote: %j', (unit) => {
  expect(readTelemetry(new TextEncoder().encode(writeTelemetry(unit)))).toEqual(unit);
});

it.each<[string, unknown]>([
  ['two kinds at once', { ...ORIGIN, span: SPAN, log: {} }],
  ['no kind', ORIGIN],
  ['a span without a trace id', { ...ORIGIN, span: { ...SPAN, traceId: undefined } }],
  ['a trace id in base64', { ...ORIGIN, span: { ...SPAN, traceId: 'S/kvNXezTaajzpKdDg5HNg==' } }],
  ['a time that is a number', { ...ORIGIN, span: { ...SPAN, startTimeUnixNano: 1 } }],
  ['a time with too many digits', { ...ORIGIN, span: { ...SPAN, startTimeUnixNano: '1'.repeat(21) } }],
  ['attributes that are not a list', { ...ORIGIN, span: { ...SPAN, attributes: { a: 1 } } }],
  ['an event whose name is not text', { ...ORIGIN, span: { ...SPAN, events: [{ name: 1 }] } }],
  ['a log record whose body is text', { ...ORIGIN, log: { body: 'read' } }],
  ['a metric without a name', { ...ORIGIN, metric: {} }],
  ['a unit of no service', { of: 'r1', span: SPAN }],
  ['an array', [SPAN]],
  ['a text', 'span'],
  ['null', null],
])('does not read %s', (_, value) => {
  expect(readTelemetry(bytesOf(value))).toBeUndefined();
});

it('does not read a frame that is too long, not UTF-8, not JSON or nested too deeply', () => {
  expect(readTelemetry(bytesOf({ ...ORIGIN, log: { severityText: 'x'.repeat(TELEMETRY_BYTES) } }))).toBeUndefined();
  expect(readTelemetry(Uint8Array.of(0xff, 0xfe))).toBeUndefined();
  expect(readTelemetry(new TextEncoder().encode('{'))).toBeUndefined();
  const deep = `{"service":"","of":"","log":{"body":${'{"a":'.repeat(1000)}1${'}'.repeat(1002)}`;
  expect(readTelemetry(new TextEncoder().encode(deep))).toBeUndefined();
});
