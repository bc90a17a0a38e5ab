import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own, type RpcError } from '@/lib/wire/message';
import type { ListingKind } from './listing-kinds';
import { PageCollector } from './page-collector';
import { toRpcError } from './rpc-error';
import type { Entry, Listing } from './state';

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
  declared(capabilities: JsonObject): void {
    this.#update({ supported: own(capabilities, this.kind.capability) !== undefined });
  }

  /** A page was asked for. */
  requested(seq: number, params: unknown): void {
    this.#asked.set(seq, isObject(params) ? own(params, 'cursor') : undefined);
    this.#update({ status: 'listing' });
  }

  /** A page came: the `result` of request `seq`, in frame `answerSeq`. */
  answered(seq: number, answerSeq: number, result: unknown): void {
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
  failed(seq: number, error: unknown, why: string): void {
    if (!this.#asked.delete(seq)) return;
    this.#update({ status: 'failed', error: error === undefined ? { code: 0, message: why } : toRpcError(error) });
  }

  #page(collector: PageCollector<T>, answerSeq: number, page: readonly unknown[], next: unknown): void {
    collector.add(answerSeq, page);
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
