import type { ServerEvent } from '@/lib/session/recorded-session';
import type { Asked } from './asked';
import { type Listener, noticeText, questionText, streamText } from './event-text';
import type { Outlet } from './outlet';
import { Questions } from './questions';
import type { Replay, ReplayHost } from './replay';
import { Script } from './script';

/** What the server says to one client besides answers: who gets it, where, and under which ids. */
export class Stage {
  readonly questions = new Questions();
  /** By the seq of the recorded `subscriptions/listen`: the client's own, while it is open. */
  readonly streams = new Map<number, Asked>();
  readonly #replay: Replay;
  readonly #host: ReplayHost;
  readonly #end = new AbortController();

  constructor(replay: Replay, host: ReplayHost) {
    this.#replay = replay;
    this.#host = host;
  }

  /** For what belongs to a request, from `time` on. */
  scriptOf({ outlet, listener, abort }: Asked, time: number): Script {
    return this.#script(time, outlet, listener, abort.signal);
  }

  /** Plays what belongs to no request: it followed what happened at `time`. */
  consequences(events: readonly ServerEvent[], time: number): void {
    if (events.length === 0) return;
    const { session } = this.#replay;
    const questionId = (recorded: string) => this.questions.idOf(recorded);
    const listener = { progressToken: undefined, logs: session.era === 'legacy', questionId };
    void this.#script(time, this.#host.side, listener, this.#end.signal).play(events);
  }

  /** The client is gone. */
  end(): void {
    this.#end.abort();
  }

  #script(time: number, outlet: Outlet, listener: Listener, signal: AbortSignal): Script {
    const emit = (event: ServerEvent) => this.#emit(event, outlet, listener, signal);
    return new Script({ clock: this.#host.clock, pace: this.#replay.pace, signal, emit }, time);
  }

  #emit(event: ServerEvent, outlet: Outlet, listener: Listener, signal: AbortSignal): Promise<void> | undefined {
    if (event.kind === 'question') {
      const { id, answered } = this.questions.ask(event, signal);
      outlet.tell(questionText(event, id));
      return answered;
    }
    if (event.stream === undefined) {
      const text = noticeText(event, listener);
      if (text !== undefined) outlet.tell(text);
    } else {
      const stream = this.streams.get(event.stream);
      stream?.outlet.tell(streamText(event, stream.id));
    }
    return undefined;
  }
}
