import { closeSync, createReadStream, createWriteStream, openSync, read, write, writev } from 'node:fs';
import { Socket, type SocketConstructorOpts } from 'node:net';
import { devNull } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { isatty, ReadStream, WriteStream } from 'node:tty';

/**
 * Returns our own stdin as a stream that closes its descriptor when it ends, so that the other side notices: Node’s own
 * streams never close it, and never say that they have ended.
 */
export function standardInput(): Readable {
  if (isatty(0)) return givenUp(0, new ReadStream(0));
  return pipeOf(0) ?? createReadStream('', { fd: 0, fs: { read, close: closeOf(0) } });
}

/** As {@link standardInput}, for stdout and stderr. */
export function standardOutput(descriptor: 1 | 2): Writable {
  if (isatty(descriptor)) {
    const terminal = givenUp(descriptor, new WriteStream(descriptor));
    // It could also be read, and would wait for that to end.
    return terminal.once('finish', () => terminal.destroy());
  }
  const fs = { write, writev, close: closeOf(descriptor) };
  return pipeOf(descriptor) ?? createWriteStream('', { fd: descriptor, fs });
}

/** Returns undefined for a file or a device. What can be read waits for the first reader. */
function pipeOf(fd: 0 | 1 | 2): Socket | undefined {
  const options: SocketConstructorOpts & { pauseOnCreate: boolean } = {
    fd,
    readable: fd === 0,
    writable: fd !== 0,
    pauseOnCreate: true,
  };
  try {
    return givenUp(fd, new Socket(options));
  } catch {
    return undefined;
  }
}

function givenUp<T extends Socket>(descriptor: 0 | 1 | 2, stream: T): T {
  return stream.once('close', () => giveUp(descriptor));
}

function closeOf(descriptor: 0 | 1 | 2) {
  return (_fd: number, done: (error?: null) => void): void => {
    giveUp(descriptor);
    done();
  };
}

/** The descriptor's number is taken by a device that holds nothing, because the next file to be opened would get it. */
function giveUp(descriptor: 0 | 1 | 2): void {
  try {
    closeSync(descriptor);
    openSync(devNull, 'r+');
  } catch {
    // It was closed from the start.
  }
}
