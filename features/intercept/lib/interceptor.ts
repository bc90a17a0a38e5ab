import { isObject, own } from '@/lib/json/value';
import type { InterceptorDeps, MessageInterceptor, RuleOwner, RuleSet } from '@/lib/mcp/message-interceptor';
import { type Direction, OPPOSITE } from '@/lib/wire/frame';
import {
  type HeldMessage,
  type HoldDecision,
  INTERCEPT_LIMITS,
  type InterceptAction,
  type Interception,
  type InterceptRule,
  type InterceptWhy,
} from '@/lib/wire/intercept';
import { idKey, type RequestId } from '@/lib/wire/message';
import { METHOD } from '@/lib/wire/protocol-names';
import { ActiveRule, InterceptError, isPossible, isRequest, isResponse } from './active-rule';
import { ListChangeNotices } from './list-change-notices';
import { type AnsweredFrame, answerContent, answered, replacementOf } from './made-answers';
import { type OverlaidFrame, Overlay } from './overlay';
import { PassedRequests } from './passed-requests';
import {
  type PassedRequest,
  type PassingFrame,
  type PassingMessage,
  paramsOf,
  progressTokenOf,
  readPassing,
} from './passing-message';

/**
 * Milliseconds between two progress notifications for a request that waits. Hosts wait 30 s and more, but some clients
 * only 10 s.
 */
export const PROGRESS_MS = 5000;
/** Each of these notifications adds 1 to the progress divided by this, because progress has to increase. */
const PROGRESS_DIVISOR = 1_000_000;

/** A message that is being treated. */
interface Subject<R> {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
  readonly frame: PassingFrame;
  readonly route: R;
  readonly rule?: ActiveRule | undefined;
}

/** A message that waits. */
interface Hold<R> extends Subject<R> {
  readonly rule: ActiveRule;
  readonly number: number;
  /** Milliseconds on the clock. */
  readonly since: number;
  ms: number | undefined;
  isGivenUp: boolean;
  stopTimer: () => void;
  stopProgress: () => void;
}

type About = Pick<Interception, 'did' | 'why' | 'hold' | 'waitedMs'>;

/**
 * Stands between the two sides of a connection and applies rules to their messages. Create it when the first rules are
 * set, and stop showing it messages when it {@link isIdle is idle}. Pure: all effects are injected.
 */
export class Interceptor<R = undefined> implements MessageInterceptor<R> {
  readonly #deps: InterceptorDeps<R>;
  /** In the order in which they are asked. */
  #rules: readonly ActiveRule[] = [];
  readonly #held = new Map<number, Hold<R>>();
  readonly #requests = new PassedRequests();
  readonly #overlays = new Map<RuleOwner, Overlay>();
  /** The overlay in force: the one set last. */
  #overlay: Overlay | undefined;
  readonly #listChanges = new ListChangeNotices();
  #heldBytes = 0;
  #newestHold = 0;
  #waitingForPerson = 0;

  constructor(deps: InterceptorDeps<R>) {
    this.#deps = deps;
  }

