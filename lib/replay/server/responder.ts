import type { JsonObject } from '@/lib/json/value';
import type { RecordedCall, ServerEvent } from '../traffic/recorded-traffic';
import { PlaybackPosition } from '../traffic/request-matching';
import type { ResumableStream, StreamCut } from '../traffic/resumable-streams';
import { answerText, errorText, withSubscription } from './messages-to-client';
import { whenAborted } from './playback';
import { LISTEN, type Replay, type ReplayHost, type ReplayRequest, toForwardedRequest } from './replay';
import { filterOf, type ReplayEvents, recordedStreamsFor } from './replay-events';
import {
  DISCOVER,
  emptyResult,
  notRecordedError,
  OPENING_METHODS,
  openingAnswer,
  outputSchemaOf,
  type Refused,
  unansweredError,
  unsupported,
} from './unrecorded';

/** What a server said in one go, and where its stream was cut after it; undefined at the end. */
interface Stretch {
  readonly events: readonly ServerEvent[];
  readonly cut: StreamCut | undefined;
}

/** What came during a call, piece by piece, as its stream was cut before the answer came. One piece for a call that got none. */
function stretchesOf({ during, answer }: RecordedCall, stream: ResumableStream | undefined): readonly Stretch[] {
  const cuts = stream?.cuts.filter(({ seq }) => answer !== undefined && seq < answer.seq) ?? [];
  return [...cuts, undefined].map((cut, at) => {
    const [from, to] = [cuts[at - 1]?.seq ?? 0, cut?.seq ?? Number.POSITIVE_INFINITY];
    return { events: during.filter(({ seq }) => seq > from && seq <= to), cut };
  });
}

