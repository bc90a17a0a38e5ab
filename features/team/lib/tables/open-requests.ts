import type { Log } from '@/lib/store/log';
import type { Frame } from '@/lib/wire/frame';

/** Most requests that go on into the next window. The newest count; older ones stay pending. */
const MOST_OPEN = 10_000;
/** Most bytes of their frames. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A frame that goes on into the next window. */
export interface CarriedFrame {
  /** Number in the log. */
  readonly seq: number;
  readonly frame: Frame;
}

/** Frames of a log that its successor needs: open requests, and responses that started their tasks. */
export class OpenRequests {
  readonly #frames = new Map<number, Frame>();
  /** Responses that started tasks, by their requests. */
  readonly #starts = new Map<number, number>();

  /** Adds a request or a batch with the number that it has in the log. */
  add(seq: number, frame: Frame): void {
    this.#frames.set(seq, withOwnBytes(frame));
  }

  /** Adds a response that was appended to the log. It is kept if it started a task. */
  addResponse(log: Log, seq: number, frame: Frame): void {
    const request = log.columns.peer(seq - 1);
    if (request === undefined || log.columns.taskSeq(request - 1) !== seq) return;
    this.#starts.set(request, seq);
    this.#frames.set(seq, withOwnBytes(frame));
  }

  /** Forgets requests that are no longer open. */
  prune(log: Log): void {
    for (const seq of this.#frames.keys()) {
      const { columns } = log;
      const kind = columns.kind(seq - 1);
      if (kind !== 'response' && columns.status(seq - 1) !== 'pending') this.#forget(seq);
    }
  }

  /** Returns the frames that the next log begins with, in their order. */
  carry(log: Log): readonly CarriedFrame[] {
    this.prune(log);
    const kept: CarriedFrame[] = [];
    let [requests, bytes] = [0, 0];
    for (const [seq, frame] of [...this.#frames].reverse()) {
      if (log.columns.kind(seq - 1) === 'response') continue;
      const start = this.#starts.get(seq);
      const started = start === undefined ? [] : [{ seq: start, frame: this.#frames.get(start)! }];
      requests++;
      bytes += [{ frame }, ...started].reduce((sum, each) => sum + sizeOf(each.frame), 0);
      if (requests > MOST_OPEN || bytes > MOST_BYTES) break;
      kept.push({ seq, frame }, ...started);
    }
    return kept.sort((one, other) => one.seq - other.seq);
  }

  #forget(request: number): void {
    const start = this.#starts.get(request);
    this.#starts.delete(request);
    this.#frames.delete(request);
    if (start !== undefined) this.#frames.delete(start);
  }
}

/** Returns a frame that does not hold the memory of its neighbours. */
function withOwnBytes(frame: Frame): Frame {
  return frame.cut ? frame : { ...frame, bytes: frame.bytes.slice() };
}

function sizeOf({ cut, bytes }: Frame): number {
  return cut?.length ?? bytes.length;
}
