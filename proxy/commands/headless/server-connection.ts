import type { BrokenText } from '@/lib/doctor/broken-answer';
import { PrintedLines } from '@/lib/hub/printed-lines';
import { launchAs } from '@/lib/hub/url-launch';
import { topLevelMembers } from '@/lib/json/members';
import { withoutBom } from '@/lib/json/parse';
import { BYTE } from '@/lib/json/scan';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ClientHandlers } from '@/lib/mcp/answering';
import { DISCONNECTED } from '@/lib/mcp/connection-failures';
import type { PresentedClient } from '@/lib/mcp/engine';
import type { FollowUpOptions } from '@/lib/mcp/follow-ups';
import type { Negotiated } from '@/lib/mcp/handshake';
import { LiveConnection, type LiveHost } from '@/lib/mcp/live-connection';
import type { TapHost } from '@/lib/mcp/log-tap';
import { outcomeOf, type RequestOutcome } from '@/lib/mcp/requests';
import { reportingSecrets } from '@/lib/mcp/secret-answers';
import { type ClientInfo, clientInfoWith } from '@/lib/mcp/versions';
import type { SecretSink } from '@/lib/redact/capture-redactor';
import {
  ConnectionError,
  type HttpFailure,
  type HttpSink,
  RefusedError,
  type Transport,
} from '@/lib/transports/transport';
import { type Clock, type Moment, momentNow } from '@/lib/wire/clock';
import type { NearbyAddresses } from '@/lib/wire/command';
import { countOf } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { isFailure, type LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { errorName, idKey, type RequestId, type RpcError } from '@/lib/wire/message';
import type { LogLevel } from '@/lib/wire/protocol-names';
import { isTaskMethod } from '@/lib/wire/task';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import { type Launch, type LookFurther, printedUrlLaunch, startEvent } from '@/proxy/connection/launch';
import type { ServerTelemetry } from '@/proxy/otel/server-telemetry';
import { jsonLine } from '../shared/format-content';
import { LateError, TimeOverError, UnusableAnswer } from './late-error';

/** Catches the lines that answer requests in raw text, which the engine does not know. */
class RawAnswers {
  /** Gets each line with answers until every request is answered. */
  #whole: ((line: string, messages: readonly unknown[]) => void) | undefined;
  /** Keys of the requests that it waits for. */
  #open: ReadonlySet<string> = new Set();

  /** True for a request of {@link awaitAnswers} that is not answered yet. */
  isOpen(id: RequestId): boolean {
    return this.#open.has(idKey(id));
  }

  /**
   * Calls `onLine` with each line that answers one of `ids`. Resolves when all are answered, at once for none. An
   * error without an id answers all of them, since servers refuse a whole message that way. Never rejects.
   */
  awaitAnswers(ids: readonly RequestId[], onLine: (line: string) => void): Promise<void> {
    const open = new Set(ids.map(idKey));
    this.#open = open;
    if (open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whole = (line, messages) => {
        const answers = messages.filter(isAnswer).filter(({ id }) => open.delete(idKey(id)));
        const refused = messages.some(isNamelessError);
        if (answers.length > 0 || refused) onLine(line);
        if (open.size > 0 && !refused) return;
        this.#whole = undefined;
        open.clear();
        resolve();
      };
    });
  }

  /** Reads a line of the server. Never throws. */
  readLine(line: string): void {
    this.#whole?.(line, messagesIn(line));
  }
}

/** Parses the messages of a line: several in a batch, none in invalid JSON. */
export function messagesIn(line: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(withoutBom(line));
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    return [];
  }
}

/** True for messages that the engine accepts as responses. */
export function isAnswer(message: unknown): message is { readonly id: RequestId } {
  if (!isObject(message) || typeof own(message, 'method') === 'string') return false;
  const id = own(message, 'id');
  return (typeof id === 'string' || typeof id === 'number') && outcomeOf(message) !== undefined;
}

/** True for an error without an id, such as the response to invalid JSON or to a refused batch. */
function isNamelessError(message: unknown): boolean {
  return isObject(message) && own(message, 'id') == null && isObject(own(message, 'error'));
}

