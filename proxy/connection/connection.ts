import { Engine } from '@/lib/mcp/engine';
import type { Negotiated } from '@/lib/mcp/handshake';
import { Inventory } from '@/lib/mcp/inventory';
import { ConnectionError, type HttpSink, type Transport, type TransportEnd } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { ConnectionSummary, Neighbourhood } from '@/lib/wire/command';
import type { Channel, Direction } from '@/lib/wire/frame';
import { type ConnectionState, type Failure, type LifecycleEvent, stateAfter } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { own, type RequestId } from '@/lib/wire/message';
import { isUnverified } from '@/lib/wire/tls';
import { FrameLog } from '../recorder/frame-log';
import { asFailure, DISCONNECTED, exitFailure, NO_LOOKING, SESSIONS_LOST } from './failures';
import { type Launch, PROBING } from './launch';
import { startOf } from './start-event';
import type { UrlLaunch } from './url-launch';

/** Why a connection is being ended. */
export type CloseReason = Extract<LifecycleEvent, { event: 'closing' }>['reason'];

/** What a connection needs from the proxy. */
export interface ConnectionDeps {
  readonly clock: Clock;
  /** Our version, told to servers as `clientInfo`. */
  readonly version: string;
  openTransport(launch: Launch, sink: HttpSink): Transport;
  /** Asks the neighbours of a server at a URL. Resolves when all is told to the sink; never rejects. */
  lookFurther(launch: UrlLaunch, where: Neighbourhood, sink: HttpSink, signal: AbortSignal): Promise<void>;
  /** The log has new frames. Called once for all that came in one piece. */
  onGrown(connection: Connection): void;
  /** The summary changed. */
  onChanged(connection: Connection): void;
}

/**
 * One live link to one server: the transport below, the engine above, and between them the tap that appends every frame to
 * the log. Whatever goes wrong becomes frames, never an exception of the proxy.
 */
export class Connection {
  readonly id: string;
  readonly launch: Launch;
  readonly log: FrameLog;
  readonly #deps: ConnectionDeps;
  readonly #engine: Engine;
  readonly #inventory: Inventory;
  readonly #startedAt = new Date().toISOString();
  readonly #zero: number;
  #transport: Transport;
  /** How the server is reached now; auto mode may change it while starting. */
  #kind: Launch['transport'];
  #exchanges = 0;
  /** When sessions were lost, on the clock. */
  readonly #sessionsLost: number[] = [];
  #state: ConnectionState = 'starting';
  #negotiated: Pick<ConnectionSummary, 'era' | 'version' | 'serverName'> | undefined;
  #ending: Promise<void> | undefined;
  #looking: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #gone = false;
  #inChunk = false;
  #time = 0;

