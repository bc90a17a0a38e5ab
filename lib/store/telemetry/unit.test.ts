import { expect, it } from 'vitest';
import { rowText } from '../rows/row-text';
import { logOf, onChannel } from '../test-frames';
import { logFrame, spanFrame, started } from './test-spans';
import { telemetryUnit } from './unit';
import { subjectOf } from './unit-details';

const log = logOf(
  started,
  onChannel('otel', { resource: 'r1', attributes: [{ key: 'service.name', value: { stringValue: 'a' } }] }),
  spanFrame({ id: 1, name: 'SELECT', ms: 1.5, service: 'db', failure: 'connection refused' }),
  spanFrame({ id: 2, name: 'GET', ms: 0, service: '' }),
  logFrame('disk is full', 17),
  onChannel('otel', { service: 'db', of: 'r1', metric: { name: 'calls', sum: {} } }),
  onChannel('otel', '{"span": "of an earlier tool"}'),
);

it('shows units as rows with name, service, duration and failure', () => {
  const shown = [2, 3, 4, 5, 6].map((seq) => {
    const row = log.row(seq - 1);
    return [rowText(row), log.preview(seq - 1), row.durationUs];
  });
  expect(shown).toEqual([
    ['resource', 'a', undefined],
    ['span SELECT error', 'db · connection refused', 1500],
    ['span GET', '', 1],
    ['log error', 'files · disk is full', undefined],
    ['metric calls', 'db', undefined],
  ]);
});

it('shows what a span was about before its service', () => {
  const attributes = { 'http.request.method': 'GET', 'url.full': 'http://127.0.0.1:4555/price?sku=7' };
  const asked = logOf(started, spanFrame({ id: 1, name: 'GET', attributes, failure: 'timeout' }));
  expect(asked.preview(1)).toBe('/price?sku=7 · files · timeout');
  expect(subjectOf(asked.bytes(1))).toBe('/price?sku=7');
  expect(subjectOf(log.bytes(4))).toBeUndefined();
});

it('shows a frame that is not a unit as text, and does not count it', () => {
  expect(rowText(log.row(6))).toBe('otel {"span": "of an earlier tool"}');
  expect(log.preview(6)).toBeUndefined();
  expect(log.state.telemetry).toBe(4);
});

it('counts log records as log messages', () => {
  expect(log.state.logMessages).toBe(1);
  expect(log.state.longestLogger).toBe('files'.length);
});

it.each([
  [1, 'debug'],
  [8, 'debug'],
  [9, 'info'],
  [10, 'notice'],
  [13, 'warning'],
  [17, 'error'],
  [18, 'critical'],
  [19, 'alert'],
  [24, 'emergency'],
  [undefined, 'debug'],
  ['x', 'debug'],
])('maps severity %s to %s', (severityNumber, level) => {
  expect(telemetryUnit({ log: { severityNumber } })?.name).toBe(level);
});

it('cuts a name that is very long', () => {
  expect(telemetryUnit({ span: { name: 'x'.repeat(100_000) } })!.name).toHaveLength(1000);
});

it('attack: a time or a severity that can’t become a number has none', () => {
  const odd = { toString: 1, valueOf: 1 };
  expect(telemetryUnit({ span: { startTimeUnixNano: odd, endTimeUnixNano: '5' } })).toMatchObject({
    durationUs: undefined,
  });
  expect(telemetryUnit({ log: { severityNumber: odd } })).toMatchObject({ name: 'debug' });
});
