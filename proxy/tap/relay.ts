import { finished, type Readable, type Writable } from 'node:stream';

/**
 * Gets bytes just before they are passed on, so that another thread can record them meanwhile. Don't keep or change the
 * chunk. May return a promise for which the next bytes wait.
 */
export type OnPassing = (chunk: Buffer) => Promise<void> | undefined;

/**
 * Passes bytes on as they come. Reads no more while the receiver does not read, so that at most a few chunks are in
 * memory. Once the receiver is gone, the sender's next write fails. The caller passes the end on.
 */
export function pass(from: Readable, to: Writable, onPassing: OnPassing): void {
  let waits = 0;
  const resume = (): void => void (--waits === 0 && from.resume());
  const wait = (): void => void (waits++ === 0 && from.pause());
  from.on('data', (chunk: Buffer) => {
    const recorded = onPassing(chunk);
    if (!to.write(chunk)) {
      wait();
      to.once('drain', resume);
    }
    if (recorded) {
      wait();
      void recorded.then(resume);
    }
  });
  from.on('error', () => {});
  to.on('error', () => {});
  // What is still on its way is lost, as it is in the pipe of a program that is gone.
  to.on('close', () => from.destroy());
}

/** Resolves once a stream has passed everything on, or is gone. Never rejects. */
export function closed(stream: Readable | Writable): Promise<void> {
  return new Promise((resolve) => finished(stream, () => resolve()));
}
