import { randomBytes } from 'node:crypto';
import type { TelemetryLink } from '@/lib/mcp/live-connection';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { formatTraceparent, newTrace } from '@/lib/wire/trace-context';
import type { OtelAddress } from './otel-address';
import type { OtlpReceiver, TelemetrySink } from './receiver';
import { telemetryNames, telemetryVariables } from './server-variables';

/** Characters of a service's name that is made from the name of a server. */
const NAME_CHARS = 100;

/** A receiver that starts or runs, and the number of connections that use it. */
interface SharedReceiver {
  readonly running: Promise<OtlpReceiver>;
  uses: number;
}

/** The receivers of this process, by port; 0 for any free one. */
const receivers = new Map<number, SharedReceiver>();

/** Returns the receiver at a port for one more connection. Loads and starts it, unless it runs. */
function joinReceiver(port: number): SharedReceiver {
  const known = receivers.get(port);
  const shared = known ?? {
    running: import('./receiver').then(({ OtlpReceiver }) => OtlpReceiver.start(port)),
    uses: 0,
  };
  receivers.set(port, shared);
  shared.uses++;
  return shared;
}

/** Says that a connection uses a receiver no more. Returns true if none does. */
function leaveReceiver(port: number, shared: SharedReceiver): boolean {
  if (--shared.uses > 0) return false;
  if (receivers.get(port) === shared) receivers.delete(port);
  return true;
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
  #shared: SharedReceiver | undefined;
  #opening: Promise<void> | undefined;

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

  /** Starts to receive. A failure is logged. Never rejects. */
  open(append: TelemetrySink['append'], logEvent: (event: LifecycleEvent) => void): Promise<void> {
    this.#opening = this.#open({ append, logEvent });
    return this.#opening;
  }

  async #open(sink: TelemetrySink): Promise<void> {
    const { port, token } = this.#address;
    this.#sink = sink;
    const shared = joinReceiver(port);
    try {
      this.#running = await shared.running;
      this.#running.open(token, sink);
      this.#shared = shared;
    } catch (error) {
      // The next server may have more luck.
      if (receivers.get(port) === shared) receivers.delete(port);
      const why = error instanceof Error ? error.message : String(error);
      const reason = `The receiver for OpenTelemetry could not start. ${why}`;
      sink.logEvent({ event: 'telemetry-dropped', why: 'no-receiver', reason, requests: 0, items: 0 });
    }
  }

  async close(): Promise<void> {
    // The user may disconnect while it starts.
    await this.#opening;
    const [running, shared] = [this.#running, this.#shared];
    const { port, token } = this.#address;
    if (!running || !shared || !this.#sink) return;
    this.#running = undefined;
    await running.close(token, this.#sink);
    if (leaveReceiver(port, shared)) running.stop();
  }
}
