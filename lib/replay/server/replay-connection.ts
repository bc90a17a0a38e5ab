import { canonicalJson } from '@/lib/json/canonical';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type ParsedMessage, parseMessages } from '../traffic/parse-messages';
import type { RecordedNotification } from '../traffic/recorded-traffic';
import { PlaybackPosition } from '../traffic/request-matching';
import { batchSinks, type ClientPreferences, errorText, type ResponseSink } from './messages-to-client';
import { capabilitiesIn, LISTEN, type Replay, type ReplayHost, type ReplayRequest, toReplayRequest } from './replay';
import { ReplayEvents } from './replay-events';
import { Responder } from './responder';
import { OPENING_METHODS, type Refused } from './unrecorded';

/** Requests that are answered even if the client says nothing any more. */
class OutstandingRequests {
  readonly #open = new Set<ReplayRequest>();
  #onPaid: (() => void) | undefined;

  add(asked: ReplayRequest): void {
    this.#open.add(asked);
  }

  /** It was answered, or waits for the client. */
  settle(asked: ReplayRequest): void {
    this.#open.delete(asked);
    if (this.#open.size === 0) this.#onPaid?.();
  }

  /** Resolves once there is none. */
  async allSettled(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onPaid = resolve;
    });
  }
}

/** What became of a text that the client sent. */
export interface Received {
  /** How many requests were in it; each is answered, or dropped, on the outlet. */
  readonly requests: number;
  /** Its sender is gone: nothing of it is answered any more. */
  abandon(): void;
}

const CANCELLED = 'notifications/cancelled';
/** From this version on there are no batches. */
const NO_BATCHES = '2025-06-18';
const PARSE_ERROR: Refused = { code: -32700, message: 'This is no JSON-RPC message.' };
const NO_ID: Refused = { code: -32600, message: 'A request needs an id that is a string or a number.' };
const NO_BATCH: Refused = { code: -32600, message: `Since ${NO_BATCHES} there are no batches.` };

/**
 * A server that answers one client from a recording. Requests are matched by what they ask, in the order recorded for each; what
 * the server said besides comes with the request, or after the message, that it was a consequence of. Ids, progress tokens and
 * subscriptions are the client's own; cursors, `requestState` and task ids are handed out as recorded, and so come back as recorded.
 */
export class ReplayConnection {
  readonly #replay: Replay;
  readonly #host: ReplayHost;
  readonly #notices = new PlaybackPosition<RecordedNotification>();
  readonly #stage: ReplayEvents;
  readonly #answers: Responder;
  /** By id. */
  readonly #running = new Map<string, ReplayRequest>();
  readonly #owed = new OutstandingRequests();
  /** The client's, as it said last. */
  #capabilities: JsonObject = {};

  constructor(replay: Replay, host: ReplayHost) {
    this.#replay = replay;
    this.#host = host;
    this.#stage = new ReplayEvents(replay, host);
    this.#answers = new Responder(replay, host, this.#stage, {
      capabilities: () => this.#capabilities,
      waits: (asked) => this.#owed.settle(asked),
    });
  }

  /** Says what the server said before the client said anything. */
  begin(): void {
    this.#stage.playConsequences(this.#replay.traffic.before, 0);
  }

  /** Takes one text of the client's: a message, a batch, or anything. */
  receive(text: string, outlet: ResponseSink): Received {
    const reads = parseMessages(text);
    const refused = reads.length === 0 ? PARSE_ERROR : reads[0]!.batch && !this.#takesBatches() ? NO_BATCH : undefined;
    if (refused) {
      outlet.sendAnswer(errorText('null', refused.code, refused.message));
      return { requests: 1, abandon: () => {} };
    }
    const requests = reads.filter(({ message }) => message.kind === 'request').length;
    const outlets = reads[0]!.batch && requests > 0 ? batchSinks(requests, outlet) : () => outlet;
    const asked: ReplayRequest[] = [];
    const abandon = (): void => {
      for (const one of asked) this.#callOff(one);
    };
    for (const read of reads) {
      if (read.message.kind === 'notification') this.#notified(read);
      else if (read.message.kind !== 'request') this.#answered(read);
      else if (read.id === undefined) outlets().sendAnswer(errorText('null', NO_ID.code, NO_ID.message));
      else asked.push(this.#asked({ ...read, id: read.id }, outlets()));
    }
    return { requests, abandon };
  }

  /** The client says nothing any more, and still listens: resolves when it has all answers that do not wait for it. */
  finish(): Promise<void> {
    this.#stage.questions.close();
    return this.#owed.allSettled();
  }

  /** The client is gone. */
  end(): void {
    this.#stage.end();
    for (const asked of this.#running.values()) asked.abort.abort();
  }

  #takesBatches(): boolean {
    const { version } = this.#replay.traffic;
    return version === undefined || version < NO_BATCHES;
  }

  #asked(read: ParsedMessage & { readonly id: string }, outlet: ResponseSink): ReplayRequest {
    const questionId: ClientPreferences['questionId'] = (recorded) => this.#stage.questions.currentId(recorded);
    const asked = toReplayRequest(read, this.#replay.traffic.era, outlet, questionId);
    const key = canonicalJson(read.id);
    this.#capabilities = capabilitiesIn(read) ?? this.#capabilities;
    this.#running.set(key, asked);
    if (asked.method !== LISTEN) this.#owed.add(asked);
    void this.#answers.respond(asked).finally(() => {
      if (this.#running.get(key) === asked) this.#running.delete(key);
      this.#stage.endSubscription(asked);
      this.#owed.settle(asked);
    });
    return asked;
  }

  #notified({ message, params }: ParsedMessage): void {
    if (message.method === CANCELLED) {
      const asked = this.#running.get(canonicalJson(params?.member('requestId')?.text ?? ''));
      if (asked && !OPENING_METHODS.has(asked.method)) this.#callOff(asked);
      return;
    }
    const notices = this.#replay.calls.notices(message.method ?? '');
    if (notices.length === 0) return;
    const { item, again } = this.#notices.next(notices);
    if (!again) this.#stage.playConsequences(item.after, item.time);
  }

  #answered(read: ParsedMessage): void {
    const {
      id,
      message: { body },
    } = read;
    if (id === undefined || !this.#stage.questions.resolveAnswer(id, read)) return;
    const error = own(body, 'error');
    const message = isObject(error) ? own(error, 'message') : undefined;
    if (isObject(error))
      this.#host.printNote(
        `The client refused a question of the server’s: ${typeof message === 'string' ? message : 'it does not say why'}`,
      );
  }

  #callOff(asked: ReplayRequest): void {
    if (asked.abort.signal.aborted) return;
    asked.abort.abort();
    asked.outlet.dropAnswer();
    this.#owed.settle(asked);
  }
}
