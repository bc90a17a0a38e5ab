import { JsonSource } from '@/lib/json/source';
import {
  eventsOf,
  type RecordedCall,
  type RecordedTraffic,
  type ServerEvent,
  type ServerNotification,
} from '../traffic/recorded-traffic';
import { type ClientPreferences, noticeText, questionText, type ResponseSink, streamText } from './messages-to-client';
import { Playback } from './playback';
import { LISTEN, type Replay, type ReplayHost, type ReplayRequest, ServerRequests } from './replay';

const PROGRESS = 'notifications/progress';

/**
 * True for what came of a call alone, of all that came during it: nobody says it any more when the call is called off. Over Streamable HTTP that is
 * what came on its exchange. Elsewhere nothing tells; but what came of a call that was given up was said before that, and is said in any case.
 */
function belongsToCall(event: ServerEvent, { exchange, answer, unanswered }: RecordedCall): boolean {
  if (event.method === PROGRESS) return true;
  if (exchange > 0 && (answer === undefined || answer.exchange === exchange)) return event.exchange === exchange;
  return unanswered?.why !== 'cancelled' && unanswered?.why !== 'timeout';
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** What a subscription asks for (2026-07-28), one by one: JSON of the member of its filter and, of a list, the item. */
export type SubscriptionItem = string;

const OF_LISTS: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
]);

/** By method: the member of the filter, and that of the params that says which. */
const OF_ITEMS: ReadonlyMap<string, readonly [list: string, name: string]> = new Map([
  ['notifications/resources/updated', ['resourceSubscriptions', 'uri']],
  ['notifications/tasks', ['taskIds', 'taskId']],
]);

const FLAGS: ReadonlySet<unknown> = new Set(OF_LISTS.values());
const LISTS: ReadonlySet<unknown> = new Set([...OF_ITEMS.values()].map(([list]) => list));

/** What has to be asked for to hear this; undefined for what nobody can ask for. */
function subscriptionItemOf({
  method,
  params,
}: Pick<ServerNotification, 'method' | 'params'>): SubscriptionItem | undefined {
  const member = OF_LISTS.get(method);
  if (member !== undefined) return JSON.stringify([member]);
  const [list, name] = OF_ITEMS.get(method) ?? [];
  const item = name === undefined ? undefined : JsonSource.parse(params ?? '')?.member(name);
  return item?.kind === 'string' ? JSON.stringify([list, item.value]) : undefined;
}

/**
 * For a subscription that was recorded with another filter: what of it recorded ones had, and which of those it hears that from, by
 * its seq. Of several that had the same the one that heard most of it, since one change is told on each.
 */
export function recordedStreamsFor(
  session: RecordedTraffic,
  params: string | undefined,
): ReadonlyMap<SubscriptionItem, number> {
  const listens = session.sent.filter((message) => message.kind === 'call' && message.method === LISTEN);
  const heard = heardIn(session);
  const found = new Map<SubscriptionItem, number>();
  for (const wanted of wantedIn(params)) {
    const count = (seq: number) => heard.get(`${seq} ${wanted}`) ?? 0;
    const had = listens.filter((listen) => grantedTo(listen as RecordedCall).has(wanted));
    const most = had.toSorted((a, b) => count(b.seq) - count(a.seq))[0];
    if (most) found.set(wanted, most.seq);
  }
  return found;
}

/** The filter that asks for all of these: JSON text. */
export function filterOf(all: Iterable<SubscriptionItem>): string {
  const filter: Record<string, true | string[]> = {};
  for (const wanted of all) {
    const [member, item] = JSON.parse(wanted) as [string, string?];
    if (item === undefined) filter[member] = true;
    else filter[member] = [...((filter[member] as string[] | undefined) ?? []), item];
  }
  return JSON.stringify(filter);
}

/** How many changes each stream told of, by its seq and what they were. */
function heardIn(session: RecordedTraffic): ReadonlyMap<string, number> {
  const heard = new Map<string, number>();
  for (const event of eventsOf(session)) {
    if (event.kind !== 'notice' || event.stream === undefined) continue;
    const key = `${event.stream} ${subscriptionItemOf(event)}`;
    heard.set(key, (heard.get(key) ?? 0) + 1);
  }
  return heard;
}

/** What the server agreed to tell. */
function grantedTo({ during, params }: RecordedCall): ReadonlySet<SubscriptionItem> {
  return new Set(wantedIn(during.find(({ method }) => method === ACKNOWLEDGED)?.params ?? params));
}

