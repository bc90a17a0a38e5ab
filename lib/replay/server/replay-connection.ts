import { canonicalJson } from '@/lib/json/canonical';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { RpcError } from '@/lib/wire/message';
import { METHOD, RPC_CODE } from '@/lib/wire/protocol-names';
import { type ParsedMessage, parseMessages } from '../traffic/parse-messages';
import type { RecordedNotification } from '../traffic/recorded-traffic';
import { PlaybackPosition } from '../traffic/request-matching';
import { batchSinks, type ClientPreferences, errorAnswerText, type ResponseSink } from './messages-to-client';
import { capabilitiesIn, type Replay, type ReplayHost, type ReplayRequest, toReplayRequest } from './replay';
import { ReplayEvents } from './replay-events';
import { Responder } from './responder';
import { OPENING_METHODS } from './unrecorded';

/** First version without batches. */
const NO_BATCHES = '2025-06-18';

const PARSE_ERROR: RpcError = { code: RPC_CODE.parseError, message: 'Not a JSON-RPC message.' };

const NO_ID: RpcError = {
  code: RPC_CODE.invalidRequest,
  message: 'A request needs an id that is a string or a number.',
};

const NO_BATCH: RpcError = { code: RPC_CODE.invalidRequest, message: `MCP ${NO_BATCHES} and later have no batches.` };

/** Result of receiving a text from the client. */
interface Received {
  /** Number of requests in the text. Each is answered or dropped through the sink. */
  readonly requests: number;
  /** Cancels these requests, since their sender is gone. */
  abandon(): void;
}

/**
 * A server that answers one client from a recording. It matches requests by method and params, and gives equal requests
 * the recorded answers in order. Other recorded messages follow the request or notification that caused them. Ids,
 * progress tokens and subscriptions are the client’s own. Cursors, `requestState` and task ids are sent as recorded, so
 * they come back as recorded.
 */
export class ReplayConnection {
  readonly #replay: Replay;
  readonly #host: ReplayHost;
  readonly #notices = new PlaybackPosition<RecordedNotification>();
  readonly #events: ReplayEvents;
  readonly #responder: Responder;
  readonly #running = new Map<string, ReplayRequest>();
  readonly #outstanding = new OutstandingRequests();
  /** The client’s latest capabilities. */
  #capabilities: JsonObject = {};

  constructor(replay: Replay, host: ReplayHost) {
    this.#replay = replay;
    this.#host = host;
    this.#events = new ReplayEvents(replay, host);
    this.#responder = new Responder(replay, host, this.#events, {
      capabilities: () => this.#capabilities,
      waits: (request) => this.#outstanding.settle(request),
    });
  }

  /** Sends the messages that the server sent before the client’s first message. */
  begin(): void {
    this.#events.playConsequences(this.#replay.traffic.before, 0);
  }

  /** Receives a text from the client: a message, a batch, or anything else. */
  receive(text: string, sink: ResponseSink): Received {
    const reads = parseMessages(text);
    const refused = reads.length === 0 ? PARSE_ERROR : reads[0]!.batch && !this.#takesBatches() ? NO_BATCH : undefined;
    if (refused) {
      sink.sendAnswer(errorAnswerText('null', refused.code, refused.message));
      return { requests: 1, abandon: () => {} };
    }
    const requests = reads.filter(({ message }) => message.kind === 'request').length;
    const sinks = reads[0]!.batch && requests > 0 ? batchSinks(requests, sink) : () => sink;
    const started: ReplayRequest[] = [];
    const abandon = (): void => {
      for (const one of started) this.#callOff(one);
    };
    for (const read of reads) {
      if (read.message.kind === 'notification') this.#notified(read);
      else if (read.message.kind !== 'request') this.#answered(read);
      else if (read.id === undefined) sinks().sendAnswer(errorAnswerText('null', NO_ID.code, NO_ID.message));
      else started.push(this.#startRequest({ ...read, id: read.id }, sinks()));
    }
    return { requests, abandon };
  }

  /**
   * Call it when the client sends nothing more but still listens. Resolves when every answer that does not wait for the
   * client is sent.
   */
  finish(): Promise<void> {
    this.#events.serverRequests.close();
    return this.#outstanding.allSettled();
  }

  /** Stops everything, since the client is gone. */
  end(): void {
    this.#events.end();
    for (const request of this.#running.values()) request.abort.abort();
  }

  #takesBatches(): boolean {
    const { version } = this.#replay.traffic;
    return version === undefined || version < NO_BATCHES;
  }

  #startRequest(read: ParsedMessage & { readonly id: string }, sink: ResponseSink): ReplayRequest {
    const serverRequestId: ClientPreferences['serverRequestId'] = (recorded) =>
      this.#events.serverRequests.currentId(recorded);
    const request = toReplayRequest(read, this.#replay.traffic.era, sink, serverRequestId);
    const key = canonicalJson(read.id);
    this.#capabilities = capabilitiesIn(read) ?? this.#capabilities;
    this.#running.set(key, request);
    if (request.method !== METHOD.listen) this.#outstanding.add(request);
    void this.#responder.respond(request).finally(() => {
      if (this.#running.get(key) === request) this.#running.delete(key);
      this.#events.endSubscription(request);
      this.#outstanding.settle(request);
    });
    return request;
  }

  #notified({ message, params }: ParsedMessage): void {
    if (message.method === METHOD.cancelled) {
      const request = this.#running.get(canonicalJson(params?.member('requestId')?.text ?? ''));
      if (request && !OPENING_METHODS.has(request.method)) this.#callOff(request);
      return;
    }
    const notices = this.#replay.calls.notices(message.method ?? '');
    if (notices.length === 0) return;
    const { item, again } = this.#notices.next(notices);
    if (!again) this.#events.playConsequences(item.after, item.time);
  }

  #answered(read: ParsedMessage): void {
    const {
      id,
      message: { body },
    } = read;
    if (id === undefined || !this.#events.serverRequests.resolveAnswer(id, read)) return;
    const error = own(body, 'error');
    const message = isObject(error) ? own(error, 'message') : undefined;
    if (isObject(error))
      this.#host.printNote(
        `The client refused a request of the server: ${typeof message === 'string' ? message : 'no reason given'}`,
      );
  }

  #callOff(request: ReplayRequest): void {
    if (request.abort.signal.aborted) return;
    request.abort.abort();
    request.sink.dropAnswer();
    this.#outstanding.settle(request);
  }
}

/** Requests that must be answered even after the client has closed its end. */
class OutstandingRequests {
  readonly #open = new Set<ReplayRequest>();
  #onAllSettled: (() => void) | undefined;

  add(request: ReplayRequest): void {
    this.#open.add(request);
  }

  /** Removes a request that was answered, or that waits for the client. */
  settle(request: ReplayRequest): void {
    this.#open.delete(request);
    if (this.#open.size === 0) this.#onAllSettled?.();
  }

  /** Resolves once no such request is left. */
  async allSettled(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onAllSettled = resolve;
    });
  }
}
