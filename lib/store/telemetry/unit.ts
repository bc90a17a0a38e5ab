import { isObject, own } from '@/lib/json/value';

/** Units of telemetry, one in each frame of channel `otel`; see lib/otel. */
const UNITS = ['span', 'log', 'metric', 'resource'] as const;

/** Most characters of a name that rows and filters know. */
const NAME_CHARS = 1000;

/** The facts about a unit of telemetry that its row shows. */
export interface TelemetryUnit {
  readonly unit: (typeof UNITS)[number];
  /** Name of a span or metric, level of a log record. Server text. */
  readonly name: string;
  /** '' if it has none. Server text. */
  readonly service: string;
  /** For a span, in µs. */
  readonly durationUs: number | undefined;
  /** True for a span whose status is an error. */
  readonly failed: boolean;
}

/** The lowest severity number of each log level of MCP, from the mapping to syslog in OpenTelemetry's data model. */
const LEVELS: readonly (readonly [severity: number, level: string])[] = [
  [21, 'emergency'],
  [19, 'alert'],
  [18, 'critical'],
  [17, 'error'],
  [13, 'warning'],
  [10, 'notice'],
  [9, 'info'],
];

/** Reads what the row of a telemetry frame needs. Returns undefined for anything else. */
export function telemetryUnit(value: unknown): TelemetryUnit | undefined {
  if (!isObject(value)) return undefined;
  const unit = UNITS.find((each) => own(value, each) !== undefined);
  if (!unit) return undefined;
  const service = textOf(own(value, 'service'));
  if (unit === 'resource') return { unit, name: '', service, durationUs: undefined, failed: false };
  const facts = own(value, unit);
  if (!isObject(facts)) return undefined;
  const status = own(facts, 'status');
  const us = (numberOf(own(facts, 'endTimeUnixNano')) - numberOf(own(facts, 'startTimeUnixNano'))) / 1000;
  return {
    unit,
    name: unit === 'log' ? levelOf(own(facts, 'severityNumber')) : textOf(own(facts, 'name')),
    service,
    durationUs: unit === 'span' && us >= 0 ? us : undefined,
    failed: isObject(status) && own(status, 'code') === 2,
  };
}

function levelOf(severity: unknown): string {
  return LEVELS.find(([least]) => numberOf(severity) >= least)?.[1] ?? 'debug';
}

/** Reads a number, which OTLP also writes as text. NaN for anything else. */
function numberOf(value: unknown): number {
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, NAME_CHARS) : '';
}
