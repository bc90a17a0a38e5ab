import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LISTINGS } from '@/lib/protocol/methods';
import { decodeLossy, readFrame } from '@/lib/store/classify';
import type { Frame } from '@/lib/wire/frame';
import { META_KEY } from '@/lib/wire/protocol-names';
import { LISTED_KINDS, type Listed, type ListedKind } from './listed';

const KIND_OF: ReadonlyMap<string, ListedKind> = new Map(
  LISTED_KINDS.map((kind) => [kind === 'templates' ? 'resources/templates/list' : `${kind}/list`, kind]),
);
/** Requests for lists without an answer that are remembered. */
const MOST_OPEN = 100;
/** Entries of a list. */
const MOST_ENTRIES = 20_000;

/** Matches each request that the lists and the version follow from. */
const MAY_ASK = /\/list"|"initialize"/;

/** Collects the lists of a recorded session: the newest of each kind, with all its pages. */
export class RecordedLists {
  /** The version that the session speaks; undefined if no frame says it. */
  version: string | undefined;
  readonly #open = new Map<unknown, { readonly kind: ListedKind | undefined; readonly isFirst: boolean }>();
  readonly #listed: { [K in ListedKind]?: JsonObject[] } = {};

  addFrame(frame: Frame): void {
    const { channel, direction } = frame;
    if (channel !== 'protocol') return;
    if (direction === 'to-client' && this.#open.size === 0) return;
    // The bytes of a message with long strings are put together when they are read.
    if (direction === 'to-server' && !MAY_ASK.test(decodeLossy(frame.cut?.text ?? frame.bytes))) return;
    const parsed = readFrame(frame).value;
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) {
      if (!isObject(message)) continue;
      if (direction === 'to-server') this.#addRequest(message);
      else this.#addAnswer(message);
    }
  }

  /** Returns the lists so far. A kind that was never listed is missing. */
  get listed(): Listed {
    return this.#listed;
  }

  #addRequest(message: JsonObject): void {
    const [id, method, params] = [own(message, 'id'), own(message, 'method'), own(message, 'params')];
    const kind = typeof method === 'string' ? KIND_OF.get(method) : undefined;
    if ((!kind && method !== 'initialize') || id === undefined || this.#open.size >= MOST_OPEN) return;
    const [meta, cursor] = isObject(params) ? [own(params, '_meta'), own(params, 'cursor')] : [];
    const version = isObject(meta) ? own(meta, META_KEY.protocolVersion) : undefined;
    if (typeof version === 'string') this.version = version;
    this.#open.set(id, { kind, isFirst: cursor === undefined });
  }

  #addAnswer(message: JsonObject): void {
    const request = this.#open.get(own(message, 'id'));
    if (!request || own(message, 'method') !== undefined) return;
    this.#open.delete(own(message, 'id'));
    const result = own(message, 'result');
    if (!isObject(result)) return;
    const { kind, isFirst } = request;
    if (!kind) {
      const version = own(result, 'protocolVersion');
      if (typeof version === 'string') this.version = version;
      return;
    }
    const items = own(result, ITEMS.get(kind)!);
    const before = isFirst ? [] : (this.#listed[kind] ?? []);
    const added = Array.isArray(items) ? items.filter(isObject) : [];
    this.#listed[kind] = [...before, ...added].slice(0, MOST_ENTRIES);
  }
}

/** Member of a result that has the entries, by kind. */
const ITEMS: ReadonlyMap<ListedKind, string> = new Map(
  LISTINGS.flatMap(([method, { items }]) => {
    const kind = KIND_OF.get(method);
    return kind ? [[kind, items] as const] : [];
  }),
);