  /** True without rules, overlay and waiting messages: then messages need not be shown to it. */
  get isIdle(): boolean {
    const hasOverlay = [...this.#overlays.values()].some((overlay) => !overlay.isEmpty);
    return this.#rules.length === 0 && !hasOverlay && this.#held.size === 0;
  }

  setRuleSet({ owner, rules, overlay }: RuleSet): void {
    const shown = overlay === undefined ? undefined : new Overlay(overlay);
    this.setRules(owner, rules);
    this.setOverlay(owner, shown);
  }

  /**
   * Replaces the rules of an owner. The counts of rules that stay go on; messages that others hold are passed on.
   * Throws {@link InterceptError} `bad-rule`, and changes nothing then.
   */
  setRules(owner: RuleOwner, rules: readonly InterceptRule[]): void {
    const before = this.#rules.filter((active) => active.owner === owner);
    const after = rules.map((rule) => before.find((active) => active.isSame(rule)) ?? new ActiveRule(rule, owner));
    if (before.length === after.length && before.every((active, index) => active === after[index])) return;
    const first = this.#rules.findIndex((active) => active.owner === owner);
    const others = this.#rules.filter((active) => active.owner !== owner);
    const at = first < 0 ? others.length : first;
    this.#rules = [...others.slice(0, at), ...after, ...others.slice(at)];
    this.#deps.log({ event: 'rules', rules: this.#rules.map(({ shown }) => shown) });
    for (const hold of [...this.#held.values()]) {
      if (hold.rule.owner === owner && !after.includes(hold.rule)) this.#release(hold, 'owner-gone');
    }
    this.#reportIdle();
  }

  /**
   * Replaces the overlay of an owner. The last one set is in force; if its owner is gone, the one before. The client is
   * told that its list of tools has changed, if it expects that.
   */
  setOverlay(owner: RuleOwner, overlay: Overlay | undefined): void {
    if (!this.#overlays.delete(owner) && !overlay) return;
    if (overlay) this.#overlays.set(owner, overlay);
    const before = this.#overlay;
    const [owned, now] = [...this.#overlays].at(-1) ?? [];
    this.#overlay = now;
    if (now?.text !== before?.text) this.#reportOverlay(owned);
    this.#reportIdle();
  }

  #reportOverlay({ file }: RuleOwner = {}): void {
    const announce = this.#deps.announce?.bind(this.#deps);
    const notices = announce ? this.#listChanges.notices : [];
    this.#deps.log({
      event: 'overlay',
      ...(this.#overlay && { text: this.#overlay.text }),
      ...(file !== undefined && { file }),
      notified: notices.length,
    });
    for (const { text, stream } of notices) announce?.(new TextEncoder().encode(text), stream);
    this.#deps.onOverlayChange?.();
  }

  /** Removes the rules and the overlay of an owner, and passes on the messages that its rules hold. */
  removeOwner(owner: RuleOwner): void {
    this.setRules(owner, []);
    this.setOverlay(owner, undefined);
  }

  /** Reads a message that passed before there were rules, so that responses and changes of lists are understood. */
  readEarlier(direction: Direction, bytes: Uint8Array): void {
    this.#remember(direction, this.#read(direction, bytes));
  }

  #remember(direction: Direction, frame: PassingFrame): void {
    this.#requests.add(direction, frame);
    for (const { body } of frame.messages) if (body) this.#listChanges.onMessage(direction, body);
  }

  /**
   * Sees a message before it is logged or passed on. `bytes` are without line feed, and are copied if they are kept.
   * `pass`: the caller logs and passes it as usual. `taken`: the caller does neither, because the effects do it.
   */
  onMessage(direction: Direction, bytes: Uint8Array, route: R): 'pass' | 'taken' {
    const overlay = this.#overlay?.isEmpty ? undefined : this.#overlay;
    if (this.#rules.length === 0 && !overlay) return 'pass';
    if (bytes.length > INTERCEPT_LIMITS.messageBytes) {
      if (overlay || this.#rules.some((rule) => rule.concerns(direction))) {
        this.#deps.log({ event: 'intercepted', did: 'pass', why: 'too-large', direction, delivered: 1 });
      }
      return 'pass';
    }
    const frame = this.#read(direction, bytes);
    this.#noteGivenUp(direction, frame);
    const seen = { direction, bytes, frame, route };
    const overlaid = overlay && overlaidFrame(overlay, seen);
    const done = overlaid ? this.#applyOverlay(seen, overlaid) : this.#applyRules(seen);
    this.#remember(direction, frame);
    return done;
  }

  /** Logs that the sender of a held request, or the receiver of a held response, has cancelled the request. */
  #noteGivenUp(direction: Direction, { messages }: PassingFrame): void {
    if (this.#held.size === 0) return;
    for (const { kind, method, body } of messages) {
      const params = kind === 'notification' && method === METHOD.cancelled && body && own(body, 'params');
      if (!isObject(params)) continue;
      const id = idKey(own(params, 'requestId'));
      const reason = own(params, 'reason');
      for (const hold of this.#held.values()) {
        const belongs = hold.direction === direction ? isRequest : isResponse;
        if (hold.isGivenUp || !hold.frame.messages.some((one) => belongs(one) && idKey(one.id) === id)) continue;
        hold.isGivenUp = true;
        const about = typeof reason === 'string' && { reason: reason.slice(0, INTERCEPT_LIMITS.errorChars) };
        this.#deps.log({ event: 'given-up', hold: hold.number, ...factsOf(hold.direction, hold.frame), ...about });
      }
    }
  }

  #applyRules(subject: Subject<R>): 'pass' | 'taken' {
    const rule = this.#rules.find((active) => active.takes(subject.direction, subject.frame));
    return rule ? this.#apply(rule.rule.action, { ...subject, rule }) : 'pass';
  }

  /** Applies an overlay, and then the rules, which see what it made. */
  #applyOverlay(subject: Subject<R>, { bytes, answers }: OverlaidFrame): 'taken' {
    const { direction, route } = subject;
    if (!bytes) {
      this.#answer(subject, answers!, { did: 'overlay' });
      return 'taken';
    }
    const frame = this.#read(direction, bytes);
    const changed = { direction, bytes, frame, route };
    const rule = this.#rules.find((active) => active.takes(direction, frame));
    this.#log(subject, { did: 'overlay' }, { delivered: rule ? 0 : 1, original: true, ...(answers && { made: true }) });
    this.#deps.logOriginal(direction, subject.bytes, route);
    const done = rule ? this.#apply(rule.rule.action, { ...changed, rule }) : 'pass';
    if (done === 'pass') this.#deps.deliver(direction, bytes, route);
    if (answers) this.#deps.deliver(OPPOSITE[direction], answers, route);
    return 'taken';
  }

