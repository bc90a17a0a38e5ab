import { type Column, uint32 } from './column';

/**
 * The bytes of all frames, as offsets into the batches they arrived in: no object is kept per frame, and a batch's buffer
 * is held once however many frames lie in it.
 */
export class FrameBytes {
  readonly #buffers: ArrayBufferLike[] = [];
  readonly #buffer: Column = uint32();
  readonly #offset: Column = uint32();
  readonly #length: Column = uint32();

  push(bytes: Uint8Array): void {
    if (this.#buffers.at(-1) !== bytes.buffer) this.#buffers.push(bytes.buffer);
    this.#buffer.push(this.#buffers.length - 1);
    this.#offset.push(bytes.byteOffset);
    this.#length.push(bytes.length);
  }

  length(index: number): number {
    return this.#length.get(index);
  }

  /** The first `limit` bytes, or all: a view, not a copy. */
  get(index: number, limit = Number.POSITIVE_INFINITY): Uint8Array {
    const length = Math.min(this.#length.get(index), limit);
    return new Uint8Array(this.#buffers[this.#buffer.get(index)]!, this.#offset.get(index), length);
  }
}
