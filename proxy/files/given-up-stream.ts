import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/**
 * Closes the descriptor of a standard stream, which Node never does, so that the other end notices. Its number is taken
 * by a device that holds nothing, because the next file to be opened would get it, and the messages of a crash with it.
 */
export function giveUpStream(descriptor: 0 | 1 | 2): void {
  try {
    closeSync(descriptor);
    openSync(devNull, 'r+');
  } catch {
    // It was closed from the start.
  }
}
