import { isObject, type JsonObject, own } from '@/lib/json/value';
import { mayHaveLists } from '@/lib/wire/declares';
import { LIMITS } from '@/lib/wire/limits';
import type { RpcError } from '@/lib/wire/message';
import { readHeaderParams } from '@/lib/wire/param-headers';
import { itemChanges } from '../list-changes';
import type { ListEntry, Listing, PromptEntry, ResourceEntry, TemplateEntry, ToolEntry } from './state';

/**
 * Tracks one list through its requests and responses. A reading is all pages of the list, one after the other. Two
 * readings may overlap after a list_changed notification. A page belongs to the reading whose cursor it was requested
 * with, and only the newest reading counts.
 */
export class ListingReader<T extends ListEntry> {
  readonly kind: ListingKind<T>;
  #listing: Listing<T> = { status: 'none', items: [], seqs: [], supported: undefined };
  /** Pending requests with their cursors. */
  readonly #asked = new Map<number, unknown>();
  #collector: PageCollector<T> | undefined;
  #cursor: unknown;
  /** True once a reading was complete. From then on, items are replaced only by complete readings. */
  #whole = false;

  constructor(kind: ListingKind<T>) {
    this.kind = kind;
  }

  /** The same object until it changes. */
  get listing(): Listing<T> {
    return this.#listing;
  }

  onCapabilities(capabilities: JsonObject): void {
    this.#update({ supported: mayHaveLists({ capabilities }, this.kind.capability) });
  }

  onRequest(seq: number, params: unknown): void {
    this.#asked.set(seq, isObject(params) ? own(params, 'cursor') : undefined);
    this.#update({ status: 'listing' });
  }

  /** Adds the `result` of request `seq`, from frame `answerSeq`. */
  onAnswer(seq: number, answerSeq: number, result: unknown): void {
    if (!this.#asked.has(seq)) return;
    const cursor = this.#asked.get(seq);
    this.#asked.delete(seq);
    const page = isObject(result) ? own(result, this.kind.member) : undefined;
    if (!Array.isArray(page)) {
      this.#update({
        status: 'failed',
        error: { code: 0, message: `The response has no ${this.kind.member} array.`, data: result },
      });
      return;
    }
    if (cursor === undefined) this.#collector = new PageCollector(this.kind);
    else if (!this.#collector || cursor !== this.#cursor) {
      this.#update({ status: this.#waiting() });
      return;
    }
    this.#page(this.#collector, answerSeq, page, own(result as JsonObject, 'nextCursor'));
  }

  /** Called when a page failed. `error` is the server's error, if any; `why` is a sentence. */
  onFailure(seq: number, error: unknown, why: string): void {
    if (!this.#asked.delete(seq)) return;
    this.#update({ status: 'failed', error: error === undefined ? { code: 0, message: why } : toRpcError(error) });
  }

  #page(collector: PageCollector<T>, answerSeq: number, page: readonly unknown[], next: unknown): void {
    collector.addPage(answerSeq, page);
    // Only a missing cursor ends a list; '' is a valid cursor.
    const last = next === undefined || next === null || collector.seqs.length >= LIMITS.listPages;
    this.#cursor = last ? undefined : next;
    if (last) this.#collector = undefined;
    const changes =
      last && this.#whole ? { seq: answerSeq, ...itemChanges(this.#listing.items, collector.items) } : undefined;
    const shown = last || !this.#whole ? { items: collector.items, seqs: [...collector.seqs] } : {};
    this.#whole ||= last;
    this.#update({ ...shown, ...(changes && { changes }), status: this.#waiting(), error: undefined });
  }

  #waiting(): 'listing' | 'listed' {
    return this.#asked.size > 0 ? 'listing' : 'listed';
  }

  #update(change: Partial<Listing<T>> & { error?: RpcError }): void {
    this.#listing = { ...this.#listing, ...change };
  }
}

/** A kind of list: how it is requested and how its items are read. */
interface ListingKind<T extends ListEntry> {
  readonly method: string;
  readonly member: string;
  readonly capability: string;
  /** The member that identifies an item. */
  readonly identity: string;
  /** Builds an entry. Its `key` is the identity, which may not be unique yet. */
  readonly entry: (raw: JsonObject, seq: number, place: number) => T;
}

const text = (raw: JsonObject, key: string): string => {
  const value = own(raw, key);
  return typeof value === 'string' ? value : '';
};

