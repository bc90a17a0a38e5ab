import type { Log } from '../log';
import type { RowStatus } from './row';
import { isSettledElsewhere } from './row-text';

const FAILED: ReadonlySet<RowStatus | undefined> = new Set<RowStatus>(['error', 'tool-error', 'timeout', 'lost']);

/** Finds the first error of a log: a failed request, an event that is an error, or bytes that are not a message. */
export class FirstError {
  readonly #log: Log;
  #seen = 0;
  #changes = 0;
  #found: number | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Looks at new and changed rows until one is found. Returns its seq. */
  update(): number | undefined {
    const { columns, size } = this.#log;
    // A refusal may turn out to be expected.
    if (this.#found !== undefined && this.#isError(this.#found - 1)) return this.#found;
    this.#found = undefined;
    while (this.#found === undefined && this.#changes < columns.changes)
      this.#look(columns.changedRow(this.#changes++));
    while (this.#found === undefined && this.#seen < size) this.#look(this.#seen++);
    return this.#found;
  }

  #look(index: number): void {
    if (this.#isError(index)) this.#found = index + 1;
  }

  #isError(index: number): boolean {
    const { columns } = this.#log;
    const kind = columns.kind(index);
    if (columns.severity(index) === 'error') return true;
    if (kind === 'junk') return columns.direction(index) === 'to-client' && columns.bytes.length(index) > 0;
    const status = columns.status(index);
    if (kind === 'error') return status !== 'refused' && status !== 'cancelled';
    if (!FAILED.has(status)) return false;
    const [peer, isTask] = [columns.peer(index), columns.taskSeq(index) !== undefined];
    return !isSettledElsewhere({ kind, status, peer, http: undefined, isTask });
  }
}
