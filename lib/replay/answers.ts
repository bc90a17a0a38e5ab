import { Playhead } from '@/lib/session/playhead';
import type { RecordedCall } from '@/lib/session/recorded-session';
import type { JsonObject } from '@/lib/wire/message';
import { type Asked, LISTEN } from './asked';
import { emptyResult } from './empty-result';
import { withSubscription } from './event-text';
import { forwardingOf } from './forwarding';
import { noAnswer, notRecorded } from './miss';
import { DISCOVER, OPENINGS, openingOf, type Refused, unsupported } from './openings';
import { answerText, errorText } from './outlet';
import { outputSchemaOf } from './output-schema';
import type { Replay, ReplayHost } from './replay';
import type { Stage } from './stage';
import { stretchesOf } from './stretches';
import { filterOf, recordedFor } from './subscriptions';
import { whenAborted } from './when-aborted';

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
  waits(asked: Asked): void;
}

/** Answers the requests of one client: as recorded, or by what `--on-miss` says of what was not. */
export class Answers {
  readonly #replay: Replay;
  readonly #host: ReplayHost;
  readonly #stage: Stage;
  readonly #client: AnsweredClient;
  readonly #calls = new Playhead<RecordedCall>();

  constructor(replay: Replay, host: ReplayHost, stage: Stage, client: AnsweredClient) {
    this.#replay = replay;
    this.#host = host;
    this.#stage = stage;
    this.#client = client;
  }

  /**
   * Answers one request, or waits until the client calls it off. Never rejects: what fails here, on whatever is in the recording,
   * is one request’s answer, and not the end of everybody’s replay.
   */
  async give(asked: Asked): Promise<void> {
    try {
      await this.#answer(asked);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#refuse(asked, { code: -32603, message: `The replay itself failed at this request: ${why}` });
    }
  }

