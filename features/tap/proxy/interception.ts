import { Interceptor } from '@/features/intercept/lib/interceptor';
import { Overlay } from '@/features/intercept/lib/overlay';
import type { JsonObject } from '@/lib/json/value';
import type { RuleOwner } from '@/lib/mcp/message-interceptor';
import { systemClock } from '@/lib/wire/clock';
import { type Direction, OPPOSITE } from '@/lib/wire/frame';
import { type HoldDecision, INTERCEPT_LIMITS, type InterceptRule } from '@/lib/wire/intercept';
import { answerRequest, type RuledSession } from './control-requests';
import type { RecordingThread } from './recording-thread';
import type { LineTaker, StreamRelay } from './relay';
import type { Passed } from './ring';
import type { SeenMessages } from './seen-messages';

/** Both directions of a session, on which rules work, and its recording, if there is one. */
export interface RuledStreams {
  readonly passages: Readonly<Record<Direction, StreamRelay>>;
  readonly recording: Pick<RecordingThread, 'onPassing' | 'logEvent'> | undefined;
  /** The first and the newest messages that passed. */
  readonly seen: SeenMessages;
}

/** The streams of the recording with the messages as their sender sent them. */
const ORIGINALS: Readonly<Record<Direction, Passed>> = { 'to-server': 'changed-in', 'to-client': 'changed-out' };
const DIRECTIONS: readonly Direction[] = ['to-server', 'to-client'];
const LINE_END = Buffer.from('\n');

/** Applies rules to the messages of a session. Without rules, bytes pass as they come. */
export class TapInterception implements RuledSession {
  readonly #passages: RuledStreams['passages'];
  readonly #interceptor: Interceptor;
  readonly #seen: SeenMessages;
  /** Direction of the message that is decided over. */
  #current: Direction | undefined;
  /** The direction between whose lines the messages of the newest event go. */
  #at: Direction | undefined;
  /** An event that is logged with its message. */
  #event: (() => void) | undefined;

  constructor({ passages, recording, seen }: RuledStreams) {
    this.#passages = passages;
    this.#seen = seen;
    this.#interceptor = new Interceptor({
      clock: systemClock,
      deliver: (direction, bytes) =>
        this.#follow(direction, () => {
          const isRead = passages[direction].sendLine(bytes);
          // The direction that causes messages waits for their receiver.
          if (!isRead && this.#current) passages[this.#current].waitFor(passages[direction]);
        }),
      logWithheld: (direction, bytes) => this.#follow(direction, () => passages[direction].recordLine(bytes)),
      logOriginal: (direction, bytes) => {
        const line = Buffer.concat([bytes, LINE_END]);
        this.#follow(direction, () => {
          this.#flush();
          passages[direction].waitUntil(recording?.onPassing(ORIGINALS[direction], line));
        });
      },
      log: (event) => {
        const log = (): void => {
          this.#flush();
          recording?.logEvent(event);
        };
        this.#at = undefined;
        if (event.event !== 'intercepted' || event.did === 'pass') return log();
        // An answer of ours goes the other way. Progress goes where the next message does.
        if (event.did === 'progress') this.#event = log;
        else this.#follow(event.made ? OPPOSITE[event.direction] : event.direction, log);
      },
      cut: (direction) => {
        passages[direction].cut();
        this.#interceptor.end(direction);
      },
      onIdle: () => this.#update(),
      announce: (bytes) => void passages['to-client'].sendLine(bytes),
    });
  }

  /** Reads what passed while nobody looked, so that responses are understood. */
  #readSeen(): void {
    if (!this.#interceptor.isIdle) return;
    for (const [direction, line] of this.#seen.messages()) this.#interceptor.readEarlier(direction, line);
  }

  /**
   * Does something between two lines, together with all that follows the newest event. Otherwise a line that is being
   * passed would come between an event and its messages.
   */
  #follow(direction: Direction, run: () => void): void {
    this.#at ??= direction;
    const event = this.#event;
    this.#event = undefined;
    this.#passages[this.#at].afterLine(() => {
      event?.();
      run();
    });
  }

  /** Replaces the rules of an owner. Throws a Failure, and changes nothing then. */
  setRules(owner: RuleOwner, rules: readonly InterceptRule[]): void {
    this.#readSeen();
    this.#interceptor.setRules(owner, rules);
    this.#update();
  }

  /** Replaces the overlay of an owner. Throws a Failure, and changes nothing then. */
  setOverlay(owner: RuleOwner, overlay: string): void {
    const shown = new Overlay(overlay);
    this.#readSeen();
    this.#interceptor.setOverlay(owner, shown);
    this.#update();
  }

  /** Removes the rules and the overlay of an owner, and passes on the messages that they hold. */
  removeOwner(owner: RuleOwner): void {
    this.#interceptor.removeOwner(owner);
    this.#update();
  }

  /** Does what a page asks for. Returns further fields of the answer. Throws a Failure. */
  request(owner: RuleOwner, asked: JsonObject): object | undefined {
    const answer = answerRequest(this, owner, asked);
    this.#update();
    return answer;
  }

  /** Returns the bytes of a held message. Throws a Failure. */
  read(hold: number): Uint8Array {
    return this.#interceptor.read(hold);
  }

  /** Ends a hold as a person decides. Throws a Failure. */
  decide(hold: number, decision: HoldDecision): void {
    this.#interceptor.decide(hold, decision);
  }

  /** Ends the waiting of messages for a receiver that gets no more after them. */
  end(direction: Direction): void {
    this.#passages[direction].endLine();
    for (const { hold, direction: to } of this.#interceptor.held()) {
      if (to === direction) this.#interceptor.decide(hold, { do: 'release' });
    }
    this.#interceptor.end(direction);
  }

  #flush(): void {
    if (this.#current) this.#passages[this.#current].flush();
  }

  /** Looks at messages only while there are rules. */
  #update(): void {
    for (const direction of DIRECTIONS) {
      this.#passages[direction].decideBy(this.#interceptor.isIdle ? undefined : this.#taker(direction));
    }
  }

  #taker(direction: Direction): LineTaker {
    const onLine = (line: Buffer): boolean => {
      this.#current = direction;
      try {
        return this.#interceptor.onMessage(direction, line, undefined) === 'pass';
      } catch {
        // A fault of ours must not end the session.
        return true;
      } finally {
        this.#current = undefined;
      }
    };
    return { mostBytes: INTERCEPT_LIMITS.messageBytes, onLine, onLongLine: onLine };
  }
}
