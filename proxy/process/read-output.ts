import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';

/** Bytes of one read, about as many as a full pipe has. */
const READ_BYTES = 128 * 1024;

/** The system's end of a pipe. Node has no types for it. */
interface Pipe extends Readable {
  _handle?: unknown;
  readonly writable?: boolean;
}

/**
 * Reads a process's output, from the tick in which it started, or a pipe that nobody has begun to read. A chunk is valid
 * until as many further ones have come as there are `pieces` of memory: with one, until `onChunk` returns. A flood then
 * allocates nothing, and needs a third of the reads of Node's own stream. Returns the stream to wait for and to destroy
 * in place of the pipe.
 *
 * Node offers this to sockets that it makes itself (`onread`), so the pipe's handle moves to such a socket. Where that
 * is not possible, the pipe is read as usual.
 */
export function readOutput(pipe: Pipe, onChunk: (chunk: Buffer) => void, pieces = 1): Readable {
  const handle = pipe._handle;
  const isUntouched = pipe.readableLength === 0 && !pipe.readableEnded && !pipe.destroyed;
  if (!handle || !isUntouched) return pipe.on('data', onChunk).resume();
  pipe._handle = null;
  const memory = Array.from({ length: pieces }, () => Buffer.allocUnsafeSlow(READ_BYTES));
  let next = 0;
  const options: SocketConstructorOpts & ConnectOpts & { handle: unknown } = {
    handle,
    writable: pipe.writable,
    onread: {
      buffer: () => memory[next++ % pieces]!,
      callback: (bytes, piece) => {
        onChunk(piece.subarray(0, bytes) as Buffer);
        return true;
      },
    },
  };
  return new Socket(options);
}
