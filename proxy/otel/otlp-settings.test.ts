import { expect, test } from 'vitest';
import { readOtlpSettings } from './otlp-settings';

const HEADERS = { OTEL_EXPORTER_OTLP_HEADERS: 'api-key=SECRET%3D1, x = 2' };

test.each([
  ['http://h:4318', 'http://h:4318/v1/traces', 'http://h:4318/v1/metrics'],
  ['http://h:4318/', 'http://h:4318/v1/traces', 'http://h:4318/v1/metrics'],
  ['https://h/otlp', 'https://h/otlp/v1/traces', 'https://h/otlp/v1/metrics'],
  ['https://h/x/v1/traces?k=v', 'https://h/x/v1/traces?k=v', 'https://h/x/v1/metrics?k=v'],
])('%s is the base of the endpoints', (given, traces, metrics) => {
  expect(readOtlpSettings(given, {})).toMatchObject({ traces, metrics });
});

test('without a URL, it is that of the environment, or the usual one', () => {
  expect(readOtlpSettings('', {}).traces).toBe('http://localhost:4318/v1/traces');
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/o',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/traces',
    OTEL_EXPORTER_OTLP_TIMEOUT: '2500',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    ...HEADERS,
    OTEL_SERVICE_NAME: 'ci',
    OTEL_RESOURCE_ATTRIBUTES: 'team=a%20b,service.name=x',
  };
  expect(readOtlpSettings('', environment)).toMatchObject({
    traces: 'http://t/traces',
    metrics: 'http://c:4318/o/v1/metrics',
    timeoutMs: 2500,
    gzip: true,
    headers: {
      traces: [
        ['api-key', 'SECRET=1'],
        ['x', '2'],
      ],
    },
    resource: { team: 'a b', 'service.name': 'ci' },
  });
});

test('headers of the environment do not go to another endpoint', () => {
  const environment = { ...HEADERS, OTEL_EXPORTER_OTLP_ENDPOINT: 'https://tempo.example' };
  expect(readOtlpSettings('http://other:4318', environment).headers).toEqual({ traces: [], metrics: [] });
  expect(readOtlpSettings('https://tempo.example/otlp', environment).headers.traces).toHaveLength(2);
  expect(readOtlpSettings('http://h:4318', HEADERS).headers.traces).toHaveLength(2);
});

test.each([
  ['an address for gRPC', 'OTEL_EXPORTER_OTLP_ENDPOINT', '10.0.0.1:4317'],
  ['an endpoint of metrics', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'https://tempo.example/m'],
  ['an endpoint of logs', 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', 'https://tempo.example/l'],
])('headers for %s do not go to another one', (_what, name, value) => {
  const { headers } = readOtlpSettings('http://other:4318', { ...HEADERS, [name]: value });
  expect(headers).toEqual({ traces: [], metrics: [] });
});

test.each([
  ['ftp://h', {}, 'not an http'],
  ['', { OTEL_EXPORTER_OTLP_ENDPOINT: 'h:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['http://u:SECRET@h', {}, 'user name'],
  ['', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'gRPC'],
  ['', { OTEL_EXPORTER_OTLP_HEADERS: 'a=1,SECRET' }, 'Header 2'],
  ['', { OTEL_EXPORTER_OTLP_HEADERS: 'a=SECRET%0d%0aX: y' }, 'Header 1'],
  ['', { OTEL_EXPORTER_OTLP_HEADERS: 'a=%SECRET' }, 'Header 1'],
  ['', { OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, 'TIMEOUT'],
  ['', { OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd' }, 'COMPRESSION'],
])('%j with %j is refused, without its secrets', (given, environment, what) => {
  let message = '';
  try {
    readOtlpSettings(given, environment);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain(what);
  expect(message).not.toContain('SECRET');
});

test('a query of the URL is not shown whole', () => {
  expect(readOtlpSettings('https://h/?api_key=abcdefghijklmnop', {}).shown).not.toContain('abcdefghijklmnop');
});
