import { randomBytes } from 'node:crypto';
import type { TelemetryLink } from '@/lib/mcp/live-connection';
import { formatTraceparent, newTrace } from '@/lib/otel/trace-context';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { OtelAddress } from './otel-address';
import type { OtlpReceiver, TelemetrySink } from './receiver';
import { telemetryNames, telemetryVariables } from './server-variables';

/** Characters of a service's name that is made from the name of a server. */
const NAME_CHARS = 100;

/** The receivers of this process, by port; 0 for any free one. Each runs while a connection has a place at it. */
const receivers = new Map<number, Promise<OtlpReceiver>>();

/** Loads and starts a receiver, unless it runs. */
function runningReceiver(port: number): Promise<OtlpReceiver> {
  const running = receivers.get(port) ?? import('./receiver').then(({ OtlpReceiver }) => OtlpReceiver.start(port));
  receivers.set(port, running);
  return running;
}

/** A server to start or to reach, as far as its telemetry is concerned. */
type LaunchedServer =
  | { readonly transport: 'stdio'; readonly name: string; readonly env: NodeJS.ProcessEnv }
  | { readonly transport: 'auto' | 'http' | 'sse'; readonly name: string };

/** The telemetry of one server: its variables, if we start it, and its place at the receiver. */
export class ServerTelemetry implements TelemetryLink {
  /** Names of the variables that it gets. */
  readonly names: readonly string[];
  readonly #server: LaunchedServer;
  readonly #address: OtelAddress;
  readonly #traceparent = formatTraceparent(newTrace());
  #sink: TelemetrySink | undefined;
  #running: OtlpReceiver | undefined;

  private constructor(server: LaunchedServer, names: readonly string[], address: OtelAddress) {
    this.#server = server;
    this.names = names;
    this.#address = address;
  }

  /**
   * Returns the telemetry of a server that we start, unless its environment sends it elsewhere or turns it off; with
   * `at`, also of one that somebody else has started.
   */
  static of(server: LaunchedServer, at?: OtelAddress): ServerTelemetry | undefined {
    if (server.transport !== 'stdio') return at && new ServerTelemetry(server, [], at);
    const names = telemetryNames(server.env);
    if (!names.includes('OTEL_EXPORTER_OTLP_ENDPOINT')) return undefined;
    // Only the server knows the token. It is of no use after the run.
    return new ServerTelemetry(server, names, at ?? { port: 0, token: randomBytes(24).toString('base64url') });
  }

  /** Values that nobody else should see. */
  get secrets(): readonly string[] {
    return [this.#address.token];
  }

  /** The variables, once it is open; none if the receiver could not start. */
  get variables(): Readonly<Record<string, string>> {
    if (!this.#running || this.#server.transport !== 'stdio') return {};
    const endpoint = `${this.#running.origin}/otel/${this.#address.token}`;
    const name = this.#server.name.slice(0, NAME_CHARS);
    return telemetryVariables(this.#server.env, { endpoint, traceparent: this.#traceparent, name });
  }

  async open(append: TelemetrySink['append'], logEvent: (event: LifecycleEvent) => void): Promise<void> {
    const { port, token } = this.#address;
    this.#sink = { append, logEvent };
    try {
      this.#running = await runningReceiver(port);
      this.#running.open(token, this.#sink);
    } catch (error) {
      // The next server may have more luck.
      receivers.delete(port);
      const why = error instanceof Error ? error.message : String(error);
      const reason = `The receiver for OpenTelemetry could not start. ${why}`;
      logEvent({ event: 'telemetry-dropped', why: 'no-receiver', reason, requests: 0, items: 0 });
    }
  }

  async close(): Promise<void> {
    const running = this.#running;
    const { port, token } = this.#address;
    if (!running || !this.#sink) return;
    this.#running = undefined;
    await running.close(token, this.#sink);
    if (!running.isIdle || (await receivers.get(port)) !== running) return;
    receivers.delete(port);
    running.stop();
  }
}