/** Describes a protocol error in one sentence. */
export function errorSentence({ error, undeclared }: Pick<ErrorAnswer, 'error' | 'undeclared'>): string {
  const { code, message, data } = error;
  const sentence = `The request was answered with ${errorName(code)}: ${message}${data === undefined ? '' : ` ${jsonLine(data)}`}`;
  return undeclared === undefined ? sentence : `${ended(sentence)} The server does not declare \`${undeclared}\`.`;
}

/** Returns a sentence with its full stop. */
export function ended(sentence: string): string {
  return sentence.replace(/\.?$/, '.');
}

/** Returns the text of a `result` as the server wrote it. A result in an unexpected batch is serialised again. */
export function resultText(line: string, result: unknown): string {
  if (line.trimStart().startsWith('[')) return jsonLine(result);
  const member = topLevelMembers(line).findLast(({ key }) => key === 'result');
  return member === undefined ? jsonLine(result) : line.slice(member.start, member.end);
}

/** The lines that answered a request and those about its task, the newest for each method. */
class AnswerLines {
  readonly #lines = new Map<string, string>();
  #refused: string | undefined;
  /** True if requests about a task were sent. */
  isTask = false;

  readonly onAgain = (_id: RequestId, method: string): void => {
    this.isTask ||= isTaskMethod(method);
  };

  readonly onAnswer = (line: string, method: string): void => {
    this.#lines.set(method, line);
  };

  /** Called if input for the task is refused, after which the task is cancelled. */
  readonly onRefused = (reason: string): void => {
    this.#refused = reason;
  };

  get whyCancelled(): string {
    if (this.#refused === undefined) return 'The server cancelled the task.';
    return `The task asked for input, so it was cancelled: ${this.#refused}. Give answers with \`--answers FILE\`.`;
  }

  /** Returns the exact text of a result. That of a modern task is inside of the task. */
  textOf({ result, heldBy }: Extract<RequestOutcome, { kind: 'result' }>, method: string): string {
    const line = this.#lines.get(heldBy ?? method) ?? '';
    if (heldBy !== 'tasks/get' || line.trimStart().startsWith('[')) return resultText(line, result);
    const task = resultText(line, undefined);
    const member = topLevelMembers(task).findLast(({ key }) => key === 'result');
    return member === undefined ? jsonLine(result) : task.slice(member.start, member.end);
  }
}

/** How to follow the task of a call. */
export type Following = Pick<FollowUpOptions, 'task' | 'onTaskReport'> & {
  /** Gets the number of the request's frame. */
  readonly onSent?: (seq: number) => void;
};

const decoder = new TextDecoder();

/** Settings of a connection, from its subcommand. */
interface ServerConnectionOptions {
  readonly clock: Clock;
  /** When the connection began. Absent: now. */
  readonly began?: Moment;
  /** Version of mcp-inspect, sent as `clientInfo`. */
  readonly version: string;
  /** The client to present; absent: mcp-inspect without capabilities. */
  readonly client?: ServerClient;
  /** Log messages to ask for. Absent: what the server sends unasked. */
  readonly logLevel?: LogLevel | undefined;
  /** Milliseconds for the whole command. Absent: each request has the engine’s usual timeout. */
  readonly timeoutMs?: number;
  openTransport(launch: Launch, sink: HttpSink): Transport;
  /** Has requests carry a trace context. */
  readonly traced?: boolean;
  /** Receives the server's OpenTelemetry. */
  readonly telemetry?: ServerTelemetry | undefined;
  readonly lookFurther: LookFurther;
  /** Gets every frame as it comes, and returns its seq. */
  append: TapHost['append'];
  /** Gets the era that auto mode found. */
  readonly eraFound?: LiveHost['onEraFound'];
  /** Called if a process that has not answered printed this address, where no MCP server answered. */
  readonly onNothingAt?: (url: string) => void;
  /** Gets the values that are masked in frames, and the answers to questions for secrets. */
  readonly secrets?: SecretSink | undefined;
}

/** A client as servers see it. */
export interface ServerClient extends Pick<PresentedClient, 'meta' | 'times'> {
  /** An absent member is that of mcp-inspect. */
  readonly info: Partial<ClientInfo> | undefined;
  /** The same for every version, or those of a version. */
  readonly capabilities: JsonObject | ((version: string) => JsonObject);
  readonly handlers: ClientHandlers;
  /** How long each step of the handshake waits, in ms. */
  readonly handshakeMs?: number | undefined;
}

/** A result, with its exact text. */
export interface ResultAnswer {
  readonly kind: 'result';
  readonly result: unknown;
  readonly text: string;
}

/** Answer of the server. */
export type ServerAnswer = ResultAnswer | ErrorAnswer;

interface ErrorAnswer {
  readonly kind: 'error';
  readonly error: RpcError;
  /** The capability that the request needs, and that the server does not declare. */
  readonly undeclared?: string;
}

/** A live connection to one server for one subcommand, without log and page. */
export class ServerConnection {
  readonly #launch: Launch;
  readonly #deps: ServerConnectionOptions;
  readonly #live: LiveConnection;
  readonly #began: Moment;
  readonly #answers = new RawAnswers();
  readonly #deadline: number;
  #lost: ((reason: Error) => void) | undefined;
  /** Called with the JSON of an HTTP error response to raw text. It may have no id. */
  #refused: ((line: string) => void) | undefined;
  /** The latest line from the server since raw text was sent. */
  #newest: string | undefined;
  /** A POST without requests. Closing before the server has accepted it would cancel it. */
  #posted: { exchange?: number; readonly taken: () => void } | undefined;
  /** Gets each line from the server after text that is not a message. */
  #afterText: ((line: string) => void) | undefined;
  readonly #stop = new AbortController();
  readonly #printed = new PrintedLines();
  /** An address was printed, and is probed unless the server answers soon. */
  #isProbed = false;
  #isLooking = false;
  /** The process sent JSON on stdout, so it may speak MCP there. */
  #hasSent = false;
  /** Ends {@link open}, because the process serves HTTP instead. */
  #endOpening = (_why: ConnectionError): void => {};
  #closing = false;