  constructor(id: string, launch: Launch, deps: ConnectionDeps) {
    this.id = id;
    this.launch = launch;
    this.#deps = deps;
    this.#kind = launch.transport;
    this.#zero = deps.clock.now();
    this.log = new FrameLog({
      onSpillFailed: (error) => this.#event({ event: 'spill-failed', message: error.message }),
    });
    this.#engine = new Engine(
      {
        send: (text) => this.#transport.send(text),
        lifecycle: (event) => this.#event(event),
        clock: deps.clock,
        respawn: () => this.#respawn(),
        probing: () => PROBING[this.#kind],
        fallBack: () => (this.#kind === 'auto' && this.#state === 'starting' ? this.#fallBack() : undefined),
        negotiated: (version, era) => this.#transport.negotiated?.(version, era),
        cancel: (requestId) => this.#transport.cancel?.(requestId) ?? false,
      },
      {
        protocol: launch.protocol,
        clientInfo: { name: 'mcp-inspect', version: deps.version },
        capabilities: {},
      },
    );
    this.#inventory = new Inventory(this.#engine, deps.clock);
    this.#transport = this.#openTransport();
  }

  get summary(): ConnectionSummary {
    return {
      id: this.id,
      name: this.launch.name,
      transport: this.#kind,
      title: this.launch.title,
      ...(insecure(this.launch) && { insecure: true }),
      state: this.#state,
      startedAt: this.#startedAt,
      ...this.#negotiated,
    };
  }

  /** True once the server is gone for good, with everything it started. */
  get ended(): boolean {
    return this.#gone;
  }

  /** Starts the server, shakes hands and lists what it has. Never rejects: a failure is frames and the state `failed`. */
  async open(): Promise<void> {
    this.#event(startOf(this.launch, this.#startedAt));
    try {
      await this.#transport.open();
      const negotiated = await this.#engine.handshake();
      if (this.#state !== 'open') return;
      this.#negotiated = factsOf(negotiated);
      if (this.#kind === 'auto') this.#kind = 'http';
      this.#deps.onChanged(this);
      this.#inventory.start(negotiated.capabilities);
    } catch (error) {
      await this.#fail(asFailure(error));
    }
  }

  /** Sends a request and returns its id and frame. Throws ConnectionError. */
  request(method: string, params: string | undefined, timeoutMs: number | undefined): number {
    this.#requireOpen();
    return this.#engine.request(method, params, { timeoutMs }).seq;
  }

  /** Sends a notification and returns its frame. Throws ConnectionError. */
  notify(method: string, params: string | undefined): number {
    this.#requireOpen();
    return this.#engine.notify(method, params);
  }

  /** Sends exact text, whatever it is, as soon as the server runs. Throws ConnectionError. */
  sendRaw(text: string, terminate: boolean): number {
    this.#engine.noteSent(text);
    return this.#transport.sendRaw(Buffer.from(text), terminate);
  }

  /** Gives up a request of ours, or one sent as raw text, and tells the server. Throws ConnectionError. */
  cancel(id: RequestId): void {
    if (this.#engine.cancel(id) || this.#transport.cancel?.(id)) return;
    // Not the engine's: the user sent it as raw text.
    this.notify('notifications/cancelled', JSON.stringify({ requestId: id, reason: 'Cancelled by the user' }));
  }

  /** Ends the server by the ladder. Resolves when it is gone; idempotent. */
  async close(reason: CloseReason): Promise<void> {
    this.#ending ??= this.#end({ event: 'closing', reason }, { event: 'closed' });
    await this.#ending;
  }

  /** Asks what is beside the URL that failed. Resolves when that is in the log; one search at a time. Throws ConnectionError. */
  async lookFurther(where: Neighbourhood): Promise<void> {
    const { launch } = this;
    if (launch.transport === 'stdio' || !this.#gone || this.#state !== 'failed') throw new ConnectionError(NO_LOOKING);
    if (!this.#looking) {
      const stop = new AbortController();
      this.#event({ event: 'look-further', where });
      const done = this.#deps.lookFurther(
        launch,
        where,
        this.#sinkFor(() => undefined),
        stop.signal,
      );
      this.#looking = { stop, done };
    }
    await this.#looking.done;
    this.#looking = undefined;
  }

  /** Ends a search that is under way. */
  async stopLooking(): Promise<void> {
    this.#looking?.stop.abort();
    await this.#looking?.done;
  }

  #requireOpen(): void {
    if (this.#state === 'open') return;
    throw new ConnectionError({
      code: 'not-connected',
      message: `The connection is ${this.#state}, so nothing can be sent.`,
      advice: this.#state === 'starting' ? 'Wait until the server has answered.' : 'Restart the server to go on.',
    });
  }

  #openTransport(): Transport {
    const launch = this.launch.transport === 'auto' ? { ...this.launch, transport: this.#kind } : this.launch;
    const transport: Transport = this.#deps.openTransport(
      launch as Launch,
      this.#sinkFor(() => transport),
    );
    return transport;
  }

  /** Where a transport reports to; only the end of the one in use counts. */
  #sinkFor(transport: () => Transport | undefined): HttpSink {
    return {
      frame: (channel, direction, source, start, end, flags) =>
        this.#frame(channel, direction, source, start, end, flags),
      lifecycle: (event) => this.#event(event),
      message: (text) => this.#engine.receive(text),
      ended: (end) => {
        if (this.#transport === transport()) this.#serverEnded(end);
      },
      nextExchange: () => ++this.#exchanges,
      awaits: (id) => this.#engine.awaits(id),
      unanswered: (id, why) => this.#engine.unanswered(id, why),
      sessionLost: () => this.#sessionLost(),
    };
  }

  /** Auto mode: what refused Streamable HTTP may speak HTTP+SSE. Rejects if it doesn't. */
  async #fallBack(): Promise<void> {
    this.#kind = 'sse';
    this.#event({ event: 'fallback', transport: 'sse', reason: 'It refused initialize, as servers of HTTP+SSE do.' });
    const old = this.#transport;
    this.#transport = this.#openTransport();
    await old.close();
    await this.#transport.open();
  }

  /** A new handshake on the same connection, unless the server forgets us faster than we can introduce ourselves. */
  #sessionLost(): void {
    if (this.#state !== 'open') return;
    this.#event({ event: 'session-lost' });
    const now = this.#deps.clock.now();
    this.#sessionsLost.push(now);
    const recent = this.#sessionsLost.filter((at) => now - at < LIMITS.sessionsLostMs);
    if (recent.length > LIMITS.sessionsLost) void this.#fail(SESSIONS_LOST);
    else void this.#renew();
  }

  async #renew(): Promise<void> {
    try {
      this.#negotiated = factsOf(await this.#engine.renew());
      this.#deps.onChanged(this);
      this.#inventory.readAgain();
    } catch (error) {
      await this.#fail(asFailure(error));
    }
  }

  /** A new process for the same connection: the last one died of the probe. */
  async #respawn(): Promise<void> {
    this.#transport = this.#openTransport();
    await this.#transport.open();
  }

