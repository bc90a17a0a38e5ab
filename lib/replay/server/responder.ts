import type { JsonObject } from '@/lib/json/value';
import type { RpcError } from '@/lib/wire/message';
import { META_KEY, METHOD, RPC_CODE } from '@/lib/wire/protocol-names';
import type { RecordedCall, ServerEvent } from '../traffic/recorded-traffic';
import { PlaybackPosition } from '../traffic/request-matching';
import type { ResumableStream, StreamCut } from '../traffic/resumable-streams';
import { answerText, errorAnswerText, withSubscription } from './messages-to-client';
import { whenAborted } from './playback';
import { type Replay, type ReplayHost, type ReplayRequest, toForwardedRequest } from './replay';
import { filterOf, type ReplayEvents, recordedStreamsFor } from './replay-events';
import {
  DISCOVER,
  emptyResult,
  notRecordedError,
  OPENING_METHODS,
  openingAnswer,
  outputSchemaOf,
  unansweredError,
  unsupported,
} from './unrecorded';

/** Requests with empty results, which can be answered without a recording. */
const SAY_NOTHING: ReadonlySet<string> = new Set([
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/** The client that is answered. */
interface AnsweredClient {
  /** The client’s latest capabilities. */
  capabilities(): JsonObject;
  /** Called when a request gets no answer, and waits until the client cancels it. */
  waits(request: ReplayRequest): void;
}

/** Answers the requests of one client from the recording, or as `--on-miss` says. */
export class Responder {
  readonly #replay: Replay;
  readonly #host: ReplayHost;
  readonly #events: ReplayEvents;
  readonly #client: AnsweredClient;
  readonly #calls = new PlaybackPosition<RecordedCall>();

  constructor(replay: Replay, host: ReplayHost, events: ReplayEvents, client: AnsweredClient) {
    this.#replay = replay;
    this.#host = host;
    this.#events = events;
    this.#client = client;
  }

  /**
   * Answers one request, or waits until the client cancels it. Never rejects, so that a failure affects one answer
   * only.
   */
  async respond(request: ReplayRequest): Promise<void> {
    try {
      await this.#answer(request);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#refuse(request, {
        code: RPC_CODE.internalError,
        message: `The replay could not respond to this request: ${why}`,
      });
    }
  }

  async #answer(request: ReplayRequest): Promise<void> {
    const { traffic, calls } = this.#replay;
    const { method, params } = request;
    const speaksOther = traffic.era === 'modern' && method !== 'initialize' && request.version !== traffic.version;
    if (speaksOther && traffic.version !== undefined) {
      this.#refuse(request, unsupported(traffic.version, request.version ?? ''));
      return;
    }
    // In the modern era this request is the only sign that a client starts.
    if (traffic.era === 'modern' && method === DISCOVER) this.#calls.rewind();
    const found = calls.find(method, params);
    if (found) {
      const { item, again } = this.#calls.next(found.calls);
      if (found.how === 'other-input') {
        this.#host.printNote(
          `${method}: this input differs from the recorded one. Sending the response to frame ${item.seq} anyway.`,
        );
      }
      await this.#play(item, again, request);
    } else if (OPENING_METHODS.has(method)) {
      const requested = request.version ?? requestedIn(request);
      const opening = openingAnswer(method, traffic, { methods: calls.methods, requested });
      if ('error' in opening) this.#refuse(request, opening.error);
      else this.#result(request, JSON.stringify(opening.result));
    } else if (SAY_NOTHING.has(method)) this.#result(request, JSON.stringify(emptyResult(method, traffic.era)));
    else if (method === METHOD.listen) await this.#listenWithOtherFilter(request);
    else await this.#missed(request);
  }

  async #play(call: RecordedCall, again: boolean, request: ReplayRequest): Promise<void> {
    const { sink, abort } = request;
    if (call.method === METHOD.listen) this.#events.openSubscription(call.seq, request);
    const playback = this.#events.playbackOf(call, request);
    const stream = this.#replay.traffic.streams.get(call.exchange);
    if (stream) sink.makeResumable?.(stream);
    for (const { events, cut } of stretchesOf(call, stream)) {
      await playback.play(events);
      if (cut && (await playback.waitUntil(cut, abort.signal))) sink.cutStream?.();
    }
    if (!call.answer) {
      if (!abort.signal.aborted) await this.#unanswered(call, request);
      if (again) return;
      playback.continueFrom(call.unanswered?.since ?? call);
      void playback.play(call.after);
      return;
    }
    if (abort.signal.aborted) return;
    if (!(await playback.waitUntil(call.answer, abort.signal))) return;
    const text = call.method === METHOD.listen ? withSubscription(call.answer.text, request.id) : call.answer.text;
    sink.sendAnswer(answerText(request.id, call.answer.kind, text), call.answer.status);
    // A repeated call must not repeat its consequences.
    if (!again) this.#events.playConsequences(call.after, call.answer.time);
  }

  /**
   * Ends a call that was never answered. A call that was cancelled, or that never ends, waits until the client cancels
   * it.
   */
  async #unanswered(call: RecordedCall, request: ReplayRequest): Promise<void> {
    const { why, status, body } = call.unanswered ?? { why: 'open' };
    const { streams } = this.#replay.traffic;
    if (call.method === METHOD.listen) await this.#cancelled(request);
    else if (why === 'cancelled') {
      this.#host.printNote(
        `${call.method}: the client cancelled this call in the recording (frame ${call.seq}), so it gets no response.`,
      );
      await this.#cancelled(request);
    } else if (status !== undefined && request.sink.refuseByHttp && !streams.has(call.exchange))
      request.sink.refuseByHttp(status, body ?? '');
    else this.#refuse(request, unansweredError(call));
  }

  async #missed(request: ReplayRequest): Promise<void> {
    const { calls, onMiss } = this.#replay;
    const refused = notRecordedError(calls, request.read);
    const { forward, printNote } = this.#host;
    if (onMiss === 'error' || (onMiss === 'forward' && !forward)) this.#refuse(request, refused);
    else if (onMiss === 'empty') await this.#empty(request, refused);
    else {
      printNote(`${refused.message} Forwarded to the live server.`);
      const answer = await forward!(
        toForwardedRequest(request, this.#client.capabilities(), this.#events.serverRequests),
      );
      if (!request.abort.signal.aborted) request.sink.sendAnswer(answerText(request.id, answer.kind, answer.text));
    }
  }

  /** Answers with an empty result. If the tool has an output schema, makes a minimal value that fits the schema. */
  async #empty(request: ReplayRequest, refused: RpcError): Promise<void> {
    const { traffic } = this.#replay;
    const { sampleOf, printNote } = this.#host;
    const empty = emptyResult(request.method, traffic.era);
    const schema = request.method === 'tools/call' ? outputSchemaOf(traffic, request.read.message.name) : undefined;
    if (schema === undefined) {
      printNote(`${refused.message} Sent an empty result.`);
      this.#result(request, JSON.stringify(empty));
      return;
    }
    const text = await sampleOf?.(schema);
    if (request.abort.signal.aborted) return;
    if (text === undefined) {
      this.#refuse(request, { ...refused, message: `${refused.message} ${NO_SAMPLE}` });
      return;
    }
    printNote(`${refused.message} Sent a generated result that fits the tool’s outputSchema.`);
    const structuredContent: unknown = JSON.parse(text);
    this.#result(request, JSON.stringify({ ...empty, content: [{ type: 'text', text }], structuredContent }));
  }

  /** Opens a subscription with a filter that was not recorded. It gets those items that recorded subscriptions had. */
  async #listenWithOtherFilter(request: ReplayRequest): Promise<void> {
    const found = recordedStreamsFor(this.#replay.traffic, request.params);
    const meta = `{"${META_KEY.subscriptionId}":${request.id}}`;
    const params = `{"_meta":${meta},"notifications":${filterOf(found.keys())}}`;
    request.sink.sendMessage(`{"jsonrpc":"2.0","method":"${METHOD.acknowledged}","params":${params}}`);
    for (const seq of new Set(found.values())) {
      this.#events.openSubscription(
        seq,
        request,
        new Set([...found].flatMap(([wanted, from]) => (from === seq ? [wanted] : []))),
      );
    }
    await this.#cancelled(request);
  }

  #result({ id, sink }: ReplayRequest, result: string): void {
    sink.sendAnswer(answerText(id, 'result', result));
  }

  #refuse({ id, sink }: ReplayRequest, { code, message, data }: RpcError): void {
    this.#host.printNote(message);
    sink.sendAnswer(errorAnswerText(id, code, message, data));
  }

  /** Resolves when the client cancels the request. */
  #cancelled(request: ReplayRequest): Promise<void> {
    this.#client.waits(request);
    return new Promise((resolve) => void whenAborted(request.abort.signal, resolve));
  }
}

/** Events of one stretch of a stream, and the cut after it; undefined at the end of the stream. */
interface Stretch {
  readonly events: readonly ServerEvent[];
  readonly cut: StreamCut | undefined;
}

/** Splits the events of a call at the cuts of its stream before the answer. One stretch for an unanswered call. */
function stretchesOf({ during, answer }: RecordedCall, stream: ResumableStream | undefined): readonly Stretch[] {
  const cuts = stream?.cuts.filter(({ seq }) => answer !== undefined && seq < answer.seq) ?? [];
  return [...cuts, undefined].map((cut, at) => {
    const [from, to] = [cuts[at - 1]?.seq ?? 0, cut?.seq ?? Number.POSITIVE_INFINITY];
    return { events: during.filter(({ seq }) => seq > from && seq <= to), cut };
  });
}

/** Returns the version that an `initialize` requests. */
function requestedIn({ read }: ReplayRequest): string {
  const version = read.params?.member('protocolVersion');
  return version?.kind === 'string' ? (version.value as string) : '';
}

const NO_SAMPLE = 'No result that fits the tool’s outputSchema could be generated.';
