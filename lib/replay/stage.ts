import type { RecordedCall, ServerEvent } from '@/lib/session/recorded-session';
import { type Asked, LISTEN } from './asked';
import { type Listener, noticeText, questionText, streamText } from './event-text';
import type { Outlet } from './outlet';
import { isOwn } from './own-events';
import { Questions } from './questions';
import type { Replay, ReplayHost } from './replay';
import { Script } from './script';
import { type Wanted, wantedFor } from './subscriptions';

/** What the server says to one client besides answers: who gets it, where, and under which ids. */
export class Stage {
  readonly questions = new Questions();
  /** By the seq of the recorded `subscriptions/listen`: those of its clients, while they are open, and of what they are told, if not of all. */
  readonly #streams = new Map<number, Map<Asked, ReadonlySet<Wanted> | undefined>>();
  readonly #replay: Replay;
  readonly #host: ReplayHost;
  readonly #end = new AbortController();

  constructor(replay: Replay, host: ReplayHost) {
    this.#replay = replay;
    this.#host = host;
  }

  /** A client's `subscriptions/listen` replays the one at `seq`, or so much of it as is `wanted`. */
  opens(seq: number, asked: Asked, wanted?: ReadonlySet<Wanted>): void {
    this.#streams.set(seq, (this.#streams.get(seq) ?? new Map()).set(asked, wanted));
  }

  /** A request is over. */
  over(asked: Asked): void {
    if (asked.method !== LISTEN) return;
    for (const open of this.#streams.values()) open.delete(asked);
  }

  /**
   * For what came during a call, and after it was given up: what is not its own comes beside it where somebody listens, and what comes after the
   * client called it off, or after it was given up in the recording, in any case.
   */
  scriptOf(call: RecordedCall, { outlet, listener, abort }: Asked): Script {
    const { clock, side } = this.#host;
    const givenUp = call.unanswered?.since?.seq ?? Number.POSITIVE_INFINITY;
    const signalOf = (event: ServerEvent) => (isOwn(event, call) ? abort.signal : this.#end.signal);
    const emit = (event: ServerEvent) => {
      const late = abort.signal.aborted || event.seq > givenUp;
      const beside = late || (side.isHeard && !isOwn(event, call));
      return beside
        ? this.#emit(event, side, this.#everybody, this.#end.signal)
        : this.#emit(event, outlet, listener, signalOf(event));
    };
    return new Script({ clock, pace: this.#replay.pace, signalOf, emit }, call.time);
  }

  /** Plays what belongs to no request: it followed what happened at `time`. */
  consequences(events: readonly ServerEvent[], time: number): void {
    if (events.length === 0) return;
    const { clock, side } = this.#host;
    const { signal } = this.#end;
    const emit = (event: ServerEvent) => this.#emit(event, side, this.#everybody, signal);
    void new Script({ clock, pace: this.#replay.pace, signalOf: () => signal, emit }, time).play(events);
  }

  /** The client is gone. */
  end(): void {
    this.#end.abort();
  }

  /** Who is told what belongs to no request. */
  get #everybody(): Listener {
    const questionId = (recorded: string) => this.questions.idOf(recorded);
    return { progressToken: undefined, logs: this.#replay.session.era === 'legacy', questionId };
  }

  #emit(
    event: ServerEvent,
    outlet: Pick<Outlet, 'tell'>,
    listener: Listener,
    signal: AbortSignal,
  ): Promise<unknown> | undefined {
    if (event.kind === 'question') {
      const { id, answered } = this.questions.ask(signal, event.id);
      outlet.tell(questionText(event, id));
      return answered;
    }
    if (event.stream === undefined) {
      const text = noticeText(event, listener);
      if (text !== undefined) outlet.tell(text);
    } else {
      const subject = wantedFor(event);
      for (const [{ id, outlet: own }, wanted] of this.#streams.get(event.stream) ?? []) {
        if (!wanted || (subject !== undefined && wanted.has(subject))) own.tell(streamText(event, id));
      }
    }
    return undefined;
  }
}
