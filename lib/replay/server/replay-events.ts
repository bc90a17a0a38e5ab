import { JsonSource } from '@/lib/json/source';
import { METHOD } from '@/lib/wire/protocol-names';
import {
  eventsOf,
  type RecordedCall,
  type RecordedTraffic,
  type ServerEvent,
  type ServerNotification,
} from '../traffic/recorded-traffic';
import {
  type ClientPreferences,
  notificationText,
  type ResponseSink,
  serverRequestText,
  streamText,
} from './messages-to-client';
import { Playback } from './playback';
import { type Replay, type ReplayHost, type ReplayRequest, ServerRequests } from './replay';

/**
 * Sends recorded notifications and server requests to one client. Chooses the request or stream that each belongs to,
 * and replaces recorded ids with current ones.
 */
export class ReplayEvents {
  readonly serverRequests = new ServerRequests();
  /**
   * Open subscriptions by the seq of the recorded subscription, each with the items that it gets; undefined: all items.
   */
  readonly #streams = new Map<number, Map<ReplayRequest, ReadonlySet<SubscriptionItem> | undefined>>();
  readonly #replay: Replay;
  readonly #host: ReplayHost;
  readonly #end = new AbortController();

  constructor(replay: Replay, host: ReplayHost) {
    this.#replay = replay;
    this.#host = host;
  }

  /** Replays the recorded subscription at `seq` to a client, or only its `wanted` items. */
  openSubscription(seq: number, request: ReplayRequest, wanted?: ReadonlySet<SubscriptionItem>): void {
    this.#streams.set(seq, (this.#streams.get(seq) ?? new Map()).set(request, wanted));
  }

