import { LISTINGS } from '@/lib/protocol/methods';
import type { RecordedCall, RecordedSession } from '@/lib/session/recorded-session';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { parseExact } from './exact-json';

/** What a server said that it is and has. */
export interface Catalogue {
  /** The version agreed on; undefined if nothing says. */
  readonly version: string | undefined;
  /** The frame that introduced the server. */
  readonly seq: number | undefined;
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  /** By the member of the result that holds them; without those that were never listed. */
  readonly lists: ReadonlyMap<ListName, ReadList>;
  /** Lists that were asked for and answered with an error, at least once. */
  readonly refused: ReadonlySet<ListName>;
}

export type ListName = (typeof LISTINGS)[number][1]['items'];

/** A list as far as it was read. */
export interface ReadList {
  readonly items: readonly Listed[];
  /** False if there were pages that nobody asked for. */
  readonly complete: boolean;
}

/** One thing that a server listed. */
export interface Listed {
  readonly item: JsonObject;
  /** The frame of the answer that has it. */
  readonly seq: number;
}

/** Where servers of the modern era say who they are (2026-07-28, `_meta` of a result). */
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** Reads it off a session. Of several readings of a list the last counts. A step is one answer. */
export function* catalogueOf(session: RecordedSession): Generator<void, Catalogue> {
  const { handshake, version } = session;
  const said = resultOf(handshake);
  const meta = own(said, '_meta');
  return {
    version,
    seq: handshake?.answer?.seq,
    info: objectOr(own(said, 'serverInfo') ?? (isObject(meta) ? own(meta, SERVER_INFO) : undefined)),
    capabilities: objectOr(own(said, 'capabilities')),
    instructions: textOr(own(said, 'instructions')),
    lists: yield* listsOf(session),
    refused: refusedLists(session),
  };
}

function* listsOf({ sent }: RecordedSession): Generator<void, Catalogue['lists']> {
  const lists = new Map<ListName, { readonly items: Listed[]; readonly complete: boolean }>();
  for (const call of sent) {
    const listing = call.kind === 'call' ? LISTINGS.find(([method]) => method === call.method)?.[1] : undefined;
    if (call.kind !== 'call' || listing === undefined || call.answer?.kind !== 'result') continue;
    const { answer } = call;
    const result = resultOf(call);
    const items = own(result, listing.items);
    const page = Array.isArray(items) ? items.filter(isObject).map((item) => ({ item, seq: answer.seq })) : [];
    const all = (asksForMore(call) && lists.get(listing.items)?.items) || [];
    for (const one of page) all.push(one);
    lists.set(listing.items, { items: all, complete: typeof own(result, 'nextCursor') !== 'string' });
    yield;
  }
  return lists;
}

function refusedLists({ sent }: RecordedSession): Catalogue['refused'] {
  const refused = sent.flatMap((call) => (call.kind === 'call' && call.answer?.kind === 'error' ? [call.method] : []));
  return new Set(LISTINGS.flatMap(([method, { items }]) => (refused.includes(method) ? [items] : [])));
}

/** True for a capability that is declared: `"listChanged": false` promises as much as nothing. */
export function isThere(capability: unknown): boolean {
  return capability !== undefined && capability !== false && capability !== null;
}

/** True for a request of a page that is not the first. */
export function asksForMore({ params }: RecordedCall): boolean {
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
