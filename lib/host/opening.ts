import { startsWork } from '@/lib/store/exchanges/request-origin';
import type { RowStatus } from '@/lib/store/rows/row';
import { METHOD } from '@/lib/wire/protocol-names';

/** Most steps kept. A host lists everything at the start, and again when a list changes. */
const MOST_STEPS = 200;

/** Something that a host asked for to learn about the server, or to set it up. Times are in microseconds. */
export interface HostStep {
  readonly method: string;
  /** The log level, URI or name. */
  readonly about?: string;
  /** seq of the first message, and of the last one if there are several. */
  readonly seq: number;
  readonly lastSeq: number;
  /** Since the session began. */
  readonly atUs: number;
  /** From the first message to the last answer; absent without one. */
  readonly tookUs?: number;
  /** Number of messages: pages of a list, or the same request again. */
  readonly count: number;
  /** Listed items in all. Absent if it is not a list. */
  readonly items?: number;
  /** The server offered another page, which the host did not ask for. */
  readonly isCutShort?: true;
  /** The outcome of the newest request; absent for notifications. */
  readonly status?: RowStatus;
  /** The first of many. The others are not steps: they are what the host works with. */
  readonly isFirst?: true;
}

type Step = { -readonly [K in keyof HostStep]: HostStep[K] };

/** Messages that say nothing about what a host wants to know. */
const SKIPPED: ReadonlySet<string> = new Set<string>(['ping', METHOD.progress, METHOD.cancelled]);

/** Collects what a host asks for, in the order in which it does. */
export class OpeningReader {
  readonly #steps: Step[] = [];
  /** Steps whose newest request is not answered, by its seq. */
  readonly #open = new Map<number, Step>();
  /** Methods of work whose first call is a step. */
  readonly #work = new Set<string>();
  #omitted = 0;

  /** Adds a message of the host. `cursor`: it asks for a further page. Returns true if its answer matters here. */
  addMessage(
    seq: number,
    atUs: number,
    method: string,
    {
      about,
      cursor,
      isRequest,
    }: { readonly about?: string | undefined; readonly cursor: boolean; readonly isRequest: boolean },
  ): boolean {
    if (SKIPPED.has(method)) return false;
    // Messages about an answer or a task are part of work.
    const isWork = startsWork(method) && !method.startsWith('notifications/') && !SET_UP.has(method);
    if ((isWork && this.#work.has(method)) || method.startsWith('tasks/')) return false;
    if (isWork) this.#work.add(method);
    const before = this.#steps.at(-1);
    const pages = cursor ? this.#steps.findLast((step) => step.method === method) : undefined;
    const same =
      pages ?? (before?.method === method && before.about === about && before.items === undefined ? before : undefined);
    if (!same && this.#steps.length >= MOST_STEPS) {
      this.#omitted++;
      return false;
    }
    const step: Step = same ?? {
      method,
      seq,
      lastSeq: seq,
      atUs,
      count: 0,
      ...(about !== undefined && { about }),
      ...(isWork && { isFirst: true as const }),
    };
    if (!same) this.#steps.push(step);
    step.count++;
    step.lastSeq = seq;
    if (isRequest) step.status = 'pending';
    if (pages) delete step.isCutShort;
    if (isRequest) this.#open.set(seq, step);
    return isRequest;
  }

  /** True if the answer to this request is a step's. */
  isOpen(seq: number): boolean {
    return this.#open.has(seq);
  }

  /** Adds the end of a request. `listed`: the number of items, and whether there is another page. */
  addEnd(
    seq: number,
    atUs: number,
    status: RowStatus,
    listed?: { readonly items: number; readonly hasMore: boolean },
  ): void {
    const step = this.#open.get(seq);
    if (!step) return;
    this.#open.delete(seq);
    step.status = status;
    step.tookUs = Math.max(step.tookUs ?? 0, atUs - step.atUs);
    if (!listed) return;
    step.items = (step.items ?? 0) + listed.items;
    if (listed.hasMore) step.isCutShort = true;
  }

  get steps(): readonly HostStep[] {
    return this.#steps.map((step) => ({ ...step }));
  }

  /** Number of steps that were not kept. */
  get omitted(): number {
    return this.#omitted;
  }
}

/** Requests that set up the session, although a server works for them. */
const SET_UP: ReadonlySet<string> = new Set(['resources/subscribe', 'resources/unsubscribe']);
