import { expect, it } from 'vitest';
import { silentVariables, telemetryNames, telemetryVariables } from './server-variables';

const WIRING = { endpoint: 'http://127.0.0.1:1/otel/t', traceparent: '00-a-b-01', name: 'files' };

it('wires a server whose environment says nothing', () => {
  expect(telemetryVariables({ PATH: '/bin' }, WIRING)).toEqual({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1/otel/t',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_SERVICE_NAME: 'files',
    TRACEPARENT: '00-a-b-01',
    OTEL_BSP_SCHEDULE_DELAY: '500',
    OTEL_BLRP_SCHEDULE_DELAY: '500',
    OTEL_BSP_MAX_QUEUE_SIZE: '16384',
  });
});

it.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector.example'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'https://collector.example'],
  ['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', ''],
  ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'x'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
  ['OTEL_SDK_DISABLED', 'true'],
])('leaves a server alone that has %s=%s', (name, value) => {
  expect(telemetryNames({ [name]: value })).toEqual([]);
});

it.each([
  ['OTEL_SERVICE_NAME', 'mine'],
  ['TRACEPARENT', '00-c-d-00'],
  ['OTEL_BSP_SCHEDULE_DELAY', '1'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json'],
])('never replaces %s', (name, value) => {
  const names = telemetryNames({ [name]: value });
  expect(names).toContain('OTEL_EXPORTER_OTLP_ENDPOINT');
  expect(names).not.toContain(name);
});

it('sets no protocol and no name that another variable says', () => {
  const env = { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json', OTEL_RESOURCE_ATTRIBUTES: 'a=b,service.name=mine' };
  const names = telemetryNames(env);
  expect(names).not.toContain('OTEL_EXPORTER_OTLP_PROTOCOL');
  expect(names).not.toContain('OTEL_SERVICE_NAME');
});

it.each(['OTEL_TRACES_EXPORTER', 'OTEL_LOGS_EXPORTER', 'OTEL_METRICS_EXPORTER'])('sets no %s', (name) => {
  expect(telemetryNames({})).not.toContain(name);
});

it('keeps a server whose telemetry nobody sees from exporting, unless its environment says where to', () => {
  const none = { OTEL_TRACES_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };
  expect(silentVariables({ PATH: '/bin' })).toEqual(none);
  const { OTEL_TRACES_EXPORTER: _, ...others } = none;
  expect(silentVariables({ OTEL_TRACES_EXPORTER: 'console' })).toEqual(others);
  expect(silentVariables({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example' })).toEqual({});
  expect(silentVariables({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual({});
});