  async #answer(asked: Asked): Promise<void> {
    const { session, book } = this.#replay;
    const { method, params } = asked;
    const speaksOther = session.era === 'modern' && method !== 'initialize' && asked.version !== session.version;
    if (speaksOther && session.version !== undefined) {
      this.#refuse(asked, unsupported(session.version, asked.version ?? ''));
      return;
    }
    // In the modern era nothing else tells that a client begins.
    if (session.era === 'modern' && method === DISCOVER) this.#calls.rewind();
    const found = book.find(method, params);
    if (found) {
      const { item, again } = this.#calls.take(found.calls);
      if (found.how === 'other-input') {
        this.#host.note(`${method}: the input given is another than in frame ${item.seq}, whose answer follows.`);
      }
      await this.#play(item, again, asked);
    } else if (OPENINGS.has(method)) {
      const requested = asked.version ?? requestedIn(asked);
      const opening = openingOf(method, session, { methods: book.methods, requested });
      if ('error' in opening) this.#refuse(asked, opening.error);
      else this.#result(asked, JSON.stringify(opening.result));
    } else if (SAY_NOTHING.has(method)) this.#result(asked, JSON.stringify(emptyResult(method, session.era)));
    else if (method === LISTEN) await this.#listenOtherwise(asked);
    else await this.#missed(asked);
  }

  async #play(call: RecordedCall, again: boolean, asked: Asked): Promise<void> {
    const { outlet, abort } = asked;
    if (call.method === LISTEN) this.#stage.opens(call.seq, asked);
    const script = this.#stage.scriptOf(call, asked);
    const stream = this.#replay.session.streams.get(call.exchange);
    if (stream) outlet.number?.(stream);
    for (const { events, cut } of stretchesOf(call, stream)) {
      await script.play(events);
      if (cut && (await script.until(cut, abort.signal))) outlet.cut?.();
    }
    if (!call.answer) {
      if (!abort.signal.aborted) await this.#unanswered(call, asked);
      if (again) return;
      script.goOnFrom(call.unanswered?.since ?? call);
      void script.play(call.after);
      return;
    }
    if (abort.signal.aborted) return;
    if (!(await script.until(call.answer, abort.signal))) return;
    const text = call.method === LISTEN ? withSubscription(call.answer.text, asked.id) : call.answer.text;
    outlet.answer(answerText(asked.id, call.answer.kind, text), call.answer.status);
    // Played anew for somebody who only asks again, they would be the consequences of something that happened once.
    if (!again) this.#stage.consequences(call.after, call.answer.time);
  }

  /** Nobody answered it when it was recorded. What was called off then, and what has no end, waits for the client to call it off. */
  async #unanswered(call: RecordedCall, asked: Asked): Promise<void> {
    const { why, status, body } = call.unanswered ?? { why: 'open' };
    const { streams } = this.#replay.session;
    if (call.method === LISTEN) await this.#calledOff(asked);
    else if (why === 'cancelled') {
      this.#host.note(
        `${call.method}: it was cancelled when this was recorded (frame ${call.seq}), so no answer comes.`,
      );
      await this.#calledOff(asked);
    } else if (status !== undefined && asked.outlet.refuse && !streams.has(call.exchange))
      asked.outlet.refuse(status, body ?? '');
    else this.#refuse(asked, noAnswer(call));
  }

  async #missed(asked: Asked): Promise<void> {
    const { book, onMiss } = this.#replay;
    const refused = notRecorded(book, asked.read);
    const { forward, note } = this.#host;
    if (onMiss === 'error' || (onMiss === 'forward' && !forward)) this.#refuse(asked, refused);
    else if (onMiss === 'empty') await this.#empty(asked, refused);
    else {
      note(`${refused.message} It is forwarded.`);
      const answer = await forward!(forwardingOf(asked, this.#client.capabilities(), this.#stage.questions));
      if (!asked.abort.signal.aborted) asked.outlet.answer(answerText(asked.id, answer.kind, answer.text));
    }
  }

  /** A tool that promises structured content has to say something: as little as its schema allows. */
  async #empty(asked: Asked, refused: Refused): Promise<void> {
    const { session } = this.#replay;
    const { sampleOf, note } = this.#host;
    const empty = emptyResult(asked.method, session.era);
    const schema = asked.method === 'tools/call' ? outputSchemaOf(session, asked.read.message.name) : undefined;
    if (schema === undefined) {
      note(`${refused.message} It got an empty result.`);
      this.#result(asked, JSON.stringify(empty));
      return;
    }
    const text = await sampleOf?.(schema);
    if (asked.abort.signal.aborted) return;
    if (text === undefined) {
      this.#refuse(asked, { ...refused, message: `${refused.message} ${NO_SAMPLE}` });
      return;
    }
    note(`${refused.message} It got a made up result that fits the tool’s outputSchema.`);
    const structuredContent: unknown = JSON.parse(text);
    this.#result(asked, JSON.stringify({ ...empty, content: [{ type: 'text', text }], structuredContent }));
  }

  /** A subscription that was recorded with another filter: it hears what of that was recorded, and stays open. */
  async #listenOtherwise(asked: Asked): Promise<void> {
    const found = recordedFor(this.#replay.session, asked.params);
    const meta = `{"io.modelcontextprotocol/subscriptionId":${asked.id}}`;
    const params = `{"_meta":${meta},"notifications":${filterOf(found.keys())}}`;
    asked.outlet.tell(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":${params}}`);
    for (const seq of new Set(found.values())) {
      this.#stage.opens(seq, asked, new Set([...found].flatMap(([wanted, from]) => (from === seq ? [wanted] : []))));
    }
    await this.#calledOff(asked);
  }

  #result({ id, outlet }: Asked, result: string): void {
    outlet.answer(answerText(id, 'result', result));
  }

  #refuse({ id, outlet }: Asked, { code, message, data }: Refused): void {
    this.#host.note(message);
    outlet.answer(errorText(id, code, message, data));
  }

  /** Nothing comes of it until the client calls it off. */
  #calledOff(asked: Asked): Promise<void> {
    this.#client.waits(asked);
    return new Promise((resolve) => void whenAborted(asked.abort.signal, resolve));
  }
}

/** The version that an `initialize` asks for. */
function requestedIn({ read }: Asked): string {
  const version = read.params?.member('protocolVersion');
  return version?.kind === 'string' ? (version.value as string) : '';
}

const NO_SAMPLE =
  'It has an outputSchema, and no result that fits it could be made up, so this is no empty result but an error.';
