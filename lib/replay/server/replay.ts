import { canonicalJson } from '@/lib/json/canonical';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ErrorResponse } from '@/lib/mcp/answering';
import type { Clock } from '@/lib/wire/clock';
import type { Era } from '@/lib/wire/lifecycle';
import type { ParsedMessage } from '../traffic/parse-messages';
import type { RecordedTraffic } from '../traffic/recorded-traffic';
import { withoutRequester } from '../traffic/request-matching';
import type { CallIndex } from './call-index';
import { type ClientPreferences, noticeText, questionText, type ResponseSink } from './messages-to-client';
import { type Pace, whenAborted } from './playback';
import type { OnMiss } from './unrecorded';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** It stays open as long as the client likes (2026-07-28). */
export const LISTEN = 'subscriptions/listen';

/** A request of the client's that is being answered. */
export interface ReplayRequest {
  /** JSON text. */
  readonly id: string;
  readonly method: string;
  readonly read: ParsedMessage;
  /** Exact text. */
  readonly params: string | undefined;
  /** The version that its `_meta` names (2026-07-28). */
  readonly version: string | undefined;
  readonly listener: ClientPreferences;
  readonly outlet: ResponseSink;
  readonly abort: AbortController;
}

/** Takes a request apart. */
export function toReplayRequest(
  read: ParsedMessage & { readonly id: string },
  era: Era,
  outlet: ResponseSink,
  questionId: ClientPreferences['questionId'],
): ReplayRequest {
  const { message, params, id } = read;
  const meta = params?.member('_meta');
  const token = meta?.member('progressToken');
  const version = meta?.member(VERSION);
  return {
    id,
    method: message.method ?? '',
    read,
    params: params?.text,
    version: version?.kind === 'string' ? (version.value as string) : undefined,
    listener: {
      progressToken: token?.kind === 'string' || token?.kind === 'number' ? token.text : undefined,
      logs: era === 'legacy' || meta?.member(LOG_LEVEL) !== undefined,
      questionId,
    },
    outlet,
    abort: new AbortController(),
  };
}

/** undefined: there will be none. */
type Answer = ParsedMessage | undefined;

/** What was asked of the client, under ids of our own, and still waits. */
export class ServerRequests {
  readonly #open = new Map<string, (answer?: ParsedMessage) => void>();
  /** By the id that a question had when it was recorded: the one that it has now. */
  readonly #ids = new Map<string, string>();
  #last = 0;
  #closed = false;

  /** Gives a question an id; `recorded`, if it had one. `answered` resolves with what the client answered, or when it never will. */
  ask(signal: AbortSignal, recorded?: string): { readonly id: string; readonly answered: Promise<Answer> } {
    const ours = String(++this.#last);
    if (recorded !== undefined) this.#ids.set(canonicalJson(recorded), ours);
    const answered = new Promise<Answer>((resolve) => {
      const done = (answer?: ParsedMessage): void => {
        this.#open.delete(canonicalJson(ours));
        forget();
        resolve(answer);
      };
      this.#open.set(canonicalJson(ours), done);
      let forget = (): void => {};
      forget = whenAborted(signal, () => done());
      if (this.#closed) done();
    });
    return { id: ours, answered };
  }

  /** The client answered; false if nothing waited under this id. */
  resolveAnswer(id: string, answer: ParsedMessage): boolean {
    const done = this.#open.get(canonicalJson(id));
    done?.(answer);
    return done !== undefined;
  }

  /** The client says nothing any more: no question waits, now or later. */
  close(): void {
    this.#closed = true;
    for (const done of [...this.#open.values()]) done();
  }

  /** The present id of a question that the recording calls `id`. */
  currentId(id: string): string | undefined {
    return this.#ids.get(canonicalJson(id));
  }
}

/** A request that goes to a live server, and the way back for what that says before it answers. */
export interface ForwardedRequest {
  readonly method: string;
  /** JSON text, without what says who asks. */
  readonly params: string | undefined;
  /** What the client said that it can. */
  readonly capabilities: JsonObject;
  /** Aborted: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Takes the params of a progress notification, as JSON text. */
  onProgress(params: string): void;
  /** Asks the client something, and resolves with the JSON text of its result. Rejects with a {@link ErrorResponse}; `signal` calls it off. */
  ask(method: string, params: string | undefined, signal: AbortSignal): Promise<string>;
}

/** The way to a live server and back, of one request of the client's. */
export function toForwardedRequest(
  asked: ReplayRequest,
  capabilities: JsonObject,
  questions: ServerRequests,
): ForwardedRequest {
  const { method, params, outlet, listener, abort } = asked;
  return {
    method,
    params: withoutRequester(params),
    capabilities,
    signal: abort.signal,
    onProgress: (progress) => {
      const text = noticeText({ method: 'notifications/progress', params: progress }, listener);
      if (text !== undefined && !abort.signal.aborted) outlet.sendMessage(text);
    },
    ask: async (question, questionParams, signal) => {
      const either = AbortSignal.any([signal, abort.signal]);
      const { id, answered } = questions.ask(either);
      outlet.sendMessage(questionText({ method: question, params: questionParams }, id));
      const answer = await answered;
      if (answer) return resultOf(answer);
      if (signal.aborted && !abort.signal.aborted) {
        outlet.sendMessage(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
      }
      throw new ErrorResponse(-32603, 'The client did not answer');
    },
  };
}

/** What a client says of itself: in `initialize`, and since 2026-07-28 in each request; undefined in others. */
export function capabilitiesIn({ message, params }: ParsedMessage): JsonObject | undefined {
  const holder =
    message.method === 'initialize'
      ? params?.member('capabilities')
      : params?.member('_meta')?.member('io.modelcontextprotocol/clientCapabilities');
  return isObject(holder?.value) ? holder.value : undefined;
}

function resultOf({ message: { body }, answer = '{}' }: ParsedMessage): string {
  const error = own(body, 'error');
  if (!isObject(error)) return answer;
  const [code, message] = [own(error, 'code'), own(error, 'message')];
  throw new ErrorResponse(typeof code === 'number' ? code : -32603, typeof message === 'string' ? message : '');
}

/** What is replayed, and how. */
export interface Replay {
  readonly traffic: RecordedTraffic;
  readonly calls: CallIndex;
  readonly pace: Pace;
  readonly onMiss: OnMiss;
}

/** What a live server answers; `text` is JSON. */
export interface ForwardedAnswer {
  readonly kind: 'result' | 'error';
  readonly text: string;
}

/** Where a client is told what belongs to none of its requests. */
export interface SideChannel extends Pick<ResponseSink, 'sendMessage'> {
  /** False while nobody listens there: what is told waits, or is lost. */
  readonly isOpen: boolean;
}

/** What a replay to one client needs. */
export interface ReplayHost {
  readonly clock: Clock;
  /** For what belongs to no request of the client's. */
  readonly side: SideChannel;
  /** Tells the person something: one sentence. */
  printNote(sentence: string): void;
  /** Makes an object that fits a schema, a value, as JSON text; undefined if it finds none. Never rejects. */
  sampleOf?(schema: unknown): Promise<string | undefined>;
  /** Asks a live server. Never rejects. */
  forward?(request: ForwardedRequest): Promise<ForwardedAnswer>;
}
