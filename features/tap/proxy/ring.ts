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

/** Bytes of the ring, a power of two. Memory that was never used costs nothing. */
const RING_BYTES = 8 * 1024 * 1024;
/** Each record begins at a multiple of this. So its head, which is as long, is never cut in two. */
const HEAD_BYTES = 16;

/**
 * Places in the ring's counters: bytes written and taken, modulo 2³², whether the reader sleeps, whether the writer
 * waits, how often the reader has paused within its present record, and how old the last one was when it dropped it.
 */
const [WRITTEN, TAKEN, ASLEEP, WAITED, PAUSES, LAG] = [0, 1, 2, 3, 4, 5];
const COUNTERS = 6;

/** Memory that two threads share. One passes what the other records, without a message or an allocation for each. */
export interface RingMemory {
  readonly counters: Int32Array<SharedArrayBuffer>;
  readonly data: Uint8Array<SharedArrayBuffer>;
  /** The start of the session, in ms since 1970: threads have a clock each. */
  readonly zero: number;
}

export function newRingMemory(): RingMemory {
  return {
    zero: performance.timeOrigin + performance.now(),
    counters: new Int32Array(new SharedArrayBuffer(COUNTERS * Int32Array.BYTES_PER_ELEMENT)),
    data: new Uint8Array(new SharedArrayBuffer(RING_BYTES)),
  };
}

const paddedLength = (bytes: number): number => HEAD_BYTES + Math.ceil(bytes / HEAD_BYTES) * HEAD_BYTES;

function microsecondsOf({ zero }: RingMemory): number {
  return Math.round((performance.timeOrigin + performance.now() - zero) * 1000);
}

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

  /** Bytes of the records that the reader has not dropped yet. */
  get used(): number {
    return usedIn(this.#memory);
  }

  /** Time of the oldest of them, in µs since the start of the session; infinite if there is none. */
  get oldest(): number {
    if (this.used === 0) return Number.POSITIVE_INFINITY;
    return this.#view.getFloat64((Atomics.load(this.#memory.counters, TAKEN) & (RING_BYTES - 1)) + 8);
  }

  /** How old the last record was when it had been recorded, in µs. 0 before the first. */
  get lag(): number {
    return Atomics.load(this.#memory.counters, LAG);
  }

  /** Work of the reader: bytes that it has taken, and how often it has paused within a record that takes long. */
  get progress(): { readonly taken: number; readonly pauses: number } {
    const { counters } = this.#memory;
    return { taken: Atomics.load(counters, TAKEN), pauses: Atomics.load(counters, PAUSES) };
  }

  /** The place where the next record begins, for {@link hasDropped}. */
  get end(): number {
    return Atomics.load(this.#memory.counters, WRITTEN);
  }

  /** Returns true once the reader has dropped everything before a place. */
  hasDropped(end: number): boolean {
    return ((Atomics.load(this.#memory.counters, TAKEN) - end) | 0) >= 0;
  }

  /** Asks the reader to tell when it drops a record. Returns false if it won't, because the ring is empty. */
  askForDrop(): boolean {
    Atomics.store(this.#memory.counters, WAITED, 1);
    return this.used > 0;
  }

  get free(): number {
    return RING_BYTES - this.used;
  }

  /** Microseconds since the start of the session. */
  now(): number {
    return microsecondsOf(this.#memory);
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
  readonly #onDrop: () => void;
  /** Bytes and time of the record that was read last. */
  #read = { bytes: 0, time: 0 };

  /** Calls `onDrop` when it has dropped a record and the writer has asked for that. */
  constructor(memory: RingMemory, onDrop: () => void) {
    this.#memory = memory;
    this.#onDrop = onDrop;
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

  /** Tells the writer that this thread works on a long record. */
  pause(): void {
    Atomics.add(this.#memory.counters, PAUSES, 1);
  }

  /** Copies the oldest record out of the ring, where it stays until {@link drop}. There has to be one. */
  read(): RingRecord {
    const { counters, data } = this.#memory;
    const from = Atomics.load(counters, TAKEN) & (RING_BYTES - 1);
    const { length, ...about } = readHead(new DataView(data.buffer, from, HEAD_BYTES));
    const bytes = Buffer.allocUnsafeSlow(length);
    const at = (from + HEAD_BYTES) & (RING_BYTES - 1);
    const first = Math.min(length, RING_BYTES - at);
    bytes.set(data.subarray(at, at + first));
    if (first < length) bytes.set(data.subarray(0, length - first), first);
    this.#read = { bytes: paddedLength(length), time: about.time };
    return { ...about, bytes };
  }

  /** Frees the record that was read last, because it is written. */
  drop(): void {
    const { counters } = this.#memory;
    Atomics.store(counters, PAUSES, 0);
    Atomics.store(counters, LAG, microsecondsOf(this.#memory) - this.#read.time);
    Atomics.add(counters, TAKEN, this.#read.bytes);
    if (Atomics.exchange(counters, WAITED, 0) === 1) this.#onDrop();
  }
}

function readHead(head: DataView): Omit<RingRecord, 'bytes'> & { readonly length: number } {
  const about = head.getUint32(4);
  return { length: head.getUint32(0), kind: KINDS[about & 15]!, tag: about >>> 4, time: head.getFloat64(8) };
}