/** Their results say nothing, so they need not be recorded to be answered. */
const SAY_NOTHING: ReadonlySet<string> = new Set([
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/** The client that is answered. */
interface AnsweredClient {
  /** As it said last. */
  capabilities(): JsonObject;
  /** Nothing comes of this request until the client calls it off. */
  waits(asked: ReplayRequest): void;
}

/** Answers the requests of one client: as recorded, or by what `--on-miss` says of what was not. */
export class Responder {
  readonly #replay: Replay;
  readonly #host: ReplayHost;
  readonly #stage: ReplayEvents;
  readonly #client: AnsweredClient;
  readonly #calls = new PlaybackPosition<RecordedCall>();

  constructor(replay: Replay, host: ReplayHost, stage: ReplayEvents, client: AnsweredClient) {
    this.#replay = replay;
    this.#host = host;
    this.#stage = stage;
    this.#client = client;
  }

  /**
   * Answers one request, or waits until the client calls it off. Never rejects: what fails here, on whatever is in the recording,
   * is one request’s answer, and not the end of everybody’s replay.
   */
  async respond(asked: ReplayRequest): Promise<void> {
    try {
      await this.#answer(asked);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#refuse(asked, { code: -32603, message: `The replay itself failed at this request: ${why}` });
    }
  }

  async #answer(asked: ReplayRequest): Promise<void> {
    const { traffic, calls } = this.#replay;
    const { method, params } = asked;
    const speaksOther = traffic.era === 'modern' && method !== 'initialize' && asked.version !== traffic.version;
    if (speaksOther && traffic.version !== undefined) {
      this.#refuse(asked, unsupported(traffic.version, asked.version ?? ''));
      return;
    }
    // In the modern era nothing else tells that a client begins.
    if (traffic.era === 'modern' && method === DISCOVER) this.#calls.rewind();
    const found = calls.find(method, params);
    if (found) {
      const { item, again } = this.#calls.next(found.calls);
      if (found.how === 'other-input') {
        this.#host.printNote(`${method}: the input given is another than in frame ${item.seq}, whose answer follows.`);
      }
      await this.#play(item, again, asked);
    } else if (OPENING_METHODS.has(method)) {
      const requested = asked.version ?? requestedIn(asked);
      const opening = openingAnswer(method, traffic, { methods: calls.methods, requested });
      if ('error' in opening) this.#refuse(asked, opening.error);
      else this.#result(asked, JSON.stringify(opening.result));
    } else if (SAY_NOTHING.has(method)) this.#result(asked, JSON.stringify(emptyResult(method, traffic.era)));
    else if (method === LISTEN) await this.#listenOtherwise(asked);
    else await this.#missed(asked);
  }

  async #play(call: RecordedCall, again: boolean, asked: ReplayRequest): Promise<void> {
    const { outlet, abort } = asked;
    if (call.method === LISTEN) this.#stage.openSubscription(call.seq, asked);
    const script = this.#stage.playbackOf(call, asked);
    const stream = this.#replay.traffic.streams.get(call.exchange);
    if (stream) outlet.makeResumable?.(stream);
    for (const { events, cut } of stretchesOf(call, stream)) {
      await script.play(events);
      if (cut && (await script.waitUntil(cut, abort.signal))) outlet.cutStream?.();
    }
    if (!call.answer) {
      if (!abort.signal.aborted) await this.#unanswered(call, asked);
      if (again) return;
      script.continueFrom(call.unanswered?.since ?? call);
      void script.play(call.after);
      return;
    }
    if (abort.signal.aborted) return;
    if (!(await script.waitUntil(call.answer, abort.signal))) return;
    const text = call.method === LISTEN ? withSubscription(call.answer.text, asked.id) : call.answer.text;
    outlet.sendAnswer(answerText(asked.id, call.answer.kind, text), call.answer.status);
    // Played anew for somebody who only asks again, they would be the consequences of something that happened once.
    if (!again) this.#stage.playConsequences(call.after, call.answer.time);
  }

  /** Nobody answered it when it was recorded. What was called off then, and what has no end, waits for the client to call it off. */
  async #unanswered(call: RecordedCall, asked: ReplayRequest): Promise<void> {
    const { why, status, body } = call.unanswered ?? { why: 'open' };
    const { streams } = this.#replay.traffic;
    if (call.method === LISTEN) await this.#calledOff(asked);
    else if (why === 'cancelled') {
      this.#host.printNote(
        `${call.method}: it was cancelled when this was recorded (frame ${call.seq}), so no answer comes.`,
      );
      await this.#calledOff(asked);
    } else if (status !== undefined && asked.outlet.refuseByHttp && !streams.has(call.exchange))
      asked.outlet.refuseByHttp(status, body ?? '');
    else this.#refuse(asked, unansweredError(call));
  }

  async #missed(asked: ReplayRequest): Promise<void> {
    const { calls, onMiss } = this.#replay;
    const refused = notRecordedError(calls, asked.read);
    const { forward, printNote } = this.#host;
    if (onMiss === 'error' || (onMiss === 'forward' && !forward)) this.#refuse(asked, refused);
    else if (onMiss === 'empty') await this.#empty(asked, refused);
    else {
      printNote(`${refused.message} It is forwarded.`);
      const answer = await forward!(toForwardedRequest(asked, this.#client.capabilities(), this.#stage.questions));
      if (!asked.abort.signal.aborted) asked.outlet.sendAnswer(answerText(asked.id, answer.kind, answer.text));
    }
  }

  /** A tool that promises structured content has to say something: as little as its schema allows. */
  async #empty(asked: ReplayRequest, refused: Refused): Promise<void> {
    const { traffic } = this.#replay;
    const { sampleOf, printNote } = this.#host;
    const empty = emptyResult(asked.method, traffic.era);
    const schema = asked.method === 'tools/call' ? outputSchemaOf(traffic, asked.read.message.name) : undefined;
    if (schema === undefined) {
      printNote(`${refused.message} It got an empty result.`);
      this.#result(asked, JSON.stringify(empty));
      return;
    }
    const text = await sampleOf?.(schema);
    if (asked.abort.signal.aborted) return;
    if (text === undefined) {
      this.#refuse(asked, { ...refused, message: `${refused.message} ${NO_SAMPLE}` });
      return;
    }
    printNote(`${refused.message} It got a made up result that fits the tool’s outputSchema.`);
    const structuredContent: unknown = JSON.parse(text);
    this.#result(asked, JSON.stringify({ ...empty, content: [{ type: 'text', text }], structuredContent }));
  }

  /** A subscription that was recorded with another filter: it hears what of that was recorded, and stays open. */
  async #listenOtherwise(asked: ReplayRequest): Promise<void> {
    const found = recordedStreamsFor(this.#replay.traffic, asked.params);
    const meta = `{"io.modelcontextprotocol/subscriptionId":${asked.id}}`;
    const params = `{"_meta":${meta},"notifications":${filterOf(found.keys())}}`;
    asked.outlet.sendMessage(
      `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":${params}}`,
    );
    for (const seq of new Set(found.values())) {
      this.#stage.openSubscription(
        seq,
        asked,
        new Set([...found].flatMap(([wanted, from]) => (from === seq ? [wanted] : []))),
      );
    }
    await this.#calledOff(asked);
  }

  #result({ id, outlet }: ReplayRequest, result: string): void {
    outlet.sendAnswer(answerText(id, 'result', result));
  }

  #refuse({ id, outlet }: ReplayRequest, { code, message, data }: Refused): void {
    this.#host.printNote(message);
    outlet.sendAnswer(errorText(id, code, message, data));
  }

  /** Nothing comes of it until the client calls it off. */
  #calledOff(asked: ReplayRequest): Promise<void> {
    this.#client.waits(asked);
    return new Promise((resolve) => void whenAborted(asked.abort.signal, resolve));
  }
}

/** The version that an `initialize` asks for. */
function requestedIn({ read }: ReplayRequest): string {
  const version = read.params?.member('protocolVersion');
  return version?.kind === 'string' ? (version.value as string) : '';
}

const NO_SAMPLE =
  'It has an outputSchema, and no result that fits it could be made up, so this is no empty result but an error.';
