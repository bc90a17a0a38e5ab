import { request as httpRequest } from 'node:http';
import { onTestFinished } from 'vitest';
import { readTelemetry, type Telemetry } from '@/lib/otel/telemetry';
import type { Clock } from '@/lib/wire/clock';
import type { LifecycleEvent, TelemetryLoss } from '@/lib/wire/lifecycle';
import { OtlpReceiver, type TelemetrySink } from './receiver';

export const TOKEN = 'a-token-of-a-connection';
export const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A span as OTLP/JSON, number `n` of its trace. */
export function spanOf(n: number): Record<string, unknown> {
  const spanId = (n + 1).toString(16).padStart(16, '0');
  return { traceId: TRACE, spanId, name: `span ${n}`, startTimeUnixNano: '1', endTimeUnixNano: '2' };
}

/** An export of spans of the service `files`. */
export function exportOf(spans: readonly unknown[]): unknown {
  const attributes = [{ key: 'service.name', value: { stringValue: 'files' } }];
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'test' }, spans }] }] };
}

/** Everything that a receiver has logged for one connection. */
export class LoggedTelemetry implements TelemetrySink {
  readonly units: Telemetry[] = [];
  readonly losses: TelemetryLoss[] = [];
  bytes = 0;

  append(bytes: Uint8Array): undefined {
    const unit = readTelemetry(bytes);
    if (unit === undefined) throw new Error(`Not a frame: ${Buffer.from(bytes)}`);
    this.bytes += bytes.length;
    this.units.push(unit);
    return undefined;
  }

  logEvent(event: LifecycleEvent): void {
    if (event.event === 'telemetry-dropped') this.losses.push(event);
  }

  /** Names of the spans so far. */
  get spans(): readonly string[] {
    return this.units.flatMap((unit) => ('span' in unit ? [unit.span.name] : []));
  }
}

/** Starts a receiver with one connection, and stops it after the test. `mostMs`: time until a request has arrived. */
export async function startReceiver(clock?: Clock, mostMs?: number) {
  const receiver = await OtlpReceiver.start(0, clock, mostMs);
  onTestFinished(() => receiver.stop());
  const logged = new LoggedTelemetry();
  receiver.open(TOKEN, logged);
  return { receiver, logged, url: `${receiver.origin}/otel/${TOKEN}/v1/traces` };
}

interface Sent {
  readonly method?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly setHost?: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** Sends a request. Resolves with the answer, even if it comes before the body is sent. */
export function send(url: string, body: Uint8Array | string, sent: Sent = {}): Promise<Answer> {
  const { method = 'POST', type = 'application/json', headers = {}, setHost = true } = sent;
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, setHost, agent: false, headers: { 'Content-Type': type, ...headers } });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Sends an export as JSON. */
export function sendJson(url: string, value: unknown, sent: Sent = {}): Promise<Answer> {
  return send(url, JSON.stringify(value), sent);
}