  #read(direction: Direction, bytes: Uint8Array): PassingFrame {
    return readPassing(direction, bytes, (towards, id) => this.#requestOf(towards, id));
  }

  #requestOf(direction: Direction, id: RequestId): PassedRequest | undefined {
    const known = this.#requests.requestOf(direction, id);
    if (known) return known;
    const method = this.#deps.methodOf?.(OPPOSITE[direction], id);
    return method === undefined ? undefined : { method };
  }

  /** The messages that wait, oldest first. */
  held(): readonly HeldMessage[] {
    return Array.from(this.#held.values(), heldMessage);
  }

  /** True while a response in this direction to the request with this id waits. */
  holdsAnswerTo(direction: Direction, id: RequestId): boolean {
    for (const hold of this.#held.values()) {
      if (hold.direction !== direction) continue;
      if (hold.frame.messages.some((message) => isResponse(message) && message.id === id)) return true;
    }
    return false;
  }

  /** Returns the bytes of a held message. Throws {@link InterceptError} `not-held`. */
  read(hold: number): Uint8Array {
    return this.#get(hold).bytes;
  }

  /** Ends a hold as a person decides. Throws {@link InterceptError} `not-held`, `not-answerable`. */
  decide(number: number, decision: HoldDecision): void {
    const hold = this.#get(number);
    if (!isPossible(decision, hold.frame.messages)) throw new InterceptError(NOT_ANSWERABLE);
    if (decision.do === 'delay') this.#delayAgain(hold, decision.ms);
    else this.#finish(hold, decision);
  }

  #finish(hold: Hold<R>, decision: Exclude<HoldDecision, { do: 'delay' }>): void {
    const about = this.#takeOut(hold);
    if (decision.do !== 'release') this.#treat(decision, hold, about, hold.frame.messages);
    else if (decision.text === undefined) this.#passOn(hold, { ...about, did: 'release' });
    else this.#replace(hold, decision.text, about);
    this.#reportIdle();
  }

  /**
   * The stream of a direction has ended: the messages that wait for it are dropped. `isEnded`: only routes have ended,
   * because the client left them.
   */
  end(direction: Direction, isEnded?: (route: R) => boolean): void {
    const why = isEnded ? 'client-left' : 'connection-ended';
    for (const hold of [...this.#held.values()]) {
      if (hold.direction === direction && (!isEnded || isEnded(hold.route)))
        this.#withhold(hold, { ...this.#takeOut(hold), did: 'drop', why });
    }
    this.#reportIdle();
  }

  #get(number: number): Hold<R> {
    const hold = this.#held.get(number);
    if (!hold) throw new InterceptError(NOT_HELD);
    return hold;
  }

  /** Treats a message that a rule took. */
  #apply(action: InterceptAction, subject: Subject<R> & { readonly rule: ActiveRule }): 'pass' | 'taken' {
    switch (action.do) {
      case 'hold':
        this.#hold(subject, undefined);
        return 'taken';
      case 'delay':
        this.#hold(subject, action.ms);
        return 'taken';
      case 'replace':
        this.#replace(subject, action.text, {});
        return 'taken';
      case 'answer-from':
        return this.#answerFrom(subject);
      default:
        this.#treat(action, subject, {}, subject.rule.matching(subject.frame));
        return 'taken';
    }
  }

  /** `chosen`: the messages of a batch that get an answer or another content. */
  #treat(
    action: Extract<InterceptAction, { do: 'drop' | 'duplicate' | 'error' | 'result' | 'cut' }>,
    subject: Subject<R>,
    about: Omit<About, 'did'>,
    chosen: readonly PassingMessage[],
  ): void {
    const { direction, bytes, frame, route } = subject;
    switch (action.do) {
      case 'drop':
        this.#withhold(subject, { ...about, did: 'drop' });
        break;
      case 'cut': {
        this.#withhold(subject, { ...about, did: 'cut' });
        const idsOf = (which: (message: PassingMessage) => boolean) =>
          frame.messages.flatMap((message) => (which(message) && message.id !== undefined ? [message.id] : []));
        this.#deps.cut(direction, route, { requests: idsOf(isRequest), answers: idsOf(isResponse) });
        break;
      }
      case 'duplicate': {
        const room = Math.max(1, Math.floor(INTERCEPT_LIMITS.copyBytes / Math.max(1, bytes.length)));
        const delivered = 1 + Math.min(action.copies ?? 1, room);
        this.#log(subject, { ...about, did: 'duplicate' }, { delivered });
        for (let copy = 0; copy < delivered; copy++) this.#deps.deliver(direction, bytes, route);
        break;
      }
      default: {
        const content = answerContent(action);
        this.#answerIn(subject, answered(frame, chosen, () => content)!, { ...about, did: action.do });
      }
    }
  }

  #answerFrom(subject: Subject<R> & { readonly rule: ActiveRule }): 'pass' | 'taken' {
    const { frame, rule } = subject;
    const requests = rule.matching(frame).filter(isRequest);
    const made = answered(frame, requests, (request) => rule.answerFrom?.(request.method!, paramsOf(frame, request)));
    if (made) {
      this.#answerIn(subject, made, { did: 'answer-from' });
      return 'taken';
    }
    this.#log(subject, { did: 'pass', why: 'not-recorded' }, { delivered: 1 });
    return 'pass';
  }

  #answerIn(subject: Subject<R>, { answers, bytes }: AnsweredFrame, about: About): void {
    if (!bytes) this.#answer(subject, answers!, about);
    else if (!answers) this.#change(subject, bytes, about);
    else this.#answerSome(subject, bytes, answers, about);
  }

  /** Answers some requests of a batch, and passes the rest on. */
  #answerSome(subject: Subject<R>, bytes: Uint8Array, answers: Uint8Array, about: About): void {
    const { direction, route } = subject;
    this.#log(subject, about, { delivered: 1, original: true, made: true });
    this.#deps.logOriginal(direction, subject.bytes, route);
    this.#deps.deliver(direction, bytes, route);
    this.#deps.deliver(OPPOSITE[direction], answers, route);
  }

  /** Answers the requests of a message, which their receiver does not get. */
  #answer(subject: Subject<R>, answers: Uint8Array, about: About): void {
    const { direction, bytes, route } = subject;
    this.#log(subject, about, { delivered: 1, withheld: true, made: true });
    this.#deps.logWithheld(direction, bytes, route);
    this.#deps.deliver(OPPOSITE[direction], answers, route);
  }

  #replace(subject: Subject<R>, text: string, about: Omit<About, 'did'>): void {
    const bytes = replacementOf(text);
    if (equal(bytes, subject.bytes)) this.#passOn(subject, { ...about, did: 'release' });
    else this.#change(subject, bytes, { ...about, did: 'replace' });
  }

  /** Passes other bytes on. */
  #change(subject: Subject<R>, bytes: Uint8Array, about: About): void {
    this.#log(subject, about, { delivered: 1, original: true });
    this.#deps.logOriginal(subject.direction, subject.bytes, subject.route);
    this.#deps.deliver(subject.direction, bytes, subject.route);
  }

  #passOn(subject: Subject<R>, about: About): void {
    this.#log(subject, about, { delivered: 1 });
    this.#deps.deliver(subject.direction, subject.bytes, subject.route);
  }

  #withhold(subject: Subject<R>, about: About): void {
    const { direction, bytes, frame, route } = subject;
    const isAsked = frame.messages.some(isRequest);
    this.#log(subject, about, { delivered: isAsked ? 1 : 0, withheld: true, ...(!isAsked && { original: true }) });
    if (isAsked) this.#deps.logWithheld(direction, bytes, route);
    else this.#deps.logOriginal(direction, bytes, route);
  }

  #log(
    { direction, frame, rule }: Subject<R>,
    about: About,
    follows: Pick<Interception, 'delivered' | 'original' | 'withheld' | 'made'>,
  ): void {
    const named = rule && { rule: rule.rule.name };
    this.#deps.log({ event: 'intercepted', ...named, ...about, ...factsOf(direction, frame), ...follows });
  }

  #hold(subject: Subject<R> & { readonly rule: ActiveRule }, ms: number | undefined): void {
    const bytes = subject.bytes.slice();
    const hold: Hold<R> = {
      ...subject,
      bytes,
      number: ++this.#newestHold,
      since: this.#deps.clock.now(),
      ms,
      isGivenUp: false,
      stopTimer: () => {},
      stopProgress: () => {},
    };
    this.#held.set(hold.number, hold);
    this.#deps.log({ event: 'held', ...heldMessage(hold) });
    if (ms !== undefined) this.#startTimer(hold, ms);
    this.#startProgress(hold);
    this.#countWaiting();
    this.#heldBytes += bytes.length;
    while (this.#held.size > INTERCEPT_LIMITS.held || this.#heldBytes > INTERCEPT_LIMITS.heldBytes) {
      this.#release(this.#held.values().next().value!, 'too-many');
    }
  }

  #startTimer(hold: Hold<R>, ms: number): void {
    hold.stopTimer = this.#deps.clock.after(ms, () => {
      this.#passOn(hold, { ...this.#takeOut(hold), did: 'delay' });
      this.#reportIdle();
    });
  }

  #delayAgain(hold: Hold<R>, ms: number): void {
    hold.stopTimer();
    hold.ms = ms;
    this.#deps.log({ event: 'held', ...heldMessage(hold) });
    this.#startTimer(hold, ms);
    this.#countWaiting();
  }

  #release(hold: Hold<R>, why: InterceptWhy): void {
    this.#passOn(hold, { ...this.#takeOut(hold), did: 'release', why });
  }

  /** Ends a hold. Returns what the log says of it. */
  #takeOut(hold: Hold<R>): Pick<Interception, 'hold' | 'waitedMs'> {
    hold.stopTimer();
    hold.stopProgress();
    this.#held.delete(hold.number);
    this.#heldBytes -= hold.bytes.length;
    this.#countWaiting();
    return { hold: hold.number, waitedMs: Math.round(this.#deps.clock.now() - hold.since) };
  }

  #countWaiting(): void {
    let count = 0;
    for (const { ms } of this.#held.values()) if (ms === undefined) count++;
    if (count === this.#waitingForPerson) return;
    this.#waitingForPerson = count;
    this.#deps.onHeldChange?.(count);
  }

  #reportIdle(): void {
    if (this.isIdle) this.#deps.onIdle?.();
  }

  /** Reports progress of the requests that wait, or whose responses wait, to those who asked for it. */
  #startProgress(hold: Hold<R>): void {
    const { direction, frame } = hold;
    const asked = frame.messages.flatMap((message) => {
      const back = isRequest(message) ? OPPOSITE[direction] : direction;
      const token = isRequest(message) ? progressTokenOf(message) : this.#requests.tokenFor(direction, message);
      return token === undefined ? [] : [{ back, token, last: this.#requests.progressOf(back, token) }];
    });
    if (asked.length === 0) return;
    let steps = 0;
    const next = (): void => {
      hold.stopProgress = this.#deps.clock.after(PROGRESS_MS, () => {
        steps++;
        for (const { back, token, last } of asked) {
          const progress = last + steps / PROGRESS_DIVISOR;
          const params = { progressToken: token, progress, message: `Held by mcp-inspect (${hold.rule.rule.name})` };
          this.#log(hold, { did: 'progress', hold: hold.number }, { delivered: 0, made: true });
          const text = JSON.stringify({ jsonrpc: '2.0', method: METHOD.progress, params });
          this.#deps.deliver(back, new TextEncoder().encode(text), hold.route);
        }
        next();
      });
    };
    next();
  }
}