  /** The server went, by itself or on our asking. */
  #serverEnded(end: TransportEnd): void {
    const failure = this.launch.transport === 'stdio' ? exitFailure(this.#state, end) : (end.failure ?? DISCONNECTED);
    const respawns = this.#engine.end(new ConnectionError(failure), this.#state === 'closing');
    // While starting, the handshake rejects with the same failure, and open() reports it.
    if (this.#state === 'open' && !respawns) void this.#fail(failure);
  }

  async #fail(failure: Failure): Promise<void> {
    const { code, message, advice } = failure;
    this.#ending ??= this.#end({ event: 'failed', code, message, advice });
    await this.#ending;
  }

  /** The one way a connection ends; `first` says why, `last` that it is over. */
  async #end(first: LifecycleEvent, last?: LifecycleEvent): Promise<void> {
    this.#event(first);
    this.#inventory.stop();
    await this.#transport.close();
    if (last) this.#event(last);
    this.#gone = true;
  }

  #event(event: LifecycleEvent): void {
    const bytes = Buffer.from(JSON.stringify(event));
    this.#frame('lifecycle', 'to-client', bytes, 0, bytes.length, 0);
    const state = stateAfter(this.#state, event);
    if (state === this.#state) return;
    this.#state = state;
    this.#deps.onChanged(this);
  }

  /** The tap. Runs for every frame: keep it lean. */
  #frame(
    channel: Channel,
    direction: Direction,
    source: Uint8Array,
    start: number,
    end: number,
    flags: number,
  ): number {
    // What comes in one chunk came at one time; and reading the clock for each line would be felt in a flood.
    if (!this.#inChunk || direction === 'to-server') {
      this.#time = Math.round((this.#deps.clock.now() - this.#zero) * 1000);
    }
    const seq = this.log.append(channel, direction, flags, this.#time, source, start, end);
    if (!this.#inChunk) {
      this.#inChunk = true;
      // After the whole chunk, and before anything else.
      queueMicrotask(() => {
        this.#inChunk = false;
        this.#deps.onGrown(this);
      });
    }
    return seq;
  }
}

function insecure(launch: Launch): boolean {
  return launch.transport !== 'stdio' && isUnverified(launch.url, launch.shown.tls);
}

/** What a summary tells of the handshake. */
function factsOf({ era, version, serverInfo }: Negotiated): Pick<ConnectionSummary, 'era' | 'version' | 'serverName'> {
  const serverName = own(serverInfo ?? {}, 'name');
  return { era, version, ...(typeof serverName === 'string' && { serverName }) };
}
