import { systemClock } from '@/lib/wire/clock';
import type { Frame } from '@/lib/wire/frame';

/**
 * Milliseconds without a change after which lists count as read: some servers add tools after the handshake. A server
 * that never stops to change them is read this many times.
 */
const QUIET_MS = 300;
const MOST_READINGS = 5;
/** Bytes of a frame that is searched for a notification of a change, which has far fewer. */
const NOTIFICATION_BYTES = 4096;

/** Reads the lists of a server until they do not change any more. */
export class SettledLists {
  #changed = true;

  /** Sees every frame of the connection. */
  readonly onFrame = ({ channel, direction, bytes }: Frame): void => {
    if (channel !== 'protocol' || direction !== 'to-client') return;
    this.#changed ||= bytes.length < NOTIFICATION_BYTES && Buffer.from(bytes).includes('/list_changed"');
  };

  /** Calls `readAll` until no list has changed since, or until it resolves with true. Rejects as it does. */
  async read(readAll: () => Promise<unknown>): Promise<void> {
    for (let times = 0; this.#changed && times < MOST_READINGS; times++) {
      this.#changed = false;
      if ((await readAll()) === true) return;
      await new Promise<void>((resolve) => systemClock.after(QUIET_MS, resolve));
    }
  }
}
