import { eventsOf } from '@/lib/session/events-of';
import type { RecordedCall, RecordedSession, ServerNotice } from '@/lib/session/recorded-session';
import { JsonSource } from '@/lib/wire/json-source';
import { LISTEN } from './asked';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** What a subscription asks for (2026-07-28), one by one: JSON of the member of its filter and, of a list, the item. */
export type Wanted = string;

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
export function wantedFor({ method, params }: Pick<ServerNotice, 'method' | 'params'>): Wanted | undefined {
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
export function recordedFor(session: RecordedSession, params: string | undefined): ReadonlyMap<Wanted, number> {
  const listens = session.sent.filter((message) => message.kind === 'call' && message.method === LISTEN);
  const heard = heardIn(session);
  const found = new Map<Wanted, number>();
  for (const wanted of wantedIn(params)) {
    const count = (seq: number) => heard.get(`${seq} ${wanted}`) ?? 0;
    const had = listens.filter((listen) => grantedTo(listen as RecordedCall).has(wanted));
    const most = had.toSorted((a, b) => count(b.seq) - count(a.seq))[0];
    if (most) found.set(wanted, most.seq);
  }
  return found;
}

/** The filter that asks for all of these: JSON text. */
export function filterOf(all: Iterable<Wanted>): string {
  const filter: Record<string, true | string[]> = {};
  for (const wanted of all) {
    const [member, item] = JSON.parse(wanted) as [string, string?];
    if (item === undefined) filter[member] = true;
    else filter[member] = [...((filter[member] as string[] | undefined) ?? []), item];
  }
  return JSON.stringify(filter);
}

/** How many changes each stream told of, by its seq and what they were. */
function heardIn(session: RecordedSession): ReadonlyMap<string, number> {
  const heard = new Map<string, number>();
  for (const event of eventsOf(session)) {
    if (event.kind !== 'notice' || event.stream === undefined) continue;
    const key = `${event.stream} ${wantedFor(event)}`;
    heard.set(key, (heard.get(key) ?? 0) + 1);
  }
  return heard;
}

/** What the server agreed to tell. */
function grantedTo({ during, params }: RecordedCall): ReadonlySet<Wanted> {
  return new Set(wantedIn(during.find(({ method }) => method === ACKNOWLEDGED)?.params ?? params));
}

function wantedIn(params: string | undefined): readonly Wanted[] {
  const filter = JsonSource.parse(params ?? '')?.member('notifications');
  if (filter?.kind !== 'object') return [];
  return filter.children(Number.POSITIVE_INFINITY).children.flatMap(({ name, source }) => {
    if (FLAGS.has(name) && source.value === true) return [JSON.stringify([name])];
    if (!LISTS.has(name) || source.kind !== 'array') return [];
    const items = source.children(Number.POSITIVE_INFINITY).children.map((item) => item.source);
    return items.filter(({ kind }) => kind === 'string').map(({ value }) => JSON.stringify([name, value]));
  });
}