  constructor(launch: Launch, deps: ServerConnectionOptions) {
    this.#launch = launch;
    this.#deps = deps;
    this.#began = deps.began ?? momentNow(deps.clock);
    this.#deadline = deps.clock.now() + (deps.timeoutMs ?? Number.POSITIVE_INFINITY);
    this.#live = new LiveConnection(
      {
        kind: launch.transport,
        protocol: launch.protocol,
        clientInfo: clientInfoWith(deps.version, deps.client?.info),
        capabilities: (version) => {
          const { capabilities = {} } = deps.client ?? {};
          return typeof capabilities === 'function' ? capabilities(version) : capabilities;
        },
        ...(deps.client && {
          handlers: reportingSecrets(deps.client.handlers, (values) => deps.secrets?.addGivenSecrets(values)),
          meta: deps.client.meta,
          times: deps.client.times,
        }),
        ...(deps.logLevel && { logLevel: deps.logLevel }),
        endsOnWrongId: true,
        handshakeMs: deps.client?.handshakeMs,
        readsLists: false,
        traced: deps.traced,
        ...(launch.remembered && { remembered: launch.remembered }),
      },
      {
        clock: deps.clock,
        began: this.#began,
        openTransport: (kind, sink) => deps.openTransport(launchAs(launch, kind), sink),
        append: (channel, direction, flags, time, source, start, end) => {
          if (channel === 'http' && this.#posted)
            this.#seeHttp(JSON.parse(decoder.decode(source.subarray(start, end))));
          if (this.#afterText && channel === 'protocol' && direction === 'to-client')
            this.#afterText(decoder.decode(source.subarray(start, end)));
          // Only HTTP refuses with a status. Decoding a flood on stdio would be wasted.
          if (launch.transport !== 'stdio' && channel === 'protocol' && direction === 'to-client' && this.#refused)
            this.#newest = decoder.decode(source.subarray(start, end));
          const seq = deps.append(channel, direction, flags, time, source, start, end);
          this.#watchAddress({ channel, direction, bytes: source.subarray(start, end) });
          return seq;
        },
        telemetry: deps.telemetry,
        onSecrets: (values) => deps.secrets?.addMaskedSecrets(values),
        onEraFound: deps.eraFound,
        onStateChange: () => {
          if (this.#live.failure) this.#lost?.(this.#live.failure);
        },
        onMessage: (text) => this.#answers.readLine(text),
        awaits: (id) => this.#answers.isOpen(id),
        onUnanswered: (id, why) => {
          if (!this.#answers.isOpen(id)) return;
          if (why.error && this.#newest !== undefined) this.#refused?.(this.#newest);
          else this.#lost?.(new ConnectionError(why));
        },
      },
    );
  }

  /**
   * Starts the server and shakes hands; resolves with undefined without a handshake. Rejects with a ConnectionError,
   * or with an ExitError when the time is up.
   */
  async open(): Promise<Negotiated | undefined> {
    const start = startEvent(this.#launch, this.#began.at, this.#deps.telemetry?.names);
    const opened = this.#live.open(start, this.#launch.rules && (() => this.#setRules()));
    const ready = opened.then(
      (negotiated) => this.#live.logLevelSet.then(() => negotiated),
      namingOption(this.#deps.client),
    );
    const elsewhere = new Promise<never>((_, reject) => {
      this.#endOpening = reject;
    });
    return this.#inTime(Promise.race([ready, elsewhere]), Number.POSITIVE_INFINITY);
  }

  async #setRules(): Promise<void> {
    for (const set of this.#launch.rules ?? []) await this.#live.setRules(set);
  }

  /**
   * Sends a request with `params` exactly as given. Rejects with a ConnectionError if it can’t be sent or the server
   * goes away, with a TimeOverError if the time of the command was over before, and with an ExitError on a timeout.
   * `signal` cancels it, which rejects, too. `following`: follows a task that it starts.
   */
  async request(
    method: string,
    params?: string,
    onProgress?: (params: JsonObject) => void,
    signal?: AbortSignal,
    following?: Following,
  ): Promise<ServerAnswer> {
    this.#requireUsable(method);
    const sentAt = this.#deps.clock.now();
    const lines = new AnswerLines();
    const { onSent, ...task } = following ?? {};
    const { id, seq, outcome } = this.#live.request(method, params, {
      ...this.#patience(),
      onProgress,
      onAgain: lines.onAgain,
      onAnswer: lines.onAnswer,
      ...(following && { ...task, followsTask: true, onTaskRefused: lines.onRefused }),
    });
    onSent?.(seq);
    // During a sign-in the engine has no timeout, but `--timeout` still holds.
    const ended = await this.#inTime(this.#cancellable(id, outcome, signal), Number.POSITIVE_INFINITY);
    return this.#answerOf(ended, lines, method, sentAt);
  }

  /** Follows a task of an earlier connection to its result. `task` describes it. Rejects like {@link request}. */
  async followTask(task: JsonObject, onTaskReport: Following['onTaskReport']): Promise<ServerAnswer> {
    const sentAt = this.#deps.clock.now();
    const lines = new AnswerLines();
    const { onAgain, onAnswer, onRefused } = lines;
    const options = { ...this.#patience(), onAgain, onAnswer, onTaskReport, onTaskRefused: onRefused };
    const ended = await this.#inTime(this.#live.followTask(task, options), Number.POSITIVE_INFINITY);
    return this.#answerOf(ended, lines, 'tasks/get', sentAt);
  }

  async #answerOf(ended: RequestOutcome, lines: AnswerLines, method: string, sentAt: number): Promise<ServerAnswer> {
    if (ended.kind === 'result') return { ...ended, text: lines.textOf(ended, method) };
    if (ended.kind === 'error' && isUnknownSession(ended)) throw new RefusedError(ended.http.status!, ended.http);
    if (ended.kind === 'error') return ended;
    if (ended.kind === 'timeout') throw this.#lateAnswer(this.#deps.clock.now() - sentAt);
    if (ended.kind === 'lost' && ended.unusable) throw new UnusableAnswer(ended.unusable);
    if (ended.kind === 'lost' && ended.task) throw new ExitError(EXIT.serverError, `${ended.task.message}`);
    if (ended.kind === 'cancelled' && (lines.isTask || isTaskMethod(method)))
      throw new ExitError(EXIT.serverError, lines.whyCancelled);
    const http = ended.kind === 'lost' ? ended.http : undefined;
    if (!this.#live.failure && http?.status !== undefined) throw new RefusedError(http.status, http);
    throw this.#live.failure ?? new ConnectionError(http ?? DISCONNECTED);
  }

  /**
   * Sends a request and resolves with its frame once it has ended in any way. Rejects with a ConnectionError if it
   * can’t be sent, and with an ExitError when the time is up. `signal` cancels it.
   */
  async requestSeq(method: string, params: string | undefined, signal?: AbortSignal): Promise<number> {
    this.#requireUsable(method);
    const { id, seq, outcome } = this.#live.request(method, params, this.#patience());
    await this.#inTime(this.#cancellable(id, outcome, signal), Number.POSITIVE_INFINITY);
    return seq;
  }

  /** Cancels a request when `signal` is aborted. One signal may be for very many requests. */
  #cancellable<T>(id: RequestId, outcome: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const cancel = () => this.#live.cancel(id);
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel);
    return outcome.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /**
   * Waits until `signal` is aborted. Rejects with a ConnectionError if the server goes away first, and with an
   * ExitError when the time is up.
   */
  async untilStopped(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (this.#live.failure) throw this.#live.failure;
    const lost = new Promise<never>((_, reject) => {
      this.#lost = reject;
    });
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await this.#inTime(Promise.race([stopped, lost]), Number.POSITIVE_INFINITY);
  }

  /** Sends a notification. Throws a ConnectionError if it can’t be sent. */
  notify(method: string, params: string | undefined): void {
    this.#live.notify(method, params);
  }

  /**
   * Sends a message or batch exactly as given. Calls `onLine` with each line that answers one of `ids`, or with the
   * JSON of an HTTP error response to it. Resolves when all are answered or the whole is refused; without ids, when it
   * is delivered. Rejects like {@link request}.
   */
  async sendRaw(text: string, ids: readonly RequestId[], onLine: (line: string) => void): Promise<void> {
    const lost = new Promise<never>((_, reject) => {
      this.#lost = reject;
    });
    const refused = new Promise<void>((resolve) => {
      this.#refused = (line) => {
        onLine(line);
        resolve();
      };
    });
    this.#newest = undefined;
    const byHttp = ids.length === 0 && this.#launch.transport !== 'stdio';
    const answered = byHttp ? this.#delivery() : this.#answers.awaitAnswers(ids, onLine);
    this.#live.send(text);
    await this.#inTime(Promise.race([answered, refused, lost]), LIMITS.requestMs);
  }

  /**
   * Sends text that is not a message, exactly as given. Calls `onLine` with the error that refuses it, if one comes
   * within {@link REFUSAL_MS}: most servers ignore such text. Rejects like {@link request}.
   */
  async sendText(text: string, onLine: (line: string) => void): Promise<void> {
    const lost = new Promise<never>((_, reject) => {
      this.#lost = reject;
    });
    const delivered = this.#launch.transport === 'stdio' ? undefined : this.#delivery();
    const refusal = this.#refusal();
    this.#live.sendRaw(text, true);
    const line = await this.#inTime(Promise.race([refusal, lost]), LIMITS.requestMs);
    if (line === undefined) await this.#inTime(Promise.race([delivered, lost]), LIMITS.requestMs);
    else onLine(line);
  }

  /** Resolves with the next line that is an error without an id; with undefined if none comes in time. */
  #refusal(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const end = (line?: string): void => {
        callOff();
        this.#afterText = undefined;
        // The status of the response no longer matters.
        if (line !== undefined) this.#posted = undefined;
        resolve(line);
      };
      const callOff = this.#deps.clock.after(REFUSAL_MS, () => end());
      this.#afterText = (line) => {
        if (messagesIn(line).some(isNamelessError)) end(line);
      };
    });
  }

