import { canonicalJson } from '@/lib/session/canonical-json';
import { Playhead } from '@/lib/session/playhead';
import { type ReadMessage, readMessages } from '@/lib/session/read-messages';
import type { RecordedCall, RecordedNotice } from '@/lib/session/recorded-session';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { type Asked, LISTEN, toAsked } from './asked';
import { Debts } from './debts';
import { emptyResult } from './empty-result';
import { type Listener, withSubscription } from './event-text';
import { capabilitiesIn, forwardingOf } from './forwarding';
import { noAnswer, notRecorded } from './miss';
import { openingOf, type Refused, unsupported } from './openings';
import { answerText, batchOutlets, errorText, type Outlet } from './outlet';
import { outputSchemaOf } from './output-schema';
import type { Replay, ReplayHost } from './replay';
import { Stage } from './stage';
import { stretchesOf } from './stretches';
import { filterOf, recordedFor } from './subscriptions';
import { whenAborted } from './when-aborted';

/** What became of a text that the client sent. */
export interface Received {
  /** How many requests were in it; each is answered, or dropped, on the outlet. */
  readonly requests: number;
  /** Its sender is gone: nothing of it is answered any more. */
  abandon(): void;
}

const CANCELLED = 'notifications/cancelled';
const DISCOVER = 'server/discover';
const OPENINGS: ReadonlySet<string> = new Set(['initialize', DISCOVER]);
/** Their results say nothing, so they need not be recorded to be answered. */
const SAY_NOTHING: ReadonlySet<string> = new Set([
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);
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
  readonly #calls = new Playhead<RecordedCall>();
  readonly #notices = new Playhead<RecordedNotice>();
  readonly #stage: Stage;
  /** By id. */
  readonly #running = new Map<string, Asked>();
  readonly #owed = new Debts();
  /** The client's, as it said last. */
  #capabilities: JsonObject = {};

  constructor(replay: Replay, host: ReplayHost) {
    this.#replay = replay;
    this.#host = host;
    this.#stage = new Stage(replay, host);
  }

  /** Says what the server said before the client said anything. */
  begin(): void {
    this.#stage.consequences(this.#replay.session.before, 0);
  }

  /** Takes one text of the client's: a message, a batch, or anything. */
  receive(text: string, outlet: Outlet): Received {
    const reads = readMessages(text);
    const refused = reads.length === 0 ? PARSE_ERROR : reads[0]!.batch && !this.#takesBatches() ? NO_BATCH : undefined;
    if (refused) {
      outlet.answer(errorText('null', refused.code, refused.message));
      return { requests: 1, abandon: () => {} };
    }
    const requests = reads.filter(({ message }) => message.kind === 'request').length;
    const outlets = reads[0]!.batch && requests > 0 ? batchOutlets(requests, outlet) : () => outlet;
    const asked: Asked[] = [];
    const abandon = (): void => {
      for (const one of asked) this.#callOff(one);
    };
    for (const read of reads) {
      if (read.message.kind === 'notification') this.#notified(read);
      else if (read.message.kind !== 'request') this.#answered(read);
      else if (read.id === undefined) outlets().answer(errorText('null', NO_ID.code, NO_ID.message));
      else asked.push(this.#asked({ ...read, id: read.id }, outlets()));
    }
    return { requests, abandon };
  }

  /** The client says nothing any more, and still listens: resolves when it has all answers that do not wait for it. */
  finish(): Promise<void> {
    this.#stage.questions.close();
    return this.#owed.allPaid();
  }

  /** The client is gone. */
  end(): void {
    this.#stage.end();
    for (const asked of this.#running.values()) asked.abort.abort();
  }

  #takesBatches(): boolean {
    const { version } = this.#replay.session;
    return version === undefined || version < NO_BATCHES;
  }

  #asked(read: ReadMessage & { readonly id: string }, outlet: Outlet): Asked {
    const questionId: Listener['questionId'] = (recorded) => this.#stage.questions.idOf(recorded);
    const asked = toAsked(read, this.#replay.session.era, outlet, questionId);
    const key = canonicalJson(read.id);
    this.#capabilities = capabilitiesIn(read) ?? this.#capabilities;
    this.#running.set(key, asked);
    if (asked.method !== LISTEN) this.#owed.add(asked);
    void this.#answerSurely(asked).finally(() => {
      if (this.#running.get(key) === asked) this.#running.delete(key);
      this.#stage.over(asked);
      this.#owed.paid(asked);
    });
    return asked;
  }

  /** What fails here, on whatever is in the recording, is one request’s answer, and not the end of everybody’s replay. */
  async #answerSurely(asked: Asked): Promise<void> {
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
    if (abort.signal.aborted) return;
    if (!call.answer) {
      await this.#unanswered(call, asked);
      return;
    }
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
      const answer = await forward!(forwardingOf(asked, this.#capabilities, this.#stage.questions));
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

  #notified({ message, params }: ReadMessage): void {
    if (message.method === CANCELLED) {
      const asked = this.#running.get(canonicalJson(params?.member('requestId')?.text ?? ''));
      if (asked && !OPENINGS.has(asked.method)) this.#callOff(asked);
      return;
    }
    const notices = this.#replay.book.notices(message.method ?? '');
    if (notices.length === 0) return;
    const { item, again } = this.#notices.take(notices);
    if (!again) this.#stage.consequences(item.after, item.time);
  }

  #answered(read: ReadMessage): void {
    const {
      id,
      message: { body },
    } = read;
    if (id === undefined || !this.#stage.questions.answered(id, read)) return;
    const error = own(body, 'error');
    const message = isObject(error) ? own(error, 'message') : undefined;
    if (isObject(error))
      this.#host.note(
        `The client refused a question of the server’s: ${typeof message === 'string' ? message : 'it does not say why'}`,
      );
  }

  /** Nothing comes of it until the client calls it off. */
  #calledOff(asked: Asked): Promise<void> {
    this.#owed.paid(asked);
    return new Promise((resolve) => void whenAborted(asked.abort.signal, resolve));
  }

  #callOff(asked: Asked): void {
    if (asked.abort.signal.aborted) return;
    asked.abort.abort();
    asked.outlet.drop();
    this.#owed.paid(asked);
  }
}

/** The version that an `initialize` asks for. */
function requestedIn({ read }: Asked): string {
  const version = read.params?.member('protocolVersion');
  return version?.kind === 'string' ? (version.value as string) : '';
}

const NO_SAMPLE =
  'It has an outputSchema, and no result that fits it could be made up, so this is no empty result but an error.';
