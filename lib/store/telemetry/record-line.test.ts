import { expect, it } from 'vitest';
import { onChannel } from '../test-frames';
import { readRecordLine, recordBody } from './record-line';
import { logFrame } from './test-spans';

it('reads service and body of a log record', () => {
  const { bytes } = logFrame('disk \u001b[31mfull', 17);
  expect(readRecordLine(bytes, 100)).toEqual({ level: undefined, logger: 'files', data: 'disk full' });
  expect(recordBody(bytes)?.value).toBe('disk \u001b[31mfull');
});

it('shows a body that is not text as JSON, and the start of a long frame', () => {
  const body = { kvlistValue: { values: [{ key: 'a', value: { intValue: '1' } }] } };
  const { bytes } = onChannel('otel', { service: '', of: 'r', log: { body } });
  expect(readRecordLine(bytes, 20).data).toContain('kvlistValue');
  expect(recordBody(bytes)?.text).toBe('{"a":1}');
  expect(readRecordLine(logFrame('x'.repeat(1000), 9).bytes.subarray(0, 200), 100).data).toMatch(/^x+$/);
});

it('has no body without one', () => {
  expect(recordBody(onChannel('otel', { service: '', of: 'r', log: {} }).bytes)).toBeUndefined();
  expect(recordBody(onChannel('otel', 'text').bytes)).toBeUndefined();
});
