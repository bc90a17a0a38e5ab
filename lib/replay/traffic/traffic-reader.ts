import { JsonSource } from '@/lib/json/source';
import { eraOf } from '@/lib/mcp/versions';
import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { decodeLossy } from '@/lib/store/classify';
import { HttpExchanges } from '@/lib/store/exchanges/http-exchanges';
import { OpenRequests } from '@/lib/store/exchanges/open-requests';
import { cutText } from '@/lib/wire/cut-message';
import type { CutMessage, Frame } from '@/lib/wire/frame';
import { readHttpFrame } from '@/lib/wire/http-frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';
import { Causes } from './causes';
import { factsOfCut, type MessageFacts, readFacts, type ValueKey, valueKey } from './message-facts';
import {
  Call,
  type FrameTexts,
  HeldTexts,
  MESSAGE_ROW,
  type MessagePlace,
  MessageTable,
  textOrCut,
} from './message-table';
import type { ClientMessage, RecordedCall, RecordedTraffic, Unanswered } from './recorded-traffic';
import { ResumableStreams } from './resumable-streams';

/** Events after which open requests get no answers. */
const ENDS: ReadonlySet<unknown> = new Set(['exit', 'failed', 'closed', 'session-lost']);

/**
 * Reads the frames of a recording, in order, into {@link RecordedTraffic}. Each frame costs time in proportion to its
 * text. `texts` gives the texts again; absent: they are held. With other texts, frames may be skims.
 */
export class TrafficReader {
  readonly #texts: FrameTexts;
  readonly #table: MessageTable;
  /** By exact id: numbers that a double can’t tell apart are different ones. */
  readonly #calls = new OpenRequests<ValueKey>();
  readonly #serverRequests = new OpenRequests<ValueKey>();
  readonly #causes = new Causes();
  readonly #rounds = new InputRounds();
  readonly #http = new HttpExchanges();
  readonly #streams = new ResumableStreams();
  /** Bodies that are not JSON, of exchanges that may end without an answer. */
  readonly #bodies = new Map<number, string>();
  #opened: Extract<LifecycleEvent, { event: 'open' }> | undefined;

  constructor(texts: FrameTexts = new HeldTexts()) {
    this.#texts = texts;
    this.#table = new MessageTable(texts);
  }

  addFrame(frame: Frame): void {
    if (frame.channel === 'lifecycle') this.#onLifecycle(frame);
    else if (frame.channel === 'http') this.#onHttp(frame);
    else if (frame.channel === 'protocol') this.addMessages(frame, textOrCut(frame));
  }

  /** Adds a frame of the protocol by its text, or by the parts of its text. */
  addMessages({ seq, time, direction }: Pick<Frame, 'seq' | 'time' | 'direction'>, text: string | CutMessage): void {
    const exchange = this.#streams.originOf(this.#http.attachMessage(seq));
    const { batch, messages } =
      typeof text === 'string' ? readFacts(text) : (factsOfCut(decodeLossy(text.text)) ?? readFacts(cutText(text)));
    if (messages.length > 0) this.#texts.addText(seq, text);
    for (let part = 0; part < messages.length; part++) {
      const at = { seq, time, exchange, part, batch };
      if (direction === 'to-server') this.#fromClient(at, messages[part]!);
      else this.#fromServer(at, messages[part]!);
    }
  }

  /** The client’s messages so far. */
  get sent(): readonly ClientMessage[] {
    return this.#table.sent;
  }

  /** Returns the traffic so far. Costs time in proportion to its length. */
  traffic(): RecordedTraffic {
    const { sent, before } = this.#table;
    const calls = sent.filter((message) => message.kind === 'call');
    const agreed = (method: string) => calls.find((call) => call.method === method && call.answer?.kind === 'result');
    const initialize = agreed('initialize');
    const discover = agreed('server/discover');
    const version = this.#opened?.version ?? versionIn(initialize) ?? modernVersion(calls.at(-1));
    const era = this.#opened?.era ?? (version === undefined ? 'legacy' : eraOf(version));
    const handshake = era === 'legacy' ? initialize : discover;
    return { era, version, handshake, sent, before, streams: this.#streams.resumable() };
  }

  #fromClient(at: MessagePlace, facts: MessageFacts): void {
    const { kind, method, name, id } = facts;
    if (kind === 'request') {
      const call = this.#table.addRow(MESSAGE_ROW.call, at, method, name);
      // A skim may lack the parts of its `requestState`.
      const isRound = facts.round !== undefined && this.#rounds.areOpen;
      const first = isRound && this.#rounds.continues(this.#factsAgain(at) ?? facts);
      if (first) this.#table.continues.set(call, first);
      // A request without a valid id gets no answer.
      if (id === undefined) return;
      this.#calls.addRequest(id, call);
      this.#causes.callStarted(call, id, at.exchange, facts);
    } else if (kind === 'notification') {
      const notification = this.#table.addRow(MESSAGE_ROW.clientNotification, at, method);
      if (method === METHOD.cancelled)
        this.#giveUp(facts.cancelled, { why: 'cancelled', since: { seq: at.seq, time: at.time } });
      else if (method !== METHOD.progress) this.#causes.notificationSent(notification);
    } else if (id !== undefined) {
      const request = this.#serverRequests.answer(id);
      if (request !== undefined) this.#table.setAnswer(request, this.#addAnswer(at, facts));
    }
  }