/** Applies an overlay to a frame; undefined if the frame stays as it is. */
function overlaidFrame<R>(overlay: Overlay, { direction, bytes, frame }: Subject<R>): OverlaidFrame | undefined {
  const { messages } = frame;
  if (direction === 'to-server') {
    return messages.some(({ method }) => method === 'tools/call') ? overlay.toServer(bytes) : undefined;
  }
  const lists = new Set(
    messages.filter(({ kind, method }) => kind === 'response' && method === 'tools/list').map(({ id }) => idKey(id)),
  );
  return lists.size > 0 ? overlay.toClient(bytes, (id) => lists.has(idKey(id))) : undefined;
}

function heldMessage<R>({ number, rule, direction, frame, ms }: Hold<R>): HeldMessage {
  const facts = factsOf(direction, frame);
  return { hold: number, rule: rule.rule.name, ...facts, bytes: frame.bytes, ...(ms !== undefined && { ms }) };
}

/** Returns the facts of a message that events tell. A batch has those of its first message, without an id. */
function factsOf(
  direction: Direction,
  { isBatch, messages: [first] }: PassingFrame,
): Pick<HeldMessage, 'direction' | 'kind' | 'method' | 'name' | 'id'> {
  const { kind, method, name, id } = first!;
  return {
    direction,
    kind: isBatch ? 'batch' : kind,
    ...(method !== undefined && { method }),
    ...(name !== undefined && !isBatch && { name: name.slice(0, INTERCEPT_LIMITS.nameChars) }),
    ...(id !== undefined && !isBatch && { id }),
  };
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

const NOT_HELD = {
  code: 'not-held',
  message: 'This message does not wait any more.',
  advice: 'See the message log for what was done to it.',
};

const NOT_ANSWERABLE = {
  code: 'not-answerable',
  message: 'Only a request or a response can get an answer.',
  advice: 'Release, change or drop the message.',
};
