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
 * Reads a process's output, from the tick in which it started, or a pipe that nobody has begun to read. A chunk is
 * valid until the next one is read into its memory: until `onChunk` returns, or as long as it has paused the stream. A
 * flood then allocates nothing, and needs a third of the reads of Node's own stream. Returns the stream to wait for, to
 * pause and to destroy in place of the pipe.
 *
 * Node offers this to sockets that it makes itself (`onread`), so the pipe's handle moves to such a socket. Where that
 * is not possible, the pipe is read as usual.
 */
export function readOutput(pipe: Pipe, onChunk: (chunk: Buffer) => void): Readable {
  const handle = pipe._handle;
  const isUntouched = pipe.readableLength === 0 && !pipe.readableEnded && !pipe.destroyed;
  if (!handle || !isUntouched) return pipe.on('data', onChunk).resume();
  pipe._handle = null;
  const memory = Buffer.allocUnsafeSlow(READ_BYTES);
  const callback = (bytes: number): boolean => {
    onChunk(memory.subarray(0, bytes));
    return true;
  };
  const options: SocketConstructorOpts & ConnectOpts & { handle: unknown } = {
    handle,
    writable: pipe.writable,
    onread: { buffer: memory, callback },
  };
  return new Socket(options);
}
