import { Engine } from '@/lib/mcp/engine';
import type { Negotiated } from '@/lib/mcp/handshake';
import {
  ConnectionError,
  type HttpSink,
  type Transport,
  type TransportEnd,
  type TransportSink,
} from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { JsonObject, RequestId, RpcError } from '@/lib/wire/message';
import { DISCONNECTED } from '../connection/failures';
import { type Launch, PROBING } from '../connection/launch';
import { AnswerTexts, resultText } from './answer-texts';
import { EXIT, Stop } from './exit-code';

/** What a session needs from the subcommand that runs it. */
export interface SessionDeps {
  readonly clock: Clock;
  /** Our version, told to servers as `clientInfo`. */
  readonly version: string;
  /** How long everything together may take. Absent: each request has the engine's usual patience. */
  readonly timeoutMs?: number;
  openTransport(launch: Launch, sink: HttpSink): Transport;
  /** Every frame, as it comes. */
  tap: TransportSink['frame'];
}

/** What the server answered; a result also as the text that it sent. */
export type Answer =
  | { readonly kind: 'result'; readonly result: unknown; readonly text: string }
  | { readonly kind: 'error'; readonly error: RpcError };

/** One server for one subcommand: the engine over a transport, without a log and without anybody watching. */
export class Session {
  readonly #launch: Launch;
  readonly #deps: SessionDeps;
  readonly #engine: Engine;
  readonly #answers = new AnswerTexts();
  readonly #deadline: number;
  #transport: Transport;
  #kind: Launch['transport'];
  #exchanges = 0;
  /** Of messages sent as they stand, while their answers are waited for. */
  #rawIds: readonly RequestId[] = [];
  #closing = false;
  #open = false;
  /** Why the server is gone, once it is. */
  #gone: ConnectionError | undefined;
  #lost: ((reason: ConnectionError) => void) | undefined;