  /** Reads the facts of a whole message again. */
  #factsAgain({ seq, part }: MessagePlace): MessageFacts | undefined {
    const text = this.#texts.textOf(seq);
    return readFacts(typeof text === 'string' ? text : cutText(text)).messages[part];
  }

  #fromServer(at: MessagePlace, facts: MessageFacts): void {
    const { kind, method, id } = facts;
    if (kind === 'notification') {
      const event = this.#table.addRow(MESSAGE_ROW.notification, at, method);
      const stream = this.#causes.streamOf(facts);
      if (stream !== undefined) this.#table.setStream(event, stream);
      this.#assign(event, at.exchange, facts);
    } else if (kind === 'request') {
      const request = this.#table.addRow(MESSAGE_ROW.request, at, method);
      if (id !== undefined) this.#serverRequests.addRequest(id, request);
      this.#assign(request, at.exchange, facts);
    } else if (id !== undefined) {
      const call = this.#calls.answer(id);
      if (call === undefined) return;
      this.#table.setAnswer(call, this.#addAnswer(at, facts));
      this.#causes.callEnded(call);
      this.#rounds.answered(new Call(this.#table, call), facts);
    }
  }

  #addAnswer(at: MessagePlace, { kind }: MessageFacts): number {
    const row = kind === 'error' ? MESSAGE_ROW.error : MESSAGE_ROW.result;
    return this.#table.addRow(row, at, undefined, undefined, this.#status(at.exchange));
  }

  #status(exchange: number): number | undefined {
    return this.#http.get(exchange)?.statuses.at(-1);
  }

  #assign(event: number, exchange: number, facts: MessageFacts): void {
    const call = this.#causes.callBehind(exchange, facts);
    if (call !== undefined) this.#table.setOwner(event, call, false);
    else this.#table.setOwner(event, this.#causes.anchor, this.#causes.anchor !== undefined);
  }

  #giveUp(id: ValueKey | undefined, unanswered: Unanswered): void {
    const call = id === undefined ? undefined : this.#calls.giveUp(id);
    if (call !== undefined) this.#endWithout(call, unanswered);
  }

  #endWithout(call: number, unanswered: Unanswered): void {
    this.#table.setUnanswered(call, unanswered);
    this.#causes.callEnded(call);
  }

  #onHttp({ seq, time, bytes }: Frame): void {
    const text = new TextDecoder().decode(bytes);
    const { end } = this.#http.addFrame(seq, text);
    const frame = end ?? readHttpFrame(text);
    if (frame) this.#streams.addHttpFrame({ seq, time }, frame);
    if (frame?.kind === 'body' && frame.text !== undefined) this.#bodies.set(frame.exchange, frame.text);
    if (!end) return;
    const [status, body] = [this.#status(end.exchange), this.#bodies.get(end.exchange)];
    const lost: Unanswered = {
      why: 'lost',
      since: { seq, time },
      ...(status !== undefined && { status }),
      ...(body !== undefined && { body }),
    };
    for (const id of end.unanswered ?? []) this.#giveUp(valueKey(id), lost);
    for (const id of end.cancelled ?? []) this.#giveUp(valueKey(id), { why: 'cancelled', since: { seq, time } });
    this.#bodies.delete(end.exchange);
  }

  #onLifecycle({ seq, time, bytes }: Frame): void {
    const since = { seq, time };
    const event = lifecycleEventOf(bytes);
    if (event?.event === 'open') this.#opened = event;
    if (event?.event === 'timeout') this.#giveUp(valueKey(event.id), { why: 'timeout', since });
    if (event === undefined || !ENDS.has(event.event)) return;
    // Messages that the server had already sent may still come.
    for (const call of this.#calls.giveUpAll()) this.#endWithout(call, { why: 'lost', since });
  }
}

/**
 * Links later rounds of a call to the first one, which was answered with `input_required` (2026-07-28). Rounds share
 * method, name and `requestState`.
 */
class InputRounds {
  readonly #unfinished = new Map<string, number>();

  /** True if a later round may still come. */
  get areOpen(): boolean {
    return this.#unfinished.size > 0;
  }

  /** Returns seq of the first round if this request is a later one. */
  continues({ method, name, round }: MessageFacts): number | undefined {
    if (!round) return undefined;
    const key = roundKey(method, name, round.state);
    const first = this.#unfinished.get(key);
    this.#unfinished.delete(key);
    return first;
  }

  answered({ method, name, continues, seq }: RecordedCall, { asksInput }: MessageFacts): void {
    if (asksInput) this.#unfinished.set(roundKey(method, name, asksInput.state), continues ?? seq);
  }
}

function roundKey(method: string | undefined, name: string | undefined, state: string | undefined): string {
  return JSON.stringify([method, name, state]);
}

/** Returns the version in the `_meta` of a call, where modern calls name it. */
function modernVersion(call: RecordedCall | undefined): string | undefined {
  const version = JsonSource.parse(call?.params ?? '')
    ?.member('_meta')
    ?.member(META_KEY.protocolVersion);
  return version?.kind === 'string' ? (version.value as string) : undefined;
}

/** Returns the version that an `initialize` agreed on. */
function versionIn(initialize: RecordedCall | undefined): string | undefined {
  const version = JsonSource.parse(initialize?.answer?.text ?? '')?.member('protocolVersion');
  return version?.kind === 'string' ? (version.value as string) : undefined;
}
