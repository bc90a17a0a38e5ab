import { isObject, type JsonObject, own, type RpcError } from '@/lib/json/value';
import { readHeaderParams } from '@/lib/transports/param-headers';
import { LIMITS } from '@/lib/wire/limits';
import type { Entry, Listing, PromptEntry, ResourceEntry, TemplateEntry, ToolEntry } from './state';

/**
 * Follows one list through its requests and answers. Two readings may overlap (a list_changed in the middle of one): pages
 * belong to the reading whose cursor they were asked with, and only the newest reading counts.
 */
export class ListingReader<T extends Entry> {
  readonly kind: ListingKind<T>;
  #listing: Listing<T> = { status: 'none', items: [], seqs: [], supported: undefined };
  /** Requests being waited for, with the cursor they ask for. */
  readonly #asked = new Map<number, unknown>();
  #collector: PageCollector<T> | undefined;
  /** The cursor that continues the newest reading. */
  #cursor: unknown;
  /** True once a reading reached its last page: from then on items change only as a whole. */
  #whole = false;

  constructor(kind: ListingKind<T>) {
    this.kind = kind;
  }

  /** The same object until something changes. */
  get listing(): Listing<T> {
    return this.#listing;
  }

  /** The server said what it can do. */
  onCapabilities(capabilities: JsonObject): void {
    this.#update({ supported: own(capabilities, this.kind.capability) !== undefined });
  }

  /** A page was asked for. */
  onRequest(seq: number, params: unknown): void {
    this.#asked.set(seq, isObject(params) ? own(params, 'cursor') : undefined);
    this.#update({ status: 'listing' });
  }

  /** A page came: the `result` of request `seq`, in frame `answerSeq`. */
  onAnswer(seq: number, answerSeq: number, result: unknown): void {
    if (!this.#asked.has(seq)) return;
    const cursor = this.#asked.get(seq);
    this.#asked.delete(seq);
    const page = isObject(result) ? own(result, this.kind.member) : undefined;
    if (!Array.isArray(page)) {
      this.#update({
        status: 'failed',
        error: { code: 0, message: `The answer has no array \`${this.kind.member}\`.`, data: result },
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

  /** A page will not come. `error` is the server's, undefined if it sent none; `why` says so in a sentence. */
  onFailure(seq: number, error: unknown, why: string): void {
    if (!this.#asked.delete(seq)) return;
    this.#update({ status: 'failed', error: error === undefined ? { code: 0, message: why } : toRpcError(error) });
  }

  #page(collector: PageCollector<T>, answerSeq: number, page: readonly unknown[], next: unknown): void {
    collector.addPage(answerSeq, page);
    // The spec lets only a missing cursor end a list: '' is one.
    const last = next === undefined || next === null || collector.seqs.length >= LIMITS.listPages;
    this.#cursor = last ? undefined : next;
    if (last) this.#collector = undefined;
    const shown = last || !this.#whole ? { items: collector.items, seqs: [...collector.seqs] } : {};
    this.#whole ||= last;
    this.#update({ ...shown, status: this.#waiting(), error: undefined });
  }

  #waiting(): 'listing' | 'listed' {
    return this.#asked.size > 0 ? 'listing' : 'listed';
  }

  #update(change: Partial<Listing<T>> & { error?: RpcError }): void {
    this.#listing = { ...this.#listing, ...change };
  }
}

/** How one kind of list is asked for and what its items must have. */
export interface ListingKind<T extends Entry> {
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly member: string;
  /** The server capability that announces it. */
  readonly capability: string;
  /** The member that names an item in this list. */
  readonly identity: string;
  /** Makes an entry; `entry.key` is the identity and not yet unique. */
  readonly entry: (raw: JsonObject, seq: number, place: number) => T;
}

const text = (raw: JsonObject, key: string): string => {
  const value = own(raw, key);
  return typeof value === 'string' ? value : '';
};

function missing(raw: JsonObject, key: string): string | undefined {
  const value = own(raw, key);
  if (typeof value === 'string' && value !== '') return undefined;
  if (value === undefined) return `It has no ${key}.`;
  return value === '' ? `Its ${key} is empty.` : `Its ${key} is not a string.`;
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
  if (!isObject(schema)) return 'Its inputSchema is not an object.';
  const type = own(schema, 'type');
  if (type === undefined) return 'Its inputSchema has no type, where clients ask for "object".';
  if (type !== 'object') return 'The type of its inputSchema is not "object".';
  if (Object.hasOwn(schema, 'properties') && !isObject(schema.properties)) {
    return 'The properties of its inputSchema are not an object.';
  }
  const { problem } = readHeaderParams(schema);
  return problem === undefined ? undefined : `Clients over HTTP must leave it out: ${problem}`;
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
      args === undefined || Array.isArray(args) ? undefined : 'Its arguments are no array.',
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

/** The pages of one reading of a list, put together: keys made unique, nothing dropped. */
export class PageCollector<T extends Entry> {
  readonly seqs: number[] = [];
  readonly #kind: ListingKind<T>;
  readonly #keys = new Set<string>();
  /** Identities seen, and where the search for a free number goes on: ten thousand equal ones stay linear. */
  readonly #next = new Map<string, number>();
  #items: readonly T[] = [];

  constructor(kind: ListingKind<T>) {
    this.#kind = kind;
  }

  /** A new array after each page. */
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
      ? (entry.problem ?? (repeated ? `The list has another one with this ${this.#kind.identity}.` : undefined))
      : 'It is not a JSON object.';
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

/** The `error` member of an answer, made safe: servers leave out the code or the message, or send a string. */
function toRpcError(error: unknown): RpcError {
  const body = isObject(error) ? error : {};
  const code = own(body, 'code');
  const message = own(body, 'message');
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : typeof error === 'string' ? error : 'The server gave no message.',
    data: isObject(error) ? own(body, 'data') : error,
  };
}
