import { float64, type NumberColumn, uint32 } from '@/lib/json/typed-arrays';
import { METHOD } from '@/lib/wire/protocol-names';
import type { Log } from '../log';

/** Stands for several requests in flight. */
const SEVERAL = 2 ** 32 - 1;
/** How far a clock's time may be off, in µs: a log knows the time of its start in ms. */
const SLACK_US = 1000;

/** A change of what is in flight. `seq` is the frame that made it. */
interface Change {
  readonly at: number;
  readonly seq: number;
  readonly request: number;
  readonly starts: boolean;
}

/** Which client request was the only one in flight at any moment of a log, subscriptions aside. */
export class RequestsInFlight {
  readonly #log: Log;
  /** Requests whose end has not been seen. */
  readonly #unsettled = new Set<number>();
  readonly #inFlight = new Set<number>();
  readonly #times: NumberColumn = float64();
  /** The only request since that time, 0 for none, or `SEVERAL`. */
  readonly #only: NumberColumn = uint32();
  #count = 0;
  #changes = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Reads the frames `from` to `to` (indexes), and the rows that have changed since the last call. */
  update(from: number, to: number): void {
    const { columns } = this.#log;
    const made: Change[] = [];
    for (let index = from; index < to; index++) {
      const isAsked = columns.kind(index) === 'request' && columns.direction(index) === 'to-server';
      if (!isAsked || columns.id(index) == null || columns.method(index) === METHOD.listen) continue;
      made.push({ at: columns.time(index), seq: index + 1, request: index + 1, starts: true });
      this.#unsettled.add(index + 1);
    }
    while (this.#changes < columns.changes) this.#end(columns.changedRow(this.#changes++) + 1, made);
    made.sort((a, b) => a.at - b.at || a.seq - b.seq);
    this.#apply(made);
  }

  /** Returns the only request in flight at a time of the log in µs; undefined for none or several. */
  onlyAt(us: number): number | undefined {
    const here = this.#valueAt(us);
    const only = here === 0 ? this.#valueAt(us - SLACK_US) : here;
    return only === 0 || only === SEVERAL ? undefined : only;
  }

  #end(request: number, made: Change[]): void {
    const { columns } = this.#log;
    const index = request - 1;
    if (!this.#unsettled.has(request) || columns.status(index) === 'pending') return;
    const seq = columns.taskEnd(index) ?? columns.givenUp(index) ?? columns.peer(index);
    if (seq === undefined) return;
    this.#unsettled.delete(request);
    made.push({ at: columns.time(seq - 1), seq, request, starts: false });
  }

  #apply(made: readonly Change[]): void {
    for (const { at, request, starts } of made) {
      if (starts) this.#inFlight.add(request);
      else this.#inFlight.delete(request);
      const [only = 0] = this.#inFlight;
      this.#times.push(at);
      this.#only.push(this.#inFlight.size > 1 ? SEVERAL : only);
      this.#count++;
    }
  }

  #valueAt(us: number): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#times.get(middle) <= us) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : this.#only.get(low - 1);
  }
}
