import { isObject } from '@/lib/wire/message';
import type { ListingKind } from './listing-kinds';
import type { Entry } from './state';

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

  add(seq: number, page: readonly unknown[]): void {
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