function missing(raw: JsonObject, key: string): string | undefined {
  const value = own(raw, key);
  if (typeof value === 'string' && value !== '') return undefined;
  if (value === undefined) return `${key} is missing.`;
  return value === '' ? `${key} is empty.` : `${key} is not a string.`;
}

const named = (raw: JsonObject, seq: number, place: number, identity: string, problem?: string) => ({
  key: text(raw, identity),
  name: text(raw, 'name'),
  raw,
  seq,
  place,
  problem: missing(raw, identity) ?? problem,
});

export const TOOLS: ListingKind<ToolEntry> = {
  method: 'tools/list',
  member: 'tools',
  capability: 'tools',
  identity: 'name',
  entry: (raw, seq, place) => named(raw, seq, place, 'name', schemaProblem(own(raw, 'inputSchema'))),
};

function schemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'inputSchema is not an object.';
  const type = own(schema, 'type');
  if (type === undefined) return 'inputSchema has no type. Clients expect "object".';
  if (type !== 'object') return 'inputSchema.type is not "object".';
  if (Object.hasOwn(schema, 'properties') && !isObject(schema.properties)) {
    return 'inputSchema.properties is not an object.';
  }
  const { problem } = readHeaderParams(schema);
  return problem === undefined ? undefined : `HTTP clients must ignore this tool. ${problem}`;
}

export const PROMPTS: ListingKind<PromptEntry> = {
  method: 'prompts/list',
  member: 'prompts',
  capability: 'prompts',
  identity: 'name',
  entry: (raw, seq, place) => {
    const args = own(raw, 'arguments');
    return named(
      raw,
      seq,
      place,
      'name',
      args === undefined || Array.isArray(args) ? undefined : 'arguments is not an array.',
    );
  },
};

export const RESOURCES: ListingKind<ResourceEntry> = {
  method: 'resources/list',
  member: 'resources',
  capability: 'resources',
  identity: 'uri',
  entry: (raw, seq, place) => ({ ...named(raw, seq, place, 'uri'), uri: text(raw, 'uri') }),
};

export const TEMPLATES: ListingKind<TemplateEntry> = {
  method: 'resources/templates/list',
  member: 'resourceTemplates',
  capability: 'resources',
  identity: 'uriTemplate',
  entry: (raw, seq, place) => ({ ...named(raw, seq, place, 'uriTemplate'), uriTemplate: text(raw, 'uriTemplate') }),
};

/** Collects the pages of one reading of a list. Makes keys unique and drops nothing. */
class PageCollector<T extends ListEntry> {
  readonly seqs: number[] = [];
  readonly #kind: ListingKind<T>;
  readonly #keys = new Set<string>();
  /** The last number used for each identity, so that many equal ones stay linear. */
  readonly #next = new Map<string, number>();
  #items: readonly T[] = [];

  constructor(kind: ListingKind<T>) {
    this.#kind = kind;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  addPage(seq: number, page: readonly unknown[]): void {
    this.seqs.push(seq);
    this.#items = [...this.#items, ...page.map((item, place) => this.#entry(item, seq, place))];
  }

  #entry(item: unknown, seq: number, place: number): T {
    const entry = this.#kind.entry(isObject(item) ? item : {}, seq, place);
    const repeated = entry.key !== '' && this.#next.has(entry.key);
    const key = this.#unique(entry.key === '' ? '(none)' : entry.key);
    const problem = isObject(item)
      ? (entry.problem ?? (repeated ? `Another entry has the same ${this.#kind.identity}.` : undefined))
      : 'Not a JSON object.';
    return { ...entry, key, problem };
  }

  #unique(key: string): string {
    let number = this.#next.get(key) ?? 1;
    let unique = key;
    while (this.#keys.has(unique)) unique = `${key}#${++number}`;
    this.#next.set(key, number);
    this.#keys.add(unique);
    return unique;
  }
}

/** Reads the `error` of a response. Servers may omit the code or the message, or send a string. */
function toRpcError(error: unknown): RpcError {
  const body = isObject(error) ? error : {};
  const code = own(body, 'code');
  const message = own(body, 'message');
  return {
    code: typeof code === 'number' ? code : 0,
    message:
      typeof message === 'string' ? message : typeof error === 'string' ? error : 'The server sent no error message.',
    data: isObject(error) ? own(body, 'data') : error,
  };
}
