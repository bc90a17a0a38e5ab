/**
 * A stream of bytes that is recorded: one of the server's, its telemetry, or the messages that a side sent and the
 * other side did not get as they were.
 */
export type Passed = 'stdin' | 'stdout' | 'stderr' | 'changed-in' | 'changed-out' | 'otel';

/** Kinds of records: bytes of a stream, an event, or what was missed. */
const KINDS = ['stdin', 'stdout', 'stderr', 'changed-in', 'changed-out', 'event', 'missed', 'otel'] as const;
export type RingKind = (typeof KINDS)[number];

/** Something that has passed. `time` is in µs since the start of the session. */
export interface RingRecord {
  readonly kind: RingKind;
  readonly time: number;
  readonly bytes: Buffer;
  /** A number of the writer's, such as that of an exchange. 0 if it gave none. */
  readonly tag: number;
}

/** Tags are below this. The kind is beside the tag, below 16. */
export const TAGS = 2 ** 28;

/** Bytes of the ring, a power of two: some 20 ms of the fastest flood. Memory that was never used costs nothing. */
const RING_BYTES = 8 * 1024 * 1024;
/** Each record begins at a multiple of this. So its head, which is as long, is never cut in two. */
const HEAD_BYTES = 16;

/** Places in the ring's counters: bytes written and taken, modulo 2³², and whether the reader sleeps. */
const [WRITTEN, TAKEN, ASLEEP] = [0, 1, 2];

/** Memory that two threads share. One passes what the other records, without a message or an allocation for each. */
export interface RingMemory {
  readonly counters: Int32Array<SharedArrayBuffer>;
  readonly data: Uint8Array<SharedArrayBuffer>;
}

export function newRingMemory(): RingMemory {
  return {
    counters: new Int32Array(new SharedArrayBuffer(HEAD_BYTES)),
    data: new Uint8Array(new SharedArrayBuffer(RING_BYTES)),
  };
}

const paddedLength = (bytes: number): number => HEAD_BYTES + Math.ceil(bytes / HEAD_BYTES) * HEAD_BYTES;

function usedIn({ counters }: RingMemory): number {
  return (Atomics.load(counters, WRITTEN) - Atomics.load(counters, TAKEN)) >>> 0;
}

/** The end of a ring that one thread writes to. */
export class RingWriter {
  readonly #memory: RingMemory;
  readonly #view: DataView;
  readonly #wake: () => void;

  /** Calls `wake` when the reader sleeps and there is something to read. */
  constructor(memory: RingMemory, wake: () => void) {
    this.#memory = memory;
    this.#view = new DataView(memory.data.buffer);
    this.#wake = wake;
  }

  /** Bytes that the reader has not taken yet. */
  get used(): number {
    return usedIn(this.#memory);
  }

  get free(): number {
    return RING_BYTES - this.used;
  }

  /** Copies a record into the ring. Returns false if there is no room. */
  put(kind: RingKind, time: number, bytes: Uint8Array, tag = 0): boolean {
    const { counters, data } = this.#memory;
    const padded = paddedLength(bytes.length);
    if (padded > this.free) return false;
    const written = Atomics.load(counters, WRITTEN);
    const head = written & (RING_BYTES - 1);
    this.#view.setUint32(head, bytes.length);
    this.#view.setUint32(head + 4, tag * 16 + KINDS.indexOf(kind));
    this.#view.setFloat64(head + 8, time);
    const at = (head + HEAD_BYTES) & (RING_BYTES - 1);
    const first = Math.min(bytes.length, RING_BYTES - at);
    data.set(first === bytes.length ? bytes : bytes.subarray(0, first), at);
    if (first < bytes.length) data.set(bytes.subarray(first), 0);
    Atomics.store(counters, WRITTEN, (written + padded) | 0);
    if (Atomics.exchange(counters, ASLEEP, 0) === 1) this.#wake();
    return true;
  }
}

/** The end of a ring that one thread reads from. */
export class RingReader {
  readonly #memory: RingMemory;

  constructor(memory: RingMemory) {
    this.#memory = memory;
  }

  /** Bytes that can be read. */
  get used(): number {
    return usedIn(this.#memory);
  }

  /** Returns true if the writer will wake this thread: if there is nothing to read. */
  sleep(): boolean {
    const { counters } = this.#memory;
    Atomics.store(counters, ASLEEP, 1);
    return this.used === 0 || Atomics.exchange(counters, ASLEEP, 0) === 0;
  }

  /** Returns the memory of what can be read, whole records in one piece or two. It is overwritten after `take`. */
  pieces(): readonly Uint8Array[] {
    const { counters, data } = this.#memory;
    const from = Atomics.load(counters, TAKEN) & (RING_BYTES - 1);
    const { used } = this;
    const first = Math.min(used, RING_BYTES - from);
    const head = data.subarray(from, from + first);
    return first === used ? [head] : [head, data.subarray(0, used - first)];
  }

  /** Frees bytes at the start of what can be read. */
  take(bytes: number): void {
    Atomics.add(this.#memory.counters, TAKEN, bytes);
  }

  /** Copies the oldest record out of the ring and takes it. There has to be one. */
  takeRecord(): RingRecord {
    const { counters, data } = this.#memory;
    const from = Atomics.load(counters, TAKEN) & (RING_BYTES - 1);
    const { length, ...about } = readHead(new DataView(data.buffer, from, HEAD_BYTES));
    const bytes = Buffer.allocUnsafeSlow(length);
    const at = (from + HEAD_BYTES) & (RING_BYTES - 1);
    const first = Math.min(length, RING_BYTES - at);
    bytes.set(data.subarray(at, at + first));
    if (first < length) bytes.set(data.subarray(0, length - first), first);
    this.take(paddedLength(length));
    return { ...about, bytes };
  }
}

function readHead(head: DataView): Omit<RingRecord, 'bytes'> & { readonly length: number } {
  const about = head.getUint32(4);
  return { length: head.getUint32(0), kind: KINDS[about & 15]!, tag: about >>> 4, time: head.getFloat64(8) };
}

/** Returns the records in a copy of a ring's memory, as views, and how many bytes they take: the last may be cut. */
export function recordsIn(stored: Buffer): { readonly records: readonly RingRecord[]; readonly bytes: number } {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length);
  const records: RingRecord[] = [];
  let at = 0;
  while (at + HEAD_BYTES <= stored.length) {
    const { length, ...about } = readHead(new DataView(view.buffer, view.byteOffset + at, HEAD_BYTES));
    const next = at + paddedLength(length);
    if (next > stored.length) break;
    records.push({ ...about, bytes: stored.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length) });
    at = next;
  }
  return { records, bytes: at };
}
