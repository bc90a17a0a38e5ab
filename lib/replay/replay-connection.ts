import { canonicalJson } from '@/lib/session/canonical-json';
import { Playhead } from '@/lib/session/playhead';
import { type ReadMessage, readMessages } from '@/lib/session/read-messages';
import type { RecordedNotice } from '@/lib/session/recorded-session';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { Answers } from './answers';
import { type Asked, LISTEN, toAsked } from './asked';
import { Debts } from './debts';
import type { Listener } from './event-text';
import { capabilitiesIn } from './forwarding';
import { OPENINGS, type Refused } from './openings';
import { batchOutlets, errorText, type Outlet } from './outlet';
import type { Replay, ReplayHost } from './replay';
import { Stage } from './stage';

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
  readonly #notices = new Playhead<RecordedNotice>();
  readonly #stage: Stage;
  readonly #answers: Answers;
  /** By id. */
  readonly #running = new Map<string, Asked>();
  readonly #owed = new Debts();
  /** The client's, as it said last. */
  #capabilities: JsonObject = {};

  constructor(replay: Replay, host: ReplayHost) {
    this.#replay = replay;
    this.#host = host;
    this.#stage = new Stage(replay, host);
    this.#answers = new Answers(replay, host, this.#stage, {
      capabilities: () => this.#capabilities,
      waits: (asked) => this.#owed.paid(asked),
    });
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
    void this.#answers.give(asked).finally(() => {
      if (this.#running.get(key) === asked) this.#running.delete(key);
      this.#stage.over(asked);
      this.#owed.paid(asked);
    });
    return asked;
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

  #callOff(asked: Asked): void {
    if (asked.abort.signal.aborted) return;
    asked.abort.abort();
    asked.outlet.drop();
    this.#owed.paid(asked);
  }
}
