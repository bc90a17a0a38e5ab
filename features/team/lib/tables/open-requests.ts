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
export class CarriedFrames {
  readonly #log: Log;
  /** By request or batch, in order: its frame, and the response that started its task. */
  readonly #frames = new Map<number, readonly CarriedFrame[]>();
  #settled = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Adds a frame that the log has as `seq`. It is kept if it is an open request, or started the task of one. */
  add(seq: number, frame: Frame): void {
    const { columns } = this.#log;
    const request = columns.kind(seq - 1) === 'response' ? columns.peer(seq - 1) : seq;
    if (request === undefined || columns.status(request - 1) !== 'pending') return;
    if (request === seq || columns.taskSeq(request - 1) === seq)
      this.#frames.set(request, [...(this.#frames.get(request) ?? []), { seq, frame: withOwnBytes(frame) }]);
  }

  /** Forgets requests that have ended. */
  prune(): void {
    const { settled, size } = this.#log;
    this.#settled = settled.read(this.#settled, size, (request) => this.#frames.delete(request));
  }

  /** Returns the frames that the next log begins with, in their order. */
  carry(): readonly CarriedFrame[] {
    this.prune();
    const kept: CarriedFrame[] = [];
    let [requests, bytes] = [0, 0];
    for (const frames of [...this.#frames.values()].reverse()) {
      requests++;
      bytes += frames.reduce((sum, { frame }) => sum + sizeOf(frame), 0);
      if (requests > MOST_OPEN || bytes > MOST_BYTES) break;
      kept.push(...frames);
    }
    return kept.sort((one, other) => one.seq - other.seq);
  }
}

/** Returns a frame that does not hold the memory of its neighbours. */
function withOwnBytes(frame: Frame): Frame {
  return frame.cut ? frame : { ...frame, bytes: frame.bytes.slice() };
}

function sizeOf({ cut, bytes }: Frame): number {
  return cut?.length ?? bytes.length;
}
