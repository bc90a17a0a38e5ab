import type { RuleOwner } from '@/lib/intercept/active-rule';
import { Interceptor } from '@/lib/intercept/interceptor';
import { Overlay } from '@/lib/intercept/overlay';
import type { JsonObject } from '@/lib/json/value';
import { systemClock } from '@/lib/wire/clock';
import type { Direction } from '@/lib/wire/frame';
import { type HoldDecision, INTERCEPT_LIMITS, type InterceptRule } from '@/lib/wire/intercept';
import { answerRequest, type RuledSession } from './control-requests';
import type { EarlyMessages } from './early-messages';
import type { RecordingThread } from './recording-thread';
import type { LineTaker, Passage } from './relay';
import type { Passed } from './ring';

/** Both directions of a session, on which rules work, and its recording, if there is one. */
export interface Intercepted {
  readonly passages: Readonly<Record<Direction, Passage>>;
  readonly recording: Pick<RecordingThread, 'onPassing' | 'logEvent'> | undefined;
  /** The first messages that passed. */
  readonly first: EarlyMessages;
}

/** The streams of the recording with the messages as their sender sent them. */
const ORIGINALS: Readonly<Record<Direction, Passed>> = { 'to-server': 'changed-in', 'to-client': 'changed-out' };
const DIRECTIONS: readonly Direction[] = ['to-server', 'to-client'];
const LINE_END = Buffer.from('\n');

/** Applies rules to the messages of a session. Without rules, bytes pass as they come. */
export class Interception implements RuledSession {
  readonly #passages: Intercepted['passages'];
  readonly #interceptor: Interceptor;
  /** Direction of the message that is decided over. */
  #current: Direction | undefined;

  constructor({ passages, recording, first }: Intercepted) {
    this.#passages = passages;
    this.#interceptor = new Interceptor({
      clock: systemClock,
      deliver: (direction, bytes) => {
        const isRead = passages[direction].sendLine(bytes);
        // The direction that causes messages waits for their receiver.
        if (!isRead && this.#current) passages[this.#current].waitFor(passages[direction]);
      },
      logWithheld: (direction, bytes) => passages[direction].recordLine(bytes),
      logOriginal: (direction, bytes) => {
        this.#flush();
        const line = Buffer.concat([bytes, LINE_END]);
        passages[direction].waitUntil(recording?.onPassing(ORIGINALS[direction], line));
      },
      log: (event) => {
        this.#flush();
        recording?.logEvent(event);
      },
      cut: (direction) => passages[direction].cut(),
      onIdle: () => this.#update(),
      announce: (bytes) => void passages['to-client'].sendLine(bytes),
    });
    for (const [direction, line] of first.messages()) this.#interceptor.readEarlier(direction, line);
  }

  /** Replaces the rules of an owner. Throws a Failure, and changes nothing then. */
  setRules(owner: RuleOwner, rules: readonly InterceptRule[]): void {
    this.#interceptor.setRules(owner, rules);
    this.#update();
  }

  /** Replaces the overlay of an owner. Throws a Failure, and changes nothing then. */
  setOverlay(owner: RuleOwner, overlay: string): void {
    this.#interceptor.setOverlay(owner, new Overlay(overlay));
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