  constructor(launch: Launch, deps: SessionDeps) {
    this.#launch = launch;
    this.#kind = launch.transport;
    this.#deps = deps;
    this.#deadline = deps.clock.now() + (deps.timeoutMs ?? Number.POSITIVE_INFINITY);
    this.#engine = new Engine(
      {
        send: (text) => this.#transport.send(text),
        lifecycle: () => {},
        clock: deps.clock,
        respawn: () => this.#respawn(),
        probing: () => PROBING[this.#kind],
        fallBack: () => (this.#kind === 'auto' && !this.#open ? this.#fallBack() : undefined),
        negotiated: (version, era) => this.#transport.negotiated?.(version, era),
        cancel: (id) => this.#transport.cancel?.(id) ?? false,
      },
      {
        protocol: launch.protocol,
        clientInfo: { name: 'mcp-inspect', version: deps.version },
        capabilities: {},
      },
    );
    this.#transport = this.#newTransport();
  }

  /** Starts the server and shakes hands. Rejects with a {@link ConnectionError}, or with Stop when the time is up. */
  async open(): Promise<Negotiated> {
    const opening = this.#transport.open().then(() => this.#engine.handshake());
    const negotiated = await this.#inTime(opening, Number.POSITIVE_INFINITY);
    this.#open = true;
    return negotiated;
  }

  /**
   * Asks the server. `params` is JSON text and goes out as it stands. Rejects with a ConnectionError when nothing can be sent
   * or the server goes, and with Stop when it is silent for too long.
   */
  async request(method: string, params?: string, onProgress?: (params: JsonObject) => void): Promise<Answer> {
    const sentAt = this.#deps.clock.now();
    const left = Math.max(this.#deadline - sentAt, 1);
    const patience = Number.isFinite(left) ? { timeoutMs: left, maxMs: left } : {};
    const { id, outcome } = this.#engine.request(method, params, { ...patience, onProgress });
    const line = this.#answers.next(id);
    const ended = await outcome;
    if (ended.kind === 'result') return { ...ended, text: resultText(await line, ended.result) };
    if (ended.kind === 'error') return ended;
    if (ended.kind === 'timeout') throw tooLate(this.#deps.timeoutMs ?? this.#deps.clock.now() - sentAt);
    throw this.#gone ?? (ended.kind === 'lost' && ended.http ? new ConnectionError(ended.http) : undefined);
  }

  /**
   * Sends a message exactly as it stands, and resolves with the lines that answer `ids`, in the order they came. Rejects like
   * {@link request}, and with Stop when the time is up.
   */
  async exchange(text: string, ids: readonly RequestId[]): Promise<readonly string[]> {
    this.#engine.noteSent(text);
    const lines = new Set<string>();
    const answers = ids.map((id) => this.#answers.next(id).then((line) => lines.add(line)));
    const lost = new Promise<never>((_, reject) => {
      this.#lost = reject;
    });
    this.#rawIds = ids;
    this.#transport.send(text);
    await this.#inTime(Promise.race([Promise.all(answers), lost]), LIMITS.requestMs);
    return [...lines];
  }

  /** Ends the server by the ladder. Resolves when it is gone; idempotent. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#transport.close();
  }

  /** True once {@link close} was called: what fails then, fails because of that. */
  get closing(): boolean {
    return this.#closing;
  }

  #newTransport(): Transport {
    const launch = { ...this.#launch, transport: this.#kind } as Launch;
    const transport = this.#deps.openTransport(launch, {
      frame: this.#deps.tap,
      lifecycle: () => {},
      message: (text) => {
        this.#answers.see(text);
        this.#engine.receive(text);
      },
      ended: (end) => {
        if (this.#transport === transport) this.#ended(end);
      },
      nextExchange: () => ++this.#exchanges,
      awaits: (id) => this.#engine.awaits(id) || this.#rawIds.includes(id),
      unanswered: (id, why) => {
        this.#engine.unanswered(id, why);
        if (this.#rawIds.includes(id)) this.#lost?.(new ConnectionError(why));
      },
      // One command is one session: the request that met this fails, and says so.
      sessionLost: () => {},
    });
    return transport;
  }

  /** Auto mode: what refused Streamable HTTP may speak HTTP+SSE. Rejects if it doesn't. */
  async #fallBack(): Promise<void> {
    this.#kind = 'sse';
    const old = this.#transport;
    this.#transport = this.#newTransport();
    await old.close();
    await this.#transport.open();
  }

  /** A new process for the same session: the last one died of the probe. */
  async #respawn(): Promise<void> {
    this.#transport = this.#newTransport();
    await this.#transport.open();
  }

  #ended(end: TransportEnd): void {
    this.#gone =
      this.#launch.transport === 'stdio' ? exited(end, this.#open) : new ConnectionError(end.failure ?? DISCONNECTED);
    if (!this.#engine.end(this.#gone, this.#closing)) this.#lost?.(this.#gone);
  }

  /** `work`, or Stop after the session's own time; after `ms` if it has none. */
  async #inTime<T>(work: Promise<T>, ms: number): Promise<T> {
    const { clock, timeoutMs } = this.#deps;
    const left = timeoutMs === undefined ? ms : Math.max(this.#deadline - clock.now(), 1);
    if (!Number.isFinite(left)) return work;
    let callOff = (): void => {};
    const late = new Promise<never>((_, reject) => {
      callOff = clock.after(left, () => reject(tooLate(timeoutMs ?? ms)));
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      callOff();
    }
  }
}

/** The time was up before there was an answer. */
function tooLate(ms: number): Stop {
  return new Stop(
    EXIT.timeout,
    `There was no answer within ${Math.round(ms / 100) / 10} seconds. Give it longer with \`--timeout\`, or see above what the server printed.`,
  );
}

function exited({ code, signal }: TransportEnd, open: boolean): ConnectionError {
  const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
  return new ConnectionError({
    code: 'server-exited',
    message: open ? `The server ${how} before it answered.` : `The server ${how} before it was ready.`,
    advice: 'Read above what it printed, and mend the cause.',
  });
}