  /** Resolves when the server has accepted the next POST. */
  #delivery(): Promise<void> {
    return new Promise((resolve) => {
      this.#posted = { taken: resolve };
    });
  }

  #seeHttp(frame: HttpFrame): void {
    const posted = this.#posted!;
    if (frame.kind === 'request' && frame.method === 'POST') posted.exchange ??= frame.exchange;
    if (frame.exchange !== posted.exchange) return;
    if (frame.kind === 'end' && frame.by !== 'client') {
      const { code = 'not-taken', message = 'The server did not accept the message.' } = frame;
      this.#lost?.(new ConnectionError({ code, message, advice: 'Add `--record FILE` to see its response.' }));
    } else if (frame.kind === 'end' || (frame.kind === 'response' && frame.status < 300)) {
      this.#posted = undefined;
      posted.taken();
    }
  }

  /**
   * Requests addresses near a URL that did not connect. Resolves when the results are in the log, or when the time of
   * the command is over.
   */
  async lookFurther(where: NearbyAddresses): Promise<void> {
    const launch = this.#launch;
    if (launch.transport === 'stdio' || this.leftMs < 1) return;
    if (where !== 'server-card') this.#live.event({ event: 'look-further', where });
    await this.#withinTime((signal) => this.#deps.lookFurther(launch, where, this.#live.logOnlySink(), signal));
  }

  /**
   * Sends what only some hosts send. Resolves when the answers are in the log, or when the time of the command is over.
   */
  async sendAsHosts(): Promise<void> {
    if (this.leftMs >= 1) await this.#withinTime((signal) => this.#live.sendAsHosts(signal));
  }

  /** Runs `work`, whose signal is aborted when the time of the command is over. */
  async #withinTime(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const over = new AbortController();
    const left = this.leftMs;
    const callOff = Number.isFinite(left) ? this.#deps.clock.after(left, () => over.abort()) : () => {};
    await work(AbortSignal.any([this.#stop.signal, over.signal])).finally(callOff);
  }

  /** True while our request with this id waits for its answer. */
  awaits(id: RequestId): boolean {
    return this.#live.methodOf(id) !== undefined;
  }

  /** The id of the oldest request of this method that waits for its answer. */
  oldestOf(method: string): RequestId | undefined {
    return this.#live.oldestOf(method);
  }

  /** Ends a request soon, because a text on stdout looks like the answer to it. */
  async onBrokenAnswer(id: RequestId, text: BrokenText): Promise<void> {
    const method = this.#live.methodOf(id);
    if (method === undefined) return;
    // Loaded here because few servers write such text.
    const { brokenText } = await import('@/lib/doctor/broken-answer');
    this.#live.onBrokenAnswer(id, brokenText(method, text, id));
  }

  /** Milliseconds that are left for the command; Infinity without a limit. */
  get leftMs(): number {
    return this.#deadline - this.#deps.clock.now();
  }

  /** Looks for an MCP server at an address that the process prints instead of answering on stdio. */
  #watchAddress(frame: Pick<Frame, 'channel' | 'direction' | 'bytes'>): void {
    if (this.#launch.transport !== 'stdio' || this.#live.state !== 'starting' || this.#isLooking) return;
    const isOutput = frame.channel === 'protocol' && frame.direction === 'to-client';
    if (isOutput && frame.bytes[0] === BYTE.openObject) this.#hasSent = true;
    if (this.#isProbed) return;
    this.#printed.add(frame);
    const { url } = this.#printed;
    if (url === undefined) return;
    this.#isProbed = true;
    this.#deps.clock.after(SILENT_MS, () => void this.#probePrinted(url));
  }

  /** Looks for an MCP server at an address that was printed. If there is one, an answer on stdio is not waited for. */
  async #probePrinted(url: string): Promise<void> {
    const isStarting = (): boolean => this.#live.state === 'starting' && !this.#live.failure && !this.#closing;
    if (!isStarting()) return;
    this.#isLooking = true;
    this.#live.event({ event: 'look-further', where: 'printed' });
    // Loaded here because few processes print an address.
    const [{ findsServer }, { SERVES_HTTP }] = await Promise.all([
      import('./printed-server'),
      import('@/lib/doctor/silence'),
    ]);
    const isFound = await findsServer(this.#live.logOnlySink(), (sink) =>
      this.#deps.lookFurther(printedUrlLaunch(url), 'printed', sink, this.#stop.signal),
    );
    if (!isStarting() || this.#hasSent) return;
    if (isFound) this.#endOpening(new ConnectionError(SERVES_HTTP));
    else this.#deps.onNothingAt?.(url);
  }

  /** Logs a lifecycle event. */
  logEvent(event: LifecycleEvent): void {
    this.#live.event(event);
  }

  /** Ends the server politely, then by force. Resolves when it is gone; idempotent. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#stop.abort();
    await this.#live.close('user');
  }

  /** True once {@link close} was called, which makes other work fail. */
  get closing(): boolean {
    return this.#closing;
  }

  /** Throws why a request can't be sent. Why the server is gone says more than that. */
  #requireUsable(method: string): void {
    if (this.#live.failure) throw this.#live.failure;
    const { timeoutMs } = this.#deps;
    // A timer counts whole milliseconds.
    if (this.leftMs >= 1) return;
    const given = countOf(timeoutMs! / 1000, 'second');
    const sentence = `The time of this command (${given}) was over before ${method} could be sent.`;
    throw new TimeOverError(sentence, '--timeout');
  }

  #patience(): { timeoutMs?: number; maxMs?: number } {
    const left = Math.max(this.leftMs, 1);
    const silence = this.#deps.client?.times?.timeoutMs ?? left;
    return Number.isFinite(left) ? { timeoutMs: Math.min(left, silence), maxMs: left } : {};
  }

  /** Returns the error of a request that waited so long, which names the option that ended it. */
  #lateAnswer(waitedMs: number): LateError {
    const { timeoutMs, client } = this.#deps;
    const isSilence = client?.times?.timeoutMs !== undefined && this.leftMs > 0 && waitedMs < LIMITS.requestMaxMs;
    return isSilence ? tooLate(waitedMs, '--request-timeout') : tooLate(timeoutMs ?? waitedMs);
  }

  /** Limits `work` to the time left for the command or, without such a limit, to `ms`. Rejects with an ExitError. */
  async #inTime<T>(work: Promise<T>, ms: number): Promise<T> {
    const { clock, timeoutMs } = this.#deps;
    const left = timeoutMs === undefined ? ms : Math.max(this.leftMs, 1);
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

/** True for an error that says that the server does not know our session, which no answer of a method says. */
function isUnknownSession(
  ended: Extract<RequestOutcome, { kind: 'error' }>,
): ended is typeof ended & { readonly http: HttpFailure } {
  const isStatus = ended.http?.status === 400 || ended.http?.status === 404;
  return isStatus && /session|not initiali[sz]ed/i.test(ended.error.message);
}

/** Adds the option that shortened or extended the handshake to the error that it ran out of time, and throws it. */
function namingOption(client: ServerClient | undefined): (error: unknown) => never {
  return (error) => {
    if (client?.handshakeMs === undefined || !isFailure(error) || error.code !== 'handshake-timeout') throw error;
    const { code, message, advice } = error;
    throw new ConnectionError({ code, message: message.replace(/\.$/, ' (`--request-timeout`).'), advice });
  };
}

/** How long a process that printed an address has to answer on stdio before that address is probed, in ms. */
const SILENT_MS = 1000;

/** How long a server has to refuse text that is not a message, in ms. */
export const REFUSAL_MS = 1000;

function tooLate(ms: number, option: LateError['option'] = '--timeout'): LateError {
  const seconds = Math.round(ms / 100) / 10;
  return new LateError(`The server did not respond within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`, option);
}