  /** Ends the subscription of a request. */
  endSubscription(request: ReplayRequest): void {
    if (request.method !== METHOD.listen) return;
    for (const open of this.#streams.values()) open.delete(request);
  }

  /**
   * Plays the events that came during a call, and after it was given up. Events that do not belong to the call go to
   * the side channel while that is open. So do all events after the client cancelled, or after the call was given up in
   * the recording.
   */
  playbackOf(call: RecordedCall, { sink, client, abort }: ReplayRequest): Playback {
    const { clock, side } = this.#host;
    const givenUp = call.unanswered?.since?.seq ?? Number.POSITIVE_INFINITY;
    const signalOf = (event: ServerEvent) => (belongsToCall(event, call) ? abort.signal : this.#end.signal);
    const emit = (event: ServerEvent) => {
      const late = abort.signal.aborted || event.seq > givenUp;
      const beside = late || (side.isOpen && !belongsToCall(event, call));
      return beside
        ? this.#emit(event, side, this.#everybody, this.#end.signal)
        : this.#emit(event, sink, client, signalOf(event));
    };
    return new Playback({ clock, pace: this.#replay.pace, signalOf, emit }, call.time);
  }

  /** Plays events that belong to no request. `time`: recorded microseconds from which their first wait counts. */
  playConsequences(events: readonly ServerEvent[], time: number): void {
    if (events.length === 0) return;
    const { clock, side } = this.#host;
    const { signal } = this.#end;
    const emit = (event: ServerEvent) => this.#emit(event, side, this.#everybody, signal);
    void new Playback({ clock, pace: this.#replay.pace, signalOf: () => signal, emit }, time).play(events);
  }

  /** Stops all playback, since the client is gone. */
  end(): void {
    this.#end.abort();
  }

  /** Preferences for messages that belong to no request. */
  get #everybody(): ClientPreferences {
    const serverRequestId = (recorded: string) => this.serverRequests.currentId(recorded);
    return { progressToken: undefined, logs: this.#replay.traffic.era === 'legacy', serverRequestId };
  }

  #emit(
    event: ServerEvent,
    sink: Pick<ResponseSink, 'sendMessage'>,
    client: ClientPreferences,
    signal: AbortSignal,
  ): Promise<unknown> | undefined {
    if (event.kind === 'request') {
      const { id, answered } = this.serverRequests.ask(signal, event.id);
      sink.sendMessage(serverRequestText(event, id));
      return answered;
    }
    if (event.stream === undefined) {
      const text = notificationText(event, client);
      if (text !== undefined) sink.sendMessage(text);
    } else {
      const subject = subscriptionItemOf(event);
      for (const [{ id, sink: own }, wanted] of this.#streams.get(event.stream) ?? []) {
        if (!wanted || (subject !== undefined && wanted.has(subject))) own.sendMessage(streamText(event, id));
      }
    }
    return undefined;
  }
}

/**
 * True for an event that belongs to one call only, and stops when that call is cancelled. Over Streamable HTTP these
 * are the events on its exchange. Elsewhere all events during the call count, except for calls that were given up in
 * the recording: their events are sent in any case.
 */
function belongsToCall(event: ServerEvent, { exchange, answer, unanswered }: RecordedCall): boolean {
  if (event.method === METHOD.progress) return true;
  if (exchange > 0 && (answer === undefined || answer.exchange === exchange)) return event.exchange === exchange;
  return unanswered?.why !== 'cancelled' && unanswered?.why !== 'timeout';
}

/** One item of a subscription filter (2026-07-28): JSON of the member and, for a list, the entry. */
type SubscriptionItem = string;

const OF_LISTS: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
]);

/** By method: the filter member, and the params member that names the entry. */
const OF_ITEMS: ReadonlyMap<string, readonly [list: string, name: string]> = new Map([
  ['notifications/resources/updated', ['resourceSubscriptions', 'uri']],
  ['notifications/tasks', ['taskIds', 'taskId']],
]);

const FLAGS: ReadonlySet<unknown> = new Set(OF_LISTS.values());
const LISTS: ReadonlySet<unknown> = new Set([...OF_ITEMS.values()].map(([list]) => list));

/** Returns the filter item for a notification; undefined if no filter covers it. */
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
 * Chooses recorded subscriptions for a filter that was not recorded. Returns each item that a recorded subscription
 * had, with the seq of the subscription to replay. A change may have been sent to several subscriptions, so the one
 * with the most changes is chosen.
 */
export function recordedStreamsFor(
  session: RecordedTraffic,
  params: string | undefined,
): ReadonlyMap<SubscriptionItem, number> {
  const listens = session.sent.filter((message) => message.kind === 'call' && message.method === METHOD.listen);
  const changes = changesIn(session);
  const found = new Map<SubscriptionItem, number>();
  for (const wanted of wantedIn(params)) {
    const count = (seq: number) => changes.get(`${seq} ${wanted}`) ?? 0;
    const had = listens.filter((listen) => grantedTo(listen as RecordedCall).has(wanted));
    const most = had.toSorted((a, b) => count(b.seq) - count(a.seq))[0];
    if (most) found.set(wanted, most.seq);
  }
  return found;
}

/** Writes the filter with all of these items. */
export function filterOf(all: Iterable<SubscriptionItem>): string {
  const filter: Record<string, true | string[]> = {};
  for (const wanted of all) {
    const [member, item] = JSON.parse(wanted) as [string, string?];
    if (item === undefined) filter[member] = true;
    else filter[member] = [...((filter[member] as string[] | undefined) ?? []), item];
  }
  return JSON.stringify(filter);
}

/** Counts the changes on each stream, by its seq and the item. */
function changesIn(session: RecordedTraffic): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  for (const event of eventsOf(session)) {
    if (event.kind !== 'notification' || event.stream === undefined) continue;
    const key = `${event.stream} ${subscriptionItemOf(event)}`;
    changes.set(key, (changes.get(key) ?? 0) + 1);
  }
  return changes;
}

/** Returns the items that the server granted. */
function grantedTo({ during, params }: RecordedCall): ReadonlySet<SubscriptionItem> {
  return new Set(wantedIn(during.find(({ method }) => method === METHOD.acknowledged)?.params ?? params));
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
