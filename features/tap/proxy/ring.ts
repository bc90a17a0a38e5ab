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
 * waits, and how often the reader has paused within a record.
 */
const [WRITTEN, TAKEN, ASLEEP, WAITED, PAUSES] = [0, 1, 2, 3, 4];
const COUNTERS = 5;
/** The reader tells a writer that waits when there are so many bytes or fewer. */
const ROOM_BYTES = 32 * 1024;

/** Memory that two threads share. One passes what the other records, without a message or an allocation for each. */
export interface RingMemory {
  readonly counters: Int32Array<SharedArrayBuffer>;
  readonly data: Uint8Array<SharedArrayBuffer>;
}

export function newRingMemory(): RingMemory {
  return {
    counters: new Int32Array(new SharedArrayBuffer(COUNTERS * Int32Array.BYTES_PER_ELEMENT)),
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

  /** Bytes of the records that the reader has not dropped yet. */
  get used(): number {
    return usedIn(this.#memory);
  }

  /** Time of the oldest of them, in µs since the start of the session; infinite if there is none. */
  get oldest(): number {
    if (this.used === 0) return Number.POSITIVE_INFINITY;
    return this.#view.getFloat64((Atomics.load(this.#memory.counters, TAKEN) & (RING_BYTES - 1)) + 8);
  }

  /** Two numbers that change while the reader works: with each record that it drops, and within a long one. */
  get progress(): { readonly taken: number; readonly pauses: number } {
    const { counters } = this.#memory;
    return { taken: Atomics.load(counters, TAKEN), pauses: Atomics.load(counters, PAUSES) };
  }

  /** Asks the reader to tell when there is room. Returns false if it won't, because the ring is empty. */
  askForRoom(): boolean {
    Atomics.store(this.#memory.counters, WAITED, 1);
    return this.used > 0;
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
  readonly #onRoom: () => void;
  /** Bytes of the record that was read last. */
  #read = 0;

  /** Calls `onRoom` when the writer has asked for room and there is some. */
  constructor(memory: RingMemory, onRoom: () => void) {
    this.#memory = memory;
    this.#onRoom = onRoom;
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
    this.#read = paddedLength(length);
    return { ...about, bytes };
  }

  /** Frees the record that was read last, because it is written. */
  drop(): void {
    const { counters } = this.#memory;
    Atomics.add(counters, TAKEN, this.#read);
    if (this.used <= ROOM_BYTES && Atomics.exchange(counters, WAITED, 0) === 1) this.#onRoom();
  }
}

function readHead(head: DataView): Omit<RingRecord, 'bytes'> & { readonly length: number } {
  const about = head.getUint32(4);
  return { length: head.getUint32(0), kind: KINDS[about & 15]!, tag: about >>> 4, time: head.getFloat64(8) };
}
