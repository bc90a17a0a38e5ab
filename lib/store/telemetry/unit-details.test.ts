import { expect, it } from 'vitest';
import { onChannel } from '../test-frames';
import { type SpanDetails, unitDetails } from './unit-details';

const IDS = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const TIMES = { startTimeUnixNano: '1764184613000000000', endTimeUnixNano: '1764184613004000000' };
const text = (value: string) => ({ stringValue: value });

const read = (unit: object) => unitDetails(onChannel('otel', { service: 's', of: 'r', ...unit }).bytes);

it('writes attributes as plain JSON with all digits, and keeps names that occur twice', () => {
  const attributes = [
    { key: 'big', value: { intValue: '9007199254740993' } },
    { key: 'list', value: { arrayValue: { values: [text('a'), { boolValue: true }, { doubleValue: 0.5 }] } } },
    { key: 'map', value: { kvlistValue: { values: [{ key: 'x', value: { intValue: '1' } }] } } },
    { key: 'big', value: {} },
    { key: '__proto__', value: { bytesValue: 'AAE=' } },
    { key: 'odd', value: { intValue: '1}' } },
  ];
  const { attributesJson } = read({ span: { ...IDS, ...TIMES, name: 'x', attributes } }) as SpanDetails;
  expect(attributesJson).toBe(
    '{"big":9007199254740993,"list":["a",true,0.5],"map":{"x":1},"big":null,"__proto__":"AAE=","odd":{"intValue":"1}"}}',
  );
});

it('reads exceptions of a span apart from its other events', () => {
  const events = [
    {
      timeUnixNano: '1764184613001500000',
      name: 'exception',
      attributes: [
        { key: 'exception.type', value: text('Error') },
        { key: 'exception.message', value: text('no') },
        { key: 'exception.stacktrace', value: text('Error: no\n    at x') },
        { key: 'exception.escaped', value: { boolValue: false } },
      ],
    },
    { name: 'cache miss' },
  ];
  const span = {
    ...IDS,
    ...TIMES,
    name: 'x',
    kind: 3,
    events,
    status: { code: 2, message: 'no' },
    droppedEventsCount: 1,
  };
  expect(read({ span })).toMatchObject({
    kind: 'client',
    status: 'error',
    dropped: ['1 event'],
    events: [
      {
        afterUs: 1500,
        exception: { title: 'Error: no', stack: 'Error: no\n    at x' },
        attributesJson: '{"exception.escaped":false}',
      },
      { name: 'cache miss', afterUs: undefined, exception: undefined, attributesJson: '{}' },
    ],
  });
});

it('reads log records, metrics and resources', () => {
  expect(read({ log: { severityText: 'WARN', severityNumber: 13, body: text('low') } })).toMatchObject({
    severity: 'WARN, severity 13',
    bodyJson: '"low"',
  });
  expect(read({ metric: { name: 'calls', unit: 'ms', sum: { dataPoints: [] } } })).toMatchObject({
    measuredIn: 'ms',
    dataJson: '{"sum":{"dataPoints":[]}}',
  });
  const resource = { resource: 'r', attributes: [{ key: 'a', value: text('b') }] };
  expect(unitDetails(onChannel('otel', resource).bytes)).toEqual({
    unit: 'resource',
    of: 'r',
    attributesJson: '{"a":"b"}',
  });
});

it('writes attributes as JSON, even if an integer has leading zeros', () => {
  const attributes = [
    { key: 'odd', value: { intValue: '007' } },
    { key: 'less', value: { intValue: '-9223372036854775808' } },
  ];
  const { attributesJson } = unitDetails(onChannel('otel', { resource: 'r', attributes }).bytes)!;
  expect(attributesJson).toBe('{"odd":{"intValue":"007"},"less":-9223372036854775808}');
});

it('does not read what is not a unit', () => {
  expect(read({ span: { name: 'x' } })).toBeUndefined();
});
