import type { Direction } from '@/lib/wire/frame';
import type { RequestId } from '@/lib/wire/message';
import type { Message } from './classify';
import type { Columns } from './columns';
import { Continuations } from './continuations';
import type { HttpExchanges } from './http-exchanges';
import { SparseColumn } from './sparse-column';

/** Requests of ours that a server's question is never part of: they ask for no work. */
const CAUSE_NOTHING = /^(?:initialize|ping|server\/discover|subscriptions\/listen|logging\/setLevel|.+\/list)$/;

/**
 * Which frames belong to a request besides its answer: a second one, what the server asked meanwhile, progress and other notifications about
 * it, its retries and the polls of its task. Each frame costs O(1), and nothing at all if it belongs to no request.
 */
export class Relations {
  readonly #columns: Columns;
  readonly #http: HttpExchanges;
  readonly #owner = new SparseColumn();
  /** Of a request its newest member; of a member the one before it: chains, so that a member costs no object. */
  readonly #newest = new SparseColumn();
  readonly #before = new SparseColumn();
  readonly #continuations = new Continuations();
  /** seqs of our requests that are under way and may make a server ask. */
  readonly #causes = new Set<number>();

  constructor(columns: Columns, http: HttpExchanges) {
    this.#columns = columns;
    this.#http = http;
  }

  /** Takes in one message of the newest frame, after it was paired. */
  take(seq: number, direction: Direction, message: Message): void {
    if (message.kind === 'notification') this.#notification(seq, message);
    else if (message.kind === 'response' || message.kind === 'error') this.#answer(seq);
    else if (direction === 'to-server') this.#ours(seq, message);
    else this.#join(this.#continuations.taskOf(message) ?? this.#cause(seq), seq);
  }

  /** Our request was answered, or no longer will be. */
  settled(seq: number, answer: Message | undefined): void {
    this.#causes.delete(seq);
    if (answer) this.#continuations.answered(this.rootOf(seq), seq, answer, this.#columns);
  }

  /** Our request `id` is about to be sent again. */
  retrying(id: RequestId, method: string): void {
    this.#continuations.retrying(id, method);
  }

  /** seq of the request that this frame is part of; undefined if it is part of none. */
  ownerOf(seq: number): number | undefined {
    return this.#owner.get(seq - 1) || undefined;
  }

  /** The same, or the frame itself. */
  rootOf(seq: number): number {
    return this.ownerOf(seq) ?? seq;
  }

  /** seqs of the frames that are part of this request, oldest first: the newest `most` of them. */
  membersOf(seq: number, most: number): number[] {
    const members: number[] = [];
    for (let at = this.#newest.get(seq - 1); at !== 0 && members.length < most; at = this.#before.get(at - 1)) {
      members.push(at);
    }
    return members.reverse();
  }

  #ours(seq: number, message: Message): void {
    this.#join(this.#continuations.requestOf(message), seq);
    if (message.id != null && !CAUSE_NOTHING.test(message.method ?? '')) this.#causes.add(seq);
  }

  #notification(seq: number, message: Message): void {
    const about = this.#columns.peer(seq - 1) ?? this.#continuations.taskOf(message);
    this.#join(about, seq);
  }

  /** The first answer ends its request, others are part of it. */
  #answer(seq: number): void {
    if (this.#columns.repeats(seq - 1)) this.#join(this.#columns.peer(seq - 1), seq);
  }

  /**
   * The request that made the server ask: the one whose HTTP exchange the question came on. Where the transport doesn't say, the
   * only one under way; among several we don't guess.
   */
  #cause(seq: number): number | undefined {
    const carrier = this.#http.get(this.#columns.exchange(seq - 1) ?? 0)?.messages[0];
    if (carrier !== undefined && this.#causes.has(carrier)) return carrier;
    const [only] = this.#causes;
    return this.#causes.size === 1 ? only : undefined;
  }

  #join(request: number | undefined, seq: number): void {
    if (request === undefined) return;
    const owner = this.rootOf(request);
    if (owner >= seq || this.#owner.get(seq - 1) !== 0) return;
    this.#owner.set(seq - 1, owner);
    this.#before.set(seq - 1, this.#newest.get(owner - 1));
    this.#newest.set(owner - 1, seq);
  }
}
