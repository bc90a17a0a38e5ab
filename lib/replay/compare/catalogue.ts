import { parseExact } from '@/lib/json/exact';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LISTINGS } from '@/lib/protocol/methods';
import { META_KEY } from '@/lib/wire/protocol-names';
import type { RecordedCall, RecordedTraffic } from '../traffic/recorded-traffic';

/** A server’s identity and offers, according to a recording. */
export interface RecordedOffers {
  /** The negotiated version; undefined if the recording does not say. */
  readonly version: string | undefined;
  /** Number of the frame with the handshake’s response. */
  readonly seq: number | undefined;
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  /** The lists that were read, by the member of the result that holds them. */
  readonly lists: ReadonlyMap<ListName, CatalogueList>;
  /** Lists that were requested and answered with an error at least once. */
  readonly refused: ReadonlySet<ListName>;
}

export type ListName = (typeof LISTINGS)[number][1]['items'];

/** A list, as far as it was read. */
export interface CatalogueList {
  readonly items: readonly RecordedItem[];
  /** False if further pages were not requested. */
  readonly complete: boolean;
}

/** One item of a list. */
export interface RecordedItem {
  readonly item: JsonObject;
  /** Number of the frame with the answer. */
  readonly seq: number;
}

/** Key of `_meta` in which modern servers name themselves (2026-07-28). */

/** Collects the catalogue of a recording. The last reading of a list counts. Yields after each answer. */
export function* catalogueOf(session: RecordedTraffic): Generator<void, RecordedOffers> {
  const { handshake, version } = session;
  const said = resultOf(handshake);
  const meta = own(said, '_meta');
  return {
    version,
    seq: handshake?.answer?.seq,
    info: objectOr(own(said, 'serverInfo') ?? (isObject(meta) ? own(meta, META_KEY.serverInfo) : undefined)),
    capabilities: objectOr(own(said, 'capabilities')),
    instructions: textOr(own(said, 'instructions')),
    lists: yield* listsOf(session),
    refused: refusedLists(session),
  };
}

function* listsOf({ sent }: RecordedTraffic): Generator<void, RecordedOffers['lists']> {
  const lists = new Map<ListName, { readonly items: RecordedItem[]; readonly complete: boolean }>();
  for (const call of sent) {
    const listing = call.kind === 'call' ? LISTINGS.find(([method]) => method === call.method)?.[1] : undefined;
    if (call.kind !== 'call' || listing === undefined || call.answer?.kind !== 'result') continue;
    const { answer } = call;
    const result = resultOf(call);
    const items = own(result, listing.items);
    const page = Array.isArray(items) ? items.filter(isObject).map((item) => ({ item, seq: answer.seq })) : [];
    const all = (asksForLaterPage(call) && lists.get(listing.items)?.items) || [];
    for (const one of page) all.push(one);
    lists.set(listing.items, { items: all, complete: typeof own(result, 'nextCursor') !== 'string' });
    yield;
  }
  return lists;
}

function refusedLists({ sent }: RecordedTraffic): RecordedOffers['refused'] {
  const refused = sent.flatMap((call) => (call.kind === 'call' && call.answer?.kind === 'error' ? [call.method] : []));
  return new Set(LISTINGS.flatMap(([method, { items }]) => (refused.includes(method) ? [items] : [])));
}

/** True for a declared capability. `"listChanged": false` counts as undeclared. */
export function isOffered(capability: unknown): boolean {
  return capability !== undefined && capability !== false && capability !== null;
}

/** True for a request of a later page. */
export function asksForLaterPage({ params }: RecordedCall): boolean {
  return params !== undefined && own(objectIn(params), 'cursor') !== undefined;
}

function resultOf(call: RecordedCall | undefined): JsonObject {
  return call?.answer?.kind === 'result' ? objectIn(call.answer.text) : {};
}

function objectIn(text: string): JsonObject {
  try {
    return objectOr(parseExact(text));
  } catch {
    return {};
  }
}

function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A list that can’t be compared, and the side that does not have it. */
export interface MissingList {
  readonly list: ListName;
  readonly in: 'before' | 'after' | 'both';
}

/** Names of the lists, in the order of reports. */
const LIST_WORDS: Readonly<Record<ListName, string>> = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'resource templates',
};
const LIST_NAMES = Object.keys(LIST_WORDS) as readonly ListName[];

/** The lists that are compared, because both sides have them. */
export function comparedLists(before: RecordedOffers, after: RecordedOffers): readonly ListName[] {
  return LIST_NAMES.filter((list) => before.lists.has(list) && after.lists.has(list));
}

/**
 * The lists that a side does not have. A list that both lack counts if the server may offer it, unless the server
 * refused it to both.
 */
export function missingLists(before: RecordedOffers, after: RecordedOffers): readonly MissingList[] {
  return LIST_NAMES.flatMap((list): readonly MissingList[] => {
    const [was, is] = [before.lists.has(list), after.lists.has(list)];
    if (was !== is) return [{ list, in: was ? 'after' : 'before' }];
    const refused = before.refused.has(list) && after.refused.has(list);
    return was || refused || !mayOffer(list, before, after) ? [] : [{ list, in: 'both' }];
  });
}

/** True if the server may have this list. Without a handshake, a server may have any list. */
function mayOffer(list: ListName, ...sides: readonly RecordedOffers[]): boolean {
  const capability = LISTINGS.find(([, { items }]) => items === list)![1].capability;
  return (
    sides.every(({ seq }) => seq === undefined) ||
    sides.some(({ capabilities }) => isOffered(own(capabilities, capability)))
  );
}

/** Describes a list that was not compared. `sides` names each side, and both as in "A or B". */
export function missingListText(one: MissingList, [before, after, both]: readonly [string, string, string]): string {
  const items = LIST_WORDS[one.list];
  const where = { before, after, both }[one.in];
  return `${items[0]!.toUpperCase()}${items.slice(1)} were not compared: no list of ${items} in ${where}.`;
}