function wantedIn(params: string | undefined): readonly SubscriptionItem[] {
  const filter = JsonSource.parse(params ?? '')?.member('notifications');
  if (filter?.kind !== 'object') return [];
  return filter.children(Number.POSITIVE_INFINITY).children.flatMap(({ name, source }) => {
    if (FLAGS.has(name) && source.value === true) return [JSON.stringify([name])];
    if (!LISTS.has(name) || source.kind !== 'array') return [];
    const items = source.children(Number.POSITIVE_INFINITY).children.map((item) => item.source);
    return items.filter(({ kind }) => kind === 'string').map(({ value }) => JSON.stringify([name, value]));
  });
}

/** What the server says to one client besides answers: who gets it, where, and under which ids. */
export class ReplayEvents {
  readonly questions = new ServerRequests();
  /** By the seq of the recorded `subscriptions/listen`: those of its clients, while they are open, and of what they are told, if not of all. */
  readonly #streams = new Map<number, Map<ReplayRequest, ReadonlySet<SubscriptionItem> | undefined>>();
  readonly #replay: Replay;
  readonly #host: ReplayHost;
  readonly #end = new AbortController();

  constructor(replay: Replay, host: ReplayHost) {
    this.#replay = replay;
    this.#host = host;
  }

  /** A client's `subscriptions/listen` replays the one at `seq`, or so much of it as is `wanted`. */
  openSubscription(seq: number, asked: ReplayRequest, wanted?: ReadonlySet<SubscriptionItem>): void {
    this.#streams.set(seq, (this.#streams.get(seq) ?? new Map()).set(asked, wanted));
  }

  /** A request is over. */
  endSubscription(asked: ReplayRequest): void {
    if (asked.method !== LISTEN) return;
    for (const open of this.#streams.values()) open.delete(asked);
  }

  /**
   * For what came during a call, and after it was given up: what is not its own comes beside it where somebody listens, and what comes after the
   * client called it off, or after it was given up in the recording, in any case.
   */
  playbackOf(call: RecordedCall, { outlet, listener, abort }: ReplayRequest): Playback {
    const { clock, side } = this.#host;
    const givenUp = call.unanswered?.since?.seq ?? Number.POSITIVE_INFINITY;
    const signalOf = (event: ServerEvent) => (belongsToCall(event, call) ? abort.signal : this.#end.signal);
    const emit = (event: ServerEvent) => {
      const late = abort.signal.aborted || event.seq > givenUp;
      const beside = late || (side.isOpen && !belongsToCall(event, call));
      return beside
        ? this.#emit(event, side, this.#everybody, this.#end.signal)
        : this.#emit(event, outlet, listener, signalOf(event));
    };
    return new Playback({ clock, pace: this.#replay.pace, signalOf, emit }, call.time);
  }

  /** Plays what belongs to no request: it followed what happened at `time`. */
  playConsequences(events: readonly ServerEvent[], time: number): void {
    if (events.length === 0) return;
    const { clock, side } = this.#host;
    const { signal } = this.#end;
    const emit = (event: ServerEvent) => this.#emit(event, side, this.#everybody, signal);
    void new Playback({ clock, pace: this.#replay.pace, signalOf: () => signal, emit }, time).play(events);
  }

  /** The client is gone. */
  end(): void {
    this.#end.abort();
  }

  /** Who is told what belongs to no request. */
  get #everybody(): ClientPreferences {
    const questionId = (recorded: string) => this.questions.currentId(recorded);
    return { progressToken: undefined, logs: this.#replay.traffic.era === 'legacy', questionId };
  }

  #emit(
    event: ServerEvent,
    outlet: Pick<ResponseSink, 'sendMessage'>,
    listener: ClientPreferences,
    signal: AbortSignal,
  ): Promise<unknown> | undefined {
    if (event.kind === 'question') {
      const { id, answered } = this.questions.ask(signal, event.id);
      outlet.sendMessage(questionText(event, id));
      return answered;
    }
    if (event.stream === undefined) {
      const text = noticeText(event, listener);
      if (text !== undefined) outlet.sendMessage(text);
    } else {
      const subject = subscriptionItemOf(event);
      for (const [{ id, outlet: own }, wanted] of this.#streams.get(event.stream) ?? []) {
        if (!wanted || (subject !== undefined && wanted.has(subject))) own.sendMessage(streamText(event, id));
      }
    }
    return undefined;
  }
}
