import { canonicalJson } from '@/lib/json/canonical';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ErrorResponse } from '@/lib/mcp/answering';
import type { Clock } from '@/lib/wire/clock';
import type { Era } from '@/lib/wire/lifecycle';
import { META_KEY, METHOD, RPC_CODE } from '@/lib/wire/protocol-names';
import type { ParsedMessage } from '../traffic/parse-messages';
import type { RecordedTraffic } from '../traffic/recorded-traffic';
import { withoutRequester } from '../traffic/request-matching';
import type { CallIndex } from './call-index';
import { type ClientPreferences, notificationText, type ResponseSink, serverRequestText } from './messages-to-client';
import { type ReplayPace, whenAborted } from './playback';
import type { OnMiss } from './unrecorded';

/** A recording to replay, and the settings of the replay. */
export interface Replay {
  readonly traffic: RecordedTraffic;
  readonly calls: CallIndex;
  readonly pace: ReplayPace;
  readonly onMiss: OnMiss;
}

/** The host's services for a replay to one client. */
export interface ReplayHost {
  readonly clock: Clock;
  /** Takes the messages that belong to no request. */
  readonly side: SideChannel;
  /** Writes one sentence for the person. */
  printNote(sentence: string): void;
  /** Makes a value that fits a schema, as JSON text; undefined if it finds none. Never rejects. */
  sampleOf?(schema: unknown): Promise<string | undefined>;
  /** Asks a live server. Never rejects. */
  forward?(request: ForwardedRequest): Promise<ForwardedAnswer>;
}

/** Sends a client the messages that belong to none of its requests. */
export interface SideChannel extends Pick<ResponseSink, 'sendMessage'> {
  /** False while no client listens. Messages then wait, or are lost. */
  readonly isOpen: boolean;
}

/** A client request that is being answered. */
export interface ReplayRequest {
  /** The id as JSON text. */
  readonly id: string;
  readonly method: string;
  readonly read: ParsedMessage;
  /** The exact text of the params. */
  readonly params: string | undefined;
  /** The version in its `_meta` (2026-07-28). */
  readonly version: string | undefined;
  readonly client: ClientPreferences;
  readonly sink: ResponseSink;
  readonly abort: AbortController;
}

/** Reads the parts of a message that answering it needs. */
export function toReplayRequest(
  read: ParsedMessage & { readonly id: string },
  era: Era,
  sink: ResponseSink,
  serverRequestId: ClientPreferences['serverRequestId'],
): ReplayRequest {
  const { message, params, id } = read;
  const meta = params?.member('_meta');
  const token = meta?.member('progressToken');
  const version = meta?.member(META_KEY.protocolVersion);
  return {
    id,
    method: message.method ?? '',
    read,
    params: params?.text,
    version: version?.kind === 'string' ? (version.value as string) : undefined,
    client: {
      progressToken: token?.kind === 'string' || token?.kind === 'number' ? token.text : undefined,
      logs: era === 'legacy' || meta?.member(META_KEY.logLevel) !== undefined,
      serverRequestId,
    },
    sink,
    abort: new AbortController(),
  };
}

/** The client’s answer to a request; undefined if there will be none. */
type Answer = ParsedMessage | undefined;

/** Requests sent to the client under ids of our own, until they are answered. */
export class ServerRequests {
  readonly #open = new Map<string, (answer?: ParsedMessage) => void>();
  /** Current ids by recorded ids. */
  readonly #ids = new Map<string, string>();
  #last = 0;
  #closed = false;

  /**
   * Registers a request; `recorded`: its id in the recording. `answered` resolves with the answer, or with undefined
   * once there will be none.
   */
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

  /** Passes an answer on; false if no request has this id. */
  resolveAnswer(id: string, answer: ParsedMessage): boolean {
    const done = this.#open.get(canonicalJson(id));
    done?.(answer);
    return done !== undefined;
  }

  /** Ends all requests, now and later, since the client sends nothing more. */
  close(): void {
    this.#closed = true;
    for (const done of [...this.#open.values()]) done();
  }

  /** Returns the current id of a request by its recorded id. */
  currentId(id: string): string | undefined {
    return this.#ids.get(canonicalJson(id));
  }
}

/** A request for a live server, and functions that pass on what the server sends before its answer. */
export interface ForwardedRequest {
  readonly method: string;
  /** JSON text without the members that identify the client. */
  readonly params: string | undefined;
  /** Capabilities that the client declared. */
  readonly capabilities: JsonObject;
  /** Aborted when no client waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Passes on the params of a progress notification, as JSON text. */
  onProgress(params: string): void;
  /**
   * Sends a request to the client. Resolves with its result as JSON text, and rejects with an ErrorResponse. `signal`
   * cancels it.
   */
  ask(method: string, params: string | undefined, signal: AbortSignal): Promise<string>;
}

/** Prepares a client request for a live server. */
export function toForwardedRequest(
  request: ReplayRequest,
  capabilities: JsonObject,
  serverRequests: ServerRequests,
): ForwardedRequest {
  const { method, params, sink, client, abort } = request;
  return {
    method,
    params: withoutRequester(params),
    capabilities,
    signal: abort.signal,
    onProgress: (progress) => {
      const text = notificationText({ method: METHOD.progress, params: progress }, client);
      if (text !== undefined && !abort.signal.aborted) sink.sendMessage(text);
    },
    ask: async (question, questionParams, signal) => {
      const either = AbortSignal.any([signal, abort.signal]);
      const { id, answered } = serverRequests.ask(either);
      sink.sendMessage(serverRequestText({ method: question, params: questionParams }, id));
      const answer = await answered;
      if (answer) return resultOf(answer);
      if (signal.aborted && !abort.signal.aborted) {
        sink.sendMessage(`{"jsonrpc":"2.0","method":"${METHOD.cancelled}","params":{"requestId":${id}}}`);
      }
      throw new ErrorResponse(RPC_CODE.internalError, 'The client did not respond');
    },
  };
}

/** Returns the capabilities in `initialize` or, since 2026-07-28, in any request; undefined in others. */
export function capabilitiesIn({ message, params }: ParsedMessage): JsonObject | undefined {
  const holder =
    message.method === 'initialize'
      ? params?.member('capabilities')
      : params?.member('_meta')?.member(META_KEY.clientCapabilities);
  return isObject(holder?.value) ? holder.value : undefined;
}

function resultOf({ message: { body }, answer = '{}' }: ParsedMessage): string {
  const error = own(body, 'error');
  if (!isObject(error)) return answer;
  const [code, message] = [own(error, 'code'), own(error, 'message')];
  throw new ErrorResponse(
    typeof code === 'number' ? code : RPC_CODE.internalError,
    typeof message === 'string' ? message : '',
  );
}

/** Answer of a live server. `text` is JSON. */
export interface ForwardedAnswer {
  readonly kind: 'result' | 'error';
  readonly text: string;
}
