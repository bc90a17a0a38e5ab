import { maskedUrl } from '@/lib/transports/masking';
import { ConnectionError } from '@/lib/transports/transport';

type Environment = Readonly<Record<string, string | undefined>>;

/** The receiver, and how to reach it. Header values are secrets, and so may be parts of the URLs. */
export interface OtlpSettings {
  readonly traces: string;
  readonly metrics: string;
  readonly headers: {
    readonly traces: readonly (readonly [name: string, value: string])[];
    readonly metrics: readonly (readonly [name: string, value: string])[];
  };
  readonly timeoutMs: number;
  readonly gzip: boolean;
  /** Attributes of the resource, from OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES. */
  readonly resource: Readonly<Record<string, string>>;
  /** The endpoint as people may see it. */
  readonly shown: string;
}

/** The endpoint that OpenTelemetry exporters use by default. */
const DEFAULT_ENDPOINT = 'http://localhost:4318';
const DEFAULT_TIMEOUT_MS = 10_000;
/** The longest time for one request, in ms. A receiver that takes longer does not answer. */
const MOST_TIMEOUT_MS = 60_000;
/** Attributes of the resource that are read. */
const MOST_ATTRIBUTES = 64;

/**
 * Reads the endpoint that an option names: a URL, or `env` for that of the environment. Throws a ConnectionError.
 * Without the option, nothing calls this.
 */
export function readOtlpSettings(word: string, environment: Environment, option = '--otel export'): OtlpSettings {
  const given = word === 'env' ? '' : word;
  const variable = (name: string, signal?: 'TRACES' | 'METRICS'): string | undefined =>
    (signal && environment[`OTEL_EXPORTER_OTLP_${signal}_${name}`]) || environment[`OTEL_EXPORTER_OTLP_${name}`];
  const base = given || environment.OTEL_EXPORTER_OTLP_ENDPOINT || DEFAULT_ENDPOINT;
  const endpoint = (signal: 'TRACES' | 'METRICS', name: 'traces' | 'metrics'): URL => {
    const own = given === '' ? environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] : undefined;
    return own
      ? readUrl(own, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)
      : signalUrl(base, name, given === '' ? undefined : option);
  };
  const [traces, metrics] = [endpoint('TRACES', 'traces'), endpoint('METRICS', 'metrics')];
  if (given === '' && variable('PROTOCOL', 'TRACES') === 'grpc') {
    throw refused(
      'OTLP over gRPC is not supported.',
      `${HTTP_ONLY} Its port is often 4318: name it with \`${option}\`.`,
    );
  }
  const headersFor = (signal: 'TRACES' | 'METRICS', url: URL) =>
    areFor(url, given, environment, signal) ? readHeaders(variable('HEADERS', signal)) : [];
  return {
    traces: traces.href,
    metrics: metrics.href,
    headers: { traces: headersFor('TRACES', traces), metrics: headersFor('METRICS', metrics) },
    timeoutMs: readTimeout(variable('TIMEOUT', 'TRACES')),
    gzip: readCompression(variable('COMPRESSION', 'TRACES')),
    resource: readResource(environment),
    shown: maskedUrl(traces.href),
  };
}

const HTTP_ONLY = 'mcp-inspect exports OTLP over HTTP, as JSON.';

/** Returns the endpoint of a signal below a base URL. A URL on the command line may also be that of the traces. */
function signalUrl(base: string, signal: 'traces' | 'metrics', option: string | undefined): URL {
  const url = readUrl(base, option ?? 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname =
    option !== undefined && path.endsWith('/v1/traces') ? path.replace(/traces$/, signal) : `${path}/v1/${signal}`;
  return url;
}

function readUrl(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw refused(`The URL of \`${source}\` is not an http or https URL.`, 'Write http://HOST:4318, for example.');
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(`The URL of \`${source}\` can’t have a user name or password.`, 'Use OTEL_EXPORTER_OTLP_HEADERS.');
  }
  return url;
}

/**
 * Returns true if the headers of the environment are for a URL. They are secrets of the endpoint in the environment, so
 * another one on the command line does not get them. An endpoint that can't be read, such as `HOST:4317` for gRPC, and
 * that of another signal, are also endpoints.
 */
function areFor(url: URL, given: string, environment: Environment, signal: 'TRACES' | 'METRICS'): boolean {
  const endpoint = (prefix: string) => environment[`OTEL_EXPORTER_OTLP_${prefix}ENDPOINT`];
  const isNamed = ['', 'TRACES_', 'METRICS_', 'LOGS_'].some(endpoint);
  const known = [endpoint(''), endpoint(`${signal}_`)].filter((one) => one && URL.canParse(one));
  return given === '' || !isNamed || known.some((one) => new URL(one!).origin === url.origin);
}

/** Reads `name=value,name=value`, where values are percent-encoded. Errors never quote a value. */
function readHeaders(text: string | undefined): readonly (readonly [string, string])[] {
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  return pairs.map((pair, index) => {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, equals)).trim();
    const value = decoded(pair.slice(equals + 1).trim());
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && value !== undefined && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      return [name, value];
    }
    throw refused(
      `Header ${index + 1} in OTEL_EXPORTER_OTLP_HEADERS is invalid.`,
      'Write NAME=VALUE, separated by commas, with values percent-encoded.',
    );
  });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function readTimeout(text: string | undefined): number {
  if (!text) return DEFAULT_TIMEOUT_MS;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (ms > 0) return Math.min(ms, MOST_TIMEOUT_MS);
  throw refused('OTEL_EXPORTER_OTLP_TIMEOUT is not a number of milliseconds.', 'Correct it, or remove it.');
}

function readCompression(text: string | undefined): boolean {
  if (!text || text === 'none') return false;
  if (text === 'gzip') return true;
  throw refused('OTEL_EXPORTER_OTLP_COMPRESSION is neither `gzip` nor `none`.', 'Correct it, or remove it.');
}

function readResource({ OTEL_SERVICE_NAME: service, OTEL_RESOURCE_ATTRIBUTES: text = '' }: Environment) {
  const pairs = text
    .split(',')
    .slice(0, MOST_ATTRIBUTES)
    .flatMap((pair) => {
      const equals = pair.indexOf('=');
      const value = decoded(pair.slice(equals + 1).trim());
      return equals > 0 && value !== undefined ? [[pair.slice(0, equals).trim(), value] as const] : [];
    });
  return { ...Object.fromEntries(pairs), ...(service && { 'service.name': service }) };
}

function refused(message: string, advice: string): ConnectionError {
  return new ConnectionError({ code: 'bad-otlp', message, advice });
}
