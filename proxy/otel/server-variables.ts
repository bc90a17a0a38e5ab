/** The environment of a server. */
type Variables = Readonly<Record<string, string | undefined>>;

/** How the server's telemetry reaches the receiver. */
interface Wiring {
  readonly endpoint: string;
  /** The trace of the server's own spans, outside of requests. */
  readonly traceparent: string;
  /** Name of the server. */
  readonly name: string;
}

/** Endpoints and protocols that send telemetry elsewhere, for all signals or for one. */
const ELSEWHERE = /^OTEL_EXPORTER_OTLP_(?:(?:TRACES|LOGS|METRICS)_)?ENDPOINT$/;
const PROTOCOL = /^OTEL_EXPORTER_OTLP_(?:(?:TRACES|LOGS|METRICS)_)?PROTOCOL$/;
/** The protocols that the receiver speaks. */
const SPOKEN: ReadonlySet<string> = new Set(['http/protobuf', 'http/json']);

/** The variables, and why each is set. */
const VARIABLES: readonly {
  readonly name: string;
  readonly value: (wiring: Wiring) => string;
  /** True if the environment says the same in another way. */
  readonly isSaid?: (env: Variables) => boolean;
}[] = [
  { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: ({ endpoint }) => endpoint },
  {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    value: () => 'http/protobuf',
    isSaid: (env) => Object.keys(env).some((name) => PROTOCOL.test(name)),
  },
  {
    name: 'OTEL_SERVICE_NAME',
    value: ({ name }) => name,
    isSaid: (env) => /(?:^|,)\s*service\.name=/.test(env.OTEL_RESOURCE_ATTRIBUTES ?? ''),
  },
  { name: 'TRACEPARENT', value: ({ traceparent }) => traceparent },
  // The default of SDKs is five seconds, which is long for somebody who watches.
  { name: 'OTEL_BSP_SCHEDULE_DELAY', value: () => '500' },
  { name: 'OTEL_BLRP_SCHEDULE_DELAY', value: () => '500' },
  // The default of SDKs is 2048 spans, which a thousand calls at once exceed. The rest would be lost in the server.
  { name: 'OTEL_BSP_MAX_QUEUE_SIZE', value: () => '16384' },
];

/**
 * Returns the names of the variables that a server with this environment gets, so that its OpenTelemetry comes to us.
 * None if the environment turns it off, sends it elsewhere, or has a protocol that the receiver does not speak. A
 * variable that is set is never replaced.
 */
export function telemetryNames(env: Variables): readonly string[] {
  const isOff = /^true$/i.test(env.OTEL_SDK_DISABLED ?? '');
  const isTaken = Object.entries(env).some(
    ([name, value]) => ELSEWHERE.test(name) || (PROTOCOL.test(name) && !SPOKEN.has(value ?? '')),
  );
  if (isOff || isTaken) return [];
  return VARIABLES.filter(({ name, isSaid }) => env[name] === undefined && !isSaid?.(env)).map(({ name }) => name);
}

/** Exporters that SDKs would make, to an address of theirs. */
const EXPORTERS = ['OTEL_TRACES_EXPORTER', 'OTEL_LOGS_EXPORTER', 'OTEL_METRICS_EXPORTER'] as const;

/**
 * Returns the variables of a server whose OpenTelemetry nobody sees: it exports none. Otherwise its SDK would try to
 * reach a receiver on the default port, and so end seconds later. Nothing if its environment sends it somewhere.
 */
export function silentVariables(env: Variables): Readonly<Record<string, string>> {
  if (!telemetryNames(env).includes('OTEL_EXPORTER_OTLP_ENDPOINT')) return {};
  return Object.fromEntries(EXPORTERS.filter((name) => env[name] === undefined).map((name) => [name, 'none']));
}

/** Returns the variables of {@link telemetryNames}. */
export function telemetryVariables(env: Variables, wiring: Wiring): Readonly<Record<string, string>> {
  const names = new Set(telemetryNames(env));
  const named = VARIABLES.filter(({ name }) => names.has(name));
  return Object.fromEntries(named.map(({ name, value }) => [name, value(wiring)]));
}
